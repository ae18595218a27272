// Call: a call of the structure's interface by the scenario, under its name.
//
//   RunResult RunOne() {
//     const model::Call call("RunOne");
//     return list.RunOne();
//   }
//
// The steps that are executed while it lives belong to it, and a counterexample shows them as its
// own. A History records its operations by name itself (history.h); this is for calls that no
// history has. It costs nothing in an execution that will not be shown.
#ifndef NOWAIT_MODELS_KIT_PROGRAM_CALL_H_
#define NOWAIT_MODELS_KIT_PROGRAM_CALL_H_

#include <utility>

#include "models/kit/program/machine.h"
#include "models/kit/watch/watch.h"

namespace nowait::model {

// Runs `keep` with the trace and the running thread's number if the execution's calls are kept.
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
