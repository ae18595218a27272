// The candidates of a read, compared with the axioms: a candidate is allowed if and only if the
// events up to the read, with that store read instead, are an execution that C++20 allows.
#include "models/kit/counterexample/candidates.h"

#include <catch2/catch.hpp>
#include <cstddef>
#include <string>
#include <vector>

#include "models/kit/axioms/axioms.h"
#include "models/kit/counterexample/orders.h"
#include "models/kit/engine/run_search.h"
#include "models/kit/scenario/model.h"

namespace nowait::model::counterexample {
namespace {

using Order = std::memory_order;

// The events up to `reader`, which reads `store`, behind the initial values.
axioms::Execution ExecutionOf(const Trace& trace, EventNumber reader, EventNumber store) {
  std::vector<std::size_t> index_of(trace.last() + 1u, axioms::kNothing);
  axioms::Execution execution;
  for (EventNumber number = 1; number <= reader; ++number) {
    const model::Event& event = trace[number];
    axioms::Event& judged = execution.emplace_back();
    index_of[number] = execution.size() - 1;
    judged.thread = event.thread;
    judged.object = event.object;
    judged.order = event.order;
    judged.reads = event.reads;
    judged.writes = event.writes;
    if (event.writes) judged.place = event.place;
    if (event.reads) judged.from = index_of[number == reader ? store : event.from];
  }
  return execution;
}

// Two threads and two atomics, with these orders. Every execution is judged.
template <Order kStore, Order kLoad>
struct Both {
  static constexpr int kThreads = 2;

  void Thread(int t) {
    cells[0].store(10 + t, kStore);
    cells[1].load(kLoad);
    cells[1].store(20 + t, kStore);
    cells[0].load(kLoad);
    cells[0].load(kLoad);
  }
  void After() {
    const Trace& trace = CurrentMachine()->trace();
    last = trace.Take([&] {
      std::vector<EventNumber> order;
      for (EventNumber number = 1; number <= trace.last(); ++number) {
        if (trace[number].thread != kAfter) order.push_back(number);
      }
      return order;
    }());
    ++runs;
    Check(Judge(), "the candidates are those of the axioms");
  }
  // Relacy keeps its trace in every execution.
  bool Judge() const {
    const Orders orders(last);
    for (const Choice& choice : CandidatesOf(last, orders)) {
      const auto reader = static_cast<EventNumber>(choice.event);
      for (const Candidate& candidate : choice.stores) {
        if (candidate.store == 0) return false;  // initial values are events here
        const auto store = static_cast<EventNumber>(candidate.store);
        const axioms::Execution execution = ExecutionOf(last, reader, store);
        if (candidate.allowed != axioms::BrokenAxiom(execution).empty()) return false;
      }
    }
    return true;
  }

  ModelSync::atomic<int> cells[2];

  static inline Trace last;
  static inline int runs = 0;
};

template <class S>
void Look() {
  SiteTable sites;
  const ScenarioEntry entry =
      model::Scenario<S>::Entry({.name = "test", .promise = "", .searches = {}});
  const SearchResult result =
      RunSearch(entry, Random(2'000).StaleExchanges().DeepHistory(), {}, sites);
  INFO(S::last.Format());
  CHECK_FALSE(result.failure);
  CHECK(S::runs > 100);
}

TEST_CASE("Candidates are those of the axioms") {
  Look<Both<Order::relaxed, Order::relaxed>>();
  Look<Both<Order::release, Order::acquire>>();
  Look<Both<Order::seq_cst, Order::seq_cst>>();
}

TEST_CASE("A store that is forbidden is explained by the edges that forbid it") {
  Trace trace;
  const auto add = [&](int thread, OperationKind kind, std::uint32_t object, Order order) -> auto& {
    model::Event& event = trace.Add(thread, kind, Site());
    event.object = object;
    event.order = order;
    event.reads = kind == OperationKind::kLoad;
    event.writes = !event.reads;
    return event;
  };
  add(0, OperationKind::kStore, 1, Order::relaxed).place = 1;
  add(0, OperationKind::kStore, 1, Order::relaxed).place = 2;
  add(0, OperationKind::kStore, 2, Order::release).place = 1;
  add(1, OperationKind::kLoad, 2, Order::acquire).from = 3;
  add(1, OperationKind::kLoad, 1, Order::relaxed).from = 2;
  const std::vector<Choice> choices = CandidatesOf(trace, Orders(trace));
  REQUIRE(choices.size() == 2);
  REQUIRE(choices[1].stores.size() == 3);
  const Candidate& first = choices[1].stores[1];
  CHECK(first.store == 1);
  CHECK_FALSE(first.allowed);
  CHECK(first.rule == "write-read coherence");
  CHECK(first.path == std::vector<Step>{{1, 2, "is overwritten by"},
                                        {2, 3, "program order"},
                                        {3, 4, "synchronises with"},
                                        {4, 5, "program order"}});
  CHECK(
      first.words ==
      "It can no longer read the store [1]: [2] overwrote it, and [2] happens before this read: "
      "[2] comes before [3] in its thread, which synchronises with [4], which comes before [5] in "
      "its thread.");
  CHECK(choices[1].stores[2].allowed);
}

}  // namespace
}  // namespace nowait::model::counterexample
