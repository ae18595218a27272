#include "src/collision/shape_geometry.h"

#include "src/collision/height_field.h"

namespace nowait {
namespace {

constexpr float kPi = 3.14159265f;
constexpr float kMinSize = 1e-3f;
constexpr float kMaxSize = 1e4f;

bool InRange(float size) { return size >= kMinSize && size <= kMaxSize; }  // false for NaN

}  // namespace

Bounds<3> BoundsOf(const Shape& shape, Vec3 position, Quat rotation) {
  switch (shape.kind) {
    case ShapeKind::kSphere: {
      const Vec3 half{shape.radius, shape.radius, shape.radius};
      return ToBounds(position - half, position + half);
    }
    case ShapeKind::kBox: {
      const Vec3 half = BoxHalfExtents(ToMatrix(rotation), shape.half);
      return ToBounds(position - half, position + half);
    }
    case ShapeKind::kHeightField:
      break;
  }
  const HeightField& field = *shape.height_field;
  return ToBounds(position + Vec3{0.0f, field.min_height() - kGroundDepth, 0.0f},
                  position + Vec3{field.width(), field.max_height(), field.depth()});
}

MassProperties MassOf(const Shape& shape, float density) {
  if (shape.kind == ShapeKind::kSphere) {
    const float r = shape.radius;
    const float mass = density * (4.0f / 3.0f) * kPi * (r * r * r);
    const float inertia = 0.4f * mass * (r * r);
    return {mass, {inertia, inertia, inertia}};
  }
  const Vec3 h = shape.half;
  const float mass = density * 8.0f * (h.x * h.y * h.z);
  const float third = mass / 3.0f;
  return {mass,
          {third * (h.y * h.y + h.z * h.z), third * (h.x * h.x + h.z * h.z),
           third * (h.x * h.x + h.y * h.y)}};
}

Result<void> Validate(const Shape& shape) {
  switch (shape.kind) {
    case ShapeKind::kSphere:
      if (!InRange(shape.radius)) {
        return Fail(ErrorCode::kInvalidArgument, "radius", 0, "0.001 .. 10000 metres");
      }
      return {};
    case ShapeKind::kBox:
      if (!InRange(shape.half.x) || !InRange(shape.half.y) || !InRange(shape.half.z)) {
        return Fail(ErrorCode::kInvalidArgument, "half extents", 0, "0.001 .. 10000 metres");
      }
      return {};
    case ShapeKind::kHeightField:
      if (shape.height_field == nullptr) {
        return Fail(ErrorCode::kInvalidArgument, "height field", 0, "it is null");
      }
      return {};
  }
  return Fail(ErrorCode::kInvalidArgument, "shape kind");
}

}  // namespace nowait
