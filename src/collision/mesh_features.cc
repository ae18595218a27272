#include "src/collision/mesh_features.h"

#include <cstddef>

#include "src/collision/triangle.h"

namespace nowait {
namespace {

// A way that leads closer by less than this (the cosine) is level.
constexpr float kLevel = 1e-4f;

// Computations of one point, one by this module and one by GJK, may differ by some roundings.
constexpr float kSamePoint = 4.0f;

bool IsOnActiveEdge(const TriangleMesh::Triangle& triangle, Vec3 point, float same) {
  bool is_on_edge = false;
  for (std::size_t edge = 0; edge < 3; ++edge) {
    const Vec3 from = triangle.vertices[edge];
    const Vec3 outward =
        NormaliseOr(Cross(triangle.vertices[(edge + 1) % 3] - from, triangle.normal), {});
    if (Dot(outward, point - from) < -same) continue;
    if ((triangle.edges >> edge & 1u) != 0) return true;
    is_on_edge = true;
  }
  return !is_on_edge;  // where rounding has moved it inside, the triangles at the point decide
}

}  // namespace

bool LeadsCloser(const TriangleMesh& mesh, Vec3 point, Vec3 out) {
  const float same = kSamePoint * mesh.rounding();
  bool leads_closer = false;
  const Vec3 around{same, same, same};
  mesh.VisitTriangles(ToBounds(point - around, point + around), [&](const auto& triangle) {
    const Vec3 nearest = FindClosest(triangle.vertices, triangle.normal, point).point;
    if (LengthSquared(nearest - point) > same * same) return;
    for (const Vec3& vertex : triangle.vertices) {
      const Vec3 way = vertex - point;
      leads_closer = leads_closer || Dot(out, way) > kLevel * Length(way) + same;
    }
  });
  return leads_closer;
}

bool IsContact(const TriangleMesh& mesh, const TriangleMesh::Triangle& triangle, Vec3 point,
               Vec3 out) {
  if (Dot(out, triangle.normal) > kOfFace) return true;
  return IsOnActiveEdge(triangle, point, kSamePoint * mesh.rounding()) &&
         !LeadsCloser(mesh, point, out);
}

}  // namespace nowait
