// Which of many contact points are kept.
#include "src/collision/reduce.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <set>
#include <vector>

#include "src/math/quat.h"
#include "src/math/random.h"

namespace nowait {
namespace {

using Points = std::vector<ContactPoint>;

std::set<std::uint32_t> Kept(Points points) {
  Manifold manifold;
  Reduce(points, manifold);
  std::set<std::uint32_t> features;
  for (const ContactPoint& point : manifold.points()) features.insert(point.feature);
  REQUIRE(features.size() == manifold.count());
  return features;
}

// A grid of side * side points, 1 apart, all as deep; features row by row.
Points Level(std::uint32_t side, float separation = -0.01f) {
  Points points;
  for (std::uint32_t i = 0; i < side * side; ++i) {
    points.push_back({{static_cast<float>(i % side), 0, static_cast<float>(i / side)},
                      {0, 1, 0},
                      separation,
                      i});
  }
  return points;
}

TEST_CASE("up to four points of one normal are all kept, with all that they carry") {
  for (std::uint32_t count = 0; count <= 4; ++count) {
    const Points all = Level(2);
    Points points(all.begin(), all.begin() + count);
    Manifold manifold;
    Reduce(points, manifold);
    REQUIRE(manifold.count() == count);
    for (const ContactPoint& point : manifold.points()) {
      const ContactPoint& given = all[point.feature];
      CHECK(point.position == given.position);
      CHECK(point.normal == given.normal);
      CHECK(point.separation == given.separation);
    }
  }
}

TEST_CASE("of a level side the corners are kept, in whatever order the points come") {
  Random random(14);
  for (int round = 0; round < 50; ++round) {
    Points points = Level(4);
    for (std::uint32_t i = 16; i-- > 1;) std::swap(points[i], points[random.Below(i + 1)]);
    CHECK(Kept(points) == std::set<std::uint32_t>{0, 3, 12, 15});
  }
}

TEST_CASE("the deepest point is kept, wherever it lies and comes") {
  for (std::uint32_t deepest = 0; deepest < 16; ++deepest) {
    CAPTURE(deepest);
    Points points = Level(4);
    points[deepest].separation = -0.05f;
    const std::set<std::uint32_t> kept = Kept(points);
    CHECK(kept.size() == 4);
    CHECK(kept.contains(deepest));
  }
}

TEST_CASE("points that are deeper by a rounding do not take the corners' places") {
  Points points = Level(4);
  points[5].separation -= 1e-4f;
  CHECK(Kept(points) == std::set<std::uint32_t>{0, 3, 12, 15});
}

TEST_CASE("points on two slopes are kept as two groups of four, the deeper slope first") {
  const Quat tilt = FromAxisAngle({0, 0, 1}, 0.3f);
  Points points = Level(3, -0.01f);
  for (ContactPoint point : Level(3, -0.03f)) {
    point.normal = Rotate(tilt, point.normal);
    point.position.x += 10;
    point.feature += 100;
    points.push_back(point);
  }
  Manifold manifold;
  Reduce(points, manifold);
  REQUIRE(manifold.count() == 8);
  std::set<std::uint32_t> features;
  for (std::uint32_t i = 0; i < 8; ++i) {
    const std::uint32_t feature = manifold.points()[i].feature;
    CHECK((feature >= 100) == (i < 4));
    features.insert(feature);
  }
  CHECK(features == std::set<std::uint32_t>{0, 2, 6, 8, 100, 102, 106, 108});
}

TEST_CASE("normals that differ by less than six degrees are one group, by more two") {
  for (const float degrees : {5.0f, 6.5f}) {
    CAPTURE(degrees);
    Points points = Level(3);
    for (ContactPoint point : Level(3)) {
      point.normal = Rotate(FromAxisAngle({1, 0, 0}, degrees * 0.01745329f), point.normal);
      point.position.y += 0.001f;
      point.feature += 100;
      points.push_back(point);
    }
    CHECK(Kept(points).size() == (degrees < 6 ? 4 : 8));
  }
}

TEST_CASE("three slopes fill a manifold with the points of the two deepest") {
  Points points;
  for (std::uint32_t slope = 0; slope < 3; ++slope) {
    for (ContactPoint point : Level(2, -0.01f * static_cast<float>(slope + 1))) {
      point.normal = Rotate(FromAxisAngle({0, 0, 1}, 0.4f * static_cast<float>(slope)), {0, 1, 0});
      point.feature += 100 * slope;
      points.push_back(point);
    }
  }
  CHECK(Kept(points) == std::set<std::uint32_t>{100, 101, 102, 103, 200, 201, 202, 203});
}

}  // namespace
}  // namespace nowait
