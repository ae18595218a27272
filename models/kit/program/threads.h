// The number of threads that a program under the checker has.
#ifndef NOWAIT_MODELS_KIT_PROGRAM_THREADS_H_
#define NOWAIT_MODELS_KIT_PROGRAM_THREADS_H_

namespace nowait::model {

// More than four leave no search a chance.
inline constexpr int kMinThreads = 2;
inline constexpr int kMaxThreads = 4;

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_PROGRAM_THREADS_H_
