// Mutexes, sleeping threads, and the two together with load buffering.
#include "models/kit/buffering/waiting.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>

#include "models/kit/buffering/explore_scenario.h"
#include "models/kit/buffering/table.h"

namespace nowait::model::buffering {
namespace {

template <class S>
std::string VerdictOn() {
  return Verdict(Explore<S>());
}

// --- mutexes ---

template <bool kLocks>
struct Counts {
  static constexpr int kThreads = 2;
  void Thread(int) {
    if (kLocks) mutex.lock();
    count.set(count.get() + 1);
    if (kLocks) mutex.unlock();
  }
  void After() { Check(count.get() == 2, "no count is lost"); }
  ModelSync::mutex mutex;
  ModelSync::plain<int> count{0};
};

TEST_CASE("a mutex gives plain data to one thread after the other") {
  const Explored explored = Explore<Counts<true>>();
  CHECK(explored.executions == 2);
  CHECK(Verdict(explored) == "kept");
  CHECK(VerdictOn<Counts<false>>() == "BROKEN: data race");
}

// Loads and stores in critical sections, of one mutex or of one for each thread.
template <bool kOneMutex>
struct BufferedInside {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    auto& mutex = mutexes[kOneMutex ? 0 : t];
    mutex.lock();
    found[t] = (t == 0 ? x : y).load(rlx);
    (t == 0 ? y : x).store(1, rlx);
    mutex.unlock();
  }
  void After() { Check(found[0] + found[1] != 2, "not both find 1"); }
  ModelSync::mutex mutexes[2];
  ModelSync::atomic<int> x{0}, y{0};
  int found[2] = {};
};

TEST_CASE("a critical section orders what is in another one, and not what is in itself") {
  CHECK(VerdictOn<BufferedInside<true>>() == "kept");
  CHECK(VerdictOn<BufferedInside<false>>() == "POSSIBLE: not both find 1");
}

template <bool kSameOrder>
struct TwoMutexes {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    const bool ab = t == 0 || kSameOrder;
    (ab ? a : b).lock();
    (ab ? b : a).lock();
    a.unlock();
    b.unlock();
  }
  ModelSync::mutex a, b;
};
struct NeverUnlocked {
  static constexpr int kThreads = 2;
  void Thread(int) { mutex.lock(); }
  ModelSync::mutex mutex;
};

TEST_CASE("a deadlock of mutexes is found") {
  CHECK(VerdictOn<TwoMutexes<false>>() == "BROKEN: deadlock");
  CHECK(VerdictOn<TwoMutexes<true>>() == "kept");
  CHECK(VerdictOn<NeverUnlocked>() == "BROKEN: deadlock");
}

struct LocksTwice {
  static constexpr int kThreads = 2;
  void Thread(int) {
    mutex.lock();
    mutex.lock();
  }
  ModelSync::mutex mutex;
};

TEST_CASE("a mutex that is misused is an error") {
  CHECK(VerdictOn<LocksTwice>() == "BROKEN: mutex misuse");
}

struct Tries {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (!mutex.try_lock()) return;
    data.set(t);
    mutex.unlock();
    entered[t] = true;
  }
  void After() { Check(entered[0] || entered[1], "one of them gets in"); }
  ModelSync::mutex mutex;
  ModelSync::plain<int> data{0};
  bool entered[2] = {};
};

TEST_CASE("a try for a free mutex may fail, and one that succeeds locks it") {
  CHECK(VerdictOn<Tries>() == "BROKEN: one of them gets in");
}

// --- atomics ---

enum class Wakes : std::uint8_t { kNobody, kOne, kAll };

template <Wakes kWakes, bool kChangesFirst = true>
struct Sleeps {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 1) {
      flag.wait(0, acq);
      found = data.get();
      return;
    }
    data.set(7);
    if (kChangesFirst) flag.store(1, rel);
    if (kWakes == Wakes::kOne) flag.notify_one();
    if (kWakes == Wakes::kAll) flag.notify_all();
    if (!kChangesFirst) flag.store(1, rel);
  }
  void After() { Check(found == 7, "the sleeper finds the data"); }
  ModelSync::atomic<int> flag{0};
  ModelSync::plain<int> data{0};
  int found = 0;
};

TEST_CASE("a sleeper of an atomic is woken by a notification behind the change") {
  CHECK(VerdictOn<Sleeps<Wakes::kAll>>() == "kept");
  CHECK(VerdictOn<Sleeps<Wakes::kOne>>() == "kept");
  CHECK(VerdictOn<Sleeps<Wakes::kNobody>>() == "BROKEN: deadlock");
  CHECK(VerdictOn<Sleeps<Wakes::kAll, false>>() == "BROKEN: deadlock");
}

template <bool kAll>
struct TwoSleepers {
  static constexpr int kThreads = 3;
  void Thread(int t) {
    if (t != 0) return flag.wait(0, acq);
    flag.store(1, rel);
    if (kAll) {
      flag.notify_all();
    } else {
      flag.notify_one();
    }
  }
  ModelSync::atomic<int> flag{0};
};

TEST_CASE("one notification wakes one sleeper") {
  CHECK(VerdictOn<TwoSleepers<true>>() == "kept");
  CHECK(VerdictOn<TwoSleepers<false>>() == "BROKEN: deadlock");
}

// The sleeper goes on only behind the branch of its wait, and so do its stores.
struct WaitsBeforeItWrites {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) {
      found = y.load(rlx);
      x.store(1, rlx);
      x.notify_all();
    } else {
      x.wait(0, rlx);
      y.store(1, rlx);
    }
  }
  void After() { Check(found == 0, "the sleeper's store comes behind its wait"); }
  ModelSync::atomic<int> x{0}, y{0};
  int found = 0;
};

TEST_CASE("a wait is a branch, and a lost read may be no dependency") {
  CHECK(VerdictOn<WaitsBeforeItWrites>() == "POSSIBLE: the sleeper's store comes behind its wait");
}

// --- condition variables ---

template <Wakes kWakes, bool kLooks>
struct Condition {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    mutex.lock();
    if (t == 0) {
      ready.set(1);
      if (kWakes == Wakes::kOne) changed.notify_one();
      if (kWakes == Wakes::kAll) changed.notify_all();
    } else if (kLooks) {
      while (ready.get() == 0) changed.wait(mutex);
    } else {
      changed.wait(mutex);
    }
    mutex.unlock();
  }
  ModelSync::mutex mutex;
  ModelSync::condition_variable changed;
  ModelSync::plain<int> ready{0};
};

TEST_CASE("a sleeper of a condition variable is woken, and loses a notification before its sleep") {
  CHECK(VerdictOn<Condition<Wakes::kOne, true>>() == "kept");
  CHECK(VerdictOn<Condition<Wakes::kAll, true>>() == "kept");
  CHECK(VerdictOn<Condition<Wakes::kNobody, true>>() == "BROKEN: deadlock");
  CHECK(VerdictOn<Condition<Wakes::kAll, false>>() == "BROKEN: deadlock");
}

}  // namespace
}  // namespace nowait::model::buffering
