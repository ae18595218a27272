// Ragdoll: a figure of eleven bodies and ten joints, as tall as a person.
//
//         head                 neck, shoulders, hips, waist: swing and twist within limits
//    arm  chest  arm           elbows, knees: hinges that bend one way
//         pelvis
//        leg  leg
//
// Each joint has a weak drive to the pose in which the figure is made, as muscles have: it slows
// the limbs and lets them come to rest.
#ifndef NOWAIT_SRC_APPS_DEMO_RAGDOLL_H_
#define NOWAIT_SRC_APPS_DEMO_RAGDOLL_H_

#include <cstddef>
#include <span>
#include <vector>

#include "src/bodies/body_def.h"
#include "src/bodies/body_id.h"
#include "src/dynamics/joint_def.h"
#include "src/math/quat.h"
#include "src/math/vec3.h"

namespace nowait {

class Ragdoll {
 public:
  static constexpr std::size_t kBodies = 11;
  static constexpr std::size_t kJoints = 10;

  // Upright, with its pelvis at `place`, turned by `rotation`; its feet are 0.95 m below.
  Ragdoll(Vec3 place, Quat rotation) : place_(place), rotation_(rotation) {}

  // kBodies definitions.
  std::vector<BodyDef> Bodies() const;

  // kJoints definitions. bodies: made from the definitions, in their order.
  std::vector<JointDef> Joints(std::span<const BodyId> bodies) const;

 private:
  Vec3 place_;
  Quat rotation_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_DEMO_RAGDOLL_H_
