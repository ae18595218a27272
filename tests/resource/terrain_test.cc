#include "src/resource/terrain.h"

#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "src/resource/elevation.h"

namespace nowait {
namespace {

// 12 x 12 posts, 96 and 64 m apart, whose heights the function gives by row and column.
template <class F>
Elevation Made(F height) {
  Elevation elevation;
  elevation.rows = elevation.columns = 12;
  elevation.row_spacing = 96.0f;
  elevation.column_spacing = 64.0f;
  elevation.north = 10.0;
  elevation.west = 20.0;
  elevation.row_degrees = 0.5;
  elevation.column_degrees = 0.25;
  for (int row = 0; row < 12; ++row) {
    for (int column = 0; column < 12; ++column) {
      elevation.posts.push_back(static_cast<std::int16_t>(height(row, column)));
    }
  }
  return elevation;
}

int Rough(int row, int column) { return (row * 7919 + column * 104'729) % 97; }

TEST_CASE("the ground passes through every post of the window") {
  const Elevation elevation = Made(Rough);
  // From post (1, 2), 384 m to a side: posts are 48 and 32 samples apart.
  const auto terrain =
      ResampleWindow(elevation, {.south = 96.0f, .east = 128.0f, .cells = 192, .cell_size = 2.0f});
  REQUIRE(terrain);
  CHECK(terrain->side == 193);
  CHECK(terrain->half_size() == 192.0f);
  for (std::uint32_t row = 0; row <= 4; ++row) {
    for (std::uint32_t column = 0; column <= 6; ++column) {
      CHECK(terrain->At(48 * row, 32 * column) - terrain->sea_level ==
            Approx(elevation.At(1 + row, 2 + column)).margin(1e-4));
    }
  }
}

TEST_CASE("a plane stays a plane between the posts") {
  const auto terrain =
      ResampleWindow(Made([](int row, int column) { return 500 + 6 * row - 4 * column; }),
                     {.south = 200.0f, .east = 130.0f, .cells = 100, .cell_size = 1.5f});
  REQUIRE(terrain);
  for (std::uint32_t row = 0; row < terrain->side; ++row) {
    for (std::uint32_t column = 0; column < terrain->side; ++column) {
      const double south = 200.0 + 1.5 * row;
      const double east = 130.0 + 1.5 * column;
      CHECK(terrain->At(row, column) - terrain->sea_level ==
            Approx(500.0 + 6.0 * south / 96.0 - 4.0 * east / 64.0).margin(1e-4));
    }
  }
}

TEST_CASE("the slope has no jump, at the posts as little as between them") {
  const auto terrain = ResampleWindow(
      Made(Rough), {.south = 96.0f, .east = 128.0f, .cells = 384, .cell_size = 1.0f});
  REQUIRE(terrain);
  // The slope over one cell may change by the second derivative times the cell, no more: at most
  // about 5 * 97 m / (64 m)^2 per metre here. A kink at a post would be a change of the order of 1.
  for (std::uint32_t column = 1; column + 1 < terrain->side; ++column) {
    const float bend = terrain->At(200, column - 1) - 2.0f * terrain->At(200, column) +
                       terrain->At(200, column + 1);
    CHECK(std::abs(bend) < 0.25f);
  }
}

TEST_CASE("the lowest sample is at zero and the middle is known") {
  const auto terrain =
      ResampleWindow(Made(Rough), {.south = 96.0f, .east = 128.0f, .cells = 96, .cell_size = 2.0f});
  REQUIRE(terrain);
  float lowest = 1e9f;
  for (const float height : terrain->heights) lowest = std::min(lowest, height);
  CHECK(lowest == 0.0f);
  CHECK(terrain->north == Approx(10.0 - 0.5 * 2.0));
  CHECK(terrain->west == Approx(20.0 + 0.25 * 3.5));
}

TEST_CASE("windows that cannot be are refused") {
  const Elevation elevation = Made(Rough);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const TerrainWindow windows[] = {
      {.south = 0.0f, .east = 128.0f},                                    // no post north of it
      {.south = 96.0f, .east = 0.0f},                                     // none west of it
      {.south = 96.0f, .east = 128.0f, .cells = 434, .cell_size = 2.0f},  // none south of it
      {.south = -1e9f, .east = 128.0f},
      {.south = nan, .east = 128.0f},
      {.south = 96.0f, .east = 128.0f, .cells = 0},
      {.south = 96.0f, .east = 128.0f, .cells = 2049},
      {.south = 96.0f, .east = 128.0f, .cells = 10, .cell_size = 0.0f},
      {.south = 96.0f, .east = 128.0f, .cells = 10, .cell_size = nan},
      {.south = 96.0f, .east = 128.0f, .cells = 10, .cell_size = 1e30f},
  };
  for (const TerrainWindow& window : windows) {
    const auto terrain = ResampleWindow(elevation, window);
    REQUIRE_FALSE(terrain);
    CHECK(terrain.error().code == ErrorCode::kInvalidArgument);
    CHECK(std::string(terrain.error().subject) == "terrain window");
  }
}

std::string Complaint(const Elevation& elevation, const TerrainWindow& window) {
  const auto terrain = ResampleWindow(elevation, window);
  return terrain ? "" : terrain.error().detail;
}

TEST_CASE("a refused window says whether its cells or its place are the reason") {
  const Elevation elevation = Made(Rough);
  const float below = std::nextafter(0.01f, 0.0f);
  const TerrainWindow good{.south = 96.0f, .east = 128.0f, .cells = 10, .cell_size = 0.01f};
  const auto with = [&good](auto TerrainWindow::*field, auto value) {
    TerrainWindow window = good;
    window.*field = value;
    return window;
  };
  CHECK(Complaint(elevation, good).empty());
  CHECK(Complaint(elevation, with(&TerrainWindow::cell_size, below)) ==
        "its cells are smaller than 1 cm");
  CHECK(Complaint(elevation, with(&TerrainWindow::cells, 0u)) ==
        "its cells are not between 1 and 2048 along a side");
  CHECK(Complaint(elevation, with(&TerrainWindow::cells, 1u)).empty());
  CHECK(Complaint(elevation, with(&TerrainWindow::cells, 2'048u)).empty());
  CHECK(Complaint(elevation, with(&TerrainWindow::cells, 2'049u)) ==
        "its cells are not between 1 and 2048 along a side");
  CHECK(Complaint(elevation, with(&TerrainWindow::south, 95.9f)) ==
        "it is not inside the measured posts");
}

TEST_CASE("a window begins at the second post at the earliest, and ends before the last but one") {
  const Elevation elevation = Made(Rough);
  // Posts are 96 m apart southwards, 64 m eastwards: the last but one are at 960 and 640 m.
  const auto complaint = [&](float south, float east, std::uint32_t cells) {
    return Complaint(elevation, {.south = south, .east = east, .cells = cells, .cell_size = 1.0f});
  };
  const std::string outside = "it is not inside the measured posts";
  CHECK(complaint(96.0f, 64.0f, 100).empty());
  CHECK(complaint(95.99f, 64.0f, 100) == outside);
  CHECK(complaint(96.0f, 63.99f, 100) == outside);
  CHECK(complaint(859.0f, 64.0f, 100).empty());
  CHECK(complaint(860.0f, 64.0f, 100) == outside);
  CHECK(complaint(96.0f, 539.0f, 100).empty());
  CHECK(complaint(96.0f, 540.0f, 100) == outside);
}

TEST_CASE("each direction has its own number of posts") {
  Elevation elevation = Made(Rough);
  elevation.rows = 6;
  elevation.columns = 24;  // as many posts as before
  // Farther east than there are rows, and no farther south.
  const TerrainWindow window{.south = 96.0f, .east = 1'000.0f, .cells = 100, .cell_size = 2.0f};
  CHECK(Complaint(elevation, window).empty());
  std::swap(elevation.rows, elevation.columns);
  CHECK(Complaint(elevation, window) == "it is not inside the measured posts");
}

TEST_CASE("heights go from north to south, and in a row from west to east") {
  // Only one post is higher than the sea: the third of its row, in the fourth row.
  const auto terrain =
      ResampleWindow(Made([](int row, int column) { return row == 3 && column == 2 ? 50 : 0; }),
                     {.south = 96.0f, .east = 64.0f, .cells = 8, .cell_size = 32.0f});
  REQUIRE(terrain);
  REQUIRE(terrain->side == 9);
  CHECK(terrain->cell_size == 32.0f);
  REQUIRE(terrain->heights.size() == 81);
  const auto highest = std::max_element(terrain->heights.begin(), terrain->heights.end());
  CHECK(highest - terrain->heights.begin() == 9 * 6 + 2);  // 192 m south, 64 m east
  CHECK(terrain->At(6, 2) == *highest);
  CHECK(*highest == Approx(50.0 + terrain->sea_level));
}

TEST_CASE("measured ground gives the same heights everywhere") {
  const auto elevation = LoadElevation("assets/terrain/jacksboro.elevation");
  REQUIRE(elevation);
  const auto terrain = ResampleWindow(
      *elevation, {.south = 10'000.0f, .east = 20'000.0f, .cells = 128, .cell_size = 1.5f});
  REQUIRE(terrain);
  std::uint64_t sum = 0;
  for (const float height : terrain->heights) {
    sum = sum * 31 + std::bit_cast<std::uint32_t>(height);
  }
  CHECK(sum == 0xf022'9fcb'6fe0'5743);  // as seen with both compilers
}

TEST_CASE("squares that are neighbours have their common border in common, to the bit") {
  const Elevation elevation = Made(Rough);
  // The sides are no multiples of the posts' distances, and the cells no binary fractions.
  const double side = 100.1;
  const auto square = [&](double south, double east, std::uint32_t cells) {
    const auto heights =
        ResampleSquare(elevation, {.south = south, .east = east, .side = side, .cells = cells});
    REQUIRE(heights);
    REQUIRE(heights->size() == std::size_t{cells + 1} * (cells + 1));
    return *heights;
  };
  const double south = 130.3, east = 90.7;
  const std::uint32_t cells = 7;
  const auto here = square(south, east, cells);
  const auto to_the_south = square(south + side, east, cells);
  const auto to_the_east = square(south, east + side, cells);
  for (std::uint32_t i = 0; i <= cells; ++i) {
    CAPTURE(i);
    CHECK(here[cells * (cells + 1) + i] == to_the_south[i]);
    CHECK(here[i * (cells + 1) + cells] == to_the_east[i * (cells + 1)]);
  }
}

TEST_CASE("a square is in metres above the sea, from north to south, as its places are") {
  const Elevation elevation = Made(Rough);
  const auto heights =
      ResampleSquare(elevation, {.south = 96.0, .east = 64.0, .side = 192.0, .cells = 6});
  REQUIRE(heights);
  for (std::uint32_t row = 0; row <= 6; ++row) {
    for (std::uint32_t column = 0; column <= 6; ++column) {
      CAPTURE(row, column);
      const auto there = HeightAt(elevation, 96.0 + 32.0 * row, 64.0 + 32.0 * column);
      REQUIRE(there);
      CHECK((*heights)[7 * row + column] == Approx(*there).margin(1e-4));
      if (row % 3 != 0 || column % 2 != 0) continue;
      CHECK(*there == Approx(elevation.At(1 + row / 3, 1 + column / 2)).margin(1e-4));
    }
  }
}

TEST_CASE("a square and a place are bounded as a window is") {
  const Elevation elevation = Made(Rough);
  const auto complaint = [&](const TerrainSquare& square) {
    const auto heights = ResampleSquare(elevation, square);
    return heights ? std::string() : std::string(heights.error().detail);
  };
  const std::string outside = "it is not inside the measured posts";
  const std::string count = "its cells are not between 1 and 2048 along a side";
  CHECK(complaint({.south = 96, .east = 64, .side = 100, .cells = 1}).empty());
  CHECK(complaint({.south = 95.99, .east = 64, .side = 100, .cells = 1}) == outside);
  CHECK(complaint({.south = 96, .east = 63.99, .side = 100, .cells = 1}) == outside);
  CHECK(complaint({.south = 859.9, .east = 539.9, .side = 100, .cells = 1}).empty());
  CHECK(complaint({.south = 860, .east = 64, .side = 100, .cells = 1}) == outside);
  CHECK(complaint({.south = 96, .east = 540, .side = 100, .cells = 1}) == outside);
  CHECK(complaint({.south = 96, .east = 64, .side = 100, .cells = 0}) == count);
  CHECK(complaint({.south = 96, .east = 64, .side = 100, .cells = 2'048}).empty());
  CHECK(complaint({.south = 96, .east = 64, .side = 100, .cells = 2'049}) == count);
  CHECK(complaint({.south = 96, .east = 64, .side = 0.01, .cells = 1}).empty());
  CHECK(complaint({.south = 96, .east = 64, .side = 0.0199, .cells = 2}) ==
        "its cells are smaller than 1 cm");
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  CHECK(complaint({.south = 96, .east = kNaN, .side = 100, .cells = 1}) == outside);
  for (const auto& [south, east] :
       {std::pair{95.9, 64.0}, {96.0, 63.9}, {960.0, 64.0}, {96.0, 640.0}, {kNaN, 64.0}}) {
    CAPTURE(south, east);
    const auto height = HeightAt(elevation, south, east);
    REQUIRE_FALSE(height);
    CHECK(height.error() ==
          Error{ErrorCode::kInvalidArgument, "terrain window", 0, outside.c_str()});
  }
  CHECK(HeightAt(elevation, 959.9, 639.9));
}

}  // namespace
}  // namespace nowait
