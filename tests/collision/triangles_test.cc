// The triangles of shapes, against the shapes themselves: volumes, rays and boxes.
#include "src/collision/triangles.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "src/collision/height_field.h"
#include "src/collision/shape_geometry.h"
#include "src/math/random.h"
#include "tests/collision/convex_shapes.h"
#include "tests/collision/meshes.h"

namespace nowait {
namespace {

using Corners = std::array<Vec3, 3>;

std::vector<Corners> TrianglesOf(const Shape& shape, Vec3 position, Quat rotation,
                                 const Bounds<3>& box = Bounds<3>::Everywhere()) {
  std::vector<Corners> all;
  VisitTriangles(shape, position, rotation, box, [&](Vec3 a, Vec3 b, Vec3 c) {
    all.push_back({a, b, c});
  });
  return all;
}

// Of a closed surface, by the divergence theorem; positive only if it is seen from outside.
double VolumeOf(const std::vector<Corners>& triangles, Vec3 from) {
  double volume = 0;
  for (const auto& [a, b, c] : triangles) {
    volume += static_cast<double>(Dot(a - from, Cross(b - from, c - from))) / 6.0;
  }
  return volume;
}

// The sum of the areas' normals of a closed surface is zero.
double Opening(const std::vector<Corners>& triangles) {
  double x = 0, y = 0, z = 0, area = 0;
  for (const auto& [a, b, c] : triangles) {
    const Vec3 normal = Cross(b - a, c - a);
    x += normal.x;
    y += normal.y;
    z += normal.z;
    area += Length(normal);
  }
  return std::sqrt(x * x + y * y + z * z) / area;
}

TEST_CASE("the triangles of a convex shape close around it, as near as is said") {
  const std::uint64_t seed = GENERATE(1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u);
  CAPTURE(seed);
  Random random(seed);
  test::Shapes shapes;
  for (const ShapeKind kind : test::kConvex) {
    CAPTURE(static_cast<int>(kind));
    const Shape shape = shapes.Draw(kind, random, 3.0f);
    const Vec3 position = random.InBox({-20, -20, -20}, {20, 20, 20});
    const Quat rotation = random.Rotation();
    const std::vector<Corners> triangles = TrianglesOf(shape, position, rotation);
    CHECK(Opening(triangles) < 1e-5);
    const double volume = VolumeOf(triangles, position);
    const double exact = MassOf(shape, 1.0f).mass;
    if (shape.radius == 0.0f) {
      CHECK(volume == Approx(exact).epsilon(1e-3));
    } else {
      CHECK(volume > exact);
      CHECK(volume < exact * std::pow(1.0 + kRoundError, 3));
    }
    const Placed placed(shape, position, rotation);
    double farthest = 0.0;
    for (const auto& [a, b, c] : triangles) {
      // The whole shape is below the plane of each triangle, and the corners are near it.
      const Vec3 normal = NormaliseOr(Cross(b - a, c - a), {});
      CHECK(Dot(a, normal) > test::Reach(placed, normal) - 1e-4);
      for (const Vec3 corner : {a, b, c}) {
        farthest = std::max<double>(farthest, test::OutsideOf(placed, corner));
      }
    }
    CHECK(farthest < kRoundError * shape.radius + 1e-4);
  }
}

TEST_CASE("a box takes the triangles that touch it, and leaves the others") {
  const std::uint64_t seed = GENERATE(11u, 12u, 13u, 14u);
  CAPTURE(seed);
  Random random(seed);
  test::Shapes shapes;
  for (const ShapeKind kind : test::kConvex) {
    const Shape shape = shapes.Draw(kind, random, 2.0f);
    const Quat rotation = random.Rotation();
    const Vec3 low = random.InBox({-2, -2, -2}, {1, 1, 1});
    const Bounds<3> box{{low.x, low.y, low.z}, {low.x + 1, low.y + 1, low.z + 1}};
    std::size_t touching = 0;
    for (const Corners& triangle : TrianglesOf(shape, {}, rotation)) {
      Bounds<3> around = Bounds<3>::Empty();
      for (const Vec3 v : triangle) around.Include({{v.x, v.y, v.z}, {v.x, v.y, v.z}});
      if (Overlaps(around, box)) ++touching;
    }
    CHECK(TrianglesOf(shape, {}, rotation, box).size() == touching);
  }
}

TEST_CASE("the triangles of a field are those of its cells in the box") {
  Random random(21);
  std::vector<float> heights(20 * 30);
  for (float& height : heights) height = random.Between(-3, 3);
  const auto field = std::move(
      *HeightField::Create({.columns = 20, .rows = 30, .spacing = 1.5f, .heights = heights}));
  const Vec3 position{-1000.25f, 5.0f, 700.5f};
  const Shape shape = Shape::Ground(field.get());
  CHECK(TrianglesOf(shape, position, {}).size() == 19 * 29 * 2);
  for (int turn = 0; turn < 50; ++turn) {
    // Some boxes end at the border of a cell.
    const float whole = turn % 2 == 0 ? 0.0f : random.Between(0, 1);
    const Vec3 at =
        position + Vec3{1.5f * static_cast<float>(random.Below(25)) - 4.5f + whole,
                        random.Between(-4, 3), 1.5f * static_cast<float>(random.Below(40)) - 4.5f};
    const Bounds<3> box{{at.x, at.y, at.z}, {at.x + 4.5f, at.y + 1, at.z + 3}};
    std::size_t touching = 0;
    for (std::uint32_t k = 0; k < 29; ++k) {
      for (std::uint32_t i = 0; i < 19; ++i) {
        for (std::uint32_t which = 0; which < 2; ++which) {
          Bounds<3> around = Bounds<3>::Empty();
          for (const Vec3 vertex : field->TriangleAt(i, k, which).vertices) {
            const Vec3 v = position + vertex;
            around.Include({{v.x, v.y, v.z}, {v.x, v.y, v.z}});
          }
          if (Overlaps(around, box)) ++touching;
        }
      }
    }
    CHECK(TrianglesOf(shape, position, {}, box).size() == touching);
  }
}

// Whether one of some points of the triangle is in the box.
bool ReachesInto(const Bounds<3>& box, const Corners& triangle) {
  constexpr int kSteps = 40;
  for (int i = 0; i <= kSteps; ++i) {
    for (int j = 0; i + j <= kSteps; ++j) {
      const float u = static_cast<float>(i) / kSteps, v = static_cast<float>(j) / kSteps;
      const Vec3 p =
          triangle[0] + (triangle[1] - triangle[0]) * u + (triangle[2] - triangle[0]) * v;
      if (Overlaps(box, ToBounds(p, p))) return true;
    }
  }
  return false;
}

TEST_CASE("a mesh has its triangles in the box, wherever it stands and however it is turned") {
  const std::uint64_t seed = GENERATE(31u, 32u, 33u, 34u);
  CAPTURE(seed);
  Random random(seed);
  const auto mesh = test::MeshOf(test::Soup(500, 0.6f, seed));
  const Shape shape = Shape::Mesh(mesh.get());
  const float far = seed % 2 == 0 ? 5000.0f : 3.0f;
  const Vec3 position = random.InBox({-far, -far, -far}, {far, far, far});
  const Quat rotation = seed == 31 ? Quat{} : random.Rotation();
  const std::vector<Corners> all = TrianglesOf(shape, position, rotation);
  REQUIRE(all.size() == mesh->triangles());
  const Mat3 frame = ToMatrix(rotation);
  for (std::uint32_t id = 0; id < mesh->triangles(); ++id) {
    const std::array<Vec3, 3> places = mesh->PlacesOf(id);
    for (std::size_t i = 0; i < 3; ++i) CHECK(all[id][i] == position + frame * places[i]);
  }
  std::size_t found = 0;
  for (int turn = 0; turn < 60; ++turn) {
    const Vec3 low = position + random.InBox({-1.5f, -1.5f, -1.5f}, {1, 1, 1});
    const Vec3 high = low + random.InBox({0.05f, 0.05f, 0.05f}, {1, 1, 1});
    Bounds<3> box = ToBounds(low, high);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      // Open on some sides, as a cell of navigation is above and below.
      if (turn % 4 == 1) box.min[axis] = axis == 1 ? -kLargeFloat : box.min[axis];
      if (turn % 4 == 2) box.max[axis] = std::numeric_limits<float>::infinity();
      if (turn % 4 == 3 && axis != 1) {
        box.min[axis] = -std::numeric_limits<float>::infinity();
        box.max[axis] = std::numeric_limits<float>::infinity();
      }
    }
    const std::vector<Corners> inside = TrianglesOf(shape, position, rotation, box);
    found += inside.size();
    std::size_t next = 0;  // those of the box are some of all, in the same order
    for (const Corners& triangle : all) {
      const bool is_there = next < inside.size() && inside[next] == triangle;
      if (is_there) ++next;
      const auto& [a, b, c] = triangle;
      const Bounds<3> around = ToBounds(Min(a, Min(b, c)), Max(a, Max(b, c)));
      if (is_there) {
        CHECK(Overlaps(around, box));
      } else {
        CHECK_FALSE(ReachesInto(box, triangle));
      }
    }
    CHECK(next == inside.size());
  }
  CHECK(found > 1000);
}

TEST_CASE("a box that is no box has no triangles") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Shape sphere = Shape::Sphere(1);
  CHECK(TrianglesOf(sphere, {}, {}, {{nan, 0, 0}, {1, 1, 1}}).empty());
  CHECK(TrianglesOf(sphere, {}, {}, {{0, 0, 0}, {1, nan, 1}}).empty());
  CHECK(TrianglesOf(sphere, {}, {}, {{2, -2, -2}, {-2, 2, 2}}).empty());
  CHECK(TrianglesOf(sphere, {}, {}, Bounds<3>::Empty()).empty());
  const auto mesh = test::MeshOf(test::Sheet(2, 1.0f));
  const Shape sheet = Shape::Mesh(mesh.get());
  CHECK(TrianglesOf(sheet, {}, {}, {{0, -1, 0}, {1, nan, 1}}).empty());
  CHECK(TrianglesOf(sheet, {}, {}, Bounds<3>::Empty()).empty());
}

}  // namespace
}  // namespace nowait
