// HeightPyramid: the highest sample of each block of cells, of blocks of blocks, and so on. Cells
// that are holes (height_field.h) count for nothing.
//
// A block of level 0 is 4 x 4 cells; one of level l + 1 is four of level l. At the borders of the
// field blocks are smaller. It takes a twelfth of the field's own memory.
//
// Thread safety: any thread, while none calls Refresh.
#ifndef NOWAIT_SRC_COLLISION_HEIGHT_PYRAMID_H_
#define NOWAIT_SRC_COLLISION_HEIGHT_PYRAMID_H_

#include <cstdint>
#include <span>
#include <vector>

#include "src/math/bounds.h"

namespace nowait {

// Block (i, k) of a level, counted along x and z.
struct HeightBlock {
  std::uint32_t level, i, k;

  friend bool operator==(const HeightBlock&, const HeightBlock&) = default;
};

class HeightPyramid {
 public:
  static constexpr std::uint32_t kSide = 4;  // cells
  // The top of a block that is all holes: below every sample.
  static constexpr float kNoGround = -kLargeFloat;

  // The pyramid of no field.
  HeightPyramid() = default;
  // heights: row by row; at least two rows and two columns. materials: of the cells, row by row;
  // empty: there are no holes.
  HeightPyramid(std::uint32_t columns, std::uint32_t rows, std::span<const float> heights,
                std::span<const std::uint8_t> materials = {});

  // Finds the blocks of these cells anew, first to last inclusive, and those above them: linear in
  // the cells, and a block on each level. heights, materials: of the whole field.
  void Refresh(std::uint32_t first_i, std::uint32_t last_i, std::uint32_t first_k,
               std::uint32_t last_k, std::span<const float> heights,
               std::span<const std::uint8_t> materials);

  std::uint32_t levels() const { return static_cast<std::uint32_t>(levels_.size()); }
  // The side of a block, in cells.
  static std::uint32_t SideOf(std::uint32_t level) { return kSide << level; }
  // How many blocks there are along x and z.
  std::uint32_t columns(std::uint32_t level) const { return levels_[level].columns; }
  std::uint32_t rows(std::uint32_t level) const { return levels_[level].rows; }

  // The highest sample at a corner of one of the block's cells.
  float TopOf(HeightBlock block) const {
    const Level& level = levels_[block.level];
    return level.tops[block.k * level.columns + block.i];
  }

 private:
  struct Level {
    std::uint32_t columns, rows;
    std::vector<float> tops;
  };

  float TopOfCells(std::uint32_t i, std::uint32_t k, std::span<const float> heights,
                   std::span<const std::uint8_t> materials) const;

  std::uint32_t columns_ = 0, rows_ = 0;  // samples
  std::vector<Level> levels_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_HEIGHT_PYRAMID_H_
