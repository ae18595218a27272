// The output of a program is its verdict: where that cannot be printed, the program has failed.
#ifndef NOWAIT_MODELS_KIT_PROCESS_PRINTING_H_
#define NOWAIT_MODELS_KIT_PROCESS_PRINTING_H_

#include <functional>

namespace nowait::model {

// The result of main(): that of run(), or 2 after one line on stderr if the output could not all be
// printed (a full disk, an output that is closed).
int Printing(const std::function<int()>& run);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_PROCESS_PRINTING_H_
