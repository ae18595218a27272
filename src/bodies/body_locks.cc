#include "src/bodies/body_locks.h"

#include "src/base/assert.h"

namespace nowait {
namespace {

// What the calling thread holds: how many locks, and the highest index since it held none.
struct Held {
  std::uint32_t count = 0;
  std::uint32_t highest = 0;
};
thread_local Held held;

void NoteLock(std::uint32_t index) {
  NOWAIT_ASSERT(held.count == 0 || index > held.highest,
                "body locks are taken in ascending order of their index");
  ++held.count;
  held.highest = index;
}

void NoteUnlock() { --held.count; }

}  // namespace

void BodyLocks::LockRead(std::uint32_t index, WaitTime& wait) {
  NoteLock(index);
  locks_[index].lock.LockRead(wait);
}

void BodyLocks::UnlockRead(std::uint32_t index) {
  locks_[index].lock.UnlockRead();
  NoteUnlock();
}

void BodyLocks::LockWrite(std::uint32_t index, WaitTime& wait) {
  NoteLock(index);
  locks_[index].lock.LockWrite(wait);
}

void BodyLocks::UnlockWrite(std::uint32_t index) {
  locks_[index].lock.UnlockWrite();
  NoteUnlock();
}

BodiesWriteScope::BodiesWriteScope(BodyLocks& locks, std::span<const BodyId> ids, WaitTime& wait)
    : locks_(locks) {
  for (const BodyId id : ids) held_.set(locks.IndexOf(id));
  LockHeld(wait);
}

BodiesWriteScope::BodiesWriteScope(BodyLocks& locks, WaitTime& wait) : locks_(locks) {
  for (std::uint32_t i = 0; i < locks.count(); ++i) held_.set(i);
  LockHeld(wait);
}

void BodiesWriteScope::LockHeld(WaitTime& wait) {
  for (std::uint32_t i = 0; i < locks_.count(); ++i) {
    if (held_[i]) locks_.LockWrite(i, wait);
  }
}

BodiesWriteScope::~BodiesWriteScope() {
  for (std::uint32_t i = locks_.count(); i-- > 0;) {
    if (held_[i]) locks_.UnlockWrite(i);
  }
}

}  // namespace nowait
