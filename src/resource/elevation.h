// Elevation: a grid of measured heights, and its file format.
//
// The file, little-endian, with nothing between the fields:
//
//   offset  size  field
//        0     8  "NOWAITEL"
//        8     4  version, unsigned: 1
//       12     4  rows, unsigned, 4 .. 16384; the first row is the northernmost
//       16     4  columns, unsigned, 4 .. 16384; the first column is the westernmost
//       20     4  metres from row to row, float
//       24     4  metres from column to column, float
//       28     8  latitude of the first row in degrees, double
//       36     8  longitude of the first column in degrees, double
//       44     8  degrees of latitude from row to row, double, positive southwards
//       52     8  degrees of longitude from column to column, double, positive eastwards
//       60     2  for each post, row by row: metres above sea level, signed
//      end     4  CRC-32 (that of zlib) of all bytes before it
//
// Files come from outside, so every field is checked before its use, and the checksum before the
// posts are used. assets/terrain/convert.py writes such files.
//
// Thread safety: a grid is a value. Blocking: LoadElevation reads a file. Test:
// tests/resource/elevation_test.cc.
#ifndef NOWAIT_SRC_RESOURCE_ELEVATION_H_
#define NOWAIT_SRC_RESOURCE_ELEVATION_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "src/base/result.h"

namespace nowait {

struct Elevation {
  static constexpr std::uint32_t kMinSide = 4;  // for an interpolation between posts
  static constexpr std::uint32_t kMaxSide = 16384;

  std::uint32_t rows = 0;
  std::uint32_t columns = 0;
  float row_spacing = 0.0f;     // metres, southwards
  float column_spacing = 0.0f;  // metres, eastwards
  double north = 0.0;           // degrees, of the first row
  double west = 0.0;            // degrees, of the first column
  double row_degrees = 0.0;     // from row to row, southwards
  double column_degrees = 0.0;  // from column to column, eastwards
  std::vector<std::int16_t> posts;

  std::int16_t At(std::uint32_t row, std::uint32_t column) const {
    return posts[std::size_t{row} * columns + column];
  }
};

// kCorrupt, with the reason as its detail: not such a file, another version, a size or a spacing
// outside the limits, too short, too long, or a wrong checksum. kCapacity "memory".
Result<Elevation> ParseElevation(std::span<const std::byte> bytes);

// kNotFound, kIo, kCapacity (longer than any such file, or than memory permits), or an error of
// ParseElevation; `subject` is "terrain file". kCorrupt for anything but a regular file; it does
// not wait for a pipe.
Result<Elevation> LoadElevation(const std::string& path);

}  // namespace nowait

#endif  // NOWAIT_SRC_RESOURCE_ELEVATION_H_
