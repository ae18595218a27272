// ContactSnapshot: two bodies that touch after an update, where, and how hard.
//
// Thread safety: plain data.
#ifndef NOWAIT_SRC_WORLD_CONTACT_SNAPSHOT_H_
#define NOWAIT_SRC_WORLD_CONTACT_SNAPSHOT_H_

#include <array>

#include "src/bodies/body_id.h"
#include "src/collision/manifold.h"

namespace nowait {

struct ContactSnapshot {
  BodyId a;  // a < b
  BodyId b;
  bool sensor = false;  // one of them is a sensor
  // As the last step has it, carried along with the bodies since. Where the game has put one of
  // them elsewhere meanwhile, the points lie between where the two surfaces are now.
  Manifold manifold;
  // Newton seconds along the normal in the last sub-step, by point; zero for a sensor.
  std::array<float, Manifold::kMaxPoints> impulses{};
};

}  // namespace nowait

#endif  // NOWAIT_SRC_WORLD_CONTACT_SNAPSHOT_H_
