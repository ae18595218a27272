// Hulls of points: against every triple of few points, and by the definition of a hull for points
// of every kind, degenerate ones included.
#include "src/collision/quickhull.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "src/math/double3.h"
#include "src/math/quat.h"
#include "src/math/random.h"

namespace nowait {
namespace {

float SizeOf(const std::vector<Vec3>& points) {
  Vec3 low = points[0], high = points[0];
  for (const Vec3& point : points) {
    low = Min(low, point);
    high = Max(high, point);
  }
  const Vec3 size = high - low;
  return std::max({size.x, size.y, size.z});
}

// The plane of a face, from the three corners that span most.
std::pair<Double3, double> PlaneOf(const HullFaces& hull, std::size_t face) {
  const auto corners = hull.CornersOf(face);
  const auto at = [&](std::size_t i) { return ToDouble(hull.vertices[corners[i]]); };
  Double3 sum;
  for (std::size_t i = 2; i < corners.size(); ++i) {
    sum = sum + Cross(at(i - 1) - at(0), at(i) - at(0));
  }
  const Double3 normal = sum * (1.0 / Length(sum));
  return {normal, Dot(normal, at(0))};
}

// A hull is a closed convex surface around all points, whose corners are some of them.
// tolerance: in metres.
void CheckHull(const std::vector<Vec3>& points, const HullFaces& hull, double tolerance) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
  std::vector<int> faces_at(hull.vertices.size());
  for (std::size_t face = 0; face < hull.count(); ++face) {
    const auto corners = hull.CornersOf(face);
    REQUIRE(corners.size() >= 3);
    for (std::size_t i = 0; i < corners.size(); ++i) {
      ++edges[{corners[i], corners[(i + 1) % corners.size()]}];
      ++faces_at[corners[i]];
    }
    const auto [normal, offset] = PlaneOf(hull, face);
    for (const Vec3& point : points) CHECK(Dot(normal, ToDouble(point)) - offset < tolerance);
    for (const std::uint32_t corner : corners) {
      const double height = Dot(normal, ToDouble(hull.vertices[corner])) - offset;
      CHECK(std::abs(height) < tolerance);
    }
  }
  for (const auto& [edge, times] : edges) {
    REQUIRE(times == 1);
    REQUIRE(edges.contains({edge.second, edge.first}));
  }
  // Euler: a sphere, in one piece.
  CHECK(hull.vertices.size() + hull.count() == edges.size() / 2 + 2);
  CHECK(*std::ranges::min_element(faces_at) >= 3);
  for (const Vec3& vertex : hull.vertices) {
    CHECK(std::ranges::find(points, vertex) != points.end());
  }
}

std::vector<Vec3> Lattice(int side) {
  std::vector<Vec3> points;
  for (int i = 0; i < side * side * side; ++i) {
    const float step = 2.0f / static_cast<float>(side - 1);
    points.push_back(Vec3{static_cast<float>(i % side), static_cast<float>(i / side % side),
                          static_cast<float>(i / side / side)} *
                         step -
                     Vec3{1, 1, 1});
  }
  return points;
}

TEST_CASE(
    "a cube has eight vertices and six faces of four corners, whatever lies in it and on it") {
  Random random(71);
  for (int round = 0; round < 60; ++round) {
    std::vector<Vec3> points = Lattice(2 + round % 4);
    const bool is_turned = round % 3 != 0, is_far = round % 3 == 2;
    const Quat turn = is_turned ? random.Rotation() : Quat{};
    const Vec3 by = is_far ? random.InBox({-500, -500, -500}, {500, 500, 500}) : Vec3{};
    for (Vec3& point : points) point = by + Rotate(turn, point);
    points.insert(points.end(), points.begin(), points.begin() + 5);  // twice
    const auto hull = BuildHull(points);
    CAPTURE(round);
    REQUIRE(hull);
    CHECK(hull->vertices.size() == 8);
    CHECK(hull->count() == 6);
    for (std::size_t face = 0; face < hull->count(); ++face) {
      CHECK(hull->CornersOf(face).size() == 4);
    }
    CheckHull(points, *hull, is_far ? 2e-3 : 1e-4);
  }
}

TEST_CASE("the faces of few points are the triples that have all points on one side") {
  Random random(72);
  for (int round = 0; round < 100; ++round) {
    std::vector<Vec3> points;
    for (int i = 0; i < 11; ++i) points.push_back(random.InBox({-1, -1, -1}, {1, 1, 1}));
    std::set<std::set<std::uint32_t>> truth;
    for (std::uint32_t i = 0; i < points.size(); ++i) {
      for (std::uint32_t j = i + 1; j < points.size(); ++j) {
        for (std::uint32_t k = j + 1; k < points.size(); ++k) {
          const Double3 from = ToDouble(points[i]);
          const Double3 normal = Cross(ToDouble(points[j]) - from, ToDouble(points[k]) - from);
          int above = 0, below = 0;
          for (std::uint32_t m = 0; m < points.size(); ++m) {
            if (m == i || m == j || m == k) continue;
            (Dot(normal, ToDouble(points[m]) - from) > 0.0 ? above : below) += 1;
          }
          if (above == 0 || below == 0) truth.insert({i, j, k});
        }
      }
    }
    const auto hull = BuildHull(points);
    REQUIRE(hull);
    std::set<std::set<std::uint32_t>> found;
    for (std::size_t face = 0; face < hull->count(); ++face) {
      std::set<std::uint32_t> corners;
      for (const std::uint32_t corner : hull->CornersOf(face)) {
        const auto at = std::ranges::find(points, hull->vertices[corner]) - points.begin();
        corners.insert(static_cast<std::uint32_t>(at));
      }
      found.insert(corners);
    }
    CAPTURE(round);
    CHECK(found == truth);
  }
}

// Points of many kinds: on a lattice, on a ball, nearly flat, in clusters, on few lines, far away.
std::vector<Vec3> AnyPoints(Random& random, int round) {
  std::vector<Vec3> points;
  const std::uint32_t count = 4 + random.Below(80);
  const float size = round % 5 == 0 ? 100.0f : round % 5 == 1 ? 0.01f : 1.0f;
  const float thin = round % 7 == 0 ? 0.001f : 1.0f;
  const Quat turn = random.Below(2) == 0 ? Quat{} : random.Rotation();
  const Vec3 by = random.Below(4) == 0 ? random.Direction() * (50.0f * size) : Vec3{};
  for (std::uint32_t i = 0; i < count; ++i) {
    Vec3 p;
    switch (round % 6) {
      case 0:
        p = random.InBox({-1, -1, -1}, {1, 1, 1});
        break;
      case 1:
        p = random.Direction();
        break;
      case 2:
        p = Vec3{static_cast<float>(random.Below(4)), static_cast<float>(random.Below(4)),
                 static_cast<float>(random.Below(4))};
        break;
      case 3:  // in clusters, whose members nearly coincide
        p = Vec3{static_cast<float>(random.Below(2)), static_cast<float>(random.Below(2)),
                 static_cast<float>(random.Below(2))} +
            random.Direction() * (random.Below(2) == 0 ? 1e-6f : 1e-3f);
        break;
      case 4:  // a prism: many points of two planes
        p = random.Direction();
        p = NormaliseOr({p.x, 0, p.z}, {1, 0, 0}) + Vec3{0, random.Below(2) == 0 ? 1.0f : -1.0f, 0};
        break;
      default:  // on the edges of a cube
        p = Vec3{random.Between(-1, 1), random.Below(2) == 0 ? 1.0f : -1.0f,
                 random.Below(2) == 0 ? 1.0f : -1.0f};
        if (random.Below(2) == 0) std::swap(p.x, p.y);
    }
    points.push_back(by + Rotate(turn, Vec3{p.x, p.y * thin, p.z}) * size);
  }
  return points;
}

TEST_CASE("any points have a hull around them, or are refused as flat") {
  Random random(73);
  int built = 0, flat = 0;
  for (int round = 0; round < 1500; ++round) {
    const std::vector<Vec3> points = AnyPoints(random, round);
    const auto hull = BuildHull(points);
    CAPTURE(round, points.size());
    if (!hull) {
      CHECK(hull.error().code == ErrorCode::kInvalidArgument);
      ++flat;
      continue;
    }
    ++built;
    Vec3 farthest;
    for (const Vec3& point : points) farthest = Max(farthest, Abs(point));
    const double rounding = 1e-6 * std::max({farthest.x, farthest.y, farthest.z});
    // Sharp edges, of sets a thousandth as thick as wide, lose more.
    const double lost = round % 7 == 0 ? 5e-3 : 5e-5;
    CheckHull(points, *hull, lost * SizeOf(points) + 4.0 * rounding);
  }
  CHECK(built > 1000);
  CHECK(flat > 0);
}

TEST_CASE("what has no hull is refused by name and element") {
  const auto refused = [](const std::vector<Vec3>& points) {
    const auto hull = BuildHull(points);
    REQUIRE(!hull);
    CHECK(std::string_view(hull.error().subject) == "points");
    CHECK(hull.error().code == ErrorCode::kInvalidArgument);
    return hull.error();
  };
  CHECK(refused({}).amount == 0);
  CHECK(refused({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}).amount == 3);
  CHECK(refused(std::vector<Vec3>(kMaxHullPoints + 1)).amount == kMaxHullPoints + 1);
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInfinite = std::numeric_limits<float>::infinity();
  for (const float bad : {kNaN, kInfinite, -kInfinite, 10'001.0f}) {
    std::vector<Vec3> points = Lattice(2);
    points[5].y = bad;
    CHECK(refused(points).amount == 5);
  }
  const auto detail = [&](const std::vector<Vec3>& points) {
    return std::string_view(refused(points).detail);
  };
  CHECK(detail(std::vector<Vec3>(9, Vec3{1, 2, 3})) == "all within a millimetre");
  std::vector<Vec3> line, plane;
  for (int i = 0; i < 20; ++i) {
    const auto step = static_cast<float>(i);
    line.push_back({step, 2 * step, -step});
    plane.push_back({step, static_cast<float>(i * i % 7), 1});
  }
  CHECK(detail(line) == "all nearly in one plane");
  CHECK(detail(plane) == "all nearly in one plane");
  plane.push_back({3, 3, 1.0001f});
  CHECK(detail(plane) == "all nearly in one plane");

  Random random(74);
  std::vector<Vec3> ball;
  for (int i = 0; i < 3000; ++i) ball.push_back(random.Direction());
  const auto round = BuildHull(ball);
  REQUIRE(!round);
  CHECK(round.error() ==
        Error{ErrorCode::kCapacity, "hull vertices", 255, "give fewer points of a round shape"});
}

}  // namespace
}  // namespace nowait
