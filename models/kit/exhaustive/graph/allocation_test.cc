// The freed blocks that an allocation can get: each possibility occurs exactly once, and errors
// that depend on the choice are found.
#include "models/kit/exhaustive/graph/allocation.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/kit/exhaustive/explore.h"

namespace nowait::model {
namespace {

using Order = std::memory_order;

// A program: for each thread, in order, whether it allocates ('n') or frees its oldest block
// ('d').
using Program = std::vector<std::string>;
const Program* program = nullptr;

template <int kThreadCount>
struct Runs {
  static constexpr int kThreads = kThreadCount;
  void Thread(int t) {
    auto& blocks = had[static_cast<std::size_t>(t)];
    std::size_t made = 0;
    std::size_t freed = 0;
    for (const char step : (*program)[static_cast<std::size_t>(t)]) {
      if (step == 'n') {
        blocks[made++] = ModelSync::New<int>(0);
      } else {
        ModelSync::Delete(std::exchange(blocks[freed++], nullptr));
      }
    }
  }
  void After() {
    for (const auto& blocks : had) {
      for (int* block : blocks) ModelSync::Delete(block);
    }
  }
  std::array<std::array<int*, 4>, kThreadCount> had{};
};

std::uint64_t ByGraphs(const Program& steps) {
  program = &steps;
  const Explored explored = steps.size() == 2 ? Explore<Runs<2>>() : Explore<Runs<3>>();
  INFO(explored);
  CHECK(explored.passed());
  return explored.executions;
}

// The same number from the definition: each allocation takes a new block or that of a freeing, no
// two allocations take the same one, and no event precedes itself.
class BruteForce {
 public:
  explicit BruteForce(const Program& steps) {
    for (const std::string& thread : steps) {
      for (std::size_t i = 0; i < thread.size(); ++i) {
        if (i > 0) before_.push_back(static_cast<int>(kinds_.size()) - 1);
        if (i == 0) before_.push_back(kNothing);
        kinds_.push_back(thread[i]);
      }
    }
    source_.assign(kinds_.size(), kNothing);
  }

  std::uint64_t Count(std::size_t next = 0) {
    if (next == kinds_.size()) return IsAcyclic() ? 1 : 0;
    std::uint64_t count = Count(next + 1);
    if (kinds_[next] != 'n') return count;
    for (std::size_t i = 0; i < kinds_.size(); ++i) {
      const int freed = static_cast<int>(i);
      if (kinds_[i] != 'd' || IsTaken(freed)) continue;
      source_[next] = freed;
      count += Count(next + 1);
      source_[next] = kNothing;
    }
    return count;
  }

 private:
  static constexpr int kNothing = -1;

  bool IsTaken(int freed) const {
    for (const int source : source_) {
      if (source == freed) return true;
    }
    return false;
  }
  // Repeatedly removes an event that no other one precedes.
  bool IsAcyclic() const {
    std::vector<bool> gone(kinds_.size(), false);
    const auto is_gone = [&](int event) {
      return event == kNothing || gone[static_cast<std::size_t>(event)];
    };
    std::size_t left = kinds_.size();
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t i = 0; i < kinds_.size(); ++i) {
        if (gone[i] || !is_gone(before_[i]) || !is_gone(source_[i])) continue;
        gone[i] = true;
        moved = true;
        --left;
      }
    }
    return left == 0;
  }

  std::vector<char> kinds_;
  std::vector<int> before_;  // the preceding event of its thread
  std::vector<int> source_;  // of an allocation
};

TEST_CASE("by hand") {
  CHECK(ByGraphs({"nd", ""}) == 1);
  CHECK(ByGraphs({"ndn", ""}) == 2);
  CHECK(ByGraphs({"nd", "n"}) == 2);
  CHECK(ByGraphs({"nd", "nd"}) == 3);
  CHECK(ByGraphs({"nd", "n", "n"}) == 3);
}

// All sequences of this many steps in which a thread frees only blocks that it has.
std::vector<std::string> ThreadsOf(std::size_t steps) {
  std::vector<std::string> threads = {""};
  for (std::size_t i = 0; i < steps; ++i) {
    std::vector<std::string> longer;
    for (const std::string& thread : threads) {
      longer.push_back(thread + "n");
      if (2 * std::ranges::count(thread, 'n') > static_cast<std::ptrdiff_t>(thread.size())) {
        longer.push_back(thread + "d");
      }
    }
    threads = longer;
  }
  return threads;
}

TEST_CASE("every assignment of freed blocks to allocations, each once") {
  for (const std::string& a : ThreadsOf(4)) {
    for (const std::string& b : ThreadsOf(4)) {
      const Program two = {a, b};
      INFO(a << " | " << b);
      CHECK(ByGraphs(two) == BruteForce(two).Count());
    }
  }
  for (const std::string& a : ThreadsOf(2)) {
    for (const std::string& b : ThreadsOf(3)) {
      for (const std::string& c : ThreadsOf(3)) {
        const Program three = {a, b, c};
        INFO(a << " | " << b << " | " << c);
        CHECK(ByGraphs(three) == BruteForce(three).Count());
      }
    }
  }
}

// Treiber's stack (IBM RJ 5118, 1986) with New and Delete. The thread that pops a node deletes it
// once no thread is reading nodes. With kThroughExchange, a thread counts as reading until it has
// exchanged the top; otherwise only until it has read the new top.
template <bool kThroughExchange>
class Stack {
 public:
  struct Node {
    explicit Node(int number) : value(number) {}
    ModelSync::plain<int> value;
    ModelSync::plain<Node*> below{nullptr};
  };

  ~Stack() {
    while (Node* node = top_.load(Order::relaxed)) {
      top_.store(node->below.get(), Order::relaxed);
      ModelSync::Delete(node);
    }
    for (Node* node : kept_) ModelSync::Delete(node);
  }

  void Push(int value) {
    Node* node = ModelSync::New<Node>(value);
    Node* top = top_.load(Order::relaxed);
    do {
      node->below.set(top);
    } while (!top_.compare_exchange_strong(top, node, Order::release, Order::relaxed));
  }

  // One attempt. Returns 0 if the stack is empty or another thread was faster.
  int Pop(int thread) {
    readers_.fetch_add(1, Order::acq_rel);
    Node* top = top_.load(Order::acquire);
    Node* below = top != nullptr ? top->below.get() : nullptr;
    const int value = top != nullptr ? top->value.get() : 0;
    if (!kThroughExchange) readers_.fetch_sub(1, Order::acq_rel);
    const bool taken =
        top != nullptr && top_.compare_exchange_strong(top, below, Order::acq_rel, Order::relaxed);
    const int others = kThroughExchange ? readers_.fetch_sub(1, Order::acq_rel) - 1
                                        : readers_.fetch_add(0, Order::acq_rel);
    if (!taken) return 0;
    if (others == 0) {
      ModelSync::Delete(top);
    } else {
      Keep(thread, top);
    }
    return value;
  }

 private:
  void Keep(int thread, Node* node) {
    for (std::size_t i = 2 * static_cast<std::size_t>(thread);; ++i) {
      if (kept_[i] != nullptr) continue;
      kept_[i] = node;
      return;
    }
  }

  ModelSync::atomic<Node*> top_{nullptr};
  ModelSync::atomic<int> readers_{0};
  std::array<Node*, 6> kept_{};  // until the end; two entries per thread
};

// Thread 0 pops a node. Meanwhile thread 1 pops two, and thread kPusher pushes one.
template <bool kThroughExchange, int kPusher>
struct StackOfTwo {
  static constexpr int kThreads = kPusher + 1;
  StackOfTwo() {
    stack.Push(1);
    stack.Push(2);
  }
  void Thread(int t) {
    if (t == 0) taken[0] = stack.Pop(0);
    if (t == 1) {
      taken[1] = stack.Pop(1);
      taken[2] = stack.Pop(1);
    }
    if (t == kPusher) stack.Push(3);
  }
  void After() {
    for (std::size_t i = 3; i < taken.size(); ++i) taken[i] = stack.Pop(0);
    for (const int value : {1, 2, 3}) {
      Check(std::ranges::count(taken, value) == 1, "each node put on is taken off once");
    }
  }
  Stack<kThroughExchange> stack;
  std::array<int, 7> taken{};
};

TEST_CASE("ABA: a node in an old place") {
  SECTION("the thread that freed the place has it again") {
    const Explored explored = Explore<StackOfTwo<false, 1>>();
    INFO(explored);
    CHECK(explored.failure);
  }
  SECTION("another thread has it") {
    const Explored explored = Explore<StackOfTwo<false, 2>>();
    INFO(explored);
    CHECK(explored.failure);
  }
}

TEST_CASE("no ABA where a place is kept until it is not compared any more") {
  const Explored own = Explore<StackOfTwo<true, 1>>();
  INFO(own);
  CHECK(own.passed());
  const Explored other = Explore<StackOfTwo<true, 2>>();
  INFO(other);
  CHECK(other.passed());
}

// A thread that gets a block freed by another thread knows that thread's earlier steps.
struct ToldByThePlace {
  static constexpr int kThreads = 2;
  ToldByThePlace() : number(ModelSync::New<int>(0)) {}
  void Thread(int t) {
    if (t == 0) {
      written.set(1);
      ModelSync::Delete(number);
    } else {
      int* const mine = ModelSync::New<int>(0);
      if (mine == number)
        Check(written.get() == 1, "the writes before the end of the block are seen");
      ModelSync::Delete(mine);
    }
  }
  int* number;
  ModelSync::plain<int> written{0};
};

TEST_CASE("the end of a block happens before its next allocation") {
  const Explored explored = Explore<ToldByThePlace>();
  INFO(explored);
  CHECK(explored.passed());
  CHECK(explored.executions == 2);
}

struct FreedByBoth {
  static constexpr int kThreads = 2;
  FreedByBoth() : number(ModelSync::New<int>(0)) {}
  void Thread(int) { ModelSync::Delete(number); }
  int* number;
};

TEST_CASE("a block that two threads free") {
  const Explored explored = Explore<FreedByBoth>();
  REQUIRE(explored.failure);
  CHECK(explored.failure->kind == FailureKind::kDoubleFree);
}

// A round in vain makes an object and drops it again, before or after its look.
template <bool kKeeps, bool kIsTold>
struct AllocatesWhileItWaits {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 1) return kIsTold ? ready.store(true, Order::release) : void();
    int* kept = nullptr;
    for (;;) {
      if (!kKeeps) kept = ModelSync::New<int>(0);
      const bool done = ready.load(Order::acquire);
      if (kKeeps) kept = ModelSync::New<int>(0);
      if (!kKeeps) ModelSync::Delete(kept);
      if (!done) ModelSync::Yield();
      if (kKeeps) ModelSync::Delete(kept);
      if (done) return;
    }
  }
  ModelSync::atomic<bool> ready{false};
};

TEST_CASE("a loop that waits may allocate") {
  const Explored drops = Explore<AllocatesWhileItWaits<false, true>>();
  INFO(drops);
  CHECK((drops.passed() && drops.executions > 0));
  const Explored keeps = Explore<AllocatesWhileItWaits<true, true>>();
  INFO(keeps);
  CHECK((keeps.passed() && keeps.executions > 0));
}

TEST_CASE("and is reported when it waits in vain") {
  for (const Explored& explored : {Explore<AllocatesWhileItWaits<false, false>>(),
                                   Explore<AllocatesWhileItWaits<true, false>>()}) {
    REQUIRE(explored.failure);
    CHECK(explored.failure->kind == FailureKind::kLivelock);
  }
}

// S does not have to respect the order in which two different blocks are freed.
struct FreesBesideFences {
  static constexpr int kThreads = 2;
  FreesBesideFences() : blocks{ModelSync::New<int>(0), ModelSync::New<int>(0)} {}
  void Thread(int t) {
    if (t == 0) {
      x.store(1, Order::relaxed);
      Fence(Order::seq_cst);
      ModelSync::Delete(blocks[0]);
    } else {
      ModelSync::Delete(blocks[1]);
      Fence(Order::seq_cst);
      x.load(Order::relaxed);
    }
  }
  ModelSync::atomic<int> x{0};
  std::array<int*, 2> blocks;
};

TEST_CASE("blocks have no modification order") {
  const Explored explored = Explore<FreesBesideFences>();
  INFO(explored);
  CHECK(explored.passed());
  CHECK(explored.executions == 2);
}

}  // namespace
}  // namespace nowait::model
