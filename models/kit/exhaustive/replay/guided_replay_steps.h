// GuidedReplaySteps: the events of a trace that are steps of a graph, and their objects.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_REPLAY_GUIDED_REPLAY_STEPS_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_REPLAY_GUIDED_REPLAY_STEPS_H_

#include <cstdint>
#include <vector>

#include "models/kit/program/operation.h"
#include "models/kit/program/trace.h"

namespace nowait::model {

// The steps of the recorded threads, by their numbers. If a thread is woken and looks again, only
// its last look counts.
std::vector<EventNumber> StepsOf(const Trace& recorded);

constexpr bool IsOfBlocks(OperationKind kind) {
  return kind == OperationKind::kNew || kind == OperationKind::kDelete;
}

// The objects of each kind are numbered separately.
enum class StepObject : std::uint8_t { kNone, kAtomic, kMutex, kCondition };

// For a kind that is a step. Only for an atomic does the trace say which store was read.
StepObject ObjectOf(OperationKind kind);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_REPLAY_GUIDED_REPLAY_STEPS_H_
