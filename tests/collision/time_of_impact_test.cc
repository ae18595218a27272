// Time of impact: closed forms, and its promise on ways at random, sampled with the closest points.
#include "src/collision/time_of_impact.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <memory>
#include <vector>

#include "src/collision/closest_points.h"
#include "src/collision/convex_hull.h"
#include "src/collision/height_field.h"
#include "src/collision/triangle_mesh.h"
#include "src/math/random.h"
#include "tests/collision/meshes.h"

namespace nowait {
namespace {

Mover MoverOf(const Shape& shape, const Sweep& sweep) { return {&shape, RadiiOf(shape), sweep}; }

float DistanceAt(const Mover& a, const Mover& b, float fraction) {
  const auto placed = [&](const Mover& of) {
    return Placed(*of.shape, of.sweep.PositionAt(fraction), of.sweep.RotationAt(fraction));
  };
  return FindClosestPoints(placed(a), placed(b), 1e6f)->distance;
}

TEST_CASE("a sweep has its own ends, and bounds for how it turns") {
  Random random(3);
  for (int round = 0; round < 200; ++round) {
    const Sweep sweep{random.InBox({-5, -5, -5}, {5, 5, 5}), random.InBox({-5, -5, -5}, {5, 5, 5}),
                      random.Rotation(), random.Rotation()};
    CHECK(sweep.PositionAt(1.0f) == sweep.end);
    CHECK(sweep.RotationAt(0.0f) == sweep.start_rotation);
    CHECK(sweep.RotationAt(1.0f) == sweep.end_rotation);
    const Turning turning = sweep.TurnOfSweep();
    constexpr int kParts = 64;
    Double3 before;
    for (int i = 0; i < kParts; ++i) {
      const float from = static_cast<float>(i) / kParts, to = static_cast<float>(i + 1) / kParts;
      const Quat turn = sweep.RotationAt(to) * Conjugate(sweep.RotationAt(from));
      const Double3 axis = Double3{turn.x, turn.y, turn.z} * (turn.w < 0.0f ? -1.0 : 1.0);
      const double sine = std::min(Length(axis), 1.0);
      if (sine < 1e-3) break;  // too little for floats
      const Double3 velocity = axis * (2.0 * std::asin(sine) * kParts / sine);
      const double most = turning.Fastest();
      CHECK(Length(velocity) <= most * 1.001 + 1e-3);
      const Double3 middle = turning.VelocityAt((from + to) / 2);
      CHECK(Length(velocity - middle) < 0.01 * most + 1e-3);
      if (i > 0) {
        const double change = Length(velocity - before) * kParts;
        CHECK(change + LengthSquared(velocity) <= turning.MostAcceleration() * 1.01 + 0.05);
      }
      before = velocity;
    }
  }
}

TEST_CASE("a ball stops in front of a thin wall at any speed") {
  const Shape ball = Shape::Sphere(0.1f), wall = Shape::Box({0.025f, 2, 2});
  const Mover fixed = MoverOf(wall, Sweep::AtRest({10, 0, 0}, {}));
  for (const float way : {20.0f, 50.0f, 167.0f, 10000.0f}) {
    const Mover moving = MoverOf(ball, {{0, 0, 0}, {way, 0, 0}, {}, {}});
    const auto stop = TimeOfImpact(moving, fixed, 1.0f);
    REQUIRE(stop);
    const float gap = 10.0f - 0.025f - 0.1f - stop->fraction * way;
    CHECK(gap <= kStopDistance * 1.01f);
    CHECK(gap >= 0.49f * kStopDistance - way * 1e-6f);
  }
}

TEST_CASE("a ball that flies past, away, or not so far is not stopped") {
  const Shape ball = Shape::Sphere(0.1f), wall = Shape::Box({0.025f, 2, 2});
  const Mover fixed = MoverOf(wall, Sweep::AtRest({10, 0, 0}, {}));
  const auto stops = [&](Vec3 from, Vec3 to, float max_fraction = 1.0f) {
    return TimeOfImpact(MoverOf(ball, {from, to, {}, {}}), fixed, max_fraction).has_value();
  };
  CHECK_FALSE(stops({0, 2.2f, 0}, {20, 2.2f, 0}));
  CHECK_FALSE(stops({10.2f, 0, 0}, {20, 0, 0}));
  CHECK_FALSE(stops({0, 0, 0}, {9.8f, 0, 0}));
  CHECK(stops({0, 0, 0}, {20, 0, 0}));
  CHECK_FALSE(stops({0, 0, 0}, {20, 0, 0}, 0.4f));
}

TEST_CASE("a body that rolls or slides on another one is not stopped for that") {
  const Shape ball = Shape::Sphere(0.1f), plate = Shape::Box({5, 0.5f, 5});
  const Mover floor = MoverOf(plate, Sweep::AtRest({0, -0.5f, 0}, {}));
  const Mover next = MoverOf(plate, Sweep::AtRest({10, -0.5f, 0}, {}));
  for (const float height : {0.098f, 0.1f, 0.105f}) {
    const Mover moving = MoverOf(ball, {{0, height, 0}, {8, height, 0}, {}, {}});
    CHECK_FALSE(TimeOfImpact(moving, floor, 1.0f));
    CHECK_FALSE(TimeOfImpact(moving, next, 1.0f));
  }
}

TEST_CASE("the middle of a body that lies in another one does not leave on the other side") {
  const Shape ball = Shape::Sphere(0.1f), wall = Shape::Box({0.5f, 2, 2});
  const Mover fixed = MoverOf(wall, Sweep::AtRest({1, 0, 0}, {}));
  // Nine tenths of its radius deep.
  const Mover moving = MoverOf(ball, {{0.49f, 0, 0}, {5, 0, 0}, {}, {}});
  const auto stop = TimeOfImpact(moving, fixed, 1.0f);
  REQUIRE(stop);
  CHECK(moving.sweep.PositionAt(stop->fraction).x <= 0.5f);
}

TEST_CASE("a rod that turns hits a wall with its end") {
  const Shape rod = Shape::Box({0.02f, 1, 0.02f}), wall = Shape::Box({0.025f, 2, 2});
  const Mover fixed = MoverOf(wall, Sweep::AtRest({0.5f, 0, 0}, {}));
  const float half = std::sqrt(0.5f);
  // A quarter turn about z carries its upper end through the wall, and its middle stays.
  const Mover moving = MoverOf(rod, {{0, 0, 0}, {0, 0, 0}, {}, {0, 0, -half, half}});
  const auto stop = TimeOfImpact(moving, fixed, 1.0f);
  REQUIRE(stop);
  const float distance = DistanceAt(moving, fixed, stop->fraction);
  CHECK(distance > 0.0f);
  CHECK(distance <= kStopDistance * 1.01f);
}

TEST_CASE("two movers stop where they meet") {
  const Shape ball = Shape::Sphere(0.1f);
  const Mover a = MoverOf(ball, {{0, 0, 0}, {8, 0, 0}, {}, {}});
  const Mover b = MoverOf(ball, {{8, 0, 0}, {0, 0, 0}, {}, {}});
  const auto stop = TimeOfImpact(a, b, 1.0f);
  REQUIRE(stop);
  CHECK(stop->fraction == Approx((8.0f - 0.2f) / 16.0f).margin(1e-3));
  CHECK(TimeOfImpact(b, a, 1.0f)->fraction == stop->fraction);
  // Side by side, at the same speed.
  const Mover beside = MoverOf(ball, {{0, 0.3f, 0}, {8, 0.3f, 0}, {}, {}});
  CHECK_FALSE(TimeOfImpact(a, beside, 1.0f));
}

// Shapes of every convex kind, with sizes from thin to wide.
class Shapes {
 public:
  explicit Shapes(Random& random) {
    std::vector<Vec3> points;
    for (int i = 0; i < 20; ++i)
      points.push_back(random.InBox({-1, -0.5f, -0.7f}, {1, 0.5f, 0.7f}));
    hull_ = std::move(*ConvexHull::Create({points}));
  }
  Shape Any(Random& random) const {
    switch (random.Below(5)) {
      case 0:
        return Shape::Sphere(random.Between(0.05f, 0.6f));
      case 1:
        return Shape::Capsule(random.Between(0.1f, 1.0f), random.Between(0.03f, 0.4f));
      case 2:
        return Shape::Box(random.InBox({0.02f, 0.02f, 0.02f}, {0.8f, 0.8f, 0.8f}));
      case 3:
        return Shape::Cylinder(random.Between(0.03f, 0.8f), random.Between(0.03f, 0.6f));
      default:
        return Shape::Hull(hull_.get());
    }
  }

 private:
  std::unique_ptr<const ConvexHull> hull_;
};

// How deep the surface may be where the shrunken shape only touches: its own depth times what the
// widest corner of the shape makes of it.
float MostDepth(const Mover& moving, float by) {
  const Shape& shape = *moving.shape;
  if (shape.kind == ShapeKind::kHull) return by * moving.radii.outer / moving.radii.inner;
  if (shape.kind == ShapeKind::kBox) return by * 1.7321f;
  return shape.kind == ShapeKind::kCylinder ? by * 1.4143f : by;
}

TEST_CASE("on ways at random nothing passes, and what stops is near") {
  const std::uint64_t seed = 20261126;
  CAPTURE(seed);
  Random random(seed);
  const Shapes shapes(random);
  int stops = 0, passes = 0;
  for (int round = 0; round < 3000; ++round) {
    CAPTURE(round);
    const Shape a = shapes.Any(random), b = shapes.Any(random);
    const bool both_move = random.Below(2) == 0;
    const auto place = [&] { return random.InBox({-3, -3, -3}, {3, 3, 3}); };
    const Vec3 b_at = random.InBox({-1, -1, -1}, {1, 1, 1});
    const Quat b_turned = random.Rotation();
    const Mover moving = MoverOf(a, {place(), place(), random.Rotation(), random.Rotation()});
    const Mover other = MoverOf(b, both_move ? Sweep{b_at, place(), b_turned, random.Rotation()}
                                             : Sweep::AtRest(b_at, b_turned));
    const float inner = std::min(moving.radii.inner, other.radii.inner);
    const float most = MostDepth(moving, 0.5f * inner) + 1e-4f;
    const float at_start = DistanceAt(moving, other, 0.0f);
    if (at_start < 0.0f) continue;  // the world's tests have bodies that lie in others
    const auto stop = TimeOfImpact(moving, other, 1.0f);
    (stop ? stops : passes) += 1;
    const float end = stop ? stop->fraction : 1.0f;
    constexpr int kSamples = 60;
    const bool from_afar = at_start > kStopDistance;
    for (int i = 0; i <= kSamples; ++i) {
      const float distance = DistanceAt(moving, other, end * static_cast<float>(i) / kSamples);
      REQUIRE(distance >= -most);
      if (stop && from_afar) REQUIRE(distance > 0.0f);
    }
    if (stop && from_afar) CHECK(DistanceAt(moving, other, end) <= kStopDistance * 1.01f);
  }
  CHECK(stops > 200);
  CHECK(passes > 200);
}

TEST_CASE("the ground stops a body from above, where it is, and not from below") {
  std::vector<float> heights(17 * 17);
  for (std::uint32_t k = 0; k < 17; ++k) {
    for (std::uint32_t i = 0; i < 17; ++i) heights[k * 17 + i] = i < 8 ? 0.0f : 0.5f * float(i - 8);
  }
  const auto field = HeightField::Create({17, 17, 1.0f, heights});
  REQUIRE(field);
  const Shape ground = Shape::Ground(field->get()), ball = Shape::Sphere(0.2f);
  const Mover fixed = MoverOf(ground, Sweep::AtRest({}, {}));
  const auto stop_of = [&](Vec3 from, Vec3 to) {
    return TimeOfImpact(MoverOf(ball, {from, to, {}, {}}), fixed, 1.0f);
  };
  const auto falls = stop_of({4.3f, 8, 4.6f}, {4.3f, -8, 4.6f});
  REQUIRE(falls);
  CHECK(8.0f - 16.0f * falls->fraction == Approx(0.2f).margin(kStopDistance));
  // Along the flat part, over the edges of its triangles.
  CHECK_FALSE(stop_of({1, 0.2f, 5.3f}, {7, 0.2f, 6.1f}));
  // And on into the slope, which rises by a half.
  const auto climbs = stop_of({1, 0.2f, 5.3f}, {15, 0.2f, 5.3f});
  REQUIRE(climbs);
  const float x = 1.0f + 14.0f * climbs->fraction;
  CHECK(x == Approx(8.0f + (0.2f - 0.2f * std::sqrt(1.25f)) / 0.5f).margin(0.05));
  CHECK_FALSE(stop_of({4.3f, -4, 4.6f}, {4.3f, 8, 4.6f}));
  CHECK_FALSE(stop_of({-4, -4, 4.6f}, {-4, 8, 4.6f}));
}

TEST_CASE(
    "a turned and moved mesh stops a body from its front, where it is, and not from its back") {
  const auto mesh = test::MeshOf(test::Sheet(8, 0.5f));
  const Shape surface = Shape::Mesh(mesh.get());
  const Vec3 at{40, -3, 11};
  const Quat turned = FromAxisAngle(NormaliseOr({1, 2, -0.5f}, {}), 2.1f);
  const Mover fixed{&surface, {}, Sweep::AtRest(at, turned)};
  const auto stop_of = [&](const Shape& shape, Vec3 from, Vec3 to) {
    const auto in_world = [&](Vec3 place) { return at + Rotate(turned, place); };
    return TimeOfImpact(MoverOf(shape, {in_world(from), in_world(to), turned, turned}), fixed,
                        1.0f);
  };
  for (const float way : {1.0f, 20.0f, 167.0f, 10000.0f}) {
    CAPTURE(way);
    for (const Shape& shape : {Shape::Sphere(0.1f), Shape::Box({0.3f, 0.1f, 0.2f})}) {
      const auto stop = stop_of(shape, {0.3f, 0.5f * way, 0.1f}, {0.3f, -0.5f * way, 0.1f});
      REQUIRE(stop);
      const float gap = 0.5f * way - way * stop->fraction - 0.1f;
      CHECK(gap <= kStopDistance * 1.01f + way * 1e-6f);
      CHECK(gap >= 0.49f * kStopDistance - way * 1e-6f);
      CHECK(Length(stop->normal - Rotate(turned, {0, -1, 0})) < 1e-3f);
      CHECK_FALSE(stop->wedged);
      CHECK_FALSE(stop_of(shape, {0.3f, -0.5f * way, 0.1f}, {0.3f, 0.5f * way, 0.1f}));
      CHECK_FALSE(stop_of(shape, {4.3f, 0.5f * way, 0.1f}, {4.3f, -0.5f * way, 0.1f}));
    }
  }
  // Along it, over the edges of its triangles.
  CHECK_FALSE(stop_of(Shape::Sphere(0.1f), {-1.9f, 0.1f, 0.13f}, {1.9f, 0.1f, 0.37f}));
}

TEST_CASE("the border of a mesh does not stop a body whose centre is behind it") {
  const auto mesh = test::MeshOf(test::Sheet(2, 1.0f));
  const Shape surface = Shape::Mesh(mesh.get()), rod = Shape::Box({0.6f, 0.02f, 0.02f});
  const Mover fixed{&surface, {}, Sweep::AtRest({}, {})};
  const Quat tilted = FromAxisAngle({0, 0, 1}, 2.35619449f);  // its end is over the sheet
  const auto stops = [&](float height) {
    const Sweep sweep{{1.5f, height, 0.1f}, {0.5f, height, 0.1f}, tilted, tilted};
    return TimeOfImpact(MoverOf(rod, sweep), fixed, 1.0f).has_value();
  };
  CHECK_FALSE(stops(-0.2f));
  CHECK(stops(0.2f));
}

}  // namespace
}  // namespace nowait
