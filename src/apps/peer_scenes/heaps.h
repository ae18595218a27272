// Heaps: the peers' scenes of convex bodies that fall.
#ifndef NOWAIT_SRC_APPS_PEER_SCENES_HEAPS_H_
#define NOWAIT_SRC_APPS_PEER_SCENES_HEAPS_H_

#include <cstdint>

#include "src/apps/peer_scenes/peer_scene.h"

namespace nowait {

// Four layers of `side` x `side` bodies 7.5 m apart, in turn a box, a ball, a capsule and a hull of
// five points, above the hills. The ground has the bodies' friction and restitution: its own are
// not among the numbers.
PeerScene ConvexOverMesh(const PeerShapes& shapes, std::uint32_t side);

// `layers` layers of 8 x 8 stones, 4 m apart.
PeerScene ConvexPile(const PeerShapes& shapes, std::uint32_t layers);

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_PEER_SCENES_HEAPS_H_
