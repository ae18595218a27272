#include "src/collision/collide.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <set>
#include <vector>

#include "src/collision/core_distance.h"
#include "src/collision/shape_geometry.h"
#include "src/math/random.h"

namespace nowait {
namespace {

constexpr float kMargin = 0.02f;

// The point of the box that lies furthest along `direction`.
float Support(const Placed& box, Vec3 direction) {
  return Dot(box.position, direction) +
         Dot(Abs(TransposeTimes(box.rotation, direction)), box.shape->half);
}

// How far two boxes are apart along `n` (from a to b); negative when they overlap along it.
float Apart(const Placed& a, const Placed& b, Vec3 n) { return -Support(b, -n) - Support(a, n); }

// An oracle for boxes that shares nothing with the axis test: the largest separation over many
// directions, refined around the best ones. It never exceeds the true one.
float BruteForceSeparation(const Placed& a, const Placed& b, Random& random) {
  Vec3 best = NormaliseOr(b.position - a.position, {0, 1, 0});
  float separation = Apart(a, b, best);
  for (int i = 0; i < 400; ++i) {
    const Vec3 n = random.Direction();
    if (Apart(a, b, n) > separation) {
      separation = Apart(a, b, n);
      best = n;
    }
  }
  float step = 0.3f;
  for (int i = 0; i < 600; ++i) {
    const Vec3 n = NormaliseOr(best + random.Direction() * step, best);
    if (Apart(a, b, n) > separation) {
      separation = Apart(a, b, n);
      best = n;
    } else {
      step *= 0.985f;
    }
  }
  return separation;
}

float Deepest(const Manifold& manifold) {
  float deepest = 1e30f;
  for (const ContactPoint& p : manifold.points()) deepest = std::min(deepest, p.separation);
  return deepest;
}

TEST_CASE("spheres touch along the line of their centres") {
  const Shape one = Shape::Sphere(1.0f), half = Shape::Sphere(0.5f);
  Manifold m;
  Collide({one, {0, 0, 0}, {}}, {half, {1.4f, 0, 0}, {}}, kMargin, m);
  REQUIRE(m.count() == 1);
  CHECK(m.points()[0].separation == Approx(-0.1f));
  CHECK(m.points()[0].normal == Vec3{1, 0, 0});
  CHECK(m.points()[0].position.x == Approx(0.95f));
  Collide({one, {}, {}}, {half, {1.51f, 0, 0}, {}}, kMargin, m);
  CHECK(m.count() == 1);
  Collide({one, {}, {}}, {half, {1.53f, 0, 0}, {}}, kMargin, m);
  CHECK(m.empty());
  Collide({one, {}, {}}, {half, {}, {}}, kMargin, m);  // one centre
  REQUIRE(m.count() == 1);
  CHECK(Length(m.points()[0].normal) == Approx(1.0f));
  CHECK(m.points()[0].separation == Approx(-1.5f));
}

TEST_CASE("a sphere touches a box at its face, edge, corner, and from inside") {
  const Shape ball = Shape::Sphere(0.5f), box = Shape::Box({1, 2, 3});
  const auto collide = [&](Vec3 at) {
    Manifold m;
    Collide({ball, at, {}}, {box, {}, {}}, kMargin, m);
    REQUIRE(m.count() == 1);
    return m.points()[0];
  };
  CHECK(collide({1.4f, 0, 0}).separation == Approx(-0.1f));
  CHECK(collide({1.4f, 0, 0}).normal == Vec3{-1, 0, 0});  // from the sphere to the box
  const ContactPoint corner = collide({1.2f, 2.2f, 3.2f});
  CHECK(corner.separation == Approx(std::sqrt(0.12f) - 0.5f));
  CHECK(corner.normal.x == Approx(-1 / std::sqrt(3.0f)));
  const ContactPoint inside = collide({0.9f, 0, 0});
  CHECK(inside.normal == Vec3{-1, 0, 0});
  CHECK(inside.separation == Approx(-0.6f));
}

TEST_CASE(
    "boxes: the reported normal separates as well as any direction, and moving out along it "
    "ends the contact") {
  Random random(2024);
  int touching = 0, apart = 0;
  for (int round = 0; round < 1500; ++round) {
    const Shape sa = Shape::Box(random.InBox({0.2f, 0.2f, 0.2f}, {1, 1, 1}));
    const Shape sb = Shape::Box(random.InBox({0.2f, 0.2f, 0.2f}, {1, 1, 1}));
    const Placed a(sa, random.InBox({-1, -1, -1}, {1, 1, 1}), random.Rotation());
    const Placed b(sb, random.InBox({-1, -1, -1}, {1, 1, 1}), random.Rotation());
    Manifold m;
    Collide(a, b, kMargin, m);
    const float truth = BruteForceSeparation(a, b, random);
    CAPTURE(round, truth);
    if (m.empty()) {
      CHECK(truth > -0.005f);
      ++apart;
      continue;
    }
    ++touching;
    const Vec3 n = m.points()[0].normal;
    CHECK(Length(n) == Approx(1.0f).epsilon(1e-4));
    // Within the preference for faces, no direction separates more.
    CHECK(Apart(a, b, n) >= truth - 0.008f);
    CHECK(Deepest(m) >= Apart(a, b, n) - 1e-3f);
    CHECK(Deepest(m) <= kMargin);
    std::set<std::uint32_t> features;
    for (const ContactPoint& p : m.points()) {
      CHECK(p.normal == n);
      CHECK(features.insert(p.feature).second);
      // Midway between the surfaces: not outside of either by more than half the separation.
      for (const Placed* box : {&a, &b}) {
        const Vec3 local = Abs(box->ToLocal(p.position)) - box->shape->half;
        const float outside = std::max(std::max(local.x, local.y), local.z);
        CHECK(outside <= std::max(0.5f * std::abs(p.separation), 0.0f) + 0.02f);
      }
    }
    // Out along the normal by the overlap and a bit more than the margin.
    const Placed moved(sb, b.position + n * (kMargin + 0.001f - Apart(a, b, n)), Quat{});
    Placed out = b;
    out.position = moved.position;
    Collide(a, out, kMargin, m);
    CHECK(m.empty());
  }
  CHECK(touching > 300);
  CHECK(apart > 300);
}

TEST_CASE("swapping two boxes turns the normal round") {
  Random random(7);
  for (int round = 0; round < 300; ++round) {
    const Shape sa = Shape::Box(random.InBox({0.3f, 0.3f, 0.3f}, {1, 1, 1}));
    const Shape sb = Shape::Sphere(random.Between(0.3f, 1.0f));
    const Placed a(sa, random.InBox({-1, -1, -1}, {1, 1, 1}), random.Rotation());
    const Placed b(sb, random.InBox({-1, -1, -1}, {1, 1, 1}), {});
    Manifold forth, back;
    Collide(a, b, kMargin, forth);
    Collide(b, a, kMargin, back);
    REQUIRE(forth.count() == back.count());
    for (std::size_t i = 0; i < forth.points().size(); ++i) {
      CHECK(forth.points()[i].normal == -back.points()[i].normal);
      CHECK(forth.points()[i].separation == back.points()[i].separation);
    }
  }
}

TEST_CASE("a box on a box has four corners, and keeps their features while it slides a little") {
  const Shape table = Shape::Box({2, 1, 2}), box = Shape::Box({0.5f, 0.5f, 0.5f});
  Manifold before, after;
  Collide({table, {}, {}}, {box, {0, 1.49f, 0}, {}}, kMargin, before);
  Collide({table, {}, {}}, {box, {0.05f, 1.49f, -0.03f}, {}}, kMargin, after);
  REQUIRE(before.count() == 4);
  REQUIRE(after.count() == 4);
  std::set<std::uint32_t> first, second;
  for (const ContactPoint& p : before.points()) {
    first.insert(p.feature);
    CHECK(p.normal == Vec3{0, 1, 0});
    CHECK(p.separation == Approx(-0.01f).margin(1e-5));
    CHECK(std::abs(p.position.x) == Approx(0.5f));
    CHECK(std::abs(p.position.z) == Approx(0.5f));
  }
  for (const ContactPoint& p : after.points()) second.insert(p.feature);
  CHECK(first == second);
}

TEST_CASE("boxes turned by 45 degrees on each other keep four points that span the octagon") {
  const Shape box = Shape::Box({0.5f, 0.5f, 0.5f});
  Manifold m;
  Collide({box, {}, {}}, {box, {0, 0.995f, 0}, FromAxisAngle({0, 1, 0}, 0.785398f)}, kMargin, m);
  REQUIRE(m.count() == 4);
  // Around the middle: no half plane through it is empty.
  Vec3 sum;
  for (const ContactPoint& p : m.points()) sum += p.position * 0.25f;
  CHECK(std::abs(sum.x) < 0.15f);
  CHECK(std::abs(sum.z) < 0.15f);
}

// Boxes of all proportions, a little apart or in each other, also corner to corner and edge beside
// face: no pair that is nearer than the margin is without a point.
TEST_CASE(
    "boxes that are nearer than the margin have points, and none have that are farther away") {
  Random random(12);
  int near = 0, far = 0;
  for (int i = 0; i < 60'000; ++i) {
    const bool is_long = i % 3 == 0;
    const auto half = [&] {
      return is_long ? Vec3{random.Between(0.5f, 1.5f), 0.05f, 0.05f}
                     : random.InBox({0.02f, 0.02f, 0.02f}, {0.6f, 0.6f, 0.6f});
    };
    const Shape shape_a = Shape::Box(half()), shape_b = Shape::Box(half());
    const Placed a(shape_a, {}, random.Rotation());
    const Vec3 direction = random.Direction();
    const Quat turn = random.Rotation();
    const auto distance = [&](float along) {
      const Placed b(shape_b, direction * along, turn);
      return DistanceOf(Core(a, {}), Core(b, {})).distance;
    };
    const double wanted = static_cast<double>(random.Between(-0.005f, 0.03f));
    float low = 0.0f, high = 5.0f;
    for (int step = 0; step < 25; ++step) {
      const float middle = 0.5f * (low + high);
      (distance(middle) < wanted ? low : high) = middle;
    }
    const double found = distance(high);
    if (std::abs(found - double{kMargin}) < 1e-4) continue;
    Manifold manifold;
    CollideBoxes(a, Placed(shape_b, direction * high, turn), kMargin, manifold);
    INFO("pair " << i << ", " << found << " m apart");
    CHECK(manifold.empty() == (found > double{kMargin}));
    ++(found > double{kMargin} ? far : near);
  }
  CHECK(near > 30'000);
  CHECK(far > 10'000);
}

TEST_CASE("shapes out of range are refused") {
  CHECK(Validate(Shape::Sphere(1.0f)).has_value());
  CHECK_FALSE(Validate(Shape::Sphere(0.0f)).has_value());
  CHECK_FALSE(Validate(Shape::Sphere(std::nanf(""))).has_value());
  CHECK_FALSE(Validate(Shape::Box({1, -1, 1})).has_value());
  CHECK_FALSE(Validate(Shape::Ground(nullptr)).has_value());
}

TEST_CASE("mass and inertia of a unit cube and a unit ball") {
  const MassProperties cube = MassOf(Shape::Box({0.5f, 0.5f, 0.5f}), 6.0f);
  CHECK(cube.mass == Approx(6.0f));
  CHECK(cube.inertia.x == Approx(1.0f));
  const MassProperties ball = MassOf(Shape::Sphere(1.0f), 1.0f);
  CHECK(ball.mass == Approx(4.18879f));
  CHECK(ball.inertia.z == Approx(0.4f * 4.18879f));
}

}  // namespace
}  // namespace nowait
