#include "src/streaming/object_scale.h"

#include <array>
#include <cmath>

#include "src/collision/convex_hull.h"
#include "src/collision/scaled_shape.h"

namespace nowait {
namespace {

constexpr const char* kSizes = "its shape would not be of 0.001 .. 128 m";

bool IsSize(float size) {
  return size >= PlacedObject::kLeastSize && size <= PlacedObject::kMostSize;
}

// For any rock of this radius: one of six points, which is no flatter than a rock usually is.
Result<Vec3> ScaledRock(Vec3 size, Vec3 factors) {
  const float r = size.x;
  const std::array<Vec3, 6> points = {
      {{r, 0, 0}, {-r, 0, 0}, {0, r, 0}, {0, -r, 0}, {0, 0, r}, {0, 0, -r}}};
  const auto rock = ConvexHull::Create({.points = points});
  if (!rock) return std::unexpected(rock.error());
  const auto scaled = Scaled(Shape::Hull(rock->get()), factors);
  if (!scaled) return std::unexpected(scaled.error());
  for (int axis = 0; axis < 3; ++axis) {
    if (!IsSize(r * std::abs(factors[axis]))) {
      return Fail(ErrorCode::kInvalidArgument, "scale", axis, kSizes);
    }
  }
  return size;
}

}  // namespace

Result<Vec3> ScaledSize(PlacedObject::Kind kind, Vec3 size, Vec3 factors) {
  if (factors == kNoScale) return size;
  Shape shape;
  switch (kind) {
    case PlacedObject::kSphere:
      shape = Shape::Sphere(size.x);
      break;
    case PlacedObject::kCapsule:
      shape = Shape::Capsule(size.y, size.x);
      break;
    case PlacedObject::kBox:
      shape = Shape::Box(size);
      break;
    case PlacedObject::kCylinder:
      shape = Shape::Cylinder(size.y, size.x);
      break;
    case PlacedObject::kHull:
      return ScaledRock(size, factors);
  }
  const auto scaled = Scaled(shape, factors);
  if (!scaled) return std::unexpected(scaled.error());
  const Shape& made = scaled->shape;
  Vec3 stretched = size;
  if (kind == PlacedObject::kBox) {
    stretched = made.half;
  } else {
    stretched.x = made.radius;
    if (kind != PlacedObject::kSphere) stretched.y = made.half_height;
  }
  const int sizes = kind == PlacedObject::kBox ? 3 : kind == PlacedObject::kSphere ? 1 : 2;
  for (int axis = 0; axis < sizes; ++axis) {
    if (!IsSize(stretched[axis])) {
      return Fail(ErrorCode::kInvalidArgument, "scale", axis, kSizes);
    }
  }
  return stretched;
}

}  // namespace nowait
