// Placed: a shape at a place.
//
// Thread safety: immutable; any thread.
#ifndef NOWAIT_SRC_COLLISION_PLACED_H_
#define NOWAIT_SRC_COLLISION_PLACED_H_

#include "src/bodies/shape.h"
#include "src/math/mat3.h"
#include "src/math/quat.h"
#include "src/math/vec3.h"

namespace nowait {

struct Placed {
  const Shape* shape;
  Vec3 position;
  Mat3 rotation;

  Placed(const Shape& s, Vec3 p, Quat q) : shape(&s), position(p), rotation(ToMatrix(q)) {}

  Vec3 ToWorld(Vec3 local) const { return position + rotation * local; }
  Vec3 ToLocal(Vec3 world) const { return TransposeTimes(rotation, world - position); }
};

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_PLACED_H_
