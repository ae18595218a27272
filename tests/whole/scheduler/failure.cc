#include "tests/whole/scheduler/failure.h"

#include <string>

namespace nowait::whole {

const char* NameOf(FailureKind kind) {
  switch (kind) {
    case FailureKind::kDeadlock:
      return "deadlock";
    case FailureKind::kStarvation:
      return "starvation";
    case FailureKind::kLivelock:
      return "livelock";
    case FailureKind::kTooLong:
      return "too long";
    case FailureKind::kException:
      return "exception";
    case FailureKind::kThreadsLeft:
      return "threads left";
    case FailureKind::kAssertion:
      return "assertion";
    case FailureKind::kCrash:
      return "crash";
  }
  return "?";
}

namespace {

std::string WithoutNumbers(std::string text) {
  std::erase_if(text, [](char c) { return c >= '0' && c <= '9'; });
  return text;
}

}  // namespace

bool SameCause(const Failure& a, const Failure& b) {
  if (a.kind != b.kind) return false;
  switch (a.kind) {
    case FailureKind::kException:
    case FailureKind::kAssertion:
    case FailureKind::kCrash:
      return WithoutNumbers(a.what) == WithoutNumbers(b.what);
    default:
      return true;
  }
}

}  // namespace nowait::whole
