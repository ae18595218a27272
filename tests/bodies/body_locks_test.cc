#include "src/bodies/body_locks.h"

#include <array>
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "src/bodies/proxy_id.h"
#include "src/profile/profile.h"

namespace nowait {
namespace {

TEST_CASE("several bodies that share a lock take it once") {
  BodyLocks locks(4);
  WaitTime wait;
  const std::array ids{ProxyId(5, 0), ProxyId(1, 0), ProxyId(2, 0)};
  { const BodiesWriteScope scope(locks, ids, wait); }
  REQUIRE(wait.acquisitions == 2);
  { const BodiesWriteScope all = BodiesWriteScope::All(locks, wait); }
  REQUIRE(wait.acquisitions == 2 + 4);
  // All were released: each can be taken again.
  { const BodiesWriteScope all = BodiesWriteScope::All(locks, wait); }
}

TEST_CASE("scopes over several bodies in opposite orders do not deadlock and exclude each other") {
  BodyLocks locks(8);
  std::array<int, 8> value{};
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      WaitTime wait;
      for (std::uint32_t i = 0; i < 2000; ++i) {
        const std::uint32_t a = (i + static_cast<std::uint32_t>(t)) % 8;
        const std::uint32_t b = (i * 5 + 3) % 8;
        const std::array ids{ProxyId(t % 2 == 0 ? a : b, 0), ProxyId(t % 2 == 0 ? b : a, 0)};
        const BodiesWriteScope scope(locks, ids, wait);
        ++value[a];
        if (a != b) --value[b];
      }
    });
  }
  threads.clear();
  int sum = 0;
  for (const int v : value) sum += v;
  int expected = 0;
  for (std::uint32_t t = 0; t < 4; ++t) {
    for (std::uint32_t i = 0; i < 2000; ++i) expected += (i + t) % 8 == (i * 5 + 3) % 8 ? 1 : 0;
  }
  REQUIRE(sum == expected);
}

TEST_CASE("one body's lock is taken for writing, and given back") {
  BodyLocks locks(3);
  WaitTime wait;
  for (int i = 0; i < 2; ++i) {
    const BodyWriteScope scope(locks, ProxyId(4, 0), wait);
    std::jthread([&] {
      WaitTime other;
      const BodyWriteScope neighbour(locks, ProxyId(5, 0), other);
      CHECK(other.contended == 0);
    }).join();
  }
  CHECK(wait.acquisitions == 2);
  CHECK(wait.contended == 0);
}

TEST_CASE("a thread that waits for a body's lock learns for how long") {
  BodyLocks locks(2);
  WaitTime reader, writer;
  std::optional<BodyWriteScope> mine(std::in_place, locks, ProxyId(0, 0), writer);
  std::atomic<bool> begun{false};
  std::jthread other([&] {
    begun.store(true);
    begun.notify_one();
    const BodyReadScope theirs(locks, ProxyId(2, 0), reader);
  });
  // It waits when it comes before the lock is given back, which cannot be seen from outside.
  begun.wait(false);
  mine.reset();
  other.join();
  CHECK(reader.acquisitions == 1);
  CHECK((reader.contended == 1) == (reader.waited.count() > 0));
  CHECK(writer.waited.count() == 0);
}

TEST_CASE("readers of one lock hold it together") {
  BodyLocks locks(2);
  WaitTime wait;
  const BodyReadScope mine(locks, ProxyId(0, 0), wait);
  std::jthread([&] {
    WaitTime other;
    const BodyReadScope theirs(locks, ProxyId(2, 0), other);
    CHECK(other.contended == 0);
  }).join();
}

// A clock by which the holder of a lock learns that another thread has begun to wait for it.
struct WaitingClock {
  static inline std::atomic<bool> waits = false;
  static std::chrono::steady_clock::time_point now() {
    waits = true;
    return std::chrono::steady_clock::now();
  }
};

TEST_CASE("a wait for a body's lock is a span of the waiting thread, and names the lock") {
  using Locks = BodyLocksOf<EngineSync, AscendingOrder, WaitingClock>;
  Profile profile({.lanes = 1, .spans_per_lane = 8});
  Lane* const lane = *profile.AddLane("waiting");
  const bool writes = GENERATE(false, true);
  Locks locks(8);
  WaitTime wait;
  WaitingClock::waits = false;
  std::atomic<bool> is_held = false;
  {
    std::jthread holder([&] {
      WaitTime held;
      locks.LockWriteAt(5, held);
      is_held = true;
      while (!WaitingClock::waits) std::this_thread::yield();
      locks.UnlockWriteAt(5);
    });
    while (!is_held) std::this_thread::yield();
    const LaneScope use(lane);
    { const BodyWriteScopeOf<Locks> other(locks, ProxyId(4, 0), wait); }
    if (writes) {
      const BodyWriteScopeOf<Locks> scope(locks, ProxyId(13, 0), wait);
    } else {
      const BodyReadScopeOf<Locks> scope(locks, ProxyId(13, 0), wait);
    }
  }
  CHECK(wait.acquisitions == 2);
  CHECK(wait.contended == 1);
  REQUIRE(lane->spans.size() == 1);
  CHECK(lane->spans[0].name == std::string(kBodyLockWait));
  CHECK(lane->spans[0].about == 5);
  CHECK(lane->spans[0].end - lane->spans[0].begin ==
        static_cast<std::uint64_t>(wait.waited.count()));
}

}  // namespace
}  // namespace nowait
