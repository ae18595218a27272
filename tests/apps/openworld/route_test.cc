#include "src/apps/openworld/route.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <set>

namespace nowait {
namespace {

TEST_CASE("a route walks, rides, flies and teleports, within its bounds, the same each time") {
  const std::uint64_t seed = GENERATE(1, 2, 3);
  const RouteDef def{.width = 4096, .depth = 3072, .border = 512, .seed = seed};
  Route route(def), again(def);
  std::set<Travel> travels;
  PlayerMotion before = route.motion();
  for (int i = 0; i < 30 * 120; ++i) {
    route.Advance(1.0f / 30);
    again.Advance(1.0f / 30);
    const PlayerMotion& now = route.motion();
    REQUIRE(now.x == again.motion().x);
    REQUIRE(now.z == again.motion().z);
    REQUIRE(now.x >= 511);
    REQUIRE(now.z >= 511);
    REQUIRE(now.x <= 4096 - 511);
    REQUIRE(now.z <= 3072 - 511);
    travels.insert(route.travel());
    const float way = std::hypot(now.x - before.x, now.z - before.z);
    if (route.travel() != Travel::kTeleport) {
      REQUIRE(way <= 46.0f / 30);
      REQUIRE(way == Approx(std::hypot(now.velocity_x, now.velocity_z) / 30).margin(0.01));
    }
    before = now;
  }
  CHECK(travels.size() == 4);
}

TEST_CASE("another seed is another route, and a step of no time is no way") {
  const RouteDef def{.width = 4096, .depth = 3072, .border = 512, .seed = 1};
  RouteDef other_def = def;
  other_def.seed = 2;
  Route route(def), other(other_def);
  bool differ = false;
  for (int i = 0; i < 30 * 20; ++i) {
    route.Advance(1.0f / 30);
    other.Advance(1.0f / 30);
    differ = differ || route.motion().x != other.motion().x;
  }
  CHECK(differ);
  const PlayerMotion before = route.motion();
  if (route.travel() != Travel::kTeleport) {
    route.Advance(0.0f);
    CHECK(route.motion().x == before.x);
    CHECK(route.motion().z == before.z);
  }
}

}  // namespace
}  // namespace nowait
