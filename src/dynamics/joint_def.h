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

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <variant>

#include "src/bodies/body_id.h"
#include "src/dynamics/joint_id.h"
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

enum class AxisMotion : std::uint8_t { kLocked, kFree, kLimited };

// Pulls back beyond a limit, and lets go within it.
struct LimitSpring {
  float hertz = 10.0f;         // 0.01 .. 10,000; of the mass that the axis moves
  float damping_ratio = 0.7f;  // 0 .. 1,000

  friend bool operator==(const LimitSpring&, const LimitSpring&) = default;
};

// Moves an axis with a speed, or to a place as a spring.
struct AxisMotor {
  float speed = 0.0f;               // metres or radians a second; without `to`
  float most = 0.0f;                // the largest force or torque; at least zero
  std::optional<JointSpring> to{};  // its rest: metres within 1e6, or radians within -pi .. pi

  friend bool operator==(const AxisMotor&, const AxisMotor&) = default;
};

// One of the six directions of a SixDofJoint.
struct JointAxis {
  AxisMotion motion = AxisMotion::kLocked;
  JointLimits limits{};                 // of kLimited: metres within 1e6, radians in -pi .. pi
  std::optional<LimitSpring> spring{};  // of kLimited; otherwise a limit is a stop
  std::optional<AxisMotor> motor{};     // of an axis that is not locked

  friend bool operator==(const JointAxis&, const JointAxis&) = default;
};

// Each of the six directions is held, free or kept between limits, and may have a motor: a wheel's
// suspension, or any joint for which there is no kind.
//
// linear: the place of b's origin along the axes of a's frame. angular: where one axis alone is not
// locked, the turn about it, as of a hinge. Otherwise b's rotation is first a swing and then a
// twist: [0] is the twist about b's x axis, [1] and [2] are the y and z components of the swing's
// rotation vector, which takes a's x axis to b's. Of the ways to measure a swing by two angles it
// is the one that fails in a single place, at half a turn, and treats y and z alike; angles about
// axes one after the other fail at a quarter of a turn. Two swing limits bound a rectangle; a
// round cone is a SwingTwistJoint's.
struct SixDofJoint {
  std::array<JointAxis, 3> linear{};
  std::array<JointAxis, 3> angular{};

  friend bool operator==(const SixDofJoint&, const SixDofJoint&) = default;
};

// Couples the positions of two hinges, of a hinge and a slider (a rack), or of two sliders:
// first's + ratio * second's stays as it is in the first step of the gear, and again after a change
// of the ratio. Turns are counted, so nothing drifts. Two wheels that mesh outside turn against
// each other: with parallel axes the ratio is that of second's radius to first's. Of a rack,
// whose slider is `second`, it is one over the radius, in radians a metre.
//
// def.a is a body of `first` and def.b one of `second`, both dynamic: the wheels, which have
// contacts with each other only if bodies_touch says it. The torque is felt by all bodies of both
// joints, the frames on which the wheels turn as well. The frames of the definition play no part.
// A wheel that turns by half a turn or more within one sub-step is taken for one that went the
// shorter way. The gear ends with either of its joints.
struct GearJoint {
  JointId first;
  JointId second;
  float ratio = 1.0f;  // 1e-4 .. 1e4 or -1e4 .. -1e-4

  friend bool operator==(const GearJoint&, const GearJoint&) = default;
};

// A rope from a's origin over two fixed places to b's origin. The length of a's part plus ratio
// times that of b's part is kept between limits: at most `upper`, where the rope is taut; at least
// `lower`, which 0 leaves out. ratio 2: a block and tackle, b goes half as far as a and is pulled
// twice as hard. The frames' rotations play no part.
struct PulleyJoint {
  Vec3 ground_a{};  // in the world, within 1e6 metres
  Vec3 ground_b{};
  float ratio = 1.0f;              // 1e-4 .. 1e4
  JointLimits limits{0.0f, 1.0f};  // metres, 0 .. 1e6

  friend bool operator==(const PulleyJoint&, const PulleyJoint&) = default;
};

using JointKind = std::variant<PointJoint, DistanceJoint, HingeJoint, SliderJoint, FixedJoint,
                               SwingTwistJoint, SixDofJoint, GearJoint, PulleyJoint>;

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
