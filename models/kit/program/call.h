// Call: a named call of the structure's interface by the scenario.
//
//   RunResult RunOne() {
//     const model::Call call("RunOne");
//     return list.RunOne();
//   }
//
// The steps executed during the lifetime of a Call belong to it, and a counterexample shows them as
// its steps. A History names its operations itself (history.h); Call is for calls that appear in no
// history. It costs nothing in an execution that will not be shown.
#ifndef NOWAIT_MODELS_KIT_PROGRAM_CALL_H_
#define NOWAIT_MODELS_KIT_PROGRAM_CALL_H_

#include <utility>

#include "models/kit/program/machine.h"
#include "models/kit/watch/watch.h"

namespace nowait::model {

// Runs `keep` with the trace and the running thread's number if this execution's calls are kept.
template <class F>
inline void KeepCalls(F&& keep) {
  if (call_trace == nullptr) [[likely]]
    return;
  const MachineCall machine = CurrentMachine();
  const Unwatched unwatched;
  keep(*call_trace, machine->Thread());
}

class Call {
 public:
  explicit Call(const char* name) {
    KeepCalls([name](Trace& trace, int thread) { trace.BeginCall(thread, name); });
  }
  ~Call() {
    KeepCalls([](Trace& trace, int thread) { trace.EndCall(thread); });
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_PROGRAM_CALL_H_
