// The segment of a capsule, in the world.
#ifndef NOWAIT_SRC_COLLISION_CAPSULE_AXIS_H_
#define NOWAIT_SRC_COLLISION_CAPSULE_AXIS_H_

#include "src/collision/collide.h"
#include "src/collision/segment.h"

namespace nowait {

inline Segment AxisOf(const Placed& capsule) {
  return {capsule.position, capsule.rotation.y, capsule.shape->half_height};
}

}  // namespace nowait

#endif  // NOWAIT_SRC_COLLISION_CAPSULE_AXIS_H_
