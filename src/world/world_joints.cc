// The joints of World.
#include <cstdint>
#include <utility>
#include <variant>

#include "src/bodies/guarded_body.h"
#include "src/world/make_joint.h"
#include "src/world/world.h"
#include "src/world/world_parts.h"

namespace nowait {
namespace {

// Whether the body is there, and whether joints can move it.
Result<bool> Moves(WorldState& state, BodyId id, WaitTime& wait) {
  bool moves = false;
  const auto look = [&](const Body& body) { moves = body.type == BodyType::kDynamic; };
  if (!ReadBody(state.locks, state.present(), id, wait, look)) return NoBody(id, state);
  return moves;
}

// Wakes what is still there of the bodies of a joint.
void WakeBoth(WorldState& state, const JointDef& def, WaitTime& wait) {
  for (const BodyId id : {def.a, def.b}) {
    const auto wake = [&](Body& body) {
      body.rest_time = 0.0f;
      state.Wake(id.slot());
    };
    ChangeBody(state.locks, state.present(), id, wait, wake);
  }
}

// A gear's joints, which have to be there, and its two wheels.
Result<void> CheckGear(const WorldState& state, const JointDef& def, bool both_move) {
  const auto* gear = std::get_if<GearJoint>(&def.kind);
  if (gear == nullptr) return {};
  const Result<Joint> first = state.joints.Get(gear->first);
  const Result<Joint> second = state.joints.Get(gear->second);
  for (const auto& [joint, name] : {std::pair(&first, "first"), std::pair(&second, "second")}) {
    if (*joint) continue;
    const Error& error = joint->error();
    return Fail(error.code, name, error.amount, error.detail);
  }
  if (auto valid = ValidateGear(def, &*first, &*second); !valid) return valid;
  if (both_move) return {};
  return Fail(ErrorCode::kInvalidArgument, "bodies", AmountOf(def.a), "a gear's are dynamic");
}

}  // namespace

Result<JointId> World::CreateJoint(const JointDef& def, WaitTime& wait) {
  WorldState& state = parts_->state;
  const PhaseScope phase(state.phases, Op::kModify);
  if (const Result<void> valid = Validate(def); !valid) return std::unexpected(valid.error());
  const Result<bool> a_moves = Moves(state, def.a, wait);
  if (!a_moves) return std::unexpected(a_moves.error());
  const Result<bool> b_moves = Moves(state, def.b, wait);
  if (!b_moves) return std::unexpected(b_moves.error());
  if (!*a_moves && !*b_moves) {
    return Fail(ErrorCode::kInvalidArgument, "bodies", AmountOf(def.a), "neither is dynamic");
  }
  if (auto gear = CheckGear(state, def, *a_moves && *b_moves); !gear) {
    return std::unexpected(gear.error());
  }
  const Result<JointId> id = state.joints.Create(Normalised(def));
  if (id) WakeBoth(state, def, wait);
  return id;
}

Result<void> World::DestroyJoint(JointId id, WaitTime& wait) {
  WorldState& state = parts_->state;
  const PhaseScope phase(state.phases, Op::kModify);
  const Result<Joint> joint = state.joints.Destroy(id);
  if (!joint) return std::unexpected(joint.error());
  WakeBoth(state, joint->def, wait);
  return {};
}

Result<void> World::ChangeJoint(JointId id, const JointKind& kind, WaitTime& wait) {
  WorldState& state = parts_->state;
  const PhaseScope phase(state.phases, Op::kModify);
  if (const Result<void> valid = Validate(kind); !valid) return valid;
  const Result<Joint> joint = state.joints.Change(id, Normalised(kind));
  if (!joint) return std::unexpected(joint.error());
  WakeBoth(state, joint->def, wait);
  return {};
}

Result<JointSnapshot> World::GetJoint(JointId id) const {
  const WorldState& state = parts_->state;
  // It changes nothing, but no view without locks and no step overlaps with it.
  const PhaseScope phase(state.phases, Op::kModify, true);
  const Result<Joint> joint = state.joints.Get(id);
  if (!joint) return std::unexpected(joint.error());
  return JointSnapshot{joint->id, joint->def, joint->position, joint->force, joint->torque};
}

std::span<const JointEvent> World::joint_events() const { return parts_->update.joint_events(); }
std::uint32_t World::joint_count() const { return parts_->state.joints.count(); }

}  // namespace nowait
