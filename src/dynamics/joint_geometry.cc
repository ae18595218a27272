// The geometry of a joint's kinds: which directions are held, and how far the bodies are from where
// the joint wants them.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <variant>

#include "src/dynamics/joint_constraint.h"
#include "src/math/angle.h"

namespace nowait {
namespace {

// The parts of a joint at one moment, which each kind adds what it has to.
class Geometry {
 public:
  Geometry(JointConstraint& joint, Moment moment)
      : joint_(joint),
        moment_(moment),
        a_(*joint.a),
        b_(*joint.b),
        rotation_a_(a_.rotation * joint.frame_a.rotation),
        rotation_b_(b_.rotation * joint.frame_b.rotation),
        axes_(ToMatrix(rotation_a_)),
        axis_b_(Rotate(rotation_b_, {1, 0, 0})),
        arm_a_(Rotate(a_.rotation, joint.frame_a.position)),
        arm_b_(Rotate(b_.rotation, joint.frame_b.position)),
        apart_((joint.between + (b_.moved - a_.moved)) + (arm_b_ - arm_a_)) {}

  void operator()(const PointJoint&) { HoldPoint(); }

  void operator()(const FixedJoint&) {
    HoldPoint();
    HoldAngle();
  }

  void operator()(const DistanceJoint& kind) {
    const float length = Length(apart_);
    const Vec3 axis = NormaliseOr(apart_, {0, 1, 0});
    const Row row = MakeLinearRow(a_, b_, arm_a_, arm_b_, axis);
    joint_.position = length;
    if (!kind.spring && !kind.limits) {
      Set(JointRole::kSpring, JointRow::Kind::kRigid, row, length - kind.length);
    }
    AddSpring(kind.spring, row, length);
    AddLimits(kind.limits, row, length);
    // No length is below zero. A row would stop the bodies where the origins pass each other.
    if (kind.limits && !(kind.limits->lower > 0.0f)) {
      joint_[JointRole::kLower].kind = JointRow::Kind::kOff;
    }
  }

  void operator()(const HingeJoint& kind) {
    HoldPoint();
    // The rotation that takes b's axis back to a's has no part along them.
    const Vec3 bent = Cross(axes_.x, axis_b_);
    Hold(joint_.angle, a_.inverse_inertia + b_.inverse_inertia, Directions::kAcross, bent);
    const float angle = Near(Twist(), kind.limits);
    AddAxis(kind, MakeAngularRow(a_, b_, axes_.x), angle);
    if (kind.spring && !kind.limits) TakeShorterWay(joint_[JointRole::kSpring].error);
  }

  void operator()(const SliderJoint& kind) {
    HoldAngle();
    // a's point is where b's anchor is now: it moves with a, however far b has slid.
    joint_.arm_a = arm_a_ + apart_;
    joint_.arm_b = arm_b_;
    Hold(joint_.point, ResponseAt(joint_.arm_a, joint_.arm_b), Directions::kAcross, apart_);
    AddAxis(kind, MakeLinearRow(a_, b_, joint_.arm_a, joint_.arm_b, axes_.x), Dot(apart_, axes_.x));
  }

  void operator()(const SwingTwistJoint& kind) {
    HoldPoint();
    const float along = Dot(axes_.x, axis_b_);
    if (kind.cone < kPi) {
      const Vec3 across = Cross(axes_.x, axis_b_);
      const float swing = Atan2(Length(across), along);
      const Row row = MakeAngularRow(a_, b_, -NormaliseOr(across, axes_.y));
      Set(JointRole::kCone, JointRow::Kind::kLimit, row, kind.cone - swing);
    }
    const float twist = Near(Twist(), kind.twist);
    joint_.position = twist;
    // The twist's Jacobian, where the axes are not opposite to each other.
    const Row row =
        MakeAngularRow(a_, b_, (axes_.x + axis_b_) * (1.0f / std::max(1.0f + along, 0.1f)));
    AddLimits(kind.twist, row, twist);
    if (kind.drive) AddDrive(*kind.drive);
  }

 private:
  enum class Directions : std::uint8_t { kAll, kAcross };  // across: not along a's x axis

  // How far b's frame is turned about the x axis against a's.
  float Twist() const {
    const Quat between = Conjugate(rotation_a_) * rotation_b_;
    const float sign = between.w < 0.0f ? -1.0f : 1.0f;
    return 2.0f * Atan2(sign * between.x, sign * between.w);
  }

  // An angle beyond half a turn is the same as one on the other side.
  static void TakeShorterWay(float& angle) {
    if (angle > kPi) angle -= 2.0f * kPi;
    if (angle < -kPi) angle += 2.0f * kPi;
  }

  // The same angle within half a turn of the middle of the limits: a little beyond a limit at half
  // a turn it is beyond this limit, and not beyond the other one.
  static float Near(float angle, const std::optional<JointLimits>& limits) {
    if (!limits) return angle;
    const float middle = 0.5f * (limits->lower + limits->upper);
    float from_middle = angle - middle;
    if (std::abs(from_middle) <= kPi) return angle;  // as it is, to the last bit
    TakeShorterWay(from_middle);
    return middle + from_middle;
  }

  // The rotation from `from` to `to`, as an axis with the length of the angle, which is exact to
  // first order.
  static Vec3 Between(Quat from, Quat to) {
    const Quat q = to * Conjugate(from);
    return Vec3{q.x, q.y, q.z} * (q.w < 0.0f ? -2.0f : 2.0f);
  }

  // The velocity of b's point against a's by an impulse of one on it, for each direction.
  Mat3 ResponseAt(Vec3 arm_a, Vec3 arm_b) const {
    const float mass = a_.inverse_mass + b_.inverse_mass;
    const auto column = [&](Vec3 e) {
      return (e * mass + Cross(a_.inverse_inertia * Cross(arm_a, e), arm_a)) +
             Cross(b_.inverse_inertia * Cross(arm_b, e), arm_b);
    };
    return {column({1, 0, 0}), column({0, 1, 0}), column({0, 0, 1})};
  }

  // The inverse of `response` in the plane of a's y and z axes.
  Mat3 InverseAcross(const Mat3& response) const {
    const Vec3 y = axes_.y, z = axes_.z;
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

  void Hold(JointBlock& block, const Mat3& response, Directions directions, Vec3 error) const {
    block.is_on = true;
    block.response = response;
    block.error = error;
    if (directions == Directions::kAll) {
      block.mass = Inverse(response);
      return;
    }
    block.mass = InverseAcross(response);
    block.impulse -= axes_.x * Dot(block.impulse, axes_.x);  // the axis has turned since
  }

  void HoldPoint() {
    joint_.arm_a = arm_a_;
    joint_.arm_b = arm_b_;
    Hold(joint_.point, ResponseAt(arm_a_, arm_b_), Directions::kAll, apart_);
  }

  void HoldAngle() {
    Hold(joint_.angle, a_.inverse_inertia + b_.inverse_inertia, Directions::kAll,
         Between(rotation_a_, rotation_b_));
  }

  void Set(JointRole role, JointRow::Kind kind, const Row& row, float error) {
    JointRow& of_role = joint_[role];
    const float impulse = of_role.row.impulse;
    of_role.kind = kind;
    of_role.row = row;
    of_role.row.impulse = WithinMost(impulse, row);
    const bool keeps_error = kind == JointRow::Kind::kSpring && moment_ == Moment::kBodiesHaveMoved;
    if (!keeps_error) of_role.error = error;
  }

  void AddSpring(const std::optional<JointSpring>& spring, const Row& row, float position) {
    if (spring) Set(JointRole::kSpring, JointRow::Kind::kSpring, row, position - spring->rest);
  }

  void AddLimits(const std::optional<JointLimits>& limits, const Row& row, float position) {
    if (!limits) return;
    Set(JointRole::kLower, JointRow::Kind::kLimit, row, position - limits->lower);
    Set(JointRole::kUpper, JointRow::Kind::kLimit, Reversed(row), limits->upper - position);
  }

  // Motor, spring and limits of a hinge or slider.
  template <class Kind>
  void AddAxis(const Kind& kind, const Row& row, float position) {
    joint_.position = position;
    if (kind.motor) {
      Set(JointRole::kMotor, JointRow::Kind::kMotor, row, 0.0f);
      joint_[JointRole::kMotor].speed = kind.motor->speed;
    }
    AddSpring(kind.spring, row, position);
    AddLimits(kind.limits, row, position);
  }

  void AddDrive(const JointDrive& drive) {
    const Vec3 error = moment_ == Moment::kBodiesHaveMoved
                           ? joint_.drive.error
                           : Between(rotation_a_ * drive.target, rotation_b_);
    Hold(joint_.drive, a_.inverse_inertia + b_.inverse_inertia, Directions::kAll, error);
  }

  JointConstraint& joint_;
  const Moment moment_;
  const SolverBody& a_;
  const SolverBody& b_;
  const Quat rotation_a_;  // of the frames, in the world
  const Quat rotation_b_;
  const Mat3 axes_;  // of a's frame
  const Vec3 axis_b_;
  const Vec3 arm_a_;  // from the centres to the anchors
  const Vec3 arm_b_;
  const Vec3 apart_;  // from a's anchor to b's
};

}  // namespace

void Refresh(JointConstraint& joint, Moment moment) {
  std::visit(Geometry(joint, moment), joint.def->kind);
}

}  // namespace nowait
