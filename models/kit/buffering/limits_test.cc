// Scenarios that do not fit: by their limits, by their types, or by memory that is not declared.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>

#include "models/kit/buffering/explore_scenario.h"
#include "models/kit/buffering/table.h"

namespace nowait::model::buffering {
namespace {

struct FiveLooks {
  static constexpr int kThreads = 2;
  void Thread(int) {
    for (int i = 0; i < 5; ++i) x.load(rlx);
  }
  ModelSync::atomic<int> x{0};
};

TEST_CASE("a scenario of which every execution is cut does not fit") {
  CHECK(Verdict(Explore<FiveLooks>()) == "does not fit: no execution ends within the limits");
  CHECK(Verdict(Explore<FiveLooks>({.rounds = 5})) == "kept");
}

// Threads that store, to one atomic after the other.
template <int kOfThem, int kFirst, int kOthers>
struct Stores {
  static constexpr int kThreads = kOfThem;
  void Thread(int t) {
    for (int i = 0; i < (t == 0 ? kFirst : kOthers); ++i) to[i % 20].store(i, rlx);
  }
  ModelSync::atomic<int> to[20];
};

TEST_CASE("a thread and an execution have a largest number of events") {
  CHECK(Explore<Stores<2, 63, 0>>().executions == 1);
  CHECK(Explore<Stores<2, 64, 0>>().refused == "no execution ends within the limits");
  CHECK(Explore<Stores<2, 32, 0>>({.events = 32}).executions == 1);
  CHECK(Explore<Stores<2, 33, 0>>({.events = 32}).refused == "no execution ends within the limits");
  CHECK(Explore<Stores<4, 60, 60>>().refused == "more than 256 events");
}

TEST_CASE("limits are named with their numbers") {
  CHECK(Explore<Torn>({.runs = 2}).refused == "more than 2 runs of thread 0");
  CHECK(Explore<Torn>({.ways = 1}).refused == "more than 1 ways of its threads");
}

// A value larger than a Word, passed on.
struct Large {
  struct Three {
    std::uint64_t a = 0, b = 0, c = 0;
  };
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) {
      data.set({1, 2, 3});
      ready.store(1, rel);
    } else if (ready.load(acq) == 1) {
      sum = data.get().a + data.get().c;
    }
  }
  void After() { Check(sum == 0 || sum == 4, "the value is whole"); }
  ModelSync::plain<Three> data;
  ModelSync::atomic<int> ready{0};
  std::uint64_t sum = 0;
};
// Thread 0 passes on a zero with a sign, which equals the one without and has other bytes.
struct Floats {
  struct Four {
    float low[2] = {}, high[2] = {};
  };
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) {
      data.set({.low = {-0.0f, 1}, .high = {2, 3}});
      ready.store(1, rel);
    } else if (ready.load(acq) == 1) {
      seen = data.get();
    }
  }
  void After() {
    const bool is_there = seen.high[1] == 3;
    Check(is_there == std::signbit(seen.low[0]), "the value is whole, to its sign");
  }
  ModelSync::plain<Four> data;
  ModelSync::atomic<int> ready{0};
  Four seen;
};
// The bytes between its members may differ.
struct Padded {
  struct Gap {
    char a = 0;
    double b = 0;
  };
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) data.set({});
  }
  ModelSync::plain<Gap> data;
};

TEST_CASE("plain data may be larger than a word") {
  for (const Explored& explored : {Explore<Large>(), Explore<Floats>()}) {
    CHECK(explored.executions == 2);
    CHECK(Verdict(explored) == "kept");
  }
}

// Alone, thread 1 finds its own 0.
struct Undeclared {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    mutex.lock();
    if (t == 0) undeclared = 1;
    if (t == 1 && undeclared == 1) seen.store(1, rlx);
    mutex.unlock();
  }
  ModelSync::mutex mutex;
  ModelSync::atomic<int> seen{0};
  int undeclared = 0;
};

// Of the same memory, a Check that fails only alone, or only beside the other thread.
template <bool kAlone>
struct UndeclaredCheck {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) {
      undeclared = 1;
      ready.store(1, rel);
    } else if (ready.load(acq) == 1) {
      Check((undeclared == 0) != kAlone, "the value is the expected one");
    }
  }
  ModelSync::atomic<int> ready{0};
  int undeclared = 0;
};
// The type is refused before the threads begin, or behind them.
template <bool kBefore>
struct PaddedElsewhere {
  static constexpr int kThreads = 2;
  PaddedElsewhere() {
    if (kBefore) data.set({});
  }
  void Thread(int) { count.fetch_add(1, rlx); }
  void After() {
    if (!kBefore) data.set({});
  }
  ModelSync::atomic<int> count{0};
  ModelSync::plain<Padded::Gap> data;
};

TEST_CASE("what does not fit is refused by its name") {
  CHECK(Explore<Allocates>().refused == "a thread allocates memory");
  for (const Explored& explored :
       {Explore<Padded>(), Explore<PaddedElsewhere<true>>(), Explore<PaddedElsewhere<false>>()}) {
    CHECK(explored.refused ==
          "plain data of a type with padding, or of one that is not trivially copyable");
  }
  for (const Explored& explored : {Explore<Undeclared>(), Explore<UndeclaredCheck<true>>(),
                                   Explore<UndeclaredCheck<false>>()}) {
    CHECK(explored.refused == "threads share memory that is not declared");
  }
}

}  // namespace
}  // namespace nowait::model::buffering
