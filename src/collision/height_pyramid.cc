#include "src/collision/height_pyramid.h"

#include <algorithm>

#include "src/collision/surface_materials.h"

namespace nowait {
namespace {

std::uint32_t DividedUp(std::uint32_t count, std::uint32_t by) { return (count + by - 1) / by; }

}  // namespace

HeightPyramid::HeightPyramid(std::uint32_t columns, std::uint32_t rows,
                             std::span<const float> heights,
                             std::span<const std::uint8_t> materials)
    : columns_(columns), rows_(rows) {
  Level level{DividedUp(columns - 1, kSide), DividedUp(rows - 1, kSide), {}};
  for (;;) {
    level.tops.resize(level.columns * level.rows);
    levels_.push_back(level);
    if (level.columns == 1 && level.rows == 1) break;
    level = {DividedUp(level.columns, 2), DividedUp(level.rows, 2), {}};
  }
  Refresh(0, columns - 2, 0, rows - 2, heights, materials);
}

// Of the block of level 0. Neighbouring blocks share the samples between them.
float HeightPyramid::TopOfCells(std::uint32_t i, std::uint32_t k, std::span<const float> heights,
                                std::span<const std::uint8_t> materials) const {
  const std::uint32_t first_x = i * kSide, end_x = std::min(first_x + kSide, columns_ - 1);
  const std::uint32_t first_z = k * kSide, end_z = std::min(first_z + kSide, rows_ - 1);
  const auto samples = [&](std::uint32_t x, std::uint32_t z, std::uint32_t count) {
    const auto row = heights.subspan(std::size_t{z} * columns_ + x, count);
    return *std::max_element(row.begin(), row.end());
  };
  float top = kNoGround;
  if (materials.empty()) {
    for (std::uint32_t z = first_z; z <= end_z; ++z) {
      top = std::max(top, samples(first_x, z, end_x - first_x + 1));
    }
    return top;
  }
  for (std::uint32_t z = first_z; z < end_z; ++z) {
    for (std::uint32_t x = first_x; x < end_x; ++x) {
      const std::size_t cell = std::size_t{z} * (columns_ - 1) + x;
      if (materials[cell] == SurfaceMaterials::kHole) continue;
      top = std::max({top, samples(x, z, 2), samples(x, z + 1, 2)});
    }
  }
  return top;
}

void HeightPyramid::Refresh(std::uint32_t first_i, std::uint32_t last_i, std::uint32_t first_k,
                            std::uint32_t last_k, std::span<const float> heights,
                            std::span<const std::uint8_t> materials) {
  std::uint32_t side = kSide;
  for (std::size_t l = 0; l < levels_.size(); ++l, side *= 2) {
    Level& level = levels_[l];
    for (std::uint32_t k = first_k / side; k <= last_k / side; ++k) {
      for (std::uint32_t i = first_i / side; i <= last_i / side; ++i) {
        float& top = level.tops[k * level.columns + i];
        if (l == 0) {
          top = TopOfCells(i, k, heights, materials);
          continue;
        }
        const Level& below = levels_[l - 1];
        top = kNoGround;
        for (std::uint32_t z = 2 * k; z < std::min(2 * k + 2, below.rows); ++z) {
          for (std::uint32_t x = 2 * i; x < std::min(2 * i + 2, below.columns); ++x) {
            top = std::max(top, below.tops[z * below.columns + x]);
          }
        }
      }
    }
  }
}

}  // namespace nowait
