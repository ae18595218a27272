#include "src/apps/crowd/feet.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "src/apps/crowd/run.h"
#include "src/apps/demo/scene.h"
#include "src/profile/profile.h"
#include "tests/animation/made_motion.h"

namespace nowait {
namespace {

// 64 m to a side, rising by `slope` metres a metre to the east.
Ground Slope(float slope) {
  Terrain terrain;
  terrain.side = 65;
  terrain.cell_size = 1.0f;
  for (std::uint32_t row = 0; row < terrain.side; ++row) {
    for (std::uint32_t column = 0; column < terrain.side; ++column) {
      terrain.heights.push_back(slope * static_cast<float>(column));
    }
  }
  auto field = HeightField::Create({.columns = terrain.side,
                                    .rows = terrain.side,
                                    .spacing = terrain.cell_size,
                                    .heights = terrain.heights});
  REQUIRE(field);
  return {std::move(terrain), std::move(*field)};
}

TEST_CASE("on a slope both feet are as high above the ground as they were above the floor") {
  const float slope = GENERATE(-0.6f, -0.1f, 0.0f, 0.3f);
  CAPTURE(slope);
  const Ground ground = Slope(slope);
  const auto world = CreateScene(ground, {});
  REQUIRE(world);
  const Motion walk = MadeWalk(60, 0.5f);
  const Feet feet(walk.skeleton);
  REQUIRE(feet.legs());
  const auto view = (*world)->ReadNoLock();
  for (std::uint32_t frame = 0; frame < walk.frames; frame += 5) {
    CAPTURE(frame);
    Pose local(walk.skeleton);
    for (std::uint32_t bone = 0; bone < walk.skeleton.size(); ++bone) {
      const auto& q = walk.rotations[bone][frame];
      local.SetRotation(bone, {q[0], q[1], q[2], q[3]});
    }
    const Pose captured = local;
    Vec3 origin{3.3f, 0.0f, -7.7f};
    CHECK(feet.Plant(view, 100.0f, local, origin));
    for (const Leg& leg : *feet.legs()) {
      const Vec3 before = PlaceOf(walk.skeleton, captured, leg.foot);
      const Vec3 after = origin + PlaceOf(walk.skeleton, local, leg.foot);
      // The formula of the slope, not the height field's: x = -32 m has the height 0.
      CHECK(after.y == Approx(slope * (after.x + 32) + before.y).margin(2e-3));
      CHECK(after.x == Approx(origin.x + before.x).margin(1e-3));
      CHECK(after.z == Approx(origin.z + before.z).margin(1e-3));
    }
  }
}

TEST_CASE("beside the ground, and without legs, a character stays as it is") {
  const Ground ground = Slope(0.5f);
  const auto world = CreateScene(ground, {});
  REQUIRE(world);
  const auto view = (*world)->ReadNoLock();
  const Skeleton walker = MadeWalk(2, 0.5f).skeleton;
  Pose local(walker);
  Vec3 origin{500, 1.25f, 0};
  CHECK_FALSE(Feet(walker).Plant(view, 100.0f, local, origin));
  CHECK(origin == Vec3{500, 1.25f, 0});
  const Skeleton snake = MadeMotion(5, 2, 1).skeleton;
  CHECK_FALSE(Feet(snake).legs());
  Pose other(snake);
  origin = {};
  CHECK_FALSE(Feet(snake).Plant(view, 100.0f, other, origin));
  CHECK(origin == Vec3{});
}

TEST_CASE("a crowd's steps and places on a slope are the same with any number of workers") {
  const Ground ground = Slope(0.25f);
  const std::vector<Motion> motions = {MadeWalk(240, 0.5f), MadeWalk(300, 0.7f)};
  CrowdDef def{.characters = 60, .frames = 120, .workers = 0, .seed = 5, .hash_every = 10};
  const auto run = [&](const Ground* on) {
    Profile profile({.lanes = def.workers + 1, .spans_per_lane = 1u << 14});
    const CrowdResult result = RunCrowd(def, motions, on, profile);
    INFO(result.error);
    REQUIRE(result.error.empty());
    return result;
  };
  const CrowdResult alone = run(&ground);
  // Two seconds of strides of half a second and more, at 0.8 to 1.25 of the speed.
  CHECK(alone.footsteps.left() > 100);
  CHECK(alone.footsteps.right() > 100);
  CHECK(alone.footsteps.left() < 60 * 6);
  CHECK(run(nullptr).hash != alone.hash);
  for (const std::uint32_t workers : {1u, 3u}) {
    def.workers = workers;
    const CrowdResult other = run(&ground);
    CHECK(other.hash == alone.hash);
    CHECK(other.footsteps.hash() == alone.footsteps.hash());
    CHECK(other.footsteps.left() == alone.footsteps.left());
  }
}

}  // namespace
}  // namespace nowait
