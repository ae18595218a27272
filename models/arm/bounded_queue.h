// Scenarios of src/jobs/bounded_queue.h.
#ifndef NOWAIT_MODELS_ARM_BOUNDED_QUEUE_H_
#define NOWAIT_MODELS_ARM_BOUNDED_QUEUE_H_

#include <cstdint>

#include "src/jobs/bounded_queue.h"

namespace nowait::arm {

// Each thread pushes an element and pops one.
template <class Sync>
struct QueuePushAndPop {
  static constexpr const char* kName = "bounded_queue push_and_pop";
  static constexpr const char* kPromise =
      "each element is popped once, behind what its producer wrote";
  static constexpr int kThreads = 2;

  void Thread(int t) {
    const auto own = static_cast<std::uint64_t>(t + 1);
    notes[t].set(own);
    pushed[t] = queue.TryPush(own);
    std::uint64_t element = 0;
    if (!queue.TryPop(&element)) return;
    popped[t] = notes[element - 1].get() == element ? element : kWrong;
  }
  bool Holds() {
    int count[3] = {};
    for (const std::uint64_t element : popped) {
      if (element == kWrong) return false;
      if (element != 0) ++count[element];
    }
    for (std::uint64_t element = 0; queue.TryPop(&element);) ++count[element];
    return count[1] == (pushed[0] ? 1 : 0) && count[2] == (pushed[1] ? 1 : 0);
  }

  static constexpr std::uint64_t kWrong = 99;

  BoundedQueue<std::uint64_t, Sync> queue{2};
  typename Sync::template plain<std::uint64_t> notes[2];
  bool pushed[2] = {};
  std::uint64_t popped[2] = {};
};

}  // namespace nowait::arm

#endif  // NOWAIT_MODELS_ARM_BOUNDED_QUEUE_H_
