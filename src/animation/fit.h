// FitCurve: as few points as the error allows, by halving the interval with the largest error.
//
//   const auto curve = FitCurve<Rotation<10>>(samples, cuts, ChordOfDegrees(0.3f));
//   if (curve.error > ...)                  the format is too coarse for the limit
//
// It starts with both ends. As long as an interval has a frame whose error is above the limit, the
// interval with the largest error gets a point at its middle. Errors are measured with the points
// as their format keeps them and with the kernel of playback, so that the error of quantisation is
// part of them: `error` is the difference that playback shows at the frames of the samples. Then
// points without which the limit is kept are taken out, from the beginning on, as long as there are
// any.
//
// A cut after frame f is a jump: two points at frame f, with the values of frames f and f + 1.
// Nothing before it has an influence on the curve behind it.
//
// Thread safety: a function of values. It may throw std::bad_alloc.
// Complexity: p points of n frames: O(n log n) evaluations when the halvings are even, and O(p^2)
// comparisons of errors. Deterministic: of equal errors, the earlier interval's.
// Source: [bitsquid2010], "The BitSquid low level animation system". Test:
// tests/animation/fit_test.cc.
#ifndef NOWAIT_SRC_ANIMATION_FIT_H_
#define NOWAIT_SRC_ANIMATION_FIT_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/animation/hermite.h"
#include "src/base/assert.h"

namespace nowait {

template <class Format>
struct FittedCurve {
  struct Point {
    std::uint16_t frame;
    typename Format::Words words;
    friend bool operator==(const Point&, const Point&) = default;
  };
  std::vector<Point> points;
  float error = 0.0f;  // the largest Format::Distance to a sample
};

// The window whose interval begins at point i of a curve; an end is its own neighbour.
template <class Format>
CurveWindow<Format::kComponents> WindowAt(const FittedCurve<Format>& curve, std::size_t i) {
  CurveWindow<Format::kComponents> window;
  const std::size_t last = curve.points.size() - 1;
  for (std::size_t k = 0; k < 4; ++k) {
    const auto& point = curve.points[std::min(i + k > 0 ? i + k - 1 : 0, last)];
    window.frame[k] = point.frame;
    window.value[k] = Format::Unpack(point.words);
  }
  return window;
}

// samples: of the frames 0, 1, ..., from 2 to 65,535 of them. cuts: the frames after which the
// curve jumps, ascending, below the last. limit: in the units of Format::Distance.
template <class Format>
FittedCurve<Format> FitCurve(std::span<const typename Format::Value> samples,
                             std::span<const std::uint16_t> cuts, float limit) {
  NOWAIT_ASSERT(samples.size() >= 2 && samples.size() <= 65'535, "a curve has two ends");
  FittedCurve<Format> curve;
  const auto end = static_cast<std::uint16_t>(samples.size() - 1);
  const auto sampled = [&](std::uint16_t at, std::uint16_t of) {
    return typename FittedCurve<Format>::Point{at, Format::Pack(samples[of])};
  };
  curve.points = {sampled(0, 0)};
  for (const std::uint16_t cut : cuts) {
    NOWAIT_ASSERT(cut < end, "a curve goes on behind a cut");
    if (curve.points.back().frame < cut) curve.points.push_back(sampled(cut, cut));
    curve.points.push_back(sampled(cut, static_cast<std::uint16_t>(cut + 1)));
  }
  curve.points.push_back(sampled(end, end));

  // The largest error in the interval behind each point but the last. A frame at which an interval
  // ends belongs to it; frame 0 belongs to the first.
  std::vector<float> errors(curve.points.size() - 1);
  const auto measure = [&](std::size_t i) {
    CubicLanes<1, Format::kComponents> cubic;
    cubic.Set(0, WindowAt(curve, i));
    const std::uint16_t begin = curve.points[i].frame;
    float largest = 0.0f;
    for (std::uint32_t frame = begin + (i > 0); frame <= curve.points[i + 1].frame; ++frame) {
      const auto lanes = Normalised<1>(cubic.At(static_cast<float>(frame)));
      typename Format::Value value;
      for (int k = 0; k < Format::kComponents; ++k) value[k] = lanes[k].ToArray()[0];
      largest = std::max(largest, Format::Distance(value, samples[frame]));
    }
    errors[i] = largest;
  };
  const auto can_split = [&](std::size_t i) {
    return curve.points[i + 1].frame - curve.points[i].frame >= 2;
  };
  for (std::size_t i = 0; i < errors.size(); ++i) measure(i);
  for (;;) {
    std::size_t worst = errors.size();
    for (std::size_t i = 0; i < errors.size(); ++i) {
      if (errors[i] <= limit || !can_split(i)) continue;
      if (worst == errors.size() || errors[i] > errors[worst]) worst = i;
    }
    if (worst == errors.size()) break;
    const int sum = curve.points[worst].frame + curve.points[worst + 1].frame;
    const auto middle = static_cast<std::uint16_t>(sum / 2);
    const auto behind = static_cast<std::ptrdiff_t>(worst + 1);
    curve.points.insert(curve.points.begin() + behind, sampled(middle, middle));
    errors.insert(errors.begin() + behind, 0.0f);
    // The new point is in the windows of four intervals.
    const std::size_t first = worst > 0 ? worst - 1 : 0;
    for (std::size_t i = first; i < std::min(worst + 3, errors.size()); ++i) measure(i);
  }
  // Halving puts points where the last halves needed them: some can be spared once all are there.
  // A point is one if without it the intervals whose windows had it stay within the limit.
  const auto spare = [&](std::size_t i) {
    const auto place = static_cast<std::ptrdiff_t>(i);
    const auto point = curve.points[i];
    const std::size_t first = i > 2 ? i - 2 : 0;
    const std::size_t last = std::min(i + 2, errors.size());
    std::array<float, 4> before;
    std::copy(errors.begin() + static_cast<std::ptrdiff_t>(first),
              errors.begin() + static_cast<std::ptrdiff_t>(last), before.begin());
    curve.points.erase(curve.points.begin() + place);
    errors.erase(errors.begin() + place);
    for (std::size_t k = first; k + 1 < last; ++k) {
      measure(k);
      if (errors[k] <= limit) continue;
      curve.points.insert(curve.points.begin() + place, point);
      errors.insert(errors.begin() + place, 0.0f);
      std::copy_n(before.begin(), last - first,
                  errors.begin() + static_cast<std::ptrdiff_t>(first));
      return false;
    }
    return true;
  };
  const auto is_jump = [&](std::size_t i) {
    return curve.points[i - 1].frame == curve.points[i].frame ||
           curve.points[i].frame == curve.points[i + 1].frame;
  };
  for (bool spared = true; spared;) {
    spared = false;
    for (std::size_t i = 1; i + 1 < curve.points.size(); ++i) {
      if (!is_jump(i) && spare(i)) spared = true;
    }
  }
  curve.error = *std::max_element(errors.begin(), errors.end());
  return curve;
}

}  // namespace nowait

#endif  // NOWAIT_SRC_ANIMATION_FIT_H_
