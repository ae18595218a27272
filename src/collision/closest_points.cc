#include "src/collision/closest_points.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "src/base/assert.h"
#include "src/collision/compound_shape.h"
#include "src/collision/core_distance.h"
#include "src/collision/field_cells.h"
#include "src/collision/half_space.h"
#include "src/collision/height_field.h"
#include "src/collision/in_frame.h"
#include "src/collision/shape_geometry.h"
#include "src/collision/triangle_mesh.h"

namespace nowait {
namespace {

ClosestPoints ToWorld(const CoreDistance& of, Vec3 origin) {
  return {static_cast<float>(of.distance), origin + ToFloat(of.on_a), origin + ToFloat(of.on_b),
          ToFloat(of.normal)};
}

// The deepest point of a shape in the ground or a mesh, if it is in it.
std::optional<ClosestPoints> InSurface(const Placed& shape, const Placed& ground) {
  Manifold manifold;
  Collide(shape, ground, 0.0f, manifold);
  const ContactPoint* deepest = nullptr;
  for (const ContactPoint& point : manifold.points()) {
    if (deepest == nullptr || point.separation < deepest->separation) deepest = &point;
  }
  if (deepest == nullptr) return std::nullopt;
  const Vec3 half = deepest->normal * (0.5f * deepest->separation);
  return ClosestPoints{
      deepest->separation, deepest->position - half, deepest->position + half, deepest->normal, 0,
      deepest->material};
}

// How far two axis-aligned boxes are apart.
float Between(const Bounds<3>& a, const Bounds<3>& b) {
  const Vec3 apart = Max(MinOf(b) - MaxOf(a), MinOf(a) - MaxOf(b));
  return Length(Max(apart, {}));
}

// So that what is exactly so far away counts.
float JustBeyond(float distance) {
  return std::nextafter(distance, std::numeric_limits<float>::max());
}

std::optional<ClosestPoints> OverGround(const Placed& shape, const Placed& ground,
                                        float max_distance) {
  const HeightField& field = *ground.shape->height_field;
  const Core core(shape, shape.position);
  const Bounds<3> box = BoundsIn(*shape.shape, shape.position - ground.position, shape.rotation);
  std::optional<CoreDistance> best;
  std::uint8_t material = 0;
  float limit = JustBeyond(max_distance);
  ForEachCell(
      field, limit, [&](const GroundPart& part) { return Between(box, part.box()); },
      [&](std::uint32_t i, std::uint32_t k) {
        for (std::uint32_t which = 0; which < 2; ++which) {
          const Core triangle = Core::OfTriangle(field.TriangleAt(i, k, which).vertices,
                                                 ground.position, shape.position);
          const CoreDistance of = DistanceOf(core, triangle);
          if (of.distance >= limit) continue;
          best = of;
          material = field.MaterialOf(i, k);
          limit = static_cast<float>(of.distance);
        }
        return limit;
      });
  if (!best) return std::nullopt;
  ClosestPoints points = ToWorld(*best, shape.position);
  points.material = material;
  return points;
}

std::optional<ClosestPoints> OverMesh(const Placed& shape, const Placed& placed,
                                      float max_distance) {
  const TriangleMesh& mesh = *placed.shape->mesh;
  const Placed seen = InFrameOf(placed, shape);
  const Core core(seen, {});
  const Bounds<3> box = BoundsIn(*shape.shape, seen.position, seen.rotation);
  std::optional<CoreDistance> best;
  std::uint8_t material = 0;
  float limit = JustBeyond(max_distance);
  mesh.tree().VisitLowest(
      limit, [&](const Bounds<3>& part) { return Between(box, part); },
      [&](std::uint32_t first, std::uint32_t count) {
        for (std::uint32_t id = first; id < first + count; ++id) {
          const CoreDistance of = DistanceOf(core, Core::OfTriangle(mesh.PlacesOf(id), {}, {}));
          if (of.distance >= limit) continue;
          best = of;
          material = mesh.materials().NumberOf(id);
          limit = static_cast<float>(of.distance);
        }
        return limit;
      });
  if (!best) return std::nullopt;
  return ClosestPoints{static_cast<float>(best->distance),
                       placed.ToWorld(ToFloat(best->on_a)),
                       placed.ToWorld(ToFloat(best->on_b)),
                       placed.rotation * ToFloat(best->normal),
                       0,
                       material};
}

std::optional<ClosestPoints> OverPlane(const Placed& shape, const Placed& plane,
                                       float max_distance) {
  const ClosestPoints points = ToWorld(
      DistanceOf(Core(shape, shape.position), HalfSpace(plane, shape.position)), shape.position);
  if (points.distance > max_distance) return std::nullopt;
  return points;
}

// Boxes that overlap are all looked at: in which child a shape is deepest, they do not say.
std::optional<ClosestPoints> OverChildren(const Placed& shape, const Placed& placed,
                                          float max_distance) {
  constexpr float kLookAt = std::numeric_limits<float>::lowest();
  const CompoundShape& compound = *placed.shape->compound;
  const Placed seen = InFrameOf(placed, shape);
  const Bounds<3> box = BoundsIn(*shape.shape, seen.position, seen.rotation);
  std::optional<ClosestPoints> best;
  float limit = JustBeyond(max_distance);
  compound.tree().VisitLowest(
      limit,
      [&](const Bounds<3>& part) { return Overlaps(box, part) ? kLookAt : Between(box, part); },
      [&](std::uint32_t first, std::uint32_t count) {
        for (std::uint32_t i = first; i < first + count; ++i) {
          const CompoundShape::Child& child = compound.children()[i];
          const auto points = FindClosestPoints(shape, PlacedChild(placed, child), limit);
          if (!points || !(points->distance < limit)) continue;
          best = points;
          best->child = child.number;
          limit = points->distance;
        }
        return limit;
      });
  return best;
}

}  // namespace

std::optional<ClosestPoints> FindClosestPoints(const Placed& a, const Placed& b,
                                               float max_distance) {
  NOWAIT_ASSERT(IsConvex(*a.shape), "the first shape is convex");
  if (b.shape->kind == ShapeKind::kCompound) return OverChildren(a, b, max_distance);
  if (b.shape->kind == ShapeKind::kPlane) return OverPlane(a, b, max_distance);
  if (!IsConvex(*b.shape)) {
    if (const auto inside = InSurface(a, b)) return inside;
    return b.shape->kind == ShapeKind::kMesh ? OverMesh(a, b, max_distance)
                                             : OverGround(a, b, max_distance);
  }
  const ClosestPoints points =
      ToWorld(DistanceOf(Core(a, a.position), Core(b, a.position)), a.position);
  if (points.distance > max_distance) return std::nullopt;
  return points;
}

}  // namespace nowait
