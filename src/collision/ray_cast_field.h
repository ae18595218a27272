// A ray against a height field: walks the cells below the ray, nearest first.
#ifndef NOWAIT_SRC_COLLISION_RAY_CAST_FIELD_H_
#define NOWAIT_SRC_COLLISION_RAY_CAST_FIELD_H_

#include <optional>

#include "src/collision/height_field.h"
#include "src/collision/ray_cast.h"

namespace nowait {

// Whether `point` of the field's frame lies over the field's samples and below its surface.
bool IsBelowSurface(Vec3 point, const HeightField& field);

// ray: in the field's frame, its numbers within 1e15 metres. Otherwise as CastAgainstShape.
std::optional<ShapeHit> CastAgainstField(const RayCast& ray, float max_fraction,
                                         const HeightField& field);

// The same, but a ray that starts below the surface hits nothing on its way out: it leaves through
// the backs of triangles.
std::optional<ShapeHit> CastAgainstSurface(const RayCast& ray, float max_fraction,
                                           const HeightField& field);

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_RAY_CAST_FIELD_H_
