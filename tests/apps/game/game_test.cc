#include "src/apps/game/game.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "src/jobs/task_pool.h"

namespace nowait {
namespace {

struct Outcome {
  std::uint64_t checksum;
  GameTotals totals;
  ScriptCounts counts;
};

Outcome Play(std::uint32_t threads, bool twice = false, std::uint64_t seed = 1) {
  const auto pool = TaskPool::Create({.workers = threads - 1});
  REQUIRE(pool);
  const auto here = (*pool)->Register("main");
  REQUIRE(here);
  auto game = Game::Create({.objects = 400,
                            .threads = threads,
                            .seed = seed,
                            .twice = twice,
                            .compiled = "src/apps/game"});
  INFO((game ? "" : game.error().text));
  REQUIRE(game);
  for (int i = 0; i < 60; ++i) {
    const auto lines = (*game)->Frame(**pool);
    REQUIRE(lines);
    CHECK(*lines == std::vector<std::string>{});
  }
  const auto totals = (*game)->Totals();
  REQUIRE(totals);
  return {(*game)->system().Checksum(), *totals, (*game)->system().Counts()};
}

TEST_CASE("a game is the same with any number of threads, and when each call runs twice") {
  const Outcome alone = Play(1);
  CHECK(alone.totals.steps == 180 * 60 / 4);
  CHECK(alone.totals.crossings > 0);
  CHECK(alone.totals.opened > 0);
  CHECK(alone.totals.hidden > 0);
  CHECK(alone.totals.shots > alone.totals.hits);
  CHECK(alone.totals.hits > 0);
  CHECK(alone.counts.updates == 60 * 399);
  for (const std::uint32_t threads : {2u, 4u}) {
    CHECK(Play(threads).checksum == alone.checksum);
    CHECK(Play(threads, true).checksum == alone.checksum);
  }
  CHECK(Play(1, false, 2).checksum != alone.checksum);
}

}  // namespace
}  // namespace nowait
