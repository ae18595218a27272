// ControlledThreads: the half of ControlledSync that threads are made of: locks, threads, time.
#ifndef NOWAIT_TESTS_WHOLE_SCHEDULER_CONTROLLED_THREADS_H_
#define NOWAIT_TESTS_WHOLE_SCHEDULER_CONTROLLED_THREADS_H_

#include <chrono>
#include <cstdint>
#include <memory>
#include <new>
#include <string_view>
#include <type_traits>
#include <utility>

#include "src/base/result.h"
#include "tests/whole/scheduler/controlled_clock.h"
#include "tests/whole/scheduler/controlled_locks.h"
#include "tests/whole/scheduler/hooks.h"
#include "tests/whole/scheduler/step.h"

namespace nowait::whole {

// Joins when it is destroyed, as std::jthread.
class ControlledThread {
 public:
  using Site = whole::Site;

  ControlledThread() = default;
  ControlledThread(ControlledThread&& other) noexcept
      : number_(std::exchange(other.number_, kNobody)) {}
  ControlledThread& operator=(ControlledThread&& other) noexcept {
    if (joinable()) join();
    number_ = std::exchange(other.number_, kNobody);
    return *this;
  }
  ~ControlledThread() {
    if (joinable()) join();
  }

  template <class Function>
  static Result<ControlledThread> Start(std::string_view name, Function function,
                                        Site site = Site::current()) {
    ControlledThread thread;
    try {
      // Shared, since std::function wants to copy what it holds.
      auto shared = std::make_shared<Function>(std::move(function));
      thread.number_ = StartThread(
          name, [shared] { (*shared)(); }, site);
    } catch (const std::bad_alloc&) {  // as StdThread: no memory for one
    }
    if (!thread.joinable()) {
      return Fail(ErrorCode::kCapacity, "threads", 0, "the system refuses another one");
    }
    return thread;
  }

  bool joinable() const { return number_ != kNobody; }
  // A program whose thread runs on has failed (machine.h).
  void detach() { number_ = kNobody; }
  void join(Site site = Site::current()) { JoinThread(std::exchange(number_, kNobody), site); }

 private:
  std::uint32_t number_ = kNobody;
};

struct ControlledThreads {
  using mutex = ControlledMutex;
  using shared_mutex = ControlledSharedMutex;
  using condition_variable = ControlledConditionVariable;
  using thread = ControlledThread;
  using clock = ControlledClock;

  template <class T, class Tag>
  static T& PerThread() {
    static_assert(std::is_trivially_destructible_v<T> && sizeof(T) <= PerThreadSlot::kSize);
    static const std::uint32_t number = NextPerThread();
    PerThreadSlot& slot = SlotHere(number);
    if (!slot.made) {
      slot.made = true;
      return *::new (slot.bytes.data()) T{};
    }
    return *std::launder(reinterpret_cast<T*>(slot.bytes.data()));
  }

  static void SleepUntil(clock::time_point time, Site site = Site::current()) {
    SleepHere(ControlledClock::InMachine(time), site);
  }

  static std::uint32_t HardwareConcurrency() { return 4; }
  static bool PutThreadFirst() { return false; }

  static void Yield(Site site = Site::current()) {
    YieldHere({.kind = StepKind::kYield, .site = site});
  }

  // A hint about time alone; one look more, so that it is run at all. Where there are times
  // (timing.h), as many as they say.
  struct Spins {
    operator std::uint32_t() const { return SpinsHere(); }
  };
  static constexpr Spins kSpins{};
  static void Pause(Site site = Site::current()) {
    YieldHere({.kind = StepKind::kPause, .site = site});
  }

  static std::uint32_t ThreadSlot() { return ThreadHere(); }

  template <class Lock>
  static void NoteAcquired(const Lock& lock, Site site = Site::current()) {
    whole::NoteAcquired(&lock, sizeof(lock), site);
  }
  template <class Lock>
  static void NoteReleased(const Lock& lock) {
    whole::NoteReleased(&lock);
  }
};

}  // namespace nowait::whole

#endif  // NOWAIT_TESTS_WHOLE_SCHEDULER_CONTROLLED_THREADS_H_
