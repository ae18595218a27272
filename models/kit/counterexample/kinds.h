// The kinds of steps, for code that analyses a trace.
#ifndef NOWAIT_MODELS_KIT_COUNTEREXAMPLE_KINDS_H_
#define NOWAIT_MODELS_KIT_COUNTEREXAMPLE_KINDS_H_

#include "models/kit/program/operation.h"

namespace nowait::model::counterexample {

enum class ObjectKind { kAtomic, kPlain, kMutex, kCondition, kBlock, kNone };

constexpr ObjectKind KindOfObject(OperationKind kind) {
  switch (kind) {
    case OperationKind::kPlainRead:
    case OperationKind::kPlainWrite:
    case OperationKind::kEndPlain:
      return ObjectKind::kPlain;
    case OperationKind::kLock:
    case OperationKind::kTryLock:
    case OperationKind::kUnlock:
    case OperationKind::kEndMutex:
      return ObjectKind::kMutex;
    case OperationKind::kWaitCondition:
    case OperationKind::kWakeUp:
    case OperationKind::kNotifyCondition:
    case OperationKind::kEndCondition:
      return ObjectKind::kCondition;
    case OperationKind::kNew:
    case OperationKind::kDelete:
    case OperationKind::kUse:
      return ObjectKind::kBlock;
    case OperationKind::kFence:
    case OperationKind::kYield:
      return ObjectKind::kNone;
    default:
      return ObjectKind::kAtomic;
  }
}

// Whether it is an access to an atomic, with a memory order.
constexpr bool IsAtomicAccess(OperationKind kind) {
  return KindOfObject(kind) == ObjectKind::kAtomic && kind != OperationKind::kSleep &&
         kind != OperationKind::kNotify && kind != OperationKind::kEndAtomic &&
         kind != OperationKind::kLateStore;
}

}  // namespace nowait::model::counterexample

#endif  // NOWAIT_MODELS_KIT_COUNTEREXAMPLE_KINDS_H_
