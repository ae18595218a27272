// RwLock: a reader-writer lock that measures how long its callers waited.
//
// Bodies have too much state to change atomically, and therefore have locks ([rouwe2022]: 32 of
// them for all bodies). The important figure of a lock is the time that threads wait for it, which
// [rouwe2022] compares before and after. An acquisition that succeeds at once reads no clock.
//
// Thread safety: that of PhaseFairLock (phase_fair_lock.h), whose bounds hold: a reader waits for
// at most one writer, a writer for the writers before it and one phase of readers each. Blocking.
// Not recursive. The waiting time goes to a WaitTime of the caller's, which belongs to one thread:
// no atomics, no contention on the counter itself.
//
// Source: [rouwe2022], "Quad tree - collision query" and "Broad phase - results". Models:
// models/sync/phase_fair_lock.cc, models/bodies/body_locks.cc. Lecture: body locks.
#ifndef NOWAIT_SRC_SYNC_RW_LOCK_H_
#define NOWAIT_SRC_SYNC_RW_LOCK_H_

#include <chrono>
#include <cstdint>

#include "src/sync/phase_fair_lock.h"
#include "src/sync/policy.h"

namespace nowait {

// How often one thread acquired locks, how often it had to wait, and for how long in total.
struct WaitTime {
  std::uint64_t acquisitions = 0;
  std::uint64_t contended = 0;
  std::chrono::nanoseconds waited{0};

  WaitTime& operator+=(const WaitTime& other) {
    acquisitions += other.acquisitions;
    contended += other.contended;
    waited += other.waited;
    return *this;
  }
};

// Clock: must have now(). It is injected, so that tests need no real time.
template <class Clock = EngineSync::clock, class Sync = EngineSync>
class RwLock {
 public:
  using Site = typename Sync::Site;

  void LockRead(WaitTime& wait, Site site = Site::current()) {
    Acquire(wait, lock_.ArriveRead());
    Sync::NoteAcquired(*this, site);
  }
  void UnlockRead() {
    Sync::NoteReleased(*this);
    lock_.LeaveRead();
  }

  void LockWrite(WaitTime& wait, Site site = Site::current()) {
    Acquire(wait, lock_.ArriveWrite());
    Sync::NoteAcquired(*this, site);
  }
  void UnlockWrite() {
    Sync::NoteReleased(*this);
    lock_.LeaveWrite();
  }

 private:
  // The caller has already taken its place in the queue; only the waiting remains.
  template <class Ticket>
  void Acquire(WaitTime& wait, const Ticket& ticket) {
    ++wait.acquisitions;
    if (!ticket.MustWait()) return;
    const auto start = Clock::now();
    lock_.Await(ticket);
    ++wait.contended;
    wait.waited += std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start);
  }

  PhaseFairLock<Sync> lock_;
};

template <class Lock = RwLock<>>
class ReadScope {
 public:
  using Site = typename Lock::Site;

  ReadScope(Lock& lock, WaitTime& wait, Site site = Site::current()) : lock_(lock) {
    lock_.LockRead(wait, site);
  }
  ~ReadScope() { lock_.UnlockRead(); }
  ReadScope(const ReadScope&) = delete;
  ReadScope& operator=(const ReadScope&) = delete;

 private:
  Lock& lock_;
};

template <class Lock = RwLock<>>
class WriteScope {
 public:
  using Site = typename Lock::Site;

  WriteScope(Lock& lock, WaitTime& wait, Site site = Site::current()) : lock_(lock) {
    lock_.LockWrite(wait, site);
  }
  ~WriteScope() { lock_.UnlockWrite(); }
  WriteScope(const WriteScope&) = delete;
  WriteScope& operator=(const WriteScope&) = delete;

 private:
  Lock& lock_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_SYNC_RW_LOCK_H_
