// Capsule against height field: its two ends as balls, and between them the edges and samples of
// the field that the segment passes closest to.
//
// On a face, the distance of a segment is least at one of its ends. So the segment between its ends
// touches the field only at an edge or a sample that stands out. An edge or a sample of level
// ground is left out: there the ends are as near.
//
// A segment that has sunk through a ridge passes below its edge, while both ends are above the
// ground. The distance has a sign there: it is measured along the way out, which points upwards.
// Below an edge that is no ridge, the segment goes out as a sunk ball does. Where an inner part of
// the segment is below the surface, it is below an edge, because no triangle bends.
//
// Bound: the cells below the capsule, or, if there are more than 1,024, those that field_blocks.h
// chooses.
//
// Source: C. Ericson, "Real-Time Collision Detection", sections 5.1 (Voronoi regions) and 5.1.9
// (segments). Lecture: contacts, the plain solver and the whole physics update.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "src/collision/candidates.h"
#include "src/collision/capsule_axis.h"
#include "src/collision/collide.h"
#include "src/collision/field_blocks.h"
#include "src/collision/field_features.h"
#include "src/collision/height_field.h"
#include "src/collision/segment_in_box.h"

namespace nowait {
namespace {

// Of features (field_features.h): which part of the capsule has the point.
constexpr std::uint32_t kHighEnd = 1u << 28;
constexpr std::uint32_t kBetween = 2u << 28;

class CapsuleOnField {
 public:
  CapsuleOnField(const Placed& field, const Placed& capsule, float margin)
      : placed_(field),
        field_(*field.shape->height_field),
        axis_{capsule.position - field.position, capsule.rotation.y, capsule.shape->half_height},
        radius_(capsule.shape->radius),
        margin_(margin) {}

  void Collide(Manifold& manifold) {
    AddEnd(-axis_.half, 0);
    AddEnd(axis_.half, kHighEnd);
    AddBetween();
    candidates_.ReduceInto(manifold);
  }

 private:
  void AddEnd(float s, std::uint32_t feature) {
    const Shape ball = Shape::Sphere(radius_);
    Manifold points;
    CollideFieldSphere(placed_, Placed(ball, placed_.position + axis_.At(s), {}), margin_, points);
    for (ContactPoint& point : points.points()) {
      point.feature |= feature;
      candidates_.Add(point);
    }
  }

  void AddBetween() {
    const float reach = radius_ + margin_;
    const std::array<Vec3, 2> ends = {axis_.At(-axis_.half), axis_.At(axis_.half)};
    const Vec3 all{reach, reach, reach};
    const Vec3 low = Min(ends[0], ends[1]) - all, high = Max(ends[0], ends[1]) + all;
    const auto cells = field_.CellsIn(low.x, high.x, low.z, high.z);
    if (cells.empty || low.y > field_.max_height()) return;
    const auto look_at = [&](std::uint32_t i, std::uint32_t k) { LookAt(i, k); };
    if (FieldBlocks::AreAllLookedAt(cells)) {
      for (std::uint32_t k = cells.first_k; k <= cells.last_k; ++k) {
        for (std::uint32_t i = cells.first_i; i <= cells.last_i; ++i) LookAt(i, k);
      }
    } else {
      const auto gap = [this](const GroundPart& part) { return GapOver(part); };
      FieldBlocks(field_, cells, ends, margin_, gap).ForEachCell(look_at);
    }
  }

  // The distance of the capsule from the part as a box whose bottom is below the segment. Where the
  // segment is in the box, how far its lower end is below the top: it is deeper nowhere.
  float GapOver(const GroundPart& part) const {
    const float lowest = axis_.middle.y - std::abs(axis_.direction.y) * axis_.half;
    const Vec3 half{0.5f * (part.max_x - part.min_x),
                    0.5f * std::max(part.top - lowest, 0.0f) + 1.0f,
                    0.5f * (part.max_z - part.min_z)};
    const Vec3 centre{part.min_x + half.x, part.top - half.y, part.min_z + half.z};
    const Segment from_centre{axis_.middle - centre, axis_.direction, axis_.half};
    const Vec3 beyond = Beyond(from_centre.At(ClosestPlaceToBox(from_centre, half)), half);
    const float distance = Length(beyond);
    return (distance > 0.0f ? distance : lowest - part.top) - radius_;
  }

  void LookAt(std::uint32_t i, std::uint32_t k) {
    if (field_.IsHole(i, k)) return;
    const float spacing = field_.spacing();
    const float x = static_cast<float>(i) * spacing, z = static_cast<float>(k) * spacing;
    const float top = std::max({field_.HeightOf(i, k), field_.HeightOf(i + 1, k),
                                field_.HeightOf(i, k + 1), field_.HeightOf(i + 1, k + 1)});
    if (GapOver({x, x + spacing, z, z + spacing, top}) > margin_) return;
    for (std::uint32_t which = 0; which < 2; ++which) {
      const HeightField::Triangle triangle = field_.TriangleAt(i, k, which);
      for (int edge = 0; edge < 3; ++edge) LookAtEdge(triangle, edge);
    }
    // Each sample once: with the last of its cells that has ground.
    const std::int64_t si = i, sk = k;
    const bool right = field_.HasGround(si + 1, sk), below = field_.HasGround(si, sk + 1);
    LookAtSample(i, k);
    if (!right) LookAtSample(i + 1, k);
    if (!below && !field_.HasGround(si - 1, sk + 1)) LookAtSample(i, k + 1);
    if (!right && !below && !field_.HasGround(si + 1, sk + 1)) LookAtSample(i + 1, k + 1);
  }

  void LookAtEdge(const HeightField::Triangle& triangle, int edge) {
    const auto v = static_cast<std::size_t>(edge);
    const std::optional<Vec3> across = field_.VertexAcross(triangle, edge);
    // Each edge once: at the triangle of which it begins or ends at the cell's own sample, and has
    // the left or lower side or the diagonal.
    const bool is_mine = triangle.id % 2 == 0 ? edge == 0 : edge != 1;
    if (!is_mine && across) return;
    const Vec3 from = triangle.vertices[v], to = triangle.vertices[(v + 1) % 3];
    const Vec3 way = to - from;
    const float length = Length(way);
    if (!(length > 0.0f)) return;
    const Segment side{(from + to) * 0.5f, way * (1.0f / length), 0.5f * length};
    if (SquaredSine(axis_, side) < 1e-6f) return;  // the ends are as near
    const SegmentPair places = ClosestPlaces(axis_, side);
    if (!IsBetween(places.on_a, axis_) || !IsBetween(places.on_b, side)) return;
    const Vec3 out = NormaliseOr(Cross(axis_.direction, side.direction), triangle.normal);
    const Vec3 normal = out.y < 0.0f ? -out : out;
    const Vec3 on_edge = side.At(places.on_b);
    const float distance = Dot(normal, axis_.At(places.on_a) - on_edge);
    if (distance - radius_ > margin_ || (distance < 0.0f && !PassesUnder(from, to))) return;
    const std::uint32_t feature = EdgeFeature(field_, triangle, edge);
    const Leads here = WhereLeads(normal, from, triangle.vertices[(v + 2) % 3]);
    const Leads there = across ? WhereLeads(normal, from, *across) : Leads::kAway;
    if (here == Leads::kCloser || there == Leads::kCloser) {
      if (distance < 0.0f) AddSunk(axis_.At(places.on_a), triangle, feature);
    } else if (here == Leads::kAway || there == Leads::kAway) {
      Add(on_edge, normal, distance, feature);
    }
  }

  void AddSunk(Vec3 centre, const HeightField::Triangle& triangle, std::uint32_t feature) {
    const float distance = Dot(triangle.normal, centre - triangle.vertices[0]);
    if (distance < 0.0f) {
      Add(centre - triangle.normal * distance, triangle.normal, distance, feature);
    }
  }

  void LookAtSample(std::uint32_t i, std::uint32_t k) {
    const Vec3 sample = field_.Sample(i, k);
    const float place = axis_.NearestTo(sample);
    if (!IsBetween(place, axis_)) return;
    const Vec3 out = axis_.At(place) - sample;
    const float distance = Length(out);
    if (distance - radius_ > margin_ || !(distance > 0.0f)) return;
    if (WhereEdgesLead(field_, i, k, out) != Leads::kAway) return;
    Add(sample, out * (1.0f / distance), distance, SampleFeature(field_, i, k));
  }

  static bool IsBetween(float place, const Segment& segment) {
    return std::abs(place) < segment.half;
  }

  // Whether the segment and the edge cross, seen from above.
  bool PassesUnder(Vec3 from, Vec3 to) const {
    const auto turn = [](Vec3 a, Vec3 b, Vec3 c) {
      return (b.x - a.x) * (c.z - a.z) - (b.z - a.z) * (c.x - a.x);
    };
    const Vec3 a = axis_.At(-axis_.half), b = axis_.At(axis_.half);
    return (turn(a, b, from) < 0.0f) != (turn(a, b, to) < 0.0f) &&
           (turn(from, to, a) < 0.0f) != (turn(from, to, b) < 0.0f);
  }

  // distance: of the segment from the point of the ground, along the normal.
  void Add(Vec3 ground, Vec3 normal, float distance, std::uint32_t feature) {
    const float separation = distance - radius_;
    candidates_.Add({placed_.position + (ground + normal * (0.5f * separation)), normal, separation,
                     kBetween | feature});
  }

  const Placed& placed_;
  const HeightField& field_;
  const Segment axis_;  // in the field's frame
  const float radius_;
  const float margin_;
  Candidates candidates_;
};

}  // namespace

void CollideFieldCapsule(const Placed& field, const Placed& capsule, float margin,
                         Manifold& manifold) {
  CapsuleOnField(field, capsule, margin).Collide(manifold);
}

}  // namespace nowait
