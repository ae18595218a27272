#include "src/collision/support.h"

#include <cmath>

#include "src/collision/convex_hull.h"

namespace nowait {
namespace {

Double3 HalfExtentsOf(const Shape& shape) {
  switch (shape.kind) {
    case ShapeKind::kCapsule:
    case ShapeKind::kCylinder:
      return {0.0, shape.half_height, 0.0};
    case ShapeKind::kBox:
      return ToDouble(shape.half);
    case ShapeKind::kSphere:
    case ShapeKind::kHull:
    case ShapeKind::kHeightField:
    case ShapeKind::kMesh:
      break;
  }
  return {};
}

}  // namespace

Core::Core(const Placed& shape, Vec3 origin)
    : middle_(ToDouble(shape.position) - ToDouble(origin)),
      axes_{ToDouble(shape.rotation.x), ToDouble(shape.rotation.y), ToDouble(shape.rotation.z)},
      half_(HalfExtentsOf(*shape.shape)),
      radius_(shape.shape->kind == ShapeKind::kCylinder ? 0.0 : double{shape.shape->radius}),
      ring_(shape.shape->kind == ShapeKind::kCylinder ? double{shape.shape->radius} : 0.0),
      hull_(shape.shape->kind == ShapeKind::kHull ? shape.shape->hull : nullptr) {}

Core Core::OfTriangle(const std::array<Vec3, 3>& vertices, Vec3 position, Vec3 origin) {
  Core core;
  core.is_triangle_ = true;
  core.middle_ = ToDouble(position) - ToDouble(origin);
  for (std::size_t i = 0; i < 3; ++i) core.vertices_[i] = ToDouble(vertices[i]);
  return core;
}

Double3 Core::Support(const Double3& direction) const {
  if (is_triangle_) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < 3; ++i) {
      if (Dot(direction, vertices_[i]) > Dot(direction, vertices_[best])) best = i;
    }
    return middle_ + vertices_[best];
  }
  if (hull_ != nullptr) {
    const Double3 local{Dot(direction, axes_[0]), Dot(direction, axes_[1]),
                        Dot(direction, axes_[2])};
    const Double3 vertex = ToDouble(hull_->vertices()[hull_->SupportOf(local)]);
    return middle_ + ((axes_[0] * vertex.x + axes_[1] * vertex.y) + axes_[2] * vertex.z);
  }
  const auto reach = [&](const Double3& axis, double half) {
    return axis * (Dot(direction, axis) < 0.0 ? -half : half);
  };
  if (ring_ > 0.0) {
    // In the disc's own directions: what a rounded axis leaves of the direction may lead out of it.
    const double x = Dot(direction, axes_[0]), z = Dot(direction, axes_[2]);
    const double length = std::sqrt(x * x + z * z);
    const Double3 end = middle_ + reach(axes_[1], half_.y);
    if (!(length > 0.0)) return end;  // along the axis every point of the disc is as far
    return end + (axes_[0] * (x / length) + axes_[2] * (z / length)) * ring_;
  }
  return middle_ +
         ((reach(axes_[0], half_.x) + reach(axes_[1], half_.y)) + reach(axes_[2], half_.z));
}

Core Core::Moved(const Double3& by) const {
  Core moved = *this;
  moved.middle_ = middle_ + by;
  return moved;
}

}  // namespace nowait
