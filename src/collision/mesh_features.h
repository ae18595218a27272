// Whether a contact with an edge or a corner of a mesh is one.
//
// The closest point of one triangle may not be the closest of the surface: on a flat floor the
// triangle ahead of a sliding box has its nearest edge at the side of the box, and a contact there
// would point against the motion (a "ghost collision"). A point of an edge or a corner is a contact
// only if the surface leads away from the body there, in every triangle that has the point. These
// points are the local minima of the distance.
//
// Most points are decided by the marks of the edges (mesh_edges.h). The rest asks the tree for the
// triangles at the point. So the answer does not need the triangles beside each other to be known,
// and holds where edges meet in the middle of another one.
//
// Thread safety: pure functions; any thread. No allocation.
// Complexity: logarithmic in the triangles of the mesh, linear in those at the point.
// Source: [ericson2005], section 5.1 (Voronoi regions).
#ifndef NOWAIT_SRC_COLLISION_MESH_FEATURES_H_
#define NOWAIT_SRC_COLLISION_MESH_FEATURES_H_

#include "src/collision/triangle.h"
#include "src/collision/triangle_mesh.h"
#include "src/math/double3.h"
#include "src/math/vec3.h"

namespace nowait {

// In doubles: meshes have needles.
ClosestOnTriangle<Double3> FindClosest(const TriangleMesh::Triangle& triangle, Vec3 place);

// A direction nearer to the normal of a triangle than this (a cosine, 0.8 degrees) is that of its
// face, also where rounding has put the point on an edge.
inline constexpr float kOfFace = 0.9999f;

// point: on an edge or a corner of the triangle, within rounding. out: the direction of the body
// from there, of length one.
bool IsContact(const TriangleMesh& mesh, const TriangleMesh::Triangle& triangle, Vec3 point,
               Vec3 out);

// Whether a way along the surface leads from the point closer to a body in the direction `out`.
bool LeadsCloser(const TriangleMesh& mesh, Vec3 point, Vec3 out);

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_MESH_FEATURES_H_
