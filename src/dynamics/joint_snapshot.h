// JointSnapshot: a copy of a joint, for the game.
#ifndef NOWAIT_SRC_DYNAMICS_JOINT_SNAPSHOT_H_
#define NOWAIT_SRC_DYNAMICS_JOINT_SNAPSHOT_H_

#include "src/dynamics/joint_def.h"
#include "src/dynamics/joint_id.h"

namespace nowait {

struct JointSnapshot {
  JointId id;
  JointDef def;
  // As of the last step in which a body of the joint was awake; zero before it. The position: the
  // angle of a hinge or twist, the length of a slider, distance or pulley's rope, how far a gear's
  // wheels are from where they mesh.
  float position = 0.0f;
  float force = 0.0f;   // the largest that the joint had to hold in the step
  float torque = 0.0f;  // likewise
};

}  // namespace nowait

#endif  // NOWAIT_SRC_DYNAMICS_JOINT_SNAPSHOT_H_
