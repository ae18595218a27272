// The geometry of a joint of six degrees of freedom.
//
// Locked axes are blocks, like those of the other kinds: three of them hold a point or a rotation,
// two leave a slider's or a hinge's axis, one is a direction. The others have rows.
#include <algorithm>
#include <array>
#include <cstddef>

#include "src/dynamics/joint_parts.h"

namespace nowait {
namespace {

using Axes = std::array<JointAxis, 3>;

bool IsLocked(const JointAxis& axis) { return axis.motion == AxisMotion::kLocked; }

int Locked(const Axes& axes) { return static_cast<int>(std::ranges::count_if(axes, IsLocked)); }

int FirstThat(bool is_locked, const Axes& axes) {
  const auto at = std::ranges::find(axes, is_locked, IsLocked);
  return static_cast<int>(at - axes.begin());
}

std::span<JointRow> RowsOfAxis(JointConstraint& joint, std::size_t axis) {
  return joint.rows.subspan(kAxisRoles * axis, kAxisRoles);
}

// b's axes in a's frame turn from the swing to the swing and twist. value: twist, and the y and z
// components of the swing's rotation vector. rate: of b's angular velocity against a's, the
// derivative of each.
//
// Let x be a's axis, d = cos(s) x + sin(s) u b's, and n = x cross u the axis of the swing. Then s
// grows at the rate n.w, and u turns about x at the rate (x - u cot(s)).w. So the vector s n grows
// at the rate (n.w) n + ((u s cot(s) - x s).w) u.
struct SwingTwist {
  explicit SwingTwist(const JointFrames& at) {
    const Vec3 x = at.axes.x;
    const float along = Dot(x, at.axis_b);
    const Vec3 across = Cross(x, at.axis_b);
    const float sine = Length(across);
    const float swing = Atan2(sine, along);
    const Vec3 n = NormaliseOr(across, at.axes.y);
    const Vec3 u = Cross(n, x);
    // Towards half a turn u turns ever faster; there is no rate there.
    constexpr float kFastest = -30.0f;
    const float s_cot = sine > 1e-4f ? std::max(swing * along / sine, kFastest) : 1.0f;
    const Vec3 turning = u * s_cot - x * swing;
    const float ny = Dot(n, at.axes.y), nz = Dot(n, at.axes.z);
    value = {at.TurnAbout(0), swing * ny, swing * nz};
    rate = {at.TwistRate(), n * ny + turning * nz, n * nz - turning * ny};
  }

  std::array<float, 3> value;
  std::array<Vec3, 3> rate;
};

void AddLinear(const Axes& axes, JointParts& parts) {
  const int locked = Locked(axes);
  if (locked == 3) {
    parts.HoldPoint();
    return;
  }
  if (locked == 2) parts.HoldPointAcross(FirstThat(false, axes));
  if (locked == 1) parts.HoldPointAlong(FirstThat(true, axes));
  const JointFrames& at = parts.at();
  for (int i = 0; i < 3; ++i) {
    const JointAxis& axis = axes[static_cast<std::size_t>(i)];
    if (IsLocked(axis)) continue;
    parts.AddAxis(axis, RowsOfAxis(parts.joint(), static_cast<std::size_t>(i)),
                  at.SlideRow(at.axes.Column(i)), at.SlideAlong(i));
  }
}

// A twist, or the turn of a hinge. A motor without limits takes the shorter way.
void AddTurn(const JointAxis& axis, std::size_t at_axis, const Row& row, float angle,
             JointParts& parts) {
  std::optional<JointLimits> limits;
  if (axis.motion == AxisMotion::kLimited) limits = axis.limits;
  const std::span<JointRow> rows = RowsOfAxis(parts.joint(), 3 + at_axis);
  parts.AddAxis(axis, rows, row, Near(angle, limits));
  JointRow& motor = rows[static_cast<std::size_t>(AxisRole::kMotor)];
  if (!limits && motor.kind == JointRow::Kind::kSpring) TakeShorterWay(motor.error);
}

void AddAngular(const Axes& axes, JointParts& parts) {
  const JointFrames& at = parts.at();
  const int locked = Locked(axes);
  if (locked == 3) {
    parts.HoldAngle();
    return;
  }
  if (locked == 2) {
    const int free = FirstThat(false, axes);
    const Vec3 axis = at.axes.Column(free);
    parts.HoldAngleAcross(free, ToMatrix(at.rotation_b).Column(free));
    AddTurn(axes[static_cast<std::size_t>(free)], static_cast<std::size_t>(free), at.TurnRow(axis),
            at.TurnAbout(free), parts);
    return;
  }
  const SwingTwist now(at);
  for (std::size_t i = 0; i < 3; ++i) {
    const Row row = at.TurnRow(now.rate[i]);
    if (IsLocked(axes[i])) {
      parts.HoldAngleAlong(now.rate[i], now.value[i]);
    } else if (i == 0) {
      AddTurn(axes[i], i, row, now.value[i], parts);
    } else {
      parts.AddAxis(axes[i], RowsOfAxis(parts.joint(), 3 + i), row, now.value[i]);
    }
  }
}

}  // namespace

void AddParts(const SixDofJoint& kind, JointParts& parts) {
  parts.joint().position = parts.at().TurnAbout(0);
  AddLinear(kind.linear, parts);
  AddAngular(kind.angular, parts);
}

}  // namespace nowait
