// Pacer: 30 frames a second, by a device that sleeps: no worker waits for the clock.
//
// Each frame has a request to it as a child; the frame is complete when its time is over.
// A frame that was late is not made up for.
//
// Thread safety: Ask by one thread at a time, after the request of the frame before is complete.
#ifndef NOWAIT_SRC_APPS_OPENWORLD_PACER_H_
#define NOWAIT_SRC_APPS_OPENWORLD_PACER_H_

#include <algorithm>
#include <chrono>
#include <optional>

#include "src/base/result.h"
#include "src/jobs/device.h"
#include "src/jobs/task_id.h"
#include "src/jobs/task_pool.h"
#include "src/sync/policy.h"

namespace nowait {

class Pacer {
 public:
  explicit Pacer(TaskPool& pool) : pool_(pool), due_(EngineSync::clock::now()) {}

  static constexpr std::chrono::nanoseconds kFrame{33'333'333};

  // Adds the request below `task`, which is of the frame. frame: from the time of the frame before,
  // or from now if that is later; at least 0. kCapacity: there is no room, and this frame is not
  // paced.
  Result<void> Ask(TaskId task, std::chrono::nanoseconds frame = kFrame) {
    due_ = std::max(due_ + frame, EngineSync::clock::now());
    request_.emplace("pace", &Sleep, this);
    const auto pace = pool_.AddRequest("clock", *request_, task);
    return pace ? pool_.Submit(*pace) : std::unexpected(pace.error());
  }

 private:
  static Result<void> Sleep(void* data) {
    EngineSync::SleepUntil(static_cast<Pacer*>(data)->due_);
    return {};
  }

  TaskPool& pool_;
  EngineSync::clock::time_point due_;
  std::optional<DeviceRequest> request_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_OPENWORLD_PACER_H_
