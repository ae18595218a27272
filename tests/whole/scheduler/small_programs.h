// Small programs with one known bug each, or without a bug: the scheduler's tests try it with them.
#ifndef NOWAIT_TESTS_WHOLE_SCHEDULER_SMALL_PROGRAMS_H_
#define NOWAIT_TESTS_WHOLE_SCHEDULER_SMALL_PROGRAMS_H_

#include <cstdint>
#include <utility>

#include "tests/whole/scheduler/api_call.h"
#include "tests/whole/scheduler/controlled_sync.h"

namespace nowait::whole::small {

using Sync = ControlledSync;
using Thread = Sync::thread;
template <class T>
using Atomic = Sync::atomic<T>;
inline constexpr auto kOrder = std::memory_order::seq_cst;

// Two threads that each take two locks, in another order.
inline void AbBa() {
  Sync::mutex a, b;
  const auto both = [](Sync::mutex& first, Sync::mutex& second) {
    first.lock();
    second.lock();
    second.unlock();
    first.unlock();
  };
  Thread other = *Thread::Start("other", [&] { both(b, a); });
  both(a, b);
  other.join();
}

// The same, in one order: nothing is wrong.
inline void AbAb() {
  Sync::mutex a, b;
  const auto both = [&] {
    a.lock();
    b.lock();
    b.unlock();
    a.unlock();
  };
  Thread other = *Thread::Start("other", both);
  both();
  other.join();
}

// Looks, and then sleeps: a notification in between is lost.
inline void LostWakeUp() {
  Sync::mutex mutex;
  Sync::condition_variable changed;
  Atomic<bool> ready{false};
  Thread other = *Thread::Start("sleeper", [&] {
    if (ready.load(kOrder)) return;
    const ApiCall call("Sleep");
    mutex.lock();
    changed.wait(mutex);
    mutex.unlock();
  });
  ready.store(true, kOrder);
  changed.notify_all();
  other.join();
}

// One of two sleepers is notified.
inline void MissedNotify() {
  Atomic<std::uint32_t> gate{0};
  const auto sleep = [&] { gate.wait(0, kOrder); };
  Thread one = *Thread::Start("one", sleep);
  Thread two = *Thread::Start("two", sleep);
  gate.store(1, kOrder);
  gate.notify_one();
  one.join();
  two.join();
}

// A counter that is read and written in two steps.
inline void LostUpdate() {
  Atomic<std::uint32_t> count{0};
  const auto add = [&] { count.store(count.load(kOrder) + 1, kOrder); };
  Thread other = *Thread::Start("other", add);
  add();
  other.join();
  Require(count.load(kOrder) == 2, "both additions count");
}

// Wrong only in one order of three writes: a bug of depth 3.
inline void ThreeInOrder() {
  Atomic<std::uint32_t> stage{0};
  const auto step = [&](std::uint32_t from) {
    std::uint32_t expected = from;
    stage.compare_exchange_strong(expected, from + 1, kOrder, kOrder);
  };
  Thread first = *Thread::Start("first", [&] {
    step(0);
    step(2);
  });
  Thread second = *Thread::Start("second", [&] {
    step(1);
    step(3);
  });
  first.join();
  second.join();
  Require(stage.load(kOrder) != 4, "the stages do not come in this order");
}

// One thread waits for its turn, which another one takes each time.
inline void Starvation() {
  Atomic<std::uint32_t> turn{0};
  Thread greedy = *Thread::Start("greedy", [&] {
    while (turn.load(kOrder) != 2) {
      const ApiCall call("Serve");
      turn.store(0, kOrder);
    }
  });
  {
    const ApiCall call("WaitForTurn");
    while (turn.load(kOrder) != 1) Sync::Yield();
  }
  turn.store(2, kOrder);
  greedy.join();
}

// Two threads that give way to each other for ever.
inline void Livelock() {
  Atomic<bool> mine{false}, theirs{false};
  Thread other = *Thread::Start("other", [&] {
    while (!mine.load(kOrder)) Sync::Yield();
    theirs.store(true, kOrder);
  });
  while (!theirs.load(kOrder)) Sync::Yield();
  mine.store(true, kOrder);
  other.join();
}

// Spins until another thread has come as far: correct, under a schedule that is fair.
inline void SpinsRightly() {
  Atomic<std::uint32_t> at{0};
  Thread other = *Thread::Start("other", [&] {
    for (std::uint32_t i = 0; i < 20; i += 2) {
      while (at.load(kOrder) != i + 1) Sync::Yield();
      at.store(i + 2, kOrder);
    }
  });
  for (std::uint32_t i = 0; i < 20; i += 2) {
    at.store(i + 1, kOrder);
    while (at.load(kOrder) != i + 2) {  // no Yield: it must not be alone for ever
    }
  }
  other.join();
}

}  // namespace nowait::whole::small

#endif  // NOWAIT_TESTS_WHOLE_SCHEDULER_SMALL_PROGRAMS_H_
