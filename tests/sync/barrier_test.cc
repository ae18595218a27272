#include "src/sync/barrier.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <utility>
#include <vector>

#include "src/sync/policy.h"

namespace nowait {
namespace {

std::vector<EngineSync::thread> Start(std::uint32_t count, const auto& function) {
  std::vector<EngineSync::thread> threads;
  for (std::uint32_t i = 0; i < count; ++i) {
    auto thread = EngineSync::thread::Start("test", [i, function] { function(i); });
    REQUIRE(thread);
    threads.push_back(std::move(*thread));
  }
  return threads;
}

TEST_CASE("a barrier of one never waits") {
  Barrier<> barrier(1);
  barrier.ArriveAndWait();
  barrier.ArriveAndWait();
}

TEST_CASE("all threads see after a round what each did in it") {
  constexpr std::uint32_t kThreads = 4;
  constexpr std::uint32_t kRounds = 1000;
  Barrier<> barrier(kThreads);
  std::vector<std::uint32_t> done(kThreads);
  std::vector<std::uint32_t> wrong(kThreads);
  auto threads = Start(kThreads, [&](std::uint32_t i) {
    for (std::uint32_t round = 1; round <= kRounds; ++round) {
      done[i] = round;
      barrier.ArriveAndWait();
      for (const std::uint32_t other : done) wrong[i] += other == round ? 0 : 1;
      barrier.ArriveAndWait();
    }
  });
  for (auto& thread : threads) thread.join();
  REQUIRE(wrong == std::vector<std::uint32_t>(kThreads));
}

// The second of three threads is waiting, as a rule, when the third one drops out.
TEST_CASE("the last one to drop out lets those that wait go on") {
  for (int round = 0; round < 200; ++round) {
    Barrier<> barrier(3);
    auto threads = Start(2, [&](std::uint32_t) { barrier.ArriveAndWait(); });
    if (round % 2 == 0) EngineSync::Yield();
    barrier.Drop();
    for (auto& thread : threads) thread.join();
  }
}

TEST_CASE("one that drops out is not waited for, now and later") {
  Barrier<> barrier(3);
  barrier.Drop();
  std::uint32_t rounds = 0;
  auto threads = Start(1, [&](std::uint32_t) {
    barrier.ArriveAndWait();
    ++rounds;
    barrier.Drop();
  });
  barrier.ArriveAndWait();
  threads[0].join();
  barrier.ArriveAndWait();
  REQUIRE(rounds == 1);
}

}  // namespace
}  // namespace nowait
