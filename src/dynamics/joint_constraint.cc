#include "src/dynamics/joint_constraint.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <variant>

namespace nowait {
namespace {

// Limits the change of the relative velocity, like WithinMost of a row.
Vec3 WithinMost(Vec3 impulse, const Mat3& response) {
  const Vec3 change = Abs(response * impulse);
  const float largest = std::max(std::max(change.x, change.y), change.z);
  if (!std::isfinite(largest) || !IsFinite(impulse)) return {};
  return largest > kMostChange ? impulse * (kMostChange / largest) : impulse;
}

void ApplyAtPoint(const JointConstraint& joint, Vec3 impulse) {
  SolverBody& a = *joint.ends.a;
  SolverBody& b = *joint.ends.b;
  a.linear_velocity -= impulse * a.inverse_mass;
  a.angular_velocity -= a.inverse_inertia * Cross(joint.arm_a, impulse);
  b.linear_velocity += impulse * b.inverse_mass;
  b.angular_velocity += b.inverse_inertia * Cross(joint.arm_b, impulse);
}

Vec3 PointSpeed(const JointConstraint& joint) {
  const SolverBody& a = *joint.ends.a;
  const SolverBody& b = *joint.ends.b;
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
  const Vec3 speed = joint.ends.b->angular_velocity - joint.ends.a->angular_velocity;
  Vec3 sum = Corrected(block, speed, softness);
  const float length = Length(sum);
  if (length > most) sum *= most / length;
  ApplyAngularImpulse(*joint.ends.a, *joint.ends.b, sum - block.impulse);
  block.impulse = sum;
}

float SpeedAlong(const JointConstraint& joint, const JointRow& of_role) {
  const float speed = Speed(of_role.row, *joint.ends.a, *joint.ends.b);
  if (of_role.second == 0.0f) return speed;
  const JointCoupling& with = joint.coupling;
  return speed + of_role.second * Speed(with.row, *with.ends.a, *with.ends.b);
}

void ApplyAlong(JointConstraint& joint, const JointRow& of_role, float impulse) {
  Apply(of_role.row, impulse, *joint.ends.a, *joint.ends.b);
  if (of_role.second == 0.0f) return;
  const JointCoupling& with = joint.coupling;
  Apply(with.row, of_role.second * impulse, *with.ends.a, *with.ends.b);
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
      lowest = std::max(lowest, -of_role.most);
      highest = std::min(highest, of_role.most);
      break;
    case JointRow::Kind::kSoftLimit:
      softness = of_role.softness;
      wanted = softness.bias_rate * of_role.error;
      lowest = 0.0f;
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
  const float change = row.mass * softness.mass_scale * (SpeedAlong(joint, of_role) + wanted) +
                       softness.impulse_scale * row.impulse;
  const float sum = std::clamp(row.impulse - change, lowest, highest);
  ApplyAlong(joint, of_role, sum - row.impulse);
  row.impulse = sum;
}

constexpr float kMostForce = std::numeric_limits<float>::max();

// The force or torque of an impulse. The square of one that turns bodies of kilometres is too large
// for a float. The quotient may be as well, by a mote of time: there it is the largest float.
float ForceOf(Vec3 impulse, float h) {
  const float usual = Length(impulse) / h;
  if (usual <= kMostForce) return usual;
  const double x = impulse.x, y = impulse.y, z = impulse.z;
  return static_cast<float>(std::min<double>(std::sqrt(x * x + y * y + z * z) / h, kMostForce));
}

// Force and torque are impulses by the time in which they act. Those of a coupling act on other
// bodies than the joint's own: the larger one counts.
void Measure(JointConstraint& joint, float h) {
  Vec3 linear = joint.point.impulse;
  Vec3 angular = joint.angle.impulse + joint.drive.impulse;
  for (const JointRow& of_role : joint.rows) {
    const Row& row = of_role.row;
    linear += row.axis * row.impulse;
    if (row.axis == Vec3{}) angular += row.turn_b * row.impulse;
    if (of_role.second == 0.0f) continue;
    const Row& with = joint.coupling.row;
    const bool turns = with.axis == Vec3{};
    const float size = std::abs(row.impulse) * Length(turns ? with.turn_b : with.axis) / h;
    float& largest = turns ? joint.torque : joint.force;
    largest = std::max(largest, std::min(size, kMostForce));
  }
  joint.force = std::max(joint.force, ForceOf(linear, h));
  joint.torque = std::max(joint.torque, ForceOf(angular, h));
}

}  // namespace

void WarmStart(JointConstraint& joint) {
  Refresh(joint, Moment::kSubstepBegins);
  for (const JointRow& of_role : joint.rows) {
    if (of_role.kind == JointRow::Kind::kOff) continue;
    ApplyAlong(joint, of_role, of_role.row.impulse);
  }
  for (JointBlock* block : {&joint.drive, &joint.angle}) {
    if (!block->is_on) continue;
    block->impulse = WithinMost(block->impulse, block->response);
    ApplyAngularImpulse(*joint.ends.a, *joint.ends.b, block->impulse);
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
  for (std::size_t i = 0; i < constraint.rows.size(); ++i) {
    const JointRow& of_role = constraint.rows[i];
    joint.impulses.rows[i] = of_role.kind == JointRow::Kind::kOff ? 0.0f : of_role.row.impulse;
  }
  joint.teeth = constraint.coupling.teeth;
  joint.position = constraint.position;
  joint.force = constraint.force;
  joint.torque = constraint.torque;
}

}  // namespace nowait
