// The part of RelacyMachine for sleeping threads: wait and notify, mutexes, condition variables.
#include <utility>

#include "models/kit/relacy/relacy_machine.h"

namespace nowait::model {
namespace {

// Relacy expects a source location for each call; the locations here are in the trace.
const rl::debug_info kNoPlace;

}  // namespace

void RelacyMachine::FallAsleep(std::vector<int>& sleepers) {
  sleepers.push_back(Thread());
  rl::ctx().park_current_thread(false, false, false, kNoPlace);
}

// Wakes all sleepers, or one that the search chooses.
void RelacyMachine::Wake(std::vector<int>& sleepers, bool all) {
  while (!sleepers.empty()) {
    const unsigned chosen = all ? 0 : Choose(static_cast<unsigned>(sleepers.size()));
    const int sleeper = sleepers[chosen];
    sleepers.erase(sleepers.begin() + chosen);
    rl::ctx().unpark_thread(sleeper, false, kNoPlace);
    if (!all) return;
  }
}

// --- atomics ---

// As the system's futex does: a thread goes to sleep only if the newest value is the old one, and
// it looks again after waking.
void RelacyMachine::Wait(ObjectId object, Word old, std::memory_order order, const Site& site) {
  sites_.Hit(site, OperationKind::kWait, order, order);
  Settle(object, true);
  for (;;) {
    Step();
    AtomicObject& atomic = Touch(object, site);
    const unsigned index = LoadIndex(atomic, order, site);
    AddRead(AddEvent(OperationKind::kWait, object, atomic.type, order, site), atomic, index);
    if (atomic.history[index].value != old) return;
    if (atomic.history[atomic.newest].value != old) {
      model_.LoadNewest(atomic, order);
      AddRead(AddEvent(OperationKind::kWait, object, atomic.type, order, site), atomic,
              atomic.newest);
      return;
    }
    if (!InThreads()) Fail(FailureKind::kDeadlock, "a wait outside the threads", site);
    AddEvent(OperationKind::kSleep, object, atomic.type, order, site);
    FallAsleep(atomic.sleepers);
  }
}

void RelacyMachine::Notify(ObjectId object, bool all, const Site& site) {
  sites_.Hit(site, OperationKind::kNotify, std::memory_order::relaxed, std::memory_order::relaxed);
  Settle(0, true);
  Step();
  AtomicObject& atomic = Touch(object, site);
  AddEvent(OperationKind::kNotify, object, atomic.type, std::memory_order::relaxed, site);
  Wake(atomic.sleepers, all);
}

// --- mutexes ---

ObjectId RelacyMachine::NewMutex() {
  mutexes_.push_back(new rl::mutex);
  ++live_objects_;
  return static_cast<ObjectId>(mutexes_.size());
}

void RelacyMachine::DeleteMutex(ObjectId object) {
  delete std::exchange(mutexes_[object - 1], nullptr);
  --live_objects_;
}

// A thread that never gets the mutex has no event; locking_ shows it.
void RelacyMachine::LockMutex(ObjectId object, const Site& site) {
  if (InThreads()) locking_[Thread()] = Locking{object, site};
  mutexes_[object - 1]->lock(kNoPlace);
  if (InThreads()) locking_[Thread()].reset();
}

void RelacyMachine::Lock(ObjectId object, const Site& site) {
  LockMutex(object, site);
  trace_.Add(Thread(), OperationKind::kLock, site).object = object;
}

bool RelacyMachine::TryLock(ObjectId object, const Site& site) {
  const bool locked = mutexes_[object - 1]->try_lock(kNoPlace);
  Event& event = trace_.Add(Thread(), OperationKind::kTryLock, site);
  event.object = object;
  event.failed = !locked;
  return locked;
}

void RelacyMachine::Unlock(ObjectId object, const Site& site) {
  Settle(0, true);
  trace_.Add(Thread(), OperationKind::kUnlock, site).object = object;
  mutexes_[object - 1]->unlock(kNoPlace);
}

// --- condition variables ---

ObjectId RelacyMachine::NewCondition() {
  conditions_.emplace_back();
  ++live_objects_;
  return static_cast<ObjectId>(conditions_.size());
}

void RelacyMachine::DeleteCondition(ObjectId object) {
  if (!conditions_[object - 1].sleepers.empty()) {
    Fail(FailureKind::kMutexMisuse, "a condition variable ends while a thread waits on it", Site());
  }
  --live_objects_;
}

// Unlocking the mutex and falling asleep are one step: no thread can notify in between. A spurious
// wake-up takes place when the thread locks the mutex again, which may be at any time. It happens
// once for each condition variable, because a loop around the wait would do the same a third time
// as the second time.
void RelacyMachine::WaitCondition(ObjectId object, ObjectId mutex, const Site& site) {
  Settle(0, true);
  if (!InThreads()) Fail(FailureKind::kDeadlock, "a wait outside the threads", site);
  mutexes_[mutex - 1]->unlock(kNoPlace);
  trace_.Add(Thread(), OperationKind::kWaitCondition, site).object = object;
  trace_.Add(Thread(), OperationKind::kUnlock, site).object = mutex;
  ConditionObject& condition = conditions_[object - 1];
  const bool spurious = !condition.woke_spuriously && Choose(2) == 1;
  if (spurious) {
    condition.woke_spuriously = true;
  } else {
    FallAsleep(condition.sleepers);
  }
  LockMutex(mutex, site);
  Event& event = trace_.Add(Thread(), OperationKind::kWakeUp, site);
  event.object = object;
  event.spurious = spurious;
  trace_.Add(Thread(), OperationKind::kLock, site).object = mutex;
}

void RelacyMachine::NotifyCondition(ObjectId object, bool all, const Site& site) {
  Settle(0, true);
  Step();
  trace_.Add(Thread(), OperationKind::kNotifyCondition, site).object = object;
  Wake(conditions_[object - 1].sleepers, all);
}

void RelacyMachine::RecordBlocked() {
  for (int t = 0; t < kMaxThreads; ++t) {
    if (locking_[t]) {
      Event& event = trace_.Add(t, OperationKind::kLock, locking_[t]->site);
      event.object = locking_[t]->mutex;
      event.blocks = true;
    }
  }
  const auto mark = [&](const std::vector<int>& sleepers) {
    for (const int sleeper : sleepers) {
      EventNumber last = trace_.last();
      while (trace_[last].thread != sleeper || trace_[last].kind == OperationKind::kUnlock) --last;
      trace_[last].blocks = true;
    }
  };
  for (const AtomicObject& atomic : atomics_) mark(atomic.sleepers);
  for (const ConditionObject& condition : conditions_) mark(condition.sleepers);
}

}  // namespace nowait::model
