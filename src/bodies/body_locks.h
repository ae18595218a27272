// BodyLocks: a few reader-writer locks that all bodies share.
//
// A body has too much state to change it atomically, and a lock a body would cost more memory than
// it helps: two threads that want different bodies seldom meet when there are some dozens of locks.
// A body's lock is chosen by its slot, so neighbours in storage have different ones.
//
// Lock order: a thread that holds a lock may take another one only if that has a higher index. The
// scopes for several bodies below do that by themselves; debug builds assert it. A thread holds
// locks of one BodyLocks at a time.
//
// Thread safety: any thread. Blocking. Readers of different bodies never wait for each other.
//
// Source: the talk, "Quad tree - collision query" (32 locks). Lecture: body locks.
#ifndef NOWAIT_SRC_BODIES_BODY_LOCKS_H_
#define NOWAIT_SRC_BODIES_BODY_LOCKS_H_

#include <bitset>
#include <cstdint>
#include <span>
#include <vector>

#include "src/bodies/body_id.h"
#include "src/sync/rw_lock.h"

namespace nowait {

class BodyLocks {
 public:
  static constexpr std::uint32_t kMaxLocks = 1024;
  using Set = std::bitset<kMaxLocks>;

  // count: 1 .. kMaxLocks.
  explicit BodyLocks(std::uint32_t count) : locks_(count) {}

  std::uint32_t count() const { return static_cast<std::uint32_t>(locks_.size()); }
  std::uint32_t IndexOf(BodyId id) const { return id.slot() % count(); }

  void LockRead(std::uint32_t index, WaitTime& wait);
  void UnlockRead(std::uint32_t index);
  void LockWrite(std::uint32_t index, WaitTime& wait);
  void UnlockWrite(std::uint32_t index);

 private:
  // A cache line each: taking one lock must not slow down its neighbours.
  struct alignas(64) Padded {
    RwLock<> lock;
  };

  std::vector<Padded> locks_;
};

// Holds the lock of one body for reading.
class BodyReadScope {
 public:
  BodyReadScope(BodyLocks& locks, BodyId id, WaitTime& wait)
      : locks_(locks), index_(locks.IndexOf(id)) {
    locks_.LockRead(index_, wait);
  }
  ~BodyReadScope() { locks_.UnlockRead(index_); }
  BodyReadScope(const BodyReadScope&) = delete;
  BodyReadScope& operator=(const BodyReadScope&) = delete;

 private:
  BodyLocks& locks_;
  std::uint32_t index_;
};

// Holds the lock of one body for writing.
class BodyWriteScope {
 public:
  BodyWriteScope(BodyLocks& locks, BodyId id, WaitTime& wait)
      : locks_(locks), index_(locks.IndexOf(id)) {
    locks_.LockWrite(index_, wait);
  }
  ~BodyWriteScope() { locks_.UnlockWrite(index_); }
  BodyWriteScope(const BodyWriteScope&) = delete;
  BodyWriteScope& operator=(const BodyWriteScope&) = delete;

 private:
  BodyLocks& locks_;
  std::uint32_t index_;
};

// Holds the locks of several or all bodies for writing; takes each lock once, by index. Looks at
// every lock's bit, which is much for a single body.
class BodiesWriteScope {
 public:
  BodiesWriteScope(BodyLocks& locks, std::span<const BodyId> ids, WaitTime& wait);
  static BodiesWriteScope All(BodyLocks& locks, WaitTime& wait) { return {locks, wait}; }
  ~BodiesWriteScope();
  BodiesWriteScope(const BodiesWriteScope&) = delete;
  BodiesWriteScope& operator=(const BodiesWriteScope&) = delete;

 private:
  BodiesWriteScope(BodyLocks& locks, WaitTime& wait);
  void LockHeld(WaitTime& wait);

  BodyLocks& locks_;
  BodyLocks::Set held_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_BODIES_BODY_LOCKS_H_
