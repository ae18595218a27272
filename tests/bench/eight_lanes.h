// Rows of eight as two rows of four: what a tree with eight children a node would load with, for as
// long as no such tree is in src. Before it, Floats<8> is the plain array of src/math/simd.h.
#ifndef NOWAIT_TESTS_BENCH_EIGHT_LANES_H_
#define NOWAIT_TESTS_BENCH_EIGHT_LANES_H_

#include <algorithm>
#include <array>

#include "src/broadphase/row_load.h"
#include "src/math/simd.h"
#include "src/sync/policy.h"

namespace nowait {

struct EightMask {
  Float4::Mask low, high;
  LaneBits Bits() const { return low.Bits() | high.Bits() << 4; }
  friend EightMask operator&(EightMask a, EightMask b) { return {a.low & b.low, a.high & b.high}; }
};

struct EightFloats {
  using Array = std::array<float, 8>;
  using Mask = EightMask;

  EightFloats() = default;
  EightFloats(Float4 first, Float4 second) : low(first), high(second) {}
  explicit EightFloats(float all) : low(all), high(all) {}
  explicit EightFloats(const Array& lanes)
      : low(Float4::Array{lanes[0], lanes[1], lanes[2], lanes[3]}),
        high(Float4::Array{lanes[4], lanes[5], lanes[6], lanes[7]}) {}

  Array ToArray() const {
    Array lanes;
    std::ranges::copy(low.ToArray(), lanes.begin());
    std::ranges::copy(high.ToArray(), lanes.begin() + 4);
    return lanes;
  }
  friend Mask operator<=(const EightFloats& a, const EightFloats& b) {
    return {a.low <= b.low, a.high <= b.high};
  }

  Float4 low, high;
};

namespace simd_internal {
template <>
struct FloatsOf<8> {
  using Type = EightFloats;
};
}  // namespace simd_internal

#if NOWAIT_ROW_LOAD

template <>
inline constexpr bool kHasRowLoad<StdSync::atomic<float>, 8> = true;

inline EightFloats LoadRow(const StdSync::atomic<float> (&row)[8]) {
  using Four = const StdSync::atomic<float>[4];
  return {LoadRow(*reinterpret_cast<Four*>(row)), LoadRow(*reinterpret_cast<Four*>(row + 4))};
}

#endif

}  // namespace nowait

#endif  // NOWAIT_TESTS_BENCH_EIGHT_LANES_H_
