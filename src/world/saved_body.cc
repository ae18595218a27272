// A body as plain data, and back.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "src/bodies/combine_rule.h"
#include "src/collision/shape_geometry.h"
#include "src/dynamics/solver_body.h"
#include "src/world/check_field.h"
#include "src/world/make_body.h"
#include "src/world/saved_world.h"

namespace nowait {
namespace {

constexpr float kFastest = 1.01e4f;           // the largest limit of speed, and its rounding
constexpr float kMostAcceleration = 1.01e8f;  // by the game's forces, and its rounding
// The body may have turned since, and its moments may differ by a lot.
constexpr float kMostTurning = 1e34f;

std::unexpected<Error> Wrong(const SavedBody& saved, const char* field) {
  return Fail(ErrorCode::kCorrupt, "saved body", saved.id.slot, field);
}

Result<SavedShape> ToSaved(const Shape& shape, std::span<const Shape> shared) {
  SavedShape saved{SavedShape::kOwn, static_cast<std::uint32_t>(shape.kind), shape.radius,
                   shape.half_height, shape.half};
  if (shape.kind == ShapeKind::kPlane) {
    saved.radius = shape.distance;
    saved.half = shape.normal;
  }
  if (!HasSharedData(shape)) return saved;
  const auto at = std::ranges::find(shared, shape, WithOwnFields);
  if (at == shared.end()) {
    return Fail(ErrorCode::kNotFound, "shape", 0, "it is not among the shared");
  }
  saved.shared = static_cast<std::uint32_t>(at - shared.begin());
  return saved;
}

Result<Shape> ShapeOf(const SavedBody& saved, std::span<const Shape> shared) {
  const SavedShape& from = saved.shape;
  if (from.kind >= kShapeKinds) return Wrong(saved, "shape kind");
  const auto kind = static_cast<ShapeKind>(from.kind);
  if (from.shared == SavedShape::kOwn) {
    Shape shape{.kind = kind};
    if (kind == ShapeKind::kPlane) {
      shape.normal = from.half;
      shape.distance = from.radius;
    } else {
      shape.radius = from.radius;
      shape.half_height = from.half_height;
      shape.half = from.half;
    }
    if (const auto valid = Validate(shape); !valid) return Wrong(saved, valid.error().subject);
    return WithOwnFields(shape);
  }
  if (from.shared >= shared.size() || shared[from.shared].kind != kind ||
      !Validate(shared[from.shared])) {
    return Fail(ErrorCode::kInvalidArgument, "shared", from.shared,
                "a body has another shape than this one of the list");
  }
  return WithOwnFields(shared[from.shared]);
}

bool FitTogether(BodyType type, BodyState state) {
  switch (type) {
    case BodyType::kStatic:
      return state == BodyState::kStatic;
    case BodyType::kDynamic:
      return IsDynamic(state);
    case BodyType::kKinematic:
      return state == BodyState::kKinematic;
  }
  return false;
}

// The bodies of all definitions are within these, also compounds of 256 children.
bool IsMass(float inverse) { return Within(inverse, 1e-26f, 1e16f); }
bool IsInertia(float inverse) { return Within(inverse, 1e-35f, 1e22f); }
bool HasMass(float inverse_mass, Vec3 inverse_inertia) {
  return IsMass(inverse_mass) && IsInertia(inverse_inertia.x) && IsInertia(inverse_inertia.y) &&
         IsInertia(inverse_inertia.z);
}
bool HasNoMass(float inverse_mass, Vec3 inverse_inertia) {
  return inverse_mass == 0.0f && inverse_inertia == Vec3{};
}

// The field that no body has, or null. body: made from `saved`, but for its id.
const char* WrongField(const SavedBody& saved, const Body& body, BodyState state) {
  const bool moves = body.type == BodyType::kDynamic;
  if (!FitTogether(body.type, state)) return "state";
  // Layers without a name of the game's go by the type.
  const bool is_static = body.type == BodyType::kStatic;
  if (body.layer == (is_static ? Layer::kDynamic : Layer::kStatic)) return "layer";
  if (body.type != BodyType::kStatic && IsSurface(body.shape)) return "type";
  if (!Within(body.position, kFarthestSaved)) return "position";
  if (!ValidatePlace(body.shape, {}, body.rotation)) return "rotation";
  if (!Within(body.linear_velocity, kFastest) || !Within(body.angular_velocity, kFastest)) {
    return "velocity";
  }
  if (!(moves ? HasMass : HasNoMass)(body.inverse_mass, body.inverse_inertia)) return "mass";
  // It may have been kinematic.
  if (!HasNoMass(body.old_inverse_mass, body.old_inverse_inertia) &&
      (is_static || !HasMass(body.old_inverse_mass, body.old_inverse_inertia))) {
    return "old mass";
  }
  if (!body.tree_box.IsUsable() || !Contains(body.tree_box, body.box)) return "tree_box";
  if (!Within(body.rest_position, kFarthestSaved) || !IsFinite(body.rest_rotation) ||
      !Within(body.rest_time, 0.0f, 1e9f)) {
    return "rest";
  }
  const bool to_target = (saved.flags & SavedBody::kHasTarget) != 0;
  if (to_target && (body.type != BodyType::kKinematic ||
                    !ValidatePlace(body.shape, body.target_position, body.target_rotation))) {
    return "target";
  }
  if (!moves && (body.force != Vec3{} || body.torque != Vec3{})) return "force";
  if (!Within(body.force * body.inverse_mass, kMostAcceleration)) return "force";
  if (!Within(InverseInertiaOf(body) * body.torque, kMostTurning)) return "torque";
  return nullptr;
}

}  // namespace

Result<SavedBody> ToSaved(const Body& body, BodyState state, std::span<const Shape> shared) {
  const Result<SavedShape> shape = ToSaved(body.shape, shared);
  if (!shape) return std::unexpected(shape.error());
  std::uint32_t flags = 0;
  if (body.may_sleep) flags |= SavedBody::kMaySleep;
  if (body.has_target) flags |= SavedBody::kHasTarget;
  if (body.no_turn.x) flags |= SavedBody::kNoTurnX;
  if (body.no_turn.y) flags |= SavedBody::kNoTurnY;
  if (body.no_turn.z) flags |= SavedBody::kNoTurnZ;
  return SavedBody{.user = body.user,
                   .id = ToSaved(body.id),
                   .type = static_cast<std::uint32_t>(body.type),
                   .state = static_cast<std::uint32_t>(state),
                   .layer = static_cast<std::uint32_t>(body.layer),
                   .continuous = static_cast<std::uint32_t>(body.continuous),
                   .flags = flags,
                   .island = body.island,
                   .shape = *shape,
                   .position = body.position,
                   .rotation = body.rotation,
                   .linear_velocity = body.linear_velocity,
                   .angular_velocity = body.angular_velocity,
                   .inverse_mass = body.inverse_mass,
                   .inverse_inertia = body.inverse_inertia,
                   .old_inverse_mass = body.old_inverse_mass,
                   .old_inverse_inertia = body.old_inverse_inertia,
                   .density = body.density,
                   .friction = body.friction,
                   .restitution = body.restitution,
                   .friction_rule = static_cast<std::uint32_t>(body.friction_rule),
                   .restitution_rule = static_cast<std::uint32_t>(body.restitution_rule),
                   .surface_velocity = body.surface_velocity,
                   .sensor = body.sensor ? 1u : 0u,
                   .rolling_resistance = body.rolling_resistance,
                   .linear_damping = body.linear_damping,
                   .angular_damping = body.angular_damping,
                   .gravity_scale = body.gravity_scale,
                   .tree_box = body.tree_box,
                   .rest_position = body.rest_position,
                   .rest_rotation = body.rest_rotation,
                   .rest_time = body.rest_time,
                   .target_position = body.target_position,
                   .target_rotation = body.target_rotation,
                   .force = body.force,
                   .torque = body.torque};
}

Result<std::pair<Body, BodyState>> FromSaved(const SavedBody& saved, std::span<const Shape> shared,
                                             std::uint32_t world, std::size_t layers) {
  const auto wrong = [&](const char* field) { return Wrong(saved, field); };
  if (saved.type > static_cast<std::uint32_t>(BodyType::kKinematic)) return wrong("type");
  if (saved.state > static_cast<std::uint32_t>(BodyState::kKinematic)) return wrong("state");
  if (saved.layer >= layers) return wrong("layer");
  if (saved.flags > SavedBody::kAllFlags) return wrong("flags");
  if (saved.sensor > 1) return wrong("sensor");
  if (saved.friction_rule >= kCombineRules) return wrong("friction_rule");
  if (saved.restitution_rule >= kCombineRules) return wrong("restitution_rule");
  if (saved.continuous > static_cast<std::uint32_t>(Continuous::kAll)) return wrong("continuous");
  const Result<Shape> shape = ShapeOf(saved, shared);
  if (!shape) return std::unexpected(shape.error());
  BodyDef numbers;
  numbers.density = saved.density;
  numbers.friction = saved.friction;
  numbers.restitution = saved.restitution;
  numbers.friction_rule = static_cast<CombineRule>(saved.friction_rule);
  numbers.restitution_rule = static_cast<CombineRule>(saved.restitution_rule);
  numbers.surface_velocity = saved.surface_velocity;
  numbers.rolling_resistance = saved.rolling_resistance;
  numbers.linear_damping = saved.linear_damping;
  numbers.angular_damping = saved.angular_damping;
  numbers.gravity_scale = saved.gravity_scale;
  numbers.continuous = static_cast<Continuous>(saved.continuous);
  if (const auto valid = ValidateNumbers(numbers); !valid) return wrong(valid.error().subject);

  Body body;
  body.id = BodyId(world, saved.id.slot, saved.id.generation);
  body.type = static_cast<BodyType>(saved.type);
  body.may_sleep = (saved.flags & SavedBody::kMaySleep) != 0;
  body.layer = static_cast<Layer>(saved.layer);
  body.shape = *shape;
  body.radii = RadiiOf(*shape);
  body.position = saved.position;
  body.rotation = saved.rotation;
  body.linear_velocity = saved.linear_velocity;
  body.angular_velocity = saved.angular_velocity;
  body.inverse_mass = saved.inverse_mass;
  body.inverse_inertia = saved.inverse_inertia;
  body.old_inverse_mass = saved.old_inverse_mass;
  body.old_inverse_inertia = saved.old_inverse_inertia;
  body.friction = saved.friction;
  body.restitution = saved.restitution;
  body.friction_rule = numbers.friction_rule;
  body.restitution_rule = numbers.restitution_rule;
  body.surface_velocity = saved.surface_velocity;
  body.sensor = saved.sensor != 0;
  body.rolling_resistance = saved.rolling_resistance;
  body.linear_damping = saved.linear_damping;
  body.angular_damping = saved.angular_damping;
  body.gravity_scale = saved.gravity_scale;
  body.continuous = numbers.continuous;
  body.tree_box = saved.tree_box;
  body.rest_position = saved.rest_position;
  body.rest_rotation = saved.rest_rotation;
  body.rest_time = saved.rest_time;
  body.island = saved.island;
  body.user = saved.user;
  body.has_target = (saved.flags & SavedBody::kHasTarget) != 0;
  body.target_position = saved.target_position;
  body.target_rotation = saved.target_rotation;
  body.force = saved.force;
  body.torque = saved.torque;
  body.no_turn = {.x = (saved.flags & SavedBody::kNoTurnX) != 0,
                  .y = (saved.flags & SavedBody::kNoTurnY) != 0,
                  .z = (saved.flags & SavedBody::kNoTurnZ) != 0};
  body.density = saved.density;
  // Where the body is first: its box is computed from that.
  if (!Within(body.position, kFarthestSaved)) return wrong("position");
  if (!IsUnit(body.rotation)) return wrong("rotation");
  body.box = BoundsOf(body.shape, body.position, body.rotation);
  const auto state = static_cast<BodyState>(saved.state);
  if (const char* field = WrongField(saved, body, state)) return wrong(field);
  return std::pair(body, state);
}

}  // namespace nowait
