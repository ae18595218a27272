// Numbers that probes share: the largest that counts, and the part that rounding can lose.
//
//   usable_ = probe_internal::AllFinite(centre) && radius >= 0;
//   touch = touch & (distance <= reach + size * Lanes(probe_internal::kSlack));
//
// Thread safety: the functions have no state. Test: tests/broadphase/shape_probes_test.cc and
// frustum_probe_test.cc.
#ifndef NOWAIT_SRC_BROADPHASE_PROBE_NUMBERS_H_
#define NOWAIT_SRC_BROADPHASE_PROBE_NUMBERS_H_

#include <array>
#include <cmath>
#include <cstddef>

#include "src/broadphase/probe.h"
#include "src/math/simd.h"

namespace nowait::probe_internal {

// More than the roundings of a coordinate can lose, as a part of the coordinate.
inline constexpr float kSlack = 2e-6f;

// Beyond every body. A probe that reaches farther is cut here: it would reach around the inside-out
// boxes of slots without a child, or have no square.
inline constexpr float kFarthest = 1e15f;

// Half an extent, as far as it counts.
inline float Cut(float half) { return std::fmin(half, kFarthest); }

template <std::size_t Axes>
bool AllFinite(const std::array<float, Axes>& numbers) {
  for (const float number : numbers) {
    if (!std::isfinite(number)) return false;
  }
  return true;
}

template <class Lanes>
Lanes Abs(const Lanes& x) {
  return Max(x, Lanes(0.0f) - x);
}

// How far the boxes reach from the origin along an axis: their roundings grow with it.
template <int Axes, int N>
Floats<N> Sizes(const BoxRows<Axes, N>& rows, int axis) {
  return Max(Abs(rows.min(axis)), Abs(rows.max(axis)));
}

}  // namespace nowait::probe_internal

#endif  // NOWAIT_SRC_BROADPHASE_PROBE_NUMBERS_H_
