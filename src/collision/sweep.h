// Sweep: the way of a body in one step, from the place where it began to the one where it would
// end.
//
// The centre goes straight, and the body turns the shorter way, about one axis. The solver's own
// way has a corner at each sub-step; a sweep is a continuous way between the same two places, and
// that is all that continuous collision needs.
//
// Thread safety: immutable; any thread. Determinism: +, *, / and sqrt alone.
#ifndef NOWAIT_SRC_COLLISION_SWEEP_H_
#define NOWAIT_SRC_COLLISION_SWEEP_H_

#include "src/math/double3.h"
#include "src/math/quat.h"
#include "src/math/vec3.h"

namespace nowait {

struct Sweep {
  Vec3 start, end;  // places of the centre
  Quat start_rotation, end_rotation;

  static Sweep AtRest(Vec3 position, Quat rotation) {
    return {position, position, rotation, rotation};
  }

  // fraction: 0 .. 1. At the ends exactly the places that were given.
  Vec3 PositionAt(float fraction) const {
    return fraction >= 1.0f ? end : start + (end - start) * fraction;
  }
  Quat RotationAt(float fraction) const {
    if (fraction <= 0.0f) return start_rotation;
    if (fraction >= 1.0f) return end_rotation;
    const Quat& a = start_rotation;
    const Quat& b = end_rotation;
    const float cosine = ((a.x * b.x + a.y * b.y) + a.z * b.z) + a.w * b.w;
    const float of_a = 1.0f - fraction, of_b = cosine < 0.0f ? -fraction : fraction;
    return Normalise({a.x * of_a + b.x * of_b, a.y * of_a + b.y * of_b, a.z * of_a + b.z * of_b,
                      a.w * of_a + b.w * of_b});
  }

  // The part of the way up to `fraction`.
  Sweep UpTo(float fraction) const {
    return {start, PositionAt(fraction), start_rotation, RotationAt(fraction)};
  }

  Double3 Translation() const { return ToDouble(end) - ToDouble(start); }

  // The axis of the turn, as long as the body turns fast: at no moment more radians a sweep.
  Double3 FastestTurn() const {
    const Quat turn = end_rotation * Conjugate(start_rotation);
    const double sign = turn.w < 0.0f ? -1.0 : 1.0;
    return Double3{turn.x, turn.y, turn.z} * (4.0 * sign / (1.0 + sign * double{turn.w}));
  }
};

// Implementation: why this is right
//
// Let the turn from one rotation to the other be the unit quaternion (n sin f, cos f), which turns
// by 2f about n, with f of at most a quarter turn. RotationAt is the normalised mean (1 - t) + t
// (n sin f, cos f) of it and no turn, applied to the first rotation; so the axis is n throughout.
// The mean moves along a straight line, at the distance cos(f/2) from the origin or farther, and
// across its own direction by sin f. Divided by the square of that distance this is the speed of
// the normalised mean, at most sin f / cos^2(f/2) = 2 sin f / (1 + cos f). The body turns twice as
// fast.

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_SWEEP_H_
