#include "src/resource/elevation.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace nowait {
namespace {

static_assert(std::endian::native == std::endian::little, "the file is read as it lies");

constexpr std::string_view kMagic = "NOWAITEL";
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kHeaderBytes = 60;
constexpr std::size_t kChecksumBytes = 4;
constexpr std::size_t kMaxBytes = kHeaderBytes +
                                  sizeof(std::int16_t) * Elevation::kMaxSide * Elevation::kMaxSide +
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

class File {
 public:
  explicit File(const std::string& path)
      : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~File() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  int descriptor() const { return descriptor_; }

 private:
  const int descriptor_;
};

// The whole file, unless it is longer than any that could be right.
Result<std::vector<std::byte>> ReadWhole(const std::string& path) {
  const File file(path);
  if (file.descriptor() < 0) {
    if (errno == ENOENT) return Fail(ErrorCode::kNotFound, "terrain file");
    return Fail(ErrorCode::kIo, "terrain file", errno, std::strerror(errno));
  }
  struct stat status;
  if (::fstat(file.descriptor(), &status) != 0) {
    return Fail(ErrorCode::kIo, "terrain file", errno, std::strerror(errno));
  }
  // A pipe or a device may never end.
  if (!S_ISREG(status.st_mode)) return Damaged("not a regular file");
  if (static_cast<std::uint64_t>(status.st_size) > kMaxBytes) return Damaged("far too long");
  std::vector<std::byte> bytes(static_cast<std::size_t>(status.st_size));
  std::size_t have = 0;
  while (have < bytes.size()) {
    const ssize_t got = ::read(file.descriptor(), bytes.data() + have, bytes.size() - have);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Fail(ErrorCode::kIo, "terrain file", errno, std::strerror(errno));
    if (got == 0) break;  // it became shorter meanwhile; what is there will be found too short
    have += static_cast<std::size_t>(got);
  }
  bytes.resize(have);
  return bytes;
}

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
  // After the checksum: a file that is whole can still have been made wrongly.
  if (!IsSpacing(elevation.row_spacing) || !IsSpacing(elevation.column_spacing)) {
    return Damaged("its spacing is not between 0.01 m and 10 km");
  }
  if (!IsWithin(elevation.north, 90.0) || !IsWithin(elevation.west, 180.0) ||
      !IsWithin(elevation.row_degrees, 1.0) || !IsWithin(elevation.column_degrees, 1.0)) {
    return Damaged("its place is not on the globe");
  }
  elevation.posts.resize(count);
  std::memcpy(elevation.posts.data(), bytes.data() + kHeaderBytes, count * sizeof(std::int16_t));
  return elevation;
}

Result<Elevation> LoadElevation(const std::string& path) {
  const auto bytes = ReadWhole(path);
  if (!bytes) return std::unexpected(bytes.error());
  return ParseElevation(*bytes);
}

}  // namespace nowait
