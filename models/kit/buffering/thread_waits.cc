// The part of BufferingMachine for mutexes, and for threads that sleep.
#include <utility>

#include "models/kit/buffering/buffering_machine.h"

namespace nowait::model::buffering {

void BufferingMachine::Block(bool asleep) {
  lane().run.asleep = asleep;
  End(ThreadRun::End::kBlocked);
}

// --- atomics ---

// The looks before the last one have no effect on the thread: an execution with them is one without
// them. The thread goes on only behind the branch that compares what it has found.
void BufferingMachine::Wait(ObjectId object, Word old, std::memory_order order, const Site& site) {
  if (!InThreads()) {
    if (atomics_[object - 1] == old)
      Fail(FailureKind::kDeadlock, "a wait outside the threads", site);
    return;
  }
  const Word value = Read({false, object}, atomics_[object - 1], site);
  Event& event = Add(Event::Kind::kRead, object, order, site);
  event.read = value;
  event.call = OperationKind::kWait;
  Lane& own = lane();
  const std::size_t place = own.run.events.size() - 1;
  own.lost &= ~Only(place);
  own.control |= Only(place);
  own.run.sleeps.push_back({.object = object, .place = place, .old = old});
  if (value == old) Block(true);
}

void BufferingMachine::Notify(ObjectId object, bool all, const Site&) {
  if (!InThreads()) return;
  lane().run.notifications.push_back({object, all, lane().run.events.size()});
}

// --- mutexes ---

void BufferingMachine::Lock(ObjectId object, const Site& site) {
  Word& mutex = atomics_[object - 1];
  if (!InThreads()) {
    if (mutex != 0) Fail(FailureKind::kDeadlock, "a wait outside the threads", site);
    mutex = 1;
    return;
  }
  if (lane().held.contains(object)) {
    Fail(FailureKind::kMutexMisuse, "a thread locks a mutex that it holds", site);
  }
  const Word value = Read({false, object}, mutex, site, false);
  const bool locks = value == 0;
  Event& event = Add(locks ? Event::Kind::kUpdate : Event::Kind::kRead, object,
                     locks ? std::memory_order::acquire : std::memory_order::relaxed, site);
  event.call = OperationKind::kLock;
  event.read = value;
  if (!locks) Block(false);
  event.written = 1;
  lane().own[{false, object}] = 1;
  lane().held.insert(object);
}

// A try that fails may find a lock that is free by now, or fail without a reason, once in a thread.
bool BufferingMachine::TryLock(ObjectId object, const Site& site) {
  Word& mutex = atomics_[object - 1];
  if (!InThreads()) return std::exchange(mutex, 1) == 0;
  Lane& own = lane();
  if (own.held.contains(object)) {
    Fail(FailureKind::kMutexMisuse, "a thread locks a mutex that it holds", site);
  }
  const Word value = Read({false, object}, mutex, site);
  bool locks = value == 0;
  if (locks && own.may_try_in_vain && Answer({.choices = 2}) != 0) {
    own.may_try_in_vain = false;
    locks = false;
  }
  Event& event = Add(locks ? Event::Kind::kUpdate : Event::Kind::kRead, object,
                     locks ? std::memory_order::acquire : std::memory_order::relaxed, site);
  event.call = OperationKind::kTryLock;
  event.read = value;
  if (!locks) return false;
  event.written = 1;
  own.own[{false, object}] = 1;
  own.held.insert(object);
  return true;
}

void BufferingMachine::Unlock(ObjectId object, const Site& site) {
  if (!InThreads()) {
    atomics_[object - 1] = 0;
    return;
  }
  if (lane().held.erase(object) == 0) {
    Fail(FailureKind::kMutexMisuse, "a thread unlocks a mutex that it does not hold", site);
  }
  Store(object, 0, std::memory_order::release, site);
  lane().run.events.back().call = OperationKind::kUnlock;
}

// --- condition variables ---

void BufferingMachine::WaitCondition(ObjectId object, ObjectId mutex, const Site& site) {
  if (!InThreads()) Fail(FailureKind::kDeadlock, "a wait outside the threads", site);
  Unlock(mutex, site);
  Lane& own = lane();
  enum : Word { kNotified, kForEver, kSpurious };
  const Word how = Answer({.choices = own.may_wake_spuriously ? 3u : 2u});
  own.run.sleeps.push_back({.object = object,
                            .place = own.run.events.size() - 1,
                            .is_condition = true,
                            .spurious = how == kSpurious});
  if (how == kForEver) Block(true);
  if (how == kSpurious) own.may_wake_spuriously = false;
  Lock(mutex, site);
}

void BufferingMachine::NotifyCondition(ObjectId object, bool all, const Site& site) {
  Notify(object, all, site);
}

}  // namespace nowait::model::buffering
