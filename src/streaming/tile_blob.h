// TileBlob: a tile of the open world as a blob: its ground and the objects that stand on it.
//
//   TileHeader    which tile
//   heights       kTileSamples squared: y in metres by row (north to south) and column
//   objects       as in placed_object.h
//   materials     of the cells, kTileCells squared: numbers of ground_material.h
//
// Neighbours have the samples of their border in common, to the bit.
//
// Thread safety: a view of bytes that others own; any number of readers.
// Errors: a tile comes from outside. Open checks all of it, so that no reader has to check
// anything: kCorrupt "blob" (src/resource/blob.h), "tile" with the reason, or "object".
// Test: tests/streaming/blobs_test.cc, tests/fuzz/tile_programs.cc.
// Source: [rouwe2022], "Open world - tiles"; [bitsquid2010], "The Blob and I".
#ifndef NOWAIT_SRC_STREAMING_TILE_BLOB_H_
#define NOWAIT_SRC_STREAMING_TILE_BLOB_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/base/result.h"
#include "src/resource/blob.h"
#include "src/streaming/placed_object.h"
#include "src/streaming/tile_grid.h"

namespace nowait {

inline constexpr std::uint32_t kTileKind = FourCharacters("TILE");
inline constexpr std::uint32_t kTileVersion = 3;

struct TileHeader {
  std::int32_t column = 0;
  std::int32_t row = 0;
  BlobArray<float> heights;
  ObjectArrays objects;
  BlobArray<std::uint8_t> materials;
};
static_assert(BlobData<TileHeader>);

class TileBlob {
 public:
  static constexpr std::size_t kHeights = std::size_t{kTileSamples} * kTileSamples;
  static constexpr std::size_t kCells = std::size_t{kTileCells} * kTileCells;
  static constexpr float kMostHeight = 20'000.0f;  // metres, above or below sea level
  static constexpr std::uint32_t kMostBytes = 4u << 20;

  // The tile at the beginning of `bytes`. `expected`: a blob of another tile is refused, as is one
  // of another version: tiles are compiled anew.
  static Result<TileBlob> Open(std::span<const std::byte> bytes, TileCoord expected);

  std::span<const float> heights() const { return heights_; }
  std::span<const std::uint8_t> materials() const { return materials_; }
  const ObjectsView& objects() const { return objects_; }

 private:
  TileBlob(std::span<const float> heights, std::span<const std::uint8_t> materials,
           const ObjectsView& objects)
      : heights_(heights), materials_(materials), objects_(objects) {}

  std::span<const float> heights_;
  std::span<const std::uint8_t> materials_;
  ObjectsView objects_;
};

// heights: TileBlob::kHeights of them. materials: TileBlob::kCells of them. kCapacity "blob bytes"
// or "memory".
Result<std::vector<std::byte>> MakeTileBlob(TileCoord tile, std::span<const float> heights,
                                            std::span<const std::uint8_t> materials,
                                            const ObjectLists& objects);

}  // namespace nowait

#endif  // NOWAIT_SRC_STREAMING_TILE_BLOB_H_
