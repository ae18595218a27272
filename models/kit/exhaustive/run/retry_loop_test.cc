// Loops of compare_exchange_retry: their failing tries are left out only where another execution
// stands for them.
#include <catch2/catch.hpp>

#include "models/kit/exhaustive/explore.h"
#include "models/kit/exhaustive/run/loop_probe.h"
#include "models/kit/scenario/history.h"

namespace nowait::model {
namespace {

using Order = std::memory_order;

void IsNotFinished(const Explored& explored, const char* why) {
  INFO(explored.Words());
  REQUIRE(explored.failure);
  CHECK_FALSE(explored.passed());
  CHECK(explored.failure->kind == FailureKind::kNotFinished);
  CHECK_THAT(explored.failure->words, Catch::Contains(why));
  CHECK_THAT(Format(explored.failure->site), Catch::Contains("retry_loop_test.cc"));
}

constexpr char kNotRepeated[] = "a failed try is not repeated";

struct Counter {
  static constexpr int kThreads = 2;

  bool Raise(int& found) {
    return x.compare_exchange_retry(found, found + 1, Order::relaxed, Order::relaxed);
  }

  ModelSync::atomic<int> x{0};
  ModelSync::atomic<int> other{0};
};

// Each thread tries a few times, and then does something else.
template <class Slow, int kTries>
struct GivesUp : Counter {
  void Thread(int) {
    int found = x.load(Order::relaxed);
    for (int i = 0; i < kTries; ++i) {
      if (Raise(found)) return;
    }
    Slow()(*this);
  }
};

struct Fails {
  void operator()(Counter&) const { Check(false, "the slow path is reached"); }
};
struct Returns {
  void operator()(Counter&) const {}
};
struct LooksElsewhere {
  void operator()(Counter& counter) const { counter.other.load(Order::relaxed); }
};
struct Adds {
  void operator()(Counter& counter) const { counter.x.fetch_add(1, Order::relaxed); }
};

TEST_CASE("A loop that gives up trying is not finished, whatever it does then") {
  IsNotFinished(Explore<GivesUp<Fails, 1>>(), kNotRepeated);
  IsNotFinished(Explore<GivesUp<Fails, 3>>(), kNotRepeated);
  IsNotFinished(Explore<GivesUp<Returns, 3>>(), kNotRepeated);
  IsNotFinished(Explore<GivesUp<LooksElsewhere, 3>>(), kNotRepeated);
  IsNotFinished(Explore<GivesUp<Adds, 3>>(), kNotRepeated);
  IsNotFinished(Explore<GivesUp<Returns, LoopProbe::kLong>>(), kNotRepeated);
}

TEST_CASE("With every try the loop that gives up is examined") {
  const Explored explored = Explore<GivesUp<Fails, 1>>(Graphs().EveryTry());
  REQUIRE(explored.failure);
  CHECK(explored.failure->words == "the slow path is reached");
}

constexpr int kEnough = 10 * LoopProbe::kShort;  // rounds that a short probe does not reach

// The two loops share their place.
TEST_CASE("A loop that gives up is found beside one at the same place that does not") {
  struct Both : Counter {
    void Raise(int tries) {
      int found = x.load(Order::relaxed);
      for (int i = 0; tries == 0 || i < tries; ++i) {
        if (Counter::Raise(found)) return;
      }
      Check(false, "the slow path is reached");
    }
    void Thread(int t) { Raise(t == 0 ? 0 : kEnough); }
  };
  IsNotFinished(Explore<Both>(), kNotRepeated);
}

void Passes(const Explored& explored) {
  INFO(explored.Words());
  CHECK(explored.passed());
  CHECK(explored.omitted.tries > 0);
}

TEST_CASE("A loop that begins again passes, wherever it begins") {
  struct AtTheTry : Counter {
    void Thread(int) {
      int found = x.load(Order::relaxed);
      other.load(Order::relaxed);
      while (!Raise(found)) {
      }
    }
  };
  struct AtTheLook : Counter {
    void Thread(int) {
      for (;;) {
        int found = x.load(Order::relaxed);
        if (Raise(found)) return;
      }
    }
  };
  struct Between : Counter {
    void Thread(int) {
      int found = x.load(Order::relaxed);
      do other.load(Order::relaxed);
      while (!Raise(found));
    }
  };
  struct Yielding : Counter {
    void Thread(int) {
      int found = x.load(Order::relaxed);
      while (!Raise(found)) ModelSync::Yield();
    }
  };
  Passes(Explore<AtTheTry>());
  Passes(Explore<AtTheLook>());
  Passes(Explore<Between>());
  Passes(Explore<Yielding>());
}

TEST_CASE("A loop that begins again passes, with all that its tries may do") {
  struct Writing : Counter {
    void Thread(int t) {
      int found = x.load(Order::relaxed);
      do own[t].set(own[t].get() + 1);
      while (!Raise(found));
    }
    ModelSync::plain<int> own[2]{ModelSync::plain<int>(0), ModelSync::plain<int>(0)};
  };
  struct Recording : Counter {
    void Thread(int) {
      int found = x.load(Order::relaxed);
      while (!history.Record("Raise", [&] { return Raise(found); })) {
      }
    }
    History<bool> history;
  };
  Passes(Explore<Writing>());
  Passes(Explore<Recording>());
}

// Each try announces itself.
template <bool kIsRead>
struct Announces : Counter {
  void Thread(int t) {
    int found = x.load(Order::relaxed);
    do announced[t].store(found + 1, Order::relaxed);
    while (!Raise(found));
    if (kIsRead) announced[1 - t].load(Order::relaxed);
  }
  ModelSync::atomic<int> announced[2]{ModelSync::atomic<int>(0), ModelSync::atomic<int>(0)};
};

// Each try has a block of its own, which the other thread may get after it.
struct Allocates : Counter {
  void Thread(int t) {
    int found = x.load(Order::relaxed);
    do ModelSync::Delete(ModelSync::New<int>(t));
    while (!Raise(found));
  }
};

TEST_CASE("What a failing try has written or freed may not be used by another thread") {
  constexpr char kUsed[] = "has written before a try that fails";
  IsNotFinished(Explore<Announces<true>>(), kUsed);
  Passes(Explore<Announces<false>>());
  const Explored allocates = Explore<Allocates>();
  REQUIRE(allocates.failure);
  CHECK_THAT(allocates.failure->words, Catch::Contains(kUsed));
}

}  // namespace
}  // namespace nowait::model
