// A joint as plain data, and back.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "src/world/make_joint.h"
#include "src/world/saved_world.h"

namespace nowait {
namespace {

std::unexpected<Error> Wrong(const SavedJoint& saved, const char* field) {
  return Fail(ErrorCode::kCorrupt, "saved joint", saved.id.slot, field);
}

// Calls part(optional, flag, saved) for each part that a joint of this kind may have, and
// size(value) for its one number: to write them all or to read them all.
template <class Part, class Size>
void ForEachPart(JointKind& kind, SavedJoint& saved, const Part& part, const Size& size) {
  const auto visit = [&](auto& of) {
    if constexpr (requires { of.length; }) size(of.length);
    if constexpr (requires { of.cone; }) size(of.cone);
    if constexpr (requires { of.ratio; }) size(of.ratio);
    if constexpr (requires { of.limits.has_value(); }) {
      part(of.limits, SavedJoint::kLimits, saved.limits);
    }
    if constexpr (requires { of.twist; }) part(of.twist, SavedJoint::kLimits, saved.limits);
    if constexpr (requires { of.spring; }) part(of.spring, SavedJoint::kSpring, saved.spring);
    if constexpr (requires { of.motor; }) part(of.motor, SavedJoint::kMotor, saved.motor);
    if constexpr (requires { of.drive; }) part(of.drive, SavedJoint::kDrive, saved.drive);
  };
  std::visit(visit, kind);
}

// The kind with this number, with its defaults.
template <std::size_t... kNumbers>
std::optional<JointKind> KindOf(std::uint32_t number, std::index_sequence<kNumbers...>) {
  std::optional<JointKind> kind;
  ((number == kNumbers ? void(kind.emplace(std::in_place_index<kNumbers>)) : void()), ...);
  return kind;
}

SavedAxis ToSaved(const JointAxis& axis, std::span<const float, kAxisRoles> impulses) {
  SavedAxis saved{};
  saved.motion = static_cast<std::uint32_t>(axis.motion);
  saved.limits = axis.limits;
  if (axis.spring) {
    saved.flags |= SavedAxis::kSpring;
    saved.spring = *axis.spring;
  }
  if (axis.motor) {
    saved.flags |= SavedAxis::kMotor;
    saved.motor = {axis.motor->speed, axis.motor->most};
    if (axis.motor->to) {
      saved.flags |= SavedAxis::kMotorTo;
      saved.to = *axis.motor->to;
    }
  }
  std::ranges::copy(impulses, saved.impulses.begin());
  return saved;
}

// The axis of six, and the impulses of its rows. Nothing when no save writes such a number.
std::optional<JointAxis> FromSaved(const SavedAxis& saved, std::span<float, kAxisRoles> impulses) {
  if (saved.motion > static_cast<std::uint32_t>(AxisMotion::kLimited)) return std::nullopt;
  if (saved.flags > SavedAxis::kAllFlags) return std::nullopt;
  if (!std::ranges::all_of(saved.impulses, [](float of) { return std::isfinite(of); })) {
    return std::nullopt;
  }
  JointAxis axis;
  axis.motion = static_cast<AxisMotion>(saved.motion);
  axis.limits = saved.limits;
  if ((saved.flags & SavedAxis::kSpring) != 0) axis.spring = saved.spring;
  if ((saved.flags & SavedAxis::kMotor) != 0) {
    axis.motor = AxisMotor{saved.motor.speed, saved.motor.most, {}};
    if ((saved.flags & SavedAxis::kMotorTo) != 0) axis.motor->to = saved.to;
  }
  std::ranges::copy(saved.impulses, impulses.begin());
  return axis;
}

// Calls each(axis, first row) for the six axes of a joint.
template <class Six, class Each>
void ForEachAxis(Six& six, const Each& each) {
  for (std::size_t i = 0; i < kJointAxes; ++i) {
    each(i < 3 ? six.linear[i] : six.angular[i - 3], kAxisRoles * i);
  }
}

// Angles as Atan2 gives them, with their rounding; no gear turns for long enough for more turns.
bool ArePossible(const SavedJoint& saved) {
  constexpr std::int64_t kMostTurns = std::int64_t{1} << 50;
  for (std::size_t i = 0; i < 2; ++i) {
    if (!(std::abs(saved.wheel_angles[i]) <= 1.001f * kPi)) return false;
    if (saved.turns[i] < -kMostTurns || saved.turns[i] > kMostTurns) return false;
  }
  return std::abs(saved.meshed) <= 1e20 && std::isfinite(saved.meshed_ratio);
}

bool AreFinite(const SavedJoint& saved) {
  bool finite = IsFinite(saved.linear_impulse) && IsFinite(saved.angular_impulse) &&
                IsFinite(saved.drive_impulse) && std::isfinite(saved.position) &&
                std::isfinite(saved.force) && std::isfinite(saved.torque);
  for (const float impulse : saved.row_impulses) finite = finite && std::isfinite(impulse);
  return finite;
}

}  // namespace

SavedJoint ToSaved(const Joint& joint, std::vector<SavedAxis>& axes) {
  SavedJoint saved{};
  const JointDef& def = joint.def;
  saved.user = def.user;
  saved.id = ToSaved(joint.id);
  saved.a = ToSaved(def.a);
  saved.b = ToSaved(def.b);
  saved.kind = static_cast<std::uint32_t>(def.kind.index());
  saved.flags = def.bodies_touch ? SavedJoint::kBodiesTouch : 0;
  saved.frame_a = def.frame_a;
  saved.frame_b = def.frame_b;
  JointKind kind = def.kind;
  ForEachPart(
      kind, saved,
      [&](const auto& part, std::uint32_t flag, auto& to) {
        if (!part) return;
        to = *part;
        saved.flags |= flag;
      },
      [&](float size) { saved.size = size; });
  saved.break_force = def.break_force;
  saved.break_torque = def.break_torque;
  saved.linear_impulse = joint.impulses.linear;
  saved.angular_impulse = joint.impulses.angular;
  saved.drive_impulse = joint.impulses.drive;
  std::copy_n(joint.impulses.rows.begin(), kJointRoles, saved.row_impulses.begin());
  if (const auto* six = std::get_if<SixDofJoint>(&def.kind)) {
    ForEachAxis(*six, [&](const JointAxis& axis, std::size_t row) {
      const std::span rows = joint.impulses.rows;
      axes.push_back(ToSaved(axis, rows.subspan(row).first<kAxisRoles>()));
    });
  }
  if (const auto* gear = std::get_if<GearJoint>(&def.kind)) {
    saved.first = ToSaved(gear->first);
    saved.second = ToSaved(gear->second);
  }
  if (const auto* pulley = std::get_if<PulleyJoint>(&def.kind)) {
    saved.ground_a = pulley->ground_a;
    saved.ground_b = pulley->ground_b;
    saved.limits = pulley->limits;
  }
  saved.turns = joint.teeth.turns;
  saved.meshed = joint.teeth.meshed;
  saved.meshed_ratio = joint.teeth.ratio;
  saved.wheel_angles = joint.teeth.angle;
  saved.position = joint.position;
  saved.force = joint.force;
  saved.torque = joint.torque;
  return saved;
}

Result<Joint> FromSaved(const SavedJoint& saved, std::span<const SavedAxis>& axes,
                        std::uint32_t world) {
  std::optional<JointKind> kind =
      KindOf(saved.kind, std::make_index_sequence<std::variant_size_v<JointKind>>());
  if (!kind) return Wrong(saved, "kind");
  if (saved.flags > SavedJoint::kAllFlags) return Wrong(saved, "flags");
  if (saved.zero != 0) return Wrong(saved, "zero");
  if (!AreFinite(saved)) return Wrong(saved, "impulses");
  if (!ArePossible(saved)) return Wrong(saved, "teeth");
  Joint joint;
  joint.id = JointId(world, saved.id.slot, saved.id.generation);
  joint.def.a = BodyId(world, saved.a.slot, saved.a.generation);
  joint.def.b = BodyId(world, saved.b.slot, saved.b.generation);
  joint.def.frame_a = saved.frame_a;
  joint.def.frame_b = saved.frame_b;
  SavedJoint from = saved;
  ForEachPart(
      *kind, from,
      [&](auto& part, std::uint32_t flag, const auto& to) {
        if ((saved.flags & flag) != 0) part = to;
      },
      [&](float& size) { size = saved.size; });
  joint.impulses = {saved.linear_impulse, saved.angular_impulse, saved.drive_impulse, {}};
  std::ranges::copy(saved.row_impulses, joint.impulses.rows.begin());
  if (auto* six = std::get_if<SixDofJoint>(&*kind)) {
    if (axes.size() < kJointAxes) return Wrong(saved, "axes");
    bool valid = true;
    ForEachAxis(*six, [&](JointAxis& axis, std::size_t row) {
      const std::span rows = joint.impulses.rows;
      const auto read = FromSaved(axes.front(), rows.subspan(row).first<kAxisRoles>());
      axes = axes.subspan(1);
      valid = valid && read;
      if (read) axis = *read;
    });
    if (!valid) return Wrong(saved, "axes");
  }
  if (auto* gear = std::get_if<GearJoint>(&*kind)) {
    gear->first = JointId(world, saved.first.slot, saved.first.generation);
    gear->second = JointId(world, saved.second.slot, saved.second.generation);
  }
  if (auto* pulley = std::get_if<PulleyJoint>(&*kind)) {
    pulley->ground_a = saved.ground_a;
    pulley->ground_b = saved.ground_b;
    pulley->limits = saved.limits;
  }
  joint.teeth = {saved.meshed_ratio, saved.wheel_angles, saved.turns, saved.meshed};
  joint.def.kind = *kind;
  joint.def.bodies_touch = (saved.flags & SavedJoint::kBodiesTouch) != 0;
  joint.def.break_force = saved.break_force;
  joint.def.break_torque = saved.break_torque;
  joint.def.user = saved.user;
  if (const Result<void> valid = Validate(joint.def); !valid) {
    return Wrong(saved, valid.error().subject);
  }
  joint.position = saved.position;
  joint.force = saved.force;
  joint.torque = saved.torque;
  return joint;
}

}  // namespace nowait
