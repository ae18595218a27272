// Capsules against every kind of shape, compared with balls set along their segments, which is what
// a capsule is; manifolds that hold a lying capsule; rays; size and mass.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "src/collision/collide.h"
#include "src/collision/height_field.h"
#include "src/collision/ray_cast.h"
#include "src/collision/shape_geometry.h"
#include "src/math/random.h"

namespace nowait {
namespace {

constexpr float kMargin = 0.02f;
constexpr float kQuarter = 1.57079633f;

Manifold Of(const Placed& a, const Placed& b, float margin = kMargin) {
  Manifold manifold;
  Collide(a, b, margin, manifold);
  return manifold;
}

float Deepest(const Manifold& manifold) {
  float deepest = 1e30f;
  for (const ContactPoint& p : manifold.points()) deepest = std::min(deepest, p.separation);
  return deepest;
}

// The deepest contact of `other` with a ball that goes along the capsule's segment.
float DeepestAlong(const Placed& capsule, const Placed& other, int steps) {
  const Shape ball = Shape::Sphere(capsule.shape->radius);
  float deepest = 1e30f;
  for (int i = 0; i <= steps; ++i) {
    const float t = 2.0f * static_cast<float>(i) / static_cast<float>(steps) - 1.0f;
    const Vec3 at = capsule.ToWorld({0, t * capsule.shape->half_height, 0});
    deepest = std::min(deepest, Deepest(Of(Placed(ball, at, {}), other)));
  }
  return deepest;
}

void CheckPoints(const Manifold& m) {
  std::set<std::uint32_t> features;
  for (const ContactPoint& p : m.points()) {
    CHECK(Length(p.normal) == Approx(1.0f).epsilon(1e-4));
    CHECK(p.separation <= kMargin);
    CHECK(features.insert(p.feature).second);
  }
}

TEST_CASE("a capsule is as deep in a sphere, a capsule or a box as the deepest of its balls") {
  Random random(41);
  int touching = 0, apart = 0;
  for (int round = 0; round < 900; ++round) {
    const Shape capsule = Shape::Capsule(random.Between(0.05f, 1.0f), random.Between(0.1f, 0.4f));
    const Vec3 half = random.InBox({0.2f, 0.2f, 0.2f}, {1, 1, 1});
    const Shape shape = round % 3 == 0   ? Shape::Sphere(half.x)
                        : round % 3 == 1 ? Shape::Capsule(half.x, half.y)
                                         : Shape::Box(half);
    const Placed a(capsule, random.InBox({-1.4f, -1.4f, -1.4f}, {1.4f, 1.4f, 1.4f}),
                   random.Rotation());
    const Placed b(shape, {}, random.Rotation());
    const Manifold m = Of(a, b);
    const float truth = DeepestAlong(a, b, 100);
    CAPTURE(round, truth);
    CheckPoints(m);
    if (m.empty()) {
      CHECK(truth > kMargin - 0.005f);
      ++apart;
      continue;
    }
    ++touching;
    // Deeper than the radius a ball leaves through the nearest face, and not out of the segment's
    // way.
    if (truth < -0.9f * capsule.radius) continue;
    CHECK(Deepest(m) == Approx(truth).margin(0.006));
    for (const ContactPoint& p : m.points()) {
      if (p.separation > Deepest(m)) continue;
      // Midway between the surfaces.
      const Vec3 local = a.ToLocal(p.position);
      const float y = local.y - std::clamp(local.y, -capsule.half_height, capsule.half_height);
      CHECK(Length({local.x, y, local.z}) ==
            Approx(capsule.radius + 0.5f * p.separation).margin(0.006));
    }
  }
  CHECK(touching > 300);
  CHECK(apart > 200);
}

TEST_CASE("a fat capsule is as deep in a small box as the deepest of its balls") {
  Random random(47);
  int touching = 0;
  for (int round = 0; round < 4000; ++round) {
    const Shape capsule = Shape::Capsule(random.Between(0.1f, 1.5f), random.Between(1.0f, 3.0f));
    const Shape box = Shape::Box(random.InBox({0.1f, 0.1f, 0.1f}, {1, 1, 1}));
    const Placed a(capsule, random.InBox({-3, -3, -3}, {3, 3, 3}), random.Rotation());
    const Placed b(box, {}, random.Rotation());
    const float truth = DeepestAlong(a, b, 200);
    if (truth > 0.0f || truth < -0.5f * capsule.radius) continue;
    CAPTURE(round, truth);
    CHECK(Deepest(Of(a, b)) == Approx(truth).margin(0.01));
    ++touching;
  }
  CHECK(touching > 500);
}

TEST_CASE("long capsules that are nearly parallel touch where they are closest") {
  const Shape capsule = Shape::Capsule(100.0f, 0.1f);
  for (const float sine : {0.0003f, 0.0009f, 0.0011f}) {
    const float gap = 0.15f + 100.0f * sine;  // at the middles; 0.15 m at an end
    const Placed a(capsule, {0, 0, 0}, Quat{});
    const Placed b(capsule, {gap, 0, 0}, FromAxisAngle({0, 0, 1}, sine));
    CAPTURE(sine);
    CHECK(Deepest(Of(a, b)) == Approx(-0.05f).margin(0.005));
  }
}

TEST_CASE("swapping a capsule and another shape turns the normals round") {
  Random random(42);
  int touching = 0;
  for (int round = 0; round < 300; ++round) {
    const Shape capsule = Shape::Capsule(0.5f, 0.3f);
    const Shape shape = round % 2 == 0 ? Shape::Sphere(0.5f) : Shape::Box({0.4f, 0.5f, 0.6f});
    const Placed a(capsule, random.InBox({-1, -1, -1}, {1, 1, 1}), random.Rotation());
    const Placed b(shape, {}, random.Rotation());
    const Manifold forth = Of(a, b), back = Of(b, a);
    REQUIRE(forth.count() == back.count());
    touching += forth.empty() ? 0 : 1;
    for (std::size_t i = 0; i < forth.points().size(); ++i) {
      CHECK(forth.points()[i].normal == -back.points()[i].normal);
      CHECK(forth.points()[i].position == back.points()[i].position);
    }
  }
  CHECK(touching > 100);
}

TEST_CASE("moving a capsule out along the normal of a deep contact ends the contact") {
  Random random(43);
  int deep = 0;
  for (int round = 0; round < 600; ++round) {
    const Shape capsule = Shape::Capsule(random.Between(0.05f, 1.0f), random.Between(0.05f, 0.3f));
    const Shape box = Shape::Box(random.InBox({0.3f, 0.3f, 0.3f}, {1, 1, 1}));
    Placed a(capsule, random.InBox({-0.5f, -0.5f, -0.5f}, {0.5f, 0.5f, 0.5f}), random.Rotation());
    const Placed b(box, {}, random.Rotation());
    const Manifold m = Of(a, b);
    CAPTURE(round);
    if (m.empty()) continue;
    CheckPoints(m);
    deep += Deepest(m) < -capsule.radius ? 1 : 0;
    a.position += m.points()[0].normal * (Deepest(m) - kMargin - 0.004f);
    CHECK(Of(a, b).empty());
  }
  CHECK(deep > 300);
}

TEST_CASE("a capsule that lies on a box has two points at its ends, which keep their features") {
  const Shape table = Shape::Box({2, 1, 2}), capsule = Shape::Capsule(0.5f, 0.3f);
  for (const float tilt : {0.0f, 0.004f, -0.004f}) {
    const Quat lying = FromAxisAngle({0, 0, 1}, kQuarter + tilt);
    const auto at = [&](Vec3 place) {
      return Of(Placed(table, {}, {}), Placed(capsule, place, lying));
    };
    const Manifold before = at({0, 1.29f, 0}), after = at({0.1f, 1.29f, -0.2f});
    REQUIRE(before.count() == 2);
    REQUIRE(after.count() == 2);
    for (std::size_t i = 0; i < 2; ++i) {
      CHECK(before.points()[i].normal == Vec3{0, 1, 0});
      CHECK(std::abs(before.points()[i].position.x) == Approx(0.5f).margin(1e-4));
      CHECK(before.points()[i].separation == Approx(-0.01f).margin(0.003));
      CHECK(before.points()[i].feature == after.points()[i].feature);
    }
    // Over the border, one point comes to lie on the table's edge.
    const Manifold over = at({1.8f, 1.29f, 0});
    REQUIRE(over.count() == 2);
    CHECK(std::max(over.points()[0].position.x, over.points()[1].position.x) ==
          Approx(2.0f).margin(1e-3));
  }
  CHECK(Of(Placed(table, {}, {}), Placed(capsule, {0, 1.79f, 0}, {})).count() == 1);
}

TEST_CASE("a capsule along an edge of a box, or along another capsule, has two points") {
  const Shape box = Shape::Box({1, 1, 1}), capsule = Shape::Capsule(0.5f, 0.3f);
  const float out = 1.0f + 0.29f * std::sqrt(0.5f);
  const Manifold at_edge = Of(Placed(capsule, {out, 0.2f, out}, {}), Placed(box, {}, {}));
  REQUIRE(at_edge.count() == 2);
  for (const ContactPoint& p : at_edge.points()) {
    CHECK(p.separation == Approx(-0.01f).margin(1e-4));
    CHECK(p.normal.x == Approx(-std::sqrt(0.5f)).margin(1e-4));
  }
  const Manifold logs = Of(Placed(capsule, {}, {}), Placed(capsule, {0.59f, 0.4f, 0}, {}));
  REQUIRE(logs.count() == 2);
  const auto [low, high] = std::minmax(logs.points()[0].position.y, logs.points()[1].position.y);
  CHECK(low == Approx(-0.1f).margin(1e-4));
  CHECK(high == Approx(0.5f).margin(1e-4));
  // Thin ones that cross at a small angle touch between these ends, though the ends are near too.
  for (const float half : {1.0f, 10.0f}) {
    const Shape pole = Shape::Capsule(half, 0.01f);
    const Quat turn = FromAxisAngle({1, 0, 0}, 0.02f);
    const Manifold crossing = Of(Placed(pole, {}, {}), Placed(pole, {0.015f, 0, 0}, turn));
    CAPTURE(half);
    REQUIRE(crossing.count() == 1);
    CHECK(crossing.points()[0].separation == Approx(-0.005f).margin(1e-4));
    CHECK(Length(crossing.points()[0].position) < 0.1f);
  }
}

TEST_CASE("a capsule inside a flat box goes out through the nearer of its large faces") {
  const Shape capsule = Shape::Capsule(0.5f, 0.1f);
  for (int axis = 0; axis < 3; ++axis) {
    Vec3 half{2, 2, 2}, at{0.3f, -0.2f, 0.4f};
    half.Set(axis, 0.3f);
    at.Set(axis, -0.1f);
    Vec3 out;
    out.Set(axis, 1.0f);  // from the capsule to the box
    const Quat lying = axis == 1 ? FromAxisAngle({0, 0, 1}, kQuarter) : Quat{};
    const Manifold m = Of(Placed(capsule, at, lying), Placed(Shape::Box(half), {}, {}));
    CAPTURE(axis);
    REQUIRE(m.count() == 2);
    for (const ContactPoint& p : m.points()) {
      CHECK(p.normal == out);
      CHECK(p.separation == Approx(-0.3f).margin(1e-5));
    }
  }
}

TEST_CASE("a capsule is as deep in the ground as the deepest of its balls") {
  Random random(44);
  std::vector<float> heights;
  for (int i = 0; i < 144; ++i) heights.push_back(random.Between(-0.5f, 0.5f));
  const auto field = std::move(*HeightField::Create({12, 12, 0.8f, heights}));
  const Shape ground = Shape::Ground(field.get());
  const Vec3 corner{3, 1, -2};
  int touching = 0;
  for (int round = 0; round < 600; ++round) {
    const Shape capsule = Shape::Capsule(random.Between(0.1f, 2.0f), random.Between(0.1f, 0.4f));
    const Vec3 place = random.InBox({2.5f, -0.2f, 2.5f}, {6.3f, 1.2f, 6.3f});
    const Placed a(capsule, corner + place, random.Rotation());
    const Placed b(ground, corner, {});
    const float truth = DeepestAlong(a, b, 200);
    const Manifold m = Of(b, a);
    CAPTURE(round, truth);
    CheckPoints(m);
    if (m.empty()) {
      CHECK(truth > kMargin - 0.002f);
      continue;
    }
    if (truth < -capsule.radius) continue;  // the segment has sunk below the surface
    ++touching;
    CHECK(Deepest(m) == Approx(truth).margin(0.004));
    for (const ContactPoint& p : m.points()) CHECK(p.normal.y > 0.0f);
  }
  CHECK(touching > 100);
}

TEST_CASE("a capsule that has sunk between its ends has a contact, wherever it passes under") {
  Random random(44);
  std::vector<float> heights;
  for (int i = 0; i < 144; ++i) heights.push_back(random.Between(-0.5f, 0.5f));
  const auto field = std::move(*HeightField::Create({12, 12, 0.8f, heights}));
  const Shape ground = Shape::Ground(field.get());
  const Vec3 corner{3, 1, -2};
  int sunk = 0;
  for (int round = 0; round < 600; ++round) {
    const Shape capsule = Shape::Capsule(random.Between(0.1f, 2.0f), random.Between(0.1f, 0.4f));
    const Vec3 place = random.InBox({0, -0.2f, 0}, {8.8f, 2.0f, 8.8f});
    const Placed a(capsule, corner + place, random.Rotation());
    const Placed b(ground, corner, {});
    CAPTURE(round);
    if (DeepestAlong(a, b, 50) > -capsule.radius) continue;
    ++sunk;
    CHECK_FALSE(Of(b, a).empty());
  }
  CHECK(sunk > 50);
}

TEST_CASE("on level ground a lying capsule touches with its two ends alone, wherever it lies") {
  const std::vector<float> level(400, 0.0f);
  const auto field = std::move(*HeightField::Create({20, 20, 0.5f, level}));
  const Shape ground = Shape::Ground(field.get()), capsule = Shape::Capsule(1.0f, 0.3f);
  Random random(45);
  for (int round = 0; round < 200; ++round) {
    const Quat turn = FromAxisAngle({0, 1, 0}, random.Between(0, 3));
    const Vec3 at{random.Between(2, 7), 0.295f, random.Between(2, 7)};
    const Placed lying(capsule, at, turn * FromAxisAngle({0, 0, 1}, kQuarter));
    const Manifold m = Of(Placed(ground, {}, {}), lying);
    CAPTURE(round);
    REQUIRE(m.count() == 2);
    for (const ContactPoint& p : m.points()) {
      CHECK(p.normal.y > 0.9999f);
      CHECK(Length({p.position.x - at.x, 0, p.position.z - at.z}) == Approx(1.0f).margin(1e-3));
    }
  }
}

TEST_CASE("a capsule across a ridge rests on its crest, and is lifted when it has sunk through") {
  std::vector<float> heights;
  for (int k = 0; k < 8; ++k) {
    for (int i = 0; i < 8; ++i) heights.push_back(i == 4 ? 3.0f : 0.0f);
  }
  const auto field = std::move(*HeightField::Create({8, 8, 1.0f, heights}));
  const Shape ground = Shape::Ground(field.get()), capsule = Shape::Capsule(2.0f, 0.3f);
  const Quat lying = FromAxisAngle({0, 0, 1}, kQuarter);
  for (const float height : {3.29f, 2.9f, 2.0f}) {
    const Manifold m = Of(Placed(ground, {}, {}), Placed(capsule, {4, height, 3.5f}, lying));
    CAPTURE(height);
    REQUIRE_FALSE(m.empty());
    bool is_lifted = false;
    for (const ContactPoint& p : m.points()) {
      CHECK(p.normal.y > 0.0f);
      is_lifted =
          is_lifted || (p.normal.y > 0.999f && std::abs(p.separation - (height - 3.3f)) < 1e-3f);
    }
    CHECK(is_lifted);
  }
}

TEST_CASE("a capsule over more cells than are all looked at rests on the crests below it") {
  Random random(46);
  std::vector<float> heights;
  for (int i = 0; i < 200 * 200; ++i) heights.push_back(random.Between(0, 0.5f));
  const auto field = std::move(*HeightField::Create({200, 200, 0.5f, heights}));
  const Shape ground = Shape::Ground(field.get()), capsule = Shape::Capsule(30.0f, 1.0f);
  const Quat lying = FromAxisAngle({0, 1, 0}, 0.7f) * FromAxisAngle({0, 0, 1}, kQuarter);
  for (const float height : {1.2f, 1.4f}) {
    const Placed a(capsule, {50, height, 50}, lying), b(ground, {}, {});
    const float truth = DeepestAlong(a, b, 2000);
    const Manifold m = Of(b, a);
    CAPTURE(height, truth);
    REQUIRE_FALSE(m.empty());
    // The deepest crest may stand in a third block of its tile (field_blocks.h).
    CHECK(Deepest(m) == Approx(truth).margin(0.02));
  }
}

TEST_CASE("a ray meets a capsule at its surface, and nothing of it lies before that") {
  Random random(47);
  int hits = 0, misses = 0;
  for (int round = 0; round < 1500; ++round) {
    const Shape capsule = Shape::Capsule(random.Between(0.05f, 1.5f), random.Between(0.2f, 1.0f));
    const Placed placed(capsule, random.InBox({-1, -1, -1}, {1, 1, 1}), random.Rotation());
    const Quat turn = round % 5 == 0 ? Quat{} : random.Rotation();
    const Placed target(capsule, placed.position, turn);
    const Vec3 from = random.InBox({-5, -5, -5}, {5, 5, 5});
    RayCast ray{from, random.InBox({-3, -3, -3}, {3, 3, 3}) - from};
    if (round % 10 == 0) ray = {target.position + Vec3{0.1f, round % 20 == 0 ? 5.f : -5.f, 0}, {}};
    if (round % 10 == 0) ray.translation = Vec3{0, round % 20 == 0 ? -9.f : 9.f, 0};
    const auto out = [&](float t) {
      Vec3 local = target.ToLocal(ray.origin + ray.translation * t);
      local.y -= std::clamp(local.y, -capsule.half_height, capsule.half_height);
      return Length(local) - capsule.radius;
    };
    const auto hit = CastAgainstShape(ray, 1.0f, capsule, target.position, turn);
    CAPTURE(round);
    for (int i = 0; i <= 200; ++i) {
      const float t = static_cast<float>(i) / 200;
      if (!hit || t < hit->fraction - 1e-3f) CHECK(out(t) > -1e-3f);
    }
    misses += hit ? 0 : 1;
    if (!hit || hit->fraction == 0.0f) continue;
    ++hits;
    CHECK(std::abs(out(hit->fraction)) < 1e-3f);
    CHECK(Length(hit->normal) == Approx(1.0f).epsilon(1e-3));
    CHECK(Dot(hit->normal, ray.translation) < 0);
    CHECK_FALSE(CastAgainstShape(ray, 0.999f * hit->fraction, capsule, target.position, turn));
    // From very far away it is the same place.
    const Vec3 point = ray.origin + ray.translation * hit->fraction;
    const Vec3 way = hit->normal * -1e9f;
    const auto far =
        CastAgainstShape({point - way, way * 2.0f}, 1.0f, capsule, target.position, turn);
    if (far) CHECK(far->fraction == Approx(0.5f).margin(1e-5));
  }
  CHECK(hits > 200);
  CHECK(misses > 300);
}

TEST_CASE("a capsule has the bounds, the mass and the moments of its points") {
  const Shape capsule = Shape::Capsule(0.7f, 0.4f);
  const MassProperties mass = MassOf(capsule, 10.0f);
  Random random(48);
  const Quat turn = random.Rotation();
  const Bounds<3> bounds = BoundsOf(capsule, {5, 6, 7}, turn);
  Vec3 low{1e9f, 1e9f, 1e9f}, high = -low;
  double inside = 0, xx = 0, yy = 0, zz = 0;
  constexpr int kSamples = 400000;
  for (int i = 0; i < kSamples; ++i) {
    const Vec3 p = random.InBox({-0.4f, -1.1f, -0.4f}, {0.4f, 1.1f, 0.4f});
    if (!IsInside(p, capsule, {}, {})) continue;
    ++inside;
    xx += double{p.x} * p.x;
    yy += double{p.y} * p.y;
    zz += double{p.z} * p.z;
    const Vec3 world = Vec3{5, 6, 7} + Rotate(turn, p);
    low = Min(low, world);
    high = Max(high, world);
  }
  const double cell = 10.0 * (0.8 * 0.8 * 2.2) / kSamples;
  CHECK(mass.mass == Approx(inside * cell).epsilon(0.01));
  CHECK(mass.inertia.x == Approx((yy + zz) * cell).epsilon(0.01));
  CHECK(mass.inertia.y == Approx((xx + zz) * cell).epsilon(0.01));
  CHECK(mass.inertia.z == Approx((xx + yy) * cell).epsilon(0.01));
  for (int axis = 0; axis < 3; ++axis) {
    CHECK(low[axis] >= bounds.min[axis]);
    CHECK(low[axis] <= bounds.min[axis] + 0.05f);
    CHECK(high[axis] <= bounds.max[axis]);
    CHECK(high[axis] >= bounds.max[axis] - 0.05f);
  }
}

}  // namespace
}  // namespace nowait
