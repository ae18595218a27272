// The functions of World that change a body which stays: its place, its velocity, the forces on it,
// its properties, its sleep.
#include "src/base/or_no_memory.h"
#include "src/bodies/body_change.h"
#include "src/bodies/guarded_body.h"
#include "src/dynamics/solver_body.h"
#include "src/math/float_mode.h"
#include "src/world/check_field.h"
#include "src/world/make_body.h"
#include "src/world/world.h"
#include "src/world/world_layers.h"
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

// No step has looked for what sleeps in the body's place: it moved in the last step and may stand
// from now on, or has got another shape or layer there.
void NotePlace(WorldState& state, const Body& body) { state.Note(body.id.slot(), Change::kMoved); }

// A definition whose numbers are those that the change has, and valid ones for the rest.
BodyDef NumbersOf(const BodyChange& change) {
  BodyDef def;
  def.friction = change.friction.value_or(def.friction);
  def.restitution = change.restitution.value_or(def.restitution);
  def.friction_rule = change.friction_rule.value_or(def.friction_rule);
  def.restitution_rule = change.restitution_rule.value_or(def.restitution_rule);
  def.rolling_resistance = change.rolling_resistance.value_or(def.rolling_resistance);
  def.linear_damping = change.linear_damping.value_or(def.linear_damping);
  def.angular_damping = change.angular_damping.value_or(def.angular_damping);
  def.gravity_scale = change.gravity_scale.value_or(def.gravity_scale);
  def.continuous = change.continuous.value_or(def.continuous);
  def.mass = change.mass;
  return def;
}

// Which of them accelerates the body by more than it may: "force", "torque" or null.
const char* WrongForce(const Body& body) {
  constexpr float kMost = 1e8f;
  if (!Within(body.force * body.inverse_mass, kMost)) return "force";
  if (!Within(InverseInertiaOf(body) * body.torque, kMost)) return "torque";
  return nullptr;
}

// From kinematic to dynamic, or back.
void ChangeType(Body& body, BodyType type) {
  body.type = type;
  body.has_target = false;
  body.force = body.torque = {};
  if (type == BodyType::kDynamic) {
    SetMass(body, MassOf(body));
  } else {
    body.linear_velocity = body.angular_velocity = {};
    body.inverse_mass = 0.0f;
    body.inverse_inertia = {};
    body.no_turn = {};
    body.island = BodySnapshot::kNoIsland;
    body.lane = BodySnapshot::kNoLane;
  }
}

// The first change of mass since the last step keeps what the body weighed in that step.
void NoteMass(WorldState& state, const Body& from, Body& to) {
  if (from.inverse_mass == to.inverse_mass && from.inverse_inertia == to.inverse_inertia) return;
  if (state.changes[to.id.slot()].Has(Change::kMass)) return;
  to.old_inverse_mass = from.inverse_mass;
  to.old_inverse_inertia = from.inverse_inertia;
  state.Note(to.id.slot(), Change::kMass);
}

// The place of a frame that lies there in one that is here.
void Reframe(const ShapeFrame& there, Vec3& position, Quat& rotation) {
  position = position + Rotate(rotation, there.centre);
  rotation = Normalise(rotation * there.rotation);
}

Result<void> ChangeFrame(Body& body, const BodyChange& change) {
  const ShapeFrame& frame = *change.frame;
  if (!change.shape) {
    return Fail(ErrorCode::kInvalidArgument, "frame", 0, "it goes with a shape");
  }
  if (!Within(frame.centre, 1e4f) || !IsUnit(frame.rotation)) {
    return Fail(ErrorCode::kInvalidArgument, "frame", 0,
                "not within 10000 metres, or not of length one");
  }
  if (frame == ShapeFrame{}) return {};
  const Vec3 way = Rotate(body.rotation, frame.centre);
  // A body that has left the places where one is put by its own speed may go on out there.
  const bool was_within = ValidatePlace(*change.shape, body.position, {}).has_value();
  body.linear_velocity += Cross(body.angular_velocity, way);
  body.torque -= Cross(way, body.force);
  body.surface_velocity = Rotate(Conjugate(frame.rotation), body.surface_velocity);
  Reframe(frame, body.position, body.rotation);
  if (body.has_target) Reframe(frame, body.target_position, body.target_rotation);
  Result<void> place, target;
  if (was_within) place = ValidatePlace(*change.shape, body.position, body.rotation);
  if (body.has_target) {
    target = ValidatePlace(*change.shape, body.target_position, body.target_rotation);
  }
  BodyDef belt;
  belt.surface_velocity = body.surface_velocity;
  return All(place, target, ValidateVelocity(body.linear_velocity, body.angular_velocity),
             ValidateNumbers(belt));
}

Result<void> ChangeLayer(Body& body, Layer layer, const WorldDef& world) {
  BodyDef def;
  def.type = body.type;
  const Result<Layer> usual = LayerOf(def, world);
  def.layer = layer;
  const Result<Layer> changed = layer == *usual ? usual : LayerOf(def, world);
  if (!changed) return std::unexpected(changed.error());
  body.layer = *changed;
  return {};
}

void Assign(const BodyChange& change, Body& body) {
  body.friction = change.friction.value_or(body.friction);
  body.restitution = change.restitution.value_or(body.restitution);
  body.friction_rule = change.friction_rule.value_or(body.friction_rule);
  body.restitution_rule = change.restitution_rule.value_or(body.restitution_rule);
  body.rolling_resistance = change.rolling_resistance.value_or(body.rolling_resistance);
  body.linear_damping = change.linear_damping.value_or(body.linear_damping);
  body.angular_damping = change.angular_damping.value_or(body.angular_damping);
  body.gravity_scale = change.gravity_scale.value_or(body.gravity_scale);
  body.continuous = change.continuous.value_or(body.continuous);
  body.may_sleep = change.may_sleep.value_or(body.may_sleep);
  body.user = change.user.value_or(body.user);
  body.no_turn = change.no_turn.value_or(body.no_turn);
  if (change.mass) SetMass(body, *change.mass);
}

// The body as it is after the change, or the error that names the wrong field.
Result<Body> Changed(Body body, const BodyChange& change, const WorldDef& world) {
  const BodyType type = change.type.value_or(body.type);
  if (type > BodyType::kKinematic) {
    return Fail(ErrorCode::kInvalidArgument, "type", static_cast<std::int64_t>(type),
                "kDynamic or kKinematic");
  }
  if (type != body.type && (type == BodyType::kStatic || body.type == BodyType::kStatic)) {
    return Fail(ErrorCode::kInvalidArgument, "type", 0, "a static body stays static");
  }
  if ((change.mass || change.no_turn) && type != BodyType::kDynamic) {
    return WrongType(body.id, "only a dynamic body has a mass");
  }
  const bool keeps_forces = type == body.type;
  if (change.frame) {
    if (auto done = ChangeFrame(body, change); !done) return std::unexpected(done.error());
  }
  if (change.shape) {
    if (auto done = ChangeShape(body, *change.shape); !done) return std::unexpected(done.error());
  }
  if (!keeps_forces) ChangeType(body, type);
  if (change.layer) {
    auto done = ChangeLayer(body, *change.layer, world);
    if (!done) return std::unexpected(done.error());
  }
  Assign(change, body);
  const bool is_other_mass = change.mass || change.no_turn || change.shape;
  if (keeps_forces && is_other_mass && WrongForce(body) != nullptr) {
    return Fail(ErrorCode::kInvalidArgument,
                change.mass ? "mass" : (change.no_turn ? "no_turn" : "shape"), 0,
                "the forces on the body would be too strong for it");
  }
  return body;
}

// Tells the tree where the body is to be, and in which layer. Nothing has changed after an error.
Result<void> PutInTree(WorldState& state, const Body& from, Body& to) {
  const ProxyId id = to.id.proxy();
  if (to.layer == from.layer) return state.tree->Move(id, to.layer, to.tree_box);
  const auto count = [&] { state.layer_changes.Count(); };
  const Result<void> done = OrNoMemory(
      [&] { return state.tree->ChangeLayer(id, from.layer, to.layer, to.tree_box, count); });
  if (done) to.layer_change = state.layer_changes.Count();
  return done;
}

}  // namespace

Result<void> World::MoveBody(BodyId id, Vec3 position, Quat rotation, WaitTime& wait) {
  WorldState& state = parts_->state;
  return ChangeOne(state, id, wait, [&](Body& body) -> Result<void> {
    if (Result<void> valid = ValidatePlace(body.shape, position, rotation); !valid) return valid;
    Body moved = body;
    Place(moved, position, rotation);
    moved.has_target = false;
    moved.tree_box = TreeBoxOf(moved);
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
    const bool kinematic = body.type == BodyType::kKinematic;
    const bool stood = kinematic && !IsMoving(body);
    body.linear_velocity = linear;
    body.angular_velocity = angular;
    body.has_target = false;
    if (!stood || IsMoving(body)) Disturb(state, body);
    if (kinematic && !stood) NotePlace(state, body);
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
    if (moved) NotePlace(state, body);
    return {};
  });
}

Result<void> World::ApplyImpulse(BodyId id, Vec3 impulse, Vec3 point, Vec3 turn, WaitTime& wait) {
  const FloatModeScope float_mode;
  WorldState& state = parts_->state;
  return ChangeOne(state, id, wait, [&](Body& body) -> Result<void> {
    if (body.type != BodyType::kDynamic) return WrongType(id, "only a dynamic body has a mass");
    const Mat3 inverse_inertia = InverseInertiaOf(body);
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

Result<void> World::ApplyForce(BodyId id, Vec3 force, Vec3 point, Vec3 torque, WaitTime& wait) {
  const FloatModeScope float_mode;
  WorldState& state = parts_->state;
  return ChangeOne(state, id, wait, [&](Body& body) -> Result<void> {
    if (body.type != BodyType::kDynamic) return WrongType(id, "only a dynamic body has a mass");
    Body pushed = body;
    pushed.force += force;
    pushed.torque += Cross(point - body.position, force) + torque;
    if (const char* const wrong = WrongForce(pushed)) {
      return Fail(ErrorCode::kInvalidArgument, wrong, 0, "more than 1e8 a second squared");
    }
    body.force = pushed.force;
    body.torque = pushed.torque;
    Disturb(state, body);
    return {};
  });
}

Result<void> World::SetProperties(BodyId id, const BodyChange& change, WaitTime& wait) {
  const FloatModeScope float_mode;
  if (Result<void> valid = ValidateNumbers(NumbersOf(change)); !valid) return valid;
  WorldState& state = parts_->state;
  return ChangeOne(state, id, wait, [&](Body& body) -> Result<void> {
    Result<Body> changed = Changed(body, change, state.def);
    if (!changed) return std::unexpected(changed.error());
    const bool is_other_type = changed->type != body.type;
    if (change.shape || change.layer) {
      if (auto done = PutInTree(state, body, *changed); !done) return done;
    }
    NoteMass(state, body, *changed);
    body = *changed;
    if (is_other_type) {
      const bool is_dynamic = body.type == BodyType::kDynamic;
      state.bodies.SetState(id.slot(), is_dynamic ? BodyState::kAwake : BodyState::kKinematic);
      if (!is_dynamic) NotePlace(state, body);
    }
    if (is_other_type || change.shape || change.layer) ++body.form;
    // It may reach now into what sleeps.
    if (change.shape || change.layer) NotePlace(state, body);
    if (change.frame && *change.frame != ShapeFrame{}) state.Note(id.slot(), Change::kReframed);
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
