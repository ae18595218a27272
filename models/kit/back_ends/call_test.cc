// The records of a trace beside its steps: the calls that the steps belong to, and the positions of
// stores in modification order. Both back ends keep the same records.
#include "models/kit/program/call.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "models/kit/engine/run_search.h"
#include "models/kit/program/trace.h"
#include "models/kit/scenario/history.h"
#include "models/kit/scenario/model.h"

namespace nowait::model {
namespace {

using Order = std::memory_order;

struct Op {
  int value;
  std::string Words() const { return "got " + std::to_string(value); }
};

// Fails when both stores have been made and the first thread's is the older one.
struct TwoCalls {
  static constexpr int kThreads = 2;

  void Thread(int t) {
    if (t == 0) {
      history.Record("Write", [this] {
        const Call inner("Inner");
        cell.store(1, Order::relaxed);
        return Op{1};
      });
    } else {
      const Call call("Overwrite");
      cell.store(2, Order::relaxed);
      other.fetch_add(1, Order::relaxed);
    }
  }
  void After() {
    cell.store(3, Order::relaxed);
    Check(cell.load(Order::relaxed) != 3, "never");
  }

  ModelSync::atomic<int> cell{0};
  ModelSync::atomic<int> other{0};
  History<Op> history;
};

SearchResult RunWith(const Search& search) {
  SiteTable sites;
  return RunSearch(Scenario<TwoCalls>::Entry({.name = "test", .promise = "", .searches = {}}),
                   search, {}, sites);
}

TEST_CASE("Steps belong to the innermost call, and a call has its notes") {
  for (const Search& search : {Graphs(), Full(), Random(10)}) {
    const SearchResult result = RunWith(search);
    REQUIRE(result.failure);
    CHECK(result.failure->thread == kAfter);
    const Trace& trace = result.trace;
    for (CallNumber number = 1; number <= trace.last_call(); ++number) {
      const RecordedCall& call = trace.call(number);
      CHECK(call.returned);
      if (call.name == "Write") CHECK(call.notes == std::vector<std::string>{"got 1"});
      if (call.name == "Inner") CHECK(trace.call(call.outer).name == "Write");
    }
    for (EventNumber number = 1; number <= trace.last(); ++number) {
      const Event& event = trace[number];
      if (event.thread == 0) CHECK(trace.call(event.call).name == "Inner");
      if (event.thread == 1) CHECK(trace.call(event.call).name == "Overwrite");
      if (event.thread < 0) CHECK(event.call == kNoCall);
    }
  }
}

TEST_CASE("Each store has its place in the modification order of its object") {
  for (const Search& search :
       {Graphs(), Full(), Random(10), Random(10).DeferringStores().StaleExchanges()}) {
    const Trace trace = RunWith(search).trace;
    std::vector<std::vector<bool>> taken(3, std::vector<bool>(4, false));  // by object and place
    for (EventNumber number = 1; number <= trace.last(); ++number) {
      const Event& event = trace[number];
      if (!event.writes) continue;
      REQUIRE(event.place < 4);
      CHECK_FALSE(taken[event.object][event.place]);
      taken[event.object][event.place] = true;
      if (event.thread == kSetUp) CHECK(event.place == 0);
      if (event.thread == kAfter) CHECK(event.place == 3);
    }
    CHECK(taken[1] == std::vector<bool>{true, true, true, true});
    CHECK(taken[2] == std::vector<bool>{true, true, false, false});
  }
}

// Thread 1 waits for a store that is never made.
struct ForEver {
  static constexpr int kThreads = 2;

  void Thread(int t) {
    if (t == 0) {
      cell.notify_all();
    } else {
      cell.wait(0, Order::relaxed);
    }
  }

  ModelSync::atomic<int> cell{0};
};

TEST_CASE("A trace of a deadlock ends with the operations that wait") {
  SiteTable sites;
  for (const Search& search : {Graphs(), Full()}) {
    const SearchResult result =
        RunSearch(Scenario<ForEver>::Entry({.name = "test", .promise = "", .searches = {}}), search,
                  {}, sites);
    REQUIRE(result.failure);
    CHECK(result.failure->kind == FailureKind::kDeadlock);
    int blocked = 0;
    for (EventNumber number = 1; number <= result.trace.last(); ++number) {
      const Event& event = result.trace[number];
      if (!event.blocks) continue;
      ++blocked;
      CHECK(event.thread == 1);
    }
    CHECK(blocked == 1);
  }
}

}  // namespace
}  // namespace nowait::model
