// Shape: a body's form as plain data. The operations on it are in src/collision.
#ifndef NOWAIT_SRC_BODIES_SHAPE_H_
#define NOWAIT_SRC_BODIES_SHAPE_H_

#include <cstddef>
#include <cstdint>

#include "src/math/vec3.h"

namespace nowait {

class CompoundShape;  // src/collision/compound_shape.h
class ConvexHull;     // src/collision/convex_hull.h
class HeightField;    // src/collision/height_field.h
class TriangleMesh;   // src/collision/triangle_mesh.h

enum class ShapeKind : std::uint8_t {
  kSphere,
  kCapsule,
  kBox,
  kHeightField,
  kCylinder,
  kHull,
  kMesh,
  kCompound,
  kPlane
};
inline constexpr std::size_t kShapeKinds = 9;

// Made by one of the functions below; checked when a body is created from it. All sizes in metres.
struct Shape {
  ShapeKind kind = ShapeKind::kSphere;
  float radius = 0.0f;       // of a sphere, a capsule or a cylinder
  float half_height = 0.0f;  // half the length of a capsule's segment or of a cylinder, along y
  Vec3 half = {};            // half the extents of a box
  Vec3 normal = {};          // of a plane: of length one, out of the solid
  float distance = 0.0f;     // of a plane: of its surface from the frame's origin, along the normal
  // Not owned, and shared by any number of bodies. They outlive the bodies that have them, and each
  // query that may have found one before it was removed, or got another shape
  // (src/streaming/retired_shapes.h).
  const HeightField* height_field = nullptr;
  const ConvexHull* hull = nullptr;
  const TriangleMesh* mesh = nullptr;
  const CompoundShape* compound = nullptr;

  friend bool operator==(const Shape&, const Shape&) = default;

  static Shape Sphere(float radius) { return {.kind = ShapeKind::kSphere, .radius = radius}; }
  // The points within `radius` of the segment from (0, -half_height, 0) to (0, half_height, 0).
  static Shape Capsule(float half_height, float radius) {
    return {.kind = ShapeKind::kCapsule, .radius = radius, .half_height = half_height};
  }
  static Shape Box(Vec3 half) { return {.kind = ShapeKind::kBox, .half = half}; }
  // Around the y axis, from -half_height to half_height.
  static Shape Cylinder(float half_height, float radius) {
    return {.kind = ShapeKind::kCylinder, .radius = radius, .half_height = half_height};
  }
  static Shape Hull(const ConvexHull* hull) { return {.kind = ShapeKind::kHull, .hull = hull}; }
  static Shape Ground(const HeightField* field) {
    return {.kind = ShapeKind::kHeightField, .height_field = field};
  }
  static Shape Mesh(const TriangleMesh* mesh) { return {.kind = ShapeKind::kMesh, .mesh = mesh}; }
  static Shape Compound(const CompoundShape* compound) {
    return {.kind = ShapeKind::kCompound, .compound = compound};
  }
  // The points with Dot(n, p) <= distance, where n is `normal`, made one metre long: a half-space,
  // without end (half_space.h). normal: of a length of 1e-11 .. 1e18; others may be refused.
  static Shape Plane(Vec3 normal, float distance) {
    return {.kind = ShapeKind::kPlane, .normal = NormaliseOr(normal, Vec3{}), .distance = distance};
  }
};

// Whether the shape names data that it does not own.
inline bool HasSharedData(const Shape& shape) {
  return shape.height_field != nullptr || shape.hull != nullptr || shape.mesh != nullptr ||
         shape.compound != nullptr;
}

// Whether only static bodies may have the shape: it is a surface, without a finite volume or a
// mass.
inline bool IsSurface(const Shape& shape) {
  return shape.kind == ShapeKind::kHeightField || shape.kind == ShapeKind::kMesh ||
         shape.kind == ShapeKind::kPlane;
}

// Whether the shape ends somewhere and the straight way between any two of its points lies in it.
// Such a shape has a core (src/collision/support.h).
inline bool IsConvex(const Shape& shape) {
  return !IsSurface(shape) && shape.kind != ShapeKind::kCompound;
}

}  // namespace nowait

#endif  // NOWAIT_SRC_BODIES_SHAPE_H_
