// Ctrl-C and SIGTERM: a search stops after the current execution, and its results are saved instead
// of being lost.
#ifndef NOWAIT_MODELS_KIT_PROCESS_INTERRUPT_H_
#define NOWAIT_MODELS_KIT_PROCESS_INTERRUPT_H_

#include <atomic>

namespace nowait::model {

// From this call on, SIGINT and SIGTERM only store their number in the returned variable, which is
// 0 until then. The second signal ends the program as usual. Called from a program's main function.
const std::atomic<int>& CatchInterrupts();

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_PROCESS_INTERRUPT_H_
