// ViewFrustum: what a camera sees: a pyramid whose tip is the eye and whose base is the farthest
// plane.
//
//   ViewFrustum view{.eye = {0, 2, 9}, .left = -0.8f, .right = 0.8f, .far = 100.0f};
//
// Thread safety: plain data.
#ifndef NOWAIT_SRC_MATH_VIEW_FRUSTUM_H_
#define NOWAIT_SRC_MATH_VIEW_FRUSTUM_H_

#include "src/math/vec3.h"

namespace nowait {

struct ViewFrustum {
  Vec3 eye;                    // metres
  Vec3 forward = {0, 0, -1};   // of unit length
  Vec3 up = {0, 1, 0};         // of unit length, at a right angle to `forward`
  float left = -1, right = 1;  // the sides, in metres across at a metre ahead; left < right
  float bottom = -1, top = 1;  // likewise; bottom < top
  float far = 1000;            // metres ahead, above zero
  // What touches the view on its way along this counts as well: for the sun's shadows the way of
  // its rays, from what shades to what is shaded. Metres; zero where nothing moves.
  Vec3 reach = {};

  friend bool operator==(const ViewFrustum&, const ViewFrustum&) = default;

  Vec3 across() const { return Cross(forward, up); }
};

}  // namespace nowait

#endif  // NOWAIT_SRC_MATH_VIEW_FRUSTUM_H_
