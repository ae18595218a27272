// ScopedLock: holds a mutex of the policy until the end of the block.
//
// std::scoped_lock would do, but in a checker's report every step would then be in the standard
// library's header.
#ifndef NOWAIT_SRC_SYNC_SCOPED_LOCK_H_
#define NOWAIT_SRC_SYNC_SCOPED_LOCK_H_

namespace nowait {

template <class Mutex>
class [[nodiscard]] ScopedLock {
 public:
  using Site = typename Mutex::Site;

  explicit ScopedLock(Mutex& mutex, Site site = Site::current()) : mutex_(mutex), site_(site) {
    mutex_.lock(site);
  }
  ~ScopedLock() { mutex_.unlock(site_); }
  ScopedLock(const ScopedLock&) = delete;
  ScopedLock& operator=(const ScopedLock&) = delete;

 private:
  Mutex& mutex_;
  [[no_unique_address]] Site site_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_SYNC_SCOPED_LOCK_H_
