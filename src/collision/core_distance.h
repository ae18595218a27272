// CoreDistance: the signed distance of two rounded cores: GJK, EPA, and the radii; that of a
// rounded core and a half-space: one support point.
//
// Lecture: the narrow phase.
#ifndef NOWAIT_SRC_COLLISION_CORE_DISTANCE_H_
#define NOWAIT_SRC_COLLISION_CORE_DISTANCE_H_

#include <limits>

#include "src/collision/epa.h"
#include "src/collision/gjk.h"
#include "src/collision/half_space.h"
#include "src/collision/support.h"
#include "src/math/double3.h"

namespace nowait {

struct CoreDistance {
  double distance;  // negative: how deep the rounded cores are in each other
  Double3 normal;   // of length one, from a to b
  Double3 on_a, on_b;
};

// most: as of Gjk, for the rounded cores.
inline CoreDistance DistanceOf(const Core& a, const Core& b,
                               double most = std::numeric_limits<double>::infinity()) {
  const GjkResult apart = Gjk(a, b, most + (a.radius() + b.radius()));
  CoreDistance result{apart.distance, apart.normal, apart.on_a, apart.on_b};
  if (apart.overlap) {
    const Penetration deep = Epa(a, b, apart.simplex);
    result = {-deep.depth, deep.normal, deep.on_a, deep.on_b};
  }
  result.distance -= a.radius() + b.radius();
  result.on_a = result.on_a + result.normal * a.radius();
  result.on_b = result.on_b - result.normal * b.radius();
  return result;
}

// b: with places relative to the same origin.
inline CoreDistance DistanceOf(const Core& a, const HalfSpace& b) {
  const Double3& normal = b.normal();
  const Double3 deepest = a.Support(-normal) - normal * a.radius();
  const double above = b.DistanceOf(deepest);
  return {above, -normal, deepest, deepest - normal * above};
}

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_CORE_DISTANCE_H_
