// ThreadLocals: whether the threads of a scenario use thread_local objects.
//
// The threads are fibers of one operating-system thread, and therefore share each thread_local
// object of the program. The checker cannot separate these objects, but it can detect that one has
// changed.
//
// It sees only objects of the program itself, not those of shared libraries. A sanitizer linked
// into the program has some there as well; in that case nothing is checked.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_RUN_THREAD_LOCALS_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_RUN_THREAD_LOCALS_H_

#include <cstddef>
#include <span>
#include <vector>

namespace nowait::model {

class ThreadLocals {
 public:
  // The objects of the calling thread.
  ThreadLocals();

  // Called before the fibers run.
  void Save() { saved_.assign(block_.begin(), block_.end()); }
  // Called after they have run. Returns whether an object differs, and restores all of them.
  bool RestoreIfChanged();

 private:
  std::span<std::byte> block_;
  std::vector<std::byte> saved_;
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_RUN_THREAD_LOCALS_H_
