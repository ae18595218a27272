#include "src/dynamics/joint_constraint.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <variant>

namespace nowait {
namespace {

// A frame as the solver sees it.
JointFrame Seen(const JointFrame& frame, const Body& body) {
  if (body.inverse_mass != 0.0f) return frame;
  return {Rotate(body.rotation, frame.position), body.rotation * frame.rotation};
}

Softness DriveSoftness(const JointDef& def, float h) {
  const auto* swing_twist = std::get_if<SwingTwistJoint>(&def.kind);
  if (swing_twist == nullptr || !swing_twist->drive) return {};
  return Softness::Of(swing_twist->drive->hertz, swing_twist->drive->damping_ratio, h);
}

const std::optional<JointSpring>* SpringOf(const JointKind& kind) {
  const auto spring = [](const auto& of) -> const std::optional<JointSpring>* {
    if constexpr (requires { of.spring; }) return &of.spring;
    return nullptr;
  };
  return std::visit(spring, kind);
}

float MotorMost(const JointKind& kind) {
  const auto most = [](const auto& of) {
    if constexpr (requires { of.motor; }) return of.motor ? of.motor->most : 0.0f;
    return 0.0f;
  };
  return std::visit(most, kind);
}

// Limits the change of the relative velocity, like WithinMost of a row.
Vec3 WithinMost(Vec3 impulse, const Mat3& response) {
  const Vec3 change = Abs(response * impulse);
  const float largest = std::max(std::max(change.x, change.y), change.z);
  if (!std::isfinite(largest) || !IsFinite(impulse)) return {};
  return largest > kMostChange ? impulse * (kMostChange / largest) : impulse;
}

void ApplyAtPoint(const JointConstraint& joint, Vec3 impulse) {
  SolverBody& a = *joint.a;
  SolverBody& b = *joint.b;
  a.linear_velocity -= impulse * a.inverse_mass;
  a.angular_velocity -= a.inverse_inertia * Cross(joint.arm_a, impulse);
  b.linear_velocity += impulse * b.inverse_mass;
  b.angular_velocity += b.inverse_inertia * Cross(joint.arm_b, impulse);
}

Vec3 PointSpeed(const JointConstraint& joint) {
  const SolverBody& a = *joint.a;
  const SolverBody& b = *joint.b;
  return (b.linear_velocity + Cross(b.angular_velocity, joint.arm_b)) -
         (a.linear_velocity + Cross(a.angular_velocity, joint.arm_a));
}

// The sum of the block's impulses after one more correction.
Vec3 Corrected(const JointBlock& block, Vec3 speed, const Softness& softness) {
  const Vec3 wanted = speed + block.error * softness.bias_rate;
  const Vec3 change =
      block.mass * wanted * softness.mass_scale + block.impulse * softness.impulse_scale;
  return WithinMost(block.impulse - change, block.response);
}

void SolvePoint(JointConstraint& joint, const Softness& softness) {
  if (!joint.point.is_on) return;
  const Vec3 sum = Corrected(joint.point, PointSpeed(joint), softness);
  ApplyAtPoint(joint, sum - joint.point.impulse);
  joint.point.impulse = sum;
}

void SolveAngle(JointConstraint& joint, JointBlock& block, const Softness& softness, float most) {
  if (!block.is_on) return;
  const Vec3 speed = joint.b->angular_velocity - joint.a->angular_velocity;
  Vec3 sum = Corrected(block, speed, softness);
  const float length = Length(sum);
  if (length > most) sum *= most / length;
  ApplyAngularImpulse(*joint.a, *joint.b, sum - block.impulse);
  block.impulse = sum;
}

void SolveRow(JointConstraint& joint, JointRow& of_role, Pass pass, const SubstepDef& def) {
  if (of_role.kind == JointRow::Kind::kOff) return;
  Row& row = of_role.row;
  Softness softness;
  float wanted = 0.0f;
  float lowest = -MostImpulse(row);
  float highest = MostImpulse(row);
  switch (of_role.kind) {
    case JointRow::Kind::kOff:
      break;
    case JointRow::Kind::kRigid:
      if (pass == Pass::kPushOut) softness = def.joint;
      wanted = softness.bias_rate * of_role.error;
      break;
    case JointRow::Kind::kSpring:
      softness = of_role.softness;
      wanted = softness.bias_rate * of_role.error;
      break;
    case JointRow::Kind::kLimit:
      if (of_role.error > 0.0f) {
        wanted = of_role.error / def.h;  // may close the gap and no more
      } else {
        if (pass == Pass::kPushOut) softness = def.joint;
        wanted = softness.bias_rate * of_role.error;
      }
      lowest = 0.0f;
      break;
    case JointRow::Kind::kMotor:
      wanted = -of_role.speed;
      lowest = std::max(lowest, -of_role.most);
      highest = std::min(highest, of_role.most);
      break;
  }
  const float change = row.mass * softness.mass_scale * (Speed(row, *joint.a, *joint.b) + wanted) +
                       softness.impulse_scale * row.impulse;
  const float sum = std::clamp(row.impulse - change, lowest, highest);
  Apply(row, sum - row.impulse, *joint.a, *joint.b);
  row.impulse = sum;
}

// Force and torque are impulses by the time in which they act.
void Measure(JointConstraint& joint, float h) {
  Vec3 linear = joint.point.impulse;
  Vec3 angular = joint.angle.impulse + joint.drive.impulse;
  for (const JointRow& of_role : joint.rows) {
    const Row& row = of_role.row;
    linear += row.axis * row.impulse;
    if (row.axis == Vec3{}) angular += row.turn_b * row.impulse;
  }
  joint.force = std::max(joint.force, Length(linear) / h);
  joint.torque = std::max(joint.torque, Length(angular) / h);
}

}  // namespace

JointConstraint Prepare(const Joint& joint, const Body& a, const Body& b, SolverBody& solver_a,
                        SolverBody& solver_b, const SubstepDef& def) {
  JointConstraint constraint;
  constraint.a = &solver_a;
  constraint.b = &solver_b;
  constraint.def = &joint.def;
  constraint.frame_a = Seen(joint.def.frame_a, a);
  constraint.frame_b = Seen(joint.def.frame_b, b);
  constraint.between = b.position - a.position;
  constraint.point.impulse = joint.impulses.linear;
  constraint.angle.impulse = joint.impulses.angular;
  constraint.drive.impulse = joint.impulses.drive;
  constraint.drive_softness = DriveSoftness(joint.def, def.h);
  for (std::size_t i = 0; i < kJointRoles; ++i) {
    constraint.rows[i].row.impulse = joint.impulses.rows[i];
  }
  if (const auto* spring = SpringOf(joint.def.kind); spring != nullptr && *spring) {
    constraint[JointRole::kSpring].softness =
        Softness::Of((*spring)->hertz, (*spring)->damping_ratio, def.h);
  }
  constraint[JointRole::kMotor].most = MotorMost(joint.def.kind) * def.h;
  return constraint;
}

void WarmStart(JointConstraint& joint) {
  Refresh(joint, Moment::kSubstepBegins);
  for (const JointRow& of_role : joint.rows) {
    if (of_role.kind == JointRow::Kind::kOff) continue;
    Apply(of_role.row, of_role.row.impulse, *joint.a, *joint.b);
  }
  for (JointBlock* block : {&joint.drive, &joint.angle}) {
    if (!block->is_on) continue;
    block->impulse = WithinMost(block->impulse, block->response);
    ApplyAngularImpulse(*joint.a, *joint.b, block->impulse);
  }
  if (joint.point.is_on) {
    joint.point.impulse = WithinMost(joint.point.impulse, joint.point.response);
    ApplyAtPoint(joint, joint.point.impulse);
  }
}

void Solve(JointConstraint& joint, Pass pass, const SubstepDef& def) {
  if (pass == Pass::kRelax) Refresh(joint, Moment::kBodiesHaveMoved);
  const Softness hold = pass == Pass::kPushOut ? def.joint : Softness();
  if (joint.drive.is_on) {
    const auto& kind = std::get<SwingTwistJoint>(joint.def->kind);
    SolveAngle(joint, joint.drive, joint.drive_softness, kind.drive->most * def.h);
  }
  for (JointRow& of_role : joint.rows) SolveRow(joint, of_role, pass, def);
  SolveAngle(joint, joint.angle, hold, std::numeric_limits<float>::infinity());
  SolvePoint(joint, hold);
  if (pass == Pass::kRelax) Measure(joint, def.h);
}

// Parts that are off have no impulse: a kind that was changed begins without theirs.
void Store(const JointConstraint& constraint, Joint& joint) {
  const auto of = [](const JointBlock& block) { return block.is_on ? block.impulse : Vec3{}; };
  joint.impulses.linear = of(constraint.point);
  joint.impulses.angular = of(constraint.angle);
  joint.impulses.drive = of(constraint.drive);
  for (std::size_t i = 0; i < kJointRoles; ++i) {
    const JointRow& of_role = constraint.rows[i];
    joint.impulses.rows[i] = of_role.kind == JointRow::Kind::kOff ? 0.0f : of_role.row.impulse;
  }
  joint.position = constraint.position;
  joint.force = constraint.force;
  joint.torque = constraint.torque;
}

}  // namespace nowait
