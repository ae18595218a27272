#include "src/apps/player/deck.h"

#include <cstdint>
#include <vector>

namespace nowait {
namespace {

constexpr std::uint32_t kColumns = 17, kRows = 10;  // of vertices, along x and z
constexpr float kStep = 1.0f;                       // metres between them
constexpr float kWest = -8.0f, kNorth = 0.5f;       // of the first one
constexpr float kAbove = 0.6f;                      // metres above the ground
constexpr float kFold = 0.3f;                       // metres; every other row is higher

}  // namespace

Result<std::unique_ptr<const TriangleMesh>> MakeDeck(const Ground& ground) {
  std::vector<Vec3> vertices;
  std::vector<std::uint32_t> indices;
  for (std::uint32_t row = 0; row < kRows; ++row) {
    const float z = kNorth + kStep * static_cast<float>(row);
    for (std::uint32_t column = 0; column < kColumns; ++column) {
      const float x = kWest + kStep * static_cast<float>(column);
      const float fold = row % 2 == 1 ? kFold : 0.0f;
      vertices.push_back({x, ground.HeightAt(x, z) + kAbove + fold, z});
      if (row == 0 || column == 0) continue;
      const std::uint32_t d = row * kColumns + column, c = d - 1, b = d - kColumns, a = b - 1;
      indices.insert(indices.end(), {a, c, b, b, c, d});  // fronts are above
    }
  }
  return TriangleMesh::Create({.vertices = vertices, .indices = indices});
}

}  // namespace nowait
