// WorkEvents: the event count of a scheduler, which wakes one idle worker at a time.
//
//   idle worker                                   another thread
//     auto key = events.PrepareIdle();              make tasks ready
//     while (no work is found) {                    events.NotifyWork();
//       events.WaitIdle(key);
//       key = events.PrepareAgain();              NotifyAll      wakes every sleeper
//     }                                           NotifyWork     wakes every waiter, and an idle
//     events.EndIdle();                                          worker unless one is on its way
//     if (work is left) events.NotifyWork();      NotifyWaiters  wakes every waiter
//
// A waiter sleeps until its own task is complete, likewise (PrepareWait, Wait, PrepareWaitAgain,
// EndWait), and each event may concern it. Work is for any worker: one is woken, and wakes the next
// if more is left.
//
// Thread safety: every function from any thread, any time; at most 32,767 threads of a kind.
// Progress: the waits block. All else is wait-free up to the hardware's read-modify-writes. A
// system call is made only if a thread has announced itself.
//
// Promise: as EventCount (src/sync/event_count.h), for each call and the sleepers that it wakes.
// While idle workers sleep and there is work, a worker is awake that looks for it.
//
// Source: [reed1979]; a chain of wake-ups is known from thread pools. Model:
// models/jobs/work_events. Lecture: sleeping and waking.
#ifndef NOWAIT_SRC_JOBS_WORK_EVENTS_H_
#define NOWAIT_SRC_JOBS_WORK_EVENTS_H_

#include <atomic>
#include <cstdint>

#include "src/base/assert.h"
#include "src/sync/held_locks.h"
#include "src/sync/policy.h"

namespace nowait {

template <class Sync = EngineSync>
class WorkEvents {
 public:
  using Key = std::uint32_t;

  WorkEvents() = default;
  ~WorkEvents() {
    [[maybe_unused]] const std::uint64_t state = state_.load(std::memory_order::relaxed);
    NOWAIT_ASSERT((state & (kWaiters | kIdles)) == 0, "each thread has ended its announcement");
  }
  WorkEvents(const WorkEvents&) = delete;
  WorkEvents& operator=(const WorkEvents&) = delete;

  // Announces that the caller may sleep. The caller must look for its event again between this call
  // and Wait, and call EndWait after the look or the sleep.
  Key PrepareWait() {
    const Key key = KeyOf(waiter_bell_);
    // acquire: pairs with the release in Notify, for the second look. A read-modify-write: either
    // this call sees a notification or the notification sees this call.
    state_.fetch_add(kWaiter, std::memory_order::acquire);
    return key;
  }

  // Sleeps unless a notification has come since `key` was given.
  void Wait(Key key) { Sleep(waiter_bell_, key); }

  // After Wait, before another look. The announcement stands.
  Key PrepareWaitAgain() { return KeyOf(waiter_bell_); }

  // relaxed: a notification that still counts this thread rings in vain.
  void EndWait() { state_.fetch_sub(kWaiter, std::memory_order::relaxed); }

  // As PrepareWait and Wait, for a worker that has no work.
  Key PrepareIdle() {
    const Key key = KeyOf(idle_bell_);
    // acquire: as in PrepareWait.
    const std::uint64_t state = state_.fetch_add(kIdle, std::memory_order::acquire);
    if ((state & kOnItsWay) != 0) TakeOver();
    return key;
  }
  void WaitIdle(Key key) { Sleep(idle_bell_, key); }

  // After WaitIdle, before another look.
  Key PrepareAgain() {
    const Key key = KeyOf(idle_bell_);
    TakeOver();
    return key;
  }

  // The caller has found work, or leaves for ever. Afterwards it must call NotifyWork if more work
  // is there than it has taken: other calls may have relied on it.
  void EndIdle() {
    // relaxed: as in EndWait. A flag that is set because of this thread is cleared by a worker that
    // the ring wakes, or by the next one that announces itself.
    state_.fetch_sub(kIdle, std::memory_order::relaxed);
  }

  void NotifyAll() {
    if ((Notify() & (kWaiters | kIdles)) != 0) [[unlikely]]
      RingAll();
  }
  void NotifyWork() {
    const std::uint64_t state = Notify();
    if ((state & (kWaiters | kIdles)) != 0) [[unlikely]]
      RingForWork(state);
  }
  void NotifyWaiters() {
    if ((Notify() & kWaiters) != 0) [[unlikely]]
      RingForWaiters();
  }

  // It changes with each notification. It is a hint that another look may be worthwhile, and orders
  // nothing.
  Key Epoch() const {
    return static_cast<Key>(state_.load(std::memory_order::relaxed) >> kEpochShift);
  }

 private:
  using Bell = typename Sync::template atomic<Key>;

  static constexpr int kEpochShift = 32;
  static constexpr std::uint64_t kEpoch = std::uint64_t{1} << kEpochShift;
  static constexpr std::uint64_t kWaiter = 1, kWaiters = 0x7fff;
  static constexpr std::uint64_t kIdle = 1 << 16, kIdles = kWaiters << 16;
  static constexpr std::uint64_t kOnItsWay = std::uint64_t{1} << 31;

  // acquire: pairs with the release in Ring: see Keys.
  static Key KeyOf(const Bell& bell) { return bell.load(std::memory_order::acquire); }
  // The caller looks for work from here on, in place of the worker on its way.
  void TakeOver() {
    // acquire: pairs with the release in Notify: the work of calls that have found the flag set.
    // release: pairs with the acquire in RingForWork: see Which one is woken.
    state_.fetch_and(~kOnItsWay, std::memory_order::acq_rel);
  }
  void Sleep(Bell& bell, Key key) {
    NOWAIT_ASSERT(HoldsNoLock<Sync>(), "no lock is held across a wait");
    // relaxed: the thread reads a new key before another look.
    bell.wait(key, std::memory_order::relaxed);
  }

  // Returns the state that it has found.
  std::uint64_t Notify() {
    // release: pairs with the acquires of the announcements. Not acquire: a notifier learns nothing
    // of the sleepers except their presence.
    return state_.fetch_add(kEpoch, std::memory_order::release);
  }
  // release: pairs with the acquire in KeyOf.
  static void Ring(Bell& bell) { bell.fetch_add(1, std::memory_order::release); }

  [[gnu::noinline]] void RingForWaiters() {
    Ring(waiter_bell_);
    waiter_bell_.notify_all();
  }
  [[gnu::noinline]] void RingAll() {
    RingForWaiters();
    Ring(idle_bell_);
    idle_bell_.notify_all();
  }
  // state: as the notification has found it.
  [[gnu::noinline]] void RingForWork(std::uint64_t state) {
    if ((state & kWaiters) != 0) RingForWaiters();
    if ((state & kIdles) == 0 || (state & kOnItsWay) != 0) return;
    // acquire: pairs with the release in TakeOver: see Which one is woken.
    if ((state_.fetch_or(kOnItsWay, std::memory_order::acquire) & kOnItsWay) != 0) return;
    Ring(idle_bell_);
    idle_bell_.notify_one();
  }

  // Each notification writes the state, and most find no sleeper: the bells are on another line.
  alignas(64) typename Sync::template atomic<std::uint64_t> state_{0};
  alignas(64) Bell waiter_bell_{0};
  Bell idle_bell_{0};
};

// Implementation: why this is right
//
// Invariants
//   1. state_ is, from below: waiters, 0, idle workers, whether one is on its way, epoch. The two
//      counts are those of the threads that have announced themselves and not ended that. A bell's
//      number grows with each ring.
//   2. state_ changes only by read-modify-writes: all announcements and notifications lie in one
//      total order, the modification order of state_. An announcement that lies before a
//      notification makes that notification see it. One that lies after it reads from a release
//      sequence that the notification heads, and the look that follows sees what came before the
//      notification. There is no third case. PrepareAgain is an announcement in this sense.
//   3. A worker that clears the flag looks for work afterwards, before it sleeps.
//
// Keys. A thread that announces itself before a notification has read its key before that
// notification's ring: had it read the number that the ring wrote, the ring, and with it the
// notification, would happen before the announcement. So the key is an old one once the ring has
// come, and Wait returns or is notified. A waiter that stays announced is counted, so that each
// notification rings. Where its new key has the number of that ring, or of a later one, the ring
// happens before the look that follows. Otherwise the key is an old one, once more.
//
// Why no work is left. Take work, the NotifyWork that follows it, and a worker that has announced
// itself before that call and sleeps. The flag is set after that call, or was set already.
//   - It is cleared afterwards. The call that has set it rings. The sleeper then has an old key, as
//     each worker that has announced itself before the flag was set. One of them is woken and
//     announces itself again, which clears the flag; or it is a worker that has announced itself
//     since, and has cleared it by that.
//   - The worker that clears it reads from the release sequence of the call, and looks (3). If it
//     finds nothing, another thread has taken the work, or a push that is not finished hides it,
//     whose own notification is still to come. If it finds some, it ends its announcement, asks
//     whether more is left, and in that case calls NotifyWork itself. The same is true of that
//     call. The chain ends when nothing is left, or no worker sleeps.
//
// Which one is woken. By the letter of [atomics.wait], notify_one may unblock a wait that has
// returned already, unless that wait happens before it. Therefore a worker releases as it announces
// itself again after a wait, and the call that sets the flag acquires. An implementation may
// also wake a worker that has read the new number, and sleeps on: that worker has announced itself
// after the flag was set. Therefore PrepareIdle clears the flag, too.
//
// One that is on its way may get no processor for a while. Until then no other one is woken.
//
// Bound: a sleeper that is delayed between its announcement and its wait for exactly 2^32 rings of
// its bell would take the new number for its own.

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_WORK_EVENTS_H_
