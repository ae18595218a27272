#include "models/kit/exhaustive/replay/guided_replay_steps.h"

#include <array>
#include <cstddef>

#include "models/kit/scenario/scenario.h"

namespace nowait::model {
namespace {

// An event that is not a step is unordered with the steps of other threads.
bool IsStep(const Event& event) {
  switch (event.kind) {
    case OperationKind::kLoad:
    case OperationKind::kStore:
    case OperationKind::kCompareExchange:
    case OperationKind::kExchange:
    case OperationKind::kFetchAdd:
    case OperationKind::kFetchSub:
    case OperationKind::kFetchAnd:
    case OperationKind::kFetchOr:
    case OperationKind::kFetchXor:
    case OperationKind::kWait:
    case OperationKind::kLock:
    case OperationKind::kTryLock:
    case OperationKind::kUnlock:
    case OperationKind::kWaitCondition:
    case OperationKind::kWakeUp:
    case OperationKind::kNotifyCondition:
    case OperationKind::kNew:
    case OperationKind::kDelete:
      return true;
    case OperationKind::kFence:
      return event.order != std::memory_order::relaxed;
    default:
      return false;
  }
}

// Whether it is the same call of atomic::wait, looking again.
bool LooksAgain(const Event& before, const Event& event) {
  return before.kind == OperationKind::kWait && event.kind == OperationKind::kWait &&
         before.object == event.object && before.site.line() == event.site.line() &&
         before.site.column() == event.site.column();
}

}  // namespace

std::vector<EventNumber> StepsOf(const Trace& recorded) {
  std::vector<EventNumber> steps;
  std::array<std::size_t, kMaxThreads> last{};  // the index of each thread's last step, plus one
  for (EventNumber number = 1; number <= recorded.last(); ++number) {
    const Event& event = recorded[number];
    if (event.thread < 0 || !IsStep(event)) continue;
    std::size_t& before = last[static_cast<std::size_t>(event.thread)];
    if (before != 0 && LooksAgain(recorded[steps[before - 1]], event)) steps[before - 1] = kNoEvent;
    steps.push_back(number);
    before = steps.size();
  }
  std::erase(steps, kNoEvent);
  return steps;
}

StepObject ObjectOf(OperationKind kind) {
  switch (kind) {
    case OperationKind::kFence:
    case OperationKind::kNew:
    case OperationKind::kDelete:
      return StepObject::kNone;
    case OperationKind::kLock:
    case OperationKind::kTryLock:
    case OperationKind::kUnlock:
      return StepObject::kMutex;
    case OperationKind::kWaitCondition:
    case OperationKind::kWakeUp:
    case OperationKind::kNotifyCondition:
      return StepObject::kCondition;
    default:
      return StepObject::kAtomic;
  }
}

}  // namespace nowait::model
