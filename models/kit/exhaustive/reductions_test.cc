// The executions that each reduction saves, and a defect that no reduction leaves out. The counts
// are those of combinatorics, or a search without the reduction stands beside the one with it.
#include <catch2/catch.hpp>
#include <cstdint>

#include "models/kit/exhaustive/explore.h"

namespace nowait::model {
namespace {

using Order = std::memory_order;

template <class S>
Explored Passes(const Search& search) {
  const Explored explored = Explore<S>(search);
  INFO(Format(search) << ": " << explored.Words());
  CHECK(explored.complete);
  CHECK_FALSE(explored.failure);
  return explored;
}

// Interchangeable threads that count, kEach times: (kCount kEach)! / kEach!^kCount orders of the
// increments.
template <int kCount, int kEach>
struct Counting {
  static constexpr int kThreads = kCount;
  void Thread() {
    for (int i = 0; i < kEach; ++i) count.fetch_add(1, Order::relaxed);
  }
  void After() { Check(count.load(Order::relaxed) == kCount * kEach, "no increment is lost"); }
  ModelSync::atomic<int> count{0};
};

TEST_CASE("each way to name interchangeable threads is an execution, on request") {
  CHECK(Passes<Counting<3, 1>>(Graphs().EveryName()).executions == 6);
  CHECK(Passes<Counting<3, 1>>(Graphs()).executions == 1);
  CHECK(Passes<Counting<3, 2>>(Graphs().EveryName()).executions == 90);
  CHECK(Passes<Counting<3, 2>>(Graphs()).executions == 15);
  CHECK(Passes<Counting<4, 1>>(Graphs().EveryName()).executions == 24);
  CHECK(Passes<Counting<4, 1>>(Graphs()).executions == 1);
}

struct AsksForItsNumber : Counting<2, 1> {
  void Thread() {
    if (ModelSync::ThreadSlot() == 0) count.fetch_add(1, Order::relaxed);
  }
};

TEST_CASE("interchangeable threads may not ask for their number, whichever names are examined") {
  CHECK(Explore<AsksForItsNumber>(Graphs()).failure);
  CHECK(Explore<AsksForItsNumber>(Graphs().EveryName()).failure);
}

// A thread waits for a flag. A look that finds an earlier value is in vain, whether or not the
// thread that writes the flag has seen the store to `other`.
struct Waiting {
  static constexpr int kThreads = 3;
  static constexpr int kValues = 2;
  void Thread(int t) {
    if (t == 0) {
      other.store(1, Order::relaxed);
    } else if (t == 1) {
      for (int value = 1; value <= kValues; ++value) {
        other.load(Order::relaxed);
        flag.store(value, Order::relaxed);
      }
    } else {
      while (flag.load(Order::relaxed) != kValues) ModelSync::Yield();
    }
  }
  ModelSync::atomic<int> flag{0};
  ModelSync::atomic<int> other{0};
};

TEST_CASE("looks in vain end in a wait, and are made again only on request") {
  const Explored with = Passes<Waiting>(Graphs());
  const Explored without = Passes<Waiting>(Graphs().EveryLook());
  CHECK(with.executions == without.executions);
  CHECK(with.omitted.blocked < without.omitted.blocked);
}

struct Raising {
  static constexpr int kThreads = 3;
  void Thread(int t) {
    int found = x.load(Order::relaxed);
    while (found <= t && !x.compare_exchange_retry(found, t + 1, Order::relaxed, Order::relaxed)) {
    }
  }
  void After() { Check(x.load(Order::relaxed) == kThreads, "the largest number stays"); }
  ModelSync::atomic<int> x{0};
};

TEST_CASE("failing tries are executions only on request") {
  const Explored with = Passes<Raising>(Graphs());
  const Explored without = Passes<Raising>(Graphs().EveryTry());
  CHECK(with.executions < without.executions);
  CHECK(with.omitted.tries > 0);
  CHECK(without.omitted.tries == 0);
}

// A defect that only a waiting worker of three interchangeable ones can meet: two of them have
// taken a number by then.
struct Defective {
  static constexpr int kThreads = 3;
  void Thread() {
    int found = taken.load(Order::relaxed);
    while (!taken.compare_exchange_retry(found, found + 1, Order::relaxed, Order::relaxed)) {
    }
    if (found > 0) {
      while (done.load(Order::acquire) < found) ModelSync::Yield();
    }
    Check(found < 2, "a third number is never taken");
    done.fetch_add(1, Order::release);
  }
  ModelSync::atomic<int> taken{0};
  ModelSync::atomic<int> done{0};
};

TEST_CASE("no reduction leaves a defect out") {
  for (const Search& search : {Graphs(), Graphs().EveryTry(), Graphs().EveryName(),
                               Graphs().EveryLook(), Graphs().EveryTry().EveryName().EveryLook()}) {
    INFO(Format(search));
    const Explored explored = Explore<Defective>(search);
    REQUIRE(explored.failure);
    CHECK(explored.failure->words == "a third number is never taken");
  }
}

}  // namespace
}  // namespace nowait::model
