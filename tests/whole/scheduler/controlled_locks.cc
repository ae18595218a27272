#include "tests/whole/scheduler/controlled_locks.h"

#include "src/base/assert.h"
#include "tests/whole/scheduler/hooks.h"

namespace nowait::whole {

bool ControlledMutex::Taken() {
  if (run_ != RunHere()) holder_ = kNobody;
  run_ = RunHere();
  return holder_ != kNobody;
}

void ControlledMutex::Take(Site site) {
  while (Taken()) {
    NOWAIT_ASSERT(holder_ != ThreadHere(), "a thread does not lock a mutex that it has locked");
    Block({.kind = StepKind::kLock, .object = this, .site = site});
  }
  holder_ = ThreadHere();
  NoteAcquired(this, sizeof(*this), site);
}

void ControlledMutex::Give() {
  NOWAIT_ASSERT(Taken() && holder_ == ThreadHere(),
                "a mutex is unlocked by the thread that has it");
  holder_ = kNobody;
  NoteReleased(this);
  WakeAll(this);
}

void ControlledMutex::lock(Site site) {
  Point({.kind = StepKind::kLock, .object = this, .site = site});
  Take(site);
}

bool ControlledMutex::try_lock(Site site) {
  Point({.kind = StepKind::kTryLock, .object = this, .site = site});
  if (Taken() || Spurious()) return false;
  Take(site);
  return true;
}

void ControlledMutex::unlock(Site site) {
  Point({.kind = StepKind::kUnlock, .object = this, .site = site});
  Give();
}

bool ControlledSharedMutex::Free(bool shared) {
  if (run_ != RunHere()) {
    written_ = false;
    readers_ = 0;
  }
  run_ = RunHere();
  return !written_ && (shared || readers_ == 0);
}

void ControlledSharedMutex::Take(bool shared, Site site) {
  NoteAcquired(this, sizeof(*this), site);
  if (shared) {
    ++readers_;
  } else {
    written_ = true;
    writer_ = ThreadHere();
  }
}

void ControlledSharedMutex::Wait(bool shared, Site site) {
  const Step step = {
      .kind = shared ? StepKind::kLockShared : StepKind::kLock, .object = this, .site = site};
  Point(step);
  while (!Free(shared)) {
    NOWAIT_ASSERT(!written_ || writer_ != ThreadHere(),
                  "a thread does not lock a mutex that it has locked");
    Block(step);
  }
  Take(shared, site);
}

void ControlledSharedMutex::lock(Site site) { Wait(false, site); }
void ControlledSharedMutex::lock_shared(Site site) { Wait(true, site); }

bool ControlledSharedMutex::try_lock(Site site) {
  Point({.kind = StepKind::kTryLock, .object = this, .site = site});
  if (!Free(false) || Spurious()) return false;
  Take(false, site);
  return true;
}

bool ControlledSharedMutex::try_lock_shared(Site site) {
  Point({.kind = StepKind::kTryLockShared, .object = this, .site = site});
  if (!Free(true) || Spurious()) return false;
  Take(true, site);
  return true;
}

void ControlledSharedMutex::unlock(Site site) {
  Point({.kind = StepKind::kUnlock, .object = this, .site = site});
  NOWAIT_ASSERT(!Free(true) && writer_ == ThreadHere(), "the writer unlocks");
  written_ = false;
  NoteReleased(this);
  WakeAll(this);
}

void ControlledSharedMutex::unlock_shared(Site site) {
  Point({.kind = StepKind::kUnlockShared, .object = this, .site = site});
  NOWAIT_ASSERT(Free(true) && readers_ > 0, "a reader unlocks");
  NoteReleased(this);
  if (--readers_ == 0) WakeAll(this);
}

void ControlledConditionVariable::wait(ControlledMutex& locked, Site site) {
  const Step step = {.kind = StepKind::kConditionWait, .object = this, .site = site};
  Point(step);
  locked.Give();
  if (Spurious()) {
    Point({.kind = StepKind::kLock, .object = &locked, .site = site});
  } else {
    Block(step);
  }
  locked.Take(site);
}

void ControlledConditionVariable::wait_until(ControlledMutex& locked,
                                             ControlledClock::time_point time, Site site) {
  const Step step = {.kind = StepKind::kConditionWait, .object = this, .site = site};
  Point(step);
  locked.Give();
  if (Spurious()) {
    Point({.kind = StepKind::kLock, .object = &locked, .site = site});
  } else {
    BlockUntil(step, ControlledClock::InMachine(time));
  }
  locked.Take(site);
}

void ControlledConditionVariable::notify_one(Site site) {
  Point({.kind = StepKind::kConditionNotify, .object = this, .site = site});
  WakeOne(this);
}

void ControlledConditionVariable::notify_all(Site site) {
  Point({.kind = StepKind::kConditionNotify, .object = this, .site = site});
  WakeAll(this);
}

}  // namespace nowait::whole
