// The shown part of an execution is an execution, and it names its missing parts.
#include "models/kit/counterexample/shown.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <optional>
#include <string>

#include "models/kit/counterexample/from_trace.h"
#include "models/kit/counterexample/lanes.h"
#include "models/kit/engine/run_search.h"
#include "models/kit/program/call.h"
#include "models/kit/scenario/history.h"
#include "models/kit/scenario/model.h"

namespace nowait::model::counterexample {
namespace {

using Order = std::memory_order;

template <class S>
SearchResult FailureOf(const Search& search = Graphs()) {
  SiteTable sites;
  SearchResult result =
      RunSearch(model::Scenario<S>::Entry({.name = "shown", .promise = "", .searches = {}}), search,
                {}, sites);
  REQUIRE(result.failure);
  return result;
}

template <class S>
Execution Shown() {
  const SearchResult result = FailureOf<S>();
  SourceText text;
  return ExecutionOf(result.trace, result.failure, text);
}

// --- repeating steps ---

Trace Steps(const std::string& values) {
  Trace trace;
  for (const char value : values) {
    model::Event& event = trace.Add(0, OperationKind::kStore, Site());
    event.object = 1;
    event.writes = true;
    event.written = static_cast<Word>(value);
  }
  return trace;
}

TEST_CASE("the steps that come several times in a row are found, as few as make a turn") {
  using Found = std::optional<Repetition>;
  CHECK(FindRepetition(Steps("")) == Found());
  CHECK(FindRepetition(Steps("abcabd")) == Found());
  CHECK(FindRepetition(Steps("abab")) == Found());
  CHECK(FindRepetition(Steps("ababab")) == Found({1, 2, 3}));
  CHECK(FindRepetition(Steps("aaa")) == Found({1, 1, 3}));
  CHECK(FindRepetition(Steps("xyabcabcabcabcaxy")) == Found({3, 3, 4}));
  CHECK(FindRepetition(Steps("aaaxbcbcbcbc")) == Found({5, 2, 4}));
}

TEST_CASE("other values, and other stores that are read, are no turn") {
  Trace trace = Steps("aaaa");
  for (EventNumber number = 1; number <= trace.last(); ++number) trace[number].reads = true;
  for (EventNumber number = 2; number <= trace.last(); ++number) trace[number].from = number - 1;
  trace[1].from = kNoEvent;
  CHECK(FindRepetition(trace) == std::optional<Repetition>({2, 1, 3}));
  trace[4].from = 1;
  CHECK_FALSE(FindRepetition(trace));
}

struct Answer {
  int value;
  std::string Words() const { return value == 0 ? "Ask() = 0" : "Ask() = 1"; }
};

// Thread 0 asks until its history is full.
struct Asking {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    while (t == 0) {
      history.Record("Ask", [&] { return Answer{flag.load(Order::relaxed)}; });
    }
  }
  ModelSync::atomic<int> flag{0};
  History<Answer> history;
};

TEST_CASE("of a livelock one turn is shown, and how many more there are") {
  const Execution execution = Shown<Asking>();
  CHECK(execution.failure->kind == "livelock");
  CHECK(execution.events.size() == 1);
  CHECK(execution.calls.size() == 1);
  CHECK(execution.left_out == "the last step repeats: 64 more turns of it are left out");
}

// --- the calls that a check after all threads needs ---

constexpr char kQuoted[] = "answers are right\n  Ask() = 0, by thread 1; meanwhile it was 1";
constexpr char kUnquoted[] = "answers are right\n  the history";

template <const char* kWords>
struct Misread {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) flag.store(1, Order::relaxed);
    if (t == 1) history.Record("Ask", [&] { return Answer{flag.load(Order::relaxed)}; });
    other.fetch_add(1, Order::relaxed);
  }
  void After() {
    other.load(Order::relaxed);
    if (history[0].op.value == 0) FailExecution(FailureKind::kInvariant, kWords, Site::current());
  }
  ModelSync::atomic<int> flag{0};
  ModelSync::atomic<int> other{0};
  History<Answer> history;
};

TEST_CASE("where a call is quoted as wrong, its needs are shown") {
  const Execution execution = Shown<Misread<kQuoted>>();
  REQUIRE(execution.events.size() == 1);
  CHECK(execution.events[0].kind == "load");
  CHECK(execution.calls[0].returned);
  CHECK(execution.left_out == "4 steps that this failure does not need are left out");
  CHECK(Shown<Misread<kUnquoted>>().events.size() == 5);
  CHECK(Shown<Misread<kUnquoted>>().left_out.empty());
}

template <bool kLooks>
struct Miscounted {
  static constexpr int kThreads = 2;
  void Thread(int) { count.store(count.load(Order::relaxed) + 1, Order::relaxed); }
  void After() {
    int seen = 0;
    {
      const model::Call call("Count");
      seen = count.load(Order::relaxed);
    }
    if constexpr (kLooks) seen = count.load(Order::relaxed);
    Check(seen == 2, "no increment is lost");
  }
  ModelSync::atomic<int> count{0};
};

TEST_CASE("a check that looks for itself does not need what other checks have called") {
  const Execution looks = Shown<Miscounted<true>>();
  CHECK(looks.events.size() == 5);
  CHECK(looks.calls.empty());
  const Execution asks = Shown<Miscounted<false>>();
  CHECK(asks.events.size() == 5);
  CHECK(asks.calls.size() == 1);
  CHECK(asks.left_out.empty());
}

// --- uses after the end ---

struct Number {
  explicit Number(int value) : value(value) {}
  ModelSync::plain<int> value;
};

// Thread 0 frees the block, and thread 1 uses it. The later steps of thread 0 are left out.
struct FreedTooEarly {
  static constexpr int kThreads = 2;
  FreedTooEarly() : current(ModelSync::New<Number>(1)) {}
  void Thread(int t) {
    if (t == 0) {
      const model::Call call("Free");
      ModelSync::Delete(current.exchange(nullptr, Order::acq_rel));
      current.load(Order::relaxed);
    } else if (const Number* number = current.load(Order::acquire)) {
      const model::Call call("Use");
      number->value.get();
    }
  }
  ModelSync::atomic<Number*> current;
};

TEST_CASE("of a use after free the thread that has freed is shown, and where it did") {
  const SearchResult result = FailureOf<FreedTooEarly>();
  REQUIRE(result.failure->Label() == "use after free");
  SourceText text;
  Counterexample record;
  record.scenario = {"shown", "", 2};
  record.execution = ExecutionOf(result.trace, result.failure, text);
  const Execution& execution = record.execution;
  REQUIRE(execution.failure->events.size() == 2);
  const Event& freed = execution.events[static_cast<std::size_t>(execution.failure->events[0]) - 1];
  const Event& used = execution.events[static_cast<std::size_t>(execution.failure->events[1]) - 1];
  CHECK(freed.kind == "delete");
  CHECK(freed.thread == 0);
  CHECK(used.kind == "use");
  CHECK(used.thread == 1);
  CHECK(freed.object == used.object);
  CHECK(freed.number < used.number);
  CHECK(execution.events.size() == 4);
  CHECK(execution.calls.size() == 2);
  CHECK_THAT(FormatLanes(record, {}), Catch::Matchers::Contains("uses what ["));
}

// --- stores that took effect late ---

// Each thread's second store precedes the other one's first in modification order.
struct TwoStoresEach {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    cells[t].store(1, Order::relaxed);
    cells[1 - t].store(2, Order::relaxed);
  }
  void After() {
    const bool both = cells[0].load(Order::relaxed) == 1 && cells[1].load(Order::relaxed) == 1;
    Check(!both, "one of the second stores is the last");
  }
  ModelSync::atomic<int> cells[2];
};

TEST_CASE("a store that stands before an earlier one is marked, whichever back end found it") {
  for (const Search& search : {Graphs(), Random(20'000).DeferringStores()}) {
    const SearchResult result = FailureOf<TwoStoresEach>(search);
    SourceText text;
    Counterexample record;
    record.scenario = {"shown", "", 2};
    record.execution = ExecutionOf(result.trace, result.failure, text);
    CHECK_THAT(FormatLanes(record, {}),
               Catch::Matchers::Contains("LATE: in the modification order of "));
  }
}

// --- calls of which a part is left out ---

// Thread 1 races with a write in the middle of thread 0's call.
struct RaceInCall {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 1) {
      data.get();
      return;
    }
    const model::Call call("Write");
    data.set(1);
    flag.store(1, Order::relaxed);
  }
  ModelSync::plain<int> data{0};
  ModelSync::atomic<int> flag{0};
};

TEST_CASE("a call whose last steps are left out has not returned") {
  const Execution execution = Shown<RaceInCall>();
  REQUIRE(execution.calls.size() == 1);
  CHECK(execution.events.size() == 2);
  CHECK_FALSE(execution.calls[0].returned);
}

}  // namespace
}  // namespace nowait::model::counterexample
