// SharedPart: one part in something, shared by all threads that have no part of their own, one at a
// time.
//
//   SharedPart<> guests;
//   guests.Run(Present(), [&] { return Presence(pool, last); },
//              [&](Thread& thread) { return scheduler.CompleteExternal(thread, task); });
//
// A thread that acts in a task pool needs a part in it: a number, free slots, counts, a lane. A
// thread that has not registered may do one thing only, answer for an external task, and shares one
// part for that with all others of its kind. While it answers it is present like other threads. The
// answer may call a hand-over or a report on the same thread, which answers for another task: that
// call uses the present part, not the lock, which the thread has.
//
// Thread safety: any thread, any time.
// Progress: blocking. The lock is held during the call and everything that it calls.
//
// Invariants
//   1. The shared presence begins and ends while the lock is held.
//   2. A thread that is present does not ask for the lock.
//
// Promise: of the calls of threads that were not present, each happens before the next, from the
// beginning of its presence to the end.
//
// Source: devised here. Model: models/jobs/guest_answers. Lecture: dependencies, helping waits,
// devices.
#ifndef NOWAIT_SRC_JOBS_SHARED_PART_H_
#define NOWAIT_SRC_JOBS_SHARED_PART_H_

#include "src/sync/policy.h"
#include "src/sync/scoped_lock.h"

namespace nowait {

template <class Sync = EngineSync>
class SharedPart {
 public:
  // Returns call(part). present: the calling thread's presence, or null. enter(): the shared
  // presence, which ends with its destructor. The part of a presence is its `thread`.
  template <class Present, class Enter, class Call>
  auto Run(const Present* present, const Enter& enter, const Call& call) {
    if (present != nullptr) return call(present->thread);
    const ScopedLock lock(mutex_);
    const Present shared = enter();
    return call(shared.thread);
  }

  // Returns when the shared presences that have begun are over. By a thread that is in none.
  void Await() { const ScopedLock lock(mutex_); }

 private:
  typename Sync::mutex mutex_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_SHARED_PART_H_
