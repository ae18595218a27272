#include "src/sync/event_count.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <thread>
#include <vector>

#include "src/sync/policy.h"

namespace nowait {
namespace {

// A lost wake-up shows as a test that never ends, and the runner's time limit ends it.

TEST_CASE("a notification between the announcement and the sleep is not lost") {
  EventCount<> events;
  const auto key = events.PrepareWait();
  events.NotifyAll();
  events.Wait(key);
  SECTION("nor the one after it, for the next sleep") {
    const auto next = events.PrepareWait();
    REQUIRE(next != key);
    events.NotifyAll();
    events.Wait(next);
  }
}

TEST_CASE("a key is the same until there is a notification, and a new one after each") {
  EventCount<> events;
  const auto first = events.Epoch();
  CHECK(events.PrepareWait() == first);
  CHECK(events.PrepareWait() == first);
  CHECK(events.Epoch() == first);
  events.NotifyAll();
  const auto second = events.Epoch();
  CHECK(second != first);
  events.NotifyAll();  // this time no thread has announced itself
  CHECK(events.Epoch() != second);
  CHECK(events.Epoch() != first);
  CHECK(events.PrepareWait() == events.Epoch());
}

// StdSync, and each wake-up by the system is counted.
struct WakingSync : StdSync {
  template <class T>
  class atomic : public StdSync::atomic<T> {
   public:
    using StdSync::atomic<T>::atomic;
    void notify_all() {
      ++wakes;
      StdSync::atomic<T>::notify_all();
    }
  };
  static inline int wakes = 0;
};

TEST_CASE("a notification asks the system for a wake-up once for each announcement before it") {
  EventCount<WakingSync> events;
  WakingSync::wakes = 0;
  events.NotifyAll();
  CHECK(WakingSync::wakes == 0);  // no thread sleeps
  static_cast<void>(events.PrepareWait());
  events.NotifyAll();
  CHECK(WakingSync::wakes == 1);
  events.NotifyAll();
  CHECK(WakingSync::wakes == 1);
  static_cast<void>(events.PrepareWait());
  static_cast<void>(events.PrepareWait());
  events.NotifyAll();
  CHECK(WakingSync::wakes == 2);
}

TEST_CASE("a wait for a true condition asks once and does not sleep") {
  EventCount<> events;
  int asked = 0;
  events.Await([&] {
    ++asked;
    return true;
  });
  REQUIRE(asked == 1);
}

TEST_CASE("a notification wakes every sleeper, and each sees the writes that came before it") {
  EventCount<> events;
  std::atomic<bool> ready{false};
  int payload = 0;
  std::atomic<int> right{0};
  {
    std::vector<std::jthread> sleepers;
    for (int i = 0; i < 4; ++i) {
      sleepers.emplace_back([&] {
        events.Await([&] { return ready.load(std::memory_order::acquire); });
        if (payload == 42) right.fetch_add(1, std::memory_order::relaxed);
      });
    }
    payload = 42;
    ready.store(true, std::memory_order::release);
    events.NotifyAll();
  }
  REQUIRE(right == 4);
}

}  // namespace
}  // namespace nowait
