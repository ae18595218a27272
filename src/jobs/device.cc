#include "src/jobs/device.h"

#include <exception>
#include <utility>

#include "src/profile/profile.h"

namespace nowait {

DeviceRequest::Served DeviceRequest::Work::Do() const {
  const ProfileScope span(name);
  try {
    return {serve(data), nullptr};
  } catch (...) {
    return {Refused("it threw"), std::current_exception()};
  }
}

void DeviceRequest::Answer(Served served, const ThrownReport& on_throw, TaskCounts& counts) {
  ++counts.ran;
  answer_ = std::move(served.answer);
  if (served.thrown == nullptr) return;
  const auto rethrow = [](void* thrown) {
    std::rethrow_exception(std::move(*static_cast<std::exception_ptr*>(thrown)));
  };
  static_cast<void>(RunJob({rethrow, &served.thrown}, task_, on_throw, counts));
}

void DeviceRequest::Refuse(TaskCounts& counts) {
  ++counts.cancelled;
  answer_ = Refused("the device stopped");
}

void DeviceRequest::Abandon(TaskCounts& counts) {
  ++counts.ran;
  abandoned_ = true;
  answer_ = Fail(ErrorCode::kTimeout, "request", 0, "it has been abandoned");
}

}  // namespace nowait
