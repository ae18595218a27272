// Rest: when a body has come to rest, so that its island may sleep.
//
// A body in a pile is never quite still: it trembles in place at varying speeds, which would keep
// its whole island awake. So the distance counts, not the speed at one moment: a body is at rest
// while it stays near one place and one rotation. When it has left them the measurement starts
// again from its new place.
//
// Source: measuring the distance and not the speed: Jolt's Architecture document, "Sleeping".
// Lecture: contacts, the plain solver and the whole physics update.
#ifndef NOWAIT_SRC_DYNAMICS_REST_H_
#define NOWAIT_SRC_DYNAMICS_REST_H_

#include "src/bodies/body.h"

namespace nowait {

struct RestDef {
  float time = 0.5f;  // an island whose bodies were at rest for this long sleeps; seconds
  float linear_speed =
      0.05f;  // a body that keeps below this on average is at rest; metres a second
  float angular_speed = 0.1f;  // and below this; radians a second
};

// Records the body's place, `dt` after the last call. Returns how long the body has been at rest,
// or a negative number when it is not, may not sleep, or is held by a force of the game, which may
// end.
float TimeAtRest(Body& body, float dt, const RestDef& def);

}  // namespace nowait

#endif  // NOWAIT_SRC_DYNAMICS_REST_H_
