// Scenarios that cannot be checked in their form get a separate verdict with the place, and no
// PASS.
#include <array>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>

#include "models/kit/exhaustive/explore.h"

namespace nowait::model {
namespace {

using Order = std::memory_order;

// A scenario must not have data that carry over from one execution to the next.
int executions = 0;

template <class S>
Explored ExploreAnew() {
  executions = 0;
  return Explore<S>();
}

struct Cells {
  static constexpr int kThreads = 2;
  ModelSync::atomic<int> x{0};
  ModelSync::atomic<int> y{0};
};

template <int kAfter>
struct DoesLess : Cells {
  void After() { ++executions; }
  void Thread(int t) {
    x.store(t, Order::relaxed);
    if (executions < kAfter) y.load(Order::relaxed);
  }
};

// The loop's failing tries cannot be left out: it does not continue with the value that it found.
struct ExpectsAnother : Cells {
  void Thread(int t) {
    int found = x.load(Order::relaxed);
    ++found;
    x.compare_exchange_retry(found, t, Order::relaxed, Order::relaxed);
  }
};

TEST_CASE("a try that would be repeated and expects what its thread has not found") {
  const Explored explored = Explore<ExpectsAnother>();
  REQUIRE(explored.failure);
  CHECK(explored.failure->kind == FailureKind::kNotFinished);
  CHECK_THAT(explored.Words(), Catch::Contains("expects another value than its thread has found"));
  CHECK_THAT(Format(explored.failure->site), Catch::Contains("refused_test.cc"));
  CHECK_FALSE(explored.passed());
}

// A counter that each thread raises until it is 2, with failing tries and without.
struct RaisesTo2 : Cells {
  void Thread(int) {
    int found = x.load(Order::relaxed);
    while (found < 2 &&
           !x.compare_exchange_retry(found, found + 1, Order::relaxed, Order::relaxed)) {
    }
  }
  void After() { Check(x.load(Order::relaxed) == 2, "both raise it"); }
};

TEST_CASE("failing tries are left out of a search, and examined on request") {
  const Explored without = Explore<RaisesTo2>();
  const Explored with = Explore<RaisesTo2>(Graphs().EveryTry());
  CHECK(without.passed());
  CHECK(without.executions == 2);
  // Every try may fail spuriously, and each thread has one spurious failure.
  CHECK(with.passed({Gap::kSecondSpuriousFailure}));
  CHECK(with.executions > 2);
}

TEST_CASE("a thread that does less when it is run again") {
  const Explored explored = ExploreAnew<DoesLess<1>>();
  REQUIRE(explored.failure);
  CHECK(explored.failure->kind == FailureKind::kNondeterminism);
  CHECK_THAT(Format(explored.failure->site), Catch::Contains("refused_test.cc"));
  CHECK_FALSE(explored.passed());
}

// The scenario differs only when its first graph is run again, not in any first run of a graph.
struct DoesMoreInTheEnd {
  static constexpr int kThreads = 2;
  void After() { ++executions; }
  void Thread(int t) {
    (t == 0 ? x : y).store(1, Order::relaxed);
    if (executions == 1) x.load(Order::relaxed);
  }
  ModelSync::atomic<int> x{0};
  ModelSync::atomic<int> y{0};
};

TEST_CASE("a thread that does more when it is run again") {
  const Explored explored = ExploreAnew<DoesMoreInTheEnd>();
  REQUIRE(explored.failure);
  CHECK(explored.failure->kind == FailureKind::kNondeterminism);
  CHECK_THAT(explored.failure->words, Catch::Contains("does more"));
  CHECK_THAT(Format(explored.failure->site), Catch::Contains("refused_test.cc"));
  CHECK_FALSE(explored.passed());
}

struct DoesAnother : Cells {
  void After() { ++executions; }
  void Thread(int t) {
    x.store(t, Order::relaxed);
    if (executions == 0) {
      y.load(Order::relaxed);
    } else {
      x.load(Order::relaxed);
    }
  }
};

TEST_CASE("a thread that looks elsewhere when it is run again") {
  const Explored explored = ExploreAnew<DoesAnother>();
  REQUIRE(explored.failure);
  CHECK(explored.failure->kind == FailureKind::kNondeterminism);
  CHECK_THAT(Format(explored.failure->site), Catch::Contains("refused_test.cc"));
}

struct WritesAnother : Cells {
  void After() { ++executions; }
  void Thread(int) {
    x.store(executions, Order::relaxed);
    x.load(Order::relaxed);
  }
};

TEST_CASE("a thread that writes something else when it is run again") {
  const Explored explored = ExploreAnew<WritesAnother>();
  REQUIRE(explored.failure);
  CHECK(explored.failure->kind == FailureKind::kNondeterminism);
}

// Executions are run again and again, so the time differs, even if there is only one
// execution.
template <bool kManyExecutions>
struct AsksTheTime : Cells {
  using Clock = std::chrono::steady_clock;
  void Thread(int t) {
    const auto now = Clock::now();
    if (!began) began = now;
    (now == *began ? x : y).store(t, Order::relaxed);
    if (kManyExecutions) x.fetch_add(1, Order::relaxed);
  }
  static inline std::optional<Clock::time_point> began;
};

TEMPLATE_TEST_CASE("a thread whose steps depend on the time", "", AsksTheTime<false>,
                   AsksTheTime<true>) {
  TestType::began.reset();
  const Explored explored = ExploreAnew<TestType>();
  REQUIRE(explored.failure);
  CHECK(explored.failure->kind == FailureKind::kNondeterminism);
  CHECK_THAT(Format(explored.failure->site), Catch::Contains("refused_test.cc"));
  CHECK_FALSE(explored.passed());
}

// Memory from elsewhere. No block is given back, so no block is used twice.
struct AddressIsKey : Cells {
  void Thread(int t) {
    void*& block = blocks.at(count++);
    block = std::malloc(1);
    (block == blocks.front() ? x : y).store(t, Order::relaxed);
  }
  static inline std::array<void*, 16> blocks{};
  static inline std::size_t count = 0;
};

TEST_CASE("a thread that decides by the address of foreign memory") {
  const Explored explored = ExploreAnew<AddressIsKey>();
  for (void* block : AddressIsKey::blocks) std::free(block);
  REQUIRE(explored.failure);
  CHECK(explored.failure->kind == FailureKind::kNondeterminism);
  CHECK_THAT(Format(explored.failure->site), Catch::Contains("refused_test.cc"));
  CHECK_FALSE(explored.passed());
}

TEST_CASE("addresses of a scenario's allocations are the same each time") {
  struct OwnAddressIsKey : Cells {
    void Thread(int) {
      const auto own = std::make_unique<int>(0);
      const auto key = std::hash<int*>()(own.get());
      (key / alignof(std::max_align_t) % 2 == 0 ? x : y).fetch_add(1, Order::relaxed);
    }
  };
  CHECK(Explore<OwnAddressIsKey>().passed());
}

TEST_CASE("threads that are written alike and ask for their numbers") {
  struct WritesItsSlot : Cells {
    void Thread() { y.store(static_cast<int>(ModelSync::ThreadSlot()), Order::relaxed); }
  };
  const Explored writes = Explore<WritesItsSlot>();
  REQUIRE(writes.failure);
  CHECK(writes.failure->kind == FailureKind::kNondeterminism);
  CHECK_THAT(writes.failure->words, Catch::Contains("asks which one it is"));
  CHECK_THAT(Format(writes.failure->site), Catch::Contains("refused_test.cc"));

  struct LooksElsewhere : Cells {
    void Thread() {
      x.exchange(1, Order::relaxed);
      (ModelSync::ThreadSlot() == 0 ? x : y).load(Order::relaxed);
    }
  };
  const Explored looks = Explore<LooksElsewhere>();
  REQUIRE(looks.failure);
  CHECK(looks.failure->kind == FailureKind::kNondeterminism);
}

TEST_CASE("threads that are alike are distinguished by their choices") {
  struct ChooseAndAdd : Cells {
    void Thread() {
      CurrentMachine()->Choose(2);
      x.fetch_add(1, Order::relaxed);
    }
  };
  // Both threads choose 0, or both 1; or one chooses 0 and the other 1, and adds before or after
  // it.
  const Explored explored = Explore<ChooseAndAdd>();
  CHECK(explored.passed());
  CHECK(explored.executions == 4);
}

TEST_CASE("threads that are alike may own the objects that they make") {
  struct PushesItsOwn : Cells {
    struct Node {
      ModelSync::atomic<Node*> next{nullptr};
    };
    void Thread() {
      Node* node = ModelSync::New<Node>();
      Node* top = head.load(Order::relaxed);
      do {
        node->next.store(top, Order::relaxed);
      } while (!head.compare_exchange_strong(top, node, Order::release, Order::relaxed));
    }
    void After() {
      for (Node* node = head.load(Order::relaxed); node != nullptr;) {
        Node* const next = node->next.load(Order::relaxed);
        ModelSync::Delete(node);
        node = next;
      }
    }
    ModelSync::atomic<Node*> head{nullptr};
  };
  const Explored explored = Explore<PushesItsOwn>();
  INFO(explored.Words());
  CHECK(explored.passed());
}

struct SpinsWithoutYield : Cells {
  void Thread(int t) {
    if (t == 1) return x.store(1, Order::relaxed);
    while (x.load(Order::relaxed) == 0) {
    }
  }
};

TEST_CASE("a loop that waits and never yields is not finished") {
  const Explored explored = Explore<SpinsWithoutYield>();
  REQUIRE(explored.failure);
  CHECK(explored.failure->kind == FailureKind::kNotFinished);
  CHECK_THAT(Format(explored.failure->site), Catch::Contains("refused_test.cc"));
  CHECK_FALSE(explored.passed());
}

struct YieldsForEver : Cells {
  void Thread(int) {
    for (;;) ModelSync::Yield();
  }
};

TEST_CASE("nor is one that yields and does nothing else") {
  const Explored explored = Explore<YieldsForEver>();
  REQUIRE(explored.failure);
  CHECK(explored.failure->kind == FailureKind::kNotFinished);
}

// Each try writes the value that is already there, so no try is the newest for long.
struct SpinByExchange : Cells {
  void Thread(int t) {
    if (t == 0) x.store(1, Order::seq_cst);
    while (x.exchange(1, Order::seq_cst) == 1) ModelSync::Yield();
  }
};

TEST_CASE("two threads that try in vain and write all the while are a livelock") {
  const Explored explored = Explore<SpinByExchange>();
  REQUIRE(explored.failure);
  CHECK(explored.failure->kind == FailureKind::kLivelock);
}

// Each thread reverts the value that the other one waits for, and every round is a new execution.
struct ChangeBack : Cells {
  void Thread(int t) {
    while (x.exchange(t, Order::relaxed) == 1 - t) ModelSync::Yield();
  }
};

TEST_CASE("two threads that change something back for ever are not finished") {
  const Explored explored = Explore<ChangeBack>();
  REQUIRE(explored.failure);
  CHECK(explored.failure->kind == FailureKind::kNotFinished);
  CHECK_THAT(Format(explored.failure->site), Catch::Contains("refused_test.cc"));
}

template <class Number>
struct CountsItself : Cells {
  void Thread(int) { x.fetch_add(++Of(), Order::relaxed); }
  static int& Of() {
    thread_local Number number;
    return number.value;
  }
};

TEST_CASE("a thread_local object is refused in words") {
  struct Zero {
    int value = 0;
  };
  // Its constructor runs when the first thread reaches it.
  struct Made {
    Made() : value(CurrentMachine()->Thread()) {}
    int value;
  };
  for (const Explored& explored : {Explore<CountsItself<Zero>>(), Explore<CountsItself<Made>>()}) {
    INFO(explored.Words());
    REQUIRE(explored.failure);
    CHECK(explored.failure->kind == FailureKind::kNondeterminism);
    CHECK_THAT(explored.failure->words, Catch::Contains("a thread_local object has changed"));
  }
}

struct Adding : Cells {
  void Thread(int) {
    for (int i = 0; i < 3; ++i) x.fetch_add(1, Order::relaxed);
  }
};

TEST_CASE("a limit that is reached is not a pass") {
  CHECK(Explore<Adding>().passed());
  const Explored limited = Explore<Adding>(Graphs().AtMost(5));
  CHECK(limited.executions == 5);
  CHECK_FALSE(limited.failure);
  CHECK_FALSE(limited.passed());
  CHECK_THAT(limited.Words(), Catch::Contains("not finished"));
}

}  // namespace
}  // namespace nowait::model
