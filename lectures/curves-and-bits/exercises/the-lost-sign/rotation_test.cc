// Packs rotations at random, and those at which a mistake shows.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "lectures/judge.h"
#include "src/math/random.h"

namespace nowait {
namespace {

constexpr double kMostDegrees = 0.3;

// Between the rotations, of which either may be given by the opposite quaternion.
double DegreesBetween(const Quaternion& a, const Quaternion& b) {
  double minus = 0, plus = 0;
  for (int i = 0; i < 4; ++i) {
    minus += (double{a[i]} - b[i]) * (double{a[i]} - b[i]);
    plus += (double{a[i]} + b[i]) * (double{a[i]} + b[i]);
  }
  const double chord = std::sqrt(std::min(minus, plus));
  return 4 * std::asin(std::min(chord / 2, 1.0)) * 180 / 3.141592653589793;
}

Quaternion Opposite(const Quaternion& q) { return {-q[0], -q[1], -q[2], -q[3]}; }

int Main() {
  constexpr std::uint64_t kSeed = 11;
  Random random(kSeed);
  double largest = 0, opposite = 0, length = 0;
  for (int round = 0; round < 200'000; ++round) {
    const Quat any = random.Rotation();
    const Quaternion q{any.x, any.y, any.z, any.w};
    const Quaternion shown = UnpackRotation(PackRotation(q));
    const Quaternion other = UnpackRotation(PackRotation(Opposite(q)));
    // A positive largest component: the sign plays no part.
    const bool positive = *std::ranges::max_element(q, {}, [](float x) { return std::abs(x); }) > 0;
    largest = std::max(largest, DegreesBetween(q, positive ? shown : other));
    opposite = std::max(opposite, DegreesBetween(shown, other));
    double square = 0;
    for (const float component : shown) square += double{component} * component;
    length = std::max(length, std::abs(square - 1));
  }
  const Quaternion rest{0, 0, 0, 1};
  fmt::print("seed {}: at most {:.2f} degrees off, {:.2f} between q and -q\n", kSeed, largest,
             opposite);
  Judge judge;
  judge.Ask(opposite <= 2 * kMostDegrees, "q and -q come back as one rotation");
  judge.Ask(largest <= kMostDegrees, "no rotation is off by more than 0.3 degrees");
  judge.Ask(UnpackRotation(PackRotation(rest)) == rest, "a bone at rest is at rest");
  judge.Ask(length < 1e-5, "what comes back has the length one");
  return judge.End();
}

}  // namespace
}  // namespace nowait

int main() { return nowait::Main(); }
