// Sphere against triangle mesh: the points of the surface to which the centre is locally closest.
//
// A face is one where the centre is over it. Of the points on edges and corners, mesh_features.h
// says which are contacts. Triangles that are seen from behind are left out.
//
// Bound: linear in the triangles that the sphere's box touches, and in those at each closest point.
//
// Source: [ericson2005], section 5.1.5. Lecture: mesh contacts and inner edges.
#include <cmath>

#include "src/collision/collide.h"
#include "src/collision/mesh_contacts.h"
#include "src/collision/mesh_edges.h"
#include "src/collision/mesh_features.h"
#include "src/collision/triangle_mesh.h"

namespace nowait {
namespace {

// The sine of an angle. A bend by less is level, and neither of its faces need have the centre over
// it. A larger angle would push a large sphere that rolls over a fine floor: ahead of it and behind
// it the floor's inner edges are nearly as close as the floor.
constexpr double kOver = 2.0 * kLevelEdge;

// out: from the triangle's closest point to the centre. Whether it is that of the face.
bool IsOver(const TriangleMesh::Triangle& triangle, const Double3& out) {
  const Double3 normal = ToDouble(triangle.normal);
  const Double3 aside = out - normal * Dot(normal, out);
  return LengthSquared(aside) <= kOver * kOver * LengthSquared(out);
}

}  // namespace

void CollideMeshSphere(const Placed& placed, const Placed& sphere, float margin,
                       Manifold& manifold) {
  const TriangleMesh& mesh = *placed.shape->mesh;
  const Vec3 centre = placed.ToLocal(sphere.position);
  const float radius = sphere.shape->radius, reach = radius + margin;
  const Vec3 around{reach, reach, reach};
  MeshContacts contacts(placed);
  MeshFeatures features(mesh);
  mesh.VisitTriangles(ToBounds(centre - around, centre + around), [&](const auto& triangle) {
    const float height = Dot(triangle.normal, centre - triangle.vertices[0]);
    if (height < 0.0f || height > reach) return;
    const auto closest = FindClosest(triangle, centre);
    const Vec3 out = ToFloat(ToDouble(centre) - closest.point);
    const float squared = LengthSquared(out);
    if (squared > reach * reach) return;
    const bool is_face = closest.part == TrianglePart::kFace;
    const Vec3 normal = is_face ? triangle.normal : NormaliseOr(out, triangle.normal);
    const float separation = std::sqrt(squared) - radius;
    const Vec3 position = centre - normal * (radius + 0.5f * separation);
    const auto corner =
        3 * static_cast<std::uint32_t>(closest.part) + static_cast<std::uint32_t>(closest.index);
    const ContactPoint point{position, normal, separation,
                             FeatureOf(MeshFeature::kClosest, triangle.id, corner)};
    if (contacts.IsThere(point)) return;
    if (is_face || IsOver(triangle, ToDouble(centre) - closest.point) ||
        features.IsContact(triangle, ToFloat(closest.point), normal)) {
      contacts.Add(point);
    }
  });
  contacts.ReduceInto(manifold);
}

}  // namespace nowait
