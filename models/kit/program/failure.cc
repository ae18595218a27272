#include "models/kit/program/failure.h"

namespace nowait::model {

const char* Name(FailureKind kind) {
  switch (kind) {
    case FailureKind::kInvariant:
      return "invariant";
    case FailureKind::kAssertion:
      return "assertion";
    case FailureKind::kDataRace:
      return "data race";
    case FailureKind::kUseAfterFree:
      return "use after free";
    case FailureKind::kDoubleFree:
      return "double free";
    case FailureKind::kLeak:
      return "leak";
    case FailureKind::kUninitialized:
      return "uninitialized";
    case FailureKind::kDeadlock:
      return "deadlock";
    case FailureKind::kLivelock:
      return "livelock";
    case FailureKind::kInvalidOrder:
      return "invalid order";
    case FailureKind::kMutexMisuse:
      return "mutex misuse";
    case FailureKind::kCrash:
      return "crash";
    case FailureKind::kNondeterminism:
      return "nondeterminism";
    case FailureKind::kUnregisteredMemory:
      return "unregistered memory";
    case FailureKind::kNotFinished:
      return "not finished";
    case FailureKind::kProcessLost:
      return "process lost";
  }
  return "?";
}

const char* Advice(FailureKind kind) {
  switch (kind) {
    case FailureKind::kNondeterminism:
      return "the scenario does something else when it is run again with the same choices: look "
             "for "
             "clocks, randomness, statics that carry over, decisions on addresses, and plain "
             "memory "
             "that threads share";
    case FailureKind::kUnregisteredMemory:
      return "threads share memory that the checker does not see: make it a ModelSync::atomic or a "
             "ModelSync::plain";
    case FailureKind::kNotFinished:
      return "nothing is known about executions of more steps than this: make the scenario "
             "smaller, "
             "and look for a loop that waits without a Yield";
    case FailureKind::kProcessLost:
      return "memory ran out, or it was killed, or the scenario ended it: --jobs 1 shows which";
    default:
      return "";
  }
}

}  // namespace nowait::model
