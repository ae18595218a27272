// Where and in which direction two shapes touch: each face, edge and axis, and each pair of kinds.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "src/collision/collide.h"
#include "src/collision/height_field.h"
#include "src/math/random.h"

namespace nowait {
namespace {

constexpr float kMargin = 0.02f;
const std::array<Vec3, 6> kSides = {Vec3{1, 0, 0},  Vec3{-1, 0, 0}, Vec3{0, 1, 0},
                                    Vec3{0, -1, 0}, Vec3{0, 0, 1},  Vec3{0, 0, -1}};

bool Near(Vec3 a, Vec3 b, float tolerance = 1e-4f) { return Length(a - b) <= tolerance; }

Manifold Of(const Shape& a, Vec3 at_a, Quat turn_a, const Shape& b, Vec3 at_b, Quat turn_b,
            float margin = kMargin) {
  Manifold manifold;
  Collide({a, at_a, turn_a}, {b, at_b, turn_b}, margin, manifold);
  return manifold;
}

TEST_CASE("a point of two spheres lies midway between their surfaces, in each direction") {
  const Shape large = Shape::Sphere(1.0f), small = Shape::Sphere(0.5f);
  const Vec3 at{3, -4, 5};
  for (const Vec3 n : {kSides[0], kSides[2], kSides[5], Vec3{0.36f, 0.48f, -0.8f}}) {
    for (const float separation : {-0.2f, 0.01f}) {
      CAPTURE(n.x, n.y, n.z, separation);
      const Manifold m = Of(large, at, {}, small, at + n * (1.5f + separation), {});
      REQUIRE(m.count() == 1);
      CHECK(Near(m.points()[0].normal, n));
      CHECK(m.points()[0].separation == Approx(separation).margin(1e-5));
      CHECK(Near(m.points()[0].position, at + n * (1.0f + 0.5f * separation)));
    }
  }
}

TEST_CASE(
    "bodies up to the margin apart have points, and farther apart none, of each pair of kinds") {
  const std::vector<float> level(16, 0.0f);
  const auto field = std::move(*HeightField::Create({4, 4, 1.0f, level}));
  const Shape ball = Shape::Sphere(0.5f), box = Shape::Box({0.5f, 0.5f, 0.5f});
  const Shape capsule = Shape::Capsule(0.25f, 0.25f);  // upright
  const Shape ground = Shape::Ground(field.get());
  const Vec3 low{1.4f, -0.5f, 1.3f}, high{1.4f, 0.5f, 1.3f};
  for (const float margin : {0.0f, 0.02f, 0.5f}) {
    for (const float out : {-0.005f, 0.005f}) {
      CAPTURE(margin, out);
      const Vec3 at = high + Vec3{0, margin + out, 0};
      for (const Shape& upper : {ball, capsule, box}) {
        for (const Shape& lower : {ball, capsule, box}) {
          CHECK(Of(lower, low, {}, upper, at, {}, margin).empty() == (out > 0));
        }
        CHECK(Of(ground, {}, {}, upper, at, {}, margin).empty() == (out > 0));
        CHECK(Of(upper, at, {}, ground, {}, {}, margin).empty() == (out > 0));
      }
    }
  }
}

// How far `point` lies outside of the box.
float Outside(Vec3 point, const Shape& box, Vec3 at, Quat turn) {
  const Vec3 beyond = Abs(Rotate(Conjugate(turn), point - at)) - box.half;
  return Length({std::max(beyond.x, 0.0f), std::max(beyond.y, 0.0f), std::max(beyond.z, 0.0f)});
}

TEST_CASE("two pillars that lean a little past each other touch within both, or not at all") {
  // Their long edges are nearly parallel: the lines meet far beyond the ends.
  const Shape pillar = Shape::Box({0.2f, 0.4f, 0.2f});
  const Vec3 at{1.09870708f, 0.504733324f, 0.0793709904f};
  const Quat turn{0.0138610238f, 0.391848683f, 0.0123027498f, 0.919843078f};
  const Vec3 other{0.504282534f, 1.05525088f, 0.104839817f};
  const Quat other_turn{0.00918966159f, 0.384415299f, 0.00549968146f, 0.923098147f};
  // Their boxes along the axes are further apart than the margin.
  CHECK(Of(pillar, at, turn, pillar, other, other_turn).empty());
  CHECK(Of(pillar, other, other_turn, pillar, at, turn).empty());

  Random random(88);
  int points = 0;
  for (int i = 0; i < 20000; ++i) {
    const Quat a_turn = FromAxisAngle({0, 1, 0}, random.Between(0, 3));
    const Quat lean = FromAxisAngle(random.Direction(), random.Between(0, 0.1f));
    const Quat b_turn = Normalise(lean * a_turn);
    const Vec3 b_at = random.InBox({-0.65f, -0.9f, -0.65f}, {0.65f, 0.9f, 0.65f});
    const Manifold m = Of(pillar, {}, a_turn, pillar, b_at, b_turn);
    for (const ContactPoint& point : m.points()) {
      if (point.separation <= 0.0f) continue;
      ++points;
      CAPTURE(i, point.separation);
      CHECK(Outside(point.position, pillar, {}, a_turn) <= 0.5f * kMargin + 1e-4f);
      CHECK(Outside(point.position, pillar, b_at, b_turn) <= 0.5f * kMargin + 1e-4f);
    }
  }
  CHECK(points > 100);
}

TEST_CASE("a sphere inside a box goes out through the nearest of its six faces") {
  const Shape ball = Shape::Sphere(0.25f), box = Shape::Box({1, 2, 3});
  const Quat turn = Normalise({0.3f, -0.5f, 0.2f, 0.7f});
  const Vec3 at{7, 8, 9};
  for (const Vec3 side : kSides) {
    CAPTURE(side.x, side.y, side.z);
    const Vec3 local = Multiply(side, box.half) - side * 0.1f;
    const Vec3 centre = at + Rotate(turn, local);
    const Manifold m = Of(ball, centre, {}, box, at, turn);
    REQUIRE(m.count() == 1);
    CHECK(Near(m.points()[0].normal, -Rotate(turn, side)));
    CHECK(m.points()[0].separation == Approx(-0.35f).margin(1e-4));
  }
}

TEST_CASE("a sphere touches a turned box at the face, edge or corner that is nearest to it") {
  const Shape ball = Shape::Sphere(0.5f), box = Shape::Box({1, 2, 3});
  const Quat turn = Normalise({0.3f, -0.5f, 0.2f, 0.7f});
  const Vec3 at{7, 8, 9};
  for (const Vec3 out : {Vec3{0, -1, 0}, Vec3{0, 0, 1}, Vec3{0, 0.6f, -0.8f}, Vec3{-0.6f, 0, 0.8f},
                         Vec3{0.8f, 0.6f, 0}, Vec3{-0.48f, 0.6f, -0.64f}}) {
    CAPTURE(out.x, out.y, out.z);
    const auto sign = [](float x) { return x > 0 ? 1.0f : x < 0 ? -1.0f : 0.25f; };
    const Vec3 nearest = Multiply(box.half, {sign(out.x), sign(out.y), sign(out.z)});
    const Manifold m = Of(ball, at + Rotate(turn, nearest + out * 0.4f), {}, box, at, turn);
    REQUIRE(m.count() == 1);
    const ContactPoint& point = m.points()[0];
    CHECK(Near(point.normal, -Rotate(turn, out)));
    CHECK(point.separation == Approx(-0.1f).margin(1e-4));
    CHECK(Near(point.position, at + Rotate(turn, nearest - out * 0.05f)));
  }
}

TEST_CASE("boxes that lie on each other touch on each of their sides with four points midway") {
  const Shape a = Shape::Box({1, 2, 3}), b = Shape::Box({0.5f, 0.6f, 0.7f});
  const Quat turn = Normalise({0.3f, -0.5f, 0.2f, 0.7f});
  const Vec3 at{7, 8, 9};
  for (const Vec3 side : kSides) {
    for (const float separation : {-0.01f, 0.01f}) {
      CAPTURE(side.x, side.y, side.z, separation);
      const Vec3 local = Multiply(side, a.half + b.half) + side * separation;
      const Manifold m = Of(a, at, turn, b, at + Rotate(turn, local), turn);
      REQUIRE(m.count() == 4);
      const Vec3 across = Vec3{1, 1, 1} - Abs(side);
      for (const ContactPoint& point : m.points()) {
        CHECK(Near(point.normal, Rotate(turn, side)));
        CHECK(point.separation == Approx(separation).margin(1e-4));
        const Vec3 place = Rotate(Conjugate(turn), point.position - at);
        CHECK(Dot(place, side) == Approx(Dot(Abs(side), a.half) + 0.5f * separation).margin(1e-4));
        CHECK(Near(Multiply(Abs(place), across), Multiply(b.half, across)));
      }
    }
  }
}

TEST_CASE("swapping two boxes turns the normals round and leaves the points where they are") {
  const Shape a = Shape::Box({1, 2, 3}), b = Shape::Box({0.5f, 0.6f, 0.7f});
  const Quat tilt = FromAxisAngle({0, 0, 1}, 0.3f);
  for (const Quat turn : {Quat{}, tilt}) {
    const Vec3 at{0.2f, 2.5f + (turn == tilt ? 0.2f : 0.0f), 0.1f};
    const Manifold forth = Of(a, {}, {}, b, at, turn);
    const Manifold back = Of(b, at, turn, a, {}, {});
    REQUIRE(forth.count() == back.count());
    REQUIRE(forth.count() >= 2);
    for (const ContactPoint& point : forth.points()) {
      bool is_there = false;
      for (const ContactPoint& other : back.points()) {
        is_there |= Near(point.position, other.position) && Near(point.normal, -other.normal) &&
                    std::abs(point.separation - other.separation) < 1e-4f;
      }
      CHECK(is_there);
    }
  }
}

TEST_CASE("two edges that cross touch in one point, midway between them, normal from a to b") {
  const Shape box = Shape::Box({1, 1, 1});
  constexpr float kEighth = 0.78539816f;
  // Each stands on an edge: the lower one's upper edge runs along z, the upper one's lower along x.
  const Quat along_z = FromAxisAngle({0, 0, 1}, kEighth),
             along_x = FromAxisAngle({1, 0, 0}, kEighth);
  const float reach = std::sqrt(2.0f);
  for (const float separation : {-0.1f, 0.01f}) {
    for (const Vec3 at : {Vec3{0, 0, 0}, Vec3{5, 6, 7}}) {
      CAPTURE(separation, at.x);
      const Vec3 above = at + Vec3{0.3f, 2 * reach + separation, -0.4f};
      const Manifold m = Of(box, at, along_z, box, above, along_x);
      REQUIRE(m.count() == 1);
      CHECK(Near(m.points()[0].normal, {0, 1, 0}));
      CHECK(m.points()[0].separation == Approx(separation).margin(1e-4));
      // Over the lower edge in x, under the upper one in z.
      CHECK(Near(m.points()[0].position, at + Vec3{0, reach + 0.5f * separation, -0.4f}, 1e-3f));
    }
  }
}

// In the middle of the table, or over its border: there an edge would be a little less deep.
TEST_CASE("a box that leans a little stands on its face, and not on an edge or a corner") {
  const Shape table = Shape::Box({2, 1, 2}), box = Shape::Box({0.5f, 0.5f, 0.5f});
  Random random(16);
  for (int round = 0; round < 400; ++round) {
    const Vec3 about = random.Direction();
    const Quat lean = FromAxisAngle(NormaliseOr({about.x, 0, about.z}, {1, 0, 0}), 0.004f);
    const float x = round % 2 == 0 ? 0.0f : 1.8f, z = round % 3 == 0 ? 0.0f : -1.8f;
    CAPTURE(round, about.x, about.z, x, z);
    const Manifold m =
        Of(table, {}, {}, box, {x, 1.498f, z}, lean * FromAxisAngle({0, 1, 0}, about.y));
    CHECK(m.count() == 4);
    for (const ContactPoint& point : m.points()) CHECK(point.normal == Vec3{0, 1, 0});
  }
}

TEST_CASE("a manifold has the points of its last call alone, and none of two fields") {
  const std::vector<float> level(4, 0.0f);
  const auto field = std::move(*HeightField::Create({2, 2, 1.0f, level}));
  const Shape ground = Shape::Ground(field.get()), ball = Shape::Sphere(0.5f);
  Manifold m;
  Collide({ball, {}, {}}, {ball, {0.9f, 0, 0}, {}}, kMargin, m);
  REQUIRE(m.count() == 1);
  Collide({ball, {}, {}}, {ball, {0, 0.9f, 0}, {}}, kMargin, m);
  REQUIRE(m.count() == 1);
  Collide({ground, {}, {}}, {ground, {}, {}}, kMargin, m);
  CHECK(m.empty());
}

}  // namespace
}  // namespace nowait
