// A scenario that is explored by its type alone, for tests.
#ifndef NOWAIT_MODELS_KIT_BUFFERING_EXPLORE_SCENARIO_H_
#define NOWAIT_MODELS_KIT_BUFFERING_EXPLORE_SCENARIO_H_

#include "models/kit/buffering/explore.h"
#include "models/kit/scenario/model.h"

namespace nowait::model::buffering {

using Order = std::memory_order;
inline constexpr Order rlx = Order::relaxed;
inline constexpr Order acq = Order::acquire;
inline constexpr Order rel = Order::release;

template <class S>
Explored Explore(const Limits& limits = {}) {
  return ExploreBuffering(Scenario<S>::Entry({.name = "", .promise = ""}), limits);
}

// Both threads count: the failure that is found does not rest on load buffering.
struct Torn {
  static constexpr int kThreads = 2;
  void Thread(int) { count.store(count.load(rlx) + 1, rlx); }
  void After() { Check(count.load(rlx) == 2, "no count is lost"); }
  ModelSync::atomic<int> count{0};
};

// It does not fit.
struct Allocates {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) ModelSync::Delete(ModelSync::New<int>(1));
  }
};

}  // namespace nowait::model::buffering

#endif  // NOWAIT_MODELS_KIT_BUFFERING_EXPLORE_SCENARIO_H_
