// Meshes for tests, and what they are by definition: all triangles, one by one.
#ifndef NOWAIT_TESTS_COLLISION_MESHES_H_
#define NOWAIT_TESTS_COLLISION_MESHES_H_

#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "src/collision/triangle_mesh.h"
#include "src/math/random.h"

namespace nowait::test {

struct MeshData {
  std::vector<Vec3> vertices;
  std::vector<std::uint32_t> indices;

  void AddTriangle(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    indices.insert(indices.end(), {a, b, c});
  }
  std::size_t triangles() const { return indices.size() / 3; }
  std::array<Vec3, 3> PlacesOf(std::size_t triangle) const {
    return {vertices[indices[3 * triangle]], vertices[indices[3 * triangle + 1]],
            vertices[indices[3 * triangle + 2]]};
  }
};

inline std::unique_ptr<const TriangleMesh> MeshOf(const MeshData& data) {
  auto mesh = TriangleMesh::Create({.vertices = data.vertices, .indices = data.indices});
  if (!mesh) FAIL(ToString(mesh.error()));
  return std::move(*mesh);
}

// Cells of `spacing` metres around the origin, its front upwards; each vertex up or down by at most
// `bumps`.
inline MeshData Sheet(std::uint32_t cells, float spacing, float bumps = 0.0f,
                      std::uint64_t seed = 1) {
  Random random(seed);
  MeshData data;
  const float corner = -0.5f * spacing * static_cast<float>(cells);
  for (std::uint32_t k = 0; k <= cells; ++k) {
    for (std::uint32_t i = 0; i <= cells; ++i) {
      data.vertices.push_back({corner + spacing * static_cast<float>(i),
                               random.Between(-bumps, bumps),
                               corner + spacing * static_cast<float>(k)});
    }
  }
  const std::uint32_t row = cells + 1;
  for (std::uint32_t k = 0; k < cells; ++k) {
    for (std::uint32_t i = 0; i < cells; ++i) {
      const std::uint32_t at = k * row + i;
      data.AddTriangle(at, at + row, at + row + 1);
      data.AddTriangle(at, at + row + 1, at + 1);
    }
  }
  return data;
}

// A closed box, its fronts outwards.
inline MeshData BoxMesh(Vec3 half) {
  MeshData data;
  for (int i = 0; i < 8; ++i) {
    data.vertices.push_back(
        {i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z});
  }
  constexpr std::array<std::array<std::uint32_t, 4>, 6> kFaces = {
      {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}}};
  for (const auto& face : kFaces) {
    data.AddTriangle(face[0], face[1], face[2]);
    data.AddTriangle(face[0], face[2], face[3]);
  }
  return data;
}

// Triangles anywhere in a cube of two metres, without order: they cross each other.
inline MeshData Soup(std::uint32_t triangles, float size, std::uint64_t seed) {
  Random random(seed);
  MeshData data;
  for (std::uint32_t i = 0; i < triangles; ++i) {
    const Vec3 at = random.InBox({-1, -1, -1}, {1, 1, 1});
    for (int corner = 0; corner < 3; ++corner) {
      data.vertices.push_back(at + random.Direction() * random.Between(0.1f * size, size));
    }
    data.AddTriangle(3 * i, 3 * i + 1, 3 * i + 2);
  }
  return data;
}

}  // namespace nowait::test

#endif  // NOWAIT_TESTS_COLLISION_MESHES_H_
