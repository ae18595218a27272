// The smallest failing execution is found, fails like the original one, and is always the same.
#include "models/kit/diagnosis/minimise_counterexample.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "models/kit/diagnosis/diagnosed.h"

namespace nowait::model {
namespace {

using diagnosed::Entry;
using diagnosed::FailureOf;
using diagnosed::Order;

using Small = diagnosed::Publication<Order::relaxed, Order::acquire>;
using Large = diagnosed::LongPublication<Order::relaxed, Order::acquire>;
using Right = diagnosed::LongPublication<Order::release, Order::acquire>;

TEST_CASE("a smaller scenario that fails in the same way is shown instead") {
  std::vector<ScenarioEntry> scenarios;
  scenarios.push_back(Entry<Large>("large"));
  scenarios.push_back(Entry<Small>("small"));
  const std::string label = FailureOf(scenarios[0]).failure->Label();
  const auto smallest = MinimiseCounterexample(scenarios, scenarios[0], label);
  REQUIRE(smallest);
  CHECK(smallest->scenario == &scenarios[1]);
  CHECK(smallest->failure.Label() == "data race");
  CHECK(smallest->Words() == "the only failing execution of small");
  CHECK(smallest->cost.events == 2);
  CHECK(smallest->cost.switches == 1);
  CHECK(smallest->cost.stale_reads == 0);
}

TEST_CASE("a smaller scenario that fails in another way is not") {
  std::vector<ScenarioEntry> scenarios;
  scenarios.push_back(Entry<Large>("large"));
  scenarios.push_back(Entry<diagnosed::LostUpdate<Order::relaxed, Order::relaxed>>("lost"));
  const auto smallest = MinimiseCounterexample(scenarios, scenarios[0], "data race");
  REQUIRE(smallest);
  CHECK(smallest->scenario == &scenarios[0]);
  CHECK(smallest->whole);
  CHECK(smallest->failing > 1);
  // The third thread takes no part in it.
  CHECK(smallest->cost.events == 4);
}

// Thread 0 frees a block that thread 1 still uses.
struct FreedTooEarly {
  static constexpr int kThreads = 2;
  FreedTooEarly() : current(ModelSync::New<ModelSync::plain<int>>()) {}
  void Thread(int t) {
    if (t == 0) {
      ModelSync::Delete(current.exchange(nullptr, Order::acq_rel));
    } else if (const auto* number = current.load(Order::acquire)) {
      number->get();
    }
  }
  ModelSync::atomic<ModelSync::plain<int>*> current;
};

TEST_CASE("of a use after free the steps before the end count, too") {
  std::vector<ScenarioEntry> scenarios;
  scenarios.push_back(Entry<FreedTooEarly>("freed"));
  const auto smallest = MinimiseCounterexample(scenarios, scenarios[0], "use after free");
  REQUIRE(smallest);
  // The exchange, the end of the block, and the load.
  CHECK(smallest->cost.events == 3);
}

TEST_CASE("the smallest execution can be repeated, and is the same each time") {
  std::vector<ScenarioEntry> scenarios;
  scenarios.push_back(Entry<Large>("large"));
  const auto first = MinimiseCounterexample(scenarios, scenarios[0], "data race");
  const auto second = MinimiseCounterexample(scenarios, scenarios[0], "data race");
  REQUIRE(first);
  REQUIRE(second);
  CHECK(first->replay.state == second->replay.state);
  CHECK(first->trace.Format() == second->trace.Format());
  SiteTable sites;
  const SearchResult again = RunExhaustive(scenarios[0], Graphs(), first->replay, sites, {});
  REQUIRE(again.failure);
  CHECK(again.failure->Label() == "data race");
  CHECK(again.trace.Format() == first->trace.Format());
}

TEST_CASE("nothing is found where nothing fails, or not within the limits") {
  std::vector<ScenarioEntry> scenarios;
  scenarios.push_back(Entry<Right>("right"));
  scenarios.push_back(Entry<diagnosed::Buffering<Order::relaxed, Order::relaxed>>("buffering"));
  CHECK_FALSE(MinimiseCounterexample(scenarios, scenarios[0], "data race"));
  const std::string label = "one of them sees the other";
  CHECK(MinimiseCounterexample(scenarios, scenarios[1], label));
  CHECK_FALSE(MinimiseCounterexample(scenarios, scenarios[1], label, {.until_first = 1}));
}

// Thread 0 fails before thread 1 has made a step; the steps of thread 1 lead to other failures.
struct FailsAtOnce {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 1) {
      x.store(1, Order::relaxed);
      x.store(2, Order::relaxed);
    } else {
      const int read = x.load(Order::relaxed);
      Check(read == 1, read == 0 ? "it was stored to" : "it was not stored to twice");
    }
  }
  ModelSync::atomic<int> x{0};
};

TEST_CASE("a search continues past a failure in a thread") {
  std::vector<ScenarioEntry> scenarios;
  scenarios.push_back(Entry<FailsAtOnce>("at once"));
  for (const char* label : {"it was stored to", "it was not stored to twice"}) {
    const auto smallest = MinimiseCounterexample(scenarios, scenarios[0], label);
    REQUIRE(smallest);
    CHECK(smallest->failure.Label() == label);
    CHECK(smallest->failing == 1);
    CHECK(smallest->whole);
  }
}

}  // namespace
}  // namespace nowait::model
