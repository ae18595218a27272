// Bounds, mass and validity of shapes.
//
// Thread safety: pure functions; any thread.
#ifndef NOWAIT_SRC_COLLISION_SHAPE_GEOMETRY_H_
#define NOWAIT_SRC_COLLISION_SHAPE_GEOMETRY_H_

#include "src/base/result.h"
#include "src/bodies/radii.h"
#include "src/bodies/shape.h"
#include "src/math/bounds.h"
#include "src/math/mat3.h"
#include "src/math/quat.h"
#include "src/math/vec3.h"

namespace nowait {

// Half the extents of the axis-aligned box around a rotated box.
inline Vec3 BoxHalfExtents(const Mat3& rotation, Vec3 half) {
  return (Abs(rotation.x) * half.x + Abs(rotation.y) * half.y) + Abs(rotation.z) * half.z;
}

// The axis-aligned box around the shape. The box of a height field reaches down to kGroundDepth, in
// practice without end, because the field is solid below. That of a mesh is the box around its own
// box; half_space.h has that of a plane. Linear in the vertices of a hull and the children of a
// compound.
inline constexpr float kGroundDepth = 1000.0f;
Bounds<3> BoundsOf(const Shape& shape, Vec3 position, Quat rotation);
Bounds<3> BoundsIn(const Shape& shape, Vec3 position, const Mat3& frame);

// Zero for a surface. Linear in the faces of a hull.
Radii RadiiOf(const Shape& shape);

struct MassProperties {
  float mass = 0.0f;
  Vec3 inertia;  // about the axes of the shape's frame, through its centre
};

// By closed form, for a hull by exact integration, for a compound by both, of a solid of one
// density in kilograms a cubic metre; nothing for a height field, a mesh and a plane, which do not
// move.
MassProperties MassOf(const Shape& shape, float density);

// kInvalidArgument, naming the wrong value: sizes must lie within 0.001 .. 10,000 metres; a height
// field, a hull, a mesh and a compound must not be null; the normal of a plane has a direction, and
// its distance is within 1e6 metres.
Result<void> Validate(const Shape& shape);

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_SHAPE_GEOMETRY_H_
