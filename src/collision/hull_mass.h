// MassOfHull: volume, centre of mass and principal axes of a closed convex surface, exactly.
//
// The solid is the sum of the tetrahedra between one point and the triangles of the faces, with
// signs. The moments of a tetrahedron are polynomials in its corners.
//
// Thread safety: a pure function; any thread. No allocation.
// Complexity: linear in the corners.
// Determinism: the result depends on the arguments alone; sums in double, no libm beyond sqrt.
//
// Source: [tonon2005]; the axes: principal_axes.h.
#ifndef NOWAIT_SRC_COLLISION_HULL_MASS_H_
#define NOWAIT_SRC_COLLISION_HULL_MASS_H_

#include <array>

#include "src/collision/quickhull.h"
#include "src/math/double3.h"

namespace nowait {

struct HullMass {
  double volume = 0.0;
  Double3 centre;
  // Right-handed, of length one. Those of the points' frame, where they are principal axes already.
  std::array<Double3, 3> axes;
  Double3 inertia;  // about the axes through the centre, of a density of one
};

HullMass MassOfHull(const HullFaces& faces);

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_HULL_MASS_H_
