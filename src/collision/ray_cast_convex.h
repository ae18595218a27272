// Rays against cylinders and convex hulls, in the shape's frame.
//
// Both are intersections: of half spaces, and of an infinite cylinder and a slab. The ray is in
// each of them along one interval, and in the shape where all intervals overlap.
//
// Thread safety: pure functions; any thread. No allocation.
// Complexity: constant time; for a hull, linear in its faces.
//
// Source: [ericson2005], sections 5.3.7 and 5.3.8.
#ifndef NOWAIT_SRC_COLLISION_RAY_CAST_CONVEX_H_
#define NOWAIT_SRC_COLLISION_RAY_CAST_CONVEX_H_

#include <optional>

#include "src/collision/convex_hull.h"
#include "src/collision/ray_cast.h"
#include "src/math/vec3.h"

namespace nowait {

bool IsInCylinder(Vec3 point, float half_height, float radius);
bool IsInHull(Vec3 point, const ConvexHull& hull);

// As CastAgainstShape.
std::optional<ShapeHit> CastAgainstCylinder(const RayCast& ray, float max_fraction,
                                            float half_height, float radius);
std::optional<ShapeHit> CastAgainstHull(const RayCast& ray, float max_fraction,
                                        const ConvexHull& hull);

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_RAY_CAST_CONVEX_H_
