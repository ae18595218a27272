// Elevation files: refused with one line, or a grid that is whole and can be resampled.
#include <zlib.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "src/resource/elevation.h"
#include "src/resource/terrain.h"
#include "tests/fuzz/promise.h"

namespace nowait {
namespace {

void CheckTerrain(const Elevation& elevation, const TerrainWindow& window) {
  const Result<Terrain> terrain = ResampleWindow(elevation, window);
  if (!terrain) return fuzz::PromiseOneLine(ToString(terrain.error()));
  fuzz::Promise(terrain->side == window.cells + 1, "a window has a sample more than cells");
  fuzz::Promise(terrain->heights.size() == std::size_t{terrain->side} * terrain->side,
                "a terrain has all its heights");
  for (const float height : terrain->heights) {
    // A spline through posts of 16 bits overshoots them by a quarter of their span at most.
    fuzz::Promise(std::isfinite(height) && std::abs(height) < 2e5f, "a height is one of a terrain");
  }
}

void Check(std::span<const std::byte> bytes) {
  const Result<Elevation> elevation = ParseElevation(bytes);
  if (!elevation) return fuzz::PromiseOneLine(ToString(elevation.error()));
  fuzz::Promise(elevation->posts.size() == std::size_t{elevation->rows} * elevation->columns,
                "a grid has all its posts");
  CheckTerrain(*elevation, {.south = elevation->row_spacing * 1.01f,
                            .east = elevation->column_spacing * 1.01f,
                            .cells = 4,
                            .cell_size = elevation->row_spacing * 0.1f});
  // Windows as the posts say, which are any numbers.
  TerrainWindow wild;
  std::memcpy(&wild.south, elevation->posts.data(), sizeof wild.south);
  std::memcpy(&wild.east, elevation->posts.data() + 2, sizeof wild.east);
  std::memcpy(&wild.cell_size, elevation->posts.data() + 4, sizeof wild.cell_size);
  wild.cells = static_cast<std::uint16_t>(elevation->posts[6]) % 64;
  CheckTerrain(*elevation, wild);
}

}  // namespace
}  // namespace nowait

// As it is, and with the checksum and the sizes made right, which no fuzzer guesses.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<std::byte> bytes(size);
  if (size > 0) std::memcpy(bytes.data(), data, size);
  nowait::Check(bytes);
  if (size < 60 + 32 + 4) return 0;
  const std::uint32_t columns = 4;
  const auto rows = static_cast<std::uint32_t>((size - 64) / (2 * columns));
  bytes.resize(64 + 2 * columns * rows);
  std::memcpy(bytes.data(), "NOWAITEL\1\0\0\0", 12);
  std::memcpy(bytes.data() + 12, &rows, sizeof rows);
  std::memcpy(bytes.data() + 16, &columns, sizeof columns);
  const auto checksum = static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size() - 4));
  std::memcpy(bytes.data() + bytes.size() - 4, &checksum, sizeof checksum);
  nowait::Check(bytes);
  return 0;
}
