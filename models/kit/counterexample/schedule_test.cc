// The order chosen is an order of the same execution, and no other order is easier to follow.
#include "models/kit/counterexample/schedule.h"

#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/kit/counterexample/orders.h"
#include "models/kit/counterexample/random_trace.h"

namespace nowait::model::counterexample {
namespace {

// The events by thread and in program order: equal for all orders of one execution.
std::vector<EventNumber> ByThread(const Trace& trace) {
  std::vector<EventNumber> numbers;
  for (int thread = 0; thread < 3; ++thread) {
    for (EventNumber number = 1; number <= trace.last(); ++number) {
      if (trace[number].thread == thread) numbers.push_back(number);
    }
  }
  return numbers;
}

TEST_CASE("A schedule keeps program order, reads-from and happens-before") {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const Trace trace = RandomTrace(seed).Make();
    const Trace shown = Schedule(trace);
    INFO("seed " << seed << "\n" << trace.Format() << "as\n" << shown.Format());
    REQUIRE(shown.last() == trace.last());
    CHECK(Switches(shown) <= Switches(trace) + static_cast<int>(trace.last()));
    const std::vector<EventNumber> before = ByThread(trace);
    const std::vector<EventNumber> after = ByThread(shown);
    REQUIRE(before.size() == after.size());
    const Orders orders(trace);
    const Orders orders_shown(shown);
    std::vector<EventNumber> shown_as(trace.last() + 1u, kNoEvent);
    for (std::size_t i = 0; i < before.size(); ++i) shown_as[before[i]] = after[i];
    bool same = true;
    for (const EventNumber a : before) {
      same &= trace[a].kind == shown[shown_as[a]].kind;
      same &= shown_as[trace[a].from] == shown[shown_as[a]].from;
      same &= shown[shown_as[a]].from < shown_as[a];
      for (const EventNumber b : before) {
        same &= orders.HappensBefore(a, b) == orders_shown.HappensBefore(shown_as[a], shown_as[b]);
        if (orders.HappensBefore(a, b)) same &= shown_as[a] < shown_as[b];
      }
    }
    CHECK(same);
  }
}

TEST_CASE("A schedule has no needless switch, and a load is stale only if it must be") {
  using Order = std::memory_order;
  Trace trace;
  const auto add = [&](int thread, bool writes, EventNumber from) {
    model::Event& event =
        trace.Add(thread, writes ? OperationKind::kStore : OperationKind::kLoad, Site());
    event.object = 1;
    event.order = Order::relaxed;
    event.writes = writes;
    event.reads = !writes;
    event.from = from;
    if (writes) event.place = 1;
  };
  // Thread 1 reads the initial value, before or after the store; the trace shows the read first.
  add(0, true, kNoEvent);
  add(1, false, kNoEvent);
  add(0, false, 1);
  const Trace shown = Schedule(trace);
  CHECK(shown[1].thread == 1);
  CHECK(Switches(shown) == 1);
}

}  // namespace
}  // namespace nowait::model::counterexample
