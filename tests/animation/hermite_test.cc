#include "src/animation/hermite.h"

#include <array>
#include <bit>
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

// The derivative at one end of the interval, of the cubic through four of its values: exact but for
// rounding.
CurveValue<3> SlopeAt(const CurveWindow<3>& window, float end) {
  const auto begin = static_cast<float>(window.frame[1]);
  const auto length = static_cast<float>(window.frame[2]) - begin;
  const std::array<float, 4> factors = {-11, 18, -9, 2};
  CurveValue<3> slope{};
  for (int i = 0; i < 4; ++i) {
    const float s = std::abs(end - static_cast<float>(i) / 3);
    const auto value = ValueAt(window, begin + s * length);
    for (int k = 0; k < 3; ++k) {
      slope[k] += (end > 0 ? -1 : 1) * factors[i] / 2 * value[k] / length;
    }
  }
  return slope;
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
    const auto leaves = SlopeAt(window, 1.0f);
    const auto comes = SlopeAt(next, 0.0f);
    for (int k = 0; k < 3; ++k) CHECK(leaves[k] == Approx(comes[k]).margin(2e-4));
  }
}

TEST_CASE("a cubic is the sum of its points by their weights") {
  Random random(9);
  for (int round = 0; round < 2'000; ++round) {
    const CurveWindow<3> window = RandomWindow(random);
    const int length = window.frame[2] - window.frame[1];
    const int time = window.frame[1] + static_cast<int>(random.Below(length + 1u));
    const auto weights =
        CubicWeights({window.frame[0], window.frame[1], window.frame[2], window.frame[3]}, time);
    const auto shown = ValueAt(window, static_cast<float>(time));
    for (int k = 0; k < 3; ++k) {
      double sum = 0;
      for (int i = 0; i < 4; ++i) sum += weights[i] * window.value[i][k];
      REQUIRE(sum == Approx(shown[k]).margin(3e-6));
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
      four.Set(lane, window);
      one[lane].Set(0, window);
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

TEST_CASE("quaternions are never turned away from each other") {
  CurveWindow<4> window;
  window.frame = {0, 1, 2, 3};
  window.value = {{{0, 0, 0, 1}, {0, 0, 0, -1}, {0, 0.6f, 0, -0.8f}, {0, -0.6f, 0, 0.8f}}};
  CHECK(ValueAt(window, 1) == CurveValue<4>{0, 0, 0, 1});
  CHECK(ValueAt(window, 2)[1] == Approx(-0.6f));
  CHECK(ValueAt(window, 2)[3] == Approx(0.8f));
  // Halfway they would cancel each other.
  CHECK(ValueAt(window, 1.5f)[3] > 0.8f);
}

TEST_CASE("a window that points were pushed into has the bits of one that was set") {
  const std::uint64_t seed = 4;
  CAPTURE(seed);
  Random random(seed);
  CubicLanes<4, 4> pushed;
  CurveWindow<4> window;
  for (int round = 0; round < 2'000; ++round) {
    const auto frame = static_cast<std::uint16_t>(window.frame[3] + random.Below(4));
    // Quarter turns, whose products are zero, and any others; with either sign.
    const int axis = static_cast<int>(random.Below(8));
    const Quat any = random.Rotation();
    CurveValue<4> value{any.x, any.y, any.z, any.w};
    if (axis < 4) {
      value = {};
      value[static_cast<std::size_t>(axis)] = random.Below(2) == 0 ? 1.0f : -1.0f;
    }
    window.Push(frame, value);
    pushed.Push(1, frame, value);
    if (round < 3) continue;
    CubicLanes<4, 4> set;
    set.Set(1, window);
    const float time = random.Between(window.frame[1], window.frame[2]);
    for (int k = 0; k < 4; ++k) {
      REQUIRE(std::bit_cast<std::uint32_t>(pushed.At(time)[k].ToArray()[1]) ==
              std::bit_cast<std::uint32_t>(set.At(time)[k].ToArray()[1]));
    }
  }
}

TEST_CASE("a cubic through zero is no rotation, and no NaN") {
  const std::array<Floats<1>, 4> zero = {Floats<1>(0.0f), Floats<1>(0.0f), Floats<1>(0.0f),
                                         Floats<1>(0.0f)};
  for (const auto& component : Normalised<1>(zero)) CHECK(component.ToArray()[0] == 0.0f);
}

}  // namespace
}  // namespace nowait
