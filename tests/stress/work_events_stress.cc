// Workers that wake each other: a lost wake-up is a test that never ends.
#include <atomic>
#include <catch2/catch.hpp>
#include <cstdint>

#include "src/jobs/work_events.h"
#include "tests/stress/together.h"

namespace nowait {
namespace {

// Pieces of work that workers take, and the events that say so.
class Pool {
 public:
  void Add(std::uint32_t pieces) {
    work_.fetch_add(pieces, std::memory_order::relaxed);
    events.NotifyWork();
  }
  // An idle worker, until it has a piece.
  void Take() {
    auto key = events.PrepareIdle();
    while (!TryTake()) {
      events.WaitIdle(key);
      key = events.PrepareAgain();
    }
    events.EndIdle();
    if (left() > 0) events.NotifyWork();
  }
  std::uint32_t left() const { return work_.load(std::memory_order::relaxed); }

  WorkEvents<> events;

 private:
  bool TryTake() {
    std::uint32_t left = work_.load(std::memory_order::relaxed);
    while (left > 0) {
      if (work_.compare_exchange_weak(left, left - 1, std::memory_order::relaxed)) return true;
    }
    return false;
  }

  std::atomic<std::uint32_t> work_{0};
};

TEST_CASE("one notification for many pieces of work reaches a worker for each") {
  const std::uint32_t workers = GENERATE(2u, 4u);
  constexpr std::uint32_t kRounds = 1500;
  Pool pool;
  std::atomic<std::uint32_t> round{0};  // workers * rounds that have begun
  Together(workers + 1, [&](std::uint32_t thread) {
    for (std::uint32_t i = 1; i <= kRounds; ++i) {
      if (thread == workers) {
        pool.Add(workers);
      } else {
        Doing::Now("sleeps until there is work");
        pool.Take();
        round.fetch_add(1, std::memory_order::release);
        round.notify_all();
      }
      // Serial code: the round is over when each worker has a piece.
      Doing::Now("waits for all workers");
      std::uint32_t begun = round.load(std::memory_order::acquire);
      while (begun < i * workers) {
        round.wait(begun, std::memory_order::acquire);
        begun = round.load(std::memory_order::acquire);
      }
    }
  });
  REQUIRE(pool.left() == 0);
}

TEST_CASE("pieces of work from several makers reach several workers, each once") {
  constexpr std::uint32_t kPairs = 2;
  constexpr std::uint32_t kPieces = 4000;
  Pool pool;
  Together(2 * kPairs, [&](std::uint32_t thread) {
    for (std::uint32_t i = 0; i < kPieces; ++i) {
      if (thread < kPairs) {
        pool.Add(1);
      } else {
        Doing::Now("sleeps until there is work");
        pool.Take();
      }
    }
  });
  REQUIRE(pool.left() == 0);
}

TEST_CASE("waiters are woken by what concerns them, beside workers that are not") {
  constexpr std::uint32_t kTurns = 4000;
  Pool pool;
  std::atomic<std::uint32_t> turn{0};
  std::uint32_t taken = 0;  // plain: one thread at a time has the turn
  Together(3, [&](std::uint32_t thread) {
    if (thread == 2) {
      Doing::Now("sleeps until there is work");
      return pool.Take();
    }
    for (std::uint32_t mine = thread; mine < kTurns; mine += 2) {
      Doing::Now("sleeps until its turn");
      while (turn.load(std::memory_order::acquire) != mine) {
        const auto key = pool.events.PrepareWait();
        if (turn.load(std::memory_order::acquire) != mine) pool.events.Wait(key);
        pool.events.EndWait();
      }
      ++taken;
      turn.store(mine + 1, std::memory_order::release);
      pool.events.NotifyWaiters();
    }
    if (thread == 1) pool.Add(1);
  });
  REQUIRE(taken == kTurns);
}

}  // namespace
}  // namespace nowait
