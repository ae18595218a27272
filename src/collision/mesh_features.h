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
// Thread safety: one thread. No allocation.
// Complexity: logarithmic in the triangles of the mesh, linear in those at the point.
// Source: [ericson2005], section 5.1 (Voronoi regions). Lecture: mesh contacts and inner edges.
#ifndef NOWAIT_SRC_COLLISION_MESH_FEATURES_H_
#define NOWAIT_SRC_COLLISION_MESH_FEATURES_H_

#include <optional>

#include "src/collision/triangle.h"
#include "src/collision/triangle_mesh.h"
#include "src/math/double3.h"
#include "src/math/vec3.h"

namespace nowait {

// In doubles: meshes have needles.
ClosestOnTriangle<Double3> FindClosest(const TriangleMesh::Triangle& triangle, Vec3 place);

// Asked by one shape about one mesh. Remembers the last answer: the triangles around a corner that
// a shape touches ask the same, and there may be thousands.
class MeshFeatures {
 public:
  explicit MeshFeatures(const TriangleMesh& mesh) : mesh_(mesh) {}

  // point: on an edge or a corner of the triangle, within rounding. out: the direction of the body
  // from there, of length one.
  bool IsContact(const TriangleMesh::Triangle& triangle, Vec3 point, Vec3 out);

  // Whether a way along the surface leads from the point closer to a body in the direction `out`.
  bool LeadsCloser(Vec3 point, Vec3 out);

 private:
  struct Answer {
    Vec3 point, out;
    bool leads_closer;
  };

  bool FindWayCloser(Vec3 point, Vec3 out) const;

  const TriangleMesh& mesh_;
  std::optional<Answer> last_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_MESH_FEATURES_H_
