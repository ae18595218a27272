// VectorClock: a position in the happens-before order of one execution.
#ifndef NOWAIT_MODELS_KIT_PROGRAM_VECTOR_CLOCK_H_
#define NOWAIT_MODELS_KIT_PROGRAM_VECTOR_CLOCK_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "models/kit/program/threads.h"

namespace nowait::model {

// A moment of one execution, as a vector clock (Fidge; Mattern; both 1988): how many steps of each
// thread happen before it, including its own thread's. No two moments of a thread have equal
// counts.
struct VectorClock {
  int thread = 0;  // the thread that the moment belongs to; any thread's number in set-up and After
  std::array<std::uint32_t, kMaxThreads> clock{};

  // In the sense of C++: by program order and synchronises-with, not by the order of execution.
  bool HappensBefore(const VectorClock& later) const {
    const auto own = static_cast<std::size_t>(thread);
    return clock[own] < later.clock[own] ||
           (clock[own] == later.clock[own] && thread != later.thread);
  }
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_PROGRAM_VECTOR_CLOCK_H_
