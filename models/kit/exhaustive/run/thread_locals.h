// ThreadLocals: whether the threads of a scenario use thread_local objects.
//
// The threads are fibers of one thread of the operating system, and so share each thread_local
// object of the program. The checker cannot separate them; it can see that one has changed.
//
// Only objects of the program itself are seen, and not those of shared libraries. A sanitizer that
// is linked has some of its own there: then nothing is seen.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_RUN_THREAD_LOCALS_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_RUN_THREAD_LOCALS_H_

#include <cstddef>
#include <span>
#include <vector>

namespace nowait::model {

class ThreadLocals {
 public:
  // Those of the calling thread.
  ThreadLocals();

  // Before the fibers run.
  void Save() { saved_.assign(block_.begin(), block_.end()); }
  // After they have run: whether an object differs. Then all become as they were.
  bool RestoreIfChanged();

 private:
  std::span<std::byte> block_;
  std::vector<std::byte> saved_;
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_RUN_THREAD_LOCALS_H_
