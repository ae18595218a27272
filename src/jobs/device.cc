#include "src/jobs/device.h"

#include <sys/resource.h>

#include "src/profile/profile.h"

namespace nowait {

void DeviceRequest::Answer(const ThrownReport& on_throw, TaskCounts& counts) {
  if (device_->stopped()) {
    ++counts.cancelled;
    answer_ = Refused("the device stopped");
    return;
  }
  const ProfileScope span(name_);
  ++counts.ran;
  answer_ = Refused("it threw");
  const auto serve = [](void* data) {
    auto& request = *static_cast<DeviceRequest*>(data);
    request.answer_ = request.serve_(request.data_);
  };
  RunJob({serve, this}, task_, on_throw, counts);
}

bool PutDeviceThreadFirst() {
  // A nice value; Linux keeps one for each thread, and 0 is the caller.
  constexpr int kBeforeWorkers = -10;
  return setpriority(PRIO_PROCESS, 0, kBeforeWorkers) == 0;
}

}  // namespace nowait
