// Figure: a person of 23 capsules and 22 joints, lying on its back.
//
//   pelvis, four of the spine, neck, head; twice collar bone, upper arm, forearm, hand;
//   twice thigh, shin, foot, toes
//
// Each joint is a swing and twist within limits, with a spring of 2 Hz that holds the pose, as
// strong as 200 newton metres. The sizes are ours: those of the original are not among the numbers.
#ifndef NOWAIT_SRC_APPS_PEER_SCENES_FIGURE_H_
#define NOWAIT_SRC_APPS_PEER_SCENES_FIGURE_H_

#include <cstdint>

#include "src/apps/peer_scenes/peer_scene.h"

namespace nowait {

inline constexpr std::uint32_t kFigureBodies = 23;

// Adds its bodies and joints to the scene. place: of the pelvis, in the world. yaw: about the y
// axis. like: friction, damping and sleep of each body.
void AddFigure(PeerScene& scene, Vec3 place, Quat yaw, const BodyDef& like);

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_PEER_SCENES_FIGURE_H_
