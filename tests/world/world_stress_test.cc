// Game threads at work between updates, a background thread throughout; for ThreadSanitizer.
#include <atomic>
#include <catch2/catch.hpp>
#include <thread>
#include <vector>

#include "tests/world/scene.h"

namespace nowait {
namespace {

// One game thread's work in one frame, on bodies of its own share.
void PlayFrame(World& world, const std::vector<BodyId>& bodies, std::uint32_t thread,
               Random& random, WaitTime& wait) {
  for (int i = 0; i < 6; ++i) {
    const RayCast ray{random.InBox({5, 25, 5}, {35, 25, 35}),
                      random.InBox({-10, -40, -10}, {10, -30, 10})};
    const auto hit = world.CastRay(ray, {}, wait);
    if (hit) static_cast<void>(world.GetBody(hit->body, wait));
    const BodyId mine =
        bodies[2 * random.Below(static_cast<std::uint32_t>(bodies.size() / 2)) + thread];
    const auto body = world.GetBody(mine, wait);
    if (body && i % 3 == 0) {
      static_cast<void>(world.MoveBody(mine, body->position + Vec3{0.1f, 0.3f, 0}, {}, wait));
    }
    if (i % 2 == 0) {
      BodyChange change;
      if (i % 3 == 0) change.shape = Shape::Sphere(random.Between(0.2f, 0.5f));
      change.layer = random.Below(2) == 0 ? Layer::kDynamic : UserLayer(0);
      static_cast<void>(world.SetProperties(mine, change, wait));
    }
    const auto made = world.CreateBody(SphereAt(0.3f, random.InBox({8, 9, 8}, {32, 12, 32})), wait);
    if (made && i % 2 == 0) static_cast<void>(world.DestroyBody(*made, wait));
  }
}

TEST_CASE("game threads change a world between updates while a query runs in the background") {
  WorldDef def;
  def.max_bodies = 2048;
  def.user_layers = {{.name = "other"}};
  HillScene scene = MakeHillScene(80, 4, def);
  World& world = *scene.world;
  PoolHere pool(2);
  std::atomic<bool> stop{false};
  int not_aborted = 0;
  std::jthread background([&] {
    WaitTime wait;
    Random random(99);
    std::vector<BodyId> found;
    std::vector<RayHit> hits;
    std::vector<BodyAt> at;
    while (!stop.load(std::memory_order::relaxed)) {
      const WorldView view = world.Read();
      for (int i = 0; i < 20; ++i) {
        const RayCast ray{random.InBox({0, 30, 0}, {40, 30, 40}), {0, -60, 0}};
        const auto hit = view.CastRay(ray, {}, wait);
        static_cast<void>(view.IsBlocked(ray, {}, wait));
        view.CollectHits(ray, {}, hits, wait);
        if (hit) view.FindAt(hit->point, {}, at, wait);
        view.FindInBox(ToBounds({10, -50, 10}, {30, 50, 30}), {}, found, wait);
      }
      std::vector<BodyDef> defs(20, BoxAt({0.2f, 0.2f, 0.2f}, {20, 30, 20}));
      auto batch = world.PrepareBatch(defs);
      // Catch2's assertions are one thread's: a failure is counted here, and judged when this has
      // ended.
      if (batch && !world.AbortBatch(*batch)) ++not_aborted;
    }
  });
  for (int frame = 0; frame < 40; ++frame) {
    {
      std::vector<std::jthread> game;
      for (std::uint32_t t = 0; t < 2; ++t) {
        game.emplace_back([&, t] {
          WaitTime wait;
          Random random(static_cast<std::uint64_t>(frame * 2) + t);
          PlayFrame(world, scene.bodies, t, random, wait);
        });
      }
    }
    REQUIRE(world.Update(1.0f / 30.0f, pool, 2));
  }
  stop.store(true, std::memory_order::relaxed);
  background.join();
  REQUIRE(not_aborted == 0);
}

}  // namespace
}  // namespace nowait
