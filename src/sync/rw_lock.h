// RwLock: a reader-writer lock that counts how long its callers waited.
//
// Bodies have too much state to change atomically, so they have locks (the talk: 32 of them for all
// bodies). What one wants to know of a lock is how long threads wait for it; the talk's before and
// after is just that figure. An acquisition that succeeds at once reads no clock.
//
// Thread safety: as std::shared_mutex. Blocking. Neither fair nor recursive.
// The waiting time goes to a WaitTime of the caller's, which belongs to one thread: no atomics, no
// contention on the counter itself.
//
// Source: the talk, "Quad tree - collision query" and "Broad phase - results". Model:
// models/bodies/body_locks.cc. Lecture: body locks.
#ifndef NOWAIT_SRC_SYNC_RW_LOCK_H_
#define NOWAIT_SRC_SYNC_RW_LOCK_H_

#include <chrono>
#include <cstdint>

#include "src/sync/policy.h"

namespace nowait {

// How often one thread took locks, how often it had to wait, and for how long in all.
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

// Clock: gives now(); injected so that tests need no real time.
template <class Clock = EngineSync::clock, class Sync = EngineSync>
class RwLock {
 public:
  void LockRead(WaitTime& wait) {
    Acquire(wait, [this] { return mutex_.try_lock_shared(); }, [this] { mutex_.lock_shared(); });
  }
  void UnlockRead() { mutex_.unlock_shared(); }

  void LockWrite(WaitTime& wait) {
    Acquire(wait, [this] { return mutex_.try_lock(); }, [this] { mutex_.lock(); });
  }
  void UnlockWrite() { mutex_.unlock(); }

 private:
  template <class Try, class Block>
  static void Acquire(WaitTime& wait, Try try_now, Block block) {
    ++wait.acquisitions;
    if (try_now()) return;
    const auto start = Clock::now();
    block();
    ++wait.contended;
    wait.waited += std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start);
  }

  typename Sync::shared_mutex mutex_;
};

template <class Lock = RwLock<>>
class ReadScope {
 public:
  ReadScope(Lock& lock, WaitTime& wait) : lock_(lock) { lock_.LockRead(wait); }
  ~ReadScope() { lock_.UnlockRead(); }
  ReadScope(const ReadScope&) = delete;
  ReadScope& operator=(const ReadScope&) = delete;

 private:
  Lock& lock_;
};

template <class Lock = RwLock<>>
class WriteScope {
 public:
  WriteScope(Lock& lock, WaitTime& wait) : lock_(lock) { lock_.LockWrite(wait); }
  ~WriteScope() { lock_.UnlockWrite(); }
  WriteScope(const WriteScope&) = delete;
  WriteScope& operator=(const WriteScope&) = delete;

 private:
  Lock& lock_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_SYNC_RW_LOCK_H_
