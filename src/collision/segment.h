// Segment: a line segment by its middle, and the closest points of two. The axis of a capsule.
//
// Source: C. Ericson, "Real-Time Collision Detection", section 5.1.9.
#ifndef NOWAIT_SRC_COLLISION_SEGMENT_H_
#define NOWAIT_SRC_COLLISION_SEGMENT_H_

#include <algorithm>

#include "src/math/double3.h"
#include "src/math/vec3.h"

namespace nowait {

// The points middle + direction * s for s from -half to half.
struct Segment {
  Vec3 middle;
  Vec3 direction;  // of length one
  float half;      // metres

  Vec3 At(float s) const { return middle + direction * s; }
  // The place of the point nearest to `point`.
  float NearestTo(Vec3 point) const {
    return std::clamp(Dot(direction, point - middle), -half, half);
  }
};

// The squared sine of the angle between the directions, below which segments count as parallel: 1.8
// degrees.
inline constexpr float kParallelSegments = 1e-3f;

inline float SquaredSine(const Segment& a, const Segment& b) {
  return LengthSquared(Cross(a.direction, b.direction));
}

// Places on both segments, as far from their middles.
struct SegmentPair {
  float on_a;
  float on_b;
};

// The closest points; of parallel segments one pair of several. In doubles: at a small angle, the
// rounding of floats would move the places by many metres along long segments.
inline SegmentPair ClosestPlaces(const Segment& a, const Segment& b) {
  const Double3 along_a = ToDouble(a.direction), along_b = ToDouble(b.direction);
  const Double3 apart = ToDouble(a.middle) - ToDouble(b.middle);
  const double aa = LengthSquared(along_a), bb = LengthSquared(along_b);  // one, but for rounding
  const double ab = Dot(along_a, along_b);
  const double on_a = Dot(along_a, apart), on_b = Dot(along_b, apart);
  const double squared_sine = LengthSquared(Cross(along_a, along_b));
  // Rounding must not divide by nothing. The places of parallel lines are equally near.
  double s = squared_sine > 1e-13 ? (ab * on_b - bb * on_a) / squared_sine : 0.0;
  s = std::clamp<double>(s, -a.half, a.half);
  const double t = std::clamp<double>((on_b + ab * s) / bb, -b.half, b.half);
  s = std::clamp<double>((ab * t - on_a) / aa, -a.half, a.half);
  return {static_cast<float>(s), static_cast<float>(t)};
}

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_SEGMENT_H_
