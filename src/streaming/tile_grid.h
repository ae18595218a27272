// TileGrid: the square tiles that an open world is cut into, and distances to them.
//
// Tile (column, row) has the places from (kTileSide * column, kTileSide * row) on, along x and z.
// Thread safety: pure functions.
// Source: [rouwe2022], "Open world - tiles": 256 m to a side.
#ifndef NOWAIT_SRC_STREAMING_TILE_GRID_H_
#define NOWAIT_SRC_STREAMING_TILE_GRID_H_

#include <algorithm>
#include <cmath>
#include <compare>
#include <cstdint>

namespace nowait {

inline constexpr float kTileSide = 256.0f;  // metres
// A cell of the ground is 256 m / 171, about 1.5 m: a whole number of cells to a tile.
inline constexpr std::uint32_t kTileCells = 171;
inline constexpr std::uint32_t kTileSamples = kTileCells + 1;  // along each side, borders included

struct TileCoord {
  std::int32_t column = 0;
  std::int32_t row = 0;

  friend auto operator<=>(const TileCoord&, const TileCoord&) = default;
};

// x, z: metres, within 1e6 of the origin.
inline TileCoord TileAt(float x, float z) {
  return {static_cast<std::int32_t>(std::floor(x / kTileSide)),
          static_cast<std::int32_t>(std::floor(z / kTileSide))};
}

// From the place to the nearest point of the tile, squared; zero inside.
inline float DistanceSquared(TileCoord tile, float x, float z) {
  const float west = kTileSide * static_cast<float>(tile.column);
  const float north = kTileSide * static_cast<float>(tile.row);
  const float dx = std::max({west - x, 0.0f, x - (west + kTileSide)});
  const float dz = std::max({north - z, 0.0f, z - (north + kTileSide)});
  return dx * dx + dz * dz;
}

}  // namespace nowait

#endif  // NOWAIT_SRC_STREAMING_TILE_GRID_H_
