// Scenarios of src/islands/union_find.h.
#ifndef NOWAIT_MODELS_ARM_UNION_FIND_H_
#define NOWAIT_MODELS_ARM_UNION_FIND_H_

#include <cstdint>

#include "src/islands/union_find.h"

namespace nowait::arm {

template <class Sync>
struct UnionsMeet {
  static constexpr const char* kName = "union_find unions_meet";
  static constexpr const char* kPromise =
      "two unions that share their higher element are both kept";
  static constexpr int kThreads = 2;

  void Thread(int t) { sets.Union(static_cast<std::uint32_t>(t), 2); }
  bool Holds() { return sets.Find(1) == 0 && sets.Find(2) == 0; }

  UnionFind<Sync> sets{3};
};

}  // namespace nowait::arm

#endif  // NOWAIT_MODELS_ARM_UNION_FIND_H_
