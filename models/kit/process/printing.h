// The output of a program is its verdict: a program whose output cannot be printed has failed.
#ifndef NOWAIT_MODELS_KIT_PROCESS_PRINTING_H_
#define NOWAIT_MODELS_KIT_PROCESS_PRINTING_H_

#include <functional>

namespace nowait::model {

// Returns the result of run(), for main(); or 2, after one line on stderr, if part of the output
// could not be printed (a full disk, a closed output).
int Printing(const std::function<int()>& run);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_PROCESS_PRINTING_H_
