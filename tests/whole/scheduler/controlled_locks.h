// The controlled policy's mutexes and condition variable.
//
// A thread that finds a lock taken waits until it is released, and then tries again beside all
// others: which of them gets it next is chosen as every step is.
#ifndef NOWAIT_TESTS_WHOLE_SCHEDULER_CONTROLLED_LOCKS_H_
#define NOWAIT_TESTS_WHOLE_SCHEDULER_CONTROLLED_LOCKS_H_

#include <cstdint>

#include "tests/whole/scheduler/controlled_clock.h"
#include "tests/whole/scheduler/step.h"
#include "tests/whole/scheduler/thread.h"

namespace nowait::whole {

class ControlledMutex {
 public:
  using Site = whole::Site;

  constexpr ControlledMutex() = default;
  ControlledMutex(const ControlledMutex&) = delete;
  ControlledMutex& operator=(const ControlledMutex&) = delete;

  void lock(Site site = Site::current());
  bool try_lock(Site site = Site::current());
  void unlock(Site site = Site::current());

 private:
  friend class ControlledConditionVariable;
  // Without a choice before them.
  void Take(Site site);
  void Give();
  bool Taken();

  // A lock of a thread of an earlier run is void: that run is over.
  std::uint64_t run_ = 0;
  std::uint32_t holder_ = kNobody;
};

class ControlledSharedMutex {
 public:
  using Site = whole::Site;

  constexpr ControlledSharedMutex() = default;
  ControlledSharedMutex(const ControlledSharedMutex&) = delete;
  ControlledSharedMutex& operator=(const ControlledSharedMutex&) = delete;

  void lock(Site site = Site::current());
  bool try_lock(Site site = Site::current());
  void unlock(Site site = Site::current());
  void lock_shared(Site site = Site::current());
  bool try_lock_shared(Site site = Site::current());
  void unlock_shared(Site site = Site::current());

 private:
  bool Free(bool shared);
  void Take(bool shared, Site site);
  void Wait(bool shared, Site site);

  std::uint64_t run_ = 0;
  bool written_ = false;
  std::uint32_t readers_ = 0;
  std::uint32_t writer_ = kNobody;
};

class ControlledConditionVariable {
 public:
  using Site = whole::Site;

  constexpr ControlledConditionVariable() = default;
  ControlledConditionVariable(const ControlledConditionVariable&) = delete;
  ControlledConditionVariable& operator=(const ControlledConditionVariable&) = delete;

  void wait(ControlledMutex& locked, Site site = Site::current());
  void wait_until(ControlledMutex& locked, ControlledClock::time_point time,
                  Site site = Site::current());
  void notify_one(Site site = Site::current());
  void notify_all(Site site = Site::current());

 private:
  [[maybe_unused]] char of_its_own_address_ = 0;
};

}  // namespace nowait::whole

#endif  // NOWAIT_TESTS_WHOLE_SCHEDULER_CONTROLLED_LOCKS_H_
