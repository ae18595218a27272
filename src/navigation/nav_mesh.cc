#include "src/navigation/nav_mesh.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "src/base/or_no_memory.h"

namespace nowait {
namespace {

constexpr std::uint32_t kNumberBits = 22;  // Detour keeps ten bits of 32 for generations

}  // namespace

Result<std::unique_ptr<NavMesh>> NavMesh::Create(const NavSettings& settings,
                                                 std::uint32_t max_cells) {
  if (auto valid = Validate(settings); !valid) return std::unexpected(valid.error());
  if (max_cells < 1 || max_cells > kMaxCells) {
    return Fail(ErrorCode::kInvalidArgument, "cells", max_cells, "1 .. 4,096");
  }
  return OrNoMemory([&]() -> Result<std::unique_ptr<NavMesh>> {
    std::unique_ptr<NavMesh> made(new NavMesh(settings));
    made->max_cells_ = max_cells;
    const auto cell_bits = static_cast<std::uint32_t>(std::bit_width(max_cells - 1));
    // Links and vertices of a tile are numbered in 16 bits.
    made->max_polygons_ = std::uint32_t{1} << std::min(kNumberBits - cell_bits, 15u);
    made->mesh_.reset(dtAllocNavMesh());
    dtNavMeshParams params{};
    params.tileWidth = kNavCellSide;
    params.tileHeight = kNavCellSide;
    params.maxTiles = static_cast<int>(max_cells);
    params.maxPolys = static_cast<int>(made->max_polygons_);
    if (!made->mesh_ || dtStatusFailed(made->mesh_->init(&params))) {
      return Fail(ErrorCode::kCapacity, "memory");
    }
    return made;
  });
}

Result<void> NavMesh::Insert(NavCell cell, WaitTime& wait) {
  if (cell.polygons > max_polygons_) {
    return Fail(ErrorCode::kCapacity, "polygons of a cell", max_polygons_);
  }
  const WriteScope lock(lock_, wait);
  const dtTileRef old = mesh_->getTileRefAt(cell.id.x, cell.id.z, 0);
  if (cell.size > 0 && old == 0 && cells_ == max_cells_) {
    return Fail(ErrorCode::kCapacity, "cells", max_cells_);
  }
  if (old != 0) {
    mesh_->removeTile(old, nullptr, nullptr);  // frees its data
    --cells_;
  }
  if (cell.size == 0) return {};
  if (dtStatusFailed(mesh_->addTile(cell.tile.get(), static_cast<int>(cell.size), DT_TILE_FREE_DATA,
                                    0, nullptr))) {
    return Fail(ErrorCode::kCorrupt, "cell", 0, "Detour refuses its data");
  }
  static_cast<void>(cell.tile.release());  // the mesh frees it
  ++cells_;
  return {};
}

bool NavMesh::Remove(NavCellId cell, WaitTime& wait) {
  const WriteScope lock(lock_, wait);
  const dtTileRef tile = mesh_->getTileRefAt(cell.x, cell.z, 0);
  if (tile == 0) return false;
  mesh_->removeTile(tile, nullptr, nullptr);
  --cells_;
  return true;
}

std::uint32_t NavMesh::CountCells(WaitTime& wait) const {
  const ReadScope lock(lock_, wait);
  return cells_;
}

void NavMesh::CopyPolygons(std::vector<NavPolygon>& out, WaitTime& wait) const {
  out.clear();
  const ReadScope lock(lock_, wait);
  const dtNavMesh& mesh = *mesh_;
  std::vector<std::pair<NavCellId, int>> tiles;  // in the order of the cells
  for (int i = 0; i < mesh.getMaxTiles(); ++i) {
    const dtMeshHeader* const header = mesh.getTile(i)->header;
    if (header != nullptr) tiles.push_back({{header->x, header->y}, i});
  }
  std::sort(tiles.begin(), tiles.end());
  for (const auto& [cell, number] : tiles) {
    const dtMeshTile& tile = *mesh.getTile(number);
    for (int p = 0; p < tile.header->polyCount; ++p) {
      const dtPoly& poly = tile.polys[p];
      NavPolygon& copy = out.emplace_back();
      copy.cell = cell;
      for (int v = 0; v < poly.vertCount; ++v) {
        const float* at = tile.verts + std::size_t{3} * poly.verts[v];
        copy.corners.push_back({at[0], at[1], at[2]});
      }
    }
  }
}

}  // namespace nowait
