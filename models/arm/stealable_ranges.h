// Scenarios of src/jobs/stealable_ranges.h.
#ifndef NOWAIT_MODELS_ARM_STEALABLE_RANGES_H_
#define NOWAIT_MODELS_ARM_STEALABLE_RANGES_H_

#include <cstdint>
#include <optional>

#include "src/jobs/stealable_ranges.h"

namespace nowait::arm {

// Two pieces for two hands, of which the second comes twice and steals.
template <class Sync>
struct RangesTakenOnce {
  static constexpr const char* kName = "stealable_ranges taken_once";
  static constexpr const char* kPromise = "each piece is taken once, and none is lost";
  static constexpr int kThreads = 2;

  RangesTakenOnce() { ranges.Distribute(2, 2); }

  void Thread(int t) {
    Count(ranges.Take(static_cast<std::uint32_t>(t)), t);
    if (t == 1) Count(ranges.Take(1), t);
  }
  void Count(std::optional<std::uint32_t> piece, int t) {
    if (piece) ++taken[t][*piece];
  }
  bool Holds() {
    while (const auto piece = ranges.Take(0)) ++taken[0][*piece];
    return taken[0][0] + taken[1][0] == 1 && taken[0][1] + taken[1][1] == 1;
  }

  StealableRanges<Sync> ranges{2};
  int taken[2][2] = {};
};

}  // namespace nowait::arm

#endif  // NOWAIT_MODELS_ARM_STEALABLE_RANGES_H_
