// Loops that spin for some rounds and then give up: their remaining rounds are not silently left
// out.
#include <catch2/catch.hpp>

#include "models/kit/exhaustive/explore.h"
#include "models/kit/exhaustive/run/loop_probe.h"
#include "models/kit/scenario/history.h"

namespace nowait::model {
namespace {

using Order = std::memory_order;

void IsNotFinished(const Explored& explored) {
  INFO(explored.Words());
  REQUIRE(explored.failure);
  CHECK_FALSE(explored.passed());
  CHECK(explored.failure->kind == FailureKind::kNotFinished);
  CHECK_THAT(explored.failure->words, Catch::Contains("a loop gives up waiting"));
  CHECK_THAT(Format(explored.failure->site), Catch::Contains("bounded_loop_test.cc"));
}

struct Flag {
  static constexpr int kThreads = 2;
  ModelSync::atomic<bool> ready{false};
  ModelSync::atomic<int> other{0};
};

// In each, thread 1 waits and thread 0 sets the flag.
template <class Slow, int kRounds = 3>
struct GivesUp : Flag {
  void Thread(int t) {
    if (t == 0) return ready.store(true, Order::release);
    for (int i = 0; i < kRounds; ++i) {
      if (ready.load(Order::acquire)) return;
      ModelSync::Yield();
    }
    Slow()(*this);
  }
};

TEST_CASE("A loop that gives up is not finished, whatever it does then") {
  struct Fails {
    void operator()(Flag&) const { Check(false, "the slow path is reached"); }
  };
  struct Returns {
    void operator()(Flag&) const {}
  };
  struct Continues {
    void operator()(Flag& flag) const { flag.other.store(1, Order::relaxed); }
  };
  struct ReadsAgain {
    void operator()(Flag& flag) const { flag.ready.load(Order::relaxed); }
  };
  struct Waits {
    void operator()(Flag& flag) const { flag.ready.wait(false, Order::acquire); }
  };
  struct YieldsElsewhere {
    void operator()(Flag& flag) const {
      while (!flag.ready.load(Order::acquire)) ModelSync::Yield();
    }
  };
  IsNotFinished(Explore<GivesUp<Fails>>());
  IsNotFinished(Explore<GivesUp<Returns>>());
  IsNotFinished(Explore<GivesUp<Continues>>());
  IsNotFinished(Explore<GivesUp<ReadsAgain>>());
  IsNotFinished(Explore<GivesUp<Waits>>());
  IsNotFinished(Explore<GivesUp<YieldsElsewhere>>());
  IsNotFinished(Explore<GivesUp<Returns, LoopProbe::kLong>>());
}

TEST_CASE("Where a loop gives up among others that wait, every process finds it") {
  struct Both : Flag {
    void Thread(int t) {
      if (t == 0) return ready.store(true, Order::release);
      while (!ready.load(Order::acquire)) ModelSync::Yield();
      for (int i = 0; i < 5; ++i) {
        if (other.load(Order::acquire) != 0) return;
        ModelSync::Yield();
      }
    }
  };
  IsNotFinished(Explore<Both>());
}

constexpr int kEnough = 10 * LoopProbe::kShort;  // rounds that a short probe does not reach

// Loops that share their place, for ever or for some rounds.
struct Waiting : Flag {
  void Wait(int rounds) {
    for (int i = 0; rounds == 0 || i < rounds; ++i) {
      if (ready.load(Order::acquire)) return;
      ModelSync::Yield();
    }
    Check(false, "the slow path is reached");
  }
};
struct OtherThread : Waiting {
  static constexpr int kThreads = 3;
  void Thread(int t) {
    if (t == 0) return ready.store(true, Order::release);
    Wait(t == 1 ? 0 : kEnough);
  }
};
struct SameThread : Waiting {
  void Thread(int t) {
    if (t == 0) {
      ready.store(true, Order::release);
      ready.store(false, Order::release);
      return ready.store(true, Order::release);
    }
    Wait(0);
    Wait(kEnough);
  }
};

TEST_CASE("A loop that gives up is found beside one at the same place that does not") {
  IsNotFinished(Explore<OtherThread>());
  IsNotFinished(Explore<SameThread>());
}

// The message recommends this form.
TEST_CASE("A loop that gives up when a choice says so is examined") {
  struct Chooses : Flag {
    void Thread(int t) {
      if (t == 0) return ready.store(true, Order::release);
      while (CurrentMachine()->Choose(2) == 0) {
        if (ready.load(Order::acquire)) return;
        ModelSync::Yield();
      }
      gave_up.store(true, Order::relaxed);
    }
    void After() { Check(!gave_up.load(Order::relaxed), "the slow path is reached"); }
    ModelSync::atomic<bool> gave_up{false};
  };
  const Explored explored = Explore<Chooses>();
  REQUIRE(explored.failure);
  CHECK(explored.failure->words == "the slow path is reached");
}

TEST_CASE("A loop that waits for ever passes, with all that its rounds may do") {
  struct Waits : Flag {
    void Thread(int t) {
      if (t == 0) {
        mine.set(1);
        return ready.store(true, Order::release);
      }
      for (;;) {
        int* const tried = ModelSync::New<int>(1);
        bool expected = true;
        const bool taken =
            ready.compare_exchange_strong(expected, true, Order::acquire, Order::relaxed);
        ModelSync::Delete(tried);
        own.set(own.get() + 1);
        ready.notify_one();
        if (taken) break;
        ModelSync::Yield();
      }
      Check(mine.get() == 1, "the flag publishes");
    }
    ModelSync::plain<int> own{0};
    ModelSync::plain<int> mine{0};
  };
  const Explored explored = Explore<Waits>();
  INFO(explored.Words());
  CHECK(explored.passed());
}

// A probe fills the history, in which the other thread still has calls to record.
TEST_CASE("A probe leaves nothing behind in the program's memory") {
  struct BothRecord : Flag {
    void Thread(int t) {
      const auto look = [&] {
        return history.Record("Look", [&] { return ready.load(Order::acquire); });
      };
      if (t == 1) {
        while (!look()) ModelSync::Yield();
        return;
      }
      other.load(Order::relaxed);
      ModelSync::Yield();
      look();
      ready.store(true, Order::release);
      look();
    }
    History<bool> history;
  };
  const Explored explored = Explore<BothRecord>();
  INFO(explored.Words());
  CHECK(explored.passed());
}

// A history has room for 64 calls, and a probe makes more.
TEST_CASE("A loop that records its tries passes") {
  struct Looks : Flag {
    void Thread(int t) {
      if (t == 0) return ready.store(true, Order::release);
      const auto look = [&] {
        return history.Record("Look", [&] { return ready.load(Order::acquire); });
      };
      while (!look()) ModelSync::Yield();
    }
    History<bool> history;
  };
  const Explored explored = Explore<Looks>();
  INFO(explored.Words());
  CHECK(explored.passed());
}

}  // namespace
}  // namespace nowait::model
