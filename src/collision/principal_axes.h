// PrincipalAxesOf: the axes about which a solid turns without wobbling, and its moments about them.
//
// Thread safety: pure functions; any thread. No allocation.
// Determinism: the result depends on the arguments alone; doubles, no libm beyond sqrt.
//
// Source: Jacobi's method: [golub2013], section 8.5.
#ifndef NOWAIT_SRC_COLLISION_PRINCIPAL_AXES_H_
#define NOWAIT_SRC_COLLISION_PRINCIPAL_AXES_H_

#include <array>

#include "src/math/double3.h"
#include "src/math/quat.h"

namespace nowait {

// Symmetric: the integral over a solid of the products of a place's coordinates, about its centre.
using SecondMoments = std::array<std::array<double, 3>, 3>;

struct PrincipalAxes {
  // Right-handed, of length one. Those of the given frame, where they are principal axes already.
  std::array<Double3, 3> axes;
  Double3 inertia;  // about the axes
};

PrincipalAxes PrincipalAxesOf(SecondMoments moments);

// The rotation that takes x, y and z to the axes.
Quat RotationTo(const std::array<Double3, 3>& axes);

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_PRINCIPAL_AXES_H_
