// ModelSync::mutex and ModelSync::condition_variable: a checker decides who gets the lock, who is
// woken by a notification, and who wakes up without one.
#ifndef NOWAIT_MODELS_KIT_MUTEX_H_
#define NOWAIT_MODELS_KIT_MUTEX_H_

#include "models/kit/back_end.h"
#include "models/kit/handle.h"
#include "models/kit/operation.h"

namespace nowait::model {

class Mutex {
 public:
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

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_MUTEX_H_
