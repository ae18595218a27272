// ScopedLock: holds a mutex of the policy until the end of the block.
//
// std::scoped_lock would do, but every step in a checker's report would be in the standard
// library's header. In builds with assertions, this one also counts a thread's locks
// (held_locks.h).
#ifndef NOWAIT_SRC_SYNC_SCOPED_LOCK_H_
#define NOWAIT_SRC_SYNC_SCOPED_LOCK_H_

#include <type_traits>

#include "src/sync/held_locks.h"
#include "src/sync/policy.h"

namespace nowait {

// kCounted is a parameter: a build with assertions only in some parts keeps its counts right.
template <class Mutex,
          bool kCounted = kMutexesAreCounted&& std::is_same_v<Mutex, EngineSync::mutex>>
class [[nodiscard]] ScopedLock {
 public:
  using Site = typename Mutex::Site;

  explicit ScopedLock(Mutex& mutex, Site site = Site::current()) : mutex_(mutex), site_(site) {
    mutex_.lock(site);
    if constexpr (kCounted) ++HeldLocks::OfThisThread().scoped;
  }
  ~ScopedLock() {
    if constexpr (kCounted) --HeldLocks::OfThisThread().scoped;
    mutex_.unlock(site_);
  }
  ScopedLock(const ScopedLock&) = delete;
  ScopedLock& operator=(const ScopedLock&) = delete;

 private:
  Mutex& mutex_;
  [[no_unique_address]] Site site_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_SYNC_SCOPED_LOCK_H_
