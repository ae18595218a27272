#include "src/apps/game/game.h"

#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "src/events/saved.h"
#include "src/jobs/task_pool.h"

namespace nowait {
namespace {

struct Outcome {
  std::uint64_t checksum;
  GameTotals totals;
  ScriptCounts counts;
  WorldManagerCounts physics;
  std::vector<std::byte> events;
};

Outcome Play(std::uint32_t threads, bool twice = false, std::uint64_t seed = 1,
             std::span<const std::byte> replay = {}) {
  const auto pool = TaskPool::Create({.workers = threads - 1});
  REQUIRE(pool);
  const auto here = (*pool)->Register("main");
  REQUIRE(here);
  auto game = Game::Create({.objects = 400,
                            .threads = threads,
                            .seed = seed,
                            .twice = twice,
                            .compiled = "src/apps/game",
                            .save_events = replay.empty(),
                            .replay = replay});
  INFO((game ? "" : game.error().text));
  REQUIRE(game);
  for (int i = 0; i < 90; ++i) {
    const auto lines = (*game)->Frame(**pool);
    REQUIRE(lines);
    CHECK(*lines == std::vector<std::string>{});
  }
  const auto totals = (*game)->Totals();
  REQUIRE(totals);
  return {(*game)->system().Checksum(), *totals, (*game)->system().Counts(), (*game)->physics(),
          (*game)->events().TakeSaved()};
}

TEST_CASE("a game is the same with any number of threads, and when each call runs twice") {
  const Outcome alone = Play(1);
  CHECK(alone.totals.steps == 180 * 90 / 4);
  CHECK(alone.totals.crossings > 0);
  CHECK(alone.totals.opened > 0);
  CHECK(alone.totals.hidden > 0);
  CHECK(alone.totals.shots > alone.totals.hits);
  CHECK(alone.totals.hits > 0);
  CHECK(alone.totals.missed > 0);
  CHECK(alone.totals.spared > 0);
  CHECK(alone.totals.wounds >= alone.totals.hits);
  CHECK(alone.counts.updates == 90 * (399 - 15));  // the tally and the arrows have no updates
  // Once each: the horses behind another one, and the archers that have a shot.
  const double asked = alone.totals.shots + alone.totals.spared;
  CHECK(alone.counts.put_off == 90 * 36 + static_cast<std::uint64_t>(asked));
  CHECK(alone.counts.callbacks > 100);
  CHECK(alone.physics.calls == alone.counts.callbacks);
  CHECK(alone.physics.unbound > 0);  // contacts of arrows that are gone
  CHECK((alone.physics.lost == 0 && alone.physics.unknown == 0));
  for (const std::uint32_t threads : {2u, 4u}) {
    const Outcome other = Play(threads);
    CHECK(other.checksum == alone.checksum);
    CHECK(other.physics.calls == alone.physics.calls);
    CHECK(Play(threads, true).checksum == alone.checksum);
  }
  CHECK(Play(1, false, 2).checksum != alone.checksum);
}

TEST_CASE("a game that hears the events of a file does what the game did that wrote it") {
  const Outcome written = Play(1);
  const Outcome replayed = Play(2, false, 1, written.events);
  CHECK(replayed.checksum == written.checksum);
  CHECK(replayed.counts.callbacks == written.counts.callbacks);
  // The objects hear the file and not the world: with other events they do something else.
  std::vector<std::byte> silent;
  for (std::uint64_t frame = 0; frame < 90; ++frame) {
    const auto blob = SaveEvents(frame, 0, {});
    REQUIRE(blob);
    silent.insert(silent.end(), blob->begin(), blob->end());
  }
  const Outcome deaf = Play(2, false, 1, silent);
  CHECK(deaf.counts.callbacks == 0);
  CHECK(deaf.totals.hits == 0);
}

TEST_CASE("a file of events that ends too early, or has another frame, stops the game") {
  const auto second = SaveEvents(1, 0, {});
  REQUIRE(second);
  std::vector<std::byte> damaged = *second;
  damaged[20] ^= std::byte{1};
  auto one = SaveEvents(0, 0, {});
  REQUIRE(one);
  const struct {
    std::span<const std::byte> file;
    std::uint32_t frames;
    const char* error;
  } kCases[] = {{*one, 1, "event file not found: it ends before this frame"},
                {*second, 0, "event file not found: it has another frame next"},
                {damaged, 0, "blob is damaged: its checksum does not match"}};
  for (const auto& wrong : kCases) {
    const auto pool = TaskPool::Create({.workers = 0});
    REQUIRE(pool);
    const auto here = (*pool)->Register("main");
    REQUIRE(here);
    auto game = Game::Create({.objects = 16, .compiled = "src/apps/game", .replay = wrong.file});
    REQUIRE(game);
    for (std::uint32_t i = 0; i < wrong.frames; ++i) REQUIRE((*game)->Frame(**pool));
    const auto failed = (*game)->Frame(**pool);
    REQUIRE(!failed);
    CHECK(ToString(failed.error()) == wrong.error);
  }
}

}  // namespace
}  // namespace nowait
