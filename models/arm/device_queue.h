// Scenarios of src/jobs/device_queue.h.
#ifndef NOWAIT_MODELS_ARM_DEVICE_QUEUE_H_
#define NOWAIT_MODELS_ARM_DEVICE_QUEUE_H_

#include "src/jobs/device_queue.h"

namespace nowait::arm {

// One thread stops the device, and pushes a request. The device's thread takes it. Where it finds
// nothing, it looks again while it is about to sleep; executions in which it looks more often than
// three times are left out.
template <class Sync>
struct DeviceTakes {
  static constexpr const char* kName = "device_queue takes";
  static constexpr const char* kPromise =
      "a request is taken with what its maker wrote, and one after Stop finds the device stopped";
  static constexpr int kThreads = 2;

  void Thread(int t) {
    if (t == 0) {
      request.set(1);
      queue.Stop();
      queue.Push(request);
      return;
    }
    taken = queue.Take();
    refused = queue.stopped();
    if (taken != nullptr) found = taken->get();
  }
  bool Holds() { return taken == &request && refused && found == 1; }

  using Request = typename Sync::template plain<int>;

  DeviceQueue<Request, Sync> queue{1};
  Request request;
  Request* taken = nullptr;
  bool refused = false;
  int found = 0;
};

}  // namespace nowait::arm

#endif  // NOWAIT_MODELS_ARM_DEVICE_QUEUE_H_
