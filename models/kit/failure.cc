#include "models/kit/failure.h"

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
    case FailureKind::kNondeterminism:
      return "nondeterminism";
    case FailureKind::kUnregisteredMemory:
      return "unregistered memory";
    case FailureKind::kNotFinished:
      return "not finished";
  }
  return "?";
}

}  // namespace nowait::model
