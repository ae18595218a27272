// Happens-before and its paths, compared with the axioms (models/kit/axioms) on random executions.
#include "models/kit/counterexample/orders.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "models/kit/axioms/axioms.h"
#include "models/kit/counterexample/random_trace.h"

namespace nowait::model::counterexample {
namespace {

// Event number n is at index n + 1, behind the initial values of the two objects.
axioms::Execution ExecutionOf(const Trace& trace) {
  axioms::Execution execution(2);
  for (std::size_t object = 0; object < 2; ++object) {
    execution[object].object = static_cast<std::uint32_t>(object) + 1;
    execution[object].writes = true;
  }
  for (EventNumber number = 1; number <= trace.last(); ++number) {
    const model::Event& event = trace[number];
    axioms::Event& judged = execution.emplace_back();
    judged.thread = event.thread;
    judged.order = event.order;
    if (event.kind == OperationKind::kFence) judged.kind = axioms::Event::Kind::kFence;
    judged.object = event.object;
    judged.reads = event.reads;
    judged.writes = event.writes;
    if (event.writes) judged.place = event.place;
    if (event.reads) judged.from = event.from == kNoEvent ? event.object - 1u : event.from + 1u;
  }
  return execution;
}

TEST_CASE("Happens-before is that of the axioms, and each path shows it") {
  for (std::uint64_t seed = 1; seed <= 3'000; ++seed) {
    const Trace trace = RandomTrace(seed).Make();
    INFO("seed " << seed << "\n" << trace.Format());
    const axioms::Orders expected = axioms::OrdersOf(ExecutionOf(trace));
    const Orders orders(trace);
    const std::vector<Edge>& edges = orders.synchronises_with();
    bool same = true;
    for (EventNumber a = 1; a <= trace.last(); ++a) {
      for (EventNumber b = 1; b <= trace.last(); ++b) {
        const bool before = orders.HappensBefore(a, b);
        same &= before == expected.happens_before.Has(a + 1, b + 1);
        const std::vector<Step> path = orders.Path(a, b);
        same &= path.empty() != before;
        if (path.empty()) continue;
        same &= path.front().from == static_cast<int>(a) && path.back().to == static_cast<int>(b);
        for (std::size_t i = 0; i < path.size(); ++i) {
          const Step& step = path[i];
          same &= i == 0 || path[i - 1].to == step.from;
          const bool is_edge = std::ranges::find(edges, Edge{step.from, step.to}) != edges.end();
          const auto from = static_cast<EventNumber>(step.from);
          const auto to = static_cast<EventNumber>(step.to);
          const bool is_program_order = trace[from].thread == trace[to].thread && from < to;
          same &= step.why == "program order" ? is_program_order : is_edge;
        }
      }
    }
    REQUIRE(same);
  }
}

TEST_CASE("Mutexes, blocks, set-up and After order as well") {
  Trace trace;
  const auto add = [&](int thread, OperationKind kind) {
    trace.Add(thread, kind, Site()).object = 1;
  };
  add(kSetUp, OperationKind::kStore);  // 1
  add(0, OperationKind::kLock);        // 2
  add(0, OperationKind::kPlainWrite);  // 3
  add(0, OperationKind::kUnlock);      // 4
  add(1, OperationKind::kLock);        // 5
  add(1, OperationKind::kUnlock);      // 6
  add(1, OperationKind::kDelete);      // 7
  add(2, OperationKind::kNew);         // 8
  add(2, OperationKind::kPlainRead);   // 9
  add(kAfter, OperationKind::kLoad);   // 10
  const Orders orders(trace);
  CHECK(orders.synchronises_with() == std::vector<Edge>{{4, 5}, {7, 8}});
  CHECK(orders.HappensBefore(3, 9));
  CHECK_FALSE(orders.HappensBefore(9, 3));
  CHECK(orders.Path(3, 9) == std::vector<Step>{{3, 4, "program order"},
                                               {4, 5, "synchronises with"},
                                               {5, 7, "program order"},
                                               {7, 8, "synchronises with"},
                                               {8, 9, "program order"}});
  CHECK(orders.HappensBefore(1, 8));
  CHECK(orders.HappensBefore(9, 10));
  CHECK_FALSE(orders.HappensBefore(10, 9));
}

}  // namespace
}  // namespace nowait::model::counterexample
