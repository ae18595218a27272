#include "tests/whole/scheduler/step.h"

#include <cstring>

namespace nowait::whole {

const char* Site::file() const {
  const char* const name = at_.file_name();
  const char* const slash = std::strrchr(name, '/');
  return slash == nullptr ? name : slash + 1;
}

bool Writes(StepKind kind) {
  switch (kind) {
    case StepKind::kLoad:
    case StepKind::kWait:
    case StepKind::kYield:
    case StepKind::kPause:
    case StepKind::kSleep:
    case StepKind::kClock:
    case StepKind::kCall:
    case StepKind::kReturn:
      return false;
    default:
      return true;
  }
}

const char* NameOf(StepKind kind) {
  switch (kind) {
    case StepKind::kLoad:
      return "load";
    case StepKind::kStore:
      return "store";
    case StepKind::kUpdate:
      return "update";
    case StepKind::kWait:
      return "wait";
    case StepKind::kNotify:
      return "notify";
    case StepKind::kLock:
      return "lock";
    case StepKind::kTryLock:
      return "try lock";
    case StepKind::kUnlock:
      return "unlock";
    case StepKind::kLockShared:
      return "lock shared";
    case StepKind::kTryLockShared:
      return "try lock shared";
    case StepKind::kUnlockShared:
      return "unlock shared";
    case StepKind::kConditionWait:
      return "condition wait";
    case StepKind::kConditionNotify:
      return "condition notify";
    case StepKind::kStart:
      return "start";
    case StepKind::kBegin:
      return "begin";
    case StepKind::kEnd:
      return "end";
    case StepKind::kJoin:
      return "join";
    case StepKind::kYield:
      return "yield";
    case StepKind::kPause:
      return "pause";
    case StepKind::kSleep:
      return "sleep";
    case StepKind::kClock:
      return "clock";
    case StepKind::kCall:
      return "call";
    case StepKind::kReturn:
      return "return";
  }
  return "?";
}

}  // namespace nowait::whole
