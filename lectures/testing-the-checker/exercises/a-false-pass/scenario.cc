// The scenario. Two to four threads; atomics and plain data of ModelSync; a promise by Check.
#include "models/kit/scenario/model.h"

namespace nowait::model {

struct TheScenario {
  static constexpr int kThreads = 2;

  void Thread(int t) {
    if (t == 0) return ready.store(true, std::memory_order::release);
    while (!ready.load(std::memory_order::acquire)) ModelSync::Yield();
    Check(ready.load(std::memory_order::relaxed), "a thread that has waited finds the flag set");
  }

  ModelSync::atomic<bool> ready{false};
};

}  // namespace nowait::model
