// Stacks: the peers' scenes of boxes that stand.
#ifndef NOWAIT_SRC_APPS_PEER_SCENES_STACKS_H_
#define NOWAIT_SRC_APPS_PEER_SCENES_STACKS_H_

#include <cstdint>

#include "src/apps/peer_scenes/peer_scene.h"

namespace nowait {

// A static box whose upper side is at height zero. half: metres, along x and z.
BodyDef SceneFloor(float half, float friction);

// layers: at least 1. Boxes of 2 m, dropped by half a metre for each layer below them. Friction
// 0.2, damping 0.05 a second; the boxes never sleep.
PeerScene SquarePyramid(std::uint32_t layers);

// `side` x `side` pyramids in planes, of cubes of 1 m, `base` of them at the bottom; 11 m apart
// along x and 11.7 m along z. Friction 0.6, density 100; the cubes never sleep.
PeerScene PlanarPyramids(std::uint32_t base, std::uint32_t side);

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_PEER_SCENES_STACKS_H_
