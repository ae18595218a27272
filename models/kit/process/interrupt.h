// Ctrl-C, and the signal that asks a program to end: a search stops after the current execution,
// and its results are saved instead of being lost.
#ifndef NOWAIT_MODELS_KIT_PROCESS_INTERRUPT_H_
#define NOWAIT_MODELS_KIT_PROCESS_INTERRUPT_H_

#include <atomic>

namespace nowait::model {

// From here on SIGINT and SIGTERM only store their number in the returned variable, which is 0
// until then. The second one ends the program, as always. For a program's main function.
const std::atomic<int>& CatchInterrupts();

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_PROCESS_INTERRUPT_H_
