// Sleepers and wakers that depend on each other: a lost wake-up is a test that never ends.
#include <atomic>
#include <catch2/catch.hpp>
#include <cstdint>

#include "src/sync/event_count.h"
#include "tests/stress/together.h"

namespace nowait {
namespace {

TEST_CASE("a turn goes round among threads that sleep until it is theirs") {
  const std::uint32_t threads = GENERATE(2u, 4u);
  constexpr std::uint32_t kTurns = 6000;
  EventCount<> events;
  std::atomic<std::uint32_t> turn{0};
  std::uint32_t taken = 0;  // plain: one thread at a time has the turn
  Together(threads, [&](std::uint32_t thread) {
    for (std::uint32_t mine = thread; mine < kTurns; mine += threads) {
      Doing::Now("sleeps until its turn");
      events.Await([&] { return turn.load(std::memory_order::acquire) == mine; });
      ++taken;
      turn.store(mine + 1, std::memory_order::release);
      events.NotifyAll();
    }
  });
  REQUIRE(taken == kTurns);
}

TEST_CASE("tokens from several makers reach several takers, each once") {
  constexpr std::uint32_t kPairs = 2;
  constexpr std::uint32_t kTokens = 4000;
  EventCount<> events;
  std::atomic<std::uint32_t> tokens{0};
  Together(2 * kPairs, [&](std::uint32_t thread) {
    for (std::uint32_t i = 0; i < kTokens; ++i) {
      if (thread < kPairs) {
        tokens.fetch_add(1, std::memory_order::relaxed);
        events.NotifyAll();
        continue;
      }
      Doing::Now("sleeps until there is a token");
      events.Await([&] {
        std::uint32_t left = tokens.load(std::memory_order::relaxed);
        while (left > 0) {
          if (tokens.compare_exchange_weak(left, left - 1, std::memory_order::relaxed)) return true;
        }
        return false;
      });
    }
  });
  REQUIRE(tokens == 0);
}

}  // namespace
}  // namespace nowait
