// A ray against a compound: walks its tree, the nearest children first.
//
// Thread safety: pure functions; any thread. No allocation.
// Complexity: the children whose boxes the ray meets before its hit.
#ifndef NOWAIT_SRC_COLLISION_RAY_CAST_COMPOUND_H_
#define NOWAIT_SRC_COLLISION_RAY_CAST_COMPOUND_H_

#include <cstdint>
#include <optional>

#include "src/collision/compound_shape.h"
#include "src/collision/ray_cast.h"
#include "src/math/vec3.h"

namespace nowait {

// The child that a point of the compound's frame lies in, by its number; of several, the first one
// in the order of the tree.
std::optional<std::uint32_t> ChildAround(Vec3 point, const CompoundShape& compound);

// ray: in the compound's frame. As CastAgainstShape otherwise.
std::optional<ShapeHit> CastAgainstCompound(const RayCast& ray, float max_fraction,
                                            const CompoundShape& compound);

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_RAY_CAST_COMPOUND_H_
