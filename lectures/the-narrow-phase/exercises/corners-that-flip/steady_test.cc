// ReduceSteadily on a disc that stands, tilts, loses points, and moves over an edge.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "lectures/judge.h"
#include "src/collision/manifold.h"
#include "src/collision/reduce.h"
#include "src/math/random.h"
#include "src/math/vec3.h"

namespace nowait {
namespace {

using Points = std::vector<ContactPoint>;
using Features = std::vector<std::uint32_t>;

constexpr float kNoise = 1e-5f;  // metres: rounding, with room
constexpr float kDeep = 0.002f, kSpanned = 0.9f, kRoom = 1e-4f;

// Twelve points of a circle.
Points Disc() {
  Points points;
  for (std::uint32_t i = 0; i < 12; ++i) {
    const float angle = static_cast<float>(i) * 0.52359878f;
    points.push_back({{std::cos(angle), 0, std::sin(angle)}, {0, 1, 0}, -0.001f, 40 + i});
  }
  return points;
}

Points Shaken(Points points, Random& random) {
  for (ContactPoint& point : points) {
    point.position = point.position + random.InBox({-1, -1, -1}, {1, 1, 1}) * kNoise;
    point.separation += random.Between(-kNoise, kNoise);
  }
  return points;
}

Manifold Steady(Points points, const Features& before) {
  Manifold manifold;
  ReduceSteadily(points, before, manifold);
  return manifold;
}

Features FeaturesOf(const Manifold& manifold) {
  Features features;
  for (const ContactPoint& point : manifold.points()) features.push_back(point.feature);
  return features;
}

// The area that four points or fewer span. Of the three ways to choose a quadrilateral's diagonals,
// the right one gives the largest area.
float AreaOf(const Manifold& manifold) {
  const auto points = manifold.points();
  float most = 0.0f;
  if (points.size() < 3) return most;
  const auto place = [&](std::size_t i) { return points[std::min(i, points.size() - 1)].position; };
  for (const auto& [a, b, c, d] :
       std::array<std::array<std::size_t, 4>, 3>{{{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 1, 2}}}) {
    most = std::max(most, 0.5f * Length(Cross(place(b) - place(a), place(d) - place(c))));
  }
  return most;
}

template <class Range>
float Least(const Range& points) {
  float least = 1e9f;
  for (const ContactPoint& point : points) least = std::min(least, point.separation);
  return least;
}

// At most four of the given points, as they are now, deep and wide enough.
bool IsGood(const Points& points, const Manifold& chosen) {
  if (chosen.count() != std::min<std::size_t>(points.size(), 4)) return false;
  for (const ContactPoint& point : chosen.points()) {
    const auto given = std::ranges::find(points, point.feature, &ContactPoint::feature);
    if (given == points.end() || !(given->position == point.position)) return false;
    if (given->separation != point.separation) return false;
  }
  Points copy = points;
  Manifold other;
  Reduce(copy, other);
  return Least(chosen.points()) <= Least(points) + kDeep + kNoise &&
         AreaOf(chosen) >= (kSpanned - kRoom) * AreaOf(other);
}

// How often the chosen features change in steps that differ by rounding; -1: a choice is bad.
int Changes(const Points& level, Random& random) {
  Features before;
  int changes = 0;
  for (int step = 0; step < 200; ++step) {
    const Points points = Shaken(level, random);
    const Manifold chosen = Steady(points, before);
    if (!IsGood(points, chosen)) return -1;
    if (step > 0 && FeaturesOf(chosen) != before) ++changes;
    before = FeaturesOf(chosen);
  }
  return changes;
}

int Main() {
  Random random(72);
  Judge judge;
  const int changes = Changes(Disc(), random);
  fmt::print("a disc of twelve points, 200 steps: the points change {} times\n", changes);
  judge.Ask(changes == 0, "while only rounding changes, the same points stay");

  // Each point in turn becomes the deepest, by a centimetre; the others stay.
  bool deep = true;
  for (std::size_t i = 0; i < 12; ++i) {
    const Features before = FeaturesOf(Steady(Disc(), {}));
    Points points = Disc();
    points[i].separation -= 0.01f;
    deep = deep && IsGood(points, Steady(points, before));
  }
  judge.Ask(deep, "the deepest point stays, whichever stayed before");

  // Four corners close together were the only ones; then the rest of the disc touches too.
  const Manifold narrow = Steady(Disc(), {40, 41, 42, 43});
  judge.Ask(IsGood(Disc(), narrow), "points that span little give way");

  bool gone = true;
  for (std::size_t i = 0; i < 12; ++i) {
    const Features before = FeaturesOf(Steady(Disc(), {}));
    Points points = Disc();
    points.erase(points.begin() + static_cast<std::ptrdiff_t>(i));
    gone = gone && IsGood(points, Steady(points, before));
  }
  judge.Ask(gone, "a point that is not there any more is replaced");

  // Over an edge: the points beyond it come back to the line of the edge.
  bool wide = true;
  Features before;
  for (int step = 0; step <= 40; ++step) {
    Points points = Disc();
    for (ContactPoint& point : points) {
      point.position.x = std::min(point.position.x, 1.0f - 0.045f * static_cast<float>(step));
    }
    const Manifold chosen = Steady(points, before);
    wide = wide && IsGood(points, chosen);
    before = FeaturesOf(chosen);
  }
  judge.Ask(wide, "they span enough while the disc moves over an edge");

  bool few = true;
  for (std::ptrdiff_t count = 0; count <= 4; ++count) {
    Points points = Disc();
    points.erase(points.begin() + count, points.end());
    few = few && Steady(points, {41, 42}).count() == static_cast<std::uint32_t>(count);
  }
  judge.Ask(few, "four points or fewer all stay");
  return judge.End();
}

}  // namespace
}  // namespace nowait

int main() { return nowait::Main(); }
