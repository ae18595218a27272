// Builds and path queries while bodies move; for ThreadSanitizer.
#include <atomic>
#include <catch2/catch.hpp>
#include <thread>
#include <vector>

#include "tests/navigation/nav_scene.h"

namespace nowait {
namespace {

TEST_CASE("cells are built and paths are found while a world is updated") {
  const PoolHere pool(2);
  test::Clutter clutter(12);
  World& world = clutter.world();
  std::vector<BodyId> loose;
  for (int i = 0; i < 60; ++i) {
    loose.push_back(
        Add(world, SphereAt(0.4f, clutter.random().InBox({0, 4, 0}, {25.6f, 8, 25.6f}))));
  }
  const BodyId gate = Add(world, test::StaticBox({0.3f, 1, 3}, {12.8f, 1, 12.8f}));
  NavBuilderDef def{.sizes = {{.voxel = 0.4f}}, .max_building = 2, .filter = {}};
  const auto builder = std::move(*NavBuilder::Create(world, pool, def));
  std::atomic<bool> stop{false};
  std::atomic<int> found{0};
  std::vector<std::jthread> askers;
  for (std::uint64_t asker = 0; asker < 2; ++asker) {
    askers.emplace_back([&, asker] {
      Random random(asker);
      WaitTime wait;
      std::vector<Vec3> points;
      auto query = std::move(*NavQuery::Create(builder->mesh(0)));
      while (!stop.load(std::memory_order::relaxed)) {
        const Vec3 from = random.InBox({0, 0, 0}, {25.6f, 1, 25.6f});
        const Vec3 to = random.InBox({0, 0, 0}, {25.6f, 1, 25.6f});
        if (query.FindPath(from, to, points, wait)) found.fetch_add(1, std::memory_order::relaxed);
      }
    });
  }
  WaitTime wait;
  for (int frame = 0; frame < 90; ++frame) {
    const float x = frame % 2 == 0 ? 12.8f : 11.0f;
    REQUIRE(world.MoveBody(gate, {x, 1, 12.8f}, {}, wait));
    REQUIRE(builder->Changed({{10, 0, 9}, {14, 2, 16}}));
    // The need moves to and fro, so that cells come, go and are cancelled.
    const float at = frame % 30 < 15 ? 6.0f : 40.0f;
    const NavNeed need[] = {{.size = 0, .centre = {at, 0, 12.8f}, .radius = 14}};
    REQUIRE(builder->Update(need, wait));
    REQUIRE(world.Update(1.0f / 30, pool));
  }
  const NavNeed need[] = {{.size = 0, .centre = {12.8f, 0, 12.8f}, .radius = 12}};
  REQUIRE(builder->Finish(need, wait));
  while (found.load(std::memory_order::relaxed) == 0) std::this_thread::yield();
  stop.store(true, std::memory_order::relaxed);
  askers.clear();
  CHECK(builder->Stats().built > 4);
  CHECK(builder->Stats().failed == 0);
}

}  // namespace
}  // namespace nowait
