// Earlier: what engines did in a frame before, for the same ride: the other side of the comparison.
//
//   one lock round the tree    readers share it, each change and the whole physics update own it
//   loads that are waited for  the game update waits for the disk and for the loading tasks, and
//                              makes the bodies' subtree itself (StreamerDef::replay of 0)
//   a flood fill               islands by one thread, behind the physics update
//
//   Earlier earlier(def.earlier);
//   earlier.Reading(wait, [&] { ... });      queries
//   earlier.Changing(wait, [&] { ... });     everything else
//
// Without it, Reading and Changing do nothing but the call, and nothing else happens.
//
// The lock is held over the whole of a call, also while its thread waits for jobs of the call; no
// job takes it. Builds of navigation cells do not take it: their waits would come on top. The
// flood fill is that of island_times.h. The world links its islands as always, which the frame's
// time has too.
//
// Thread safety: Reading by any thread; the rest by one thread at a time, in the frame.
// Source: [rouwe2022]: the earlier design, "Broad phase - results" and "Island building".
#ifndef NOWAIT_SRC_APPS_OPENWORLD_EARLIER_H_
#define NOWAIT_SRC_APPS_OPENWORLD_EARLIER_H_

#include <utility>

#include "src/base/result.h"
#include "src/jobs/task_pool.h"
#include "src/profile/profile.h"
#include "src/streaming/streamer.h"
#include "src/sync/rw_lock.h"

namespace nowait {

class Earlier {
 public:
  explicit Earlier(bool on) : on_(on) {}

  template <class F>
  auto Reading(WaitTime& wait, const F& call) {
    if (!on_) return call();
    Await(wait, [this](WaitTime& time) { lock_.LockRead(time); });
    const Unlock unlock{lock_, &RwLock<>::UnlockRead};
    return call();
  }
  template <class F>
  auto Changing(WaitTime& wait, const F& call) {
    if (!on_) return call();
    Await(wait, [this](WaitTime& time) { lock_.LockWrite(time); });
    const Unlock unlock{lock_, &RwLock<>::UnlockWrite};
    return call();
  }

  // Waits for all loads that have begun. The errors of TaskPool::Wait.
  Result<void> AwaitLoads(TaskPool& pool, const Streamer& streamer) const;

  bool on() const { return on_; }

 private:
  struct Unlock {
    RwLock<>& lock;
    void (RwLock<>::*end)();
    ~Unlock() { (lock.*end)(); }
  };
  // A span of the profile: to a person it is a wait.
  template <class F>
  void Await(WaitTime& wait, const F& lock) {
    const ProfileScope scope("wait for the tree");
    lock(wait);
  }

  const bool on_;
  RwLock<> lock_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_OPENWORLD_EARLIER_H_
