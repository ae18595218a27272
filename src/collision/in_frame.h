// InFrameOf: a placed shape as it is seen from the frame of another one.
//
// Thread safety: a pure function; any thread. Constant time.
#ifndef NOWAIT_SRC_COLLISION_IN_FRAME_H_
#define NOWAIT_SRC_COLLISION_IN_FRAME_H_

#include "src/collision/placed.h"

namespace nowait {

inline Placed InFrameOf(const Placed& frame, const Placed& shape) {
  Placed seen(*shape.shape, frame.ToLocal(shape.position), Quat{});
  seen.rotation = Transpose(frame.rotation) * shape.rotation;
  return seen;
}

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_IN_FRAME_H_
