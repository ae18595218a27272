#include "src/collision/segment_in_box.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

namespace nowait {
namespace {

// Both ends, and the places where the derivative bends, ascending.
struct Places {
  std::array<float, 8> at;
  std::size_t count = 0;

  Places(const Segment& segment, Vec3 half) {
    at[count++] = -segment.half;
    at[count++] = segment.half;
    for (int axis = 0; axis < 3; ++axis) {
      const float along = segment.direction[axis];
      if (along == 0.0f) continue;
      for (const float side : {-half[axis], half[axis]}) {
        const float place = (side - segment.middle[axis]) / along;
        if (std::abs(place) < segment.half) at[count++] = place;
      }
    }
    std::sort(at.begin(), at.begin() + count);
  }
};

}  // namespace

float ClosestPlaceToBox(const Segment& segment, Vec3 half) {
  // Half the derivative of the squared distance.
  const auto slope = [&](float s) { return Dot(Beyond(segment.At(s), half), segment.direction); };
  const Places places(segment, half);
  float before = slope(places.at[0]);
  if (before >= 0.0f) return places.at[0];
  for (std::size_t i = 1; i < places.count; ++i) {
    const float here = slope(places.at[i]);
    if (here >= 0.0f) {
      const float share = -before / (here - before);
      return places.at[i - 1] + (places.at[i] - places.at[i - 1]) * share;
    }
    before = here;
  }
  return places.at[places.count - 1];
}

SegmentPart ClipAlong(const Segment& segment, int axis, float limit, SegmentPart part) {
  const float from = segment.middle[axis], along = segment.direction[axis];
  if (along == 0.0f) return std::abs(from) <= limit ? part : SegmentPart{1.0f, -1.0f};
  float enter = (-limit - from) / along;
  float leave = (limit - from) / along;
  if (enter > leave) std::swap(enter, leave);
  return {std::max(part.low, enter), std::min(part.high, leave)};
}

}  // namespace nowait
