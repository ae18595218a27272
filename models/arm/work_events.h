// Scenarios of src/jobs/work_events.h.
#ifndef NOWAIT_MODELS_ARM_WORK_EVENTS_H_
#define NOWAIT_MODELS_ARM_WORK_EVENTS_H_

#include <atomic>
#include <cstdint>

#include "src/jobs/work_events.h"

namespace nowait::arm {

// An idle worker announces itself and looks. It then would sleep on its key; the scenario asks
// afterwards whether WaitIdle would have returned: whether the key is an old one.
template <class Sync>
struct WorkWakesIdle {
  static constexpr const char* kName = "work_events wakes_idle";
  static constexpr const char* kPromise =
      "an idle worker that has seen no work has a key that the notification has changed";
  static constexpr int kThreads = 2;

  void Thread(int t) {
    if (t == 0) {
      work.store(1, std::memory_order::relaxed);
      events.NotifyWork();
      return;
    }
    key = events.PrepareIdle();
    seen = work.load(std::memory_order::relaxed) == 1;
  }
  bool Holds() {
    const bool holds = seen || events.PrepareAgain() != key;
    events.EndIdle();
    return holds;
  }

  WorkEvents<Sync> events;
  typename Sync::template atomic<std::uint32_t> work{0};
  std::uint32_t key = 0;
  bool seen = false;
};

}  // namespace nowait::arm

#endif  // NOWAIT_MODELS_ARM_WORK_EVENTS_H_
