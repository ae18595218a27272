// The repair of a failure: one memory order, several, or no order at all.
#include "models/kit/diagnosis/repair.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "models/kit/diagnosis/diagnosed.h"
#include "models/kit/exhaustive/replay/guided_replay.h"
#include "models/kit/mutation/editing_machine.h"

namespace nowait::model {
namespace {

using diagnosed::Buffering;
using diagnosed::Entry;
using diagnosed::FailureOf;
using diagnosed::LostUpdate;
using diagnosed::Order;
using diagnosed::Publication;

template <class S>
Repair RepairOf() {
  const std::vector<ScenarioEntry> scenarios = [] {
    std::vector<ScenarioEntry> entries;
    entries.push_back(Entry<S>("scenario"));
    return entries;
  }();
  return FindRepair(scenarios, scenarios[0], FailureOf(scenarios[0]).trace);
}

TEST_CASE("the weakest order that repairs message passing is the missing one") {
  const Repair store = RepairOf<Publication<Order::relaxed, Order::acquire>>();
  REQUIRE(store.kind == Repair::Kind::kOneOrder);
  REQUIRE(store.orders.size() == 1);
  CHECK(store.orders[0].kind == OperationKind::kStore);
  CHECK(store.orders[0].from == Order::relaxed);
  CHECK(store.orders[0].to == Order::release);
  CHECK(store.verdict == "all 2 executions of scenario examined");
  CHECK(store.words.starts_with("one memory order repairs this: store at "));
  CHECK(store.words.ends_with(": release instead of relaxed"));

  const Repair load = RepairOf<Publication<Order::release, Order::relaxed>>();
  REQUIRE(load.kind == Repair::Kind::kOneOrder);
  CHECK(load.orders[0].kind == OperationKind::kLoad);
  CHECK(load.orders[0].to == Order::acquire);
}

TEST_CASE("several orders are named when they repair only together") {
  const Repair passing = RepairOf<Publication<Order::relaxed, Order::relaxed>>();
  CHECK(passing.kind == Repair::Kind::kSeveralOrders);
  REQUIRE(passing.orders.size() == 2);
  CHECK(passing.orders[0].to == Order::release);
  CHECK(passing.orders[1].to == Order::acquire);

  const Repair buffering = RepairOf<Buffering<Order::release, Order::acquire>>();
  CHECK(buffering.kind == Repair::Kind::kSeveralOrders);
  REQUIRE(buffering.orders.size() == 2);
  CHECK(buffering.orders[0].to == Order::seq_cst);
  CHECK(buffering.orders[1].to == Order::seq_cst);
}

TEST_CASE("no order repairs an algorithm") {
  const Repair repair = RepairOf<LostUpdate<Order::relaxed, Order::relaxed>>();
  CHECK(repair.kind == Repair::Kind::kNoOrder);
  CHECK(repair.orders.empty());
  CHECK(repair.words == "no memory order repairs this: it is the algorithm that is wrong");
  CHECK(repair.verdict == "with seq_cst everywhere, scenario: no increment is lost");
}

// A message, and a second scenario's additional needs.
template <Order kFirst, Order kSecond>
struct TwoMessages {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) {
      data.set(1);
      first.store(true, kFirst);
      second.store(true, kSecond);
    } else if (second.load(Order::acquire)) {
      Check(data.get() == 1, "the published value is seen");
    }
  }
  ModelSync::plain<int> data{0};
  ModelSync::atomic<bool> first{false};
  ModelSync::atomic<bool> second{false};
};

TEST_CASE("a repair is one for the other scenarios too") {
  std::vector<ScenarioEntry> scenarios;
  scenarios.push_back(Entry<TwoMessages<Order::relaxed, Order::relaxed>>("two"));
  scenarios.push_back(Entry<Publication<Order::release, Order::acquire>>("right"));
  scenarios.push_back(Entry<LostUpdate<Order::relaxed, Order::relaxed>>("wrong"));
  const Trace trace = FailureOf(scenarios[0]).trace;
  const Repair none = FindRepair(scenarios, scenarios[0], trace);
  CHECK(none.kind == Repair::Kind::kNoOrder);
  CHECK(none.verdict == "with seq_cst everywhere, wrong: no increment is lost");

  scenarios.pop_back();
  const Repair one = FindRepair(scenarios, scenarios[0], trace);
  REQUIRE(one.kind == Repair::Kind::kOneOrder);
  CHECK(one.orders[0].to == Order::release);
  CHECK(one.verdict == "all 2 executions of two examined; and all of 1 other scenario");
}

TEST_CASE("a failure that Relacy has found is followed and repaired by graphs") {
  std::vector<ScenarioEntry> scenarios;
  scenarios.push_back(Entry<Publication<Order::relaxed, Order::acquire>>("scenario"));
  SiteTable sites;
  const SearchResult found = RunSearch(scenarios[0], Full(), {}, sites);
  REQUIRE(found.failure);
  const GuidedReplay followed = RunGuidedReplay(scenarios[0], found.trace, sites);
  REQUIRE(followed.failure);
  CHECK(followed.failure->Label() == found.failure->Label());
  CHECK_FALSE(followed.diverges);
  const Repair repair = FindRepair(scenarios, scenarios[0], found.trace);
  REQUIRE(repair.kind == Repair::Kind::kOneOrder);
  CHECK(repair.orders[0].to == Order::release);
}

TEST_CASE("a limit is reported as one") {
  std::vector<ScenarioEntry> scenarios;
  scenarios.push_back(Entry<Publication<Order::relaxed, Order::acquire>>("scenario"));
  const Repair repair =
      FindRepair(scenarios, scenarios[0], FailureOf(scenarios[0]).trace, {.graphs = 1});
  CHECK(repair.kind == Repair::Kind::kOneOrder);
  CHECK(repair.words.starts_with("one memory order repairs this, as far as it was examined: "));
  CHECK(repair.verdict == "the first 1 executions of scenario examined");
}

TEST_CASE("nothing is said of a scenario that does not fail") {
  std::vector<ScenarioEntry> scenarios;
  scenarios.push_back(Entry<Publication<Order::release, Order::acquire>>("right"));
  const ScenarioEntry wrong = Entry<Publication<Order::relaxed, Order::acquire>>("wrong");
  const Repair repair = FindRepair(scenarios, scenarios[0], FailureOf(wrong).trace);
  CHECK(repair.kind == Repair::Kind::kUnknown);
  CHECK(repair.orders.empty());
}

TEST_CASE("a mutation is repaired where it was made") {
  std::vector<ScenarioEntry> scenarios;
  scenarios.push_back(Entry<Publication<Order::release, Order::acquire>>("scenario"));
  SiteTable sites;
  CHECK_FALSE(RunExhaustive(scenarios[0], Graphs(), {}, sites, {}).failure);
  Edits edits;
  for (const SiteRecord& record : sites.Sorted()) {
    if (record.kind == OperationKind::kStore) {
      edits.Set(record.site, record.kind, record.order, {.order = Order::relaxed});
    }
  }
  EditingMachine mutant(edits);
  const Interposition interposition(mutant);
  const Trace trace = FailureOf(scenarios[0]).trace;
  const Repair repair = FindRepair(scenarios, scenarios[0], trace);
  REQUIRE(repair.kind == Repair::Kind::kOneOrder);
  CHECK(repair.orders[0].kind == OperationKind::kStore);
  CHECK(repair.orders[0].from == Order::relaxed);
  CHECK(repair.orders[0].to == Order::release);

  // With the repair, the failing execution takes another course, or the same one without a failure.
  EditingMachine repaired(repair.edits);
  const Interposition besides(repaired);
  const GuidedReplay followed = RunGuidedReplay(scenarios[0], trace, sites);
  CHECK_FALSE(followed.failure);
}

}  // namespace
}  // namespace nowait::model
