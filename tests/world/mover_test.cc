// The lane of the thread that moved a body is known, and nothing depends on it.
#include <catch2/catch.hpp>
#include <cstdint>
#include <set>
#include <vector>

#include "src/profile/profile.h"
#include "tests/world/scene.h"

namespace nowait {
namespace {

// The lanes of the bodies of a scene after so many steps, and the hash of its state.
struct Moved {
  std::set<std::uint16_t> lanes;  // of the bodies that can move
  std::set<std::uint16_t> others;
  std::uint64_t hash = 0;
};

Moved Move(std::uint32_t workers, Profile* profile, int steps) {
  HillScene scene = MakeHillScene(160, 42);
  const auto pool = MakePool({.workers = workers, .profile = profile});
  const auto here = pool->Register("main");
  REQUIRE(here);
  REQUIRE(Run(*scene.world, *pool, steps));
  Moved moved;
  std::vector<BodySnapshot> bodies;
  scene.world->Snapshot(bodies);
  for (const BodySnapshot& body : bodies) {
    (body.type == BodyType::kDynamic ? moved.lanes : moved.others).insert(body.lane);
  }
  moved.hash = scene.world->StateHash();
  return moved;
}

constexpr std::uint16_t kNoLane = BodySnapshot::kNoLane;

TEST_CASE("a body names the lane of the thread that moved it in its last step") {
  Profile profile({.lanes = 4, .spans_per_lane = 0});
  REQUIRE(profile.AddLane("of the game"));  // the pool's lanes come behind it
  const Moved before = Move(0, &profile, 0);
  CHECK(before.lanes == std::set{kNoLane});
  const Moved alone = Move(0, &profile, 20);
  CHECK(alone.lanes == std::set<std::uint16_t>{2});  // the second pool's only thread
  CHECK(alone.others == std::set{kNoLane});
}

TEST_CASE("with a profile and without, the state is the same") {
  const Moved without = Move(2, nullptr, 60);
  CHECK(without.lanes == std::set{kNoLane});
  Profile profile({.lanes = 3, .spans_per_lane = 0});
  const Moved with = Move(2, &profile, 60);
  CHECK(*with.lanes.rbegin() < 3);
  CHECK(with.hash == without.hash);
}

}  // namespace
}  // namespace nowait
