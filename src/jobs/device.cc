#include "src/jobs/device.h"

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

}  // namespace nowait
