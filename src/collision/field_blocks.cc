#include "src/collision/field_blocks.h"

#include <tuple>

namespace nowait {

// Only the blocks in the range.
HeightField::CellRange FieldBlocks::CellsOf(HeightBlock block) const {
  const std::uint32_t side = HeightPyramid::SideOf(block.level);
  return {
      std::max(cells_.first_i, block.i * side), std::min(cells_.last_i, (block.i + 1) * side - 1),
      std::max(cells_.first_k, block.k * side), std::min(cells_.last_k, (block.k + 1) * side - 1)};
}

GroundPart FieldBlocks::PartOf(HeightBlock block) const {
  const HeightField::CellRange cells = CellsOf(block);
  const float spacing = field_.spacing();
  return {static_cast<float>(cells.first_i) * spacing,
          static_cast<float>(cells.last_i + 1) * spacing,
          static_cast<float>(cells.first_k) * spacing,
          static_cast<float>(cells.last_k + 1) * spacing, field_.tops().TopOf(block)};
}

void FieldBlocks::AddBlockAt(Vec3 corner) {
  const HeightField::CellRange at = field_.CellsIn(corner.x, corner.x, corner.z, corner.z);
  if (at.empty) return;
  Add({0, at.first_i / HeightPyramid::kSide, at.first_k / HeightPyramid::kSide});
}

void FieldBlocks::SortAndDropDoubles() {
  const auto end = blocks_.begin() + count_;
  std::sort(blocks_.begin(), end, [](const HeightBlock& a, const HeightBlock& b) {
    return std::tie(a.k, a.i) < std::tie(b.k, b.i);
  });
  count_ = static_cast<std::uint32_t>(std::unique(blocks_.begin(), end) - blocks_.begin());
}

}  // namespace nowait
