// Carried values: what keeps a dependency, what loses it, what is a branch.
#include "models/kit/buffering/carried.h"

#include <catch2/catch.hpp>
#include <memory>
#include <optional>
#include <utility>

#include "models/kit/buffering/buffering_machine.h"
#include "models/kit/scenario/scenario.h"

namespace nowait::model::buffering {
namespace {

using Order = std::memory_order;
constexpr Order rlx = Order::relaxed;

struct Shared {
  CarryingSync::atomic<int> x{5};
  CarryingSync::atomic<int> y{0};
  CarryingSync::plain<int> data{7};
};

void (*running)(Shared&) = nullptr;

struct OneThread final : Program {
  void Thread(int t) override {
    if (t == 0) running(shared);
  }
  void After() override {}
  Shared shared;
};

// The events of a thread that finds these values.
Events EventsOf(void (*thread)(Shared&), const Script& script) {
  running = thread;
  const ScenarioEntry scenario{
      {.name = "", .promise = ""}, 2, [] { return std::unique_ptr<Program>(new OneThread); }};
  BufferingMachine machine(scenario, Limits());
  ThreadRun run = machine.RunAlone(0, script);
  REQUIRE(run.end == ThreadRun::End::kReturned);
  return std::move(run.events);
}

TEST_CASE("arithmetic carries, and a store depends on the reads of its value") {
  const Events events = EventsOf(
      [](Shared& s) {
        const auto a = s.x.load(rlx);
        const auto b = s.y.load(rlx);
        s.y.store(a * 2 + 1 - (b & 3), rlx);
        s.x.store(3, rlx);
      },
      {5, 2});
  REQUIRE(events.size() == 4);
  CHECK(events[2].written == 9);
  CHECK(events[2].data == (Only(0) | Only(1)));
  CHECK(events[2].lost == 0);
  CHECK(events[3].data == 0);
  CHECK(events[3].control == 0);
}

TEST_CASE("a comparison is a branch only in a condition") {
  const Events events = EventsOf(
      [](Shared& s) {
        const auto high = s.x.load(rlx) > 4;
        s.y.store(1, rlx);
        if (high) s.y.store(2, rlx);
        s.y.store(3, rlx);
      },
      {5});
  REQUIRE(events.size() == 4);
  CHECK(events[1].control == 0);
  CHECK(events[2].control == Only(0));
  CHECK(events[3].control == Only(0));
}

TEST_CASE("a plain copy loses the read, from there on") {
  const Events events = EventsOf(
      [](Shared& s) {
        const auto a = s.x.load(rlx);
        s.y.store(1, rlx);
        const int plain = a;
        s.y.store(plain, rlx);
      },
      {5});
  REQUIRE(events.size() == 3);
  CHECK(events[1].lost == 0);
  CHECK(events[2].lost == Only(0));
  CHECK(events[2].data == 0);
}

TEST_CASE("an index is an address for the next access, and for later writes") {
  const Events events = EventsOf(
      [](Shared& s) {
        const auto a = s.x.load(rlx);
        if (Index(a) == 5) s.y.load(rlx);
        s.y.store(1, rlx);
      },
      {5, 0});
  REQUIRE(events.size() == 3);
  CHECK(events[1].address == Only(0));
  CHECK(events[1].addressed == 0);
  CHECK(events[2].address == 0);
  CHECK(events[2].addressed == Only(0));
}

TEST_CASE("a compare-exchange depends on what it compares with") {
  const Events events = EventsOf(
      [](Shared& s) {
        auto expected = s.x.load(rlx);
        const auto desired = s.y.load(rlx) + 1;
        if (!s.x.compare_exchange_strong(expected, desired, rlx, rlx)) s.y.store(expected, rlx);
      },
      {5, 2, 6});
  REQUIRE(events.size() == 4);
  CHECK(events[2].kind == Event::Kind::kRead);
  CHECK(events[2].compared == Only(0));
  CHECK(events[3].written == 6);
  CHECK(events[3].data == Only(2));
  CHECK(events[3].control == (Only(0) | Only(2)));
}

TEST_CASE("plain data is lost, and so is what ModelSync reads") {
  const Events events = EventsOf(
      [](Shared& s) {
        const int data = s.data.get();
        s.data.set(data + 1);
        s.y.store(1, rlx);
      },
      {7});
  REQUIRE(events.size() == 3);
  CHECK(events[0].kind == Event::Kind::kPlainRead);
  CHECK(events[1].lost == Only(0));
  CHECK(events[2].lost == Only(0));
}

}  // namespace
}  // namespace nowait::model::buffering
