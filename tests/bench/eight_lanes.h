// LoadRow for rows of eight: how a tree with eight children a node would load its boxes, for as
// long as no such tree is in src.
#ifndef NOWAIT_TESTS_BENCH_EIGHT_LANES_H_
#define NOWAIT_TESTS_BENCH_EIGHT_LANES_H_

#include <array>

#include "src/broadphase/row_load.h"
#include "src/math/simd.h"
#include "src/sync/policy.h"

namespace nowait {

#if NOWAIT_ROW_LOAD

template <>
inline constexpr bool kHasRowLoad<StdSync::atomic<float>, 8> = true;

inline Floats<8> LoadRow(const StdSync::atomic<float> (&row)[8]) {
  using Four = const StdSync::atomic<float>[4];
  std::array<float, 8> lanes;
  LoadRow(*reinterpret_cast<Four*>(row)).Store(lanes.data());
  LoadRow(*reinterpret_cast<Four*>(row + 4)).Store(lanes.data() + 4);
  return Floats<8>(lanes);
}

#endif

}  // namespace nowait

#endif  // NOWAIT_TESTS_BENCH_EIGHT_LANES_H_
