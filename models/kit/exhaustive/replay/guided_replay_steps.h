// GuidedReplaySteps: the events of a trace that are steps of a graph, and their objects.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_REPLAY_GUIDED_REPLAY_STEPS_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_REPLAY_GUIDED_REPLAY_STEPS_H_

#include <cstdint>
#include <vector>

#include "models/kit/program/operation.h"
#include "models/kit/program/trace.h"

namespace nowait::model {

// The steps of the recorded threads, by their numbers. Where a thread is woken and looks again, its
// last look.
std::vector<EventNumber> StepsOf(const Trace& recorded);

constexpr bool IsOfBlocks(OperationKind kind) {
  return kind == OperationKind::kNew || kind == OperationKind::kDelete;
}

// Objects are numbered for each of these on its own.
enum class StepObject : std::uint8_t { kNone, kAtomic, kMutex, kCondition };

// Of a kind that is a step. Only of an atomic the trace says which store was read.
StepObject ObjectOf(OperationKind kind);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_REPLAY_GUIDED_REPLAY_STEPS_H_
