#include "src/dynamics/joint_parts.h"

#include <algorithm>
#include <cmath>

namespace nowait {
namespace {

// The rotation from `from` to `to`, as an axis with the length of the angle, which is exact to
// first order.
Vec3 Between(Quat from, Quat to) {
  const Quat q = to * Conjugate(from);
  return Vec3{q.x, q.y, q.z} * (q.w < 0.0f ? -2.0f : 2.0f);
}

// The inverse of `response` in the plane of y and z.
Mat3 InverseIn(Vec3 y, Vec3 z, const Mat3& response) {
  const float yy = Dot(y, response * y), yz = Dot(y, response * z), zz = Dot(z, response * z);
  const float largest = std::max(yy, zz);
  if (!(largest > 0.0f)) return {{}, {}, {}};
  // Scaled first: the determinant would leave the range of a float (Inverse in mat3.h).
  const float scale = 1.0f / largest;
  const float p = yy * scale, q = yz * scale, r = zz * scale;
  const float det = p * r - q * q;
  if (!(det > 0.0f)) return {{}, {}, {}};
  const float of_yy = r / det * scale, of_yz = -q / det * scale, of_zz = p / det * scale;
  const auto column = [&](float along_y, float along_z) {
    return y * (of_yy * along_y + of_yz * along_z) + z * (of_yz * along_y + of_zz * along_z);
  };
  return {column(y.x, z.x), column(y.y, z.y), column(y.z, z.z)};
}

}  // namespace

Mat3 JointParts::ResponseAt(Vec3 arm_a, Vec3 arm_b) const {
  const float mass = a_.inverse_mass + b_.inverse_mass;
  const auto column = [&](Vec3 e) {
    return (e * mass + Cross(a_.inverse_inertia * Cross(arm_a, e), arm_a)) +
           Cross(b_.inverse_inertia * Cross(arm_b, e), arm_b);
  };
  return {column({1, 0, 0}), column({0, 1, 0}), column({0, 0, 1})};
}

void JointParts::FollowAnchor() {
  joint_.arm_a = at_.arm_a + at_.apart;
  joint_.arm_b = at_.arm_b;
}

void JointParts::HoldAll(JointBlock& block, const Mat3& response, Vec3 error) const {
  block.is_on = true;
  block.response = response;
  block.error = error;
  block.mass = Inverse(response);
}

void JointParts::HoldAcross(JointBlock& block, const Mat3& response, int free_axis,
                            Vec3 error) const {
  const Vec3 free = at_.axes.Column(free_axis);
  block.is_on = true;
  block.response = response;
  block.error = error;
  block.mass = InverseIn(at_.axes.Column((free_axis + 1) % 3), at_.axes.Column((free_axis + 2) % 3),
                         response);
  block.impulse -= free * Dot(block.impulse, free);  // the axis has turned since
}

void JointParts::HoldAlong(JointBlock& block, const Mat3& response, Vec3 direction,
                           float error) const {
  const float k = Dot(direction, response * direction);
  const float mass = k > 0.0f ? 1.0f / k : 0.0f;
  block.is_on = true;
  block.response = response;
  block.error = direction * error;
  block.mass = {direction * (mass * direction.x), direction * (mass * direction.y),
                direction * (mass * direction.z)};
  block.impulse = direction * Dot(block.impulse, direction);
}

void JointParts::HoldPoint() {
  joint_.arm_a = at_.arm_a;
  joint_.arm_b = at_.arm_b;
  HoldAll(joint_.point, ResponseAt(at_.arm_a, at_.arm_b), at_.apart);
}

void JointParts::HoldAngle() {
  HoldAll(joint_.angle, TurnResponse(), Between(at_.rotation_a, at_.rotation_b));
}

void JointParts::HoldPointAcross(int free_axis) {
  FollowAnchor();
  HoldAcross(joint_.point, ResponseAt(joint_.arm_a, joint_.arm_b), free_axis, at_.apart);
}

void JointParts::HoldPointAlong(int axis) {
  FollowAnchor();
  HoldAlong(joint_.point, ResponseAt(joint_.arm_a, joint_.arm_b), at_.axes.Column(axis),
            at_.SlideAlong(axis));
}

// The rotation that takes b's axis back to a's has no part along them.
void JointParts::HoldAngleAcross(int free_axis, Vec3 axis_b) {
  HoldAcross(joint_.angle, TurnResponse(), free_axis, Cross(at_.axes.Column(free_axis), axis_b));
}

void JointParts::HoldAngleAlong(Vec3 direction, float error) {
  // A twist has no rate at a swing of half a turn, and hardly any next to that: no hold either.
  constexpr float kSlowest = 0.1f;
  const float length = Length(direction);
  if (!(length >= kSlowest)) {
    joint_.angle.is_on = false;
    joint_.angle.impulse = {};
    return;
  }
  HoldAlong(joint_.angle, TurnResponse(), direction * (1.0f / length), error / length);
}

void JointParts::Drive(Quat target) {
  const Vec3 error =
      begins() ? Between(at_.rotation_a * target, at_.rotation_b) : joint_.drive.error;
  HoldAll(joint_.drive, TurnResponse(), error);
}

void JointParts::Set(JointRow& of_role, JointRow::Kind kind, const Row& row, float error) {
  const float impulse = of_role.row.impulse;
  of_role.kind = kind;
  of_role.row = row;
  of_role.row.impulse = WithinMost(impulse, row);
  const bool is_force = kind == JointRow::Kind::kSpring || kind == JointRow::Kind::kSoftLimit;
  if (!is_force || begins()) of_role.error = error;
}

void JointParts::AddSpring(const std::optional<JointSpring>& spring, const Row& row,
                           float position) {
  if (!spring) return;
  Set(joint_[JointRole::kSpring], JointRow::Kind::kSpring, row, position - spring->rest);
}

void JointParts::AddLimits(const std::optional<JointLimits>& limits, const Row& row,
                           float position) {
  if (!limits) return;
  Set(joint_[JointRole::kLower], JointRow::Kind::kLimit, row, position - limits->lower);
  Set(joint_[JointRole::kUpper], JointRow::Kind::kLimit, Reversed(row), limits->upper - position);
}

void JointParts::AddAxis(const JointAxis& axis, std::span<JointRow> rows, const Row& row,
                         float position) {
  if (axis.motor) {
    JointRow& motor = rows[static_cast<std::size_t>(AxisRole::kMotor)];
    if (axis.motor->to) {
      Set(motor, JointRow::Kind::kSpring, row, position - axis.motor->to->rest);
    } else {
      Set(motor, JointRow::Kind::kMotor, row, 0.0f);
      motor.speed = axis.motor->speed;
    }
  }
  if (axis.motion != AxisMotion::kLimited) return;
  AddLimit(axis, rows[static_cast<std::size_t>(AxisRole::kLower)], row,
           position - axis.limits.lower);
  AddLimit(axis, rows[static_cast<std::size_t>(AxisRole::kUpper)], Reversed(row),
           axis.limits.upper - position);
}

// A spring is a force, which acts in the sub-steps that begin beyond the limit.
void JointParts::AddLimit(const JointAxis& axis, JointRow& of_role, const Row& row, float gap) {
  if (!axis.spring) {
    Set(of_role, JointRow::Kind::kLimit, row, gap);
    return;
  }
  const bool acts = begins() ? gap < 0.0f : of_role.kind != JointRow::Kind::kOff;
  if (acts) {
    Set(of_role, JointRow::Kind::kSoftLimit, row, gap);
  } else {
    of_role.kind = JointRow::Kind::kOff;
    of_role.row.impulse = 0.0f;
  }
}

}  // namespace nowait
