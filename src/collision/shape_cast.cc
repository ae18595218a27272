#include "src/collision/shape_cast.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "src/base/assert.h"
#include "src/collision/box_entry.h"
#include "src/collision/closest_points.h"
#include "src/collision/compound_shape.h"
#include "src/collision/core_distance.h"
#include "src/collision/field_cells.h"
#include "src/collision/half_space.h"
#include "src/collision/height_field.h"
#include "src/collision/in_frame.h"
#include "src/collision/shape_geometry.h"
#include "src/collision/support.h"
#include "src/collision/triangle_mesh.h"

namespace nowait {
namespace {

// A step that grazes halves what is left of the way: 60 of them are more digits than a double has.
constexpr int kMaxSteps = 60;

struct CoreHit {
  double fraction;
  CoreDistance at;  // the distance there
  std::uint8_t material = 0;
};

// The cores do not overlap at the beginning.
std::optional<CoreHit> Advance(const Core& moving, const Double3& way, double max_fraction,
                               const Core& target) {
  double fraction = 0.0;
  CoreDistance at = DistanceOf(moving, target);
  for (int step = 0;; ++step) {
    const double rate = Dot(way, at.normal);
    if (!(rate > 0.0)) return std::nullopt;
    if (at.distance <= double{kCastPrecision} || step == kMaxSteps) return CoreHit{fraction, at};
    fraction += at.distance / rate;
    if (!(fraction <= max_fraction)) return std::nullopt;
    at = DistanceOf(moving.Moved(way * fraction), target);
  }
}

CastContact ContactOf(const CoreHit& hit, Vec3 origin) {
  return {static_cast<float>(hit.fraction), origin + ToFloat(hit.at.on_b), ToFloat(-hit.at.normal),
          0, hit.material};
}

std::optional<CastContact> OntoGround(const Placed& moving, Vec3 translation, float max_fraction,
                                      const Placed& ground) {
  const HeightField& field = *ground.shape->height_field;
  const Core core(moving, moving.position);
  const Double3 way = ToDouble(translation);
  const Bounds<3> box = BoundsIn(*moving.shape, moving.position - ground.position, moving.rotation);
  std::optional<CoreHit> best;
  float limit = std::nextafter(max_fraction, std::numeric_limits<float>::max());
  ForEachCell(
      field, limit,
      [&](const GroundPart& part) {
        return EntersAt(box, translation, kCastPrecision, part.box());
      },
      [&](std::uint32_t i, std::uint32_t k) {
        for (std::uint32_t which = 0; which < 2; ++which) {
          const HeightField::Triangle triangle = field.TriangleAt(i, k, which);
          const Core target = Core::OfTriangle(triangle.vertices, ground.position, moving.position);
          const auto hit = Advance(core, way, limit, target);
          const bool is_above = hit && Dot(hit->at.normal, ToDouble(triangle.normal)) < 0.0;
          if (!is_above || (best && hit->fraction >= best->fraction)) continue;
          best = hit;
          best->material = field.MaterialOf(i, k);
          limit = static_cast<float>(hit->fraction);
        }
        return limit;
      });
  if (!best || !(static_cast<float>(best->fraction) <= max_fraction)) return std::nullopt;
  return ContactOf(*best, moving.position);
}

std::optional<CastContact> OntoMesh(const Placed& moving, Vec3 translation, float max_fraction,
                                    const Placed& placed) {
  const TriangleMesh& mesh = *placed.shape->mesh;
  const Placed seen = InFrameOf(placed, moving);
  const Core core(seen, {});
  const Vec3 along = TransposeTimes(placed.rotation, translation);
  const Double3 way = ToDouble(along);
  const Bounds<3> box = BoundsIn(*moving.shape, seen.position, seen.rotation);
  std::optional<CoreHit> best;
  float limit = std::nextafter(max_fraction, std::numeric_limits<float>::max());
  mesh.tree().VisitLowest(
      limit, [&](const Bounds<3>& part) { return EntersAt(box, along, kCastPrecision, part); },
      [&](std::uint32_t first, std::uint32_t count) {
        for (std::uint32_t id = first; id < first + count; ++id) {
          const std::array<Vec3, 3> places = mesh.PlacesOf(id);
          const Vec3 low = Min(Min(places[0], places[1]), places[2]);
          const Vec3 high = Max(Max(places[0], places[1]), places[2]);
          if (!(EntersAt(box, along, kCastPrecision, ToBounds(low, high)) < limit)) continue;
          const auto hit = Advance(core, way, limit, Core::OfTriangle(places, {}, {}));
          const bool is_front = hit && Dot(hit->at.normal, ToDouble(NormalOf(places))) < 0.0;
          if (!is_front || (best && hit->fraction >= best->fraction)) continue;
          best = hit;
          best->material = mesh.materials().NumberOf(id);
          limit = static_cast<float>(hit->fraction);
        }
        return limit;
      });
  if (!best || !(static_cast<float>(best->fraction) <= max_fraction)) return std::nullopt;
  return CastContact{static_cast<float>(best->fraction), placed.ToWorld(ToFloat(best->at.on_b)),
                     placed.rotation * ToFloat(-best->at.normal), 0, best->material};
}

// The shape does not turn, so the distance falls at one rate.
std::optional<CastContact> OntoPlane(const Placed& moving, Vec3 translation, float max_fraction,
                                     const Placed& plane) {
  const HalfSpace space(plane, moving.position);
  const Core core(moving, moving.position);
  const double rate = -Dot(space.normal(), ToDouble(translation));
  if (!(rate > 0.0)) return std::nullopt;
  const double fraction = std::max(DistanceOf(core, space).distance, 0.0) / rate;
  if (!(static_cast<float>(fraction) <= max_fraction)) return std::nullopt;
  const Core there = core.Moved(ToDouble(translation) * fraction);
  return ContactOf({fraction, DistanceOf(there, space)}, moving.position);
}

// The shape overlaps no child at the beginning.
std::optional<CastContact> OntoChildren(const Placed& moving, Vec3 translation, float max_fraction,
                                        const Placed& placed) {
  const CompoundShape& compound = *placed.shape->compound;
  const Placed seen = InFrameOf(placed, moving);
  const Vec3 along = TransposeTimes(placed.rotation, translation);
  const Bounds<3> box = BoundsIn(*moving.shape, seen.position, seen.rotation);
  std::optional<CastContact> best;
  float limit = std::nextafter(max_fraction, std::numeric_limits<float>::max());
  compound.tree().VisitLowest(
      limit, [&](const Bounds<3>& part) { return EntersAt(box, along, kCastPrecision, part); },
      [&](std::uint32_t first, std::uint32_t count) {
        for (std::uint32_t i = first; i < first + count; ++i) {
          const CompoundShape::Child& child = compound.children()[i];
          const auto hit =
              CastShapeAgainst(moving, translation, max_fraction, PlacedChild(placed, child));
          if (!hit || !(hit->fraction < limit)) continue;
          best = hit;
          best->child = child.number;
          limit = hit->fraction;
        }
        return limit;
      });
  return best;
}

}  // namespace

std::optional<CastContact> CastShapeAgainst(const Placed& moving, Vec3 translation,
                                            float max_fraction, const Placed& target) {
  NOWAIT_ASSERT(IsConvex(*moving.shape), "a shape that is cast is convex");
  const auto start = FindClosestPoints(moving, target, 0.0f);
  if (start && start->distance < 0.0f) {
    return CastContact{0.0f, start->on_b, -start->normal, start->child, start->material};
  }
  if (target.shape->kind == ShapeKind::kCompound) {
    return OntoChildren(moving, translation, max_fraction, target);
  }
  if (target.shape->kind == ShapeKind::kPlane) {
    return OntoPlane(moving, translation, max_fraction, target);
  }
  if (target.shape->kind == ShapeKind::kMesh) {
    return OntoMesh(moving, translation, max_fraction, target);
  }
  if (!IsConvex(*target.shape)) return OntoGround(moving, translation, max_fraction, target);
  const auto hit = Advance(Core(moving, moving.position), ToDouble(translation), max_fraction,
                           Core(target, moving.position));
  if (!hit) return std::nullopt;
  return ContactOf(*hit, moving.position);
}

}  // namespace nowait
