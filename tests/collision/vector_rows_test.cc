// The furthest of many vectors against a scan one after the other.
#include "src/collision/vector_rows.h"

#include <catch2/catch.hpp>
#include <cstddef>
#include <limits>
#include <vector>

#include "src/math/random.h"

namespace nowait {
namespace {

template <class Direction, class Widen>
std::size_t Scan(const std::vector<Vec3>& vectors, const Direction& direction, Widen widen) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < vectors.size(); ++i) {
    if (Dot(direction, widen(vectors[i])) > Dot(direction, widen(vectors[best]))) best = i;
  }
  return best;
}

void Compare(const std::vector<Vec3>& vectors, const Double3& direction) {
  const VectorRows rows(vectors);
  CHECK(rows.FurthestIn(direction) == Scan(vectors, direction, [](Vec3 v) { return ToDouble(v); }));
  const Vec3 in_floats = ToFloat(direction);
  CHECK(rows.FurthestIn(in_floats) == Scan(vectors, in_floats, [](Vec3 v) { return v; }));
}

TEST_CASE("the furthest is that of a scan, for every number of vectors") {
  Random random(3);
  for (std::size_t count = 1; count <= 512; count += count < 40 ? 1 : 59) {
    std::vector<Vec3> vectors;
    while (vectors.size() < count) vectors.push_back(random.InBox({-2, -2, -2}, {2, 2, 2}));
    for (int i = 0; i < 50; ++i) {
      const Vec3 n = random.Direction();
      Compare(vectors, ToDouble(n) * (i % 3 == 0 ? 1e-9 : 1e3));
    }
  }
}

// The corners of a grid: many products are equal, and more are equal in floats alone.
TEST_CASE("of equal products the first is taken, and of nearly equal ones the larger") {
  std::vector<Vec3> grid;
  for (int i = 0; i < 125; ++i) {
    const auto at = [](int n) { return static_cast<float>(n % 5) - 2.0f; };
    grid.push_back({at(i), at(i / 5), at(i / 25)});
  }
  for (const Double3 direction :
       {Double3{1, 0, 0}, Double3{0, -1, 0}, Double3{1, 1, 0}, Double3{-1, 1, 1}, Double3{0, 0, 0},
        Double3{1, 1e-9, 0}, Double3{1, -1e-9, 1e-12}, Double3{1e-30, 1e-38, -1e-38},
        Double3{1e30, 1e21, -1e20}, Double3{-0.0, 1e-300, 0}}) {
    CAPTURE(direction.x, direction.y, direction.z);
    Compare(grid, direction);
  }
}

TEST_CASE("doubles tell vectors apart that nearly coincide") {
  Random random(4);
  for (int round = 0; round < 100; ++round) {
    std::vector<Vec3> near;
    const Vec3 middle = random.InBox({-100, -100, -100}, {100, 100, 100});
    while (near.size() < 40) {
      near.push_back(middle + random.InBox({-1e-4f, -1e-4f, -1e-4f}, {1e-4f, 1e-4f, 1e-4f}));
    }
    Compare(near, ToDouble(random.Direction()));
  }
}

TEST_CASE("a direction that is no number gives the first") {
  const VectorRows rows(std::vector<Vec3>{{1, 2, 3}, {4, 5, 6}});
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  CHECK(rows.FurthestIn(Double3{kNaN, 0, 0}) == 0);
  CHECK(rows.FurthestIn(Double3{kNaN, kNaN, kNaN}) == 0);
  CHECK(rows.FurthestIn(Vec3{std::numeric_limits<float>::quiet_NaN(), 0, 0}) == 0);
}

}  // namespace
}  // namespace nowait
