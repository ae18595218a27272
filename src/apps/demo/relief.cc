#include "src/apps/demo/relief.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "src/apps/svg/png.h"

namespace nowait {
namespace {

// Light from the north-west, 45 degrees high, as usual on maps. Brightness 0 .. 1.
double Shade(const Terrain& terrain, std::uint32_t row, std::uint32_t column) {
  const std::uint32_t last = terrain.side - 1;
  const std::uint32_t west = column == 0 ? 0 : column - 1, east = std::min(column + 1, last);
  const std::uint32_t north = row == 0 ? 0 : row - 1, south = std::min(row + 1, last);
  const double dx = (terrain.At(row, east) - terrain.At(row, west)) /
                    (terrain.cell_size * static_cast<float>(east - west));
  const double dz = (terrain.At(south, column) - terrain.At(north, column)) /
                    (terrain.cell_size * static_cast<float>(south - north));
  // The normal is (-dx, 1, -dz), the light's direction (-1, sqrt 2, -1) / 2.
  return std::clamp((dx + dz + std::sqrt(2.0)) / (2.0 * std::sqrt(1.0 + dx * dx + dz * dz)), 0.0,
                    1.0);
}

Rgb Mixed(const std::array<double, 3>& low, const std::array<double, 3>& high, double part,
          double light) {
  const auto channel = [&](std::size_t i) {
    const double value = (low[i] + (high[i] - low[i]) * part) * light;
    return static_cast<std::uint8_t>(std::clamp(std::lround(value), 0l, 255l));
  };
  return {channel(0), channel(1), channel(2)};
}

}  // namespace

std::string ReliefImage(const Terrain& terrain) {
  constexpr std::array<double, 3> kValley = {214, 226, 200};
  constexpr std::array<double, 3> kHill = {246, 236, 212};
  const float highest = *std::max_element(terrain.heights.begin(), terrain.heights.end());
  std::vector<Rgb> pixels;
  pixels.reserve(terrain.heights.size());
  for (std::uint32_t row = 0; row < terrain.side; ++row) {
    for (std::uint32_t column = 0; column < terrain.side; ++column) {
      const double part = highest > 0.0f ? terrain.At(row, column) / highest : 0.0;
      // Flat ground has a brightness of 0.71 and should look like paper.
      const double light = std::min(1.03, 0.40 + 0.86 * Shade(terrain, row, column));
      pixels.push_back(Mixed(kValley, kHill, part, light));
    }
  }
  return PngDataUri(EncodePng(terrain.side, terrain.side, pixels));
}

}  // namespace nowait
