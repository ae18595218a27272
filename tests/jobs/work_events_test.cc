#include "src/jobs/work_events.h"

#include <catch2/catch.hpp>
#include <cstdint>

#include "tests/whole/counting_sync.h"

namespace nowait {
namespace {

using Events = WorkEvents<CountingSync>;

template <class Call>
std::uint64_t Locked(const Call& call) {
  return CountOperations(call).locked;
}

TEST_CASE("a notification that concerns no sleeper is one locked operation", "[jobs]") {
  Events events;
  const auto each = [&] {
    CHECK(Locked([&] { events.NotifyAll(); }) == 1);
    CHECK(Locked([&] { events.NotifyWork(); }) == 1);
    CHECK(Locked([&] { events.NotifyWaiters(); }) == 1);
  };
  each();

  SECTION("before any thread has announced itself, and after all have ended that") {
    events.PrepareWait();
    events.PrepareIdle();
    events.EndWait();
    events.EndIdle();
    each();
  }
  SECTION("idle workers are not concerned by what waiters wait for") {
    events.PrepareIdle();
    CHECK(Locked([&] { events.NotifyWaiters(); }) == 1);
    events.EndIdle();
  }
}

TEST_CASE("one idle worker is on its way at a time", "[jobs]") {
  Events events;
  int idle = 2;
  events.PrepareIdle();
  events.PrepareIdle();
  // The flag and the bell besides.
  CHECK(Locked([&] { events.NotifyWork(); }) == 3);
  CHECK(Locked([&] { events.NotifyWork(); }) == 1);

  SECTION("until it looks") { events.PrepareAgain(); }
  SECTION("until another worker looks") {
    events.PrepareIdle();
    ++idle;
  }
  CHECK(Locked([&] { events.NotifyWork(); }) == 3);
  while (idle-- > 0) events.EndIdle();
}

TEST_CASE("a key is out of date after the notifications for its kind", "[jobs]") {
  Events events;
  auto waiter = events.PrepareWait();
  auto idle = events.PrepareIdle();
  events.NotifyAll();
  events.Wait(waiter);  // they return
  events.WaitIdle(idle);

  waiter = events.PrepareWaitAgain();
  idle = events.PrepareAgain();
  events.NotifyWork();
  events.Wait(waiter);
  events.WaitIdle(idle);

  waiter = events.PrepareWaitAgain();
  events.NotifyWaiters();
  events.Wait(waiter);
  events.EndWait();
  events.EndIdle();
}

TEST_CASE("a waiter that looks again is announced, and its look writes nothing", "[jobs]") {
  Events events;
  events.PrepareWait();
  CHECK(Locked([&] { events.PrepareWaitAgain(); }) == 0);
  CHECK(Locked([&] { events.NotifyWaiters(); }) == 2);  // the bell besides
  events.EndWait();
}

TEST_CASE("each notification changes the epoch, and an announcement does not", "[jobs]") {
  Events events;
  const auto before = events.Epoch();
  events.PrepareWait();
  events.PrepareIdle();
  events.PrepareAgain();
  events.EndIdle();
  events.EndWait();
  CHECK(events.Epoch() == before);
  events.NotifyAll();
  CHECK(events.Epoch() == before + 1);
  events.NotifyWork();
  CHECK(events.Epoch() == before + 2);
  events.NotifyWaiters();
  CHECK(events.Epoch() == before + 3);
}

}  // namespace
}  // namespace nowait
