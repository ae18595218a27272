// The number of threads of a program under the checker.
#ifndef NOWAIT_MODELS_KIT_PROGRAM_THREADS_H_
#define NOWAIT_MODELS_KIT_PROGRAM_THREADS_H_

namespace nowait::model {

// With more than four threads a search has no chance of finishing.
inline constexpr int kMinThreads = 2;
inline constexpr int kMaxThreads = 4;

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_PROGRAM_THREADS_H_
