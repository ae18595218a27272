// ModelLocks: the body locks of src, as a model has them.
//
// No thread measures time, because an execution has no time, and no profiler watches the locks.
#ifndef NOWAIT_MODELS_BODIES_MODEL_LOCKS_H_
#define NOWAIT_MODELS_BODIES_MODEL_LOCKS_H_

#include <chrono>
#include <cstdint>

#include "models/kit/scenario/model.h"
#include "src/bodies/body_locks.h"

namespace nowait {

struct NoClock {
  static std::chrono::nanoseconds now() { return {}; }
};
struct UnwatchedLocks {
  static void NoteLock(std::uint32_t, bool) {}
  static void NoteUnlock() {}
};
using ModelLocks = BodyLocksOf<ModelSync, UnwatchedLocks, NoClock>;

}  // namespace nowait

#endif  // NOWAIT_MODELS_BODIES_MODEL_LOCKS_H_
