// JointDef: everything that a joint is created from, with sensible defaults.
//
//   JointDef def;
//   def.a = door_frame;
//   def.b = door;
//   def.frame_a.position = {0.5f, 0, 0};   // of the joint, seen from each body
//   def.frame_b.position = {-0.5f, 0, 0};
//   def.kind = HingeJoint{.limits = JointLimits{0.0f, 1.5f}};
//
// A joint has a frame in each body, which the joint holds together in some directions and leaves
// free in the others. The x axis of the frames is the axis of a hinge, a slider and a twist. Angles
// and lengths are those of b's frame seen from a's.
//
// Forces are newtons, torques newton metres, angles radians, lengths metres.
#ifndef NOWAIT_SRC_DYNAMICS_JOINT_DEF_H_
#define NOWAIT_SRC_DYNAMICS_JOINT_DEF_H_

#include <cstdint>
#include <limits>
#include <optional>
#include <variant>

#include "src/bodies/body_id.h"
#include "src/math/angle.h"
#include "src/math/quat.h"
#include "src/math/vec3.h"

namespace nowait {

// Seen from a body: the place from its centre, the rotation from its axes.
struct JointFrame {
  Vec3 position;  // within 1e6 metres
  Quat rotation;  // unit length within 1e-3; the joint has it at length one

  friend bool operator==(const JointFrame&, const JointFrame&) = default;
};

// The frame that is at `position` in the world, with the axes of `rotation`, for a body at the
// place given. Both frames of a joint made in this way hold the bodies as they are.
inline JointFrame FrameAt(Vec3 body_position, Quat body_rotation, Vec3 position,
                          Quat rotation = {}) {
  const Quat back = Conjugate(body_rotation);
  return {Rotate(back, position - body_position), Normalise(back * rotation)};
}

// lower <= upper.
struct JointLimits {
  float lower = 0.0f;
  float upper = 0.0f;

  friend bool operator==(const JointLimits&, const JointLimits&) = default;
};

struct JointSpring {
  float hertz = 1.0f;          // 0.01 .. 10,000; of the mass that the joint moves
  float damping_ratio = 0.7f;  // 0 .. 1,000; 1: no overshoot
  // The angle or length that it pulls to: of a hinge within -pi .. pi, and by the shorter way
  // unless there are limits; of a distance at least 0.
  float rest = 0.0f;

  friend bool operator==(const JointSpring&, const JointSpring&) = default;
};

struct JointMotor {
  float speed = 0.0f;
  float most = 0.0f;  // the largest torque or force; at least zero

  friend bool operator==(const JointMotor&, const JointMotor&) = default;
};

// A spring of all three angles, with a largest torque: holds a pose.
struct JointDrive {
  Quat target{};  // of b's frame seen from a's
  float hertz = 4.0f;
  float damping_ratio = 1.0f;
  float most = std::numeric_limits<float>::infinity();

  friend bool operator==(const JointDrive&, const JointDrive&) = default;
};

// Holds the origins of the frames together.
struct PointJoint {
  friend bool operator==(const PointJoint&, const PointJoint&) = default;
};

// Holds the distance of the origins. With a spring it pulls to the spring's rest; with limits it is
// free between them (a rope has the lower limit 0); with neither it is a rod of `length`.
struct DistanceJoint {
  float length = 1.0f;  // of a rod
  std::optional<JointSpring> spring{};
  std::optional<JointLimits> limits{};  // at least 0

  friend bool operator==(const DistanceJoint&, const DistanceJoint&) = default;
};

// Free to turn about the x axis.
struct HingeJoint {
  std::optional<JointLimits> limits{};  // within -pi .. pi
  std::optional<JointMotor> motor{};
  std::optional<JointSpring> spring{};

  friend bool operator==(const HingeJoint&, const HingeJoint&) = default;
};

// Free to move along the x axis of a's frame, without turning.
struct SliderJoint {
  std::optional<JointLimits> limits{};
  std::optional<JointMotor> motor{};
  std::optional<JointSpring> spring{};

  friend bool operator==(const SliderJoint&, const SliderJoint&) = default;
};

// Holds the frames together.
struct FixedJoint {
  friend bool operator==(const FixedJoint&, const FixedJoint&) = default;
};

// A shoulder: holds the origins together, keeps the x axis of b within a cone around that of a, and
// the turn about it within limits.
struct SwingTwistJoint {
  float cone = kPi;                    // half its angle, 0 .. pi; pi: no cone
  std::optional<JointLimits> twist{};  // within -pi .. pi
  std::optional<JointDrive> drive{};

  friend bool operator==(const SwingTwistJoint&, const SwingTwistJoint&) = default;
};

using JointKind =
    std::variant<PointJoint, DistanceJoint, HingeJoint, SliderJoint, FixedJoint, SwingTwistJoint>;

struct JointDef {
  BodyId a;  // two bodies of one world, one of them dynamic
  BodyId b;
  JointFrame frame_a;
  JointFrame frame_b;
  JointKind kind;
  bool bodies_touch = false;  // whether the two have contacts with each other
  // The joint is removed, with an event, at the end of a step in which it had to hold more.
  float break_force = std::numeric_limits<float>::infinity();   // above zero
  float break_torque = std::numeric_limits<float>::infinity();  // above zero
  std::uint64_t user = 0;                                       // the caller's
};

}  // namespace nowait

#endif  // NOWAIT_SRC_DYNAMICS_JOINT_DEF_H_
