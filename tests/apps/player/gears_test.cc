// The player's scene of joints: the gears lift the load again and again, and the cars go round.
#include "src/apps/player/gears.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>

#include "tests/world/scene.h"

namespace nowait {
namespace {

TEST_CASE("the load goes up and down, and the cars go round on their wheels") {
  auto world = MakeWorld();
  PoolHere pool(0);
  for (const BodyDef& def : GroundForGears(2)) Add(*world, def);
  const auto scene = AddGears(*world, 2);
  REQUIRE(scene);
  const std::uint32_t joints = world->joint_count();
  float lowest = 1e9f, highest = 0.0f;
  int turns = 0;
  bool rises = false;
  float before = Get(*world, scene->load).position.y;
  float left = 0.0f, last = 0.0f;
  for (int step = 0; step < 60 * 14; ++step) {
    REQUIRE(Run(*world, pool, 1));
    const float now = Get(*world, scene->load).position.y;
    lowest = std::min(lowest, now);
    highest = std::max(highest, now);
    if ((now > before) != rises && std::abs(now - before) > 1e-3f) {
      rises = !rises;
      ++turns;
    }
    before = now;
    const Vec3 way = Rotate(Get(*world, scene->cars[0]).rotation, {1, 0, 0});
    const float heading = std::atan2(-way.z, way.x);
    left += std::remainder(heading - last, 2.0f * kPi);
    last = heading;
  }
  CHECK(highest - lowest > 1.2f);
  CHECK(lowest > 0.4f);
  CHECK(turns >= 4);
  CHECK(std::abs(left) > 2.0f);
  for (const BodyId car : scene->cars) {
    const BodySnapshot body = Get(*world, car);
    CHECK(Rotate(body.rotation, {0, 1, 0}).y > 0.9f);
    CHECK(body.position.y == Approx(0.7f).margin(0.25));
  }
  CHECK(world->joint_count() == joints);
}

}  // namespace
}  // namespace nowait
