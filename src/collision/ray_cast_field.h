// A ray against a height field: walks the cells below the ray, nearest first.
#ifndef NOWAIT_SRC_COLLISION_RAY_CAST_FIELD_H_
#define NOWAIT_SRC_COLLISION_RAY_CAST_FIELD_H_

#include <optional>

#include "src/collision/height_field.h"
#include "src/collision/ray_cast.h"

namespace nowait {

// ray: in the field's frame. Otherwise as CastAgainstShape.
std::optional<ShapeHit> CastAgainstField(const RayCast& ray, float max_fraction,
                                         const HeightField& field);

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_RAY_CAST_FIELD_H_
