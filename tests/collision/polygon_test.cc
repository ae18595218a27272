// Clipping: what stays, where the cuts are, and the names of the vertices.
#include "src/collision/polygon.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <vector>

#include "src/math/random.h"

namespace nowait {
namespace {

// Counter-clockwise round the origin of the plane of x and z.
Polygon Square(float half) {
  Polygon square;
  square.Add({half, 0, half});
  square.Add({-half, 0, half});
  square.Add({-half, 0, -half});
  square.Add({half, 0, -half});
  return square;
}

// Twice the area: by the shoelace formula.
float Area(const Polygon& polygon) {
  Vec3 sum;
  for (std::uint32_t i = 0; i < polygon.count(); ++i) {
    sum += Cross(polygon[i].position, polygon[(i + 1) % polygon.count()].position);
  }
  return Length(sum);
}

TEST_CASE("a polygon inside the plane stays as it is, and one outside is gone") {
  Polygon square = Square(1);
  square.Clip({1, 0, 0}, 1.5f, 0);
  REQUIRE(square.count() == 4);
  for (std::uint32_t i = 0; i < 4; ++i) {
    CHECK(square[i].feature == i);
    CHECK(square[i].edge == i);
  }
  square.Clip({1, 0, 0}, 1.0f, 1);  // a side on the plane
  CHECK(square.count() == 4);
  square.Clip({1, 0, 0}, -1.5f, 2);
  CHECK(square.count() == 0);
  square.Clip({1, 0, 0}, 0, 3);
  CHECK(square.count() == 0);
}

TEST_CASE("a cut lies on the plane and on its edge, and is named after both") {
  Polygon square = Square(1);
  square.Clip({1, 0, 0}, 0.25f, 2);
  REQUIRE(square.count() == 4);
  std::set<std::uint32_t> features;
  for (std::uint32_t i = 0; i < 4; ++i) {
    CHECK(square[i].position.x <= 0.25f);
    CHECK(std::abs(square[i].position.z) == 1);
    features.insert(square[i].feature);
  }
  // Edge 0 leaves the half space backwards, edge 2 forwards: 16 + 4 * edge + plane.
  CHECK(features == std::set<std::uint32_t>{1, 2, 16 + 4 * 0 + 2, 16 + 4 * 2 + 2});
  CHECK(Area(square) == Approx(2 * 1.25f * 2));
}

TEST_CASE(
    "the edge behind a cut is the plane's where the cut leaves, and its own where it comes in") {
  Polygon square = Square(1);
  square.Clip({1, 0, 0}, 0.25f, 2);
  for (std::uint32_t i = 0; i < square.count(); ++i) {
    const PolygonVertex& vertex = square[i];
    CAPTURE(i, vertex.feature);
    if (vertex.feature == 16 + 4 * 2 + 2) CHECK(vertex.edge == 4 + 2);
    if (vertex.feature == 16 + 4 * 0 + 2) CHECK(vertex.edge == 0);
  }
}

TEST_CASE(
    "four planes leave at most eight vertices, with different names below 64, in both halves") {
  Random random(13);
  for (int round = 0; round < 2000; ++round) {
    CAPTURE(round);
    Polygon polygon = Square(1);
    std::vector<std::pair<Vec3, float>> planes;
    for (std::uint32_t plane = 0; plane < 4 && polygon.count() > 0; ++plane) {
      const Vec3 d = random.Direction();
      planes.emplace_back(NormaliseOr({d.x, 0, d.z}, {1, 0, 0}), random.Between(0.0f, 1.2f));
      polygon.Clip(planes.back().first, planes.back().second, plane);
      std::set<std::uint32_t> features;
      for (std::uint32_t i = 0; i < polygon.count(); ++i) {
        REQUIRE(polygon[i].feature < 64);
        REQUIRE(features.insert(polygon[i].feature).second);
        for (const auto& [normal, offset] : planes) {
          REQUIRE(Dot(normal, polygon[i].position) <= offset + 1e-5f);
        }
      }
      REQUIRE(polygon.count() <= Polygon::kMaxVertices);
    }
    // All of the square that is within the planes is left: the corners of it at least.
    const Polygon square = Square(1);
    for (std::uint32_t i = 0; i < 4; ++i) {
      const bool within = std::ranges::all_of(planes, [&](const auto& plane) {
        return Dot(plane.first, square[i].position) <= plane.second;
      });
      bool is_left = false;
      for (std::uint32_t k = 0; k < polygon.count(); ++k) is_left |= polygon[k].feature == i;
      REQUIRE(is_left == within);
    }
  }
}

}  // namespace
}  // namespace nowait
