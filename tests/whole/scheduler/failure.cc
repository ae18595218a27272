#include "tests/whole/scheduler/failure.h"

namespace nowait::whole {

const char* NameOf(FailureKind kind) {
  switch (kind) {
    case FailureKind::kDeadlock: return "deadlock";
    case FailureKind::kStarvation: return "starvation";
    case FailureKind::kLivelock: return "livelock";
    case FailureKind::kTooLong: return "too long";
    case FailureKind::kException: return "exception";
    case FailureKind::kThreadsLeft: return "threads left";
    case FailureKind::kAssertion: return "assertion";
    case FailureKind::kCrash: return "crash";
  }
  return "?";
}

bool SameCause(const Failure& a, const Failure& b) {
  if (a.kind != b.kind) return false;
  switch (a.kind) {
    case FailureKind::kException:
    case FailureKind::kAssertion:
    case FailureKind::kCrash: return a.what == b.what;
    default: return true;
  }
}

}  // namespace nowait::whole
