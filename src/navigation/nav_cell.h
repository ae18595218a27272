// NavCell: a finished cell of a navigation mesh, as one block of bytes that a mesh takes.
//
// A cell without any place to walk has no bytes.
//
// Thread safety: a value; moved, not copied.
#ifndef NOWAIT_SRC_NAVIGATION_NAV_CELL_H_
#define NOWAIT_SRC_NAVIGATION_NAV_CELL_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "src/math/hash.h"
#include "src/navigation/nav_settings.h"
#include "src/navigation/recast.h"

namespace nowait {

struct NavCell {
  NavCellId id;
  std::uint32_t polygons = 0;
  std::uint32_t size = 0;  // of the tile, in bytes
  OwnedTile tile;          // Detour's data

  std::span<const unsigned char> bytes() const { return {tile.get(), size}; }

  // FNV-1a over the bytes.
  std::uint64_t Hash() const {
    class Hash hash;
    for (const unsigned char byte : bytes()) hash.AddByte(byte);
    return hash.value();
  }
};

}  // namespace nowait

#endif  // NOWAIT_SRC_NAVIGATION_NAV_CELL_H_
