#include "src/resource/elevation.h"

#include <zlib.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace nowait {
namespace {

using Bytes = std::vector<std::byte>;

template <class T>
void Put(Bytes& bytes, std::size_t offset, T value) {
  std::memcpy(bytes.data() + offset, &value, sizeof value);
}

// Makes the checksum right again after a change.
void Seal(Bytes& bytes) {
  const std::size_t covered = bytes.size() - 4;
  Put(bytes, covered,
      static_cast<std::uint32_t>(
          crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(covered))));
}

// A sound file of 4 x 5 posts, 100 and 80 m apart; a post's height is 10 * row + column.
Bytes Sound() {
  Bytes bytes(60 + 2 * 4 * 5 + 4);
  std::memcpy(bytes.data(), "NOWAITEL", 8);
  Put(bytes, 8, std::uint32_t{1});
  Put(bytes, 12, std::uint32_t{4});
  Put(bytes, 16, std::uint32_t{5});
  Put(bytes, 20, 100.0f);
  Put(bytes, 24, 80.0f);
  Put(bytes, 28, 36.5);
  Put(bytes, 36, -84.25);
  Put(bytes, 44, 0.0009);
  Put(bytes, 52, 0.0008);
  for (int i = 0; i < 20; ++i) {
    Put(bytes, 60 + 2 * static_cast<std::size_t>(i),
        static_cast<std::int16_t>(10 * (i / 5) + i % 5));
  }
  Seal(bytes);
  return bytes;
}

// The loader's error for damaged bytes; empty when it takes them.
std::string Complaint(const Bytes& bytes) {
  const auto elevation = ParseElevation(bytes);
  if (elevation) return "";
  CHECK(elevation.error().code == ErrorCode::kCorrupt);
  return ToString(elevation.error());
}

TEST_CASE("a sound file is read as it was written") {
  const auto elevation = ParseElevation(Sound());
  REQUIRE(elevation);
  CHECK(elevation->rows == 4);
  CHECK(elevation->columns == 5);
  CHECK(elevation->row_spacing == 100.0f);
  CHECK(elevation->column_spacing == 80.0f);
  CHECK(elevation->north == 36.5);
  CHECK(elevation->west == -84.25);
  CHECK(elevation->row_degrees == 0.0009);
  CHECK(elevation->column_degrees == 0.0008);
  CHECK(elevation->At(0, 0) == 0);
  CHECK(elevation->At(3, 4) == 34);
}

TEST_CASE("every prefix of a sound file is refused") {
  const Bytes sound = Sound();
  for (std::size_t length = 0; length < sound.size(); ++length) {
    CHECK_FALSE(Complaint(Bytes(sound.begin(), sound.begin() + static_cast<long>(length))).empty());
  }
  CHECK(Complaint(Bytes(sound.begin(), sound.begin() + 30)) ==
        "terrain file is damaged: it is cut off in its header");
  CHECK(Complaint(Bytes(sound.begin(), sound.end() - 1)) ==
        "terrain file is damaged: it is shorter than its header says");
}

TEST_CASE("every flipped bit is noticed") {
  const Bytes sound = Sound();
  for (std::size_t i = 0; i < sound.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      Bytes damaged = sound;
      damaged[i] ^= static_cast<std::byte>(1 << bit);
      CHECK_FALSE(Complaint(damaged).empty());
    }
  }
}

TEST_CASE("each kind of damage is named") {
  Bytes bytes = Sound();
  SECTION("another kind of file") {
    std::memcpy(bytes.data(), "\x89PNG\r\n\x1a\n", 8);
    CHECK(Complaint(bytes) ==
          "terrain file is damaged: it does not begin as an elevation file does");
  }
  SECTION("another version") {
    Put(bytes, 8, std::uint32_t{2});
    Seal(bytes);
    CHECK(Complaint(bytes) == "terrain file is damaged: its version is not 1");
  }
  SECTION("sizes that are too small, too large, or whose product would overflow") {
    for (const std::uint32_t side : {0u, 3u, 16385u, 0x8000'0000u, 0xffff'ffffu}) {
      for (const std::size_t offset : {12, 16}) {
        Bytes absurd = bytes;
        Put(absurd, offset, side);
        Seal(absurd);
        CHECK(Complaint(absurd) ==
              "terrain file is damaged: rows or columns are not between 4 and 16384");
      }
    }
  }
  SECTION("sizes within the limits that promise more than there is") {
    Put(bytes, 12, std::uint32_t{16384});
    Seal(bytes);
    CHECK(Complaint(bytes) == "terrain file is damaged: it is shorter than its header says");
  }
  SECTION("something after the end") {
    bytes.push_back(std::byte{0});
    CHECK(Complaint(bytes) == "terrain file is damaged: it is longer than its header says");
  }
  SECTION("a damaged post") {
    bytes[64] ^= std::byte{1};
    CHECK(Complaint(bytes) == "terrain file is damaged: its checksum does not match");
  }
  SECTION("a spacing that cannot be") {
    for (const float spacing : {0.0f, -1.0f, 1e6f, std::numeric_limits<float>::quiet_NaN(),
                                std::numeric_limits<float>::infinity()}) {
      Put(bytes, 20, spacing);
      Seal(bytes);
      CHECK(Complaint(bytes) ==
            "terrain file is damaged: its spacing is not between 0.01 m and 10 km");
    }
  }
  SECTION("a place that cannot be") {
    for (const double latitude : {91.0, std::numeric_limits<double>::quiet_NaN()}) {
      Put(bytes, 28, latitude);
      Seal(bytes);
      CHECK(Complaint(bytes) == "terrain file is damaged: its place is not on the globe");
    }
  }
}

// Sound but for one field.
template <class T>
std::string ComplaintWith(std::size_t offset, T value) {
  Bytes bytes = Sound();
  Put(bytes, offset, value);
  Seal(bytes);
  return Complaint(bytes);
}

TEST_CASE("a spacing may be 1 cm and 10 km in either direction, and nothing beyond") {
  const float below = std::nextafter(0.01f, 0.0f);
  const float above = std::nextafter(10'000.0f, 20'000.0f);
  for (const std::size_t offset : {20, 24}) {
    CAPTURE(offset);
    CHECK(ComplaintWith(offset, 0.01f).empty());
    CHECK(ComplaintWith(offset, 10'000.0f).empty());
    for (const float spacing : {below, above, -80.0f, std::numeric_limits<float>::quiet_NaN()}) {
      CAPTURE(spacing);
      CHECK(ComplaintWith(offset, spacing) ==
            "terrain file is damaged: its spacing is not between 0.01 m and 10 km");
    }
  }
}

TEST_CASE(
    "a place may be at a pole or at the date line, with steps of one degree, and no further") {
  const struct {
    std::size_t offset;
    double limit;
  } fields[] = {{28, 90.0}, {36, 180.0}, {44, 1.0}, {52, 1.0}};
  for (const auto& [offset, limit] : fields) {
    CAPTURE(offset);
    for (const double sign : {-1.0, 1.0}) {
      CHECK(ComplaintWith(offset, sign * limit).empty());
      CHECK(ComplaintWith(offset, sign * std::nextafter(limit, 1000.0)) ==
            "terrain file is damaged: its place is not on the globe");
    }
    CHECK(ComplaintWith(offset, std::numeric_limits<double>::quiet_NaN()) ==
          "terrain file is damaged: its place is not on the globe");
  }
}

// Posts by the thousand, as the format has them.
Bytes WithPosts(std::uint32_t rows, std::uint32_t columns, std::int16_t first, std::int16_t last) {
  const std::size_t count = std::size_t{rows} * columns;
  Bytes bytes(60 + 2 * count + 4);
  const Bytes sound = Sound();
  std::copy(sound.begin(), sound.begin() + 60, bytes.begin());
  Put(bytes, 12, rows);
  Put(bytes, 16, columns);
  Put(bytes, 60, first);
  Put(bytes, bytes.size() - 6, last);
  Seal(bytes);
  return bytes;
}

TEST_CASE("the smallest grid and the longest side are read, with heights below the sea") {
  for (const auto& [rows, columns] : {std::pair{4u, 4u}, {4u, 16'384u}, {16'384u, 4u}}) {
    CAPTURE(rows, columns);
    const auto elevation = ParseElevation(WithPosts(rows, columns, -32'768, -11));
    REQUIRE(elevation);
    CHECK(elevation->rows == rows);
    CHECK(elevation->columns == columns);
    CHECK(elevation->posts.size() == std::size_t{rows} * columns);
    CHECK(elevation->At(0, 0) == -32'768);
    CHECK(elevation->At(rows - 1, columns - 1) == -11);
    CHECK(elevation->At(0, columns - 1) == 0);
  }
}

TEST_CASE("a file that is longer than any of this kind is refused for its length") {
  const char* const root = std::getenv("TEST_TMPDIR");
  const std::string path = std::string(root == nullptr ? "/tmp" : root) + "/long.elevation";
  constexpr std::int64_t kLongest = 60 + 2 * 16'384ll * 16'384 + 4;
  std::ofstream(path).close();
  std::filesystem::resize_file(path, kLongest + 1);
  const auto loaded = LoadElevation(path);
  std::filesystem::remove(path);
  REQUIRE_FALSE(loaded);
  CHECK(loaded.error() == Error{ErrorCode::kCapacity, "terrain file", kLongest, "bytes of a file"});
}

TEST_CASE("files that are missing or no files are errors") {
  const auto missing = LoadElevation("no/such/file.elevation");
  REQUIRE_FALSE(missing);
  CHECK(missing.error().code == ErrorCode::kNotFound);
  CHECK(ToString(missing.error()) == "terrain file not found: No such file or directory");

  const auto folder = LoadElevation(".");
  REQUIRE_FALSE(folder);
  CHECK(ToString(folder.error()) ==
        "terrain file: input or output failed (errno 21): Is a directory");

  const auto endless = LoadElevation("/dev/zero");
  REQUIRE_FALSE(endless);
  CHECK(ToString(endless.error()) == "terrain file is damaged: not a regular file");
}

TEST_CASE("the measured ground that the repository ships is sound") {
  const auto elevation = LoadElevation("assets/terrain/jacksboro.elevation");
  REQUIRE(elevation);
  CHECK(elevation->rows == 344);
  CHECK(elevation->columns == 403);
  CHECK(elevation->row_spacing == Approx(92.47).epsilon(1e-3));
  CHECK(elevation->column_spacing == Approx(74.57).epsilon(1e-3));
  const auto [low, high] = std::minmax_element(elevation->posts.begin(), elevation->posts.end());
  CHECK(*low == 236);
  CHECK(*high == 1076);
}

}  // namespace
}  // namespace nowait
