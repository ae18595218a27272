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

#include <algorithm>

#include "src/math/double3.h"
#include "src/math/quat.h"
#include "src/math/vec3.h"

namespace nowait {

// The turn of a sweep, as the vector n sin f and the sine and cosine of f: by 2f about n.
struct Turning {
  Double3 axis;
  double sine, cosine;

  // The angular velocity at a fraction.
  Double3 VelocityAt(double fraction) const {
    const double squared = 1.0 - 2.0 * fraction * (1.0 - fraction) * (1.0 - cosine);
    return axis * (2.0 / squared);
  }
  // Its largest length: in the middle.
  double Fastest() const { return 4.0 * Tangent(); }
  // A point at a distance of one metre from the centre is accelerated by no more than this.
  double MostAcceleration() const {
    const double tangent = Tangent();
    return 16.0 * tangent * tangent * (1.0 + tangent);
  }

 private:
  double Tangent() const { return sine / (1.0 + cosine); }  // of f/2
};

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

  // How the body turns, in radians a sweep: always about the same axis.
  Turning TurnOfSweep() const {
    const Quat turn = end_rotation * Conjugate(start_rotation);
    const double sign = turn.w < 0.0f ? -1.0 : 1.0;
    const Double3 axis = Double3{turn.x, turn.y, turn.z} * sign;
    return {axis, std::min(Length(axis), 1.0), std::min(sign * double{turn.w}, 1.0)};
  }
};

// Implementation: why this is right
//
// Let the turn from one rotation to the other be the unit quaternion (n sin f, cos f), which turns
// by 2f about n, with f of at most a quarter turn. RotationAt is the normalised mean (1 - t) + t
// (n sin f, cos f) of it and no turn, applied to the first rotation; so the axis is n throughout.
// The mean moves along a straight line with the constant sin f across its own direction, at the
// squared distance q = 1 - 2t(1-t)(1 - cos f) from the origin. The normalised mean therefore has
// the speed sin f / q, and the body turns twice as fast. In the middle q is (1 + cos f) / 2, which
// gives 4 tan(f/2).
//
// That speed changes by -2 sin f q' / q^2, where |q'| is at most 2(1 - cos f): at most by
// 16 sin f (1 - cos f) / (1 + cos f)^2 = 16 tan^3(f/2). The centripetal part is the squared speed,
// at most 16 tan^2(f/2).

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_SWEEP_H_
