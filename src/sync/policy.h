// The synchronisation policy: what is checked is what runs.
//
// Every lock-free structure here is written once, as a template over a policy:
//
//   template <class Sync = StdSync>
//   class UnionFind { typename Sync::template atomic<std::uint32_t> ...; };
//
// The engine, the unit tests and ThreadSanitizer run it with StdSync below. The models run the very
// same source with a policy of theirs (models/kit) whose atomics are steps of a checker.
//
// A policy provides
//   atomic<T>     an atomic of at most 8 bytes. Operations are those of std::atomic, but the memory
//                 order has no default: it is always written out, and argued where it is written.
//                 It also has wait(old, order) and notify_one() / notify_all().
//   plain<T>      ordinary data that several threads touch in turn: get() and set(). In the engine
//                 it is a T; in a model an access that races with another is an error.
//   Site          the source position of an operation. Every operation takes one as its last,
//                 defaulted argument; a helper that wraps an operation takes one too and passes it
//                 on, so that a checker's report names the helper's caller (see atomic_min_max.h).
//   mutex         lock(), try_lock(), unlock().
//   shared_mutex  the same, and lock_shared(), try_lock_shared(), unlock_shared().
//   condition_variable
//                 wait(mutex&), with the mutex locked by the caller; notify_one(), notify_all(). A
//                 wait may return for no reason: it stands in a loop that looks at its condition.
//   Yield()       called in every retry loop that waits for another thread's progress.
//   kSpins, Pause()  how often a thread that has found nothing to do looks once more before it goes to
//                 sleep, and what it does between two looks: to sleep and to be woken takes longer
//                 than that. A hint about time alone: none in a model.
//   ThreadSlot()  a small number that differs between threads that run at the same time as far as
//                 possible; used to spread counters over cache lines, never for correctness.
//   New<T>(args...), Delete(T*)
//                 allocation that a model can watch; NewArray<T>(n), DeleteArray(T*) likewise. The
//                 elements of a new array are default-constructed.
//
// Fences are left out on purpose: ThreadSanitizer does not understand them. (A model does:
// nowait::model::Fence, models/kit/atomic.h, for structures that are studied and not shipped.) So is
// std::shared_ptr: a model cannot see into it.
#ifndef NOWAIT_SRC_SYNC_POLICY_H_
#define NOWAIT_SRC_SYNC_POLICY_H_

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <utility>

#include "src/base/assert.h"

namespace nowait {

// A number for the calling thread, from 0 up in the order of the threads' first calls.
inline std::uint32_t StdThreadNumber() {
  static std::atomic<std::uint32_t> next{0};
  // relaxed: only the numbers' being different matters, and a read-modify-write gives that.
  thread_local const std::uint32_t number = next.fetch_add(1, std::memory_order::relaxed);
  return number;
}

inline void SpinPause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

struct StdSync {
  // Nothing to remember outside a checker; an empty argument costs nothing.
  struct Site {
    static constexpr Site current() { return {}; }
  };

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

  using mutex = std::mutex;
  using shared_mutex = std::shared_mutex;

  class condition_variable {
   public:
    void wait(mutex& locked, Site = Site::current()) {
      std::unique_lock<mutex> lock(locked, std::adopt_lock);
      value_.wait(lock);
      lock.release();  // the caller's again
    }
    void notify_one(Site = Site::current()) noexcept { value_.notify_one(); }
    void notify_all(Site = Site::current()) noexcept { value_.notify_all(); }

   private:
    std::condition_variable value_;
  };

  static void Yield(Site = Site::current()) { std::this_thread::yield(); }

  static constexpr std::uint32_t kSpins = 256;
  // Some ten to a hundred nanoseconds in which the core's other thread may have what it has.
  static void Pause() { SpinPause(); }

  static std::uint32_t ThreadSlot() { return StdThreadNumber(); }

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

// A fixed array whose memory comes from the policy. The size is given once.
template <class Sync, class T>
class SyncArray {
 public:
  explicit SyncArray(std::size_t count) : data_(Sync::template NewArray<T>(count)), count_(count) {}
  ~SyncArray() { Sync::DeleteArray(data_); }
  SyncArray(const SyncArray&) = delete;
  SyncArray& operator=(const SyncArray&) = delete;

  T& operator[](std::size_t i) { return data_[Checked(i)]; }
  const T& operator[](std::size_t i) const { return data_[Checked(i)]; }
  std::size_t size() const { return count_; }

 private:
  std::size_t Checked(std::size_t i) const {
    NOWAIT_ASSERT(i < count_, "an index is below the size of its array");
    return i;
  }

  T* data_;
  std::size_t count_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_SYNC_POLICY_H_
