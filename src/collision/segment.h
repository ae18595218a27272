// Segment: a line segment by its middle, and the closest points of two. The axis of a capsule.
//
// Source: C. Ericson, "Real-Time Collision Detection", section 5.1.9.
#ifndef NOWAIT_SRC_COLLISION_SEGMENT_H_
#define NOWAIT_SRC_COLLISION_SEGMENT_H_

#include <algorithm>

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

// The closest points; of parallel segments one pair of several.
inline SegmentPair ClosestPlaces(const Segment& a, const Segment& b) {
  const Vec3 apart = a.middle - b.middle;
  const float along_a = Dot(a.direction, apart);
  const float along_b = Dot(b.direction, apart);
  const float cosine = Dot(a.direction, b.direction);
  const float squared_sine = SquaredSine(a, b);
  // Rounding must not divide by nothing. The places of parallel lines are equally near.
  float s = squared_sine > 1e-6f ? (cosine * along_b - along_a) / squared_sine : 0.0f;
  s = std::clamp(s, -a.half, a.half);
  const float t = std::clamp(along_b + cosine * s, -b.half, b.half);
  s = std::clamp(cosine * t - along_a, -a.half, a.half);
  return {s, t};
}

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_SEGMENT_H_
