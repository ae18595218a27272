// Scenarios of src/islands/awake_set.h.
#ifndef NOWAIT_MODELS_ARM_AWAKE_SET_H_
#define NOWAIT_MODELS_ARM_AWAKE_SET_H_

#include <cstdint>

#include "src/islands/awake_set.h"

namespace nowait::arm {

// Two bodies of one word, each found by two threads.
template <class Sync>
struct BodiesWakeOnce {
  static constexpr const char* kName = "awake_set wake_once";
  static constexpr const char* kPromise = "one of two threads that wake a body is its first";
  static constexpr int kThreads = 2;

  void Thread(int t) {
    const auto own = static_cast<std::uint32_t>(t);
    first[t][own] = awake.Wake(own);
    first[t][1 - own] = awake.Wake(1 - own);
  }
  bool Holds() {
    return first[0][0] != first[1][0] && first[0][1] != first[1][1] && awake.Contains(0) &&
           awake.Contains(1);
  }

  AwakeSet<Sync> awake{2};
  bool first[2][2] = {};
};

}  // namespace nowait::arm

#endif  // NOWAIT_MODELS_ARM_AWAKE_SET_H_
