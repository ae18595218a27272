// Scenarios of src/sync/event_count.h.
#ifndef NOWAIT_MODELS_ARM_EVENT_COUNT_H_
#define NOWAIT_MODELS_ARM_EVENT_COUNT_H_

#include <atomic>
#include <cstdint>

#include "src/sync/event_count.h"

namespace nowait::arm {

// The sleeper looks, announces itself and looks again. It then would sleep on its key; the scenario
// asks afterwards whether Wait would have returned: whether the key is an old one.
template <class Sync>
struct EventWakesSleeper {
  static constexpr const char* kName = "event_count wakes_sleeper";
  static constexpr const char* kPromise =
      "a sleeper that has seen no condition has a key that the notification has changed";
  static constexpr int kThreads = 2;

  void Thread(int t) {
    if (t == 0) {
      payload.store(1, std::memory_order::relaxed);
      ready.store(1, std::memory_order::relaxed);
      events.NotifyAll();
      return;
    }
    key = events.PrepareWait();
    seen = ready.load(std::memory_order::relaxed) == 1;
    // An announcement behind the notification sees what came before it.
    if (events.PrepareWait() != key) informed = payload.load(std::memory_order::relaxed) == 1;
  }
  bool Holds() { return (seen || events.Epoch() != key) && informed; }

  EventCount<Sync> events;
  typename Sync::template atomic<std::uint32_t> ready{0};
  typename Sync::template atomic<std::uint32_t> payload{0};
  std::uint32_t key = 0;
  bool seen = false;
  bool informed = true;
};

}  // namespace nowait::arm

#endif  // NOWAIT_MODELS_ARM_EVENT_COUNT_H_
