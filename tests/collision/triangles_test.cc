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

TEST_CASE("a box that is no box has no triangles") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Shape sphere = Shape::Sphere(1);
  CHECK(TrianglesOf(sphere, {}, {}, {{nan, 0, 0}, {1, 1, 1}}).empty());
  CHECK(TrianglesOf(sphere, {}, {}, {{0, 0, 0}, {1, nan, 1}}).empty());
  CHECK(TrianglesOf(sphere, {}, {}, {{2, -2, -2}, {-2, 2, 2}}).empty());
  CHECK(TrianglesOf(sphere, {}, {}, Bounds<3>::Empty()).empty());
}

}  // namespace
}  // namespace nowait
