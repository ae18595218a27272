// The synchronisation policy: the checked code is the running code.
//
// Every lock-free structure here is written once, as a template over a policy:
//
//   template <class Sync = EngineSync>
//   class UnionFind { typename Sync::template atomic<std::uint32_t> ...; };
//
// The engine, the unit tests and ThreadSanitizer run it with StdSync below. The models run the very
// same source with their own policy (models/kit), whose atomics are steps of a checker.
//
// Code that is not a template uses EngineSync, the policy of the whole program: threads, locks,
// clocks and thread-local data come from it and from nowhere else (tests/layout). EngineSync is
// StdSync, except in the configuration `controlled`, where one scheduler decides about every step
// of the program (tests/whole/README.md). It is also every template's default.
//
// Structures that only models run need the first half of the list, up to condition_variable, Yield
// and the allocation. The list, with the meaning of each member, follows the class.
//
// Fences are left out on purpose: ThreadSanitizer does not understand them. (A model does:
// nowait::model::Fence, models/kit/program/atomic.h, for structures that are studied but not
// shipped.) std::shared_ptr is left out as well: a model cannot see into it.
#ifndef NOWAIT_SRC_SYNC_POLICY_H_
#define NOWAIT_SRC_SYNC_POLICY_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "src/sync/std_threads.h"

namespace nowait {

// std_threads.h has locks, threads and time.
struct StdSync : StdThreads {
  using Site = NoSite;

  template <class T>
  class atomic {
   public:
    constexpr atomic() noexcept : value_{} {}
    constexpr explicit atomic(T value, Site = Site::current()) noexcept : value_(value) {}
    atomic(const atomic&) = delete;
    atomic& operator=(const atomic&) = delete;

    T load(std::memory_order order, Site = Site::current()) const noexcept {
      return value_.load(order);
    }
    void store(T value, std::memory_order order, Site = Site::current()) noexcept {
      value_.store(value, order);
    }
    T exchange(T value, std::memory_order order, Site = Site::current()) noexcept {
      return value_.exchange(value, order);
    }
    bool compare_exchange_weak(T& expected, T desired, std::memory_order success,
                               std::memory_order failure, Site = Site::current()) noexcept {
      return value_.compare_exchange_weak(expected, desired, success, failure);
    }
    bool compare_exchange_retry(T& expected, T desired, std::memory_order success,
                                std::memory_order failure, Site = Site::current()) noexcept {
      return value_.compare_exchange_weak(expected, desired, success, failure);
    }
    bool compare_exchange_strong(T& expected, T desired, std::memory_order success,
                                 std::memory_order failure, Site = Site::current()) noexcept {
      return value_.compare_exchange_strong(expected, desired, success, failure);
    }
    T fetch_add(T value, std::memory_order order, Site = Site::current()) noexcept {
      return value_.fetch_add(value, order);
    }
    T fetch_sub(T value, std::memory_order order, Site = Site::current()) noexcept {
      return value_.fetch_sub(value, order);
    }
    T fetch_or(T value, std::memory_order order, Site = Site::current()) noexcept {
      return value_.fetch_or(value, order);
    }
    T fetch_and(T value, std::memory_order order, Site = Site::current()) noexcept {
      return value_.fetch_and(value, order);
    }
    void wait(T old, std::memory_order order, Site = Site::current()) const noexcept {
      value_.wait(old, order);
    }
    void notify_one(Site = Site::current()) noexcept { value_.notify_one(); }
    void notify_all(Site = Site::current()) noexcept { value_.notify_all(); }

   private:
    std::atomic<T> value_;
  };

  template <class T>
  class plain {
   public:
    constexpr plain() noexcept : value_{} {}
    constexpr explicit plain(T value) noexcept : value_(std::move(value)) {}
    const T& get(Site = Site::current()) const noexcept { return value_; }
    void set(T value, Site = Site::current()) noexcept { value_ = std::move(value); }

   private:
    T value_;
  };

  template <class T, class... Args>
  static T* New(Args&&... args) {
    return new T(std::forward<Args>(args)...);
  }
  template <class T>
  static void Delete(T* object) {
    delete object;
  }
  template <class T>
  static T* NewArray(std::size_t count) {
    return new T[count];
  }
  template <class T>
  static void DeleteArray(T* array) {
    delete[] array;
  }
};

// A policy provides
//   atomic<T>     an atomic of at most 8 bytes. Operations are those of std::atomic, but the memory
//                 order has no default: it is always written out, and argued where it is written.
//                 It also has wait(old, order) and notify_one() / notify_all(), and
//                 compare_exchange_retry: the weak exchange of a loop that begins again with the
//                 value found, as if the load before it had found that value. No other thread
//                 reads what a failed try has written: the next one writes it anew.
//                 The checker leaves failed tries out (models/kit/exhaustive/README.md).
//   plain<T>      ordinary data that several threads touch in turn: get() and set(). In the engine
//                 it is a T; in a model an access that races with another is an error.
//   Site          the source position of an operation. Every operation takes one as its last,
//                 defaulted argument. A helper that wraps an operation takes one too and passes it
//                 on: a checker's report then names the helper's caller (see atomic_min_max.h).
//   mutex         lock(), try_lock(), unlock().
//   shared_mutex  the same, and lock_shared(), try_lock_shared(), unlock_shared().
//   condition_variable
//                 wait(mutex&), with the mutex locked by the caller; notify_one(), notify_all(). A
//                 wait may return spuriously: it stands in a loop that looks at its condition.
//                 wait_until(mutex&, clock::time_point) also returns when that time has come; it is
//                 of the second half of this list.
//                 mutex and shared_mutex have a Site too; ScopedLock (scoped_lock.h) passes it on.
//   thread        Start(name, function): a thread that runs the function, or the error kCapacity
//                 "threads" if the system refuses one; join(), joinable(). The destructor joins.
//                 detach(): it runs on, and no thread waits for it.
//   PerThread<T, Tag>()
//                 the calling thread's T of that tag; T{} at first. T needs no destructor.
//   clock         as std::chrono::steady_clock; SleepUntil(clock::time_point) may return late.
//   HardwareConcurrency()
//                 how many threads can run at the same time; 0 if that is unknown.
//   PutThreadFirst()
//                 asks the system to prefer the calling thread to those that compute; returns
//                 whether it did.
//   Yield()       called in every retry loop that waits for another thread's progress.
//   kSpins, Pause()
//                 how often a thread without work looks once more before it goes to sleep, and its
//                 pause between two looks: sleeping and waking take longer than that. A hint about
//                 time alone: 0 and nothing in a model.
//   ThreadSlot()  a small number that differs between threads that run at the same time as far as
//                 possible; used to spread counters over cache lines, never for correctness.
//   NoteAcquired(lock), NoteReleased(lock)
//                 a lock made of atomics records that the calling thread holds it from here on, and
//                 holds it no more: a report of a deadlock can name the thread. Both do nothing in
//                 the engine.
//   New<T>(args...), Delete(T*)
//                 allocation that a model can watch; NewArray<T>(n), DeleteArray(T*) likewise. The
//                 elements of a new array are default-constructed.

}  // namespace nowait

#include "src/sync/engine_sync.h"
#include "src/sync/sync_array.h"

#endif  // NOWAIT_SRC_SYNC_POLICY_H_
