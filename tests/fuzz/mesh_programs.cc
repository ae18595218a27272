// Vertices and indices of any bits: refused with one line and an element, or a mesh that is whole
// and answers.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "src/collision/collide.h"
#include "src/collision/ray_cast.h"
#include "src/collision/triangle_mesh.h"
#include "tests/fuzz/promise.h"

namespace nowait {
namespace {

// Each triangle has an area, real corners and a normal, and a box around it finds it.
void CheckTriangles(const TriangleMesh& mesh) {
  for (std::uint32_t id = 0; id < mesh.triangles(); ++id) {
    for (const std::uint32_t corner : mesh.CornersOf(id)) {
      fuzz::Promise(corner < mesh.vertices(), "a corner is a vertex");
    }
    const auto triangle = mesh.TriangleAt(id);
    fuzz::Promise(std::abs(Length(triangle.normal) - 1.0f) < 1e-3f, "a normal has length one");
    bool found = false;
    const Vec3 corner = triangle.vertices[0];
    mesh.VisitTriangles(ToBounds(corner, corner),
                        [&](const auto& other) { found = found || other.id == id; });
    fuzz::Promise(found, "a corner of a triangle finds it");
  }
}

// A ray onto the middle of a triangle's front meets the mesh there or before.
void CheckRays(const TriangleMesh& mesh) {
  const Shape shape = Shape::Mesh(&mesh);
  for (std::uint32_t id = 0; id < mesh.triangles(); ++id) {
    const auto triangle = mesh.TriangleAt(id);
    const auto& [a, b, c] = triangle.vertices;
    // Of needles, the middle of a float is not surely on the triangle.
    const float longest =
        std::max({LengthSquared(b - a), LengthSquared(c - b), LengthSquared(a - c)});
    const float farthest = std::max({LengthSquared(a), LengthSquared(b), LengthSquared(c)});
    const float area = Length(Cross(b - a, c - a));
    if (area < 1e-2f * longest || longest < 1e-6f * farthest) continue;
    const Vec3 middle = (a + b + c) * (1.0f / 3.0f);
    const Vec3 way = triangle.normal * std::sqrt(longest);
    const auto hit = CastAgainstShape({middle + way, way * -2.0f}, 1.0f, shape, {}, {});
    fuzz::Promise(hit && hit->fraction <= 0.51f, "a ray meets a front");
  }
}

void CheckContacts(const TriangleMesh& mesh) {
  const Shape shape = Shape::Mesh(&mesh), ball = Shape::Sphere(1.0f), box = Shape::Box({1, 1, 1});
  const Placed placed(shape, {}, {});
  for (std::uint32_t vertex = 0; vertex < mesh.vertices(); ++vertex) {
    for (const Shape& other : {ball, box}) {
      Manifold manifold;
      Collide(placed, Placed(other, mesh.Vertex(vertex) + Vec3{0.1f, 0.8f, 0.2f}, {}), 0.02f,
              manifold);
      for (const ContactPoint& point : manifold.points()) {
        fuzz::Promise(IsFinite(point.position) && IsFinite(point.normal), "contacts are finite");
        fuzz::Promise(point.separation <= 0.0201f, "a contact is no farther than the margin");
      }
    }
  }
}

void Check(const TriangleMeshDef& def) {
  const auto mesh = TriangleMesh::Create(def);
  if (!mesh) {
    fuzz::PromiseOneLine(ToString(mesh.error()));
    fuzz::Promise(mesh.error().amount >= 0, "an error has an element or a count");
    return;
  }
  fuzz::Promise((*mesh)->triangles() + (*mesh)->dropped() == def.indices.size() / 3,
                "a triangle is kept or counted");
  CheckTriangles(**mesh);
  CheckRays(**mesh);
  CheckContacts(**mesh);
}

}  // namespace
}  // namespace nowait

// The first byte chooses: vertices as floats, or a byte a coordinate, on a lattice. The second is
// their number. A byte each is an index; 255 is one that is too large.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2 || size > 1024) return 0;
  const bool is_lattice = data[0] % 2 == 0;
  const std::size_t each = is_lattice ? 3 : sizeof(nowait::Vec3);
  std::vector<nowait::Vec3> vertices;
  std::size_t at = 2;
  for (; vertices.size() < data[1] && at + each <= size; at += each) {
    nowait::Vec3 vertex;
    if (is_lattice) {
      vertex = {static_cast<float>(data[at]), static_cast<float>(data[at + 1]),
                static_cast<float>(data[at + 2])};
    } else {
      std::memcpy(&vertex, data + at, sizeof vertex);
    }
    vertices.push_back(vertex);
  }
  std::vector<std::uint32_t> indices;
  for (; at < size; ++at) {
    const bool is_wild = data[at] == 255 || vertices.empty();
    indices.push_back(is_wild ? data[at] : data[at] % static_cast<std::uint32_t>(vertices.size()));
  }
  nowait::Check({.vertices = vertices, .indices = indices});
  return 0;
}
