// FieldBlocks: the blocks of a height field that a large body is tested against.
//
// A body over few cells is tested against each triangle below it. A body of a kilometre on ground
// with a sample a metre would be tested against two million, on one thread, to keep eight contact
// points. So a body over more than kExactCells is tested against a bounded number of blocks of 4 by
// 4 cells:
//   - the range below it is divided into at most 9 x 9 tiles, blocks of one level of the pyramid;
//   - in each tile, the search descends, best first, into the block whose top comes nearest to the
//     body, or deepest into it, and takes the first kBlocksOfTile blocks of level 0 that it
//     reaches;
//   - the blocks below the corners of the body are taken, because an edge or a corner of it may
//     touch ground there that is lower than elsewhere in the tile.
// It misses ground between two peaks of one tile that both touch. A peak is missed only when two
// others of its tile stand as deep in the body, or the search has used up kStepsOfTile.
//
// Bound: at most 81 tiles of two blocks and eight corners: 2,720 cells, for a body of any size, and
// 81 * 64 visited blocks of the pyramid. No allocation.
// Determinism: the blocks and their order depend on the field and the body alone.
//
// Source: best-first search with bounds: P. Hart, N. Nilsson, B. Raphael, "A Formal Basis for the
// Heuristic Determination of Minimum Cost Paths", 1968; a pyramid of maxima: L. Williams,
// "Pyramidal Parametrics", SIGGRAPH 1983.
#ifndef NOWAIT_SRC_COLLISION_FIELD_BLOCKS_H_
#define NOWAIT_SRC_COLLISION_FIELD_BLOCKS_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "src/collision/height_field.h"
#include "src/math/bounds.h"
#include "src/math/vec3.h"

namespace nowait {

// A part of the ground, in the field's frame: a rectangle and the height that no sample in it
// exceeds.
struct GroundPart {
  float min_x, max_x, min_z, max_z;
  float top;

  // It goes down without end.
  Bounds<3> box() const { return {{min_x, -kLargeFloat, min_z}, {max_x, top, max_z}}; }
};

class FieldBlocks {
 public:
  // With at most this many cells, all are tested.
  static constexpr std::uint32_t kExactCells = 32 * 32;
  static constexpr std::uint32_t kBlocksOfTile = 2;
  static constexpr std::uint32_t kStepsOfTile = 64;
  static constexpr std::uint32_t kTilesAlong = 9;
  static constexpr std::uint32_t kMostCorners = 8;
  static constexpr std::uint32_t kMostBlocks =
      kTilesAlong * kTilesAlong * kBlocksOfTile + kMostCorners;
  static constexpr std::uint32_t kMostCells =
      kMostBlocks * HeightPyramid::kSide * HeightPyramid::kSide;

  static bool AreAllLookedAt(const HeightField::CellRange& cells) {
    return (cells.last_i - cells.first_i + 1) * (cells.last_k - cells.first_k + 1) <= kExactCells;
  }

  // gap(GroundPart): a lower bound of the body's height above the ground in the part; negative: an
  // upper bound of its depth in it. Parts with a gap above `margin` are left out. corners: of the
  // body, in the field's frame.
  template <class Gap>
  FieldBlocks(const HeightField& field, const HeightField::CellRange& cells,
              std::span<const Vec3> corners, float margin, Gap gap);

  // Calls visit(i, k) for the cells of the chosen blocks that lie in the range, each once.
  template <class Visit>
  void ForEachCell(Visit visit) const;

 private:
  // Blocks to be searched, the most promising first.
  class Search;

  HeightField::CellRange CellsOf(HeightBlock block) const;
  GroundPart PartOf(HeightBlock block) const;
  template <class Gap>
  void LookInto(HeightBlock tile, float margin, Gap gap);
  void AddBlockAt(Vec3 corner);
  void Add(HeightBlock block) { blocks_[count_++] = block; }
  void SortAndDropDoubles();

  const HeightField& field_;
  HeightField::CellRange cells_;
  std::uint32_t count_ = 0;
  std::array<HeightBlock, kMostBlocks> blocks_;
};

class FieldBlocks::Search {
 public:
  struct Entry {
    float gap;
    HeightBlock block;
  };

  bool empty() const { return size_ == 0; }
  // A block that does not fit is dropped: the search would have reached it last, or nearly last.
  void Push(const Entry& entry) {
    if (size_ == entries_.size()) return;
    entries_[size_++] = entry;
    std::push_heap(entries_.begin(), entries_.begin() + size_, IsWorse);
  }
  Entry Pop() {
    std::pop_heap(entries_.begin(), entries_.begin() + size_, IsWorse);
    return entries_[--size_];
  }

 private:
  // Of equals the smaller block, so that on level ground the search descends directly.
  static bool IsWorse(const Entry& a, const Entry& b) {
    if (a.gap != b.gap) return a.gap > b.gap;
    if (a.block.level != b.block.level) return a.block.level > b.block.level;
    return a.block.k != b.block.k ? a.block.k > b.block.k : a.block.i > b.block.i;
  }

  std::uint32_t size_ = 0;
  std::array<Entry, 4 * kStepsOfTile> entries_;
};

template <class Gap>
FieldBlocks::FieldBlocks(const HeightField& field, const HeightField::CellRange& cells,
                         std::span<const Vec3> corners, float margin, Gap gap)
    : field_(field), cells_(cells) {
  const std::uint32_t longest =
      std::max(cells.last_i - cells.first_i, cells.last_k - cells.first_k) + 1;
  std::uint32_t level = 0;
  // A range that begins in the middle of a tile touches one more.
  while (HeightPyramid::SideOf(level) * (kTilesAlong - 1) < longest) ++level;
  const std::uint32_t side = HeightPyramid::SideOf(level);
  for (std::uint32_t k = cells.first_k / side; k <= cells.last_k / side; ++k) {
    for (std::uint32_t i = cells.first_i / side; i <= cells.last_i / side; ++i) {
      LookInto({level, i, k}, margin, gap);
    }
  }
  for (const Vec3& corner : corners) AddBlockAt(corner);
  SortAndDropDoubles();
}

template <class Gap>
void FieldBlocks::LookInto(HeightBlock tile, float margin, Gap gap) {
  Search search;
  const auto push = [&](HeightBlock block) {
    const GroundPart part = PartOf(block);
    if (part.top == HeightPyramid::kNoGround) return;
    const float distance = gap(part);
    if (distance <= margin) search.Push({distance, block});
  };
  push(tile);
  std::uint32_t taken = 0;
  for (std::uint32_t step = 0; step < kStepsOfTile && !search.empty(); ++step) {
    const HeightBlock block = search.Pop().block;
    if (block.level == 0) {
      Add(block);
      if (++taken == kBlocksOfTile) return;
      continue;
    }
    const std::uint32_t below = block.level - 1;
    const HeightField::CellRange cells = CellsOf(block);
    const std::uint32_t side = HeightPyramid::SideOf(below);
    for (std::uint32_t k = cells.first_k / side; k <= cells.last_k / side; ++k) {
      for (std::uint32_t i = cells.first_i / side; i <= cells.last_i / side; ++i) {
        push({below, i, k});
      }
    }
  }
}

template <class Visit>
void FieldBlocks::ForEachCell(Visit visit) const {
  for (const HeightBlock& block : std::span(blocks_).first(count_)) {
    const HeightField::CellRange cells = CellsOf(block);
    for (std::uint32_t k = cells.first_k; k <= cells.last_k; ++k) {
      for (std::uint32_t i = cells.first_i; i <= cells.last_i; ++i) visit(i, k);
    }
  }
}

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_FIELD_BLOCKS_H_
