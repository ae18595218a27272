// CoreDistance: the signed distance of two rounded cores: GJK, EPA, and the radii; the depth of a
// point in a cylinder in closed form; that of a rounded core and a half-space: one support point.
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

// Of cores that overlap. simplex: as Epa has it.
inline Penetration PenetrationOf(const Core& a, const Core& b, const Simplex& simplex) {
  if (const auto out = a.WayOutOf(b)) {
    const Double3 place = b.middle();
    return {out->depth, out->normal, place + out->normal * out->depth, place};
  }
  if (const auto out = b.WayOutOf(a)) {
    const Double3 place = a.middle();
    return {out->depth, -out->normal, place, place + out->normal * out->depth};
  }
  return Epa(a, b, simplex);
}

// most: as of Gjk, for the rounded cores.
inline CoreDistance DistanceOf(const Core& a, const Core& b,
                               double most = std::numeric_limits<double>::infinity()) {
  const GjkResult apart = Gjk(a, b, most + (a.radius() + b.radius()));
  CoreDistance result{apart.distance, apart.normal, apart.on_a, apart.on_b};
  if (apart.overlap) {
    const Penetration deep = PenetrationOf(a, b, apart.simplex);
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
