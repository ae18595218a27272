#include "src/apps/demo/contours.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstddef>

namespace nowait {
namespace {

template <class F>
Terrain Made(std::uint32_t side, F height) {
  Terrain terrain;
  terrain.side = side;
  terrain.cell_size = 1.0f;
  for (std::uint32_t row = 0; row < side; ++row) {
    for (std::uint32_t column = 0; column < side; ++column) {
      terrain.heights.push_back(static_cast<float>(height(row, column)));
    }
  }
  return terrain;
}

TEST_CASE("a slope has one line, straight across") {
  const auto lines = TraceContours(Made(6, [](auto row, auto) { return 2.0 * row; }), 5.0);
  REQUIRE(lines.size() == 1);
  CHECK_FALSE(lines[0].closed);
  REQUIRE(lines[0].points.size() == 6);
  for (std::size_t i = 0; i < 6; ++i) CHECK(lines[0].points[i].row == Approx(2.5));
  CHECK(std::abs(lines[0].points.front().column - lines[0].points.back().column) == 5.0);
}

TEST_CASE("a hill has a closed line around it, whose points are at the level") {
  const auto height = [](double row, double column) {
    return 100.0 - (row - 10) * (row - 10) - (column - 10) * (column - 10);
  };
  const auto lines = TraceContours(Made(21, height), 70.5);
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].closed);
  for (const MapPoint& point : lines[0].points) {
    CHECK(std::hypot(point.row - 10, point.column - 10) == Approx(std::sqrt(29.5)).epsilon(0.01));
  }
  // Neighbours lie on edges of the same cell.
  for (std::size_t i = 1; i < lines[0].points.size(); ++i) {
    CHECK(std::abs(lines[0].points[i].row - lines[0].points[i - 1].row) <= 1.0);
    CHECK(std::abs(lines[0].points[i].column - lines[0].points[i - 1].column) <= 1.0);
  }
}

TEST_CASE("a saddle is crossed by two lines that do not meet") {
  const auto lines =
      TraceContours(Made(2, [](auto row, auto column) { return row == column ? 1.0 : -1.0; }), 0.0);
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].points.size() == 2);
  CHECK(lines[1].points.size() == 2);
}

TEST_CASE("levels above and below the ground have no lines") {
  const Terrain terrain = Made(5, [](auto row, auto column) { return double(row + column); });
  CHECK(TraceContours(terrain, -1.0).empty());
  CHECK(TraceContours(terrain, 8.0).empty());
}

TEST_CASE("a line is at its level between samples, and two hills have a line each") {
  const auto lines = TraceContours(Made(9,
                                        [](auto row, auto column) {
                                          const bool hill =
                                              row == 2 && (column == 2 || column == 6);
                                          return hill ? 4.0 : 0.0;
                                        }),
                                   1.0);
  REQUIRE(lines.size() == 2);
  for (const ContourLine& line : lines) {
    CHECK(line.closed);
    REQUIRE(line.points.size() >= 4);
    for (const MapPoint& point : line.points) {
      // A quarter of the way up is a quarter of the way to the top.
      const double column = std::abs(point.column - (point.column < 4 ? 2 : 6));
      CHECK(std::abs(point.row - 2) + column == Approx(0.75));
    }
  }
}

}  // namespace
}  // namespace nowait
