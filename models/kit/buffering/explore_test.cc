// Whole scenarios: verdicts, failures in threads and afterwards, races, histories, the exit status.
#include "models/kit/buffering/explore.h"

#include <catch2/catch.hpp>
#include <cstddef>
#include <string>

#include "models/kit/buffering/carried.h"
#include "models/kit/buffering/explore_scenario.h"
#include "models/kit/buffering/table.h"
#include "models/kit/scenario/history.h"

namespace nowait::model::buffering {
namespace {

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

}  // namespace
}  // namespace nowait::model::buffering
