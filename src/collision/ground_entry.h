// When a box on a straight way enters a part of the ground.
//
// Thread safety: pure functions; any thread.
#ifndef NOWAIT_SRC_COLLISION_GROUND_ENTRY_H_
#define NOWAIT_SRC_COLLISION_GROUND_ENTRY_H_

#include <algorithm>
#include <limits>
#include <utility>

#include "src/collision/field_blocks.h"
#include "src/math/bounds.h"
#include "src/math/vec3.h"

namespace nowait {

// The fraction of `translation` at which the box comes within `margin` metres of the part, which
// goes down without end; the largest float if it never does.
inline float EntersAt(const Bounds<3>& box, Vec3 translation, float margin,
                      const GroundPart& part) {
  constexpr float kNever = std::numeric_limits<float>::max();
  float enter = 0.0f, leave = kNever;
  const auto clip = [&](int axis, float low, float high) {
    low -= box.max[axis] + margin;
    high -= box.min[axis] - margin;
    const float along = translation[axis];
    if (along == 0.0f) return low <= 0.0f && high >= 0.0f;
    float near = low / along, far = high / along;
    if (near > far) std::swap(near, far);
    enter = std::max(enter, near);
    leave = std::min(leave, far);
    return enter <= leave;
  };
  const bool meets = clip(0, part.min_x, part.max_x) && clip(2, part.min_z, part.max_z) &&
                     clip(1, -kLargeFloat, part.top);
  return meets ? enter : kNever;
}

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_GROUND_ENTRY_H_
