// Whole scenarios: verdicts, failures in threads and afterwards, races, histories, and scenarios
// that do not fit.
#include "models/kit/buffering/explore.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <string>

#include "models/kit/buffering/carried.h"
#include "models/kit/buffering/table.h"
#include "models/kit/scenario/history.h"
#include "models/kit/scenario/model.h"

namespace nowait::model::buffering {
namespace {

using Order = std::memory_order;
constexpr Order rlx = Order::relaxed;
constexpr Order acq = Order::acquire;
constexpr Order rel = Order::release;

template <class S>
Explored Explore(const Limits& limits = {}) {
  return ExploreBuffering(Scenario<S>::Entry({.name = "", .promise = ""}), limits);
}

// A cell that is read and then freed; the other thread fills it again once it is free.
template <Order kFree, Order kTake>
struct Cell {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) {
      found = cell.load(rlx);
      free.store(1, kFree);
    } else if (free.load(kTake) == 1) {
      cell.store(2, rlx);
    }
  }
  void After() { Check(found == 1, "the reader finds the first value"); }
  ModelSync::atomic<int> cell{1};
  ModelSync::atomic<int> free{0};
  int found = 0;
};

TEST_CASE("a cell that is freed by a relaxed store is overwritten before it is read, possibly") {
  const Explored explored = Explore<Cell<rlx, rlx>>();
  CHECK(explored.executions == 3);
  CHECK(explored.buffering == 1);
  CHECK(explored.possible == 1);
  CHECK_FALSE(explored.found.has_value());
  REQUIRE(explored.doubtful.has_value());
  CHECK(explored.doubtful->label == "the reader finds the first value");
  CHECK(explored.doubtful->threads.find("load atomic 1: 2, relaxed, from ") != std::string::npos);
}

TEST_CASE("released and acquired, it is not") {
  const Explored explored = Explore<Cell<rel, acq>>();
  CHECK(explored.executions == 2);
  CHECK(explored.buffering == 0);
  CHECK_FALSE(explored.doubtful.has_value());
}

// Both threads count: the failure that is found does not rest on load buffering.
struct Torn {
  static constexpr int kThreads = 2;
  void Thread(int) { count.store(count.load(rlx) + 1, rlx); }
  void After() { Check(count.load(rlx) == 2, "no count is lost"); }
  ModelSync::atomic<int> count{0};
};

TEST_CASE("a failure of an execution without load buffering is found for certain") {
  const Explored explored = Explore<Torn>();
  REQUIRE(explored.found.has_value());
  CHECK(explored.found->label == "no count is lost");
}

// The read of an acquiring update does not wait for its operand, nor for the value that it expects.
template <bool kExchange>
struct OperandIsLate {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) {
      const Carried<int> a = x.load(rlx);
      found[0] = a.bare();
      Carried<int> expected = a * 0;
      if constexpr (kExchange) {
        z.compare_exchange_strong(expected, 5, acq, rlx);
      } else {
        z.fetch_add(a, acq);
      }
      y.store(1, rlx);
    } else {
      const Carried<int> b = y.load(rlx);
      found[1] = b.bare();
      x.store(b, rlx);
    }
  }
  void After() { Check(found[0] + found[1] != 2, "a thread finds nothing"); }
  CarryingSync::atomic<int> x{0}, y{0}, z{0};
  int found[2] = {};
};

TEST_CASE("a write behind an acquire may come before what the acquiring update was computed from") {
  CHECK(Explore<OperandIsLate<true>>().found.has_value());
  CHECK(Explore<OperandIsLate<false>>().found.has_value());
}

struct FailsInside {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) x.store(1, rlx);
    if (t == 1) Check(x.load(rlx) == 0, "it is never seen");
  }
  ModelSync::atomic<int> x{0};
};

TEST_CASE("a thread that fails ends, and the others go on") {
  const Explored explored = Explore<FailsInside>();
  CHECK(explored.executions == 2);
  REQUIRE(explored.found.has_value());
  CHECK(explored.found->label == "it is never seen");
}

template <Order kStore, Order kLoad>
struct Message {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) {
      data.set(3);
      ready.store(1, kStore);
    } else if (ready.load(kLoad) == 1) {
      got = data.get();
    }
  }
  void After() { Check(got == 0 || got == 3, "the message is whole"); }
  ModelSync::plain<int> data{0};
  ModelSync::atomic<int> ready{0};
  int got = 0;
};

TEST_CASE("plain data is passed on, or races") {
  const Explored kept = Explore<Message<rel, acq>>();
  CHECK(kept.executions == 2);
  CHECK_FALSE(kept.found.has_value());
  const Explored races = Explore<Message<rlx, acq>>();
  REQUIRE(races.found.has_value());
  CHECK(races.found->label == "data race");
}

// The calls' order in happens-before reaches After.
struct Ordered {
  static constexpr int kThreads = 2;
  struct Op {
    int thread;
  };
  void Thread(int t) {
    history.Record("step", [&] { return Op{t}; });
    if (t == 0) flag.store(1, rel);
    if (t == 1) seen = flag.load(acq);
    if (t == 1) history.Record("late", [&] { return Op{2}; });
  }
  void After() {
    std::size_t late = 0;
    std::size_t first = 0;
    for (std::size_t i = 0; i < history.size(); ++i) {
      if (history[i].op.thread == 2) late = i;
      if (history[i].op.thread == 0) first = i;
    }
    Check(history[first].Precedes(history[late]) == (seen == 1), "calls are ordered as is seen");
    Check(seen == 0 || first < late, "and stand in that order");
  }
  ModelSync::atomic<int> flag{0};
  History<Op> history;
  int seen = 0;
};

TEST_CASE("a history has the order of happens-before") {
  const Explored explored = Explore<Ordered>();
  CHECK(explored.executions == 2);
  INFO((explored.found ? explored.found->label : ""));
  CHECK_FALSE(explored.found.has_value());
}

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

// Thread 0 ends at its Check where it finds 1, and would have led to that by its store.
struct ChecksTooEarly {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) {
      Check(x.load(rlx) == 0, "it is never seen");
      y.store(1, rlx);
    } else if (y.load(rlx) == 1) {
      x.store(1, rlx);
    }
  }
  ModelSync::atomic<int> x{0}, y{0};
};

TEST_CASE("a promise that is checked before its thread's last write is kept up to there") {
  CHECK(Verdict(Explore<ChecksTooEarly>()) == "kept, up to a Check within a thread");
}

struct Allocates {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) ModelSync::Delete(ModelSync::New<int>(1));
  }
};
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

// Thread 1 follows a pointer that is there in every execution in which it is ready. Alone it finds
// the pointer of set-up, too.
template <Order kStore>
struct FollowsAPointer {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) {
      where.store(&target, rlx);
      ready.store(1, kStore);
    } else if (ready.load(acq) == 1) {
      *where.load(rlx) = 1;
    }
  }
  ModelSync::atomic<int*> where{nullptr};
  ModelSync::atomic<int> ready{0};
  int target = 0;
};

TEST_CASE("a fault in a run of no execution is no failure, and one in an execution is") {
  CHECK(Verdict(Explore<FollowsAPointer<rel>>()) == "kept");
  CHECK(Verdict(Explore<FollowsAPointer<rlx>>()) == "BROKEN: crash");
}

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

template <class S>
ScenarioEntry Named() {
  return Scenario<S>::Entry({.name = "s", .promise = ""});
}

TEST_CASE("the exit status is that of the worst scenario") {
  const ScenarioEntry kept = Named<Cell<rel, acq>>();
  const ScenarioEntry possible = Named<Cell<rlx, rlx>>();
  const ScenarioEntry found = Named<Torn>();
  const ScenarioEntry refused = Named<Allocates>();
  CHECK(PrintScenarios({kept}) == Status::kKept);
  CHECK(PrintScenarios({kept, refused}) == Status::kDoesNotFit);
  CHECK(PrintScenarios({possible, refused}) == Status::kPossible);
  CHECK(PrintScenarios({refused, found, possible}) == Status::kFound);
}

TEST_CASE("a mutant is killed by the failure that it declares, certain or possible") {
  const auto status = [](const ScenarioEntry& scenario, const char* failure) {
    return PrintScenarios({scenario}, {.expected_failure = failure});
  };
  CHECK(status(Named<Torn>(), "no count is lost") == Status::kKept);
  CHECK(status(Named<Cell<rlx, rlx>>(), "the reader finds the first value") == Status::kKept);
  CHECK(status(Named<Torn>(), "data race") == Status::kFound);
  CHECK(status(Named<Cell<rel, acq>>(), "the reader finds the first value") == Status::kFound);
}

TEST_CASE("limits are named with their numbers") {
  CHECK(Explore<Torn>({.runs = 2}).refused == "more than 2 runs of thread 0");
  CHECK(Explore<Torn>({.ways = 1}).refused == "more than 1 ways of its threads");
}

}  // namespace
}  // namespace nowait::model::buffering
