// GroundMaterial: what the cells of the open world's ground are made of.
//
// A tile's blob has a number for each cell, and this table is the program's: a designer's change of
// a friction needs no new tiles.
//
// Thread safety: pure functions; any thread. Determinism: +, -, * and comparisons alone, so that
// tiles are the same bytes on each machine.
#ifndef NOWAIT_SRC_STREAMING_GROUND_MATERIAL_H_
#define NOWAIT_SRC_STREAMING_GROUND_MATERIAL_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/collision/surface_materials.h"
#include "src/streaming/tile_grid.h"

namespace nowait {

enum class GroundMaterial : std::uint8_t { kSoil, kRock };
inline constexpr std::size_t kGroundMaterials = 2;

// By the number of the material.
inline constexpr std::array<SurfaceMaterial, kGroundMaterials> kGroundTable = {
    SurfaceMaterial{}, SurfaceMaterial{.friction = 0.8f, .restitution = 0.2f}};

// A cell that rises by more than this for each metre is bare rock: soil does not stay there.
inline constexpr float kSoilSlope = 0.6f;

// By cell, row by row. heights: kTileSamples squared, as a tile has them. Throws std::bad_alloc.
inline std::vector<std::uint8_t> GroundMaterialsOf(std::span<const float> heights) {
  constexpr float kTwoSpacings = 2.0f * kTileSide / static_cast<float>(kTileCells);
  constexpr float kSteepest = kSoilSlope * kTwoSpacings;
  std::vector<std::uint8_t> materials;
  materials.reserve(std::size_t{kTileCells} * kTileCells);
  for (std::size_t k = 0; k < kTileCells; ++k) {
    for (std::size_t i = 0; i < kTileCells; ++i) {
      const float* north = &heights[k * kTileSamples + i];
      const float* south = north + kTileSamples;
      // The rise across the cell, of both of its sides together.
      const float x = (north[1] - north[0]) + (south[1] - south[0]);
      const float z = (south[0] - north[0]) + (south[1] - north[1]);
      const bool is_steep = x * x + z * z > kSteepest * kSteepest;
      materials.push_back(
          static_cast<std::uint8_t>(is_steep ? GroundMaterial::kRock : GroundMaterial::kSoil));
    }
  }
  return materials;
}

}  // namespace nowait

#endif  // NOWAIT_SRC_STREAMING_GROUND_MATERIAL_H_
