// Heaps: the peers' scenes of convex bodies that fall.
#ifndef NOWAIT_SRC_APPS_PEER_SCENES_HEAPS_H_
#define NOWAIT_SRC_APPS_PEER_SCENES_HEAPS_H_

#include <cstdint>

#include "src/apps/peer_scenes/peer_scene.h"

namespace nowait {

// Four layers of `side` x `side` bodies 7.5 m apart, in turn a box, a ball, a capsule and a hull of
// five points, above 100 x 100 cells of hills.
// The ground has the bodies' friction and restitution: its own are not among the numbers. Errors:
// ConvexHull::Create's and TriangleMesh::Create's.
Result<PeerScene> ConvexOverMesh(std::uint32_t side);

// `layers` layers of 8 x 8 hulls of 32 points on a ball of radius 2. All have the same hull; its
// points are drawn with a fixed seed, for the original's are not among the numbers. Errors:
// ConvexHull::Create's.
Result<PeerScene> ConvexPile(std::uint32_t layers);

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_PEER_SCENES_HEAPS_H_
