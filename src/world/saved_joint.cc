// A joint as plain data, and back.
#include <cmath>
#include <optional>
#include <utility>
#include <variant>

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
    if constexpr (requires { of.limits; }) part(of.limits, SavedJoint::kLimits, saved.limits);
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

bool AreFinite(const SavedJoint& saved) {
  bool finite = IsFinite(saved.linear_impulse) && IsFinite(saved.angular_impulse) &&
                IsFinite(saved.drive_impulse) && std::isfinite(saved.position) &&
                std::isfinite(saved.force) && std::isfinite(saved.torque);
  for (const float impulse : saved.row_impulses) finite = finite && std::isfinite(impulse);
  return finite;
}

}  // namespace

SavedJoint ToSaved(const Joint& joint) {
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
  saved.row_impulses = joint.impulses.rows;
  saved.position = joint.position;
  saved.force = joint.force;
  saved.torque = joint.torque;
  return saved;
}

Result<Joint> FromSaved(const SavedJoint& saved, std::uint32_t world) {
  std::optional<JointKind> kind =
      KindOf(saved.kind, std::make_index_sequence<std::variant_size_v<JointKind>>());
  if (!kind) return Wrong(saved, "kind");
  if (saved.flags > SavedJoint::kAllFlags) return Wrong(saved, "flags");
  if (!AreFinite(saved)) return Wrong(saved, "impulses");
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
  joint.def.kind = *kind;
  joint.def.bodies_touch = (saved.flags & SavedJoint::kBodiesTouch) != 0;
  joint.def.break_force = saved.break_force;
  joint.def.break_torque = saved.break_torque;
  joint.def.user = saved.user;
  if (const Result<void> valid = Validate(joint.def); !valid) {
    return Wrong(saved, valid.error().subject);
  }
  joint.impulses = {saved.linear_impulse, saved.angular_impulse, saved.drive_impulse,
                    saved.row_impulses};
  joint.position = saved.position;
  joint.force = saved.force;
  joint.torque = saved.torque;
  return joint;
}

}  // namespace nowait
