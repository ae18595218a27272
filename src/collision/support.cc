#include "src/collision/support.h"

#include <algorithm>
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
    case ShapeKind::kCompound:
    case ShapeKind::kPlane:
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

Core Core::OfPoint(Vec3 point, Vec3 origin) {
  Core core;
  core.middle_ = ToDouble(point) - ToDouble(origin);
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
    const Double3 vertex = ToDouble(hull_->vertices()[hull_->SupportOf(local)]) * hull_scale_;
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

bool Core::IsPoint() const {
  return !is_triangle_ && hull_ == nullptr && ring_ == 0.0 && half_ == Double3{};
}

std::optional<WayOut> Core::WayOutOf(const Core& point) const {
  if (!(ring_ > 0.0) || !point.IsPoint()) return std::nullopt;
  const Double3 from = point.middle_ - middle_;
  const double x = Dot(from, axes_[0]), y = Dot(from, axes_[1]), z = Dot(from, axes_[2]);
  const double beside = std::sqrt(x * x + z * z);
  Double3 out = axes_[0];  // on the axis every way to the side is as long
  if (half_.y - std::abs(y) < ring_ - beside) {
    out = y < 0.0 ? -axes_[1] : axes_[1];
  } else if (beside > 0.0) {
    out = axes_[0] * x + axes_[2] * z;
  }
  out = out * (1.0 / Length(out));  // the axes are rounded
  return WayOut{std::max(Dot(out, Support(out) - point.middle_), 0.0), out};
}

// Boxes, discs and radii lose `by` on each side. A hull shrinks towards its centre: it is the sum
// of the hull scaled by s and by 1 - s, and the latter contains a ball of (1 - s) times the inner
// radius.
Core Core::Shrunk(double by, double inner_radius) const {
  Core shrunk = *this;
  const auto less = [&](double size) { return std::max(size - by, 0.0); };
  if (hull_ != nullptr) {
    shrunk.hull_scale_ = std::max(1.0 - by / inner_radius, 0.0);
  } else if (ring_ > 0.0) {
    shrunk.half_.y = less(half_.y);
    shrunk.ring_ = less(ring_);
  } else if (radius_ > 0.0) {
    shrunk.radius_ = less(radius_);
  } else {
    shrunk.half_ = {less(half_.x), less(half_.y), less(half_.z)};
  }
  return shrunk;
}

Core Core::Moved(const Double3& by) const {
  Core moved = *this;
  moved.middle_ = middle_ + by;
  return moved;
}

}  // namespace nowait
