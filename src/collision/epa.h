// EPA: how deep two overlapping cores are in each other, and the shortest way out.
//
// The origin lies in the difference of the cores (gjk.h), and the shortest way out is to the point
// of its surface closest to the origin. EPA begins with a tetrahedron of points of the difference
// around the origin and expands it: it asks for the furthest point of the difference beyond the
// closest face, and replaces the faces that see this point by a fan around it. The closest face is
// never farther than the surface. It is the answer when the surface is no farther than that face.
//
// A difference without volume (of two segments, or of a point and a triangle) has depth zero, and
// the way out is perpendicular to it.
//
// Thread safety: pure functions; any thread. No allocation.
// Complexity: at most kMaxEpaPoints points. Beyond them, and where rounding ends the search, the
// shortest way out that was tried is returned, which may not be the shortest one. That happens to
// cylinders deep around nearly the same axis; ways along the axes, away from them and in turns
// about them are tried as well. The depth is then too large by 2e-6 of the size at most where the
// axes are parallel, and by 5e-6 elsewhere (tests/collision/parallel_cylinders_test.cc).
// Determinism: the result depends on the arguments alone.
//
// Source: [bergen2001]; [bergen2003], chapter 4. Lecture: the narrow phase.
#ifndef NOWAIT_SRC_COLLISION_EPA_H_
#define NOWAIT_SRC_COLLISION_EPA_H_

#include <cstddef>

#include "src/collision/gjk.h"
#include "src/collision/support.h"
#include "src/math/double3.h"

namespace nowait {

inline constexpr std::size_t kMaxEpaPoints = 64;

struct Penetration {
  double depth = 0.0;
  Double3 normal;      // of length one: b leaves a by `depth` along it
  Double3 on_a, on_b;  // the deepest points: on_a - on_b is normal * depth
};

// simplex: of the GjkResult that has found the overlap.
Penetration Epa(const Core& a, const Core& b, const Simplex& simplex);

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_EPA_H_
