// The result of Explore for a scenario that passes, for one that fails, and for one with an
// accepted gap.
#include "models/kit/exhaustive/explore.h"

#include <array>
#include <catch2/catch.hpp>
#include <cstddef>
#include <sstream>

namespace nowait::model {
namespace {

using Order = std::memory_order;

template <Order kUnlock>
struct Locked {
  static constexpr int kThreads = 2;
  void Thread(int) {
    while (taken.exchange(true, Order::acquire)) ModelSync::Yield();
    count.set(count.get() + 1);
    taken.store(false, kUnlock);
  }
  void After() { Check(count.get() == kThreads, "no increment is lost"); }
  ModelSync::atomic<bool> taken{false};
  ModelSync::plain<int> count{0};
};

struct Pair {
  static constexpr int kThreads = 2;
  ModelSync::atomic<int> x{0};
  ModelSync::atomic<int> y{0};
};

TEST_CASE("a pass says how many executions there are") {
  struct Adding : Pair {
    void Thread(int) { x.fetch_add(1, Order::relaxed); }
  };
  const Explored explored = Explore<Adding>();
  CHECK(explored.passed());
  CHECK(explored.executions == 2);
  CHECK(explored.Words() == "all 2 executions examined");
}

TEST_CASE("a pass says which executions another one stands for") {
  const Explored explored = Explore<Locked<Order::release>>();
  CHECK(explored.passed());
  CHECK(explored.executions == 4);
  CHECK(explored.omitted.blocked == 2);
  CHECK(explored.omitted.rounds == 2);
  CHECK(explored.omitted.tries == 0);
  CHECK(explored.Words() ==
        "all 4 executions examined; without 2 executions that end in a wait (2 rounds of loops "
        "that yield)");
}

TEST_CASE("failing tries are counted too") {
  struct Raising : Pair {
    void Thread(int) {
      int found = x.load(Order::relaxed);
      while (!x.compare_exchange_retry(found, found + 1, Order::relaxed, Order::relaxed)) {
      }
    }
  };
  const Explored explored = Explore<Raising>();
  CHECK(explored.passed());
  CHECK(explored.executions == 2);
  CHECK(explored.omitted.tries == explored.omitted.blocked);
  CHECK(explored.omitted.tries > 0);
  CHECK_THAT(explored.Words(), Catch::Contains("failing tr"));
  const Explored with = Explore<Raising>(Graphs().EveryTry());
  CHECK(with.omitted.tries == 0);
}

// Each thread reads one atomic and then writes the next one. Load buffering would close the cycle.
template <int kCount, Order kLoad, Order kStore, Order kFirstLoad = kLoad,
          Order kFirstStore = kStore>
struct Circle {
  static constexpr int kThreads = kCount;
  void Thread(int t) {
    const auto own = static_cast<std::size_t>(t);
    cells[own].load(t == 0 ? kFirstLoad : kLoad);
    cells[(own + 1) % cells.size()].store(1, t == 0 ? kFirstStore : kStore);
  }
  std::array<ModelSync::atomic<int>, kCount> cells;
};

TEST_CASE("A scenario that could show load buffering has not passed, unless that is accepted") {
  constexpr auto rlx = Order::relaxed;
  constexpr auto acq = Order::acquire;
  constexpr auto rel = Order::release;
  for (const Explored& explored :
       {Explore<Circle<2, rlx, rlx>>(), Explore<Circle<3, rlx, rlx>>(),
        Explore<Circle<4, rlx, rlx>>(), Explore<Circle<2, acq, rlx>>(),
        Explore<Circle<2, rlx, rel>>(), Explore<Circle<2, acq, rel, rlx, rlx>>()}) {
    INFO(explored.Words());
    CHECK(explored.complete);
    CHECK_FALSE(explored.failure);
    CHECK(explored.omitted.gaps == Gaps{Gap::kLoadBuffering});
    CHECK_FALSE(explored.passed());
    CHECK(explored.passed({Gap::kLoadBuffering}));
    CHECK_THAT(explored.Words(), Catch::Contains("executions examined but for load buffering"));
  }
  // Happens-before forbids the cycle as soon as all steps but one synchronise.
  CHECK(Explore<Circle<2, acq, rel>>().passed());
  CHECK(Explore<Circle<2, acq, rel, acq, rlx>>().passed());
  CHECK(Explore<Circle<2, acq, rel, rlx, rel>>().passed());
  CHECK(Explore<Circle<3, acq, rel, rlx, rel>>().passed());
}

TEST_CASE("Without a circle there is no load buffering") {
  constexpr auto rlx = Order::relaxed;
  struct SameWay : Pair {
    void Thread(int) {
      x.load(rlx);
      y.store(1, rlx);
    }
  };
  struct WritesFirst : Pair {
    void Thread(int t) {
      (t == 0 ? x : y).store(1, rlx);
      (t == 0 ? y : x).load(rlx);
    }
  };
  struct OneObject : Pair {
    void Thread(int) { x.store(x.load(rlx) + 1, rlx); }
  };
  struct Fenced : Pair {
    void Thread(int t) {
      (t == 0 ? x : y).load(rlx);
      Fence(Order::acq_rel);
      (t == 0 ? y : x).store(1, rlx);
    }
  };
  CHECK(Explore<SameWay>().passed());
  CHECK(Explore<WritesFirst>().passed());
  CHECK(Explore<OneObject>().passed());
  CHECK(Explore<Fenced>().passed());
  // An exchange reads and writes: the second exchange of each thread closes the cycle.
  struct Exchanges : Pair {
    void Thread(int t) {
      (t == 0 ? x : y).exchange(1, rlx);
      (t == 0 ? y : x).exchange(2, rlx);
    }
  };
  CHECK(Explore<Exchanges>().passed({Gap::kLoadBuffering}));
  CHECK_FALSE(Explore<Exchanges>().passed());
}

template <bool kWeak, bool kSameObject>
struct ExchangesTwice {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 1) return x.store(1, Order::relaxed);
    Exchange(x);
    Exchange(kSameObject ? x : y);
  }
  static void Exchange(ModelSync::atomic<int>& atomic) {
    int expected = 0;
    if (kWeak) {
      atomic.compare_exchange_weak(expected, 0, Order::relaxed, Order::relaxed);
    } else {
      atomic.compare_exchange_strong(expected, 0, Order::relaxed, Order::relaxed);
    }
  }
  ModelSync::atomic<int> x{0};
  ModelSync::atomic<int> y{0};
};

TEST_CASE("A scenario that could fail spuriously once more has not passed either") {
  const Explored same = Explore<ExchangesTwice<true, true>>();
  CHECK(same.omitted.gaps == Gaps{Gap::kSecondSpuriousFailure});
  CHECK_FALSE(same.passed());
  const Explored elsewhere = Explore<ExchangesTwice<true, false>>();
  CHECK(elsewhere.omitted.gaps == Gaps{Gap::kSpuriousFailureElsewhere});
  CHECK_FALSE(elsewhere.passed());
  CHECK(Explore<ExchangesTwice<false, true>>().passed());
  CHECK(Explore<ExchangesTwice<false, false>>().passed());
}

TEST_CASE("A choice among more than a search can distinguish is not finished") {
  struct Chooses : Pair {
    void Thread(int t) {
      if (t == 0) Check(CurrentMachine()->Choose(300) < 299, "the last choice is examined");
    }
  };
  const Explored explored = Explore<Chooses>();
  INFO(explored.Words());
  REQUIRE(explored.failure);
  CHECK_FALSE(explored.passed());
  CHECK(explored.failure->kind == FailureKind::kNotFinished);
  CHECK_THAT(explored.failure->words, Catch::Contains("300"));
}

TEST_CASE("a failure is reported with its trace, and a test framework prints it") {
  const Explored explored = Explore<Locked<Order::relaxed>>();
  REQUIRE(explored.failure);
  CHECK_FALSE(explored.passed());
  CHECK(explored.failure->kind == FailureKind::kDataRace);
  CHECK_THAT(explored.Words(), Catch::Contains("data race") && Catch::Contains("exchange") &&
                                   Catch::Contains("explore_test.cc"));
  std::ostringstream printed;
  printed << explored;
  CHECK(printed.str() == explored.Words());
}

}  // namespace
}  // namespace nowait::model
