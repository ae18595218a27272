// PerThread: one value per thread, for the bookkeeping of a scenario. Unlike an array that is
// indexed by thread, it does not reveal a thread's number to the thread (scenario.h: threads that
// are interchangeable).
#ifndef NOWAIT_MODELS_KIT_SCENARIO_PER_THREAD_H_
#define NOWAIT_MODELS_KIT_SCENARIO_PER_THREAD_H_

#include <algorithm>
#include <array>
#include <cstddef>

#include "models/kit/program/machine.h"
#include "models/kit/scenario/scenario.h"

namespace nowait::model {

template <class T>
class PerThread {
 public:
  // The running thread's value. Set-up and After use thread 0's.
  T& Mine() { return values_[static_cast<std::size_t>(std::max(CurrentMachine()->Thread(), 0))]; }

 private:
  std::array<T, kMaxThreads> values_{};
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_SCENARIO_PER_THREAD_H_
