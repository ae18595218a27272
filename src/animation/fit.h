// FitCurve: a curve with few points whose error is within a limit.
//
//   const auto curve = FitCurve<Rotation<10>>(samples, cuts, ChordOfDegrees(0.3f));
//   if (curve.error > ...)                  the format is too coarse for the limit
//
// It starts with both ends. As long as an interval has a frame whose error is above the limit, the
// interval with the largest error gets a point at its middle. Its value is the sample. Then points
// that can be spared are taken out, and pairs of points replaced by one (sparing.h): a curve has to
// pass near the samples, and not through them. Errors are measured with the points as their format
// keeps them. `error` is found with the kernel of playback: it is the difference that playback
// shows at the frames of the samples.
//
// A cut after frame f is a jump: two points at frame f, with the values of frames f and f + 1.
// Nothing before it has an influence on the curve behind it.
//
// Thread safety: a function of values. It may throw std::bad_alloc.
// Complexity: p points of n frames by halving: O(n log n) evaluations when the halvings are even,
// and O(p^2) comparisons of errors; then that of Sparing. Deterministic: of equal errors, the
// earlier interval's.
// Source: [bitsquid2010], "The BitSquid low level animation system". Test:
// tests/animation/fit_test.cc.
#ifndef NOWAIT_SRC_ANIMATION_FIT_H_
#define NOWAIT_SRC_ANIMATION_FIT_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "src/animation/hermite.h"
#include "src/animation/sparing.h"
#include "src/base/assert.h"

namespace nowait {

template <class Format>
struct FittedCurve {
  struct Point {
    std::uint16_t frame;
    std::uint64_t bits;  // as the format packs them
    friend bool operator==(const Point&, const Point&) = default;
  };
  Format format;
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
    window.value[k] = curve.format.Unpack(point.bits);
  }
  return window;
}

// The largest error in the interval behind point i. A frame at which an interval ends belongs to
// it; frame 0 belongs to the first.
template <class Format>
float ErrorBehind(const FittedCurve<Format>& curve, std::size_t i,
                  std::span<const typename Format::Value> samples) {
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
  return largest;
}

// Puts points between those of the curve by halving.
template <class Format>
void Halve(std::span<const typename Format::Value> samples, float limit, int most_gap,
           FittedCurve<Format>& curve) {
  std::vector<float> errors;  // behind each point but the last
  for (std::size_t i = 0; i + 1 < curve.points.size(); ++i) {
    errors.push_back(ErrorBehind(curve, i, samples));
  }
  const auto needs_point = [&](std::size_t i) {
    const int gap = curve.points[i + 1].frame - curve.points[i].frame;
    return gap >= 2 && (errors[i] > limit || gap > most_gap);
  };
  for (;;) {
    std::size_t worst = errors.size();
    for (std::size_t i = 0; i < errors.size(); ++i) {
      if (!needs_point(i)) continue;
      if (worst == errors.size() || errors[i] > errors[worst]) worst = i;
    }
    if (worst == errors.size()) return;
    const int sum = curve.points[worst].frame + curve.points[worst + 1].frame;
    const auto middle = static_cast<std::uint16_t>(sum / 2);
    const auto behind = static_cast<std::ptrdiff_t>(worst + 1);
    curve.points.insert(curve.points.begin() + behind,
                        {middle, curve.format.Pack(samples[middle])});
    errors.insert(errors.begin() + behind, 0.0f);
    // The new point is in the windows of four intervals.
    const std::size_t first = worst > 0 ? worst - 1 : 0;
    for (std::size_t i = first; i < std::min(worst + 3, errors.size()); ++i) {
      errors[i] = ErrorBehind(curve, i, samples);
    }
  }
}

// The curve with fewer points, between one jump and the next.
template <class Format>
void Spare(std::span<const typename Format::Value> samples, float limit, int most_gap,
           FittedCurve<Format>& curve) {
  using Section = Sparing<Format>;
  std::vector<typename FittedCurve<Format>::Point> spared;
  for (std::size_t i = 0; i < curve.points.size();) {
    const int begin = curve.points[i].frame;
    std::vector<typename Section::Point> points;
    do {
      points.push_back({curve.points[i].frame - begin, curve.points[i].bits});
      ++i;
    } while (i < curve.points.size() && curve.points[i].frame > points.back().frame + begin);
    if (points.size() > 1) {
      const auto end = static_cast<std::size_t>(points.back().frame + begin);
      std::vector<typename Format::Value> section(samples.begin() + begin,
                                                  samples.begin() + static_cast<int>(end) + 1);
      // Behind a jump the curve begins at the frame before, with the value of the next one.
      if (!spared.empty()) section[0] = section[1];
      points = Section(curve.format, section, points, limit, most_gap).Run();
    }
    for (const auto& point : points) {
      spared.push_back({static_cast<std::uint16_t>(point.frame + begin), point.bits});
    }
  }
  curve.points = std::move(spared);
}

// samples: of the frames 0, 1, ..., from 2 to 65,535 of them. cuts: the frames after which the
// curve jumps, ascending, below the last. limit: in the units of Format::Distance, above 0.
// most_gap: frames from a point to the next, at least 1.
template <class Format>
FittedCurve<Format> FitCurve(std::span<const typename Format::Value> samples,
                             std::span<const std::uint16_t> cuts, float limit,
                             const Format& format = {}, int most_gap = 65'535) {
  NOWAIT_ASSERT(samples.size() >= 2 && samples.size() <= 65'535, "a curve has two ends");
  FittedCurve<Format> curve{format, {}, 0.0f};
  const auto end = static_cast<std::uint16_t>(samples.size() - 1);
  const auto add = [&](std::uint16_t at, std::size_t of) {
    curve.points.push_back({at, format.Pack(samples[of])});
  };
  add(0, 0);
  for (const std::uint16_t cut : cuts) {
    NOWAIT_ASSERT(cut < end, "a curve goes on behind a cut");
    if (curve.points.back().frame < cut) add(cut, cut);
    add(cut, cut + 1u);
  }
  add(end, end);
  Halve(samples, limit, most_gap, curve);
  // The kernel rounds: by less than a part in a thousand of a rotation's limit or a position's.
  Spare(samples, limit * 0.999f, most_gap, curve);
  for (std::size_t i = 0; i + 1 < curve.points.size(); ++i) {
    curve.error = std::max(curve.error, ErrorBehind(curve, i, samples));
  }
  return curve;
}

}  // namespace nowait

#endif  // NOWAIT_SRC_ANIMATION_FIT_H_
