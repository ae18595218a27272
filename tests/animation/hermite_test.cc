#include "src/animation/hermite.h"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>

#include "src/math/random.h"
#include "src/math/simd.h"

namespace nowait {
namespace {

// A window of random frames and values; equal neighbours in time are among them.
CurveWindow<3> RandomWindow(Random& random) {
  CurveWindow<3> window;
  std::uint16_t frame = static_cast<std::uint16_t>(random.Below(100));
  for (int i = 0; i < 4; ++i) {
    window.frame[i] = frame;
    for (float& component : window.value[i]) component = random.Between(-2, 2);
    frame = static_cast<std::uint16_t>(frame + random.Below(20) + (i == 1));
  }
  return window;
}

template <int N>
CurveValue<N> ValueAt(const CurveWindow<N>& window, float time) {
  CubicLanes<1, N> cubic;
  cubic.Set(0, window);
  const auto lanes = cubic.At(time);
  CurveValue<N> value;
  for (int k = 0; k < N; ++k) value[k] = lanes[k].ToArray()[0];
  return value;
}

TEST_CASE("a cubic meets its points, with derivatives that two neighbours share") {
  const std::uint64_t seed = 1;
  CAPTURE(seed);
  Random random(seed);
  for (int round = 0; round < 2'000; ++round) {
    const CurveWindow<3> window = RandomWindow(random);
    const auto begin = static_cast<float>(window.frame[1]);
    const auto end = static_cast<float>(window.frame[2]);
    for (int k = 0; k < 3; ++k) {
      CHECK(ValueAt(window, begin)[k] == window.value[1][k]);
      CHECK(ValueAt(window, end)[k] == Approx(window.value[2][k]).margin(1e-5));
    }
    if (window.frame[2] == window.frame[3]) continue;
    // The next interval begins with the derivative with which this one ends.
    CurveWindow<3> next = window;
    next.Push(static_cast<std::uint16_t>(window.frame[3] + 1 + random.Below(9)), {1, 2, 3});
    CubicLanes<1, 3> here, there;
    here.Set(0, window);
    there.Set(0, next);
    for (int k = 0; k < 3; ++k) {
      const float slope =
          (here.c[1][k][0] + 2 * here.c[2][k][0] + 3 * here.c[3][k][0]) * here.inverse[0];
      CHECK(slope == Approx(there.c[1][k][0] * there.inverse[0]).margin(1e-4));
    }
  }
}

TEST_CASE("a straight line is met between points at any distance") {
  CurveWindow<3> window;
  window.frame = {3, 10, 14, 90};
  for (int i = 0; i < 4; ++i) {
    const auto t = static_cast<float>(window.frame[i]);
    window.value[i] = {0.5f * t, -t, 7.0f};
  }
  for (float time = 10; time <= 14; time += 0.25f) {
    const auto value = ValueAt(window, time);
    CHECK(value[0] == Approx(0.5f * time));
    CHECK(value[1] == Approx(-time));
    CHECK(value[2] == 7.0f);
  }
}

TEST_CASE("behind a jump nothing of the value before it is left") {
  CurveWindow<3> window;
  window.frame = {5, 5, 9, 9};
  window.value[1] = {1, 1, 1};
  window.value[2] = {2, 2, 2};
  const auto without = ValueAt(window, 7);
  window.value[0] = {100, -100, 5};
  window.value[3] = {-100, 100, 5};
  CHECK(ValueAt(window, 7) == without);
  CHECK(without[0] == Approx(1.5f));
}

TEST_CASE("errors of the points by e move the curve by at most 1.5 e") {
  const std::uint64_t seed = 2;
  CAPTURE(seed);
  Random random(seed);
  float largest = 0;
  for (int round = 0; round < 20'000; ++round) {
    // The curve is linear in its values: the errors alone are a curve.
    CurveWindow<3> window = RandomWindow(random);
    for (auto& value : window.value) {
      for (float& component : value) component = random.Below(2) == 0 ? -1.0f : 1.0f;
    }
    const float s = random.Unit();
    const auto value = ValueAt(window, static_cast<float>(window.frame[1]) * (1 - s) +
                                           static_cast<float>(window.frame[2]) * s);
    for (const float component : value) largest = std::max(largest, std::abs(component));
  }
  CHECK(largest <= 1.5f);
  CHECK(largest > 1.2f);
}

TEST_CASE("an interval without a length has the value of its beginning") {
  CurveWindow<3> window;
  window.frame = {0, 0, 0, 4};
  window.value = {{{9, 9, 9}, {1, 2, 3}, {4, 5, 6}, {7, 8, 9}}};
  CHECK(ValueAt(window, 0) == window.value[1]);
}

TEST_CASE("four lanes give the bits of one lane") {
  const std::uint64_t seed = 3;
  CAPTURE(seed);
  Random random(seed);
  for (int round = 0; round < 500; ++round) {
    CubicLanes<4, 4> four;
    std::array<CubicLanes<1, 4>, 4> one;
    for (int lane = 0; lane < 4; ++lane) {
      CurveWindow<4> window;
      window.frame = RandomWindow(random).frame;
      for (auto& value : window.value) {
        const Quat q = random.Rotation();
        value = {q.x, q.y, q.z, q.w};
      }
      four.Set(lane, Aligned(window));
      one[lane].Set(0, Aligned(window));
    }
    const float time = random.Between(0, 120);
    const auto together = Normalised<4>(four.At(time));
    for (int lane = 0; lane < 4; ++lane) {
      const auto alone = Normalised<1>(one[lane].At(time));
      for (int k = 0; k < 4; ++k) {
        REQUIRE(together[k].ToArray()[lane] == alone[k].ToArray()[0]);
      }
    }
  }
}

TEST_CASE("aligned quaternions are never turned away from each other") {
  CurveWindow<4> window;
  window.value = {{{0, 0, 0, 1}, {0, 0, 0, -1}, {0, 0.6f, 0, -0.8f}, {0, -0.6f, 0, 0.8f}}};
  const auto aligned = Aligned(window);
  CHECK(aligned.value[1] == CurveValue<4>{0, 0, 0, 1});
  CHECK(aligned.value[2] == CurveValue<4>{0, -0.6f, 0, 0.8f});
  CHECK(aligned.value[3] == CurveValue<4>{0, -0.6f, 0, 0.8f});
}

TEST_CASE("a cubic through zero is no rotation, and no NaN") {
  const std::array<Floats<1>, 4> zero = {Floats<1>(0.0f), Floats<1>(0.0f), Floats<1>(0.0f),
                                         Floats<1>(0.0f)};
  for (const auto& component : Normalised<1>(zero)) CHECK(component.ToArray()[0] == 0.0f);
}

}  // namespace
}  // namespace nowait
