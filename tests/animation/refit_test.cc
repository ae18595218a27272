#include "src/animation/refit.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/animation/quantise.h"
#include "src/math/random.h"

namespace nowait {
namespace {

using Value = std::array<double, 3>;

// A stretch of 8 points at frames at random, two of them free; the others at their targets.
Stretch<3> RandomStretch(Random& random, std::vector<Value>& targets) {
  Stretch<3> stretch;
  stretch.free = 2;
  int frame = static_cast<int>(random.Below(3));
  for (int i = 0; i < stretch.size(); ++i) {
    stretch.frame[i] = frame;
    frame += 1 + static_cast<int>(random.Below(5));
  }
  targets.clear();
  for (int f = 0; f <= stretch.frame[7]; ++f) {
    const double t = 0.1 * f;
    targets.push_back({std::sin(t) + 0.001 * random.Between(-1, 1), std::cos(t), 0.2 * t});
  }
  for (int i = 0; i < stretch.size(); ++i) {
    stretch.value[i] = targets[static_cast<std::size_t>(stretch.frame[i])];
  }
  return stretch;
}

// The largest error of a stretch, by CubicLanes.
double Shown(const Stretch<3>& stretch, const std::vector<Value>& targets) {
  double largest = 0;
  for (int i = 1; i + 2 < stretch.size(); ++i) {
    CurveWindow<3> window;
    for (int k = 0; k < 4; ++k) {
      CurveValue<3> value;
      for (int n = 0; n < 3; ++n) value[n] = static_cast<float>(stretch.value[i - 1 + k][n]);
      window.Push(static_cast<std::uint16_t>(stretch.frame[i - 1 + k]), value);
    }
    CubicLanes<1, 3> cubic;
    cubic.Set(0, window);
    for (int f = stretch.frame[i] + 1; f <= stretch.frame[i + 1]; ++f) {
      const auto lanes = cubic.At(static_cast<float>(f));
      double square = 0;
      for (int n = 0; n < 3; ++n) {
        const double d = lanes[n].ToArray()[0] - targets[static_cast<std::size_t>(f)][n];
        square += d * d;
      }
      largest = std::max(largest, std::sqrt(square));
    }
  }
  return largest;
}

TEST_CASE("values that are found are within the limit, as playback shows them") {
  const std::uint64_t seed = GENERATE(1u, 2u);
  CAPTURE(seed);
  Random random(seed);
  int found = 0, lost = 0;
  for (int round = 0; round < 300; ++round) {
    std::vector<Value> targets;
    Stretch<3> stretch = RandomStretch(random, targets);
    constexpr double kLimit = 0.01;
    Refit<Position> refit({}, targets, kLimit);
    const auto error = refit.Solve(stretch);
    if (!error) {
      ++lost;
      continue;
    }
    ++found;
    REQUIRE(*error <= kLimit);
    REQUIRE(*error == Approx(Shown(stretch, targets)).margin(1e-6));
    for (int i = 3; i < 5; ++i) {
      const auto kept = Position::Unpack(stretch.bits[i]);
      for (int n = 0; n < 3; ++n) REQUIRE(kept[n] == stretch.value[i][n]);
    }
  }
  CHECK(found > 30);
  CHECK(lost > 30);
}

TEST_CASE("what is out of reach is out of reach of a search at random as well") {
  Random random(3);
  int lost = 0;
  for (int round = 0; round < 60; ++round) {
    std::vector<Value> targets;
    const Stretch<3> given = RandomStretch(random, targets);
    // The error before, and what the fit makes of it.
    const double before = Shown(given, targets);
    Stretch<3> fitted = given;
    const double limit = before * 0.6;
    if (limit < 0.001) continue;  // the codes of a position are part of such an error
    if (Refit<Position>({}, targets, limit).Solve(fitted)) {
      CHECK(Shown(fitted, targets) < before);
      continue;
    }
    ++lost;
    // Steps at random downwards: the largest error of values is convex in them.
    Stretch<3> tried = given;
    double best = before;
    for (int i = 0; i < 2'000; ++i) {
      Stretch<3> next = tried;
      const double size = before * std::pow(0.5, random.Below(8));
      for (int p = 3; p < 5; ++p) {
        for (double& component : next.value[p]) component += size * random.Between(-1, 1);
      }
      const double error = Shown(next, targets);
      if (error >= best) continue;
      best = error;
      tried = next;
    }
    // The rounds end before the optimum, and codes are half a millimetre apart.
    CHECK(best > 0.8 * limit - 0.0003);
  }
  CHECK(lost > 5);
}

TEST_CASE("rotations whose neighbours are turned otherwise by playback are not fitted") {
  std::vector<std::array<double, 4>> targets;
  for (int f = 0; f < 8; ++f) {  // 130 degrees a frame: half of that as a quaternion
    const double half = 1.134464 * f;
    targets.push_back({std::sin(half), 0, 0, std::cos(half)});
  }
  Stretch<4> stretch;
  stretch.free = 2;
  const std::array<int, 8> frames = {0, 0, 0, 0, 4, 5, 6, 7};
  for (int i = 0; i < 8; ++i) {
    stretch.frame[i] = frames[i];
    stretch.value[i] = targets[static_cast<std::size_t>(frames[i])];
  }
  CHECK(!Refit<Rotation<15>>({}, targets, 10.0).Solve(stretch));
}

}  // namespace
}  // namespace nowait
