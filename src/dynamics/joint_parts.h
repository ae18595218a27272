// JointParts: the parts of a joint at one moment of a sub-step, which its kind adds one by one.
//
// Thread safety: the caller owns the constraint and its bodies.
#ifndef NOWAIT_SRC_DYNAMICS_JOINT_PARTS_H_
#define NOWAIT_SRC_DYNAMICS_JOINT_PARTS_H_

#include <optional>

#include "src/dynamics/joint_constraint.h"
#include "src/dynamics/joint_frames.h"

namespace nowait {

class JointParts {
 public:
  JointParts(JointConstraint& joint, Moment moment)
      : joint_(joint), moment_(moment), at_(joint.ends), a_(at_.a), b_(at_.b) {}

  JointConstraint& joint() { return joint_; }
  const JointFrames& at() const { return at_; }
  bool begins() const { return moment_ == Moment::kSubstepBegins; }

  // --- Directions that are held, as a block.

  void HoldPoint();  // all three
  void HoldAngle();  // likewise
  // b's point, but not along an axis of a's frame; or along this one alone.
  void HoldPointAcross(int free_axis);
  void HoldPointAlong(int axis);
  // The rotation, but not about an axis of a's frame, whose image in b is `axis_b`.
  void HoldAngleAcross(int free_axis, Vec3 axis_b);
  // A rotation along `direction`, whose length is the rate at which `error` changes by it. Nothing
  // is held where that is close to zero.
  void HoldAngleAlong(Vec3 direction, float error);
  // A drive to b's pose, seen from a.
  void Drive(Quat target);

  // --- Rows.

  void Set(JointRow& of_role, JointRow::Kind kind, const Row& row, float error);
  void AddSpring(const std::optional<JointSpring>& spring, const Row& row, float position);
  void AddLimits(const std::optional<JointLimits>& limits, const Row& row, float position);
  // Of an axis of a SixDofJoint, with its rows.
  void AddAxis(const JointAxis& axis, std::span<JointRow> rows, const Row& row, float position);

 private:
  // The velocity of b's point against a's by an impulse of one on it, for each direction.
  Mat3 ResponseAt(Vec3 arm_a, Vec3 arm_b) const;
  // That of the angular velocity.
  Mat3 TurnResponse() const { return a_.inverse_inertia + b_.inverse_inertia; }
  // Puts a's point where b's anchor is now, however far b has slid.
  void FollowAnchor();
  void HoldAll(JointBlock& block, const Mat3& response, Vec3 error) const;
  void HoldAcross(JointBlock& block, const Mat3& response, int free_axis, Vec3 error) const;
  // direction: of length one.
  void HoldAlong(JointBlock& block, const Mat3& response, Vec3 direction, float error) const;
  void AddLimit(const JointAxis& axis, JointRow& of_role, const Row& row, float gap);

  JointConstraint& joint_;
  const Moment moment_;
  const JointFrames at_;
  const SolverBody& a_;
  const SolverBody& b_;
};

// The parts of a kind whose geometry has a source of its own.
void AddParts(const SixDofJoint& kind, JointParts& parts);
void AddParts(const GearJoint& kind, JointParts& parts);
void AddParts(const PulleyJoint& kind, JointParts& parts);

}  // namespace nowait

#endif  // NOWAIT_SRC_DYNAMICS_JOINT_PARTS_H_
