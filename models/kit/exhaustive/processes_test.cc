// One search in several processes: together they do the same as a single process.
#include "models/kit/exhaustive/parallel/processes.h"

#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <csignal>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>

#include "models/kit/exhaustive/run_exhaustive.h"
#include "models/kit/scenario/model.h"
#include "src/islands/union_find.h"

namespace nowait::model {
namespace {

using Order = std::memory_order;

// 12! / (4! 4! 4!) executions.
struct Counting {
  static constexpr int kThreads = 3;
  static constexpr std::uint64_t kExecutions = 34'650;
  void Thread(int) {
    for (int i = 0; i < 4; ++i) count.fetch_add(1, Order::relaxed);
  }
  ModelSync::atomic<int> count{0};
};

// A tree with deep and flat parts, and with graphs that are not executions.
struct FourUnions {
  static constexpr int kThreads = 4;
  void Thread(int t) {
    sets.Union(static_cast<std::uint32_t>(t), static_cast<std::uint32_t>(t) + 1);
  }
  void After() { Check(sets.Find(4) == 0, "all unions are kept"); }
  UnionFind<ModelSync> sets{5};
};

// How often each operation was executed, by location, kind and order.
using Hits = std::map<std::tuple<std::string, unsigned, OperationKind, Order>, std::uint64_t>;

struct Outcome {
  SearchResult result;
  Hits hits;
};

template <class S>
ScenarioEntry Entry() {
  return Scenario<S>::Entry({.name = "", .promise = "", .searches = {}});
}

template <class S>
Outcome Run(unsigned jobs, const Search& search = Graphs(), SearchControl control = {}) {
  control.jobs = jobs;
  SiteTable sites;
  Outcome outcome{RunExhaustive(Entry<S>(), search, {}, sites, control), {}};
  for (const SiteRecord& record : sites.Sorted()) {
    outcome.hits[{FileOf(record.site), record.site.line(), record.kind, record.order}] +=
        record.hits;
  }
  return outcome;
}

template <class S>
void CheckThatTheyAddUp() {
  const Outcome alone = Run<S>(1);
  REQUIRE(alone.result.exhausted);
  for (const unsigned jobs : {2u, 3u, 7u}) {
    CAPTURE(jobs);
    const Outcome together = Run<S>(jobs);
    CHECK(together.result.exhausted);
    CHECK_FALSE(together.result.stopped);
    CHECK(together.result.fraction == 1);
    CHECK(together.result.executions == alone.result.executions);
    CHECK(together.hits == alone.hits);
  }
}

// Load buffering between the first thread and the last, which are in different parts of the tree.
struct Buffers : Counting {
  void Thread(int t) {
    Counting::Thread(t);
    if (t == 1) return;
    (t == 0 ? x : y).load(Order::relaxed);
    (t == 0 ? y : x).store(1, Order::relaxed);
  }
  ModelSync::atomic<int> x{0};
  ModelSync::atomic<int> y{0};
};

TEST_CASE("what a search could not show is the same for any processes and pieces") {
  const Gaps gaps = {Gap::kLoadBuffering};
  CHECK(Run<Buffers>(1).result.omitted.gaps == gaps);
  CHECK(Run<Buffers>(3).result.omitted.gaps == gaps);
  SearchControl control;
  control.executions = 9'001;
  SearchResult piece;
  do {
    piece = Run<Buffers>(2, Graphs(), control).result;
    control.from = piece.stopped;
  } while (control.from);
  CHECK(piece.exhausted);
  CHECK(piece.omitted.gaps == gaps);
}

TEST_CASE("executions that end in a wait are counted by all processes") {
  const SearchResult alone = Run<FourUnions>(1).result;
  const SearchResult together = Run<FourUnions>(3).result;
  CHECK(alone.omitted.gaps == together.omitted.gaps);
  CHECK(alone.omitted.blocked == together.omitted.blocked);
}

TEST_CASE("each execution is one process's") {
  CHECK(Run<Counting>(1).result.executions == Counting::kExecutions);
  CheckThatTheyAddUp<Counting>();
  CheckThatTheyAddUp<FourUnions>();
}

TEST_CASE("shards are worked on together too") {
  std::uint64_t sum = 0;
  for (unsigned index = 0; index < 3; ++index) {
    SearchControl control;
    control.shard = {index, 3};
    const SearchResult part = Run<Counting>(2, Graphs(), control).result;
    CHECK(part.exhausted);
    sum += part.executions;
  }
  CHECK(sum == Counting::kExecutions);
}

TEST_CASE("a limit of executions is kept") {
  for (const std::uint64_t limit : {100u, 6'000u, 20'000u, 34'649u}) {
    const SearchResult result = Run<Counting>(3, Graphs().AtMost(limit)).result;
    CHECK(result.executions == limit);
    CHECK_FALSE(result.exhausted);
    CHECK_FALSE(result.stopped);
    CHECK(result.fraction < 1);
  }
}

TEST_CASE("a search continues with any number of processes") {
  const Outcome whole = Run<FourUnions>(1);
  SearchControl control;
  control.executions = 7'001;
  std::uint64_t executions = 0;
  double fraction = 0;
  Hits hits;
  for (unsigned jobs = 3;; jobs = jobs % 4 + 1) {
    const Outcome piece = Run<FourUnions>(jobs, Graphs(), control);
    for (const auto& [operation, count] : piece.hits) hits[operation] += count;
    CHECK(piece.result.fraction > fraction);
    fraction = piece.result.fraction;
    control.from = piece.result.stopped;
    if (!control.from) {
      CHECK(piece.result.exhausted);
      CHECK(piece.result.executions == whole.result.executions);
      break;
    }
    CHECK(piece.result.executions == executions + 7'001);
    executions = piece.result.executions;
  }
  CHECK(hits == whole.hits);
}

TEST_CASE("processes that are stopped leave what they did not visit") {
  SearchControl control;
  // With no time at all, and then with a little time, as often as necessary.
  SearchResult result = Run<Counting>(2, Graphs().Within(0), control).result;
  REQUIRE(result.stopped);
  while (result.stopped) {
    CHECK_FALSE(result.exhausted);
    control.from = result.stopped;
    result = Run<Counting>(2, Graphs().Within(0.03), control).result;
  }
  CHECK(result.exhausted);
  CHECK(result.executions == Counting::kExecutions);
}

// A search longer than anyone would wait for.
struct Spreading {
  static constexpr int kThreads = 4;
  void Thread(int) {
    for (int i = 0; i < 8; ++i) count.fetch_add(1, Order::relaxed);
  }
  ModelSync::atomic<int> count{0};
};

TEST_CASE("their progress is reported as if they were one") {
  std::atomic<int> stop = 0;
  Progress last;
  SearchControl control;
  control.stop = &stop;
  control.progress = [&](const Progress& progress) {
    CHECK(progress.executions >= last.executions);
    CHECK(progress.fraction >= last.fraction);
    CHECK(progress.fraction < 1);
    last = progress;
    if (last.executions > 10'000) stop = 1;
  };
  const SearchResult result = Run<Spreading>(2, Graphs(), control).result;
  CHECK(result.executions >= last.executions);
  CHECK(result.fraction >= last.fraction);
  REQUIRE(result.stopped);
  CHECK(result.stopped->executions == result.executions);
}

// The last execution in the order of the search fails: thread 0 runs after all others.
struct LateFailure {
  static constexpr int kThreads = 3;
  void Thread(int t) {
    for (int i = 0; i < 4; ++i) {
      const int before = count.fetch_add(1, Order::relaxed);
      if (t == 0 && i == 0) first = before;
    }
  }
  void After() { Check(first != 8, "thread 0 is not the last one"); }
  ModelSync::atomic<int> count{0};
  int first = -1;
};

TEST_CASE("a failure that one of them finds ends all, and can be repeated") {
  REQUIRE(Run<LateFailure>(1).result.executions > 5'000);
  for (const unsigned jobs : {2u, 4u}) {
    const SearchResult result = Run<LateFailure>(jobs).result;
    REQUIRE(result.failure);
    CHECK(result.failure->words == "thread 0 is not the last one");
    CHECK_FALSE(result.exhausted);
    CHECK_FALSE(result.trace.empty());
    SiteTable sites;
    const SearchResult again =
        RunExhaustive(Entry<LateFailure>(), Graphs(), result.replay, sites, {});
    REQUIRE(again.failure);
    CHECK(again.failure->words == result.failure->words);
    CHECK(again.trace.Format() == result.trace.Format());
  }
}

// The same, as a crash.
struct LateCrash : LateFailure {
  void After() {
    int* volatile nowhere = nullptr;
    if (first == 8) *static_cast<volatile int*>(nowhere) = 1;
  }
};

TEST_CASE("so does a crash") {
  for (const unsigned jobs : {2u, 4u}) {
    const SearchResult result = Run<LateCrash>(jobs).result;
    REQUIRE(result.failure);
    CHECK(result.failure->kind == FailureKind::kCrash);
    CHECK(result.failure->words == "a null pointer is followed");
    CHECK_FALSE(result.trace.empty());
  }
}

// A step that ends every process of this program but the first one.
pid_t first_process = 0;
template <void (*kEnd)()>
struct Ending : Counting {
  void After() {
    if (getpid() != first_process) kEnd();
  }
};
void Kill() { raise(SIGKILL); }
void Leave() { _exit(3); }

TEST_CASE("a process that is gone is a failure of its own") {
  first_process = getpid();
  const SearchResult killed = Run<Ending<Kill>>(2).result;
  REQUIRE(killed.failure);
  CHECK(killed.failure->kind == FailureKind::kProcessLost);
  CHECK_FALSE(IsVerdict(killed.failure->kind));
  CHECK(killed.failure->words ==
        "several worked on this search, and signal 9 (Killed) ended one of them");
  CHECK_FALSE(killed.exhausted);
  CHECK(killed.executions < Counting::kExecutions);
  const SearchResult left = Run<Ending<Leave>>(2).result;
  REQUIRE(left.failure);
  CHECK(left.failure->words == "several worked on this search, and one of them ended with code 3");
}

TEST_CASE("a search that is over soon has one process") {
  first_process = getpid();
  CHECK(Run<Ending<Kill>>(8, Graphs().AtMost(1'000)).result.executions == 1'000);
}

TEST_CASE("a report is packed and unpacked") {
  const Site here = Site::current();
  const ProcessReport report{
      .executions = 12,
      .done = 0.25,
      .left = {{1, 2}, {}, {3}},
      .found = Found{{FailureKind::kLeak, "words", here, 1}, {4, 5}},
      .sites = {{here, OperationKind::kStore, Order::release, Order::relaxed, 77}},
      .omissions = "1.2.3.0"};
  const ProcessReport same = Unpack(Pack(report));
  CHECK(same.executions == 12);
  CHECK(same.done == 0.25);
  CHECK(same.left == report.left);
  REQUIRE(same.found);
  CHECK(same.found->failure.kind == FailureKind::kLeak);
  CHECK(same.found->failure.words == "words");
  CHECK(same.found->failure.site.line() == here.line());
  CHECK(same.found->path == TreePath{4, 5});
  CHECK(same.found->failure.thread == 1);
  REQUIRE(same.sites.size() == 1);
  CHECK(same.sites[0].hits == 77);
  CHECK(same.omissions == "1.2.3.0");
  CHECK_FALSE(Unpack(Pack({})).found);
}

}  // namespace
}  // namespace nowait::model
