// ScaleTo: how both forms of the contact solver limit impulses.
#ifndef NOWAIT_SRC_DYNAMICS_CONTACT_LIMITS_H_
#define NOWAIT_SRC_DYNAMICS_CONTACT_LIMITS_H_

#include "src/math/vec3.h"

namespace nowait {

// The factor that limits a vector's length to `limit`, at most 1.
float ScaleTo(Vec3 v, float limit);

}  // namespace nowait

#endif  // NOWAIT_SRC_DYNAMICS_CONTACT_LIMITS_H_
