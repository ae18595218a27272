// The part of ExhaustiveMachine for waiting threads: wait and notify, mutexes, condition variables.
#include "models/kit/exhaustive/run/exhaustive_machine.h"

namespace nowait::model {

// --- atomics ---

void ExhaustiveMachine::Wait(ObjectId object, Word old, std::memory_order order, const Site& site) {
  sites_->Hit(site, OperationKind::kWait, order, order);
  const GraphEvent& event = Step(atomics_[object - 1],
                                 {.effect = Effect::kReadUnlessEqual,
                                  .kind = OperationKind::kWait,
                                  .order = order,
                                  .operand = old},
                                 site);
  Record(object, atomics_[object - 1], event, site);
  if (event.blocks) GiveUp(FailureKind::kDeadlock, "a wait outside the threads", site);
}

// Not an event, because it orders nothing. The threads that it wakes are determined at the end
// (lost_wakeups.h).
void ExhaustiveMachine::Notify(ObjectId object, bool all, const Site& site) {
  sites_->Hit(site, OperationKind::kNotify, std::memory_order::relaxed, std::memory_order::relaxed);
  Shared& atomic = Touch(atomics_[object - 1], site);
  AddEvent(OperationKind::kNotify, object, atomic.type, std::memory_order::relaxed, site);
  if (!InThreads() || execution_.probing()) return;
  notifications_.push_back(
      {atomic.location, all, execution_.running(), execution_.done(), execution_.known()});
}

// --- mutexes ---

ObjectId ExhaustiveMachine::NewMutex() { return NewShared(mutexes_, 0, ValueType::kUnsigned); }

void ExhaustiveMachine::DeleteMutex(ObjectId object) {
  Shared& mutex = mutexes_[object - 1];
  if (mutex.owner != kNobody) {
    GiveUp(FailureKind::kMutexMisuse, "a mutex ends while it is locked", Site());
  }
  End(mutex, OperationKind::kEndMutex, object,
      "a mutex ends and nothing orders that after its last use");
}

void ExhaustiveMachine::Lock(ObjectId object, const Site& site) {
  if (mutexes_[object - 1].owner == Thread()) {
    GiveUp(FailureKind::kMutexMisuse, "a thread locks a mutex that it holds", site);
  }
  const GraphEvent& event = Step(mutexes_[object - 1],
                                 {.effect = Effect::kAcquireLock,
                                  .kind = OperationKind::kLock,
                                  .order = std::memory_order::acquire,
                                  .operand = 1},
                                 site);
  if (event.blocks) GiveUp(FailureKind::kDeadlock, "a wait outside the threads", site);
  mutexes_[object - 1].owner = Thread();
  AddEvent(OperationKind::kLock, object, ValueType::kOther, std::memory_order::relaxed, site);
}

bool ExhaustiveMachine::TryLock(ObjectId object, const Site& site) {
  if (mutexes_[object - 1].owner == Thread()) {
    GiveUp(FailureKind::kMutexMisuse, "a thread locks a mutex that it holds", site);
  }
  const GraphEvent& event = Step(mutexes_[object - 1],
                                 {.effect = Effect::kTryLock,
                                  .kind = OperationKind::kTryLock,
                                  .order = std::memory_order::acquire,
                                  .operand = 1},
                                 site);
  if (event.writes) mutexes_[object - 1].owner = Thread();
  Event& recorded = AddEvent(OperationKind::kTryLock, object, ValueType::kOther,
                             std::memory_order::relaxed, site);
  recorded.failed = !event.writes;
  return event.writes;
}

void ExhaustiveMachine::Unlock(ObjectId object, const Site& site) {
  if (mutexes_[object - 1].owner != Thread()) {
    GiveUp(FailureKind::kMutexMisuse, "a thread unlocks a mutex that it does not hold", site);
  }
  mutexes_[object - 1].owner = kNobody;
  Step(mutexes_[object - 1],
       {.effect = Effect::kWrite,
        .kind = OperationKind::kUnlock,
        .order = std::memory_order::release,
        .operand = 0},
       site);
  AddEvent(OperationKind::kUnlock, object, ValueType::kOther, std::memory_order::relaxed, site);
}

// --- condition variables ---

ObjectId ExhaustiveMachine::NewCondition() {
  return NewShared(conditions_, 0, ValueType::kUnsigned);
}

void ExhaustiveMachine::DeleteCondition(ObjectId object) {
  End(conditions_[object - 1], OperationKind::kEndCondition, object,
      "a condition variable ends and nothing orders that after its last use");
}

// Asleep before the mutex is free: no thread that needs the mutex to notify can intervene.
void ExhaustiveMachine::WaitCondition(ObjectId object, ObjectId mutex, const Site& site) {
  if (!InThreads()) GiveUp(FailureKind::kDeadlock, "a wait outside the threads", site);
  Step(conditions_[object - 1], {.effect = Effect::kSleep, .kind = OperationKind::kWaitCondition},
       site);
  AddEvent(OperationKind::kWaitCondition, object, ValueType::kOther, std::memory_order::relaxed,
           site);
  Unlock(mutex, site);
  const GraphEvent& woken = Step(conditions_[object - 1],
                                 {.effect = Effect::kWakeUp, .kind = OperationKind::kWakeUp}, site);
  Event& recorded =
      AddEvent(OperationKind::kWakeUp, object, ValueType::kOther, std::memory_order::relaxed, site);
  recorded.spurious = woken.variant != 0;
  Lock(mutex, site);
}

void ExhaustiveMachine::NotifyCondition(ObjectId object, bool all, const Site& site) {
  Step(conditions_[object - 1],
       {.effect = all ? Effect::kNotifyAll : Effect::kNotifyOne,
        .kind = OperationKind::kNotifyCondition},
       site);
  AddEvent(OperationKind::kNotifyCondition, object, ValueType::kOther, std::memory_order::relaxed,
           site);
}

}  // namespace nowait::model
