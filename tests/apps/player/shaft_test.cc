// The player's scene of a shaft: what falls on the funnel ends in the shaft, and none of it in the
// ground beside.
#include "src/apps/player/shaft.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "tests/world/scene.h"

namespace nowait {
namespace {

TEST_CASE("bodies slide into the shaft and lie on its floor, and round ones have bounced") {
  constexpr std::uint32_t kBodies = 24;
  PoolHere pool(1);
  const auto funnel = MakeFunnel();
  REQUIRE(funnel);
  const auto world = MakeWorld();
  std::vector<BodyId> moving;
  for (const BodyDef& def : BodiesOverShaft(**funnel, kBodies, 5)) {
    const BodyId id = Add(*world, def);
    if (def.type == BodyType::kDynamic) moving.push_back(id);
  }
  REQUIRE(moving.size() == kBodies);
  float fastest_up = 0.0f;
  for (int step = 0; step < 900; ++step) {
    REQUIRE(Run(*world, pool, 1));
    for (const BodyId id : moving) {
      const BodySnapshot body = Get(*world, id);
      const Vec3 at = body.position;
      const float wide = std::max(std::abs(at.x), std::abs(at.z));
      // Outside of the shaft it is above the ground.
      if (wide > kShaftHalf) CHECK(at.y > 0.3f * (wide - kShaftHalf) - 0.05f);
      if (at.y < -1.0f) fastest_up = std::max(fastest_up, body.linear_velocity.y);
    }
  }
  const std::ptrdiff_t below = std::ranges::count_if(moving, [&](BodyId id) {
    const float y = Get(*world, id).position.y;
    CHECK(y > -kShaftDepth);
    return y < -1.0f;
  });
  CHECK(below >= kBodies - 2);  // one may still go round
  CHECK(fastest_up > 5.0f);     // of about ten metres a second on the way down
}

}  // namespace
}  // namespace nowait
