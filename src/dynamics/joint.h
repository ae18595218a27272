// Joint: a joint with the impulses that held it in the last sub-step.
#ifndef NOWAIT_SRC_DYNAMICS_JOINT_H_
#define NOWAIT_SRC_DYNAMICS_JOINT_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "src/dynamics/joint_def.h"
#include "src/dynamics/joint_id.h"
#include "src/math/vec3.h"

namespace nowait {

// The rows of a joint besides those that hold it together. Each has its place, so that a row which
// is switched on or off does not take another one's impulse.
enum class JointRole : std::uint8_t { kMotor, kSpring, kLower, kUpper, kCone };
inline constexpr std::size_t kJointRoles = 5;

struct JointImpulses {
  Vec3 linear;   // in the world, on b
  Vec3 angular;  // likewise
  Vec3 drive;    // likewise
  std::array<float, kJointRoles> rows{};
};

struct Joint {
  JointId id;
  JointDef def;
  JointImpulses impulses;

  // As of the last step that solved it.
  float position = 0.0f;  // the angle of a hinge or twist, the length of a slider or distance
  float force = 0.0f;     // the largest that the step needed
  float torque = 0.0f;    // likewise

  bool IsTooMuch() const { return force > def.break_force || torque > def.break_torque; }
};

}  // namespace nowait

#endif  // NOWAIT_SRC_DYNAMICS_JOINT_H_
