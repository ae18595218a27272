// Threads with the same observations are treated as equal, so everything that distinguishes them
// must be observed.
#include "models/kit/exhaustive/graph/observations.h"

#include <catch2/catch.hpp>

#include "models/kit/exhaustive/explore.h"

namespace nowait::model {
namespace {

using Order = std::memory_order;

// A datum that threads share without declaring it.
template <class T>
struct Undeclared {
  T get() const { return value; }
  void set(T to) { value = to; }
  T value{};
};

// Thread 0 reads data that the mutex orders. Unless it finds `idle`, it waits for y and may look at
// y in vain twice. If it does find `idle`, it looks twice as well: the same values in the same
// order.
template <class Datum>
struct LooksTwice {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 1) {
      mutex.lock();
      idle.set(true);
      mutex.unlock();
      y.store(1, Order::relaxed);
    } else if (!IsIdle()) {
      while (y.load(Order::relaxed) == 0) ModelSync::Yield();
    } else {
      ModelSync::Yield();
      const int first = y.load(Order::relaxed);
      const int second = y.load(Order::relaxed);
      Check(first != 0 || second != 0, "one of two looks finds y");
    }
  }
  bool IsIdle() {
    mutex.lock();
    const bool is = idle.get();
    mutex.unlock();
    return is;
  }

  ModelSync::mutex mutex;
  Datum idle;
  ModelSync::atomic<int> y{0};
};

TEST_CASE("A thread observes the past of the thread with which it synchronises") {
  const Explored undeclared = Explore<LooksTwice<Undeclared<bool>>>();
  REQUIRE(undeclared.failure);
  CHECK(undeclared.failure->words == "one of two looks finds y");
  const Explored declared = Explore<LooksTwice<ModelSync::plain<bool>>>();
  REQUIRE(declared.failure);
  CHECK(declared.failure->words == "one of two looks finds y");
}

// The queue of an MCS lock: a thread compares the value that it reads with its own address.
// `mine` is on its stack; the structure never follows a pointer to it.
struct OwnAddresses {
  static constexpr int kThreads = 3;
  void Run() {
    int mine = 0;
    if (tail.exchange(&mine, Order::relaxed) == nullptr) return go.store(1, Order::relaxed);
    if (tail.load(Order::relaxed) == &mine) {
      while (go.load(Order::relaxed) == 0) ModelSync::Yield();
    } else {
      go.load(Order::relaxed);
      go.load(Order::relaxed);
    }
  }
  ModelSync::atomic<int*> tail{nullptr};
  ModelSync::atomic<int> go{0};
};

TEST_CASE("Threads that are alike are distinguished by their addresses") {
  struct Numbered : OwnAddresses {
    void Thread(int) { Run(); }
  };
  struct Alike : OwnAddresses {
    void Thread() { Run(); }
  };
  const Explored numbered = Explore<Numbered>();
  CHECK(numbered.passed());
  const Explored alike = Explore<Alike>();
  CHECK(alike.passed());
  // The addresses appear in the threads' requests, so no two executions share a representative.
  CHECK(alike.executions == numbered.executions);
  CHECK(alike.executions == 60);
}

}  // namespace
}  // namespace nowait::model
