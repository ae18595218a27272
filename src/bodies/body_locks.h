// BodyLocks: a few reader-writer locks that all bodies share.
//
// A body has too much state to change it atomically, and a lock for each body would cost more
// memory than it is worth: two threads that want different bodies seldom meet if there are several
// dozen locks. A body's slot chooses its lock, and neighbours in storage have different ones.
//
// Lock order: a thread that holds a lock may take another only if it has a higher index. The scopes
// for several bodies below keep this order; debug builds assert it. A thread holds locks of one
// BodyLocks at a time, and no lock when it waits for work or helps (src/sync/held_locks.h).
//
// Thread safety: any thread. Readers of different bodies never wait for each other.
// Progress: blocking.
//
// Invariants
//   1. A thread that waits for a lock holds only locks of a lower index. Of all threads that hold
//      or wait, the holder of the highest lock therefore waits for no thread that waits for it: no
//      deadlock.
//   2. A scope takes each lock once, however many of its bodies share it.
//
// Promise: a thread that writes a body under its scope is alone with it; readers see whole bodies.
//
// Source: [rouwe2022], "Quad tree - collision query" (32 locks). Model:
// models/bodies/body_locks.cc.
// Lecture: body locks.
#ifndef NOWAIT_SRC_BODIES_BODY_LOCKS_H_
#define NOWAIT_SRC_BODIES_BODY_LOCKS_H_

#include <bitset>
#include <cstdint>

#include "src/base/assert.h"
#include "src/profile/profile.h"
#include "src/sync/held_locks.h"
#include "src/sync/policy.h"
#include "src/sync/rw_lock.h"

namespace nowait {

// The name of the span of a wait; it is about the index of the lock.
inline constexpr char kBodyLockWait[] = "wait for body lock";

// Checks the lock order of the calling thread; in release builds it only counts.
class AscendingOrder {
 public:
  static void NoteLock(std::uint32_t index, bool writes) {
    HeldLocks& held = HeldLocks::OfThisThread();
    NOWAIT_ASSERT(held.ordered == 0 || index > held.highest,
                  "body locks are taken in ascending order of their index");
    ++held.ordered;
    held.highest = index;
    held.writes = writes;
  }
  static void NoteUnlock() { --HeldLocks::OfThisThread().ordered; }
  // Exact for a thread that holds one lock, as every thread does that changes single bodies.
  static bool HoldsForWriting(std::uint32_t index) {
    const HeldLocks& held = HeldLocks::OfThisThread();
    return held.writes &&
           (held.ordered == 1 ? index == held.highest : held.ordered != 0 && index <= held.highest);
  }
};

// Order: see AscendingOrder. The models' threads are not the operating system's; their Order checks
// nothing, and a wrong order is found as the deadlock that it causes.
template <class Sync = EngineSync, class Order = AscendingOrder, class Clock = EngineSync::clock>
class BodyLocksOf {
 public:
  using Site = typename Sync::Site;
  static constexpr std::uint32_t kMaxLocks = 1024;
  using Set = std::bitset<kMaxLocks>;

  // count: 1 .. kMaxLocks.
  explicit BodyLocksOf(std::uint32_t count) : locks_(count) {}

  std::uint32_t count() const { return static_cast<std::uint32_t>(locks_.size()); }
  // id: a BodyId or a ProxyId, here and in the scopes below.
  template <class Id>
  std::uint32_t IndexOf(Id id) const {
    return id.slot() % count();
  }

  // For assertions: whether the calling thread holds the body's lock for writing.
  template <class Id>
  bool AreHeldFor(Id id) const {
    return Order::HoldsForWriting(IndexOf(id));
  }

  // A wait that the caller had to make is a span in its lane, and names the lock.
  void LockReadAt(std::uint32_t index, WaitTime& wait, Site site = Site::current()) {
    Order::NoteLock(index, false);
    const WaitTime before = wait;
    locks_[index].lock.LockRead(wait, site);
    NoteWait(index, before, wait);
  }
  void UnlockReadAt(std::uint32_t index) {
    locks_[index].lock.UnlockRead();
    Order::NoteUnlock();
  }
  void LockWriteAt(std::uint32_t index, WaitTime& wait, Site site = Site::current()) {
    Order::NoteLock(index, true);
    const WaitTime before = wait;
    locks_[index].lock.LockWrite(wait, site);
    NoteWait(index, before, wait);
  }
  void UnlockWriteAt(std::uint32_t index) {
    locks_[index].lock.UnlockWrite();
    Order::NoteUnlock();
  }

 private:
  static void NoteWait(std::uint32_t index, const WaitTime& before, const WaitTime& after) {
    if (after.contended == before.contended) [[likely]]
      return;
    ProfileWaited(kBodyLockWait, after.waited - before.waited, index);
  }

  // A cache line each: taking one lock must not slow down its neighbours.
  struct alignas(64) Padded {
    RwLock<Clock, Sync> lock;
  };

  SyncArray<Sync, Padded> locks_;
};
using BodyLocks = BodyLocksOf<>;

// Holds the lock of one body for reading.
template <class Locks>
class BodyReadScopeOf {
 public:
  using Site = typename Locks::Site;

  template <class Id>
  BodyReadScopeOf(Locks& locks, Id id, WaitTime& wait, Site site = Site::current())
      : locks_(locks), index_(locks.IndexOf(id)) {
    locks_.LockReadAt(index_, wait, site);
  }
  ~BodyReadScopeOf() { locks_.UnlockReadAt(index_); }
  BodyReadScopeOf(const BodyReadScopeOf&) = delete;
  BodyReadScopeOf& operator=(const BodyReadScopeOf&) = delete;

 private:
  Locks& locks_;
  std::uint32_t index_;
};
using BodyReadScope = BodyReadScopeOf<BodyLocks>;

// Holds the lock of one body for writing.
template <class Locks>
class BodyWriteScopeOf {
 public:
  using Site = typename Locks::Site;

  template <class Id>
  BodyWriteScopeOf(Locks& locks, Id id, WaitTime& wait, Site site = Site::current())
      : locks_(locks), index_(locks.IndexOf(id)) {
    locks_.LockWriteAt(index_, wait, site);
  }
  ~BodyWriteScopeOf() { locks_.UnlockWriteAt(index_); }
  BodyWriteScopeOf(const BodyWriteScopeOf&) = delete;
  BodyWriteScopeOf& operator=(const BodyWriteScopeOf&) = delete;

 private:
  Locks& locks_;
  std::uint32_t index_;
};
using BodyWriteScope = BodyWriteScopeOf<BodyLocks>;

// Holds the locks of several or all bodies for writing; takes each lock once, by index. It tests
// every lock's bit, which is costly for a single body. World takes one lock at a time
// (world_state.h). This scope is for a game's data behind locks of its own, such as a transfer
// between two bodies (tests/stress/open_world_stress.cc).
template <class Locks>
class BodiesWriteScopeOf {
 public:
  template <class Ids>
  BodiesWriteScopeOf(Locks& locks, const Ids& ids, WaitTime& wait) : locks_(locks) {
    for (const auto id : ids) held_.set(locks.IndexOf(id));
    LockHeld(wait);
  }
  static BodiesWriteScopeOf All(Locks& locks, WaitTime& wait) { return {locks, wait}; }
  ~BodiesWriteScopeOf() {
    for (std::uint32_t i = locks_.count(); i-- > 0;) {
      if (held_[i]) locks_.UnlockWriteAt(i);
    }
  }
  BodiesWriteScopeOf(const BodiesWriteScopeOf&) = delete;
  BodiesWriteScopeOf& operator=(const BodiesWriteScopeOf&) = delete;

 private:
  BodiesWriteScopeOf(Locks& locks, WaitTime& wait) : locks_(locks) {
    for (std::uint32_t i = 0; i < locks.count(); ++i) held_.set(i);
    LockHeld(wait);
  }
  // In the order of index, whatever the order of the bodies (invariant 1).
  void LockHeld(WaitTime& wait) {
    for (std::uint32_t i = 0; i < locks_.count(); ++i) {
      if (held_[i]) locks_.LockWriteAt(i, wait);
    }
  }

  Locks& locks_;
  typename Locks::Set held_;
};
using BodiesWriteScope = BodiesWriteScopeOf<BodyLocks>;

}  // namespace nowait

#endif  // NOWAIT_SRC_BODIES_BODY_LOCKS_H_
