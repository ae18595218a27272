// A test case that fails, for the test of its film (tests/apps/player/page_test.py).
#include <catch2/catch.hpp>

#include "tests/world/scene.h"

namespace nowait {
namespace {

TEST_CASE("a box falls up") {
  const PoolHere pool(1);
  const auto world = MakeWorld();
  Add(*world, Floor());
  const BodyId box = Add(*world, BoxAt({0.5f, 0.5f, 0.5f}, {0.0f, 4.0f, 0.0f}));
  REQUIRE(Run(*world, pool, 30));
  CHECK(Get(*world, box).position.y > 4.0f);
  REQUIRE(Run(*world, pool, 30));  // not in the film
}

}  // namespace
}  // namespace nowait
