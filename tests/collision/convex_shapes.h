// Convex shapes for tests, drawn at random, and what they are by definition.
#ifndef NOWAIT_TESTS_COLLISION_CONVEX_SHAPES_H_
#define NOWAIT_TESTS_COLLISION_CONVEX_SHAPES_H_

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "src/collision/convex_hull.h"
#include "src/collision/placed.h"
#include "src/math/double3.h"
#include "src/math/random.h"

namespace nowait::test {

inline constexpr std::array kConvex = {ShapeKind::kSphere, ShapeKind::kCapsule, ShapeKind::kBox,
                                       ShapeKind::kCylinder, ShapeKind::kHull};

inline std::unique_ptr<const ConvexHull> HullOf(std::span<const Vec3> points) {
  auto hull = ConvexHull::Create({.points = points});
  if (!hull) FAIL(ToString(hull.error()));
  return std::move(*hull);
}

inline std::vector<Vec3> CornersOfBox(Vec3 half) {
  std::vector<Vec3> corners;
  for (int i = 0; i < 8; ++i) {
    corners.push_back(
        {i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z});
  }
  return corners;
}

// Shapes, and the hulls that they are made from.
class Shapes {
 public:
  // scale: of its sizes.
  Shape Draw(ShapeKind kind, Random& random, float scale = 1.0f) {
    const Vec3 size = random.InBox({0.2f, 0.2f, 0.2f}, {1, 1, 1}) * scale;
    switch (kind) {
      case ShapeKind::kSphere:
        return Shape::Sphere(size.x);
      case ShapeKind::kCapsule:
        return Shape::Capsule(size.x, size.y);
      case ShapeKind::kCylinder:
        return Shape::Cylinder(size.x, size.y);
      case ShapeKind::kHull: {
        std::vector<Vec3> points;
        const std::uint32_t count = 5 + random.Below(30);
        while (points.size() < count) {
          const Vec3 n = random.Direction();
          points.push_back({n.x * size.x, n.y * size.y, n.z * size.z});
        }
        return Keep(HullOf(points));
      }
      default:
        return Shape::Box(size);
    }
  }

  Shape Keep(std::unique_ptr<const ConvexHull> hull) {
    hulls_.push_back(std::move(hull));
    return Shape::Hull(hulls_.back().get());
  }

  Shape BoxAsHull(Vec3 half) { return Keep(HullOf(CornersOfBox(half))); }

 private:
  std::vector<std::unique_ptr<const ConvexHull>> hulls_;
};

// The furthest coordinate of the shape along `n`.
inline double Reach(const Placed& placed, const Vec3& n) {
  const Shape& shape = *placed.shape;
  const Double3 local = ToDouble(TransposeTimes(placed.rotation, n));
  const double middle = Dot(placed.position, n);
  switch (shape.kind) {
    case ShapeKind::kHull: {
      double most = -1e30;
      for (const Vec3& vertex : shape.hull->vertices()) {
        most = std::max(most, Dot(ToDouble(vertex), local));
      }
      return middle + most;
    }
    case ShapeKind::kCylinder:
      return middle + shape.half_height * std::abs(local.y) +
             shape.radius * std::sqrt(local.x * local.x + local.z * local.z);
    default:
      return middle + shape.radius + shape.half_height * std::abs(local.y) +
             Dot(Double3{std::abs(local.x), std::abs(local.y), std::abs(local.z)},
                 ToDouble(shape.half));
  }
}
// How far b is beyond a along `n`.
inline double Gap(const Placed& a, const Placed& b, const Vec3& n) {
  return -Reach(b, -n) - Reach(a, n);
}

// How far a point is outside of a shape; negative: inside, by the nearest face. Outside of a hull,
// by the plane that it is furthest above, which is less than the distance beside edges.
inline float OutsideOf(const Placed& placed, Vec3 point) {
  const Shape& shape = *placed.shape;
  Vec3 local = placed.ToLocal(point);
  switch (shape.kind) {
    case ShapeKind::kBox: {
      const Vec3 beyond = Abs(local) - shape.half;
      const float inside = std::min(std::max({beyond.x, beyond.y, beyond.z}), 0.0f);
      return Length(Max(beyond, {})) + inside;
    }
    case ShapeKind::kCylinder: {
      const float above = std::abs(local.y) - shape.half_height;
      const float beside = std::sqrt(local.x * local.x + local.z * local.z) - shape.radius;
      const float inside = std::min(std::max(above, beside), 0.0f);
      return Length(Max({above, beside, 0.0f}, {})) + inside;
    }
    case ShapeKind::kHull: {
      float most = -1e30f;
      for (const HullPlane& plane : shape.hull->planes()) {
        most = std::max(most, Dot(plane.normal, local) - plane.offset);
      }
      return most;
    }
    default:
      local.y -= std::clamp(local.y, -shape.half_height, shape.half_height);
      return Length(local) - shape.radius;
  }
}

}  // namespace nowait::test

#endif  // NOWAIT_TESTS_COLLISION_CONVEX_SHAPES_H_
