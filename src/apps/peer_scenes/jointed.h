// Jointed: the peers' scenes of bodies that joints hold.
#ifndef NOWAIT_SRC_APPS_PEER_SCENES_JOINTED_H_
#define NOWAIT_SRC_APPS_PEER_SCENES_JOINTED_H_

#include <cstdint>

#include "src/apps/peer_scenes/peer_scene.h"

namespace nowait {

// A curtain of `rows` x `rows` balls of radius 0.4, 1 m apart, which hangs from its upper row. No
// two of them collide, and none sleeps. The joints of two static balls, which do nothing, are left
// out of the 2 n (n - 1).
PeerScene JointGrid(std::uint32_t rows);

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_PEER_SCENES_JOINTED_H_
