#include "src/streaming/tile_blob.h"

#include <cmath>

#include "src/base/assert.h"
#include "src/streaming/ground_material.h"

namespace nowait {
namespace {

std::unexpected<Error> Wrong(std::size_t place, const char* why) {
  return Fail(ErrorCode::kCorrupt, "tile", static_cast<std::int64_t>(place), why);
}

}  // namespace

Result<TileBlob> TileBlob::Open(std::span<const std::byte> bytes, TileCoord expected) {
  const auto blob = Blob::Open(bytes);
  if (!blob) return std::unexpected(blob.error());
  if (auto kind = blob->Expect(kTileKind, kTileVersion); !kind) {
    return std::unexpected(kind.error());
  }
  const auto header = blob->First<TileHeader>();
  if (!header) return std::unexpected(header.error());
  if (TileCoord{(*header)->column, (*header)->row} != expected) return Wrong(0, "another tile");
  const auto heights = blob->Get((*header)->heights);
  if (!heights) return std::unexpected(heights.error());
  if (heights->size() != kHeights) return Wrong(heights->size(), "not 172 x 172 heights");
  for (std::size_t i = 0; i < heights->size(); ++i) {
    if (!(std::abs((*heights)[i]) <= kMostHeight)) return Wrong(i, "a height that no ground has");
  }
  const auto materials = blob->Get((*header)->materials);
  if (!materials) return std::unexpected(materials.error());
  if (materials->size() != kCells) return Wrong(materials->size(), "not 171 x 171 materials");
  for (std::size_t i = 0; i < materials->size(); ++i) {
    if ((*materials)[i] >= kGroundMaterials) return Wrong(i, "a material that no ground has");
  }
  const auto objects = OpenObjects(*blob, (*header)->objects);
  if (!objects) return std::unexpected(objects.error());
  return TileBlob(*heights, *materials, *objects);
}

Result<std::vector<std::byte>> MakeTileBlob(TileCoord tile, std::span<const float> heights,
                                            std::span<const std::uint8_t> materials,
                                            const ObjectLists& objects) {
  NOWAIT_ASSERT(heights.size() == TileBlob::kHeights, "a tile has all its heights");
  NOWAIT_ASSERT(materials.size() == TileBlob::kCells, "a tile has all its materials");
  BlobWriter writer(kTileKind, kTileVersion, TileBlob::kMostBytes);
  TileHeader header{tile.column, tile.row, {}, {}, {}};
  const auto first = writer.Add(header);
  if (!first) return std::unexpected(first.error());
  const auto added = writer.AddArray<float>(heights);
  if (!added) return std::unexpected(added.error());
  const auto arrays = AddObjects(objects, writer);
  if (!arrays) return std::unexpected(arrays.error());
  const auto of_cells = writer.AddArray<std::uint8_t>(materials);
  if (!of_cells) return std::unexpected(of_cells.error());
  header.heights = *added;
  header.materials = *of_cells;
  header.objects = *arrays;
  writer.Set(*first, header);
  return writer.Finish();
}

}  // namespace nowait
