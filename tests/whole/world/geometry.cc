#include "tests/whole/world/geometry.h"

#include <cmath>
#include <variant>

#include "src/collision/compound_shape.h"
#include "src/collision/convex_hull.h"
#include "src/collision/shape_geometry.h"

namespace nowait::world_programs {
namespace {

// By how much a body's box in the tree is larger than the body, on each side (world_state.h).
constexpr float kTreeMargin = 0.1f;

// As far as a point of a body's shape may be from its middle.
float SizeOf(const Shape& shape) {
  if (shape.kind == ShapeKind::kHull) return shape.hull->radius();
  if (shape.kind == ShapeKind::kCompound) return shape.compound->radii().outer;
  return shape.radius + shape.half_height + Length(shape.half);
}

struct Extent {
  Vec3 low;
  Vec3 high;
};

Extent Of(const Bounds<3>& box) { return {MinOf(box), MaxOf(box)}; }
Extent Of(const Ball& ball) {
  const Vec3 all{ball.radius, ball.radius, ball.radius};
  return {ball.centre - all, ball.centre + all};
}
Extent Of(const OrientedBox& box) { return Of(Ball{box.centre, Length(box.half)}); }
Extent Of(const SweptBox& box) {
  const Vec3 end = box.centre + box.translation;
  return {Min(box.centre, end) - box.half, Max(box.centre, end) + box.half};
}
Extent Of(const RayCast& ray) {
  const Vec3 end = ray.origin + ray.translation;
  return {Min(ray.origin, end), Max(ray.origin, end)};
}
Extent ExtentOf(const QueryArea& area) {
  return std::visit([](const auto& kind) { return Of(kind); }, area);
}

Vec3 MiddleOf(const Bounds<3>& box) { return (MinOf(box) + MaxOf(box)) * 0.5f; }
Vec3 MiddleOf(const Ball& ball) { return ball.centre; }
Vec3 MiddleOf(const OrientedBox& box) { return box.centre; }
Vec3 MiddleOf(const SweptBox& box) { return box.centre; }
Vec3 MiddleOf(const RayCast& ray) { return ray.origin + ray.translation * 0.5f; }

}  // namespace

Bounds<3> BoxAround(const Shape& shape, const Put& put) {
  return BoundsOf(shape, put.position, put.rotation);
}

float DistanceTo(const Bounds<3>& box, Vec3 point) {
  const Vec3 nearest = Max(MinOf(box), Min(point, MaxOf(box)));
  return std::sqrt(LengthSquared(nearest - point));
}

Bounds<3> Widest(const QueryArea& area, BodyType type, const Shape& shape) {
  const Extent extent = ExtentOf(area);
  float more = 2.0f * kTreeMargin + 1e-3f;
  if (type == BodyType::kDynamic) more += 2.0f * SizeOf(shape);
  const Vec3 all{more, more, more};
  return ToBounds(extent.low - all, extent.high + all);
}

bool IsFiniteArea(const QueryArea& area) {
  const Extent extent = ExtentOf(area);
  return IsFinite(extent.low) && IsFinite(extent.high);
}

bool IsTouched(const QueryArea& area, const Bounds<3>& box) {
  if (const auto* const bounds = std::get_if<Bounds<3>>(&area)) {
    return bounds->IsUsable() && Overlaps(*bounds, box);
  }
  const Vec3 middle = std::visit([](const auto& kind) { return MiddleOf(kind); }, area);
  // A ray's middle is rounded: well inside, then.
  return DistanceTo(Bounds<3>(ToBounds(MinOf(box) + Vec3{1e-3f, 1e-3f, 1e-3f},
                                       MaxOf(box) - Vec3{1e-3f, 1e-3f, 1e-3f})),
                    middle) == 0.0f;
}

}  // namespace nowait::world_programs
