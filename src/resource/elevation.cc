#include "src/resource/elevation.h"

#include <zlib.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <string_view>
#include <type_traits>

#include "src/base/as_corrupt.h"
#include "src/base/or_no_memory.h"
#include "src/resource/file.h"

namespace nowait {
namespace {

static_assert(std::endian::native == std::endian::little, "the file is read as it lies");

constexpr std::string_view kMagic = "NOWAITEL";
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kHeaderBytes = 60;
constexpr std::size_t kChecksumBytes = 4;
constexpr std::size_t kMostBytes =
    kHeaderBytes + sizeof(std::int16_t) * Elevation::kMaxSide * Elevation::kMaxSide +
    kChecksumBytes;

std::unexpected<Error> Damaged(const char* detail) {
  return Fail(ErrorCode::kCorrupt, "terrain file", 0, detail);
}

// The caller has checked that the bytes are there.
template <class T>
T ReadAt(std::span<const std::byte> bytes, std::size_t offset) {
  static_assert(std::is_trivially_copyable_v<T>);
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

bool IsSide(std::uint32_t posts) {
  return Elevation::kMinSide <= posts && posts <= Elevation::kMaxSide;
}

// Also false for NaN.
bool IsSpacing(float metres) { return 0.01f <= metres && metres <= 10'000.0f; }

bool IsWithin(double degrees, double limit) { return std::abs(degrees) <= limit; }

}  // namespace

Result<Elevation> ParseElevation(std::span<const std::byte> bytes) {
  if (bytes.size() < kMagic.size() ||
      std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) != 0) {
    return Damaged("it does not begin as an elevation file does");
  }
  if (bytes.size() < kHeaderBytes + kChecksumBytes) return Damaged("it is cut off in its header");
  if (ReadAt<std::uint32_t>(bytes, 8) != kVersion) return Damaged("its version is not 1");

  Elevation elevation;
  elevation.rows = ReadAt<std::uint32_t>(bytes, 12);
  elevation.columns = ReadAt<std::uint32_t>(bytes, 16);
  elevation.row_spacing = ReadAt<float>(bytes, 20);
  elevation.column_spacing = ReadAt<float>(bytes, 24);
  elevation.north = ReadAt<double>(bytes, 28);
  elevation.west = ReadAt<double>(bytes, 36);
  elevation.row_degrees = ReadAt<double>(bytes, 44);
  elevation.column_degrees = ReadAt<double>(bytes, 52);
  if (!IsSide(elevation.rows) || !IsSide(elevation.columns)) {
    return Damaged("rows or columns are not between 4 and 16384");
  }
  const std::size_t count = std::size_t{elevation.rows} * elevation.columns;
  const std::size_t length = kHeaderBytes + count * sizeof(std::int16_t) + kChecksumBytes;
  if (bytes.size() < length) return Damaged("it is shorter than its header says");
  if (bytes.size() > length) return Damaged("it is longer than its header says");

  const std::size_t covered = length - kChecksumBytes;
  const uLong checksum = ::crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), covered);
  if (ReadAt<std::uint32_t>(bytes, covered) != checksum) {
    return Damaged("its checksum does not match");
  }
  // After the checksum: even an intact file may have been written wrongly.
  if (!IsSpacing(elevation.row_spacing) || !IsSpacing(elevation.column_spacing)) {
    return Damaged("its spacing is not between 0.01 m and 10 km");
  }
  if (!IsWithin(elevation.north, 90.0) || !IsWithin(elevation.west, 180.0) ||
      !IsWithin(elevation.row_degrees, 1.0) || !IsWithin(elevation.column_degrees, 1.0)) {
    return Damaged("its place is not on the globe");
  }
  return OrNoMemory([&]() -> Result<Elevation> {
    elevation.posts.resize(count);
    std::memcpy(elevation.posts.data(), bytes.data() + kHeaderBytes, count * sizeof(std::int16_t));
    return std::move(elevation);
  });
}

Result<Elevation> LoadElevation(const std::string& path) {
  const auto bytes = ReadFile(path, kMostBytes);
  if (bytes) return ParseElevation(*bytes);
  // The subject of a file's errors is its path, which may no longer exist when this error is used.
  Error error = bytes.error();
  error.subject = "terrain file";
  return AsCorrupt(error);
}

}  // namespace nowait
