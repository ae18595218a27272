// ClosestPoints: how far two shapes are apart, or how deep they are in each other, and where.
//
// Two convex shapes: GJK, and EPA where even their cores overlap (support.h). A convex shape and a
// height field: GJK against the triangles that can be nearest, the nearest cells first
// (field_cells.h); where they overlap, the deepest point of the narrow phase. A mesh likewise, by
// its tree (mesh_tree.h); both sides of its triangles count. A plane: one support point of the
// convex shape (half_space.h). Of a compound, the closest child, or the one that the shape is
// deepest in.
//
// Accuracy: of convex shapes a relative 1e-6 of the distance, and the rounding of the places of the
// shapes themselves; a depth of cores to 1e-7 of their size, where both have corners or one is a
// ball. Of a cylinder in another core, the way out may be longer than the shortest one by 5e-6 of
// their size (epa.h); that of cores 1,000 times as long as thick, by 0.6 % of it.
//
// Thread safety: pure functions; any thread. No allocation.
// Complexity: constant for convex shapes; for a height field and a mesh logarithmic in its parts
// where one place is nearest, linear where a whole region is equally near.
// Source: gjk.h, epa.h. Lecture: the narrow phase.
#ifndef NOWAIT_SRC_COLLISION_CLOSEST_POINTS_H_
#define NOWAIT_SRC_COLLISION_CLOSEST_POINTS_H_

#include <cstdint>
#include <optional>

#include "src/collision/collide.h"
#include "src/collision/support.h"
#include "src/math/vec3.h"

namespace nowait {

struct ClosestPoints {
  float distance = 0.0f;  // metres; negative: how far b has to move along the normal to touch only
  Vec3 on_a, on_b;        // on the surfaces, in the world
  Vec3 normal;            // of length one, from a to b
  std::uint32_t child = 0;    // of a compound b: the number of the child
  std::uint8_t material = 0;  // of a mesh or a height field b, as ShapeHit has it
};

// a: convex (IsConvex); b: any. Nothing where they are farther apart than `max_distance`.
std::optional<ClosestPoints> FindClosestPoints(const Placed& a, const Placed& b,
                                               float max_distance);

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_CLOSEST_POINTS_H_
