// A scenario as AArch64 code: what the cross compilers are given.
//
// For each scenario S there are the functions S_setup(at), S_thread0(scenario) ... and
// S_holds(scenario), and the texts S_name and S_promise. The executor of models/kit/arm runs them;
// nothing here ever runs on a processor.
#ifndef NOWAIT_MODELS_ARM_CODE_H_
#define NOWAIT_MODELS_ARM_CODE_H_

#include <new>

#include "src/sync/policy.h"

namespace nowait::arm {

template <template <class> class S, int kThread>
void RunThread(S<StdSync>* scenario) {
  if constexpr (kThread < S<StdSync>::kThreads) scenario->Thread(kThread);
}

}  // namespace nowait::arm

#define NOWAIT_ARM_CODE(S)                                                          \
  extern "C" {                                                                      \
  extern const char* const S##_name = nowait::arm::S<nowait::StdSync>::kName;       \
  extern const char* const S##_promise = nowait::arm::S<nowait::StdSync>::kPromise; \
  void S##_setup(void* at) { new (at) nowait::arm::S<nowait::StdSync>; }            \
  void S##_thread0(nowait::arm::S<nowait::StdSync>* s) {                            \
    nowait::arm::RunThread<nowait::arm::S, 0>(s);                                   \
  }                                                                                 \
  void S##_thread1(nowait::arm::S<nowait::StdSync>* s) {                            \
    nowait::arm::RunThread<nowait::arm::S, 1>(s);                                   \
  }                                                                                 \
  void S##_thread2(nowait::arm::S<nowait::StdSync>* s) {                            \
    nowait::arm::RunThread<nowait::arm::S, 2>(s);                                   \
  }                                                                                 \
  void S##_thread3(nowait::arm::S<nowait::StdSync>* s) {                            \
    nowait::arm::RunThread<nowait::arm::S, 3>(s);                                   \
  }                                                                                 \
  extern const int S##_threads = nowait::arm::S<nowait::StdSync>::kThreads;         \
  bool S##_holds(nowait::arm::S<nowait::StdSync>* s) { return s->Holds(); }         \
  }

#endif  // NOWAIT_MODELS_ARM_CODE_H_
