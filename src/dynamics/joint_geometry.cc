// The geometry of a joint's kinds: which directions are held, and how far the bodies are from where
// the joint wants them.
#include <algorithm>
#include <cmath>
#include <variant>

#include "src/dynamics/joint_parts.h"

namespace nowait {
namespace {

// Adds the parts of a kind.
class Geometry {
 public:
  Geometry(JointConstraint& joint, Moment moment)
      : parts_(joint, moment), joint_(joint), at_(parts_.at()) {}

  void operator()(const PointJoint&) { parts_.HoldPoint(); }

  void operator()(const FixedJoint&) {
    parts_.HoldPoint();
    parts_.HoldAngle();
  }

  void operator()(const DistanceJoint& kind) {
    const float length = Length(at_.apart);
    const Row row = at_.RopeRow();
    joint_.position = length;
    if (!kind.spring && !kind.limits) {
      parts_.Set(joint_[JointRole::kSpring], JointRow::Kind::kRigid, row, length - kind.length);
    }
    parts_.AddSpring(kind.spring, row, length);
    parts_.AddLimits(kind.limits, row, length);
    // No length is below zero. A row would stop the bodies where the origins pass each other.
    if (kind.limits && !(kind.limits->lower > 0.0f)) {
      joint_[JointRole::kLower].kind = JointRow::Kind::kOff;
    }
  }

  void operator()(const HingeJoint& kind) {
    parts_.HoldPoint();
    parts_.HoldAngleAcross(0, at_.axis_b);
    const float angle = Near(at_.TurnAbout(0), kind.limits);
    AddAxis(kind, at_.TurnRow(at_.axes.x), angle);
    if (kind.spring && !kind.limits) TakeShorterWay(joint_[JointRole::kSpring].error);
  }

  void operator()(const SliderJoint& kind) {
    parts_.HoldAngle();
    parts_.HoldPointAcross(0);
    AddAxis(kind, at_.SlideRow(at_.axes.x), at_.SlideAlong(0));
  }

  void operator()(const SwingTwistJoint& kind) {
    parts_.HoldPoint();
    const float along = Dot(at_.axes.x, at_.axis_b);
    if (kind.cone < kPi) {
      const Vec3 across = Cross(at_.axes.x, at_.axis_b);
      const float swing = Atan2(Length(across), along);
      const Row row = at_.TurnRow(-NormaliseOr(across, at_.axes.y));
      parts_.Set(joint_[JointRole::kCone], JointRow::Kind::kLimit, row, kind.cone - swing);
    }
    const float twist = Near(at_.TurnAbout(0), kind.twist);
    joint_.position = twist;
    parts_.AddLimits(kind.twist, at_.TurnRow(at_.TwistRate()), twist);
    if (kind.drive) parts_.Drive(kind.drive->target);
  }

  void operator()(const SixDofJoint& kind) { AddParts(kind, parts_); }
  void operator()(const GearJoint& kind) { AddParts(kind, parts_); }
  void operator()(const PulleyJoint& kind) { AddParts(kind, parts_); }

 private:
  // Motor, spring and limits of a hinge or slider.
  template <class Kind>
  void AddAxis(const Kind& kind, const Row& row, float position) {
    joint_.position = position;
    if (kind.motor) {
      parts_.Set(joint_[JointRole::kMotor], JointRow::Kind::kMotor, row, 0.0f);
      joint_[JointRole::kMotor].speed = kind.motor->speed;
    }
    parts_.AddSpring(kind.spring, row, position);
    parts_.AddLimits(kind.limits, row, position);
  }

  JointParts parts_;
  JointConstraint& joint_;
  const JointFrames& at_;
};

}  // namespace

void Refresh(JointConstraint& joint, Moment moment) {
  std::visit(Geometry(joint, moment), joint.def->kind);
}

}  // namespace nowait
