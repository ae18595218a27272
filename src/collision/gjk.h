// GJK: the distance of two convex cores, by their support mappings alone.
//
// The cores are as far apart as their difference, the set of all a - b, is from the origin. GJK
// keeps a simplex of up to four points of the difference, finds the simplex's point closest to the
// origin, asks for the furthest point of the difference in the direction of the origin, and keeps
// of both only what the closest point needs. The distance shrinks with every step.
//
// Robustness. It works in doubles. It ends when the next point comes no closer than rounding, when
// the point is one that it has, or when the distance has not shrunk. A tetrahedron without volume
// is searched like its four faces, so that rounding cannot put the origin into it. Cores that are
// nearer than 1e-8 of the difference's size count as touching, unless the direction of the closest
// point separates them: it is a difference of large numbers, and may be rounding alone.
//
// Thread safety: pure functions; any thread. No allocation.
// Complexity: for cores with corners it ends after a few steps, at most kMaxSteps.
// Determinism: the result depends on the arguments alone.
//
// Source: [gilbert1988]; when to stop: [bergen2003], chapter 4; the
// regions of a simplex: [ericson2005], section 5.1. Lecture: the narrow phase.
#ifndef NOWAIT_SRC_COLLISION_GJK_H_
#define NOWAIT_SRC_COLLISION_GJK_H_

#include <array>
#include <limits>

#include "src/collision/support.h"
#include "src/math/double3.h"

namespace nowait {

// A point of the difference, and the points of the cores that it comes from.
struct DifferencePoint {
  Double3 a, b;
  Double3 ab;  // a - b
};

// The point of the difference of `a` and `b` furthest in `direction`.
inline DifferencePoint SupportOfDifference(const Core& a, const Core& b, const Double3& direction) {
  const Double3 of_a = a.Support(direction), of_b = b.Support(-direction);
  return {of_a, of_b, of_a - of_b};
}

// Points of the difference, and the weights with which they make the point closest to the origin.
struct Simplex {
  std::array<DifferencePoint, 4> points;
  std::array<double, 4> weights{};
  int count = 0;

  Double3 Closest() const;
  Double3 ClosestOnA() const;
  Double3 ClosestOnB() const;
};

struct GjkResult {
  bool overlap = false;   // or the cores touch: no direction separates them
  double distance = 0.0;  // of the cores; zero where they overlap
  Double3 on_a, on_b;     // the closest points, where they do not overlap
  Double3 normal;         // of length one, from a to b; zero where they overlap
  Simplex simplex;        // around the origin where they overlap: EPA goes on from it
};

inline constexpr int kMaxGjkSteps = 100;

// most: where the cores are farther apart than this, the search ends as soon as a support point
// shows it. The distance is then only known to be larger, and the points are not yet the closest.
GjkResult Gjk(const Core& a, const Core& b, double most = std::numeric_limits<double>::infinity());

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_GJK_H_
