// Threads that sleep: spurious and lost wake-ups, and the results of a try_lock.
#include <vector>

#include "models/kit/litmus/litmus.h"
#include "models/kit/litmus/orders.h"

namespace nowait::model {
namespace {

void MakeReady(Cells& c) {
  c.mutex.lock();
  c.data.set(1);
  c.changed.notify_all();
  c.mutex.unlock();
}

// Thread 0 stores and wakes one of two waiting threads; thread 1 wakes the other once it is awake.
template <Order kStore, Order kWait>
LitmusTest PassedOnNotification(const char* name, const char* says, Cxx20 cxx20) {
  return {.name = name,
          .says = says,
          .threads = {[](Cells& c) {
                        c.x.store(1, kStore);
                        c.x.notify_one();
                      },
                      [](Cells& c) {
                        c.x.wait(0, kWait);
                        c.x.notify_one();
                      },
                      [](Cells& c) {
                        c.x.wait(0, kWait);
                        c.x.notify_one();
                      }},
          .asked = "a thread sleeps for ever",
          .failure = FailureKind::kDeadlock,
          .cxx20 = cxx20,
          .source = "[atomics.wait] 4, eligible to be unblocked"};
}

}  // namespace

std::vector<LitmusTest> BlockingTests() {
  return {
      {.name = "Mutex",
       .says = "plain data under a mutex",
       .threads = {[](Cells& c) {
                     c.mutex.lock();
                     c.data.set(c.data.get() + 1);
                     c.mutex.unlock();
                   },
                   [](Cells& c) {
                     c.mutex.lock();
                     c.data.set(c.data.get() + 1);
                     c.mutex.unlock();
                   }},
       .asked = "a data race",
       .failure = FailureKind::kDataRace,
       .cxx20 = Cxx20::kForbidden,
       .source = "[thread.mutex.requirements.mutex] 5 and 25"},
      {.name = "TryLock+spurious",
       .says = "a try_lock fails although no thread has the mutex",
       .threads = {[](Cells& c) {
                     c.r[0] = c.mutex.try_lock() ? 0 : 1;
                     if (c.r[0] == 0) c.mutex.unlock();
                   },
                   [](Cells& c) { c.y.store(1, rlx); }},
       .asked = "it fails",
       .outcome = [](const Cells& c) { return c.r[0] == 1; },
       .cxx20 = Cxx20::kAllowed,
       .source = "[thread.mutex.requirements.mutex] 16"},
      {.name = "TryLock+twice",
       .says = "two try_locks in a row fail although no thread has the mutex",
       .threads = {[](Cells& c) {
                     for (int i = 0; i < 2; ++i) {
                       if (c.mutex.try_lock()) {
                         c.mutex.unlock();
                       } else {
                         ++c.r[0];
                       }
                     }
                   },
                   [](Cells& c) { c.y.store(1, rlx); }},
       .asked = "both fail",
       .outcome = [](const Cells& c) { return c.r[0] == 2; },
       .cxx20 = Cxx20::kAllowed,
       .source = "[thread.mutex.requirements.mutex] 16"},
      {.name = "CV+spurious",
       .says = "a wait on a condition variable returns without a notification",
       .threads = {MakeReady,
                   [](Cells& c) {
                     c.mutex.lock();
                     if (c.data.get() == 0) {
                       c.changed.wait(c.mutex);
                       c.r[0] = c.data.get() == 0 ? 1 : 0;
                     }
                     c.mutex.unlock();
                   }},
       .asked = "it returns before the condition is true",
       .outcome = [](const Cells& c) { return c.r[0] == 1; },
       .cxx20 = Cxx20::kAllowed,
       .source = "[thread.condition.condvar] 8: unblocked spuriously"},
      {.name = "CV+spurious+twice",
       .says = "a wait on a condition variable returns twice without a notification",
       .threads = {MakeReady,
                   [](Cells& c) {
                     c.mutex.lock();
                     while (c.data.get() == 0) {
                       c.changed.wait(c.mutex);
                       if (c.data.get() == 0) ++c.r[0];
                     }
                     c.mutex.unlock();
                   }},
       .asked = "it returns twice before the condition is true",
       .outcome = [](const Cells& c) { return c.r[0] == 2; },
       .cxx20 = Cxx20::kAllowed,
       .source = "[thread.condition.condvar] 8: unblocked spuriously"},
      {.name = "CV+lost",
       .says = "a notification without the mutex falls between the look and the sleep",
       .threads = {[](Cells& c) {
                     c.x.store(1, rel);
                     c.changed.notify_one();
                   },
                   [](Cells& c) {
                     c.mutex.lock();
                     while (c.x.load(acq) == 0) c.changed.wait(c.mutex);
                     c.mutex.unlock();
                   }},
       .asked = "the waiter sleeps for ever",
       .failure = FailureKind::kDeadlock,
       .cxx20 = Cxx20::kAllowed,
       .source = "[thread.condition.condvar] 5: one that is blocked, if there is one"},
      {.name = "CV+held",
       .says = "the same with the mutex held: wait unlocks it and sleeps in one step",
       .threads = {MakeReady,
                   [](Cells& c) {
                     c.mutex.lock();
                     while (c.data.get() == 0) c.changed.wait(c.mutex);
                     c.mutex.unlock();
                   }},
       .asked = "the waiter sleeps for ever",
       .failure = FailureKind::kDeadlock,
       .cxx20 = Cxx20::kForbidden,
       .source =
           "[thread.condition.condvar] 8: unlocks and blocks atomically; [thread.condition] 4"},
      {.name = "Wait+value",
       .says = "atomic wait returns only when the value has changed, whatever wakes it",
       .threads = {[](Cells& c) {
                     c.x.notify_all();
                     c.x.store(1, rel);
                     c.x.notify_all();
                   },
                   [](Cells& c) {
                     c.x.wait(0, acq);
                     c.r[0] = c.x.load(rlx);
                   }},
       .asked = "it returns, and the old value is read",
       .outcome = [](const Cells& c) { return c.r[0] == 0; },
       .cxx20 = Cxx20::kForbidden,
       .source = "[atomics.types.operations] 30, wait; [intro.races] 16"},
      PassedOnNotification<rel, acq>("Notify+acq", "a thread that is woken wakes the next",
                                     Cxx20::kForbidden),
      PassedOnNotification<rlx, rlx>("Notify+rlx",
                                     "the same, by a thread that has seen the change only relaxed",
                                     Cxx20::kAllowed),
  };
}

}  // namespace nowait::model
