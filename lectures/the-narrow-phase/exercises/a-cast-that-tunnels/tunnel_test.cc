// FastestFrom on turns at random, and in the advancement of a rod that turns in front of a
// wall.
#include <algorithm>
#include <cmath>
#include <cstddef>

#include "lectures/judge.h"
#include "src/collision/sweep.h"
#include "src/math/random.h"
#include "src/math/vec3.h"

namespace nowait {
namespace {

constexpr int kParts = 200;
constexpr double kRoom = 2e-3;  // of a speed: rounding, and the width of a part

Sweep TurnTo(Quat rotation) { return {{}, {}, {}, rotation}; }

// The mean speed between two fractions, radians a sweep.
double SpeedBetween(const Sweep& sweep, float from, float to) {
  const Quat turn = sweep.RotationAt(to) * Conjugate(sweep.RotationAt(from));
  const double sine = std::min(Length(ToDouble({turn.x, turn.y, turn.z})), 1.0);
  return 2.0 * std::asin(sine) / (double{to} - double{from});
}

// The largest of the speeds from part `first` on.
double LargestFrom(const Sweep& sweep, int first) {
  double largest = 0.0;
  for (int i = first; i < kParts; ++i) {
    largest = std::max(largest, SpeedBetween(sweep, static_cast<float>(i) / kParts,
                                             static_cast<float>(i + 1) / kParts));
  }
  return largest;
}

// How deep the ends of a rod, one metre to each side along y, come into the wall at x = distance,
// on the way on which it turns about z, up to where the advancement stops it.
double DepthOfRod(const Sweep& sweep, double distance) {
  const auto gap_at = [&](float fraction) {
    return distance - std::abs(double{Rotate(sweep.RotationAt(fraction), {0, 1, 0}).x});
  };
  constexpr double kNear = 1e-3;
  const Turning turning = sweep.TurnOfSweep();
  float fraction = 0.0f;
  for (int step = 0; step < 1000 && gap_at(fraction) > kNear; ++step) {
    const double rate = turning.FastestFrom(fraction);  // its ends are a metre from the axis
    fraction += static_cast<float>((gap_at(fraction) - 0.5 * kNear) / rate);
    if (!(fraction < 1.0f)) {
      fraction = 1.0f;
      break;
    }
  }
  double deepest = 0.0;
  for (int i = 0; i <= kParts; ++i) {
    deepest = std::max(deepest, -gap_at(fraction * static_cast<float>(i) / kParts));
  }
  return deepest;
}

int Main() {
  Random random(1996);
  Judge judge;

  double deepest = 0.0;
  for (int i = 1; i < 100; ++i) {
    // A third to a half of a turn; the wall is met about the middle.
    const float half = 1.05f + 0.005f * static_cast<float>(i);
    const Sweep sweep = TurnTo({0, 0, std::sin(half), std::cos(half)});
    deepest = std::max(deepest, DepthOfRod(sweep, 0.5 + 0.0045 * i));
  }
  fmt::print("a rod of 2 m before a wall: its end is {:.1f} mm deep in it\n", 1000.0 * deepest);
  judge.Ask(deepest == 0.0, "the rod does not pass the wall");

  bool holds = true, reached = true;
  for (int round = 0; round < 100; ++round) {
    const Sweep sweep{{}, {}, random.Rotation(), random.Rotation()};
    for (const int first : {0, 30, 80, 99, 100, 101, 140, 190}) {
      const double bound = sweep.TurnOfSweep().FastestFrom(static_cast<double>(first) / kParts);
      const double largest = LargestFrom(sweep, first);
      holds = holds && largest <= bound * (1.0 + kRoom) + kRoom;
      reached = reached && bound <= largest * 1.02 + kRoom;
    }
  }
  judge.Ask(holds, "from no fraction on does the body turn faster");
  judge.Ask(reached, "at some moment it turns as fast");
  const Sweep still = TurnTo({});
  judge.Ask(still.TurnOfSweep().FastestFrom(0.3) == 0.0, "a body that does not turn has no speed");
  return judge.End();
}

}  // namespace
}  // namespace nowait

int main() { return nowait::Main(); }
