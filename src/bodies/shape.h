// Shape: a body's form as plain data. The operations on it are in src/collision.
#ifndef NOWAIT_SRC_BODIES_SHAPE_H_
#define NOWAIT_SRC_BODIES_SHAPE_H_

#include <cstddef>
#include <cstdint>

#include "src/math/vec3.h"

namespace nowait {

class ConvexHull;   // src/collision/convex_hull.h
class HeightField;  // src/collision/height_field.h

enum class ShapeKind : std::uint8_t { kSphere, kCapsule, kBox, kHeightField, kCylinder, kHull };
inline constexpr std::size_t kShapeKinds = 6;

// Made by one of the functions below; checked when a body is created from it. All sizes in metres.
struct Shape {
  ShapeKind kind = ShapeKind::kSphere;
  float radius = 0.0f;       // of a sphere, a capsule or a cylinder
  float half_height = 0.0f;  // half the length of a capsule's segment or of a cylinder, along y
  Vec3 half;                 // half the extents of a box
  // Not owned, and shared by any number of bodies. They outlive the bodies, and each query that may
  // have found one before it was removed (src/streaming/retired_shapes.h).
  const HeightField* height_field = nullptr;
  const ConvexHull* hull = nullptr;

  friend bool operator==(const Shape&, const Shape&) = default;

  static Shape Sphere(float radius) {
    return {ShapeKind::kSphere, radius, 0.0f, {}, nullptr, nullptr};
  }
  // The points within `radius` of the segment from (0, -half_height, 0) to (0, half_height, 0).
  static Shape Capsule(float half_height, float radius) {
    return {ShapeKind::kCapsule, radius, half_height, {}, nullptr, nullptr};
  }
  static Shape Box(Vec3 half) { return {ShapeKind::kBox, 0.0f, 0.0f, half, nullptr, nullptr}; }
  // Around the y axis, from -half_height to half_height.
  static Shape Cylinder(float half_height, float radius) {
    return {ShapeKind::kCylinder, radius, half_height, {}, nullptr, nullptr};
  }
  static Shape Hull(const ConvexHull* hull) {
    return {ShapeKind::kHull, 0.0f, 0.0f, {}, nullptr, hull};
  }
  static Shape Ground(const HeightField* field) {
    return {ShapeKind::kHeightField, 0.0f, 0.0f, {}, field, nullptr};
  }
};

}  // namespace nowait

#endif  // NOWAIT_SRC_BODIES_SHAPE_H_
