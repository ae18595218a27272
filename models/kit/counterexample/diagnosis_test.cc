// The diagnosis of a failure refers to events of the record, and the record can be read.
#include "models/kit/counterexample/diagnosis.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "models/kit/counterexample/from_trace.h"
#include "models/kit/counterexample/json.h"
#include "models/kit/diagnosis/diagnosed.h"
#include "models/kit/diagnosis/minimise_counterexample.h"

namespace nowait::model::counterexample {
namespace {

using diagnosed::Buffering;
using diagnosed::Entry;
using diagnosed::FailureOf;
using diagnosed::LostUpdate;
using diagnosed::Order;
using diagnosed::Publication;

template <class S>
Counterexample Diagnosed() {
  std::vector<ScenarioEntry> scenarios;
  scenarios.push_back(Entry<S>("scenario"));
  const SearchResult found = FailureOf(scenarios[0]);
  const model::Failure& failure = *found.failure;
  SourceText text;
  const auto smallest = MinimiseCounterexample(scenarios, scenarios[0], failure.Label());
  REQUIRE(smallest);
  Counterexample record;
  record.structure = "diagnosed";
  record.scenario = {"scenario", "", scenarios[0].threads};
  record.execution = ExecutionOf(found.trace, failure, text);
  record.minimised = MinimisedOf(scenarios[0], found.trace, failure, *smallest, text);
  record.repair = RepairOf(scenarios, scenarios[0], found.trace, failure, text);
  record.recorded = RecordedOf(scenarios[0], found.trace, failure, text);
  return record;
}

const Event& EventAt(const Execution& execution, int number) {
  REQUIRE(number > 0);
  return execution.events[static_cast<std::size_t>(number) - 1];
}

TEST_CASE("a missing order is named, and the execution under it diverges where it matters") {
  const Counterexample record = Diagnosed<Publication<Order::relaxed, Order::acquire>>();
  REQUIRE(record.repair);
  const Repair& repair = *record.repair;
  REQUIRE(repair.operation);
  CHECK(repair.operation->kind == "store");
  CHECK(repair.operation->order == "relaxed");
  CHECK(repair.operation->repaired == "release");
  REQUIRE(repair.execution);
  CHECK_FALSE(repair.execution->failure);
  REQUIRE(repair.diverges);
  // The racing access, which does not race under a release store.
  const Event& event = EventAt(record.execution, repair.diverges->event);
  const Event& other = EventAt(*repair.execution, repair.diverges->other);
  CHECK(event.kind == "plain read");
  CHECK(repair.diverges->words ==
        "the same steps are no race: [2] synchronises with [3], so the write in [1] happens before "
        "the read in [4]");
  CHECK(event.kind == other.kind);
  CHECK(event.thread == other.thread);
}

TEST_CASE("a load that may not read its store is paired with the load of another store") {
  const Counterexample record = Diagnosed<Buffering<Order::release, Order::acquire>>();
  REQUIRE(record.repair);
  CHECK_FALSE(record.repair->operation);
  REQUIRE(record.repair->execution);
  REQUIRE(record.repair->diverges);
  const Event& event = EventAt(record.execution, record.repair->diverges->event);
  const Event& other = EventAt(*record.repair->execution, record.repair->diverges->other);
  REQUIRE(event.read);
  REQUIRE(other.read);
  CHECK(event.site == other.site);
  CHECK(event.read->value != other.read->value);
}

// Thread 1 looks again only if it has seen nothing. Under the repair it sees the value and does
// nothing more.
template <Order kStore, Order kLoad>
struct LooksAgain {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) {
      first.store(1, kStore);
      second.store(1, kStore);
    } else if (second.load(kLoad) == 1 && first.load(kLoad) == 0) {
      first.load(kLoad);
      first.load(kLoad);
      again = true;
    }
  }
  void After() { Check(!again, "the first message is seen first"); }
  ModelSync::atomic<int> first{0};
  ModelSync::atomic<int> second{0};
  bool again = false;
};

TEST_CASE("the record is whole though a thread does less under the repair") {
  const Counterexample record = Diagnosed<LooksAgain<Order::release, Order::relaxed>>();
  REQUIRE(record.repair);
  REQUIRE(record.repair->diverges);
  const auto read = FromJson(ToJson(record));
  INFO((read ? "" : read.error()));
  CHECK(read.has_value());
}

TEST_CASE("where no order helps there is no execution beside the failing one") {
  const Counterexample record = Diagnosed<LostUpdate<Order::relaxed, Order::relaxed>>();
  REQUIRE(record.repair);
  CHECK_FALSE(record.repair->operation);
  CHECK_FALSE(record.repair->execution);
  CHECK(record.repair->words.starts_with("no memory order repairs this"));
}

TEST_CASE("recorded executions have the names of the failing one, and are small for their number") {
  const Counterexample record = Diagnosed<Publication<Order::relaxed, Order::acquire>>();
  REQUIRE(record.recorded);
  CHECK(record.recorded->complete);
  CHECK(record.recorded->executions.size() == 2);
  REQUIRE(record.minimised);
  CHECK(record.minimised->to.events == record.minimised->from.events);
  for (const Recorded::Operation& operation : record.recorded->operations) {
    CHECK_FALSE(operation.object.empty());
  }
}

TEST_CASE("the record is whole again when it has been written and read") {
  const Counterexample record = Diagnosed<Buffering<Order::release, Order::acquire>>();
  const auto read = FromJson(ToJson(record));
  REQUIRE(read.has_value());
  CHECK(*read == record);
}

}  // namespace
}  // namespace nowait::model::counterexample
