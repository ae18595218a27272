// Ctrl-C, and the signal that asks a program to end: a search stops after the current execution and
// what it did is saved, instead of being lost.
#ifndef NOWAIT_MODELS_KIT_INTERRUPT_H_
#define NOWAIT_MODELS_KIT_INTERRUPT_H_

#include <atomic>

namespace nowait::model {

// From here on SIGINT and SIGTERM only leave their number in what is returned, which is 0 until
// then. The second one ends the program, as always. For a program's main function.
const std::atomic<int>& CatchInterrupts();

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_INTERRUPT_H_
