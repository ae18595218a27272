// Terrain: a square window of measured ground, resampled finely enough for bodies to rest on.
//
// Elevation posts are some 90 m apart, and bodies are about 1 m large. A window of a few posts is
// therefore resampled to cells of 1 to 2 m by bicubic Catmull-Rom interpolation: a cubic along each
// of four rows, then one across them. It was chosen because it passes through every post (a
// B-spline would not), and because the slope has no jump at a post. A bilinear interpolation has
// such jumps, which a rolling body would feel.
//
// At the posts the ground is as measured, and everything between them is interpolated: the data has
// no ditch, rock or bank smaller than the distance between two posts, and no such detail is added.
//
// Coordinates: x east, y up, z south, in metres. The origin is the window's middle, and y is 0 at
// the lowest sample, so that the numbers near the ground are small and floats are at their best.
//
// Thread safety: a terrain is a value. The arithmetic is done in double, in a fixed order and
// without libm, so the same file gives the same heights everywhere.
// Source: Catmull and Rom, "A class of local interpolating splines" (1974).
// Test: tests/resource/terrain_test.cc.
#ifndef NOWAIT_SRC_RESOURCE_TERRAIN_H_
#define NOWAIT_SRC_RESOURCE_TERRAIN_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/base/result.h"
#include "src/resource/elevation.h"

namespace nowait {

struct TerrainWindow {
  float south = 0.0f;         // metres from the first row to the window's northern edge
  float east = 0.0f;          // metres from the first column to the window's western edge
  std::uint32_t cells = 128;  // along each side, 1 .. Terrain::kMaxCells
  float cell_size = 1.5f;     // metres
};

struct Terrain {
  static constexpr std::uint32_t kMaxCells = 2048;

  std::uint32_t side = 0;      // samples along each side: cells + 1
  float cell_size = 0.0f;      // metres
  float sea_level = 0.0f;      // y of sea level: minus the elevation of the lowest sample
  double north = 0.0;          // degrees, of the window's middle
  double west = 0.0;           // degrees, of the window's middle
  std::vector<float> heights;  // y by row (north to south) and column (west to east)

  float At(std::uint32_t row, std::uint32_t column) const {
    return heights[std::size_t{row} * side + column];
  }
  // Half the window's side: x and z run from -half_size() to half_size().
  float half_size() const { return 0.5f * cell_size * static_cast<float>(side - 1); }
};

// kInvalidArgument if the window begins north or west of the second post, or does not end before
// the last but one, or if it has no cells, too many, or cells smaller than 1 cm. kCapacity
// "memory".
Result<Terrain> ResampleWindow(const Elevation& elevation, const TerrainWindow& window);

// A square of a larger terrain. Squares that are neighbours have the samples of their common border
// in common, to the bit, if their edges are the same numbers.
struct TerrainSquare {
  double south = 0.0;  // metres from the first row to the northern edge
  double east = 0.0;   // metres from the first column to the western edge
  double side = 0.0;   // metres
  std::uint32_t cells = 1;
};

// Metres above sea level of (cells + 1) x (cells + 1) samples, by row and column. kInvalidArgument
// as for a window; kCapacity "memory".
Result<std::vector<float>> ResampleSquare(const Elevation& elevation, const TerrainSquare& square);

// Metres above sea level of one place. kInvalidArgument as for a window.
Result<float> HeightAt(const Elevation& elevation, double south, double east);

}  // namespace nowait

#endif  // NOWAIT_SRC_RESOURCE_TERRAIN_H_
