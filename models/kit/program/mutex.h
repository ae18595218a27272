// ModelSync::mutex and ModelSync::condition_variable. A checker decides which thread gets the lock,
// which thread a notification wakes, and which thread wakes without one. ModelSync::shared_mutex is
// built from the two.
#ifndef NOWAIT_MODELS_KIT_PROGRAM_MUTEX_H_
#define NOWAIT_MODELS_KIT_PROGRAM_MUTEX_H_

#include "models/kit/program/handle.h"
#include "models/kit/program/machine.h"
#include "models/kit/program/operation.h"

namespace nowait::model {

class Mutex {
 public:
  using Site = model::Site;

  Mutex() : handle_(CurrentMachine()->NewMutex()) {}
  ~Mutex() { CurrentMachine()->DeleteMutex(handle_.Release()); }
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void lock(Site site = Site::current()) { CurrentMachine()->Lock(handle_.Get(site), site); }
  bool try_lock(Site site = Site::current()) {
    return CurrentMachine()->TryLock(handle_.Get(site), site);
  }
  void unlock(Site site = Site::current()) { CurrentMachine()->Unlock(handle_.Get(site), site); }

 private:
  friend class ConditionVariable;

  Handle handle_;
};

class ConditionVariable {
 public:
  ConditionVariable() : handle_(CurrentMachine()->NewCondition()) {}
  ~ConditionVariable() { CurrentMachine()->DeleteCondition(handle_.Release()); }
  ConditionVariable(const ConditionVariable&) = delete;
  ConditionVariable& operator=(const ConditionVariable&) = delete;

  void wait(Mutex& mutex, Site site = Site::current()) {
    CurrentMachine()->WaitCondition(handle_.Get(site), mutex.handle_.Get(site), site);
  }
  void notify_one(Site site = Site::current()) {
    CurrentMachine()->NotifyCondition(handle_.Get(site), false, site);
  }
  void notify_all(Site site = Site::current()) {
    CurrentMachine()->NotifyCondition(handle_.Get(site), true, site);
  }

 private:
  Handle handle_;
};

// Like std::shared_mutex: one writer or any number of readers. It orders slightly more than that
// one promises: a reader also comes after the readers that left before it. An error that only this
// order would hide (two readers that write) is found where both hold the lock at once.
class SharedMutex {
 public:
  void lock(Site site = Site::current()) {
    mutex_.lock(site);
    while (writer_ || readers_ != 0) changed_.wait(mutex_, site);
    writer_ = true;
    mutex_.unlock(site);
  }
  bool try_lock(Site site = Site::current()) {
    mutex_.lock(site);
    const bool free = !writer_ && readers_ == 0;
    if (free) writer_ = true;
    mutex_.unlock(site);
    return free;
  }
  void unlock(Site site = Site::current()) {
    mutex_.lock(site);
    writer_ = false;
    changed_.notify_all(site);
    mutex_.unlock(site);
  }
  void lock_shared(Site site = Site::current()) {
    mutex_.lock(site);
    while (writer_) changed_.wait(mutex_, site);
    ++readers_;
    mutex_.unlock(site);
  }
  bool try_lock_shared(Site site = Site::current()) {
    mutex_.lock(site);
    const bool free = !writer_;
    if (free) ++readers_;
    mutex_.unlock(site);
    return free;
  }
  void unlock_shared(Site site = Site::current()) {
    mutex_.lock(site);
    if (--readers_ == 0) changed_.notify_all(site);
    mutex_.unlock(site);
  }

 private:
  Mutex mutex_;
  ConditionVariable changed_;
  int readers_ = 0;
  bool writer_ = false;
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_PROGRAM_MUTEX_H_
