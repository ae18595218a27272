// Where a segment is closest to an axis-aligned box around the origin, and the part of it that lies
// beside a face.
//
// The squared distance of the segment's point at s from the box is the sum of the squares of what
// each coordinate exceeds the box by. It is convex in s, and its derivative is piecewise linear: it
// bends where a coordinate enters or leaves the box, in at most six places. So the least distance
// is found exactly, by looking at the derivative in these places.
//
// Thread safety: pure functions; any thread. Constant time.
#ifndef NOWAIT_SRC_COLLISION_SEGMENT_IN_BOX_H_
#define NOWAIT_SRC_COLLISION_SEGMENT_IN_BOX_H_

#include "src/collision/segment.h"
#include "src/math/vec3.h"

namespace nowait {

// How far the point is beyond the box along each axis; zero inside.
inline Vec3 Beyond(Vec3 point, Vec3 half) { return point - Max(-half, Min(point, half)); }

// The place on `segment` closest to the box of these half extents; of several, the first.
float ClosestPlaceToBox(const Segment& segment, Vec3 half);

// The part of a segment from `low` to `high`; empty where low > high.
struct SegmentPart {
  float low, high;

  bool empty() const { return low > high; }
};

// The part where the coordinate along `axis` lies within -limit .. limit, and within `part`.
SegmentPart ClipAlong(const Segment& segment, int axis, float limit, SegmentPart part);

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_SEGMENT_IN_BOX_H_
