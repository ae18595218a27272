// How meshes are built: what is refused, what is kept, the marks of the edges and the tree.
#include "src/collision/triangle_mesh.h"

#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <limits>
#include <set>
#include <string_view>
#include <tuple>
#include <vector>

#include "tests/collision/meshes.h"

namespace nowait {
namespace {

using test::BoxMesh;
using test::MeshData;
using test::MeshOf;
using test::Sheet;
using test::Soup;

const std::vector<Vec3> kSquare = {{0, 0, 0}, {0, 0, 1}, {1, 0, 1}, {1, 0, 0}};

Error Refused(const std::vector<Vec3>& vertices, const std::vector<std::uint32_t>& indices) {
  const auto mesh = TriangleMesh::Create({.vertices = vertices, .indices = indices});
  REQUIRE(!mesh);
  return mesh.error();
}

TEST_CASE("a mesh that cannot be built is refused with the list and the element") {
  const auto is = [](const Error& error, ErrorCode code, std::string_view subject,
                     std::int64_t amount) {
    CAPTURE(ToString(error), error.amount);
    CHECK(error.code == code);
    CHECK(std::string_view(error.subject) == subject);
    CHECK(error.amount == amount);
  };
  using enum ErrorCode;
  is(Refused(kSquare, {}), kInvalidArgument, "mesh indices", 0);
  is(Refused(kSquare, {0, 1, 2, 3}), kInvalidArgument, "mesh indices", 4);
  is(Refused(kSquare, {0, 1, 2, 0, 2, 4}), kInvalidArgument, "mesh index", 5);
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(),
                          std::numeric_limits<float>::infinity(), 1.1e4f, -1.1e4f}) {
    for (int axis = 0; axis < 3; ++axis) {
      std::vector<Vec3> vertices = kSquare;
      vertices[3].Set(axis, bad);  // also where no triangle has the vertex
      is(Refused(vertices, {0, 1, 2}), kInvalidArgument, "mesh vertex", 3);
    }
  }
  is(Refused(kSquare, {0, 1, 1, 2, 2, 2}), kInvalidArgument, "mesh triangles", 2);
  is(Refused(kSquare, std::vector<std::uint32_t>(3 * (TriangleMesh::kMaxTriangles + 1u), 0u)),
     kCapacity, "mesh triangles", TriangleMesh::kMaxTriangles);
}

TEST_CASE("more vertices than a mesh can have are refused, and unused ones do not count") {
  MeshData data;
  constexpr std::uint32_t kRow = 1024, kVertices = TriangleMesh::kMaxVertices + 2 * kRow;
  for (std::uint32_t i = 0; i < kVertices; ++i) {
    data.vertices.push_back({static_cast<float>(i % kRow), 0, static_cast<float>(i / kRow)});
  }
  for (std::uint32_t i = 0; i + kRow < kVertices; i += 2) data.AddTriangle(i, i + 1, i + kRow);
  const auto mesh = TriangleMesh::Create({data.vertices, data.indices});
  REQUIRE(!mesh);
  CHECK(mesh.error().code == ErrorCode::kCapacity);
  CHECK(std::string_view(mesh.error().subject) == "mesh vertices");
  data.indices.resize(3);
  CHECK(MeshOf(data)->vertices() == 3);
}

TEST_CASE("triangles without area are left out and counted, and equal places are one vertex") {
  MeshData data;
  data.vertices = {{0, 0, 0}, {0, 0, 1}, {1, 0, 1},      {0, 0, 0},
                   {1, 0, 1}, {1, 0, 0}, {0.5f, 0, 0.5f}};
  data.AddTriangle(0, 1, 2);
  data.AddTriangle(3, 4, 5);
  data.AddTriangle(0, 6, 2);  // along the diagonal
  data.AddTriangle(0, 3, 1);  // two corners at one place
  const auto mesh = MeshOf(data);
  CHECK(mesh->triangles() == 2);
  CHECK(mesh->dropped() == 2);
  CHECK(mesh->vertices() == 4);
  // The diagonal is one edge of both, and level.
  for (std::uint32_t id = 0; id < 2; ++id) {
    const auto triangle = mesh->TriangleAt(id);
    CHECK(triangle.normal == Vec3{0, 1, 0});
    CHECK(std::popcount(triangle.edges) == 2);
  }
}

// The active edges of all triangles, each counted once for each triangle.
int ActiveEdgesOf(const TriangleMesh& mesh) {
  int active = 0;
  for (std::uint32_t id = 0; id < mesh.triangles(); ++id) {
    active += std::popcount(mesh.TriangleAt(id).edges);
  }
  return active;
}

TEST_CASE("an edge is active where a body can touch it alone") {
  // Of a flat sheet the border; of a box the twelve edges, each with two triangles, but none of the
  // six diagonals.
  CHECK(ActiveEdgesOf(*MeshOf(Sheet(5, 1.0f))) == 20);
  CHECK(ActiveEdgesOf(*MeshOf(BoxMesh({1, 2, 3}))) == 24);
  // Seen from inside the edges of a box are valleys.
  MeshData room = BoxMesh({1, 2, 3});
  for (std::size_t i = 0; i < room.indices.size(); i += 3) {
    std::swap(room.indices[i], room.indices[i + 1]);
  }
  CHECK(ActiveEdgesOf(*MeshOf(room)) == 0);
  // Two triangles far longer than wide: a bend along their common edge is one, however long it is.
  for (const float length : {1.0f, 100.0f, 9000.0f}) {
    MeshData ridge;
    ridge.vertices = {{0, 0, 0}, {length, 0, 0}, {length, -0.01f, 0.3f}, {0, -0.01f, -0.3f}};
    ridge.AddTriangle(0, 2, 1);
    ridge.AddTriangle(0, 1, 3);
    CHECK(ActiveEdgesOf(*MeshOf(ridge)) == 6);
    ridge.vertices[2].y = ridge.vertices[3].y = 0.01f;  // a valley
    CHECK(ActiveEdgesOf(*MeshOf(ridge)) == 4);
  }
  // Three triangles at an edge, and two that disagree about the front.
  MeshData fan;
  fan.vertices = {{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}};
  fan.AddTriangle(0, 1, 2);
  fan.AddTriangle(1, 0, 3);
  CHECK(ActiveEdgesOf(*MeshOf(fan)) == 4);
  fan.AddTriangle(0, 1, 4);
  CHECK(ActiveEdgesOf(*MeshOf(fan)) == 9);
  MeshData twisted;
  twisted.vertices = fan.vertices;
  twisted.AddTriangle(0, 1, 2);
  twisted.AddTriangle(0, 1, 3);
  CHECK(ActiveEdgesOf(*MeshOf(twisted)) == 6);
}

TEST_CASE("a box finds the triangles whose boxes overlap it, each once, in the order of the tree") {
  for (const std::uint32_t count : {1u, 2u, 7u, 8u, 9u, 60u, 3000u}) {
    const MeshData data = Soup(count, 0.3f, count);
    const auto mesh = MeshOf(data);
    REQUIRE(mesh->triangles() == count);
    Random random(72);
    for (int round = 0; round < 200; ++round) {
      const Vec3 middle = random.InBox({-1.4f, -1.4f, -1.4f}, {1.4f, 1.4f, 1.4f});
      const Vec3 half = random.InBox({0, 0, 0}, {0.5f, 0.5f, 0.5f});
      const Bounds<3> box = ToBounds(middle - half, middle + half);
      std::vector<std::uint32_t> found, expected;
      mesh->VisitTriangles(box, [&](const auto& triangle) { found.push_back(triangle.id); });
      for (std::uint32_t id = 0; id < count; ++id) {
        const auto [a, b, c] = mesh->PlacesOf(id);
        if (Overlaps(box, ToBounds(Min(Min(a, b), c), Max(Max(a, b), c)))) expected.push_back(id);
      }
      CAPTURE(count, round);
      CHECK(std::ranges::is_sorted(found));
      CHECK(found == expected);
    }
  }
}

TEST_CASE("a mesh keeps all triangles with their corners in turn, in another order") {
  const MeshData data = Soup(500, 0.3f, 5);
  const auto mesh = MeshOf(data);
  const auto key = [](std::array<Vec3, 3> places) {
    const auto least = std::ranges::min_element(
        places, {}, [](const Vec3& v) { return std::tuple(v.x, v.y, v.z); });
    std::ranges::rotate(places, least);
    std::vector<float> numbers;
    for (const Vec3& place : places) numbers.insert(numbers.end(), {place.x, place.y, place.z});
    return numbers;
  };
  std::multiset<std::vector<float>> given, kept;
  for (std::size_t i = 0; i < data.triangles(); ++i) given.insert(key(data.PlacesOf(i)));
  for (std::uint32_t id = 0; id < mesh->triangles(); ++id) kept.insert(key(mesh->PlacesOf(id)));
  CHECK(given == kept);
}

TEST_CASE("triangles that all have one middle still make a tree of bounded depth") {
  MeshData data;
  Random random(73);
  for (std::uint32_t i = 0; i < 5000; ++i) {
    const Vec3 way = random.Direction(), across = random.Direction();
    data.vertices.insert(data.vertices.end(), {way, -way, across});
    data.AddTriangle(3 * i, 3 * i + 1, 3 * i + 2);
  }
  const auto mesh = MeshOf(data);
  std::uint32_t visited = 0;
  mesh->VisitTriangles(ToBounds({-1, -1, -1}, {1, 1, 1}), [&](const auto&) { ++visited; });
  CHECK(visited == mesh->triangles());
}

TEST_CASE("a triangle needs no more memory than the header says") {
  const auto mesh = MeshOf(Sheet(300, 1.0f, 0.2f));
  const double each = static_cast<double>(mesh->bytes()) / mesh->triangles();
  CAPTURE(each);
  // Eight, six for the half vertex that each triangle has, and the tree.
  CHECK(each < 8.0 + 6.1 + 10.0);
}

}  // namespace
}  // namespace nowait
