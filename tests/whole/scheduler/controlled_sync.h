// ControlledSync: the policy (src/sync/policy.h) whose every operation is a step of the machine.
//
// Outside a run, and where the machine itself is at work, there is one thread: everything is done
// at once, and what would wait for another thread ends the program.
//
// An atomic is the value and nothing more: the machine knows the threads that wait for it.
//
// Thread safety: one thread of the operating system.
#ifndef NOWAIT_TESTS_WHOLE_SCHEDULER_CONTROLLED_SYNC_H_
#define NOWAIT_TESTS_WHOLE_SCHEDULER_CONTROLLED_SYNC_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

#include "tests/whole/scheduler/controlled_threads.h"
#include "tests/whole/scheduler/step.h"

namespace nowait::whole {

struct ControlledSync : ControlledThreads {
  using Site = whole::Site;

  template <class T>
  class atomic {
   public:
    constexpr atomic() noexcept : value_{} {}
    constexpr explicit atomic(T value, Site = {}) noexcept : value_(value) {}
    atomic(const atomic&) = delete;
    atomic& operator=(const atomic&) = delete;

    T load(std::memory_order, Site site = Site::current()) const {
      Point({.kind = StepKind::kLoad, .object = this, .site = site});
      return value_;
    }
    void store(T value, std::memory_order order, Site site = Site::current()) {
      Point({.kind = StepKind::kStore,
             .object = this,
             .site = site,
             .ordered = order == std::memory_order::seq_cst});
      value_ = value;
    }
    T exchange(T value, std::memory_order, Site site = Site::current()) {
      Update(site);
      return std::exchange(value_, value);
    }
    bool compare_exchange_weak(T& expected, T desired, std::memory_order, std::memory_order,
                               Site site = Site::current()) {
      Update(site);
      if (Same(expected) && Spurious()) return false;
      return CompareExchange(expected, desired);
    }
    bool compare_exchange_retry(T& expected, T desired, std::memory_order success,
                                std::memory_order failure, Site site = Site::current()) {
      return compare_exchange_weak(expected, desired, success, failure, site);
    }
    bool compare_exchange_strong(T& expected, T desired, std::memory_order, std::memory_order,
                                 Site site = Site::current()) {
      Update(site);
      return CompareExchange(expected, desired);
    }
    T fetch_add(T value, std::memory_order, Site site = Site::current()) {
      Update(site);
      return std::exchange(value_, static_cast<T>(value_ + value));
    }
    T fetch_sub(T value, std::memory_order, Site site = Site::current()) {
      Update(site);
      return std::exchange(value_, static_cast<T>(value_ - value));
    }
    T fetch_or(T value, std::memory_order, Site site = Site::current()) {
      Update(site);
      return std::exchange(value_, static_cast<T>(value_ | value));
    }
    T fetch_and(T value, std::memory_order, Site site = Site::current()) {
      Update(site);
      return std::exchange(value_, static_cast<T>(value_ & value));
    }
    void wait(T old, std::memory_order, Site site = Site::current()) const {
      const Step step = {.kind = StepKind::kWait, .object = this, .site = site};
      Point(step);
      while (Same(old)) Block(step);
    }
    void notify_one(Site site = Site::current()) {
      Point({.kind = StepKind::kNotify, .object = this, .site = site});
      WakeOne(this);
    }
    void notify_all(Site site = Site::current()) {
      Point({.kind = StepKind::kNotify, .object = this, .site = site});
      WakeAll(this);
    }

   private:
    void Update(Site site) const {
      Point({.kind = StepKind::kUpdate, .object = this, .site = site});
    }
    // As the standard compares: by representation. (No T here has padding.)
    bool Same(const T& other) const { return std::memcmp(&value_, &other, sizeof(T)) == 0; }
    bool CompareExchange(T& expected, T desired) {
      const bool same = Same(expected);
      if (same) {
        value_ = desired;
      } else {
        expected = value_;
      }
      return same;
    }

    T value_;
  };

  // No step: whether plain data is raced for is ThreadSanitizer's and the models' to say.
  template <class T>
  class plain {
   public:
    constexpr plain() noexcept : value_{} {}
    constexpr explicit plain(T value) noexcept : value_(std::move(value)) {}
    const T& get(Site = {}) const noexcept { return value_; }
    void set(T value, Site = {}) noexcept { value_ = std::move(value); }

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

}  // namespace nowait::whole

#endif  // NOWAIT_TESTS_WHOLE_SCHEDULER_CONTROLLED_SYNC_H_
