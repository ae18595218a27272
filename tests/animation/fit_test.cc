#include "src/animation/fit.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/animation/quantise.h"
#include "src/math/random.h"
#include "src/math/vec3.h"

namespace nowait {
namespace {

using Positions = std::vector<CurveValue<3>>;
using Rotations = std::vector<CurveValue<4>>;

Positions Samples(int frames, auto function) {
  Positions samples;
  for (int f = 0; f < frames; ++f) samples.push_back(function(static_cast<float>(f)));
  return samples;
}

// The value of playback at a frame, found without the fit's own bookkeeping.
template <class Format>
typename Format::Value Shown(const FittedCurve<Format>& curve, std::uint16_t frame) {
  std::size_t i = 0;
  while (frame > curve.points[i + 1].frame) ++i;
  CubicLanes<1, Format::kComponents> cubic;
  cubic.Set(0, WindowAt(curve, i));
  const auto lanes = Normalised<1>(cubic.At(frame));
  typename Format::Value value;
  for (int k = 0; k < Format::kComponents; ++k) value[k] = lanes[k].ToArray()[0];
  return value;
}
template <class Format>
float LargestError(const FittedCurve<Format>& curve,
                   const std::vector<typename Format::Value>& samples) {
  float largest = 0;
  for (std::size_t f = 0; f < samples.size(); ++f) {
    const auto shown = Shown(curve, static_cast<std::uint16_t>(f));
    largest = std::max(largest, Format::Distance(shown, samples[f]));
  }
  return largest;
}

TEST_CASE("a straight line needs its ends alone") {
  const auto samples = Samples(500, [](float t) { return CurveValue<3>{0.01f * t, -1, 0}; });
  const auto curve = FitCurve<Position>(samples, {}, 0.0005f);
  CHECK(curve.points.size() == 2);
  CHECK(curve.error <= 0.0005f);
}

TEST_CASE("the error is below the limit, and a lower limit takes more points") {
  const auto samples = Samples(1000, [](float t) {
    return CurveValue<3>{std::sin(t / 60), std::cos(t / 90), std::sin(t / 200) * std::sin(t / 50)};
  });
  std::size_t points = 0;
  for (const float limit : {0.05f, 0.005f, 0.0005f}) {
    const auto curve = FitCurve<Position>(samples, {}, limit);
    CHECK(curve.error <= limit);
    CHECK(LargestError(curve, samples) == curve.error);
    CHECK(curve.points.size() > points);
    points = curve.points.size();
  }
  CHECK(points < samples.size() / 2);
}

TEST_CASE("the interval with the largest error is halved") {
  // Still, but for a bump: the points gather there.
  const auto samples = Samples(257, [](float t) {
    return CurveValue<3>{std::abs(t - 200) < 10 ? 0.5f : 0.0f, 0, 0};
  });
  const auto curve = FitCurve<Position>(samples, {}, 0.001f);
  CHECK(curve.error <= 0.001f);
  const auto near = std::count_if(curve.points.begin(), curve.points.end(), [](const auto& point) {
    return std::abs(point.frame - 200) < 20;
  });
  CHECK(near * 2 > static_cast<std::ptrdiff_t>(curve.points.size()));
  for (std::size_t i = 1; i < curve.points.size(); ++i) {
    CHECK(curve.points[i - 1].frame < curve.points[i].frame);
  }
}

TEST_CASE("a cut stays sharp and costs few points") {
  const auto samples = Samples(300, [](float t) {
    return t <= 120 ? CurveValue<3>{0.002f * t, 0, 0} : CurveValue<3>{5, 0.001f * t, 0};
  });
  const std::vector<std::uint16_t> cuts = {120};
  const auto curve = FitCurve<Position>(samples, cuts, 0.0005f);
  CHECK(curve.points.size() <= 12);
  CHECK(LargestError(curve, samples) <= 0.0005f);
  CHECK(Shown(curve, 120)[0] == Approx(0.24f).margin(0.001));
  CHECK(Shown(curve, 121)[0] == Approx(5.0f).margin(0.001));
  // Without it the curve has to climb there.
  CHECK(FitCurve<Position>(samples, {}, 0.0005f).points.size() > curve.points.size());
}

TEST_CASE("cuts at the first frame and one after the other") {
  const auto samples = Samples(10, [](float t) {
    return t < 1 ? CurveValue<3>{1, 1, 1} : t < 2 ? CurveValue<3>{2, 2, 2} : CurveValue<3>{3, 3, t};
  });
  const std::vector<std::uint16_t> cuts = {0, 1};
  const auto curve = FitCurve<Position>(samples, cuts, 0.0005f);
  CHECK(LargestError(curve, samples) <= 0.0005f);
}

TEST_CASE("rotations are fitted across the change of their sign") {
  const std::uint64_t seed = GENERATE(1u, 2u, 3u);
  CAPTURE(seed);
  Random random(seed);
  const Vec3 axis = random.Direction();
  Rotations samples;
  for (int f = 0; f < 600; ++f) {
    // Several turns, each of which passes through w = 0; and signs at random.
    const float angle = static_cast<float>(f) * 0.05f + std::sin(static_cast<float>(f) / 25);
    const Quat q = FromAxisAngle(axis, angle);
    const float sign = random.Below(2) == 0 ? -1.0f : 1.0f;
    samples.push_back({sign * q.x, sign * q.y, sign * q.z, sign * q.w});
  }
  const float limit = ChordOfDegrees(0.3f);
  const auto coarse = FitCurve<Rotation<10>>(samples, {}, limit);
  CHECK(LargestError(coarse, samples) <= limit);
  const auto fine = FitCurve<Rotation<15>>(samples, {}, limit);
  CHECK(LargestError(fine, samples) <= limit);
  CHECK(fine.points.size() <= coarse.points.size());
  CHECK(coarse.points.size() < samples.size() / 3);
}

TEST_CASE("a limit below the format's own error is reported, not reached") {
  Random random(7);
  Rotations samples;
  Quat q = random.Rotation();
  for (int f = 0; f < 100; ++f) {
    q = Integrate(q, {1, 2, 3}, 0.01f);
    samples.push_back({q.x, q.y, q.z, q.w});
  }
  const float limit = ChordOfDegrees(0.02f);
  const auto curve = FitCurve<Rotation<10>>(samples, {}, limit);
  CHECK(curve.error > limit);
  CHECK(FitCurve<Rotation<15>>(samples, {}, limit).error <= limit);
}

TEST_CASE("two samples are a curve") {
  const auto samples = Samples(2, [](float t) { return CurveValue<3>{t, 2 * t, 0}; });
  CHECK(FitCurve<Position>(samples, {}, 0.0005f).points.size() == 2);
}

}  // namespace
}  // namespace nowait
