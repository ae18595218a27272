// Scenarios of src/sync/quota.h.
#ifndef NOWAIT_MODELS_ARM_QUOTA_H_
#define NOWAIT_MODELS_ARM_QUOTA_H_

#include "src/sync/quota.h"

namespace nowait::arm {

template <class Sync>
struct QuotaTwoTakers {
  static constexpr const char* kName = "quota two_takers";
  static constexpr const char* kPromise = "of four Takes of three, three succeed";
  static constexpr int kThreads = 2;

  void Thread(int t) {
    int got = 0;
    for (int i = 0; i < 2; ++i) got += quota.Take() ? 1 : 0;
    taken[t] = got;
  }
  bool Holds() { return taken[0] + taken[1] == 3; }

  Quota<Sync> quota{3};
  int taken[2] = {};
};

}  // namespace nowait::arm

#endif  // NOWAIT_MODELS_ARM_QUOTA_H_
