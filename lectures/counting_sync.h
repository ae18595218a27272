// CountingSync: a policy that counts what a structure asks of memory that threads share.
//
// The cost of an implementation is counted and not timed: the same on every machine, in each run.
//
// Thread safety: each thread has counts of its own.
#ifndef NOWAIT_LECTURES_COUNTING_SYNC_H_
#define NOWAIT_LECTURES_COUNTING_SYNC_H_

#include <atomic>
#include <cstdint>

#include "src/sync/policy.h"

namespace nowait {

struct AtomicCounts {
  std::uint64_t loads = 0;
  std::uint64_t stores = 0;
  std::uint64_t updates = 0;  // read-modify-writes, of those that fail too
  std::uint64_t all() const { return loads + stores + updates; }
};

// Of the calling thread.
inline AtomicCounts& Counts() {
  thread_local AtomicCounts counts;
  return counts;
}

struct CountingSync : StdSync {
  using Site = StdSync::Site;

  template <class T>
  class atomic : public StdSync::atomic<T> {
   public:
    using Base = StdSync::atomic<T>;
    using Base::Base;

    T load(std::memory_order order, Site = Site::current()) const noexcept {
      ++Counts().loads;
      return Base::load(order);
    }
    void store(T value, std::memory_order order, Site = Site::current()) noexcept {
      ++Counts().stores;
      Base::store(value, order);
    }
    T exchange(T value, std::memory_order order, Site = Site::current()) noexcept {
      ++Counts().updates;
      return Base::exchange(value, order);
    }
    bool compare_exchange_weak(T& expected, T desired, std::memory_order success,
                               std::memory_order failure, Site = Site::current()) noexcept {
      ++Counts().updates;
      return Base::compare_exchange_weak(expected, desired, success, failure);
    }
    bool compare_exchange_retry(T& expected, T desired, std::memory_order success,
                                std::memory_order failure, Site = Site::current()) noexcept {
      return compare_exchange_weak(expected, desired, success, failure);
    }
    bool compare_exchange_strong(T& expected, T desired, std::memory_order success,
                                 std::memory_order failure, Site = Site::current()) noexcept {
      ++Counts().updates;
      return Base::compare_exchange_strong(expected, desired, success, failure);
    }
    T fetch_add(T value, std::memory_order order, Site = Site::current()) noexcept {
      ++Counts().updates;
      return Base::fetch_add(value, order);
    }
    T fetch_sub(T value, std::memory_order order, Site = Site::current()) noexcept {
      ++Counts().updates;
      return Base::fetch_sub(value, order);
    }
    T fetch_or(T value, std::memory_order order, Site = Site::current()) noexcept {
      ++Counts().updates;
      return Base::fetch_or(value, order);
    }
    T fetch_and(T value, std::memory_order order, Site = Site::current()) noexcept {
      ++Counts().updates;
      return Base::fetch_and(value, order);
    }
  };
};

}  // namespace nowait

#endif  // NOWAIT_LECTURES_COUNTING_SYNC_H_
