// A world that runs and is watched, for tests of the feed and of the service.
#ifndef NOWAIT_TESTS_LIVE_RUNNING_SCENE_H_
#define NOWAIT_TESTS_LIVE_RUNNING_SCENE_H_

#include <catch2/catch.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "src/bodies/body_def.h"
#include "src/jobs/task_pool.h"
#include "src/live/feed.h"
#include "src/profile/profile.h"
#include "src/world/world.h"

namespace nowait {

// A floor and 60 bodies above it.
inline std::unique_ptr<World> MakePile() {
  WorldDef def;
  def.max_bodies = 256;
  def.max_contacts = 4096;
  auto made = World::Create(def);
  REQUIRE(made);
  World& world = **made;
  WaitTime wait;
  BodyDef floor;
  floor.type = BodyType::kStatic;
  floor.shape = Shape::Box({20, 1, 20});
  floor.position = {0, -1, 0};
  REQUIRE(world.CreateBody(floor, wait));
  for (int i = 0; i < 60; ++i) {
    BodyDef def;
    def.shape = i % 2 == 0 ? Shape::Sphere(0.4f) : Shape::Box({0.4f, 0.3f, 0.4f});
    def.position = {0.9f * static_cast<float>(i % 4), 1.0f + static_cast<float>(i / 4),
                    0.3f * static_cast<float>(i % 3)};
    REQUIRE(world.CreateBody(def, wait));
  }
  return std::move(*made);
}

// The frames of a run, and the offer in the last one.
struct Ran {
  std::uint64_t hash = 0;
  std::uint32_t handed_over = 0;
  std::vector<BodySnapshot> last;
};

struct Scene {
  std::unique_ptr<World> world = MakePile();
  Profile profile{{.lanes = 3, .spans_per_lane = 0, .live_spans_per_lane = 256}};
};

struct RunningScene : Scene {
  std::unique_ptr<TaskPool> pool = *TaskPool::Create({.workers = 2, .profile = &profile});
  TaskPool::Registration here = *pool->Register("main");
};

inline constexpr std::uint32_t kFrames = 150;

// Runs the scene for kFrames frames, and offers each of them to the feed, if there is one.
inline Ran Run(RunningScene& scene, LiveFeed* feed, WhenFull when_full,
               const std::function<void(std::uint32_t)>& before_frame) {
  World& world = *scene.world;
  Ran ran;
  for (std::uint32_t frame = 0; frame < kFrames; ++frame) {
    before_frame(frame);
    LiveMoment moment;
    moment.begin = SteadyNanoseconds();
    REQUIRE(world.Update(1.0f / 30, *scene.pool, 2));
    moment.end = SteadyNanoseconds();
    moment.step = frame + 1;
    if (feed == nullptr) continue;
    const auto offered = feed->Offer(world, moment, when_full);
    REQUIRE(offered);
    ran.handed_over += *offered ? 1 : 0;
  }
  ran.hash = world.StateHash();
  world.Snapshot(ran.last);
  return ran;
}

// The hash of the same run without a feed.
inline std::uint64_t HashAlone() {
  static const std::uint64_t hash = [] {
    RunningScene scene;
    return Run(scene, nullptr, WhenFull::kDrop, [](std::uint32_t) {}).hash;
  }();
  return hash;
}

}  // namespace nowait

#endif  // NOWAIT_TESTS_LIVE_RUNNING_SCENE_H_
