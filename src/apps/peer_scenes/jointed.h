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

// Piles of `figures` figures (figure.h) on a floor, 4 x 4 of them 4 m apart; each lies 0.6 m above
// the one before, turned on by a tenth of a circle. Friction 0.2, damping 0.05 a second. The floor
// is flat: the original's is not among the numbers.
PeerScene Ragdolls(std::uint32_t figures);

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_PEER_SCENES_JOINTED_H_
