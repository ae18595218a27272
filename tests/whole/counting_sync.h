// CountingSync: the engine's policy, which counts what each thread pays for. The same source as in
// the engine runs over it, so that a test can say how many locked operations a task, a move or a
// query costs, and fails when that number creeps up:
//
//   Result<void> submitted;
//   const auto cost = CountOperations([&] { submitted = graph.Submit(me, task, ready); });
//   REQUIRE(submitted.has_value());
//   CHECK(cost.locked <= 2);
//
// An operation is counted as locked if the x86-64 processor locks a line for it: each
// read-modify-write, each attempt of a compare-exchange, each seq_cst store, and each lock and
// unlock of a mutex. (A compare-exchange that fails is locked as well.) On one thread the counts
// are exact and the same in each run, unlike times.
//
// Thread safety: as StdSync; a thread counts for itself.
#ifndef NOWAIT_TESTS_WHOLE_COUNTING_SYNC_H_
#define NOWAIT_TESTS_WHOLE_COUNTING_SYNC_H_

#include <atomic>
#include <cstdint>
#include <mutex>
#include <shared_mutex>

#include "src/sync/policy.h"

namespace nowait {

struct OperationCounts {
  std::uint64_t locked = 0;
  std::uint64_t loads = 0;   // of atomics
  std::uint64_t stores = 0;  // of atomics, those that are locked left out
  std::uint64_t yields = 0;  // of a loop that waits for another thread

  friend OperationCounts operator-(const OperationCounts& a, const OperationCounts& b) {
    return {a.locked - b.locked, a.loads - b.loads, a.stores - b.stores, a.yields - b.yields};
  }
};

// Of the calling thread, since it began.
inline OperationCounts& CountedHere() {
  static constinit thread_local OperationCounts counts;
  return counts;
}

// The calling thread's operations in call().
template <class Call>
OperationCounts CountOperations(const Call& call) {
  const OperationCounts before = CountedHere();
  call();
  return CountedHere() - before;
}

// Everything but what is counted is StdSync's.
struct CountingSync : StdSync {
  template <class T>
  class atomic {
   public:
    constexpr atomic() noexcept = default;
    constexpr explicit atomic(T value, Site = Site::current()) noexcept : value_(value) {}

    T load(std::memory_order order, Site = Site::current()) const noexcept {
      ++CountedHere().loads;
      return value_.load(order);
    }
    void store(T value, std::memory_order order, Site = Site::current()) noexcept {
      ++(order == std::memory_order::seq_cst ? CountedHere().locked : CountedHere().stores);
      value_.store(value, order);
    }
    T exchange(T value, std::memory_order order, Site = Site::current()) noexcept {
      return Locked().exchange(value, order);
    }
    bool compare_exchange_weak(T& expected, T desired, std::memory_order success,
                               std::memory_order failure, Site = Site::current()) noexcept {
      return Locked().compare_exchange_weak(expected, desired, success, failure);
    }
    bool compare_exchange_retry(T& expected, T desired, std::memory_order success,
                                std::memory_order failure, Site = Site::current()) noexcept {
      return compare_exchange_weak(expected, desired, success, failure);
    }
    bool compare_exchange_strong(T& expected, T desired, std::memory_order success,
                                 std::memory_order failure, Site = Site::current()) noexcept {
      return Locked().compare_exchange_strong(expected, desired, success, failure);
    }
    T fetch_add(T value, std::memory_order order, Site = Site::current()) noexcept {
      return Locked().fetch_add(value, order);
    }
    T fetch_sub(T value, std::memory_order order, Site = Site::current()) noexcept {
      return Locked().fetch_sub(value, order);
    }
    T fetch_or(T value, std::memory_order order, Site = Site::current()) noexcept {
      return Locked().fetch_or(value, order);
    }
    T fetch_and(T value, std::memory_order order, Site = Site::current()) noexcept {
      return Locked().fetch_and(value, order);
    }
    void wait(T old, std::memory_order order, Site = Site::current()) const noexcept {
      value_.wait(old, order);
    }
    void notify_one(Site = Site::current()) noexcept { value_.notify_one(); }
    void notify_all(Site = Site::current()) noexcept { value_.notify_all(); }

   private:
    StdSync::atomic<T>& Locked() {
      ++CountedHere().locked;
      return value_;
    }
    StdSync::atomic<T> value_;
  };

  template <class Mutex>
  class CountedLock : public Mutex {
   public:
    void lock(Site = Site::current()) { Locked().lock(); }
    bool try_lock(Site = Site::current()) { return Locked().try_lock(); }
    void unlock(Site = Site::current()) { Locked().unlock(); }

   protected:
    Mutex& Locked() {
      ++CountedHere().locked;
      return *this;
    }
  };

  using mutex = CountedLock<StdSync::mutex>;

  class shared_mutex : public CountedLock<StdSync::shared_mutex> {
   public:
    void lock_shared(Site = Site::current()) { Locked().lock_shared(); }
    bool try_lock_shared(Site = Site::current()) { return Locked().try_lock_shared(); }
    void unlock_shared(Site = Site::current()) { Locked().unlock_shared(); }
  };

  class condition_variable {
   public:
    void wait(mutex& locked, Site = Site::current()) { value_.wait(locked); }
    void wait_until(mutex& locked, clock::time_point time, Site = Site::current()) {
      value_.wait_until(locked, time);
    }
    void notify_one(Site = Site::current()) noexcept { value_.notify_one(); }
    void notify_all(Site = Site::current()) noexcept { value_.notify_all(); }

   private:
    StdSync::condition_variable value_;
  };

  static void Yield(Site = Site::current()) {
    ++CountedHere().yields;
    StdSync::Yield();
  }
};

}  // namespace nowait

#endif  // NOWAIT_TESTS_WHOLE_COUNTING_SYNC_H_
