// SupportOfCone against points all over the cone.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "lectures/judge.h"
#include "src/collision/support.h"
#include "src/math/double3.h"
#include "src/math/random.h"

namespace nowait {
namespace {

constexpr double kRounding = 1e-9;  // of the size

struct Cone {
  double radius, half_height;
  double size() const { return std::max(radius, half_height); }
};

Cone SomeCone(Random& random) {
  const double scale = std::pow(10.0, double{random.Between(-2, 2)});
  return {scale * std::pow(10.0, double{random.Between(-1, 1)}), scale};
}

// On its surface: the tip, and circles from the rim upwards.
std::vector<Double3> PointsOf(const Cone& cone) {
  std::vector<Double3> points;
  for (int level = 0; level <= 10; ++level) {
    const double up = level / 10.0, radius = cone.radius * (1.0 - up);
    for (int i = 0; i < 96; ++i) {
      const double angle = i * (6.283185307179586 / 96.0);
      points.push_back({radius * std::cos(angle), cone.half_height * (2.0 * up - 1.0),
                        radius * std::sin(angle)});
    }
  }
  return points;
}

bool IsIn(const Cone& cone, const Double3& p) {
  const double room = kRounding * cone.size();
  const double up = (p.y / cone.half_height + 1.0) / 2.0;  // zero at the disc, one at the tip
  return std::abs(p.y) <= cone.half_height + room &&
         std::hypot(p.x, p.z) <= cone.radius * (1.0 - up) + room;
}

double Reach(const Cone& cone, const Double3& direction) {
  return Dot(direction, SupportOfCone(direction, cone.radius, cone.half_height));
}

int Main() {
  Random random(71);
  bool inside = true, furthest = true, any_length = true;
  for (int round = 0; round < 2'000; ++round) {
    const Cone cone = SomeCone(random);
    const Double3 direction = ToDouble(random.Direction());
    inside = inside && IsIn(cone, SupportOfCone(direction, cone.radius, cone.half_height));
    const double reach = Reach(cone, direction);
    for (const Double3& p : PointsOf(cone)) {
      furthest = furthest && Dot(direction, p) <= reach + kRounding * cone.size();
    }
    for (const double length : {1e-9, 1e9}) {
      const double longer = Reach(cone, direction * length) / length;
      any_length = any_length && std::abs(longer - reach) <= kRounding * cone.size();
    }
  }

  bool along_the_axis = true;
  for (const Cone& cone : std::array<Cone, 3>{{{1, 1}, {100, 1}, {0.01, 1}}}) {
    const Double3 up = SupportOfCone({0, 2, 0}, cone.radius, cone.half_height);
    const Double3 down = SupportOfCone({0, -2, 0}, cone.radius, cone.half_height);
    along_the_axis = along_the_axis && up == Double3{0, cone.half_height, 0} && IsIn(cone, down) &&
                     down.y == -cone.half_height;
  }
  // A flat cone is widest between two points of its rim, and a steep direction leads to the tip.
  const Cone flat{10, 0.1};
  const Double3 across{1, 0.05, 0};
  const double width = Reach(flat, across) + Reach(flat, -across);

  Judge judge;
  judge.Ask(inside, "the point belongs to the cone");
  judge.Ask(furthest, "no point of the cone is further");
  judge.Ask(any_length, "the length of the direction does not matter");
  judge.Ask(along_the_axis, "along the axis: the tip, and a point of the disc");
  judge.Ask(std::abs(width - 20.0) < 1e-9, "a flat cone is as wide as its disc");
  return judge.End();
}

}  // namespace
}  // namespace nowait

int main() { return nowait::Main(); }
