// RayCast and RayHit: a segment and where it first meets a shape.
#ifndef NOWAIT_SRC_COLLISION_RAY_CAST_H_
#define NOWAIT_SRC_COLLISION_RAY_CAST_H_

#include <cstdint>
#include <optional>

#include "src/bodies/shape.h"
#include "src/math/quat.h"
#include "src/math/vec3.h"

namespace nowait {

// From `origin` to `origin + translation`.
struct RayCast {
  Vec3 origin;
  Vec3 translation;
};

// Where the surface was met from outside: at origin + fraction * translation. A ray that starts
// inside a solid shape meets it at fraction zero, with the normal against the ray; (0, 1, 0) where
// the ray is too short to have a direction, less than 1e-12 metres.
struct ShapeHit {
  float fraction = 1.0f;
  Vec3 normal;
  std::uint32_t child = 0;    // of a compound: the number of the child that was met
  std::uint8_t material = 0;  // of a mesh or a height field: the number (surface_materials.h)
};

// Whether `point` lies in the shape; on the surface counts. Of a height field only the space below
// its surface is inside, of a plane that behind it; a mesh is a surface and has no inside.
bool IsInside(Vec3 point, const Shape& shape, Vec3 position, Quat rotation);

// Of a compound, the number of a child that `point` lies in; otherwise, and where it is in no
// child, zero.
std::uint32_t ChildAt(Vec3 point, const Shape& shape, Vec3 position, Quat rotation);

// Likewise, of a height field the number of the material above or below `point`.
std::uint8_t MaterialAt(Vec3 point, const Shape& shape, Vec3 position);

// The first hit of `ray` with a shape at (position, rotation), at a fraction of at most
// `max_fraction`. A ray without length hits the shape that it starts in. ray: finite, of any size;
// one that is long or begins far away is followed as far_ray.h says.
std::optional<ShapeHit> CastAgainstShape(const RayCast& ray, float max_fraction, const Shape& shape,
                                         Vec3 position, Quat rotation);

// Likewise, and the ray is followed in floats however long it is: FarRay has cut it to a part near
// the shape, which may be longer than 10 km where the shape is.
std::optional<ShapeHit> CastInFloats(const RayCast& ray, float max_fraction, const Shape& shape,
                                     Vec3 position, Quat rotation);

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_RAY_CAST_H_
