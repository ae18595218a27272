// A pile is one island, and several threads solve it: with the same result as one.
#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

#include "tests/world/scene.h"

namespace nowait {
namespace {

// A wall of boxes, each row one shorter than the row below.
std::vector<BodyId> AddPyramid(World& world, std::uint32_t base, float x) {
  std::vector<BodyId> boxes;
  for (std::uint32_t row = 0; row < base; ++row) {
    for (std::uint32_t i = 0; i < base - row; ++i) {
      BodyDef box =
          BoxAt({0.5f, 0.5f, 0.5f}, {x, 0.5f + static_cast<float>(row),
                                     static_cast<float>(i) + 0.5f * static_cast<float>(row)});
      box.may_sleep = false;
      boxes.push_back(Add(world, box));
    }
  }
  return boxes;
}

struct Outcome {
  std::uint64_t hash;
  UpdateStats stats;
};

// pyramids of 465 boxes, a stack, and a box alone.
Outcome RunPyramids(std::uint32_t workers, int pyramids, int steps) {
  auto world = MakeWorld({});
  PoolHere pool(workers);
  Add(*world, Floor());
  std::vector<BodyId> boxes;
  for (int i = 0; i < pyramids; ++i) {
    boxes = AddPyramid(*world, 30, -20.0f + 4.0f * static_cast<float>(i));
  }
  for (int i = 0; i < 4; ++i) {
    Add(*world, BoxAt({0.5f, 0.5f, 0.5f}, {30, 0.5f + static_cast<float>(i), 0}));
  }
  Add(*world, BoxAt({0.5f, 0.5f, 0.5f}, {35, 3, 0}));
  REQUIRE(Run(*world, pool, steps));
  const BodySnapshot top = Get(*world, boxes.back());
  CHECK(top.position.y > 28.5f);
  CHECK(top.position.y < 29.6f);
  CHECK(top.island == boxes.front().slot());  // its lowest slot, solved by one thread or by many
  return {world->StateHash(), world->stats()};
}

TEST_CASE("a pyramid stands, and comes out the same whichever threads solve it") {
  const Outcome alone = RunPyramids(0, 1, 60);
  REQUIRE(alone.stats.large_islands == 1);
  REQUIRE(alone.stats.split_islands == 0);
  REQUIRE(alone.stats.largest_island == 465);
  for (const std::uint32_t workers : {1u, 2u, 3u, 7u}) {
    CAPTURE(workers);
    const Outcome together = RunPyramids(workers, 1, 60);
    CHECK(together.hash == alone.hash);
    CHECK(together.stats.large_islands == 1);
    CHECK(together.stats.split_islands == 1);
  }
}

TEST_CASE("of several pyramids threads have one each, as long as there are enough") {
  const Outcome alone = RunPyramids(0, 4, 5);
  REQUIRE(alone.stats.large_islands == 4);
  const Outcome two = RunPyramids(1, 4, 5);
  CHECK(two.hash == alone.hash);
  CHECK(two.stats.split_islands == 0);
  const Outcome eight = RunPyramids(7, 4, 5);
  CHECK(eight.hash == alone.hash);
  CHECK(eight.stats.split_islands == 4);
}

TEST_CASE("a large island sleeps when all of its bodies have come to rest, and not before") {
  const bool one_may_not = GENERATE(false, true);
  const std::uint32_t workers = GENERATE(0u, 3u);
  CAPTURE(one_may_not, workers);
  WorldDef def;
  def.rest.time = 0.1f;
  auto world = MakeWorld(def);
  PoolHere pool(workers);
  Add(*world, Floor());
  // A layer of boxes that touch: one island, at rest from the start.
  constexpr std::uint32_t kSide = 16;
  for (std::uint32_t i = 0; i < kSide * kSide; ++i) {
    BodyDef box = BoxAt({0.5f, 0.5f, 0.5f},
                        {static_cast<float>(i % kSide), 0.5f, static_cast<float>(i / kSide)});
    box.may_sleep = i != 100 || !one_may_not;
    Add(*world, box);
  }
  REQUIRE(Run(*world, pool, 1));
  REQUIRE(world->stats().islands == 1);
  REQUIRE(world->stats().large_islands == 1);
  REQUIRE(world->stats().split_islands == (workers == 0 ? 0 : 1));
  REQUIRE(Run(*world, pool, 59));
  CHECK(world->stats().awake == (one_may_not ? kSide * kSide : 0));
}

// Their contacts are in blocks, although one thread solves each.
TEST_CASE("islands of middle size come out the same whichever threads solve them") {
  const auto run = [](std::uint32_t workers) {
    auto world = MakeWorld();
    PoolHere pool(workers);
    Add(*world, Floor());
    for (int i = 0; i < 12; ++i) AddPyramid(*world, 9, -24.0f + 4.0f * static_cast<float>(i));
    REQUIRE(Run(*world, pool, 60));
    CHECK(world->stats().islands == 12);
    CHECK(world->stats().large_islands == 0);
    return world->StateHash();
  };
  const std::uint64_t alone = run(0);
  for (const std::uint32_t workers : {1u, 3u, 7u}) {
    CAPTURE(workers);
    CHECK(run(workers) == alone);
  }
}

TEST_CASE("small islands are not for several threads") {
  auto world = MakeWorld();
  PoolHere pool(3);
  Add(*world, Floor());
  AddPyramid(*world, 10, 0);
  REQUIRE(Run(*world, pool, 5));
  REQUIRE(world->stats().islands == 1);
  REQUIRE(world->stats().large_islands == 0);
  REQUIRE(world->stats().split_islands == 0);
}

}  // namespace
}  // namespace nowait
