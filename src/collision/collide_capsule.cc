// Capsule against sphere and against capsule: balls around the closest points of their segments.
//
// Two capsules that lie along each other touch along a line. Two points at the ends of that line
// hold one on the other; a single one would let it rock.
//
// Source: C. Ericson, "Real-Time Collision Detection", 2005, sections 4.5.1 and 5.1.9.
// Lecture: contacts, the plain solver and the whole physics update.
#include <algorithm>
#include <array>
#include <cmath>

#include "src/collision/balls.h"
#include "src/collision/capsule_axis.h"
#include "src/collision/collide.h"
#include "src/collision/segment.h"

namespace nowait {
namespace {

// Points of the features: the closest one, and the two ends of a line along which capsules touch.
constexpr std::uint32_t kClosest = 0;
constexpr std::uint32_t kLowEnd = 1;
constexpr std::uint32_t kHighEnd = 2;

// The two ends may lie farther apart than the closest points by this much, and still stand for
// them.
constexpr float kPreference = 0.003f;

// The way out for segments that cross: perpendicular to both, towards b.
Vec3 AcrossBoth(const Segment& a, const Segment& b) {
  const Vec3 across = NormaliseOr(Cross(a.direction, b.direction), TangentsOf(a.direction).first);
  return Dot(across, b.middle - a.middle) < 0.0f ? -across : across;
}

// The part of `a` beside which `b` lies, from `low` to `high`; nothing where low >= high.
struct Beside {
  float low, high;
};
Beside PartBeside(const Segment& a, const Segment& b) {
  const float middle = Dot(a.direction, b.middle - a.middle);
  const float half = std::abs(Dot(a.direction, b.direction)) * b.half;
  return {std::max(middle - half, -a.half), std::min(middle + half, a.half)};
}

}  // namespace

void CollideSphereCapsule(const Placed& sphere, const Placed& capsule, float margin,
                          Manifold& manifold) {
  const Segment axis = AxisOf(capsule);
  const Vec3 nearest = axis.At(axis.NearestTo(sphere.position));
  CollideBalls({sphere.position, sphere.shape->radius}, {nearest, capsule.shape->radius},
               TangentsOf(axis.direction).first, margin, kClosest, manifold);
}

void CollideCapsules(const Placed& a, const Placed& b, float margin, Manifold& manifold) {
  const Segment axis_a = AxisOf(a), axis_b = AxisOf(b);
  const float radius_a = a.shape->radius, radius_b = b.shape->radius;
  const Vec3 out = AcrossBoth(axis_a, axis_b);
  const auto collide_at = [&](SegmentPair places, std::uint32_t feature, Manifold& points) {
    CollideBalls({axis_a.At(places.on_a), radius_a}, {axis_b.At(places.on_b), radius_b}, out,
                 margin, feature, points);
  };
  Manifold closest;
  collide_at(ClosestPlaces(axis_a, axis_b), kClosest, closest);
  if (closest.empty()) return;
  const ContactPoint& nearest = closest.points()[0];
  if (SquaredSine(axis_a, axis_b) < kParallelSegments) {
    const Beside beside = PartBeside(axis_a, axis_b);
    if (beside.low < beside.high) {
      const auto pair_at = [&](float place) -> SegmentPair {
        return {place, axis_b.NearestTo(axis_a.At(place))};
      };
      collide_at(pair_at(beside.low), kLowEnd, manifold);
      collide_at(pair_at(beside.high), kHighEnd, manifold);
      for (const ContactPoint& point : manifold.points()) {
        if (point.separation <= nearest.separation + kPreference) return;
      }
      manifold.Clear();
    }
  }
  manifold.Add(nearest);
}

}  // namespace nowait
