// DeviceHand: what a device's thread and those that watch it share: which request it serves, and
// whether it has been left behind with it.
//
//   the device's thread                        a thread that watches (an alarm's)
//     hand.Serves(request, setting);             a new thread, with a hand of its own, at its gate
//     serve: may hang                            if (hand.LeaveBehind(now)) open the gate,
//     if (!hand.Claim()) return;                   and answer the request for the one that hangs
//     answer the request
//
// A system call that never returns cannot be taken back. So the thread that makes it is given up
// with all that it needs: this object, and the owner of the request's data. If the call returns
// after all, the thread asks this object, touches nothing else, and ends.
//
// Thread safety: Begins, Serves and Claim by the device's thread; the others by any, any time.
// Blocking: a mutex for some instructions; Begins sleeps until the gate is opened.
//
// Promise: of Claim and LeaveBehind exactly one succeeds for each request that is served for too
// long; the one that succeeds answers it. Lecture: dependencies, helping waits, devices.
#ifndef NOWAIT_SRC_JOBS_DEVICE_HAND_H_
#define NOWAIT_SRC_JOBS_DEVICE_HAND_H_

#include <optional>
#include <utility>

#include "src/jobs/alarm.h"
#include "src/jobs/device.h"
#include "src/jobs/job.h"
#include "src/sync/policy.h"
#include "src/sync/scoped_lock.h"

namespace nowait {

class DeviceHand {
 public:
  // Whether the thread of this hand is to serve the device.
  bool Begins() {
    mutex_.lock();
    while (!gate_) opened_.wait(mutex_);
    const bool serves = *gate_;
    mutex_.unlock();
    return serves;
  }
  void Open(bool serves) {
    const ScopedLock lock(mutex_);
    gate_ = serves;
    opened_.notify_one();
  }

  // watch: called at that time, to leave this hand behind.
  void Serves(DeviceRequest& request, Alarm& alarm, Alarm::Time until, const Job& watch) {
    const ScopedLock lock(mutex_);
    request_ = &request;
    until_ = until;
    setting_.emplace(alarm, until, watch);
  }
  // Whether the request is still the caller's. False: nothing but this hand may be touched.
  bool Claim() {
    const ScopedLock lock(mutex_);
    if (left_behind_) return false;
    request_ = nullptr;
    setting_.reset();
    return true;
  }

  // Whether the request has been served for too long.
  bool IsLate(Alarm::Time now) {
    const ScopedLock lock(mutex_);
    return request_ != nullptr && now >= until_;
  }
  // Takes the request from the thread; null if that has answered meanwhile.
  DeviceRequest* LeaveBehind(Alarm::Time now) {
    const ScopedLock lock(mutex_);
    if (request_ == nullptr || now < until_) return nullptr;
    left_behind_ = true;
    setting_.reset();
    return std::exchange(request_, nullptr);
  }
  // It could not be left behind now: watch is called again at that time. Not if the thread has gone
  // on to another request meanwhile, which has a setting of its own.
  void WatchAgain(Alarm::Time now, Alarm& alarm, Alarm::Time until, const Job& watch) {
    const ScopedLock lock(mutex_);
    if (request_ != nullptr && now >= until_) setting_.emplace(alarm, until, watch);
  }

 private:
  EngineSync::mutex mutex_;  // guards all below
  EngineSync::condition_variable opened_;
  std::optional<bool> gate_;
  DeviceRequest* request_ = nullptr;
  Alarm::Time until_ = {};
  std::optional<Alarm::Setting> setting_;
  bool left_behind_ = false;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_DEVICE_HAND_H_
