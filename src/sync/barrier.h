// Barrier: a number of threads repeatedly wait until all of them have arrived.
//
//   Barrier<> frame(3);
//   ...                       on each of three threads:
//   frame.ArriveAndWait();    returns when the third thread has arrived
//
// Thread safety: any thread; at most `threads` of them use it. Each Drop permanently counts as one
// of them.
// Blocking: ArriveAndWait sleeps until the last thread has arrived. One mutex, held for a few
// instructions.
//
// Invariants
//   1. Whenever the mutex is free, arrived_ is below threads_ or both are zero.
//   2. round_ rises when the last thread of a round arrives, and only then. A thread of that round
//      waits for it to rise. A thread that comes back early is counted in the next round.
//
// Promise: each thread's work before its arrival happens before the return of all of them.
//
// Source: std::barrier, whose arrive_and_wait and arrive_and_drop these are. Model:
// models/sync/barrier. Lecture: sleeping and waking.
#ifndef NOWAIT_SRC_SYNC_BARRIER_H_
#define NOWAIT_SRC_SYNC_BARRIER_H_

#include <cstdint>

#include "src/base/assert.h"
#include "src/sync/held_locks.h"
#include "src/sync/policy.h"
#include "src/sync/scoped_lock.h"

namespace nowait {

template <class Sync = EngineSync>
class Barrier {
 public:
  explicit Barrier(std::uint32_t threads) : threads_(threads) {
    NOWAIT_ASSERT(threads > 0, "a barrier is for at least one thread");
  }
  Barrier(const Barrier&) = delete;
  Barrier& operator=(const Barrier&) = delete;

  void ArriveAndWait(typename Sync::Site site = Sync::Site::current()) {
    NOWAIT_ASSERT(HoldsNoLock<Sync>(), "no lock is held across a wait");
    const ScopedLock lock(mutex_, site);
    const std::uint64_t mine = round_.get();
    arrived_.set(arrived_.get() + 1);
    EndRoundIfAllAreHere(site);
    while (round_.get() == mine) all_here_.wait(mutex_, site);
  }

  // From now on the others wait for one thread fewer: the caller will not arrive again.
  void Drop(typename Sync::Site site = Sync::Site::current()) {
    const ScopedLock lock(mutex_, site);
    NOWAIT_ASSERT(threads_.get() > 0, "at most as many threads leave a barrier as it is for");
    threads_.set(threads_.get() - 1);
    EndRoundIfAllAreHere(site);
  }

 private:
  void EndRoundIfAllAreHere(typename Sync::Site site) {
    if (arrived_.get() != threads_.get()) return;
    arrived_.set(0);
    round_.set(round_.get() + 1);
    all_here_.notify_all(site);
  }

  template <class T>
  using Plain = typename Sync::template plain<T>;

  typename Sync::mutex mutex_;  // of everything below
  typename Sync::condition_variable all_here_;
  Plain<std::uint32_t> threads_;
  Plain<std::uint32_t> arrived_{0};  // in this round
  Plain<std::uint64_t> round_{0};
};

}  // namespace nowait

#endif  // NOWAIT_SRC_SYNC_BARRIER_H_
