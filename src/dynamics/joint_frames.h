// JointFrames: the frames of a joint in the world, at one moment of a sub-step.
//
// Thread safety: reads the bodies that it was made from.
#ifndef NOWAIT_SRC_DYNAMICS_JOINT_FRAMES_H_
#define NOWAIT_SRC_DYNAMICS_JOINT_FRAMES_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "src/dynamics/joint_def.h"
#include "src/dynamics/row.h"
#include "src/dynamics/solver_body.h"
#include "src/math/angle.h"
#include "src/math/mat3.h"
#include "src/math/quat.h"
#include "src/math/vec3.h"

namespace nowait {

// Two bodies of the solver, and a frame in each.
struct JointEnds {
  SolverBody* a = nullptr;
  SolverBody* b = nullptr;
  // Seen from the solver's bodies. Of a body that joints cannot move, which the solver has at the
  // origin without a rotation: in the world.
  JointFrame frame_a;
  JointFrame frame_b;
  Vec3 between;  // from a's centre to b's at the start of the step
};

// An angle beyond half a turn is the same as one on the other side.
inline void TakeShorterWay(float& angle) {
  if (angle > kPi) angle -= 2.0f * kPi;
  if (angle < -kPi) angle += 2.0f * kPi;
}

// The same angle within half a turn of the middle of the limits: a little beyond a limit at half a
// turn it is beyond this limit, and not beyond the other one.
inline float Near(float angle, const std::optional<JointLimits>& limits) {
  if (!limits) return angle;
  const float middle = 0.5f * (limits->lower + limits->upper);
  float from_middle = angle - middle;
  if (std::abs(from_middle) <= kPi) return angle;  // as it is, to the last bit
  TakeShorterWay(from_middle);
  return middle + from_middle;
}

struct JointFrames {
  explicit JointFrames(const JointEnds& ends)
      : a(*ends.a),
        b(*ends.b),
        rotation_a(a.rotation * ends.frame_a.rotation),
        rotation_b(b.rotation * ends.frame_b.rotation),
        axes(ToMatrix(rotation_a)),
        axis_b(Rotate(rotation_b, {1, 0, 0})),
        arm_a(Rotate(a.rotation, ends.frame_a.position)),
        arm_b(Rotate(b.rotation, ends.frame_b.position)),
        apart((ends.between + (b.moved - a.moved)) + (arm_b - arm_a)) {}

  // How far b's frame is turned about the axis against a's; of the x axis, the twist.
  float TurnAbout(int axis) const {
    const Quat q = Conjugate(rotation_a) * rotation_b;
    const float sign = q.w < 0.0f ? -1.0f : 1.0f;
    const float along = axis == 0 ? q.x : axis == 1 ? q.y : q.z;
    return 2.0f * Atan2(sign * along, sign * q.w);
  }
  // How far b has slid along the axis of a's frame.
  float SlideAlong(int axis) const { return Dot(apart, axes.Column(axis)); }

  // The twist's rate by the angular velocity of b against a, where the axes are not opposite to
  // each other.
  Vec3 TwistRate() const {
    return (axes.x + axis_b) * (1.0f / std::max(1.0f + Dot(axes.x, axis_b), 0.1f));
  }

  Row TurnRow(Vec3 axis) const { return MakeAngularRow(a, b, axis); }
  // a's point is where b's anchor is now: it moves with a, however far b has slid.
  Row SlideRow(Vec3 axis) const { return MakeLinearRow(a, b, arm_a + apart, arm_b, axis); }
  // Between the anchors.
  Row RopeRow() const { return MakeLinearRow(a, b, arm_a, arm_b, NormaliseOr(apart, {0, 1, 0})); }

  const SolverBody& a;
  const SolverBody& b;
  const Quat rotation_a;  // of the frames, in the world
  const Quat rotation_b;
  const Mat3 axes;  // of a's frame
  const Vec3 axis_b;
  const Vec3 arm_a;  // from the centres to the anchors
  const Vec3 arm_b;
  const Vec3 apart;  // from a's anchor to b's
};

}  // namespace nowait

#endif  // NOWAIT_SRC_DYNAMICS_JOINT_FRAMES_H_
