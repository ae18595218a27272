// ShapeFrame: where the frame of a new shape lies in that of the shape whose place it takes.
//
// A hull's and a compound's frame has the centre of mass at its origin, so another centre is
// another frame: of a compound that has lost a child, of a hull that was stretched.
#ifndef NOWAIT_SRC_BODIES_SHAPE_FRAME_H_
#define NOWAIT_SRC_BODIES_SHAPE_FRAME_H_

#include "src/math/quat.h"
#include "src/math/vec3.h"

namespace nowait {

// A point p of the new frame is the point centre + Rotate(rotation, p) of the old one.
struct ShapeFrame {
  Vec3 centre;
  Quat rotation;

  friend bool operator==(const ShapeFrame&, const ShapeFrame&) = default;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_BODIES_SHAPE_FRAME_H_
