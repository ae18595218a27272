// When a box on a straight way enters another one.
//
// Thread safety: pure functions; any thread.
#ifndef NOWAIT_SRC_COLLISION_BOX_ENTRY_H_
#define NOWAIT_SRC_COLLISION_BOX_ENTRY_H_

#include <algorithm>
#include <limits>
#include <utility>

#include "src/math/bounds.h"
#include "src/math/vec3.h"

namespace nowait {

// The fraction of `translation` at which the box comes within `margin` metres of the other one; the
// largest float if it never does.
inline float EntersAt(const Bounds<3>& box, Vec3 translation, float margin,
                      const Bounds<3>& other) {
  constexpr float kNever = std::numeric_limits<float>::max();
  float enter = 0.0f, leave = kNever;
  const auto clip = [&](int axis) {
    const float low = other.min[axis] - (box.max[axis] + margin);
    const float high = other.max[axis] - (box.min[axis] - margin);
    const float along = translation[axis];
    if (along == 0.0f) return low <= 0.0f && high >= 0.0f;
    float near = low / along, far = high / along;
    if (near > far) std::swap(near, far);
    enter = std::max(enter, near);
    leave = std::min(leave, far);
    return enter <= leave;
  };
  return clip(0) && clip(2) && clip(1) ? enter : kNever;
}

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_BOX_ENTRY_H_
