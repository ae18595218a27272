// Reduce: chooses a few of many contact points that support a body as well as all of them.
//
// A limit: only the first of four points is chosen for its depth. Points farther out that do not
// touch yet, but are within the margin of the narrow phase, take the place of those that carry. A
// body that stands on feet inside a rim, a centimetre higher, sinks towards the rim.
//
// Source: E. Coumans, "Contact generation", GDC 2010: a deepest point, the one furthest from it,
// then those that span the largest area. Lecture: the narrow phase.
#ifndef NOWAIT_SRC_COLLISION_REDUCE_H_
#define NOWAIT_SRC_COLLISION_REDUCE_H_

#include <span>

#include "src/collision/manifold.h"

namespace nowait {

// Appends points that represent `points` to `manifold`: at most four for each group of points with
// nearly the same normal, deepest group first, for as many groups as there is room for. Reorders
// `points`; their order decides between equals.
void Reduce(std::span<ContactPoint> points, Manifold& manifold);

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_REDUCE_H_
