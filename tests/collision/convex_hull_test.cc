// Hulls and cylinders as shapes: mass by closed form and by sampling, bounds, rays, points inside.
#include "src/collision/convex_hull.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "src/collision/hull_mass.h"
#include "src/collision/ray_cast.h"
#include "src/collision/ray_cast_convex.h"
#include "src/collision/shape_geometry.h"
#include "tests/collision/convex_shapes.h"

namespace nowait {
namespace {

using test::CornersOfBox;
using test::HullOf;
using test::OutsideOf;
using test::Shapes;

Vec3 Sorted(Vec3 v) {
  std::array sorted = {v.x, v.y, v.z};
  std::ranges::sort(sorted);
  return {sorted[0], sorted[1], sorted[2]};
}

TEST_CASE("a hull of a box has the box's mass, its frame, and nothing is turned") {
  const Vec3 half{0.5f, 1.0f, 0.25f};
  const auto hull = HullOf(CornersOfBox(half));
  const MassProperties box = MassOf(Shape::Box(half), 700.0f);
  const MassProperties mass = MassOf(Shape::Hull(hull.get()), 700.0f);
  CHECK(mass.mass == Approx(box.mass));
  for (int axis = 0; axis < 3; ++axis) CHECK(mass.inertia[axis] == Approx(box.inertia[axis]));
  CHECK(Length(hull->centre()) < 1e-12f);
  CHECK(hull->rotation() == Quat{});
  CHECK(hull->radius() == Approx(Length(half)));
  CHECK(hull->vertices().size() == 8);
  CHECK(hull->planes().size() == 6);
}

TEST_CASE("a hull is moved to its centre and turned to its axes, and says so") {
  Random random(81);
  for (int round = 0; round < 100; ++round) {
    const Vec3 half = random.InBox({0.2f, 0.2f, 0.2f}, {1, 1, 1});
    const Quat turn = random.Rotation();
    const Vec3 by = random.InBox({-20, -20, -20}, {20, 20, 20});
    std::vector<Vec3> points = CornersOfBox(half);
    for (Vec3& point : points) point = by + Rotate(turn, point);
    const auto hull = HullOf(points);
    CAPTURE(round);
    CHECK(Length(hull->centre() - by) < 1e-4f);
    const Vec3 inertia = Sorted(hull->inertia()), box = Sorted(MassOf(Shape::Box(half), 1).inertia);
    for (int axis = 0; axis < 3; ++axis) {
      CHECK(inertia[axis] == Approx(box[axis]).epsilon(1e-4));
    }
    CHECK(LengthSquared(hull->rotation()) == Approx(1.0f).epsilon(1e-5));
    for (const Vec3& vertex : hull->vertices()) {
      const Vec3 was = hull->centre() + Rotate(hull->rotation(), vertex);
      const auto is_it = [&](Vec3 point) { return Length(point - was) < 1e-4f; };
      CHECK(std::ranges::any_of(points, is_it));
    }
    // A turn by the axes: the corners of a box along them, in some order.
    const Vec3 corner = Sorted(Abs(hull->vertices()[0])), sorted = Sorted(half);
    CHECK(Length(corner - sorted) < 1e-3f);
  }
}

TEST_CASE("a tetrahedron has the mass of the textbook, wherever it lies") {
  // Of legs 1, 2 and 3 along the axes: volume 1; the centre at a quarter of each.
  for (const Vec3 by : {Vec3{}, Vec3{300, -200, 100}}) {
    const auto faces = BuildHull(
        std::vector<Vec3>{by, by + Vec3{1, 0, 0}, by + Vec3{0, 2, 0}, by + Vec3{0, 0, 3}});
    REQUIRE(faces);
    const HullMass mass = MassOfHull(*faces);
    CHECK(mass.volume == Approx(1.0));
    CHECK(Length(mass.centre - ToDouble(by) - Double3{0.25, 0.5, 0.75}) < 1e-9);
    // The trace: twice the integral of the squared distance, 3/80 of each leg's square, times V.
    const double trace = (mass.inertia.x + mass.inertia.y) + mass.inertia.z;
    CHECK(trace == Approx(2.0 * 3.0 / 80.0 * (1 + 4 + 9)));
    CHECK(Dot(Cross(mass.axes[0], mass.axes[1]), mass.axes[2]) == Approx(1.0));
  }
}

TEST_CASE("the mass of hulls and cylinders is that of the points in them") {
  Random random(82);
  Shapes shapes;
  for (int round = 0; round < 12; ++round) {
    const ShapeKind kind = round % 3 == 0 ? ShapeKind::kCylinder : ShapeKind::kHull;
    const Shape shape = shapes.Draw(kind, random);
    const Bounds<3> box = BoundsOf(shape, {}, {});
    const Vec3 low = MinOf(box), size = MaxOf(box) - low;
    constexpr int kSamples = 60'000;
    int inside = 0;
    Double3 first, squares, products;
    for (int i = 0; i < kSamples; ++i) {
      const Vec3 p = random.InBox(low, low + size);
      if (!IsInside(p, shape, {}, {})) continue;
      ++inside;
      const Double3 d = ToDouble(p);
      first = first + d;
      squares = squares + Double3{d.x * d.x, d.y * d.y, d.z * d.z};
      products = products + Double3{d.x * d.y, d.y * d.z, d.z * d.x};
    }
    const double each = double{size.x} * size.y * size.z / kSamples;
    const MassProperties mass = MassOf(shape, 1.0f);
    const double scale = Length(ToDouble(size));
    CAPTURE(round, mass.mass, inside);
    CHECK(mass.mass == Approx(each * inside).epsilon(0.03));
    CHECK(Length(first * (1.0 / inside)) < 0.01 * scale);
    CHECK(mass.inertia.x == Approx(each * (squares.y + squares.z)).epsilon(0.04));
    CHECK(mass.inertia.y == Approx(each * (squares.x + squares.z)).epsilon(0.04));
    CHECK(mass.inertia.z == Approx(each * (squares.x + squares.y)).epsilon(0.04));
    CHECK(Length(products * (1.0 / inside)) < 0.01 * scale * scale);
  }
}

TEST_CASE("the planes of a hull touch it, and its faces lie in them, turning to the left") {
  Random random(83);
  Shapes shapes;
  for (int round = 0; round < 100; ++round) {
    const ConvexHull& hull = *shapes.Draw(ShapeKind::kHull, random).hull;
    for (std::size_t face = 0; face < hull.planes().size(); ++face) {
      const HullPlane& plane = hull.planes()[face];
      CHECK(Length(plane.normal) == Approx(1.0f).epsilon(1e-5));
      float most = -1e30f;
      for (const Vec3& vertex : hull.vertices()) {
        most = std::max(most, Dot(plane.normal, vertex) - plane.offset);
      }
      CHECK(most == 0.0f);
      const auto corners = hull.CornersOf(face);
      for (std::size_t i = 0; i < corners.size(); ++i) {
        const Vec3 a = hull.vertices()[corners[i]];
        const Vec3 b = hull.vertices()[corners[(i + 1) % corners.size()]];
        CHECK(Dot(plane.normal, a) == Approx(plane.offset).margin(1e-4));
        const Vec3 c = hull.vertices()[corners[(i + 2) % corners.size()]];
        CHECK(Dot(plane.normal, Cross(b - a, c - b)) > -1e-4f);
      }
      CHECK(hull.FaceTowards(plane.normal) == face);
    }
  }
}

TEST_CASE("the block has all of it, and a copy of it is the same") {
  const auto hull = HullOf(CornersOfBox({1, 1, 1})), same = HullOf(CornersOfBox({1, 1, 1}));
  CHECK(std::ranges::equal(hull->block(), same->block()));
  // 8 vertices, 6 planes, 7 places, 24 corners, and the header.
  CHECK(hull->block().size() > 8 * 12 + 6 * 16 + 7 * 2 + 24);
  CHECK(hull->block().size() < 400);
}

TEST_CASE("the box around a turned hull or cylinder touches it on each side") {
  Random random(84);
  Shapes shapes;
  for (int round = 0; round < 200; ++round) {
    const ShapeKind kind = round % 2 == 0 ? ShapeKind::kCylinder : ShapeKind::kHull;
    const Shape shape = shapes.Draw(kind, random);
    const Vec3 at = random.InBox({-5, -5, -5}, {5, 5, 5});
    const Placed placed(shape, at, random.Rotation());
    const Bounds<3> box = BoundsIn(shape, at, placed.rotation);
    for (int axis = 0; axis < 3; ++axis) {
      Vec3 n;
      n.Set(axis, 1.0f);
      const auto i = static_cast<std::size_t>(axis);
      CHECK(box.max[i] == Approx(test::Reach(placed, n)).margin(1e-5));
      CHECK(box.min[i] == Approx(-test::Reach(placed, -n)).margin(1e-5));
    }
  }
}

TEST_CASE("a ray meets a hull of a box as it meets the box") {
  Random random(85);
  Shapes shapes;
  int hits = 0;
  for (int round = 0; round < 500; ++round) {
    const Shape box = shapes.Draw(ShapeKind::kBox, random), hull = shapes.BoxAsHull(box.half);
    const Quat turn = random.Rotation();
    const Vec3 at = random.InBox({-1, -1, -1}, {1, 1, 1});
    const Vec3 from = random.InBox({-4, -4, -4}, {4, 4, 4});
    const RayCast ray{from, (at + random.Direction() * 0.6f - from) * 1.5f};
    const auto of_box = CastAgainstShape(ray, 1.0f, box, at, turn);
    const auto of_hull = CastAgainstShape(ray, 1.0f, hull, at, turn);
    CAPTURE(round);
    REQUIRE(of_box.has_value() == of_hull.has_value());
    if (!of_box) continue;
    ++hits;
    CHECK(of_hull->fraction == Approx(of_box->fraction).margin(1e-5));
    CHECK(Length(of_hull->normal - of_box->normal) < 1e-4f);
  }
  CHECK(hits > 60);
}

TEST_CASE("a ray meets hulls and cylinders where it first comes into them") {
  Random random(86);
  Shapes shapes;
  int hits = 0, misses = 0, begun = 0;
  for (int round = 0; round < 800; ++round) {
    const ShapeKind kind = round % 2 == 0 ? ShapeKind::kCylinder : ShapeKind::kHull;
    const Shape shape = shapes.Draw(kind, random);
    const Quat turn = random.Rotation();
    const Placed placed(shape, random.InBox({-1, -1, -1}, {1, 1, 1}), turn);
    // From a thousand kilometres away now and then (far_ray.h).
    const float far = round % 20 == 0 ? 1e8f : 1.0f;
    const Vec3 target = placed.position + random.Direction() * 0.8f;
    const Vec3 from = target + random.Direction() * (random.Between(0.0f, 4.0f) * far);
    const RayCast ray{from, (target - from) * 1.5f};
    const auto hit = CastAgainstShape(ray, 1.0f, shape, placed.position, turn);
    const auto at = [&](float t) { return ray.origin + ray.translation * t; };
    CAPTURE(round, far);
    if (far > 1.0f) {
      // At 1e8 metres a place along the ray is rounded by eight.
      if (hit) CHECK(Dot(hit->normal, ray.translation) < 0.0f);
      continue;
    }
    if (OutsideOf(placed, from) < -1e-5f) {
      ++begun;
      REQUIRE(hit);
      CHECK(hit->fraction == 0.0f);
      continue;
    }
    const float end = hit ? hit->fraction : 1.0f;
    for (int i = 0; i < 50; ++i) {
      CHECK(OutsideOf(placed, at(end * static_cast<float>(i) / 50.0f)) > -2e-5f);
    }
    if (!hit) {
      ++misses;
      continue;
    }
    ++hits;
    CHECK(std::abs(OutsideOf(placed, at(hit->fraction))) < 2e-5f);
    CHECK(Length(hit->normal) == Approx(1.0f).epsilon(1e-4));
    CHECK(Dot(hit->normal, ray.translation) < 0.0f);
    CHECK(OutsideOf(placed, at(hit->fraction) + hit->normal * 0.01f) > 0.005f);
    CHECK_FALSE(CastAgainstShape(ray, 0.99f * hit->fraction, shape, placed.position, turn));
  }
  CHECK(hits > 200);
  CHECK(misses > 100);
  CHECK(begun > 20);
}

TEST_CASE("rays along the sides of a cylinder, and without length") {
  const auto cast = [](Vec3 from, Vec3 way) {
    return CastAgainstCylinder({from, way}, 1, 1, 0.5f);
  };
  const auto down = cast({0.2f, 3, 0}, {0, -4, 0});
  REQUIRE(down);
  CHECK(down->fraction == Approx(0.5f));
  CHECK(down->normal == Vec3{0, 1, 0});
  const auto across = cast({-2, 0.5f, 0}, {4, 0, 0});
  REQUIRE(across);
  CHECK(across->fraction == Approx(0.375f));
  CHECK(across->normal.x == Approx(-1.0f));
  CHECK_FALSE(cast({0.6f, 3, 0}, {0, -4, 0}));
  CHECK_FALSE(cast({0, 3, 0}, {0, 4, 0}));
  CHECK_FALSE(cast({-2, 1.1f, 0}, {4, 0, 0}));
  CHECK_FALSE(cast({2, 0, 0}, {}));
  REQUIRE(cast({0.1f, 0.1f, 0}, {}));
  CHECK(cast({0.1f, 0.1f, 0}, {})->fraction == 0.0f);
  // Through the rim, above the side.
  CHECK_FALSE(cast({-1, 1.4f, 0}, {1, 0.2f, 0}));
}

TEST_CASE("sizes of cylinders and missing hulls are refused by name") {
  const auto subject = [](const Shape& shape) {
    const auto valid = Validate(shape);
    return std::string_view(valid ? "" : valid.error().subject);
  };
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  CHECK(subject(Shape::Cylinder(1, 1)).empty());
  for (const float bad : {0.0f, -1.0f, kNaN, 20'000.0f, 0.0005f}) {
    CHECK(subject(Shape::Cylinder(bad, 1)) == "half height");
    CHECK(subject(Shape::Cylinder(1, bad)) == "radius");
  }
  CHECK(subject(Shape::Hull(nullptr)) == "hull");
}

}  // namespace
}  // namespace nowait
