// Interruption: Ctrl-C ends a program's run in good order.
#ifndef NOWAIT_SRC_APPS_COMMAND_LINE_INTERRUPTION_H_
#define NOWAIT_SRC_APPS_COMMAND_LINE_INTERRUPTION_H_

namespace nowait {

// From here on the first SIGINT or SIGTERM is noted, and a second one ends the program as usual.
// Once a program, from its main thread.
void CatchInterrupts();

// Whether such a signal has come since CatchInterrupts. Any thread.
bool IsInterrupted();

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_COMMAND_LINE_INTERRUPTION_H_
