// Cubics: the curve between two points, a Hermite spline whose derivatives follow from points.
//
// Of the points (t0, D0) .. (t3, D3), the middle two bound the interval. With s from 0 to 1 in it:
//
//   D(s) = (2s^3 - 3s^2 + 1) D1 + (s^3 - 2s^2 + s) m1 + (3s^2 - 2s^3) D2 + (s^3 - s^2) m2
//   m1   = (D2 - D0) (t2 - t1) / (t2 - t0)        m2 = (D3 - D1) (t2 - t1) / (t3 - t1)
//
// A derivative is never stored: it is a difference of data, times a number from 0 to 1. So errors
// of the points of at most e move the curve by at most 1.5 e.
// Where a neighbour lies at the same time as its point, the derivative is D2 - D1: this is how a
// curve ends (the neighbour is the point itself), and how it jumps (another value, the same time).
//
// One kernel serves any number of lanes: fitting uses one, playback four, and both get the same
// bits. Times are frame numbers, which 16 bits hold without an error.
//
// Thread safety: values. Complexity: constant for each lane.
// Source: [bitsquid2010], "The BitSquid low level animation system". Test:
// tests/animation/hermite_test.cc.
#ifndef NOWAIT_SRC_ANIMATION_HERMITE_H_
#define NOWAIT_SRC_ANIMATION_HERMITE_H_

#include <array>
#include <cstdint>

#include "src/math/simd.h"

namespace nowait {

// The data of a point: 4 components are a rotation (x, y, z, w), 3 are a position in metres.
template <int N>
using CurveValue = std::array<float, N>;

// Four neighbouring points of a curve; frames do not decrease.
template <int N>
struct CurveWindow {
  std::array<std::uint16_t, 4> frame{};
  std::array<CurveValue<N>, 4> value{};

  void Push(std::uint16_t next_frame, const CurveValue<N>& next) {
    frame = {frame[1], frame[2], frame[3], next_frame};
    value = {value[1], value[2], value[3], next};
  }
};

// Cubics of L curves of N components: ((c3 s + c2) s + c1) s + c0, with s = (time - begin) *
// inverse.
template <int L, int N>
struct alignas(L * sizeof(float)) CubicLanes {
  std::array<std::array<std::array<float, L>, N>, 4> c{};
  std::array<float, L> begin{};
  std::array<float, L> inverse{};  // 1 / the interval's length; 0 where it is empty

  void Set(int lane, const CurveWindow<N>& window) {
    const auto at = [&](int i) { return static_cast<float>(window.frame[i]); };
    const float length = at(2) - at(1);
    const bool has_before = window.frame[0] < window.frame[1];
    const bool has_behind = window.frame[2] < window.frame[3];
    const float before = has_before ? length / (at(2) - at(0)) : 1.0f;
    const float behind = has_behind ? length / (at(3) - at(1)) : 1.0f;
    for (int k = 0; k < N; ++k) {
      const float d1 = window.value[1][k];
      const float d2 = window.value[2][k];
      const float m1 = (d2 - (has_before ? window.value[0][k] : d1)) * before;
      const float m2 = ((has_behind ? window.value[3][k] : d2) - d1) * behind;
      c[0][k][lane] = d1;
      c[1][k][lane] = m1;
      c[2][k][lane] = (3.0f * (d2 - d1) - 2.0f * m1) - m2;
      c[3][k][lane] = (2.0f * (d1 - d2) + m1) + m2;
    }
    begin[lane] = at(1);
    inverse[lane] = length > 0.0f ? 1.0f / length : 0.0f;
  }

  // The curves at `time`, in frames.
  std::array<Floats<L>, N> At(float time) const {
    const Floats<L> s = (Floats<L>(time) - Floats<L>(begin)) * Floats<L>(inverse);
    std::array<Floats<L>, N> value;
    for (int k = 0; k < N; ++k) {
      const Floats<L> high = Floats<L>(c[3][k]) * s + Floats<L>(c[2][k]);
      value[k] = (high * s + Floats<L>(c[1][k])) * s + Floats<L>(c[0][k]);
    }
    return value;
  }
};

// Quaternions q and -q are one rotation, but not one point of a curve: each is turned towards the
// one before it. Depends on the window alone, so that playback from anywhere gives the same bits.
inline CurveWindow<4> Aligned(CurveWindow<4> window) {
  for (int i = 1; i < 4; ++i) {
    const CurveValue<4>& a = window.value[i - 1];
    CurveValue<4>& b = window.value[i];
    if (((a[0] * b[0] + a[1] * b[1]) + a[2] * b[2]) + a[3] * b[3] >= 0.0f) continue;
    for (float& component : b) component = -component;
  }
  return window;
}
inline const CurveWindow<3>& Aligned(const CurveWindow<3>& window) { return window; }

// Quaternions of length one. Where a cubic passes through zero, which a fitted one does not, the
// result is short instead of NaN.
template <int L>
std::array<Floats<L>, 4> Normalised(const std::array<Floats<L>, 4>& q) {
  const Floats<L> length = Sqrt(((q[0] * q[0] + q[1] * q[1]) + q[2] * q[2]) + q[3] * q[3]);
  const Floats<L> inverse = Floats<L>(1.0f) / Max(length, Floats<L>(1e-12f));
  return {q[0] * inverse, q[1] * inverse, q[2] * inverse, q[3] * inverse};
}
template <int L>
const std::array<Floats<L>, 3>& Normalised(const std::array<Floats<L>, 3>& position) {
  return position;
}

}  // namespace nowait

#endif  // NOWAIT_SRC_ANIMATION_HERMITE_H_
