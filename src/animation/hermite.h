// Cubics: the curve between two points, a Hermite spline whose derivatives follow from points.
//
// Of the points (t0, D0) .. (t3, D3), the middle two bound the interval. With s from 0 to 1 in it:
//
//   D(s) = (2s^3 - 3s^2 + 1) D1 + (s^3 - 2s^2 + s) m1 + (3s^2 - 2s^3) D2 + (s^3 - s^2) m2
//   m1   = (D2 - D0) (t2 - t1) / (t2 - t0)        m2 = (D3 - D1) (t2 - t1) / (t3 - t1)
//
// A derivative is never stored: it is a difference of data, times a number from 0 to 1. So errors
// of the points of at most e move the curve by at most 1.5 e. The sum is taken over the differences
// of neighbours, D1 + a (D1 - D0) + b (D2 - D1) + c (D3 - D2): a curve that rests, rests exactly.
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

#include <algorithm>
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

// The same cubic as a sum of its four values: the weight of each at `time`, a frame of the
// interval. A fit looks for values with it. Playback has CubicLanes alone.
inline std::array<double, 4> CubicWeights(const std::array<int, 4>& frame, int time) {
  const auto span = [&](int from, int to) { return static_cast<double>(frame[to] - frame[from]); };
  const double length = span(1, 2);
  const double s = (time - frame[1]) / std::max(length, 1.0);
  const double rest = 1.0 - s;
  const double leaving = s * (rest * rest) * (length / std::max(span(0, 2), 1.0));
  const double coming = -(s * s * rest) * (length / std::max(span(1, 3), 1.0));
  const double middle = s * s * (3.0 - 2.0 * s) + (leaving + coming);
  const double first = leaving * std::min(span(0, 1), 1.0);
  const double last = coming * std::min(span(2, 3), 1.0);
  return {-first, 1.0 + first - middle, middle - last, last};
}

// The windows of L curves of N components, lane by lane, and their cubics. Points are turned as
// they come in: quaternions q and -q are one rotation, but not one point of a curve, and each is
// turned towards the one before it, beginning with the first of the window as it was given. So the
// lanes depend on the window alone, and playback from anywhere gives the same bits.
template <int L, int N>
class alignas(L * sizeof(float)) CubicLanes {
 public:
  void Set(int lane, const CurveWindow<N>& window) {
    for (int i = 0; i < 4; ++i) Push(lane, window.frame[i], window.value[i]);
  }

  // The next interval of a curve, with one point more. Equal to Set with the window that results.
  void Push(int lane, std::uint16_t frame, const CurveValue<N>& value) {
    Repeat(lane);
    frame_[3][lane] = frame;
    float sign = 1.0f;
    if constexpr (N == 4) {
      // As the points were given, of which the one before may be turned.
      float dot = 0.0f;
      for (int k = 0; k < N; ++k) dot += value_[2][k][lane] * value[k];
      const bool turned = (turned_[lane] & kThird) != 0;
      const bool turn = turned != ((turned ? -dot : dot) < 0.0f);
      turned_[lane] = static_cast<std::uint8_t>((turned_[lane] & ~kLast) | (turn ? kLast : 0));
      sign = turn ? -1.0f : 1.0f;
    }
    for (int k = 0; k < N; ++k) value_[3][k][lane] = sign * value[k];
  }

  // The next interval of a curve that has no more points: its last one is its own neighbour.
  void Repeat(int lane) {
    for (int i = 0; i < 3; ++i) {
      frame_[i][lane] = frame_[i + 1][lane];
      for (int k = 0; k < N; ++k) value_[i][k][lane] = value_[i + 1][k][lane];
    }
    if constexpr (N == 4) {
      const std::uint8_t turned = turned_[lane];
      turned_[lane] = static_cast<std::uint8_t>(turned >> 1 | (turned & kLast));
      if ((turned_[lane] & kFirst) == 0) return;
      turned_[lane] ^= kAll;
      for (auto& value : value_) {
        for (int k = 0; k < N; ++k) value[k][lane] = -value[k][lane];
      }
    }
  }

  // Of point i of the lane's window.
  std::uint16_t frame(int i, int lane) const { return static_cast<std::uint16_t>(frame_[i][lane]); }

  // The curves at `time`, in frames.
  std::array<Floats<L>, N> At(float time) const {
    using F = Floats<L>;
    const F t0(frame_[0]), t1(frame_[1]), t2(frame_[2]), t3(frame_[3]);
    // Frames are whole numbers: two at different times are at least 1 apart.
    const F one(1.0f);
    const F length = t2 - t1;
    const F before = length / Max(t2 - t0, one);
    const F behind = length / Max(t3 - t1, one);
    const F has_before = Min(t1 - t0, one);
    const F has_behind = Min(t3 - t2, one);

    const F s = (F(time) - t1) / Max(length, one);
    const F rest = one - s;
    const F leaving = (s * (rest * rest)) * before;        // of m1, without its difference
    const F coming = F(0.0f) - ((s * s) * rest) * behind;  // of m2
    const F middle = (s * s) * (F(3.0f) - (s + s)) + (leaving + coming);
    const F first = leaving * has_before;
    const F last = coming * has_behind;
    std::array<F, N> at;
    for (int k = 0; k < N; ++k) {
      const F d0(value_[0][k]), d1(value_[1][k]), d2(value_[2][k]), d3(value_[3][k]);
      at[k] = d1 + (((d1 - d0) * first + (d2 - d1) * middle) + (d3 - d2) * last);
    }
    return at;
  }

 private:
  // Of the points of a window that are turned.
  static constexpr std::uint8_t kFirst = 1, kThird = 4, kLast = 8, kAll = 15;

  std::array<std::array<float, L>, 4> frame_{};
  std::array<std::array<std::array<float, L>, N>, 4> value_{};
  std::array<std::uint8_t, N == 4 ? L : 0> turned_{};
};

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
