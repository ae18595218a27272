// Loops that wait: a repeated round is left out, a loop without a yield is cut, and a thread that
// may spin for ever is counted.
#include <catch2/catch.hpp>

#include "models/kit/buffering/explore_scenario.h"
#include "models/kit/buffering/table.h"

namespace nowait::model::buffering {
namespace {

struct Spins {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) ready.store(1, rel);
    while (t == 1 && ready.load(acq) == 0) ModelSync::Yield();
  }
  ModelSync::atomic<int> ready{0};
};

TEST_CASE("a round that repeats the last one is no execution of its own") {
  const Explored explored = Explore<Spins>();
  CHECK(explored.refused.empty());
  CHECK(explored.cut == 0);
  CHECK(explored.executions >= 1);
}

struct Unbounded {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) ready.store(1, rlx);
    while (t == 1 && ready.load(rlx) == 0) {
    }
  }
  ModelSync::atomic<int> ready{0};
};

TEST_CASE("a loop that does not yield is cut, and that is counted") {
  const Explored explored = Explore<Unbounded>();
  CHECK(explored.cut > 0);
}

// A thread that waits for another one, which fails before it comes.
struct WaitsForAFailure {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) {
      Check(x.load(rlx) == 0, "it is never seen");
      ready.store(1, rlx);
    } else {
      x.store(1, rlx);
      while (ready.load(rlx) == 0) ModelSync::Yield();
    }
  }
  ModelSync::atomic<int> x{0}, ready{0};
};
struct WaitsForPlainData {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) ready.set(1);
    while (t == 1 && ready.get() == 0) ModelSync::Yield();
  }
  ModelSync::plain<int> ready{0};
};

TEST_CASE("failures and races beside a thread that spins are found") {
  const Explored fails = Explore<WaitsForAFailure>();
  REQUIRE(fails.found.has_value());
  CHECK(fails.found->label == "it is never seen");
  const Explored races = Explore<WaitsForPlainData>();
  REQUIRE(races.found.has_value());
  CHECK(races.found->label == "data race");
}

// With load buffering both threads find 1, and `ready` stays 0.
struct MayNotEnd {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) {
      const int found = x.load(rlx);
      y.store(1, rlx);
      if (found == 0) ready.store(1, rlx);
    } else {
      if (y.load(rlx) == 1) x.store(1, rlx);
      while (ready.load(rlx) == 0) ModelSync::Yield();
    }
  }
  ModelSync::atomic<int> x{0}, y{0}, ready{0};
};

TEST_CASE("a thread that spins on the last values is counted") {
  const Explored explored = Explore<MayNotEnd>();
  CHECK(explored.stuck == 1);
  CHECK(Verdict(explored) == "kept, but threads may spin for ever");
}

struct YieldsInARow {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) return x.store(1, rlx);
    for (int i = 0; i < 3; ++i) ModelSync::Yield();
    x.load(rlx);
    ModelSync::Yield();
    x.load(rlx);
    ModelSync::Yield();
    seen = x.load(rlx);
  }
  void After() { Check(seen == 0, "it is never seen"); }
  ModelSync::atomic<int> x{0};
  int seen = 0;
};

TEST_CASE("yields of different places are no rounds of one loop") {
  const Explored explored = Explore<YieldsInARow>();
  CHECK(explored.executions == 4);
  CHECK(explored.stuck == 0);
  CHECK(explored.found.has_value());
}

// A loop of tries that ends when the value is odd; thread 0 publishes by making it so.
template <Order kFailure>
struct TriesUntilOdd {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) {
      data.set(1);
      word.store(1, rel);
      return;
    }
    int found = word.load(acq);
    while (found % 2 == 0) {
      if (word.compare_exchange_retry(found, found + 2, rlx, kFailure)) return;
    }
    data.get();
  }
  ModelSync::atomic<int> word{0};
  ModelSync::plain<int> data{0};
};

TEST_CASE("a failing try that synchronises less than the look before it is not left out") {
  CHECK(Verdict(Explore<TriesUntilOdd<acq>>()) == "kept");
  CHECK(Verdict(Explore<TriesUntilOdd<rlx>>()) == "BROKEN: data race");
}

}  // namespace
}  // namespace nowait::model::buffering
