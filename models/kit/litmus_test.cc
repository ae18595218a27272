// What the searches can and cannot produce: the classic shapes of two to four threads, each with
// the outcomes that C++20 allows and those it forbids. models/README.md's table rests on these
// tests.
#include <array>
#include <atomic>
#include <catch2/catch.hpp>
#include <set>
#include <vector>

#include "models/kit/model.h"
#include "models/kit/site_table.h"

namespace nowait::model {
namespace {

using Outcome = std::vector<int>;
using Order = std::memory_order;

// Filled by the scenarios' After, execution by execution.
std::set<Outcome> outcomes;

template <class S>
bool Produces(const Search& search, const Outcome& outcome) {
  outcomes.clear();
  SiteTable sites;
  const SearchResult result = RunSearch(
      Scenario<S>::Entry({.name = "litmus", .promise = "", .searches = {}}), search, {}, sites);
  INFO(result.trace);
  REQUIRE_FALSE(result.failure.has_value());
  return outcomes.contains(outcome);
}

struct TwoAtomics {
  void After() { outcomes.insert(Outcome(seen.begin(), seen.end())); }

  ModelSync::atomic<int> x{0};
  ModelSync::atomic<int> y{0};
  std::array<int, 4> seen{};
};

template <Order kStore, Order kLoad>
struct StoreBuffering : TwoAtomics {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    auto& mine = t == 0 ? x : y;
    auto& other = t == 0 ? y : x;
    mine.store(1, kStore);
    seen[static_cast<std::size_t>(t)] = other.load(kLoad);
  }
};

TEST_CASE("store buffering is seen unless both sides are seq_cst") {
  using Weak = StoreBuffering<Order::release, Order::acquire>;
  using Strong = StoreBuffering<Order::seq_cst, Order::seq_cst>;
  for (const Search& search : {Full(), ContextBound(2), Random(2'000)}) {
    CHECK(Produces<Weak>(search, {0, 0, 0, 0}));
    CHECK_FALSE(Produces<Strong>(search, {0, 0, 0, 0}));
  }
  CHECK_FALSE(
      Produces<Strong>(Full().DeferringStores().StaleExchanges().DeepHistory(), {0, 0, 0, 0}));
}

template <Order kStore, Order kLoad>
struct MessagePassing : TwoAtomics {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) {
      x.store(1, Order::relaxed);
      y.store(1, kStore);
    } else {
      seen[0] = y.load(kLoad);
      seen[1] = x.load(Order::relaxed);
    }
  }
};

TEST_CASE("a message passed with relaxed orders may arrive before its content") {
  for (const Search& search : {Full(), Random(2'000), Full().DeferringStores()}) {
    CHECK(Produces<MessagePassing<Order::relaxed, Order::relaxed>>(search, {1, 0, 0, 0}));
    CHECK(Produces<MessagePassing<Order::release, Order::relaxed>>(search, {1, 0, 0, 0}));
    CHECK(Produces<MessagePassing<Order::relaxed, Order::acquire>>(search, {1, 0, 0, 0}));
    CHECK_FALSE(Produces<MessagePassing<Order::release, Order::acquire>>(search, {1, 0, 0, 0}));
  }
}

struct ReadRead : TwoAtomics {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) {
      x.store(1, Order::relaxed);
    } else {
      seen[0] = x.load(Order::relaxed);
      seen[1] = x.load(Order::relaxed);
    }
  }
};

TEST_CASE("two reads of one atomic never go back (coherence)") {
  for (const Search& search : {Full().DeepHistory(), Full().DeferringStores()}) {
    CHECK(Produces<ReadRead>(search, {0, 1, 0, 0}));
    CHECK_FALSE(Produces<ReadRead>(search, {1, 0, 0, 0}));
  }
}

struct OwnStore : TwoAtomics {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t != 0) return;
    x.store(1, Order::relaxed);
    seen[0] = x.load(Order::relaxed);
  }
};

TEST_CASE("a thread sees its own store, deferred or not") {
  CHECK_FALSE(Produces<OwnStore>(Full().DeferringStores(), {0, 0, 0, 0}));
}

struct TwoPlusTwoWrites : TwoAtomics {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    auto& first = t == 0 ? x : y;
    auto& second = t == 0 ? y : x;
    first.store(1, Order::relaxed);
    second.store(2, Order::relaxed);
  }
  void After() {
    seen[0] = x.load(Order::relaxed);
    seen[1] = y.load(Order::relaxed);
    TwoAtomics::After();
  }
};

struct LateStore : TwoAtomics {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) {
      x.store(2, Order::relaxed);
      y.store(1, Order::relaxed);
    } else {
      seen[0] = y.load(Order::relaxed);
      x.store(1, Order::relaxed);
    }
  }
  void After() {
    seen[1] = x.load(Order::relaxed);
    TwoAtomics::After();
  }
};

TEST_CASE("2+2W and S need deferred stores") {
  CHECK_FALSE(Produces<TwoPlusTwoWrites>(Full(), {1, 1, 0, 0}));
  CHECK(Produces<TwoPlusTwoWrites>(Full().DeferringStores(), {1, 1, 0, 0}));
  CHECK_FALSE(Produces<LateStore>(Full(), {1, 2, 0, 0}));
  CHECK(Produces<LateStore>(Full().DeferringStores(), {1, 2, 0, 0}));
}

struct StaleExchange : TwoAtomics {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) {
      x.store(1, Order::relaxed);
      y.store(1, Order::relaxed);
    } else {
      seen[0] = y.load(Order::relaxed);
      int expected = 7;
      x.compare_exchange_strong(expected, 9, Order::relaxed, Order::relaxed);
      seen[1] = expected;
    }
  }
};

TEST_CASE("a failed compare-exchange reads a stale value only with stale exchanges") {
  CHECK_FALSE(Produces<StaleExchange>(Full(), {1, 0, 0, 0}));
  CHECK(Produces<StaleExchange>(Full().StaleExchanges(), {1, 0, 0, 0}));
}

struct SpuriousFailure : TwoAtomics {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t != 0) return;
    int expected = 0;
    seen[0] = x.compare_exchange_weak(expected, 1, Order::relaxed, Order::relaxed) ? 1 : 0;
    expected = 0;
    seen[1] = y.compare_exchange_strong(expected, 1, Order::relaxed, Order::relaxed) ? 1 : 0;
  }
};

TEST_CASE("a weak compare-exchange may fail for no reason, a strong one may not") {
  for (const Search& search : {Full(), Random(200)}) {
    CHECK(Produces<SpuriousFailure>(search, {0, 1, 0, 0}));
    CHECK(Produces<SpuriousFailure>(search, {1, 1, 0, 0}));
    CHECK_FALSE(Produces<SpuriousFailure>(search, {1, 0, 0, 0}));
  }
}

struct ThreeStores : TwoAtomics {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) {
      for (int value = 1; value <= 3; ++value) x.store(value, Order::relaxed);
      y.store(1, Order::relaxed);
    } else {
      seen[0] = y.load(Order::relaxed);
      seen[1] = x.load(Order::relaxed);
    }
  }
};

TEST_CASE("a load reads more than one store back only with deep history") {
  CHECK(Produces<ThreeStores>(Full(), {1, 2, 0, 0}));
  CHECK_FALSE(Produces<ThreeStores>(Full(), {1, 0, 0, 0}));
  CHECK(Produces<ThreeStores>(Full().DeepHistory(), {1, 0, 0, 0}));
  CHECK(Produces<ThreeStores>(Random(20'000).DeepHistory(), {1, 0, 0, 0}));
}

// y is released, then written again: by a relaxed store of the same thread, or by a relaxed
// read-modify-write of another one.
template <bool kByStore>
struct ReleaseSequence : TwoAtomics {
  static constexpr int kThreads = 3;
  void Thread(int t) {
    if (t == 0) {
      x.store(1, Order::relaxed);
      y.store(1, Order::release);
      if (kByStore) y.store(2, Order::relaxed);
    } else if (t == 1) {
      int one = 1;
      if (!kByStore) y.compare_exchange_strong(one, 2, Order::relaxed, Order::relaxed);
    } else {
      seen[0] = y.load(Order::acquire);
      seen[1] = x.load(Order::relaxed);
    }
  }
};

TEST_CASE("release sequences are C++20's: a later store ends one, a read-modify-write goes on") {
  CHECK(Produces<ReleaseSequence<true>>(Full(), {2, 0, 0, 0}));
  CHECK(Produces<ReleaseSequence<false>>(Full(), {2, 1, 0, 0}));
  CHECK_FALSE(Produces<ReleaseSequence<false>>(Full(), {2, 0, 0, 0}));
}

template <Order kStore, Order kLoad>
struct IndependentReads : TwoAtomics {
  static constexpr int kThreads = 4;
  void Thread(int t) {
    if (t == 0) x.store(1, kStore);
    if (t == 1) y.store(1, kStore);
    if (t < 2) return;
    auto& first = t == 2 ? x : y;
    auto& second = t == 2 ? y : x;
    const std::size_t i = t == 2 ? 0 : 2;
    seen[i] = first.load(kLoad);
    seen[i + 1] = second.load(kLoad);
  }
};

TEST_CASE("independent readers agree on the order of writes only with seq_cst") {
  CHECK(Produces<IndependentReads<Order::release, Order::acquire>>(ContextBound(2), {1, 0, 1, 0}));
  CHECK_FALSE(
      Produces<IndependentReads<Order::seq_cst, Order::seq_cst>>(ContextBound(2), {1, 0, 1, 0}));
}

struct LoadBuffering : TwoAtomics {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    auto& mine = t == 0 ? x : y;
    auto& other = t == 0 ? y : x;
    seen[static_cast<std::size_t>(t)] = other.load(Order::relaxed);
    mine.store(1, Order::relaxed);
  }
};

TEST_CASE("load buffering, which C++ allows, is never produced") {
  CHECK_FALSE(Produces<LoadBuffering>(Full().DeferringStores().DeepHistory(), {1, 1, 0, 0}));
}

struct FloatAndBool {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) {
      real.fetch_add(-0.5f, Order::relaxed);
      flag.exchange(true, Order::relaxed);
    } else {
      real.fetch_sub(-2.0f, Order::relaxed);
      narrow.fetch_sub(1, Order::relaxed);
    }
  }
  void After() {
    Check(real.load(Order::relaxed) == 3.0f, "float arithmetic is the type's own");
    Check(flag.load(Order::relaxed), "a bool is exchanged");
    Check(narrow.load(Order::relaxed) == 255, "arithmetic wraps in the type's width");
    Check(negative.load(Order::relaxed) == -1, "negative values survive");
  }

  ModelSync::atomic<float> real{1.5f};
  ModelSync::atomic<bool> flag{false};
  ModelSync::atomic<std::uint8_t> narrow{0};
  ModelSync::atomic<std::int32_t> negative{-1};
};

TEST_CASE("values of every type keep their arithmetic") {
  CHECK_FALSE(Produces<FloatAndBool>(Full(), {}));
}

}  // namespace
}  // namespace nowait::model
