// The functions of World that change a body which stays: its place, its velocity, its sleep.
#include "src/bodies/guarded_body.h"
#include "src/math/float_mode.h"
#include "src/world/make_body.h"
#include "src/world/world.h"
#include "src/world/world_parts.h"

namespace nowait {
namespace {

std::unexpected<Error> WrongType(BodyId id, const char* why) {
  return Fail(ErrorCode::kInvalidArgument, "body", AmountOf(id), why);
}

// change(body) changes a body, or returns an error, after which the body is as before.
template <class F>
Result<void> ChangeOne(WorldState& state, BodyId id, WaitTime& wait, const F& change) {
  const PhaseScope phase(state.phases, Op::kModify);
  Result<void> done;
  const auto set = [&](Body& body) { done = change(body); };
  return ChangeBody(state.locks, state.present(), id, wait, set) ? done : NoBody(id, state);
}

// The body, and in the next step those that touched it, have to go on.
void Disturb(WorldState& state, Body& body) {
  body.rest_time = 0.0f;
  state.Wake(body.id.slot());
  state.Note(body.id.slot(), Change::kDisturbed);
}

}  // namespace

Result<void> World::MoveBody(BodyId id, Vec3 position, Quat rotation, WaitTime& wait) {
  WorldState& state = parts_->state;
  return ChangeOne(state, id, wait, [&](Body& body) -> Result<void> {
    if (Result<void> valid = ValidatePlace(body.shape, position, rotation); !valid) return valid;
    Body moved = body;
    Place(moved, position, rotation);
    moved.has_target = false;
    moved.tree_box = moved.type == BodyType::kStatic ? moved.box : Expanded(moved.box, kTreeMargin);
    if (auto done = state.tree->Move(id.proxy(), moved.layer, moved.tree_box); !done) return done;
    body = moved;
    Disturb(state, body);
    state.Note(id.slot(), Change::kMoved);
    return {};
  });
}

Result<void> World::SetVelocity(BodyId id, Vec3 linear, Vec3 angular, WaitTime& wait) {
  if (Result<void> valid = ValidateVelocity(linear, angular); !valid) return valid;
  WorldState& state = parts_->state;
  return ChangeOne(state, id, wait, [&](Body& body) -> Result<void> {
    if (body.type == BodyType::kStatic) return WrongType(id, "a static body has no velocity");
    const bool stood = body.type == BodyType::kKinematic && !IsMoving(body);
    body.linear_velocity = linear;
    body.angular_velocity = angular;
    body.has_target = false;
    if (!stood || IsMoving(body)) Disturb(state, body);
    return {};
  });
}

Result<void> World::SetTarget(BodyId id, Vec3 position, Quat rotation, WaitTime& wait) {
  const FloatModeScope float_mode;
  WorldState& state = parts_->state;
  return ChangeOne(state, id, wait, [&](Body& body) -> Result<void> {
    if (body.type != BodyType::kKinematic) {
      return WrongType(id, "only a kinematic body has a target");
    }
    if (Result<void> valid = ValidatePlace(body.shape, position, rotation); !valid) return valid;
    const bool moved = IsMoving(body);
    body.target_position = position;
    // Normalising it again might change it: the body would not stand where it stands.
    body.target_rotation = rotation == body.rotation ? rotation : Normalise(rotation);
    body.has_target = position != body.position || body.target_rotation != body.rotation;
    body.linear_velocity = {};
    body.angular_velocity = {};
    if (moved || body.has_target) Disturb(state, body);
    return {};
  });
}

Result<void> World::ApplyImpulse(BodyId id, Vec3 impulse, Vec3 point, Vec3 turn, WaitTime& wait) {
  const FloatModeScope float_mode;
  WorldState& state = parts_->state;
  return ChangeOne(state, id, wait, [&](Body& body) -> Result<void> {
    if (body.type != BodyType::kDynamic) return WrongType(id, "only a dynamic body has a mass");
    const Mat3 inverse_inertia = RotateDiagonal(ToMatrix(body.rotation), body.inverse_inertia);
    const Vec3 linear = body.linear_velocity + impulse * body.inverse_mass;
    const Vec3 angular =
        body.angular_velocity + inverse_inertia * (Cross(point - body.position, impulse) + turn);
    if (!ValidateVelocity(linear, angular)) {
      return Fail(ErrorCode::kInvalidArgument, "impulse", 0, "more than 10000 a second");
    }
    body.linear_velocity = linear;
    body.angular_velocity = angular;
    Disturb(state, body);
    return {};
  });
}

Result<void> World::WakeBody(BodyId id, WaitTime& wait) {
  WorldState& state = parts_->state;
  return ChangeOne(state, id, wait, [&](Body& body) -> Result<void> {
    body.rest_time = 0.0f;
    state.Wake(id.slot());
    return {};
  });
}

}  // namespace nowait
