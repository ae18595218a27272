// EventCount: sleep until a condition may have become true, without losing the wake-up.
//
// A condition here is anything that other threads make true with atomics ("a list has jobs"). The
// sleeper looks, announces itself, looks again, and only then sleeps. The waker makes the condition
// true first and notifies second:
//
//   sleeper                                    waker
//     while (!ready()) {                         make ready() true
//       auto key = events.PrepareWait();         events.NotifyAll();
//       if (ready()) break;
//       events.Wait(key);
//     }
//
// Thread safety: every function from any thread, any time.
// Progress: NotifyAll is lock-free (and makes no system call when no thread sleeps). PrepareWait is
// wait-free up to the hardware's fetch_or, Epoch is wait-free. Wait blocks.
//
// Promise: if NotifyAll happens after a condition was made true, no thread stays in Wait because it
// has not seen the change. Wait may return for another condition that shares the event count, hence
// the loop.
//
// Source: [sanglard2013], idSysSignal (Raise, Wait), as the event count of [reed1979]. Model:
// models/sync/event_count. Lecture: sleeping and waking.
#ifndef NOWAIT_SRC_SYNC_EVENT_COUNT_H_
#define NOWAIT_SRC_SYNC_EVENT_COUNT_H_

#include <atomic>
#include <cstdint>

#include "src/base/assert.h"
#include "src/sync/held_locks.h"
#include "src/sync/policy.h"

namespace nowait {

template <class Sync = EngineSync>
class EventCount {
 public:
  using Key = std::uint32_t;

  // Announces that the caller may sleep. The caller must test the condition again between this call
  // and Wait. A caller that then does not wait need not call anything; it costs the next notifier
  // one futile wake-up.
  Key PrepareWait() {
    // acquire: pairs with the release in NotifyAll, for the second look. A read-modify-write: it
    // keeps the release sequence of earlier notifications whole, and either this call sees a
    // notification or the notification sees this call.
    return state_.fetch_or(kSleepers, std::memory_order::acquire) | kSleepers;
  }

  // Sleeps unless a notification has come since `key` was given.
  void Wait(Key key) {
    NOWAIT_ASSERT(HoldsNoLock<Sync>(), "no lock is held across a wait");
    // acquire: pairs with the release in NotifyAll: the writes that made the condition true.
    state_.wait(key, std::memory_order::acquire);
  }

  // Wakes every thread that announced itself before this call.
  void NotifyAll() {
    Key state = state_.load(std::memory_order::relaxed);
    // release: pairs with the acquires in PrepareWait and Wait. Not acquire: a notifier learns
    // nothing of the sleepers except their presence. Failure relaxed: only the next attempt uses
    // the value.
    while (!state_.compare_exchange_retry(state, (state | kSleepers) + 1,
                                          std::memory_order::release, std::memory_order::relaxed)) {
    }
    if ((state & kSleepers) != 0) state_.notify_all();
  }

  // The key that PrepareWait would return now, without an announcement. It changes with each
  // notification. It is a hint that another look may be worthwhile, and orders nothing.
  Key Epoch() const { return state_.load(std::memory_order::relaxed) | kSleepers; }

  // Returns once `ready()` has returned true to this thread.
  template <class Condition>
  void Await(Condition ready) {
    NOWAIT_ASSERT(HoldsNoLock<Sync>(), "no lock is held across a wait");
    while (!ready()) {
      const Key key = PrepareWait();
      if (ready()) return;
      Wait(key);
    }
  }

 private:
  static constexpr Key kSleepers = 1;

  typename Sync::template atomic<Key> state_{0};
};

// Implementation: why this is right
//
// Invariants
//   1. state_ is epoch * 2 + sleepers. `sleepers` is 1 when a thread may sleep on this epoch.
//   2. state_ changes only by read-modify-writes: all announcements and notifications lie in one
//      total order, the modification order of state_. An announcement that lies before a
//      notification makes that notification see sleepers = 1 and wake. One that lies after it reads
//      from a release sequence that the notification heads, and the second look sees the condition
//      true. There is no third case: a wake-up cannot be lost, and no seq_cst is needed.
//
// PrepareWait, Wait, NotifyAll and Epoch are linearizable over happens-before
// (models/kit/scenario/linearizability.h): Wait returns only when a NotifyAll has come since its
// PrepareWait, and Epoch differs from PrepareWait's key exactly then.
//
// Bound: a sleeper that is delayed between PrepareWait and Wait for exactly 2^31 notifications
// would take the new epoch for its own.

}  // namespace nowait

#endif  // NOWAIT_SRC_SYNC_EVENT_COUNT_H_
