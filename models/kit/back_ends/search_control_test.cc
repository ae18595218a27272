// Searches in pieces and in shards: together the pieces, and together the shards, run the
// executions of the whole search, each exactly once.
#include "models/kit/engine/search_control.h"

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "models/kit/engine/meter.h"
#include "models/kit/engine/run_search.h"
#include "models/kit/program/site_table.h"
#include "models/kit/scenario/model.h"
#include "src/islands/union_find.h"

namespace nowait::model {
namespace {

using Order = std::memory_order;

struct TwoUnions {
  static constexpr int kThreads = 2;
  void Thread(int t) { sets.Union(3, t == 0 ? 2 : 1); }
  void After() {
    Check(sets.Find(3) == 1, "both unions are kept");
    ++count;
  }
  UnionFind<ModelSync> sets{4};
  static inline std::uint64_t count = 0;
};

// A scenario with enough execution graphs to be distributed and interrupted.
struct ThreeUnions {
  static constexpr int kThreads = 3;
  void Thread(int t) { sets.Union(t == 2 ? 2 : 3, t == 0 ? 2 : t == 1 ? 1 : 0); }
  void After() { Check(sets.Find(3) == 0, "all unions are kept"); }
  UnionFind<ModelSync> sets{4};
};

// Small enough for every execution to be inspected. It remembers the last one.
struct Exchanges {
  static constexpr int kThreads = 2;
  static inline std::string last;
  static inline std::uint64_t count = 0;

  void Thread(int) {
    int expected = 0;
    while (!x.compare_exchange_weak(expected, expected + 1, Order::relaxed, Order::relaxed)) {
      y.store(expected, Order::relaxed);
      ModelSync::Yield();
    }
    y.load(Order::relaxed);
  }
  void After() {
    last = CurrentMachine()->trace().Format();
    ++count;
  }
  ModelSync::atomic<int> x{0};
  ModelSync::atomic<int> y{0};
};

// Fails in only a few executions.
struct Counting {
  static constexpr int kThreads = 3;
  void Thread(int) { count.store(count.load(Order::relaxed) + 1, Order::relaxed); }
  void After() { Check(count.load(Order::relaxed) != 1, "not all increments but one are lost"); }
  ModelSync::atomic<int> count{0};
};

const std::vector<Search> kKinds = {Graphs(), Full(), ContextBound(1).StaleExchanges(),
                                    Random(300).StaleExchanges().DeepHistory()};

template <class S>
SearchResult Run(const Search& search, const SearchControl& control = {}, const Start& start = {}) {
  SiteTable sites;
  return RunSearch(Scenario<S>::Entry({.name = "pieces", .promise = "", .searches = {}}), search,
                   start, sites, control);
}

// Runs a search in pieces of `piece` executions each.
template <class S, class AfterPiece>
SearchResult RunInPieces(const Search& search, SearchControl control, std::uint64_t piece,
                         const AfterPiece& after_piece) {
  control.executions = piece;
  for (;;) {
    const SearchResult result = Run<S>(search, control);
    after_piece(result);
    if (!result.stopped) return result;
    control.from = result.stopped;
  }
}

TEST_CASE("shards add up to the whole") {
  for (const Search& search :
       {Full(), ContextBound(2).StaleExchanges().DeepHistory(), Random(10'001).StaleExchanges()}) {
    const std::uint64_t whole = Run<TwoUnions>(search).executions;
    REQUIRE(whole > 1'000);
    for (unsigned count : {2u, 3u, 4u}) {
      CAPTURE(Format(search), count);
      std::uint64_t sum = 0;
      for (unsigned index = 0; index < count; ++index) {
        SearchControl control;
        control.shard = {index, count};
        const SearchResult part = Run<TwoUnions>(search, control);
        CHECK_FALSE(part.failure);
        CHECK_FALSE(part.stopped);
        CHECK(part.exhausted == (search.kind != Search::Kind::kRandom));
        CHECK(part.executions > 0);
        CHECK(part.executions < whole);
        sum += part.executions;
      }
      CHECK(sum == whole);
    }
  }
}

// A shard runs its way-finding executions before an execution that counts. The last execution of a
// piece of one execution is therefore the one that counts.
TEST_CASE("each execution is in one shard, and in one piece of it") {
  for (const Search& search : kKinds) {
    if (search.kind == Search::Kind::kGraphs) continue;  // their traces are made on demand only
    std::vector<std::string> whole;
    std::uint64_t executions = 0;
    const auto collect = [&](const SearchResult& result) {
      if (result.executions > executions) whole.push_back(Exchanges::last);
      executions = result.executions;
    };
    RunInPieces<Exchanges>(search, {}, 1, collect);
    REQUIRE(whole.size() == Run<Exchanges>(search).executions);
    std::sort(whole.begin(), whole.end());
    for (unsigned count : {2u, 5u}) {
      CAPTURE(Format(search), count);
      std::vector<std::string> parts;
      for (unsigned index = 0; index < count; ++index) {
        std::uint64_t before = 0;
        SearchControl control;
        control.shard = {index, count};
        RunInPieces<Exchanges>(search, control, 1, [&](const SearchResult& result) {
          if (result.executions > before) parts.push_back(Exchanges::last);
          before = result.executions;
        });
      }
      std::sort(parts.begin(), parts.end());
      CHECK(parts == whole);
    }
  }
}

TEST_CASE("graphs add up, in shards, in pieces, and in pieces of shards") {
  const SearchResult whole = Run<ThreeUnions>(Graphs());
  REQUIRE(whole.exhausted);
  REQUIRE(whole.executions > 500);
  for (unsigned count : {1u, 2u, 3u, 7u}) {
    CAPTURE(count);
    std::uint64_t sum = 0;
    for (unsigned index = 0; index < count; ++index) {
      SearchControl control;
      control.shard = {index, count};
      const SearchResult part = Run<ThreeUnions>(Graphs(), control);
      CHECK(part.exhausted);
      double fraction = 0;
      const SearchResult last =
          RunInPieces<ThreeUnions>(Graphs(), control, 89, [&](const SearchResult& piece) {
            CHECK(piece.fraction >= fraction);
            CHECK(piece.exhausted == !piece.stopped);
            fraction = piece.fraction;
          });
      CHECK(last.executions == part.executions);
      CHECK(last.exhausted);
      sum += part.executions;
    }
    CHECK(sum == whole.executions);
  }
}

TEST_CASE("a place in a search is digits and points") {
  SearchControl control;
  control.executions = 100;
  const SearchResult piece = Run<ThreeUnions>(Graphs(), control);
  REQUIRE(piece.stopped);
  CHECK(piece.stopped->state.find_first_not_of("0123456789.:") == std::string::npos);
}

TEST_CASE("shards run little besides their own executions") {
  TwoUnions::count = 0;
  std::uint64_t counted = 0;
  for (unsigned index = 0; index < 4; ++index) {
    SearchControl control;
    control.shard = {index, 4};
    counted += Run<TwoUnions>(Full(), control).executions;
  }
  CHECK(TwoUnions::count > counted);
  CHECK(TwoUnions::count < counted + counted / 16);
}

TEST_CASE("shards of a tree search share its limit") {
  std::uint64_t sum = 0;
  for (unsigned index = 0; index < 3; ++index) {
    SearchControl control;
    control.shard = {index, 3};
    const SearchResult part = Run<TwoUnions>(Full().AtMost(1'000), control);
    CHECK_FALSE(part.exhausted);
    CHECK_FALSE(part.stopped);
    CHECK(part.fraction < 1);
    sum += part.executions;
  }
  CHECK(sum == 1'000);
}

TEST_CASE("a shard may be empty") {
  std::uint64_t sum = 0;
  for (unsigned index = 0; index < 8; ++index) {
    SearchControl control;
    control.shard = {index, 8};
    const SearchResult part = Run<Exchanges>(Random(3), control);
    CHECK_FALSE(part.stopped);
    sum += part.executions;
  }
  CHECK(sum == 3);
}

TEST_CASE("pieces add up to the whole, in each shard too") {
  for (const Search& search : {Full(), ContextBound(2).StaleExchanges(), Random(20'000)}) {
    for (const Shard shard : {Shard{0, 1}, Shard{1, 3}}) {
      CAPTURE(Format(search), shard.count);
      SearchControl control;
      control.shard = shard;
      const SearchResult whole = Run<TwoUnions>(search, control);
      int pieces = 0;
      double fraction = 0;
      const SearchResult last =
          RunInPieces<TwoUnions>(search, control, 1'777, [&](const SearchResult& piece) {
            ++pieces;
            CHECK(piece.fraction > fraction);
            fraction = piece.fraction;
          });
      CHECK(pieces == static_cast<int>(whole.executions / 1'777) + 1);
      CHECK(last.executions == whole.executions);
      CHECK(last.exhausted == whole.exhausted);
      CHECK(last.fraction == 1);
    }
  }
}

TEST_CASE("a search in pieces finds what the whole finds, and it can be repeated") {
  for (const Search& search : kKinds) {
    CAPTURE(Format(search));
    const SearchResult whole = Run<Counting>(search);
    REQUIRE(whole.failure);
    const SearchResult last = RunInPieces<Counting>(search, {}, 7, [](const SearchResult&) {});
    REQUIRE(last.failure);
    CHECK(last.executions == whole.executions);
    CHECK(last.trace.Format() == whole.trace.Format());
    CHECK(Run<Counting>(search, {}, last.replay).trace.Format() == whole.trace.Format());
  }
}

// Asks the search to stop after a given number of executions.
struct Stopping : Exchanges {
  static inline std::atomic<int> stop = 0;
  void After() {
    Exchanges::After();
    if (count == 5) stop = 1;
  }
};

TEST_CASE("a search stops after the execution in which it is asked to") {
  for (const Search& search : kKinds) {
    const std::uint64_t whole = Run<Exchanges>(search).executions;
    Exchanges::count = 0;
    Stopping::stop = 0;
    SearchControl control;
    control.stop = &Stopping::stop;
    const SearchResult first = Run<Stopping>(search, control);
    CHECK(first.executions == 5);
    REQUIRE(first.stopped);
    CHECK_FALSE(first.exhausted);
    control.from = first.stopped;
    control.stop = nullptr;
    CHECK(Run<Stopping>(search, control).executions == whole);
  }
}

TEST_CASE("a shard that is stopped while it finds its way begins again") {
  SearchControl control;
  control.shard = {1, 2};
  const std::uint64_t whole = Run<Exchanges>(Full(), control).executions;
  Exchanges::count = 0;
  Stopping::stop = 0;
  control.stop = &Stopping::stop;
  const SearchResult first = Run<Stopping>(Full(), control);
  CHECK(first.executions == 0);
  REQUIRE(first.stopped);
  control.from = first.stopped;
  control.stop = nullptr;
  CHECK(Run<Stopping>(Full(), control).executions == whole);
}

TEST_CASE("a search's own time limit leaves it unfinished") {
  Search search = GENERATE(Full(), Graphs());
  search.seconds = 0;
  const SearchResult result = Run<ThreeUnions>(search);
  CHECK(result.stopped);
  CHECK_FALSE(result.exhausted);
  CHECK(result.fraction < 1);
}

TEST_CASE("progress rises, and says what it is a fraction of") {
  for (const Search& search : {Full(), Random(1'000'000)}) {
    Progress last;
    int calls = 0;
    std::atomic<int> stop = 0;
    SearchControl control;
    control.stop = &stop;
    control.progress = [&](const Progress& progress) {
      CHECK(progress.executions > last.executions);
      CHECK(progress.seconds > last.seconds);
      CHECK(progress.fraction > last.fraction);
      CHECK(progress.fraction < 1);
      CHECK(progress.seconds_left > 0);
      CHECK(progress.seconds_left <= search.seconds);
      last = progress;
      if (++calls == 2) stop = 1;
    };
    const SearchResult result = Run<ThreeUnions>(search, control);
    CHECK(result.executions >= last.executions);
    CHECK(calls > 0);
  }
}

TEST_CASE("the shares of a limit add up to it") {
  for (const Search& search : {Random(1'003), Full().AtMost(1'003)}) {
    for (std::uint64_t seed : {0u, 1u, 6u}) {
      std::uint64_t sum = 0;
      for (unsigned index = 0; index < 7; ++index)
        sum += ExecutionsOfShard(search, seed, {index, 7});
      CHECK(sum == 1'003);
    }
  }
}

}  // namespace
}  // namespace nowait::model
