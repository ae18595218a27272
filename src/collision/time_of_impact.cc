#include "src/collision/time_of_impact.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "src/base/assert.h"
#include "src/collision/box_entry.h"
#include "src/collision/compound_shape.h"
#include "src/collision/core_distance.h"
#include "src/collision/field_cells.h"
#include "src/collision/half_space.h"
#include "src/collision/height_field.h"
#include "src/collision/placed.h"
#include "src/collision/support.h"
#include "src/collision/triangle_mesh.h"

namespace nowait {
namespace {

// Parts of the inner radius: how deep below the surface the shrunken shape lies, how near it comes
// to the other body, and how near if it begins nearer.
constexpr double kShrinkBy = 0.5;
constexpr double kGap = 0.0625;
constexpr double kLeastGap = 0.01;
// A triangle may have no contact point for a part that is nearest to one of its edges. A body that
// is stopped there again and again comes nearer by half each time, until it overlaps and is free.
constexpr double kNoGap = 0.0;

enum class Part : std::uint8_t { kFull, kShrunk, kCentre };

// A part of a shape on its way, in doubles relative to an origin near it.
class MovingCore {
 public:
  // inner: the inner radius by which it is shrunk.
  MovingCore(const Mover& mover, Part part, double inner, Vec3 origin)
      : mover_(mover),
        part_(part),
        by_(kShrinkBy * inner),
        origin_(origin),
        translation_(mover.sweep.Translation()),
        turn_(mover.sweep.TurnOfSweep()),
        reach_(ReachOf(mover, part)) {}

  Core At(float fraction) const {
    const Vec3 centre = mover_.CentreAt(fraction);
    if (part_ == Part::kCentre) return Core::OfPoint(centre, origin_);
    const Quat rotation = mover_.sweep.RotationAt(fraction) * mover_.turn;
    const Core full(Placed(*mover_.shape, centre, rotation), origin_);
    return part_ == Part::kFull ? full : full.Shrunk(by_, double{mover_.radii.inner});
  }

  // Metres a sweep; no point of the part moves faster along `direction`, of length one.
  double FastestAlong(const Double3& direction) const {
    const double across =
        turn_.sine > 0.0 ? Length(Cross(turn_.axis, direction)) / turn_.sine : 0.0;
    return Dot(translation_, direction) + turn_.Fastest() * across * reach_;
  }

  bool turns() const { return turn_.sine > 0.0 && reach_ > 0.0; }

  // How far along `direction` any point of the part can be `ahead` of `fraction`, at most, without
  // its radius. at: At(fraction). To first order a point p moves by w x p, which is along d by
  // p (d x w): so it is the support in a direction that turns the other way. The rest is bounded by
  // the acceleration.
  double FarthestAlong(const Double3& direction, const Core& at, double fraction,
                       double ahead) const {
    const Double3 turned =
        direction + Cross(direction, turn_.VelocityAt(fraction)) * (turns() ? ahead : 0.0);
    const Double3 axis = AxisAt(at, static_cast<float>(fraction));
    return Dot(axis + translation_ * ahead, direction) + Dot(at.Support(turned) - axis, turned) +
           0.5 * turn_.MostAcceleration() * reach_ * ahead * ahead;
  }

 private:
  // How far from the point about which the body turns the turn moves anything of the part.
  static double ReachOf(const Mover& mover, Part part) {
    const double offset = Length(ToDouble(mover.offset));
    return part == Part::kCentre ? offset : offset + double{mover.radii.reach};
  }

  // The point about which the body turns. at: At(fraction).
  Double3 AxisAt(const Core& at, float fraction) const {
    if (mover_.offset == Vec3{}) return at.middle();
    return ToDouble(mover_.sweep.PositionAt(fraction)) - ToDouble(origin_);
  }

  const Mover& mover_;
  Part part_;
  double by_;
  Vec3 origin_;
  Double3 translation_;
  Turning turn_;
  double reach_;
};

// The Core of a triangle of a surface or a HalfSpace, which stays where it is.
template <class Fixed>
class Still {
 public:
  explicit Still(const Fixed& fixed) : fixed_(fixed) {}
  const Fixed& At(float) const { return fixed_; }
  double FastestAlong(const Double3&) const { return 0.0; }
  bool turns() const { return false; }
  double FarthestAlong(const Double3& direction, const Fixed& at, double, double) const {
    return Dot(at.Support(direction), direction);
  }

 private:
  Fixed fixed_;
};

struct Touch {
  float fraction;
  Double3 normal;  // towards the other one
  bool wedged = true;
};

// How far both may go on from `fraction`, at most by `left`, and keep `gap` metres between them
// along the normal of their distance. Two bounds, and the better one counts: by the fastest motion
// of any point, and to second order. The latter gap is a concave function of the way, so that one
// bisection finds its end; it lets a corner that moves away go, however near it is.
template <class Other>
double WayOn(const MovingCore& moving, const Other& other, const CoreDistance& at, float fraction,
             double left, double gap) {
  const double rate = moving.FastestAlong(at.normal) + other.FastestAlong(-at.normal);
  if (!(rate * left > at.distance - gap)) return left;
  const double first_order = (at.distance - gap) / rate;
  if (!moving.turns() && !other.turns()) return first_order;
  const Core a = moving.At(fraction);
  const auto b = other.At(fraction);
  const double radii = a.radius() + b.radius();
  const auto keeps = [&](double ahead) {
    const double of_a = moving.FarthestAlong(at.normal, a, fraction, ahead);
    const double of_b = other.FarthestAlong(-at.normal, b, fraction, ahead);
    return -(of_a + of_b) - radii >= gap;
  };
  if (keeps(left)) return left;
  double low = 0.0, high = left;
  constexpr int kHalvings = 12;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = 0.5 * (low + high);
    (keeps(middle) ? low : high) = middle;
  }
  return std::max(first_order, low);
}

// The first fraction at which the cores are about `gap` metres apart; never are they nearer. They
// begin at least so far apart, as `at` says.
template <class Other>
std::optional<Touch> Advance(const MovingCore& moving, const Other& other, CoreDistance at,
                             double gap, float max_fraction) {
  constexpr double kNearEnough = 1.5;  // gaps: a step goes on by half of one at least
  float fraction = 0.0f;
  for (int step = 0; step < kMaxImpactSteps; ++step) {
    const double left = double{max_fraction} - double{fraction};
    const double on = WayOn(moving, other, at, fraction, left, gap);
    if (!(on < left)) return std::nullopt;
    fraction = static_cast<float>(fraction + on);
    at = DistanceOf(moving.At(fraction), other.At(fraction));
    if (at.distance <= kNearEnough * gap) break;
  }
  return Touch{fraction, at.normal};
}

// inner: the inner radius of the thinner of the two. part(p): that part of the moving shape. least:
// how near the shrunken shape comes if it begins nearer than kGap, as a part of `inner`.
template <class PartOf, class Other>
std::optional<Touch> StopOf(const PartOf& part, const Other& other, double inner, double least,
                            float max_fraction) {
  const auto at_start = [&](const MovingCore& core) {
    return DistanceOf(core.At(0.0f), other.At(0.0f));
  };
  // A core that begins near may come nearer by half, but never nearer than the least gap, and not
  // at all if it begins there.
  const auto advance = [&](const MovingCore& core, const CoreDistance& from, double least_gap) {
    const double half = std::max(0.5 * from.distance, least_gap * inner);
    const double gap = std::min({kGap * inner, half, from.distance});
    return Advance(core, other, from, gap, max_fraction);
  };
  const MovingCore shrunk = part(Part::kShrunk);
  const CoreDistance of_shrunk = at_start(shrunk);
  if (!(of_shrunk.distance > 0.0)) {
    const MovingCore centre = part(Part::kCentre);
    const CoreDistance of_centre = at_start(centre);
    return of_centre.distance > 0.0 ? advance(centre, of_centre, kLeastGap) : std::nullopt;
  }
  const auto latest = advance(shrunk, of_shrunk, least);
  if (!latest) return std::nullopt;
  const MovingCore full = part(Part::kFull);
  const CoreDistance of_full = at_start(full);
  if (of_full.distance <= double{kStopDistance}) return latest;
  const auto first = Advance(full, other, of_full, 0.5 * kStopDistance, latest->fraction);
  return Touch{first ? first->fraction : latest->fraction, latest->normal, false};
}

// The first stop in front of the triangles of a surface.
class OntoTriangles {
 public:
  OntoTriangles(const Mover& moving, float max_fraction)
      : moving_(moving), max_fraction_(max_fraction) {}

  // A triangle that is met at this fraction or later changes nothing. One that is met at the
  // largest fraction itself counts.
  float limit() const { return limit_; }
  const std::optional<ImpactStop>& first() const { return first_; }

  // vertices: relative to `at`. normal: of any length, to the front. material: the triangle's.
  //
  // At its border a sheet may be touched by a part of a body whose centre is behind it. The narrow
  // phase passes over such a triangle, so that nothing would ever move the body away again. It does
  // not count here, either. The centre of a body goes straight, and so it cannot come through
  // the triangle from its front after that. That of a compound's child goes on an arc and can.
  void Meet(const std::array<Vec3, 3>& vertices, Vec3 at, Vec3 normal, std::uint8_t material) {
    const Core triangle = Core::OfTriangle(vertices, at, moving_.sweep.start);
    const double inner = moving_.radii.inner;
    const auto part = [&](Part which) {
      return MovingCore(moving_, which, inner, moving_.sweep.start);
    };
    const auto stop = StopOf(part, Still(triangle), inner, kNoGap, std::min(limit_, max_fraction_));
    if (!stop || !(Dot(stop->normal, ToDouble(normal)) < 0.0)) return;
    const Double3 centre = ToDouble(moving_.CentreAt(stop->fraction)) - ToDouble(at);
    const bool is_in_front = Dot(centre - ToDouble(vertices[0]), ToDouble(normal)) >= 0.0;
    if (!is_in_front || (first_ && stop->fraction >= first_->fraction)) return;
    first_ = ImpactStop{stop->fraction, stop->wedged, ToFloat(stop->normal), material};
    limit_ = stop->fraction;
  }

 private:
  const Mover& moving_;
  const float max_fraction_;
  float limit_ = std::nextafter(max_fraction_, std::numeric_limits<float>::max());
  std::optional<ImpactStop> first_;
};

// How near the box of a body comes to that of a triangle before they are looked at.
constexpr float kMargin = 2 * kStopDistance;

// A ball round the shape at the start of its sweep, in which every turn up to the end leaves it. A
// child of a compound that hardly turns stays near its place: a ball round all places to which the
// body could turn it would meet whatever any of the other children meets.
struct Round {
  explicit Round(const Mover& mover) {
    const float offset = Length(mover.offset);
    const auto angle = static_cast<float>(mover.sweep.TurnOfSweep().Fastest());
    const bool stays = angle < 1.0f;
    middle = stays ? mover.CentreAt(0.0f) : mover.sweep.start;
    radius = mover.radii.outer + offset * (stays ? angle : 1.0f);
  }

  Bounds<3> BoxAt(Vec3 seen) const {
    const Vec3 half{radius, radius, radius};
    return ToBounds(seen - half, seen + half);
  }

  Vec3 middle;
  float radius;
};

std::optional<ImpactStop> OntoGround(const Mover& moving, const Mover& ground, float max_fraction) {
  const HeightField& field = *ground.shape->height_field;
  const Vec3 at = ground.sweep.start;
  const Vec3 translation = moving.sweep.end - moving.sweep.start;
  const Round round(moving);
  const Bounds<3> box = round.BoxAt(round.middle - at);
  OntoTriangles onto(moving, max_fraction);
  ForEachCell(
      field, onto.limit(),
      [&](const GroundPart& part) { return EntersAt(box, translation, kMargin, part.box()); },
      [&](std::uint32_t i, std::uint32_t k) {
        for (std::uint32_t which = 0; which < 2; ++which) {
          const HeightField::Triangle triangle = field.TriangleAt(i, k, which);
          onto.Meet(triangle.vertices, at, triangle.normal, field.MaterialOf(i, k));
        }
        return onto.limit();
      });
  return onto.first();
}

std::optional<ImpactStop> OntoMesh(const Mover& moving, const Mover& surface, float max_fraction) {
  const TriangleMesh& mesh = *surface.shape->mesh;
  const Placed placed(*surface.shape, surface.sweep.start, surface.sweep.start_rotation);
  const Vec3 way = moving.sweep.end - moving.sweep.start;
  const Vec3 translation = TransposeTimes(placed.rotation, way);
  const Round round(moving);
  const Bounds<3> box = round.BoxAt(placed.ToLocal(round.middle));
  OntoTriangles onto(moving, max_fraction);
  mesh.tree().VisitLowest(
      onto.limit(),
      [&](const Bounds<3>& part) { return EntersAt(box, translation, kMargin, part); },
      [&](std::uint32_t first, std::uint32_t count) {
        for (std::uint32_t id = first; id < first + count; ++id) {
          std::array<Vec3, 3> places = mesh.PlacesOf(id);
          const Bounds<3> part = ToBounds(Min(Min(places[0], places[1]), places[2]),
                                          Max(Max(places[0], places[1]), places[2]));
          if (!(EntersAt(box, translation, kMargin, part) < onto.limit())) continue;
          for (Vec3& place : places) place = placed.rotation * place;
          onto.Meet(places, placed.position, NormalOf(places), mesh.materials().NumberOf(id));
        }
        return onto.limit();
      });
  return onto.first();
}

std::optional<ImpactStop> OntoPlane(const Mover& moving, const Mover& plane, float max_fraction) {
  const double inner = moving.radii.inner;
  const Vec3 origin = moving.sweep.start;
  const HalfSpace space(*plane.shape, plane.sweep.start, ToMatrix(plane.sweep.start_rotation),
                        origin);
  const auto part = [&](Part which) { return MovingCore(moving, which, inner, origin); };
  const auto stop = StopOf(part, Still(space), inner, kLeastGap, max_fraction);
  if (!stop) return std::nullopt;
  return ImpactStop{stop->fraction, stop->wedged, ToFloat(stop->normal)};
}

Mover ChildOf(const Mover& compound, const CompoundShape::Child& child) {
  return {&child.shape, child.radii, compound.sweep, child.position, child.rotation};
}

// The first stop of any child of `compound`. stop_of(child): that child's.
template <class StopOfChild>
std::optional<ImpactStop> FirstOfChildren(const Mover& compound, StopOfChild stop_of) {
  std::optional<ImpactStop> first;
  for (const CompoundShape::Child& child : compound.shape->compound->children()) {
    const auto stop = stop_of(ChildOf(compound, child));
    if (stop && (!first || stop->fraction < first->fraction)) first = stop;
  }
  return first;
}

// Whether the balls in which the two turn come near each other, on straight ways.
bool MayMeet(const Mover& a, const Mover& b) {
  const Vec3 way = (a.sweep.end - a.sweep.start) - (b.sweep.end - b.sweep.start);
  const Round round_a(a), round_b(b);
  return EntersAt(round_a.BoxAt(round_a.middle), way, kMargin, round_b.BoxAt(round_b.middle)) <=
         1.0f;
}

}  // namespace

std::optional<ImpactStop> TimeOfImpact(const Mover& moving, const Mover& other,
                                       float max_fraction) {
  NOWAIT_ASSERT(!IsSurface(*moving.shape), "a surface does not move");
  if (moving.shape->kind == ShapeKind::kCompound) {
    return FirstOfChildren(
        moving, [&](const Mover& child) { return TimeOfImpact(child, other, max_fraction); });
  }
  if (other.shape->kind == ShapeKind::kPlane) return OntoPlane(moving, other, max_fraction);
  if (other.shape->kind == ShapeKind::kMesh) return OntoMesh(moving, other, max_fraction);
  if (other.shape->kind == ShapeKind::kCompound) {
    return FirstOfChildren(other, [&](const Mover& child) {
      return MayMeet(moving, child) ? TimeOfImpact(moving, child, max_fraction) : std::nullopt;
    });
  }
  if (!IsConvex(*other.shape)) return OntoGround(moving, other, max_fraction);
  const double inner = std::min(moving.radii.inner, other.radii.inner);
  const Vec3 origin = moving.sweep.start;
  const auto part = [&](Part which) { return MovingCore(moving, which, inner, origin); };
  const auto stop =
      StopOf(part, MovingCore(other, Part::kFull, inner, origin), inner, kLeastGap, max_fraction);
  if (!stop) return std::nullopt;
  return ImpactStop{stop->fraction, stop->wedged, ToFloat(stop->normal)};
}

}  // namespace nowait
