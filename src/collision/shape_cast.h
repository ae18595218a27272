// Casting a convex shape along a straight way: where it first touches another shape.
//
// Conservative advancement: at each place, GJK gives the distance and the normal. Along the normal
// the shapes approach each other at a known rate, and no direction can bring them together sooner.
// So the shape may go on until that distance would be used up. The distance of two convex shapes is
// a convex function of the way, so this is Newton's method on it, from the side on which it never
// steps too far: it ends after a few steps, also for a way that only grazes the other shape.
//
// The shape does not turn on its way. Against a height field, each triangle that can be met before
// the best hit is tested, the nearest cells first (field_cells.h); against a mesh likewise, by its
// tree. A plane is met in closed form. Of a compound, the child that is met first.
//
// Thread safety: pure functions; any thread. No allocation.
// Accuracy: at the fraction the shapes are within kCastPrecision of each other.
//
// Source: conservative advancement: [mirtich1996].
#ifndef NOWAIT_SRC_COLLISION_SHAPE_CAST_H_
#define NOWAIT_SRC_COLLISION_SHAPE_CAST_H_

#include <cstdint>
#include <optional>

#include "src/collision/collide.h"
#include "src/math/vec3.h"

namespace nowait {

// Metres.
inline constexpr float kCastPrecision = 1e-5f;

struct CastContact {
  float fraction = 1.0f;      // of the translation
  Vec3 point;                 // on the target's surface
  Vec3 normal;                // of length one, out of the target
  std::uint32_t child = 0;    // of a compound: the number of the child that was met
  std::uint8_t material = 0;  // of a mesh or a height field, as ShapeHit has it
};

// moving: convex, at the beginning of the way. translation: finite. The first contact at a fraction
// of at most `max_fraction`. A shape that overlaps the target at the beginning meets it at fraction
// zero, with the shortest way out as the normal. One that touches it and moves away misses it. The
// ground is met from above alone, and a mesh on its front.
std::optional<CastContact> CastShapeAgainst(const Placed& moving, Vec3 translation,
                                            float max_fraction, const Placed& target);

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_SHAPE_CAST_H_
