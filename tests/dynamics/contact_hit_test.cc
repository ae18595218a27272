#include "src/dynamics/contact_hit.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "src/math/random.h"

namespace nowait {
namespace {

Manifold ManifoldOf(std::initializer_list<ContactPoint> points) {
  Manifold manifold;
  for (const ContactPoint& point : points) manifold.Add(point);
  return manifold;
}

TEST_CASE("a hit has the deepest point, and the speeds along and across its normal") {
  Body a, b;
  a.position = {0, 1, 0};
  a.linear_velocity = {3, -4, 0};
  const Manifold manifold = ManifoldOf({{{1, 0, 0}, {0, -1, 0}, 0.01f, 1},
                                        {{2, 0, 0}, {0, -1, 0}, -0.02f, 2},
                                        {{3, 0, 0}, {0, -1, 0}, -0.02f, 3}});
  const ContactHit hit = HitOf(manifold, a, b);
  CHECK(hit.place == Vec3{2, 0, 0});  // of equal depths the first
  CHECK(hit.normal == Vec3{0, -1, 0});
  CHECK(hit.speed == 4.0f);
  CHECK(hit.slide == 3.0f);
  // Seen from the other body it approaches as fast.
  Body still;
  const ContactHit mirrored = HitOf(ManifoldOf({{{2, 0, 0}, {0, 1, 0}, 0, 1}}), still, a);
  CHECK(mirrored.speed == 4.0f);
  a.linear_velocity = {0, 2, 0};
  CHECK(HitOf(manifold, a, b).speed == -2.0f);  // it parts
}

TEST_CASE("the place of a hit counts: a body that turns is fast at its rim") {
  Body wheel, floor;
  wheel.position = {0, 1, 0};
  wheel.linear_velocity = {2, 0, 0};
  wheel.angular_velocity = {0, 0, -2};  // it rolls: its lowest point rests
  const ContactHit rolls = HitOf(ManifoldOf({{{0, 0, 0}, {0, -1, 0}, 0, 1}}), wheel, floor);
  CHECK(rolls.speed == 0.0f);
  CHECK(rolls.slide == 0.0f);
  wheel.angular_velocity = {0, 0, 2};
  CHECK(HitOf(ManifoldOf({{{0, 0, 0}, {0, -1, 0}, 0, 1}}), wheel, floor).slide == 4.0f);
}

TEST_CASE("both speeds are those of the relative velocity, whatever moves along with both bodies") {
  Random random(20261127);
  INFO("seed 20261127");
  for (int i = 0; i < 1000; ++i) {
    const auto vector = [&] {
      return Vec3{random.Between(-9, 9), random.Between(-9, 9), random.Between(-9, 9)};
    };
    Body a, b;
    a.linear_velocity = vector();
    b.linear_velocity = vector();
    const Vec3 way = vector();
    if (Length(way) < 1) continue;
    const Vec3 normal = way * (1 / Length(way));
    const Manifold manifold = ManifoldOf({{vector(), normal, 0, 1}});
    const ContactHit hit = HitOf(manifold, a, b);
    const Vec3 relative = a.linear_velocity - b.linear_velocity;
    CHECK(hit.speed * hit.speed + hit.slide * hit.slide ==
          Approx(Dot(relative, relative)).epsilon(1e-3));
    const Vec3 wind = vector();
    a.linear_velocity += wind;
    b.linear_velocity += wind;
    CHECK(HitOf(manifold, a, b).speed == Approx(hit.speed).margin(1e-4));
  }
}

}  // namespace
}  // namespace nowait
