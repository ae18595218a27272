// A ray against a triangle mesh: walks the tree, the nearest children first.
//
// Only the part of the ray beside the mesh is followed, and it is found in doubles: floats would
// lose a mesh of a metre on a ray of many kilometres.
//
// Thread safety: pure functions; any thread. No allocation.
// Source: slabs: [ericson2005], section 5.3.3; the triangle: T. Moeller, B. Trumbore, "Fast,
// Minimum Storage Ray/Triangle Intersection", 1997.
#ifndef NOWAIT_SRC_COLLISION_RAY_CAST_MESH_H_
#define NOWAIT_SRC_COLLISION_RAY_CAST_MESH_H_

#include <optional>

#include "src/collision/ray_cast.h"
#include "src/collision/triangle_mesh.h"

namespace nowait {

// ray: in the mesh's frame. It meets the fronts of triangles and passes through their backs.
// Otherwise as CastAgainstShape.
std::optional<ShapeHit> CastAgainstMesh(const RayCast& ray, float max_fraction,
                                        const TriangleMesh& mesh);

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_RAY_CAST_MESH_H_
