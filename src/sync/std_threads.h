// StdThreads: the half of StdSync with locks, threads and time (policy.h).
//
// Each is the standard library's, with the policy's arguments, and costs no more than that.
#ifndef NOWAIT_SRC_SYNC_STD_THREADS_H_
#define NOWAIT_SRC_SYNC_STD_THREADS_H_

#include <pthread.h>
#include <sys/resource.h>

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <shared_mutex>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>

#include "src/base/result.h"

namespace nowait {

// Outside a checker there is nothing to record; an empty argument costs nothing.
struct NoSite {
  static constexpr NoSite current() { return {}; }
};

// A number for the calling thread, from 0 up in the order of the threads' first calls.
inline std::uint32_t StdThreadNumber() {
  static std::atomic<std::uint32_t> next{0};
  // relaxed: the numbers need only differ, and a read-modify-write gives that.
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

class StdMutex {
 public:
  using Site = NoSite;

  void lock(Site = Site::current()) { mutex_.lock(); }
  bool try_lock(Site = Site::current()) { return mutex_.try_lock(); }
  void unlock(Site = Site::current()) { mutex_.unlock(); }

 private:
  friend class StdConditionVariable;
  std::mutex mutex_;
};

class StdSharedMutex {
 public:
  using Site = NoSite;

  void lock(Site = Site::current()) { mutex_.lock(); }
  bool try_lock(Site = Site::current()) { return mutex_.try_lock(); }
  void unlock(Site = Site::current()) { mutex_.unlock(); }
  void lock_shared(Site = Site::current()) { mutex_.lock_shared(); }
  bool try_lock_shared(Site = Site::current()) { return mutex_.try_lock_shared(); }
  void unlock_shared(Site = Site::current()) { mutex_.unlock_shared(); }

 private:
  std::shared_mutex mutex_;
};

class StdConditionVariable {
 public:
  using Site = NoSite;

  void wait(StdMutex& locked, Site = Site::current()) {
    std::unique_lock<std::mutex> lock(locked.mutex_, std::adopt_lock);
    value_.wait(lock);
    lock.release();  // the caller's again
  }
  void wait_until(StdMutex& locked, std::chrono::steady_clock::time_point time,
                  Site = Site::current()) {
    std::unique_lock<std::mutex> lock(locked.mutex_, std::adopt_lock);
    value_.wait_until(lock, time);
    lock.release();
  }
  void notify_one(Site = Site::current()) noexcept { value_.notify_one(); }
  void notify_all(Site = Site::current()) noexcept { value_.notify_all(); }

 private:
  std::condition_variable value_;
};

class StdThread {
 public:
  using Site = NoSite;

  StdThread() = default;

  // name: of the thread in reports, and the operating system's, as far as it takes one (15 bytes).
  template <class Function>
  static Result<StdThread> Start(std::string_view name, Function function, Site = Site::current()) {
    std::array<char, 16> short_name{};
    name.copy(short_name.data(), short_name.size() - 1);
    try {
      return StdThread(std::jthread([short_name, function = std::move(function)]() mutable {
        // It can only refuse a longer name.
        static_cast<void>(::pthread_setname_np(::pthread_self(), short_name.data()));
        function();
      }));
    } catch (const std::exception&) {  // no thread, or no memory for one
      return Fail(ErrorCode::kCapacity, "threads", 0, "the system refuses another one");
    }
  }

  bool joinable() const { return thread_.joinable(); }
  void join(Site = Site::current()) { thread_.join(); }
  void detach() { thread_.detach(); }

 private:
  explicit StdThread(std::jthread thread) : thread_(std::move(thread)) {}

  std::jthread thread_;
};

// constinit: one load, without a guard or an initialisation function.
template <class T, class Tag>
inline constinit thread_local T std_per_thread{};

struct StdThreads {
  using mutex = StdMutex;
  using shared_mutex = StdSharedMutex;
  using condition_variable = StdConditionVariable;
  using thread = StdThread;
  using clock = std::chrono::steady_clock;

  template <class T, class Tag>
  static T& PerThread() {
    static_assert(std::is_trivially_destructible_v<T>);
    return std_per_thread<T, Tag>;
  }

  static void SleepUntil(clock::time_point time, NoSite = NoSite::current()) {
    std::this_thread::sleep_until(time);
  }

  static std::uint32_t HardwareConcurrency() { return std::thread::hardware_concurrency(); }

  static bool PutThreadFirst() {
    // A nice value. Linux keeps one per thread, and 0 means the calling thread. Lowering it needs a
    // privilege that not every user has.
    constexpr int kBeforeWorkers = -10;
    return ::setpriority(PRIO_PROCESS, 0, kBeforeWorkers) == 0;
  }

  static void Yield(NoSite = NoSite::current()) { std::this_thread::yield(); }

  static constexpr std::uint32_t kSpins = 256;
  // Ten to a hundred nanoseconds in which the core's other hardware thread may use its units.
  static void Pause() { SpinPause(); }

  static std::uint32_t ThreadSlot() { return StdThreadNumber(); }

  template <class Lock>
  static void NoteAcquired(const Lock&, NoSite = NoSite::current()) {}
  template <class Lock>
  static void NoteReleased(const Lock&) {}
};

}  // namespace nowait

#endif  // NOWAIT_SRC_SYNC_STD_THREADS_H_
