#include "src/collision/closest_points.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "src/base/assert.h"
#include "src/collision/core_distance.h"
#include "src/collision/field_cells.h"
#include "src/collision/height_field.h"
#include "src/collision/shape_geometry.h"

namespace nowait {
namespace {

ClosestPoints ToWorld(const CoreDistance& of, Vec3 origin) {
  return {static_cast<float>(of.distance), origin + ToFloat(of.on_a), origin + ToFloat(of.on_b),
          ToFloat(of.normal)};
}

// The deepest point of a shape in the ground, if it is in it.
std::optional<ClosestPoints> InGround(const Placed& shape, const Placed& ground) {
  Manifold manifold;
  Collide(shape, ground, 0.0f, manifold);
  const ContactPoint* deepest = nullptr;
  for (const ContactPoint& point : manifold.points()) {
    if (deepest == nullptr || point.separation < deepest->separation) deepest = &point;
  }
  if (deepest == nullptr) return std::nullopt;
  const Vec3 half = deepest->normal * (0.5f * deepest->separation);
  return ClosestPoints{deepest->separation, deepest->position - half, deepest->position + half,
                       deepest->normal};
}

// How far an axis-aligned box is from a part of the ground, which goes down without end.
float Between(const Bounds<3>& box, const GroundPart& part) {
  const Vec3 apart{std::max(part.min_x - box.max[0], box.min[0] - part.max_x),
                   box.min[1] - part.top,
                   std::max(part.min_z - box.max[2], box.min[2] - part.max_z)};
  return Length(Max(apart, {}));
}

std::optional<ClosestPoints> OverGround(const Placed& shape, const Placed& ground,
                                        float max_distance) {
  const HeightField& field = *ground.shape->height_field;
  const Core core(shape, shape.position);
  const Bounds<3> box = BoundsIn(*shape.shape, shape.position - ground.position, shape.rotation);
  std::optional<CoreDistance> best;
  // So that what is exactly so far away counts.
  float limit = std::nextafter(max_distance, std::numeric_limits<float>::max());
  ForEachCell(
      field, limit, [&](const GroundPart& part) { return Between(box, part); },
      [&](std::uint32_t i, std::uint32_t k) {
        for (std::uint32_t which = 0; which < 2; ++which) {
          const Core triangle = Core::OfTriangle(field.TriangleAt(i, k, which).vertices,
                                                 ground.position, shape.position);
          const CoreDistance of = DistanceOf(core, triangle);
          if (of.distance >= limit) continue;
          best = of;
          limit = static_cast<float>(of.distance);
        }
        return limit;
      });
  if (!best) return std::nullopt;
  return ToWorld(*best, shape.position);
}

}  // namespace

std::optional<ClosestPoints> FindClosestPoints(const Placed& a, const Placed& b,
                                               float max_distance) {
  NOWAIT_ASSERT(IsConvex(*a.shape), "the first shape is convex");
  if (!IsConvex(*b.shape)) {
    if (const auto inside = InGround(a, b)) return inside;
    return OverGround(a, b, max_distance);
  }
  const ClosestPoints points =
      ToWorld(DistanceOf(Core(a, a.position), Core(b, a.position)), a.position);
  if (points.distance > max_distance) return std::nullopt;
  return points;
}

}  // namespace nowait
