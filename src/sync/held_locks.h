// HeldLocks: how many of the engine's locks the calling thread holds.
//
// A thread that waits for the work of others, or helps with it meanwhile, holds no lock of the
// engine. The awaited work may need that very lock, and so may the work that the thread helps with,
// such as a query: that would be a deadlock. Every place where a thread begins to wait or to help
// asserts this, even if the thread need not sleep there. Each run can therefore reveal the error:
//
//   NOWAIT_ASSERT(HoldsNoLock<Sync>(), "no lock is held across a wait");
//
// A thread that waits for a lock may hold others, in their order (src/bodies/body_locks.h).
//
// An update of game objects (src/game/transaction.h) counts as a lock: it may own objects, and it
// may be run again. Functions that an update must not call assert !InUpdate<Sync>().
//
// Thread safety: each thread has its own counts.
// Cost: body locks and updates are counted in every build, the policy's mutexes (scoped_lock.h)
// only in builds with assertions. Without assertions HoldsNoLock is not evaluated. Limits: a mutex
// that is locked without ScopedLock is not counted, and neither are the locks of a model's threads.
#ifndef NOWAIT_SRC_SYNC_HELD_LOCKS_H_
#define NOWAIT_SRC_SYNC_HELD_LOCKS_H_

#include <cstdint>
#include <type_traits>

#include "src/sync/policy.h"

namespace nowait {

struct HeldLocks {
  std::uint32_t scoped = 0;   // by ScopedLock
  std::uint32_t ordered = 0;  // body locks
  std::uint32_t highest = 0;  // the index of the body lock that was taken last, if any
  bool writes = false;        // whether that lock was taken for writing
  bool in_update = false;     // of game objects

  static HeldLocks& OfThisThread() { return EngineSync::PerThread<HeldLocks, HeldLocks>(); }
};

#ifdef NDEBUG
inline constexpr bool kMutexesAreCounted = false;
#else
inline constexpr bool kMutexesAreCounted = true;
#endif

// Sync: the caller's policy. A model's threads are not the operating system's, and are not counted
// here. If they hold a lock across a wait, the model finds the deadlock that this causes.
template <class Sync>
bool HoldsNoLock() {
  if constexpr (std::is_same_v<Sync, EngineSync>) {
    const HeldLocks& held = HeldLocks::OfThisThread();
    return held.scoped == 0 && held.ordered == 0 && !held.in_update;
  }
  return true;
}

// Whether the calling thread is inside an update of game objects. A model's threads never are.
template <class Sync>
bool InUpdate() {
  if constexpr (std::is_same_v<Sync, EngineSync>) return HeldLocks::OfThisThread().in_update;
  return false;
}

}  // namespace nowait

#endif  // NOWAIT_SRC_SYNC_HELD_LOCKS_H_
