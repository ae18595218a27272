// The devices of a pool: their threads, the requests that these serve, and the thread that is left
// behind with a request that hangs. Members of BasicTaskPool, for task_pool.cc alone; what a device
// promises is in device.h and task_pool.h.
#ifndef NOWAIT_SRC_JOBS_TASK_POOL_DEVICES_H_
#define NOWAIT_SRC_JOBS_TASK_POOL_DEVICES_H_

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <string_view>
#include <utility>

#include "src/base/assert.h"
#include "src/base/or_no_memory.h"
#include "src/base/result.h"
#include "src/jobs/device.h"
#include "src/jobs/device_hand.h"
#include "src/jobs/task_def.h"
#include "src/jobs/task_id.h"
#include "src/jobs/task_pool.h"
#include "src/profile/profile.h"
#include "src/sync/policy.h"
#include "src/sync/scoped_lock.h"

namespace nowait {

// A time that is not too long to be added to a point of time.
inline constexpr EngineSync::clock::duration kLongestPatience = std::chrono::hours(24 * 365);
// After a thread was refused that was to serve a device.
inline constexpr EngineSync::clock::duration kServedAgainAfter = std::chrono::milliseconds(100);

template <class Queues>
DeviceQueue<DeviceRequest>* BasicTaskPool<Queues>::Find(std::string_view device) {
  const auto found = std::find(def_.devices.begin(), def_.devices.end(), device);
  return found == def_.devices.end()
             ? nullptr
             : &devices_[static_cast<std::size_t>(found - def_.devices.begin())].requests;
}

template <class Queues>
Result<TaskId> BasicTaskPool<Queues>::AddRequest(std::string_view device, DeviceRequest& request,
                                                 TaskId parent, TaskId dependency) {
  DeviceQueue<DeviceRequest>* const queue = Find(device);
  if (queue == nullptr) return Fail(ErrorCode::kNotFound, "device");
  if (auto begun = request.Begin(*queue); !begun) return std::unexpected(begun.error());
  const auto task = Add({.work = request.HandOver(),
                         .parent = parent,
                         .dependency = dependency,
                         .kind = TaskKind::kRequest});
  // The task is held: no other thread looks at the request yet.
  if (task) request.task_ = *task;
  return task;
}

template <class Queues>
Result<void> BasicTaskPool<Queues>::StopDevice(std::string_view device) {
  DeviceQueue<DeviceRequest>* const queue = Find(device);
  if (queue == nullptr) return Fail(ErrorCode::kNotFound, "device");
  queue->Stop();
  return {};
}

template <class Queues>
Result<EngineSync::thread> BasicTaskPool<Queues>::StartDevice(Device& device,
                                                              std::shared_ptr<DeviceHand> hand) {
  return EngineSync::thread::Start(def_.devices[device.number],
                                   [this, &device, hand = std::move(hand)] {
                                     if (hand->Begins()) Serve(device, *hand);
                                   });
}

template <class Queues>
void BasicTaskPool<Queues>::Serve(Device& device, DeviceHand& hand) {
  Presence presence(*this, threads() + device.number);
  static_cast<void>(EngineSync::PutThreadFirst());
  while (DeviceRequest* const request = device.requests.Take()) {
    if (!ServeOne(device, hand, *request, presence)) {
      presence.left_behind = true;
      return;
    }
  }
}

// False: the thread has been left behind, and the pool may be gone.
template <class Queues>
bool BasicTaskPool<Queues>::ServeOne(Device& device, DeviceHand& hand, DeviceRequest& request,
                                     Presence& presence) {
  BasicTaskPool& pool = device.pool;
  if (request.IsRefused()) {
    request.Refuse(presence.thread.counts());
  } else {
    const DeviceRequest::Work work = request.work_;
    const auto& patience = pool.def_.device_patience;
    const bool watched = patience.has_value();
    if (watched) {
      const auto now = EngineSync::clock::now();
      hand.Serves(request, pool.alarm_, now + std::min(*patience, kLongestPatience),
                  device.Watch());
    }
    // Without the lane, which belongs to the device's next thread if this one is left behind.
    Lane* const lane = watched ? UseLane(nullptr) : nullptr;
    const std::uint64_t begun = lane != nullptr ? lane->clock() : 0;
    const std::uint16_t core = lane != nullptr ? lane->core() : kNoCore;
    DeviceRequest::Served served = work.Do();
    if (watched && !hand.Claim()) return false;
    if (lane != nullptr) {
      lane->AddSpan({work.name, begun, lane->clock(), Span::kAboutNothing, core, lane->core()});
      UseLane(lane);
    }
    request.Answer(std::move(served), {&OnThrow, &pool}, presence.thread.counts());
  }
  const bool failed = !request.answer();
  // From here on the request belongs to its maker again.
  const auto completed =
      pool.scheduler_.CompleteExternal(presence.thread, request.task(), true, failed);
  NOWAIT_ASSERT(completed, "a device completes each request once");
  return true;
}

// On the alarm's thread: another thread is to serve the device, if its own one hangs.
template <class Queues>
void BasicTaskPool<Queues>::LeaveBehind(Device& device) {
  DeviceRequest* request = nullptr;
  {
    const ScopedLock lock(device.mutex);
    const auto now = EngineSync::clock::now();
    if (device.ended || !device.hand->IsLate(now)) return;
    const auto next = OrNoMemory(
        []() -> Result<std::shared_ptr<DeviceHand>> { return std::make_shared<DeviceHand>(); });
    auto thread = next ? StartDevice(device, *next) : std::unexpected(next.error());
    if (!thread)
      return device.hand->WatchAgain(now, alarm_, now + kServedAgainAfter, device.Watch());
    request = device.hand->LeaveBehind(now);
    (*next)->Open(request != nullptr);
    if (request == nullptr) return;  // which waits for the end of the new thread
    device.thread.detach();
    device.thread = std::move(*thread);
    device.hand = *next;
  }
  const auto completed = guests_.Run(
      Present(),
      [this] { return Presence(*this, static_cast<std::uint32_t>(members_.size() - 1)); },
      [&](Thread& thread) {
        request->Abandon(thread.counts());
        return scheduler_.CompleteExternal(thread, request->task(), true, true);
      });
  NOWAIT_ASSERT(completed, "a request is answered once");
}

// The devices have answered everything, and no thread is left to ask for more.
template <class Queues>
void BasicTaskPool<Queues>::EndDevices() {
  for (auto& device : devices_) device.requests.End();
  for (auto& device : devices_) {
    EngineSync::thread last;
    {
      const ScopedLock lock(device.mutex);
      device.ended = true;
      last = std::move(device.thread);
    }
    if (last.joinable()) last.join();
  }
}

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_TASK_POOL_DEVICES_H_
