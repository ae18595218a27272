// What a program prints is its verdict: where that cannot be printed, the program has failed.
#ifndef NOWAIT_MODELS_KIT_PRINTING_H_
#define NOWAIT_MODELS_KIT_PRINTING_H_

#include <functional>

namespace nowait::model {

// What main() returns: what run() does, or after one line on stderr 2, if not all of it could be printed (a
// full disk, an output that is closed).
int Printing(const std::function<int()>& run);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_PRINTING_H_
