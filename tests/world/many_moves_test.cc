// Very many bodies that the game moves at once: where the tree would make a step's time quadratic
// in their number, it is rebuilt first.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "tests/world/scene.h"

namespace nowait {
namespace {

// Balls at random places of a cube, in a tree that steps have rebuilt.
struct Cloud {
  explicit Cloud(std::uint32_t bodies, std::uint32_t workers = 0) : pool(workers) {
    WorldDef def;
    def.max_bodies = bodies + 1;
    def.gravity = {};
    world = MakeWorld(def);
    const float side = 3 * std::cbrt(static_cast<float>(bodies));
    std::vector<BodyDef> defs;
    for (std::uint32_t i = 0; i < bodies; ++i) {
      places.push_back(random.InBox({}, {side, side, side}));
      defs.push_back(SphereAt(0.3f, places.back()));
      defs.back().may_sleep = false;
    }
    WaitTime wait;
    WorldBatch batch = std::move(*world->PrepareBatch(defs));
    ids = std::move(*world->FinaliseBatch(batch, wait));
    REQUIRE(Run(*world, pool, 3));
  }
  void ChangePlaces() {
    WaitTime wait;
    for (std::size_t i = places.size() - 1; i > 0; --i) {
      std::swap(places[i], places[random.Below(static_cast<std::uint32_t>(i) + 1)]);
    }
    for (std::size_t i = 0; i < ids.size(); ++i) {
      REQUIRE(world->MoveBody(ids[i], places[i], {}, wait));
    }
  }
  // Keeps the order of the bodies: the boxes of the tree grow by the way alone.
  void Shift(const Vec3& by) {
    WaitTime wait;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      places[i] += by;
      REQUIRE(world->MoveBody(ids[i], places[i], {}, wait));
    }
  }
  // Of one step.
  std::uint32_t EarlyRebuilds() {
    REQUIRE(Run(*world, pool, 1));
    return world->stats().early_rebuilds;
  }

  PoolHere pool;
  Random random{1};
  std::unique_ptr<World> world;
  std::vector<Vec3> places;
  std::vector<BodyId> ids;
};

TEST_CASE("the tree is rebuilt first when bodies have changed places, and in no other step") {
  Cloud cloud(8000);
  CHECK(cloud.EarlyRebuilds() == 0);
  for (int i = 0; i < 2; ++i) {
    cloud.ChangePlaces();
    CHECK(cloud.EarlyRebuilds() == 1);
    CHECK(cloud.EarlyRebuilds() == 0);
  }
  cloud.Shift({0.5f, 0, 0});
  CHECK(cloud.EarlyRebuilds() == 0);
}

TEST_CASE("a step with a tree rebuilt first has the same result with any number of threads") {
  const auto play = [](std::uint32_t workers) {
    Cloud cloud(1000, workers);
    std::vector<std::uint64_t> hashes;
    for (int i = 0; i < 3; ++i) {
      cloud.ChangePlaces();
      REQUIRE(Run(*cloud.world, cloud.pool, 2));
      hashes.push_back(cloud.world->StateHash());
      hashes.push_back(cloud.world->stats().pairs);
    }
    return hashes;
  };
  CHECK(play(0) == play(3));
}

TEST_CASE("bodies that have changed places find each other where they are now") {
  Cloud cloud(1000);
  WaitTime wait;
  const BodyId ball = Add(*cloud.world, SphereAt(0.3f, {500, 0, 0}));
  REQUIRE(Run(*cloud.world, cloud.pool, 1));
  cloud.ChangePlaces();
  REQUIRE(cloud.world->MoveBody(cloud.ids[7], {500.5f, 0, 0}, {}, wait));
  REQUIRE(Run(*cloud.world, cloud.pool, 1));
  const auto events = cloud.world->contact_events();
  CHECK(std::ranges::any_of(events, [&](const ContactEvent& event) {
    return std::pair(event.a, event.b) == std::pair(cloud.ids[7], ball);
  }));
}

}  // namespace
}  // namespace nowait
