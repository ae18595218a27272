// Joint: a joint with the impulses that held it in the last sub-step.
#ifndef NOWAIT_SRC_DYNAMICS_JOINT_H_
#define NOWAIT_SRC_DYNAMICS_JOINT_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <variant>

#include "src/dynamics/joint_def.h"
#include "src/dynamics/joint_id.h"
#include "src/math/vec3.h"

namespace nowait {

// The rows of a joint besides those that hold it together. Each has its place, so that a row which
// is switched on or off does not take another one's impulse. A pulley has its two limits, a gear
// the row of the spring, which holds it.
enum class JointRole : std::uint8_t { kMotor, kSpring, kLower, kUpper, kCone };
inline constexpr std::size_t kJointRoles = 5;

// Those of each axis of a SixDofJoint, linear ones first.
enum class AxisRole : std::uint8_t { kMotor, kLower, kUpper };
inline constexpr std::size_t kAxisRoles = 3;
inline constexpr std::size_t kJointAxes = 6;
inline constexpr std::size_t kMostJointRows = kAxisRoles * kJointAxes;

// How many rows a joint of this kind has at most.
inline std::size_t RowsOf(const JointKind& kind) {
  return std::holds_alternative<SixDofJoint>(kind) ? kMostJointRows : kJointRoles;
}

struct JointImpulses {
  Vec3 linear;   // in the world, on b
  Vec3 angular;  // likewise
  Vec3 drive;    // likewise
  std::array<float, kMostJointRows> rows{};
};

// Of a gear: how its wheels stood when it meshed, and how far they have turned since. The sums are
// made of whole turns and in double precision, and so they are as exact after a million turns as
// after the first.
struct GearTeeth {
  float ratio = 0.0f;            // with which it meshed; another one than the definition's: not yet
  std::array<float, 2> angle{};  // of a hinge's last position, -pi .. pi
  std::array<std::int64_t, 2> turns{};
  double meshed = 0.0;  // first's position plus ratio times second's

  friend bool operator==(const GearTeeth&, const GearTeeth&) = default;
};

struct Joint {
  JointId id;
  JointDef def;
  JointImpulses impulses;
  GearTeeth teeth;

  // As of the last step that solved it: the angle of a hinge or twist, the length of a slider,
  // distance or pulley's rope, how far a gear's wheels are from where they mesh.
  float position = 0.0f;
  float force = 0.0f;   // the largest that the step needed
  float torque = 0.0f;  // likewise

  bool IsTooMuch() const { return force > def.break_force || torque > def.break_torque; }
};

}  // namespace nowait

#endif  // NOWAIT_SRC_DYNAMICS_JOINT_H_
