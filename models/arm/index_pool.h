// Scenarios of src/sync/index_pool.h.
#ifndef NOWAIT_MODELS_ARM_INDEX_POOL_H_
#define NOWAIT_MODELS_ARM_INDEX_POOL_H_

#include <cstdint>

#include "src/sync/index_pool.h"

namespace nowait::arm {

// One thread gives an index back, another one takes it.
template <class Sync>
struct PoolHandsOver {
  static constexpr const char* kName = "index_pool hands_over";
  static constexpr const char* kPromise =
      "no two threads own an index, and its next owner finds what the last one wrote";
  static constexpr int kThreads = 2;

  PoolHandsOver() { first = pool.Take(); }

  void Thread(int t) {
    if (t == 0) {
      notes[first].set(1);
      pool.Return(first);
      again = pool.Take();
      return;
    }
    taken = pool.Take();
    if (taken == first) note = notes[taken].get();
  }
  bool Holds() {
    if (again != kNone && again == taken) return false;
    return note == 1;
  }

  static constexpr std::uint32_t kNone = IndexPool<Sync>::kNone;

  IndexPool<Sync> pool{2};
  typename Sync::template plain<std::uint32_t> notes[2];
  std::uint32_t first = 0;
  std::uint32_t again = kNone;
  std::uint32_t taken = kNone;
  std::uint32_t note = 1;
};

}  // namespace nowait::arm

#endif  // NOWAIT_MODELS_ARM_INDEX_POOL_H_
