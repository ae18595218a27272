// JointEvent: a joint is gone for another reason than a call that destroys it.
#ifndef NOWAIT_SRC_DYNAMICS_JOINT_EVENT_H_
#define NOWAIT_SRC_DYNAMICS_JOINT_EVENT_H_

#include <cstdint>

#include "src/bodies/body_id.h"
#include "src/dynamics/joint_id.h"

namespace nowait {

// Ordered by step, then those whose bodies or joints went before those that broke, then by slot.
// The joint is gone; of kBodyGone a body is gone, too; of kPartnerGone, which is a gear's, one of
// the joints that it coupled.
struct JointEvent {
  enum class Kind : std::uint8_t { kBodyGone, kBroke, kPartnerGone } kind;
  JointId joint;
  BodyId a;
  BodyId b;

  friend bool operator==(const JointEvent&, const JointEvent&) = default;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_DYNAMICS_JOINT_EVENT_H_
