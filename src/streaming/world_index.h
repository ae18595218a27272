// WorldIndex: which tiles and scenes a folder of an open world has, as a blob.
//
// The folder has `index`, `tile-COLUMN-ROW` for each tile and `scene-NUMBER` for each scene. The
// index is written last: a folder with an index is whole.
//
// Thread safety: a value; FileOf... are pure functions. Blocking: LoadWorldIndex reads a file.
// Errors: kCorrupt "blob" or "world index" with the reason; those of ReadFile.
// Test: tests/streaming/blobs_test.cc.
#ifndef NOWAIT_SRC_STREAMING_WORLD_INDEX_H_
#define NOWAIT_SRC_STREAMING_WORLD_INDEX_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "src/base/result.h"
#include "src/resource/blob.h"
#include "src/streaming/scene_site.h"
#include "src/streaming/tile_grid.h"

namespace nowait {

struct WorldIndex {
  static constexpr std::uint32_t kMostSide = 1024;  // tiles
  static constexpr std::uint32_t kMostScenes = 1u << 20;

  std::uint32_t columns = 0;  // tiles along x; the first begins at x = 0
  std::uint32_t rows = 0;     // tiles along z
  std::uint64_t source = 0;   // a hash of everything that the folder was made from
  std::vector<SceneSite> scenes;

  bool Has(TileCoord tile) const {
    return tile.column >= 0 && tile.row >= 0 && static_cast<std::uint32_t>(tile.column) < columns &&
           static_cast<std::uint32_t>(tile.row) < rows;
  }
  // Of a tile that there is: row by row.
  std::size_t NumberOf(TileCoord tile) const {
    return static_cast<std::size_t>(tile.row) * columns + static_cast<std::size_t>(tile.column);
  }
  std::size_t tiles() const { return std::size_t{columns} * rows; }
};

std::string FileOfTile(const std::string& folder, TileCoord tile);
std::string FileOfScene(const std::string& folder, std::uint32_t number);
std::string FileOfIndex(const std::string& folder);

Result<std::vector<std::byte>> MakeIndexBlob(const WorldIndex& index);
Result<WorldIndex> OpenIndexBlob(std::span<const std::byte> bytes);
Result<WorldIndex> LoadWorldIndex(const std::string& folder);

}  // namespace nowait

#endif  // NOWAIT_SRC_STREAMING_WORLD_INDEX_H_
