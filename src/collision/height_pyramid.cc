#include "src/collision/height_pyramid.h"

#include <algorithm>

namespace nowait {
namespace {

std::uint32_t DividedUp(std::uint32_t count, std::uint32_t by) { return (count + by - 1) / by; }

}  // namespace

HeightPyramid::HeightPyramid(std::uint32_t columns, std::uint32_t rows,
                             std::span<const float> heights) {
  Level level{DividedUp(columns - 1, kSide), DividedUp(rows - 1, kSide), {}};
  for (std::uint32_t k = 0; k < level.rows; ++k) {
    for (std::uint32_t i = 0; i < level.columns; ++i) {
      // Neighbouring blocks share the samples between them.
      const std::uint32_t first_x = i * kSide, last_x = std::min(first_x + kSide, columns - 1);
      const std::uint32_t first_z = k * kSide, last_z = std::min(first_z + kSide, rows - 1);
      float top = heights[first_z * columns + first_x];
      for (std::uint32_t z = first_z; z <= last_z; ++z) {
        const auto row = heights.subspan(z * columns + first_x, last_x - first_x + 1);
        top = std::max(top, *std::max_element(row.begin(), row.end()));
      }
      level.tops.push_back(top);
    }
  }
  while (level.columns > 1 || level.rows > 1) {
    Level above{DividedUp(level.columns, 2), DividedUp(level.rows, 2), {}};
    above.tops.assign(above.columns * above.rows, level.tops[0]);
    for (std::uint32_t k = 0; k < level.rows; ++k) {
      for (std::uint32_t i = 0; i < level.columns; ++i) {
        const float top = level.tops[k * level.columns + i];
        float& upper = above.tops[k / 2 * above.columns + i / 2];
        upper = i % 2 == 0 && k % 2 == 0 ? top : std::max(upper, top);
      }
    }
    levels_.push_back(std::move(level));
    level = std::move(above);
  }
  levels_.push_back(std::move(level));
}

}  // namespace nowait
