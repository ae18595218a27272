// Epa on boxes, beams and plates that are deep in each other, against the separating axis test, and
// on cylinders, against directions in which they come apart.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "lectures/judge.h"
#include "src/collision/epa.h"
#include "src/collision/gjk.h"
#include "src/collision/placed.h"
#include "src/collision/support.h"
#include "src/math/random.h"
#include "src/math/vec3.h"

namespace nowait {
namespace {

constexpr double kRoom = 1e-5;  // metres: rounding of places and rotations, which are floats
constexpr std::array kThin = {1.0f, 0.1f, 0.01f, 0.001f};

struct Body {
  Shape shape;
  Vec3 position;
  Quat rotation;

  Placed Place() const { return Placed(shape, position, rotation); }
  std::array<Double3, 3> Axes() const {
    const Mat3 turn = ToMatrix(rotation);
    return {ToDouble(turn.x), ToDouble(turn.y), ToDouble(turn.z)};
  }
};

double ReachOfBox(const Body& box, const Double3& way) {
  const auto [x, y, z] = box.Axes();
  const Double3 half = ToDouble(box.shape.half);
  return std::abs(Dot(x, way)) * half.x + std::abs(Dot(y, way)) * half.y +
         std::abs(Dot(z, way)) * half.z;
}

// How deep two boxes are in each other: the least over all axes that can be the way out.
double DepthOfBoxes(const Body& a, const Body& b) {
  const Double3 between = ToDouble(b.position) - ToDouble(a.position);
  double least = std::numeric_limits<double>::max();
  const auto look = [&](const Double3& way) {
    if (Length(way) < 1e-6) return;  // of parallel edges
    const Double3 out = way * (1.0 / Length(way));
    least = std::min(least, ReachOfBox(a, out) + ReachOfBox(b, out) - std::abs(Dot(between, out)));
  };
  for (const Double3& of_a : a.Axes()) look(of_a);
  for (const Double3& of_b : b.Axes()) look(of_b);
  for (const Double3& of_a : a.Axes()) {
    for (const Double3& of_b : b.Axes()) look(Cross(of_a, of_b));
  }
  return least;
}

// By how much b has to be moved along `out`, of length one, until it has left a.
double WayOut(const Body& a, const Body& b, const Double3& out) {
  return Dot(SupportOfDifference(Core(a.Place(), {}), Core(b.Place(), {}), out).ab, out);
}

// Whether the two overlap; then what Epa says of them.
bool AskEpa(const Body& a, const Body& b, Penetration& answer) {
  const Core core_a(a.Place(), {}), core_b(b.Place(), {});
  const GjkResult found = Gjk(core_a, core_b);
  if (found.overlap) answer = Epa(core_a, core_b, found.simplex);
  return found.overlap;
}

// As thin along y; every other one along z, too.
Vec3 SomeHalf(Random& random, float thin, bool is_beam) {
  const Vec3 half = random.InBox({0.2f, 0.2f, 0.2f}, {1, 1, 1});
  return {half.x, half.y * thin, is_beam ? half.z * thin : half.z};
}

struct Result {
  int overlaps = 0;
  int longer = 0;     // the depth is too large
  int too_short = 0;  // along the normal, the depth is not enough
  double most_longer = 0.0;
};

Result OfBoxes(Random& random) {
  Result result;
  for (const float thin : kThin) {
    for (int round = 0; round < 1'000; ++round) {
      const bool is_beam = round % 2 != 0;
      const Vec3 apart = random.InBox({-1, -1, -1}, {1, 1, 1});
      const Body a{Shape::Box(SomeHalf(random, thin, is_beam)),
                   {},
                   round % 4 != 0 ? Quat{} : random.Rotation()};
      const Body b{Shape::Box(SomeHalf(random, thin, is_beam)),
                   {apart.x, apart.y * thin * static_cast<float>(round % 3), apart.z},
                   round % 8 < 4 ? random.Rotation() : Quat{}};
      Penetration answer;
      if (!AskEpa(a, b, answer)) continue;
      ++result.overlaps;
      const double longer = answer.depth - DepthOfBoxes(a, b);
      if (longer > kRoom) ++result.longer;
      result.most_longer = std::max(result.most_longer, longer);
      if (WayOut(a, b, answer.normal) > answer.depth + kRoom) ++result.too_short;
    }
  }
  return result;
}

Result OfCylinders(Random& random) {
  Result result;
  for (const float thin : kThin) {
    for (int round = 0; round < 200; ++round) {
      const float half = random.Between(0.2f, 1), radius = random.Between(0.2f, 1);
      const bool is_plate = round % 2 != 0;
      const Body a{
          Shape::Cylinder(is_plate ? half * thin : half, is_plate ? radius : radius * thin),
          {},
          random.Rotation()};
      const Body b{round % 3 == 0 ? Shape::Cylinder(0.5f, 0.3f) : Shape::Box({0.6f, 0.4f, 0.5f}),
                   random.InBox({-1, -1, -1}, {1, 1, 1}), random.Rotation()};
      Penetration answer;
      if (!AskEpa(a, b, answer)) continue;
      ++result.overlaps;
      double least = std::numeric_limits<double>::max();
      for (const Body& body : {a, b}) {
        for (const Double3& axis : body.Axes()) {
          least = std::min({least, WayOut(a, b, axis), WayOut(a, b, -axis)});
        }
      }
      for (int i = 0; i < 100; ++i) {
        const Double3 way = ToDouble(random.Direction());
        least = std::min(least, WayOut(a, b, way * (1.0 / Length(way))));
      }
      if (answer.depth > least + kRoom) ++result.longer;
      if (WayOut(a, b, answer.normal) > answer.depth + kRoom) ++result.too_short;
    }
  }
  return result;
}

int Main() {
  Random random(2001);
  Judge judge;
  const Result boxes = OfBoxes(random), cylinders = OfCylinders(random);
  fmt::print("boxes: {} overlap, of {} there is a shorter way out, by up to {:.3f} m\n",
             boxes.overlaps, boxes.longer, boxes.most_longer);
  judge.Ask(boxes.longer == 0, "two boxes have no shorter way out");
  fmt::print("cylinders: {} overlap, of {} there is a shorter way out\n", cylinders.overlaps,
             cylinders.longer);
  judge.Ask(cylinders.longer == 0, "round shapes have no shorter way out, as far as was looked");
  judge.Ask(boxes.too_short + cylinders.too_short == 0, "along the normal the two come apart");
  judge.Ask(boxes.overlaps > 1'000 && cylinders.overlaps > 100, "enough of them overlapped");
  return judge.End();
}

}  // namespace
}  // namespace nowait

int main() { return nowait::Main(); }
