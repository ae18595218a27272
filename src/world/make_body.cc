#include "src/world/make_body.h"

#include <cmath>

#include "src/bodies/body_locks.h"
#include "src/bodies/combine_rule.h"
#include "src/collision/shape_geometry.h"
#include "src/dynamics/joint_id.h"
#include "src/math/float_mode.h"
#include "src/world/check_field.h"
#include "src/world/world_state.h"

namespace nowait {
namespace {

constexpr float kFarthest = 1e6f;  // beyond it floats do not distinguish places centimetres apart
constexpr float kMaxSpeed = 1e4f;

Result<void> Check(Continuous continuous) {
  if (continuous <= Continuous::kAll) return {};
  return Fail(ErrorCode::kInvalidArgument, "continuous", static_cast<std::int64_t>(continuous),
              "kOff, kStatics or kAll");
}

Result<void> Check(CombineRule rule, const char* name) {
  if (static_cast<std::uint32_t>(rule) < kCombineRules) return {};
  return Fail(ErrorCode::kInvalidArgument, name, static_cast<std::int64_t>(rule),
              "none of the rules of combine_rule.h");
}

Result<void> CheckSurfaceVelocity(Vec3 velocity) {
  if (Within(velocity, kMaxSpeed)) return {};
  return Fail(ErrorCode::kInvalidArgument, "surface_velocity", 0, "not within 10000 a second");
}

const char* WhyStatic(ShapeKind surface) {
  if (surface == ShapeKind::kMesh) return "a mesh is static";
  return surface == ShapeKind::kPlane ? "a plane is static: a floor that moves is a wide box"
                                      : "a height field is static";
}

}  // namespace

Shape WithOwnFields(const Shape& shape) {
  Shape own{.kind = shape.kind};
  switch (shape.kind) {
    case ShapeKind::kSphere:
      own.radius = shape.radius;
      break;
    case ShapeKind::kCapsule:
    case ShapeKind::kCylinder:
      own.radius = shape.radius;
      own.half_height = shape.half_height;
      break;
    case ShapeKind::kBox:
      own.half = shape.half;
      break;
    case ShapeKind::kHeightField:
      own.height_field = shape.height_field;
      break;
    case ShapeKind::kHull:
      own.hull = shape.hull;
      break;
    case ShapeKind::kMesh:
      own.mesh = shape.mesh;
      break;
    case ShapeKind::kCompound:
      own.compound = shape.compound;
      break;
    case ShapeKind::kPlane:
      own.normal = shape.normal;
      own.distance = shape.distance;
      break;
  }
  return own;
}

Result<void> Validate(const WorldDef& def) {
  if (def.max_bodies == 0 || def.max_bodies > BodyId::kMaxBodies) {
    return Fail(ErrorCode::kInvalidArgument, "max_bodies", def.max_bodies, "1 .. 2097151");
  }
  if (def.max_contacts == 0 || def.max_contacts > 1u << 26) {
    return Fail(ErrorCode::kInvalidArgument, "max_contacts", def.max_contacts, "1 .. 2^26");
  }
  if (def.max_joints > JointId::kMaxJoints) {
    return Fail(ErrorCode::kInvalidArgument, "max_joints", def.max_joints, "0 .. 2097151");
  }
  if (def.body_locks == 0 || def.body_locks > BodyLocks::kMaxLocks) {
    return Fail(ErrorCode::kInvalidArgument, "body_locks", def.body_locks, "1 .. 1024");
  }
  if (!Within(def.gravity, 1e4f)) {
    return Fail(ErrorCode::kInvalidArgument, "gravity", 0, "not within 10000 m/s^2");
  }
  const SolverDef& solver = def.solver;
  if (solver.substeps == 0 || solver.substeps > 64) {
    return Fail(ErrorCode::kInvalidArgument, "substeps", solver.substeps, "1 .. 64");
  }
  if (def.now == nullptr) return Fail(ErrorCode::kInvalidArgument, "clock", 0, "it is null");
  return All(
      Check(def.rest.time, 0.0f, 1e6f, "rest time", "0 .. 1e6"),
      Check(def.rest.linear_speed, 0.0f, 1e3f, "rest linear_speed", "0 .. 1000"),
      Check(def.rest.angular_speed, 0.0f, 1e3f, "rest angular_speed", "0 .. 1000"),
      Check(solver.contact_hertz, 1.0f, 1e4f, "contact_hertz", "1 .. 10000"),
      Check(solver.contact_damping_ratio, 0.1f, 1e3f, "contact_damping_ratio", "0.1 .. 1000"),
      Check(solver.joint_hertz, 1.0f, 1e4f, "joint_hertz", "1 .. 10000"),
      Check(solver.joint_damping_ratio, 0.1f, 1e3f, "joint_damping_ratio", "0.1 .. 1000"),
      Check(solver.max_push_speed, 0.0f, 1e3f, "max_push_speed", "0 .. 1000"),
      Check(solver.slop, 0.0f, 1.0f, "slop", "0 .. 1"),
      Check(solver.restitution_threshold, 0.0f, 1e3f, "restitution_threshold", "0 .. 1000"),
      Check(solver.max_linear_speed, 1.0f, kMaxSpeed, "max_linear_speed", "1 .. 10000"),
      Check(solver.max_angular_speed, 1.0f, kMaxSpeed, "max_angular_speed", "1 .. 10000"));
}

Result<void> ValidatePlace(const Shape& shape, Vec3 position, Quat rotation) {
  if (!Within(position, kFarthest)) {
    return Fail(ErrorCode::kInvalidArgument, "position", 0, "not within 1e6 metres");
  }
  if (!IsUnit(rotation)) {
    return Fail(ErrorCode::kInvalidArgument, "rotation", 0, "not of length one");
  }
  if (shape.kind == ShapeKind::kHeightField && rotation != Quat{}) {
    return Fail(ErrorCode::kInvalidArgument, "rotation", 0, "a height field cannot be turned");
  }
  return {};
}

Result<void> ValidateVelocity(Vec3 linear, Vec3 angular) {
  if (Within(linear, kMaxSpeed) && Within(angular, kMaxSpeed)) return {};
  return Fail(ErrorCode::kInvalidArgument, "velocity", 0, "not within 10000 a second");
}

Result<void> ValidateNumbers(const BodyDef& def) {
  const Result<void> valid = All(
      Check(def.density, 0.01f, 1e6f, "density", "0.01 .. 1e6"),
      Check(def.friction, 0.0f, 100.0f, "friction", "0 .. 100"),
      Check(def.restitution, 0.0f, 1.0f, "restitution", "0 .. 1"),
      Check(def.friction_rule, "friction_rule"), Check(def.restitution_rule, "restitution_rule"),
      CheckSurfaceVelocity(def.surface_velocity),
      Check(def.rolling_resistance, 0.0f, 100.0f, "rolling_resistance", "0 .. 100"),
      Check(def.linear_damping, 0.0f, 1e4f, "linear_damping", "0 .. 10000"),
      Check(def.angular_damping, 0.0f, 1e4f, "angular_damping", "0 .. 10000"),
      Check(def.gravity_scale, -1e3f, 1e3f, "gravity_scale", "-1000 .. 1000"),
      Check(def.continuous));
  if (!valid || !def.mass) return valid;
  const auto [mass, inertia] = *def.mass;
  const char* const kRange = "1e-9 .. 1e15";
  return All(Check(mass, 1e-6f, 1e12f, "mass", "1e-6 .. 1e12"),
             Check(inertia.x, 1e-9f, 1e15f, "inertia", kRange),
             Check(inertia.y, 1e-9f, 1e15f, "inertia", kRange),
             Check(inertia.z, 1e-9f, 1e15f, "inertia", kRange));
}

void SetMass(Body& body, const BodyMass& mass) {
  body.inverse_mass = 1.0f / mass.mass;
  body.inverse_inertia = {1.0f / mass.inertia.x, 1.0f / mass.inertia.y, 1.0f / mass.inertia.z};
}

BodyMass MassOf(const Body& body) {
  const MassProperties mass = MassOf(body.shape, body.density);
  return {mass.mass, mass.inertia};
}

void Place(Body& body, Vec3 position, Quat rotation) {
  const FloatModeScope float_mode;
  body.position = position;
  body.rotation = Normalise(rotation);
  body.box = BoundsOf(body.shape, body.position, body.rotation);
}

Bounds<3> TreeBoxOf(const Body& body) {
  return body.type == BodyType::kStatic ? body.box : Expanded(body.box, kTreeMargin);
}

Result<void> ChangeShape(Body& body, const Shape& shape) {
  const FloatModeScope float_mode;
  if (body.type != BodyType::kStatic && IsSurface(shape)) {
    return Fail(ErrorCode::kInvalidArgument, "shape", 0, WhyStatic(shape.kind));
  }
  // Not its position: a body may have left the places where one can be put.
  const Result<void> valid = All(Validate(shape), ValidatePlace(shape, {}, body.rotation));
  if (!valid) return valid;
  body.shape = WithOwnFields(shape);
  body.radii = RadiiOf(body.shape);
  body.box = BoundsOf(body.shape, body.position, body.rotation);
  body.tree_box = TreeBoxOf(body);
  if (body.type == BodyType::kDynamic) SetMass(body, MassOf(body));
  return {};
}

Result<Body> MakeBody(const BodyDef& def) {
  const FloatModeScope float_mode;
  if (def.type > BodyType::kKinematic) {
    return Fail(ErrorCode::kInvalidArgument, "type", static_cast<std::int64_t>(def.type),
                "kStatic, kDynamic or kKinematic");
  }
  if (def.type != BodyType::kStatic && IsSurface(def.shape)) {
    return Fail(ErrorCode::kInvalidArgument, "type", 0, WhyStatic(def.shape.kind));
  }
  const Result<void> valid =
      All(Validate(def.shape), ValidatePlace(def.shape, def.position, def.rotation),
          ValidateVelocity(def.linear_velocity, def.angular_velocity), ValidateNumbers(def));
  if (!valid) return std::unexpected(valid.error());

  Body body;
  body.type = def.type;
  body.may_sleep = def.may_sleep;
  body.shape = WithOwnFields(def.shape);
  body.radii = RadiiOf(body.shape);
  body.density = def.density;
  Place(body, def.position, def.rotation);
  body.tree_box = TreeBoxOf(body);
  if (def.type == BodyType::kDynamic) {
    SetMass(body, def.mass ? *def.mass : MassOf(body));
    body.no_turn = def.no_turn;
  }
  if (def.type != BodyType::kStatic && !(def.type == BodyType::kDynamic && def.asleep)) {
    body.linear_velocity = def.linear_velocity;
    body.angular_velocity = def.angular_velocity;
  }
  body.friction = def.friction;
  body.restitution = def.restitution;
  body.friction_rule = def.friction_rule;
  body.restitution_rule = def.restitution_rule;
  body.surface_velocity = def.surface_velocity;
  body.sensor = def.sensor;
  body.rolling_resistance = def.rolling_resistance;
  body.linear_damping = def.linear_damping;
  body.angular_damping = def.angular_damping;
  body.gravity_scale = def.gravity_scale;
  body.continuous = def.continuous;
  body.user = def.user;
  return body;
}

BodyState StateOf(const BodyDef& def) {
  if (def.type == BodyType::kStatic) return BodyState::kStatic;
  if (def.type == BodyType::kKinematic) return BodyState::kKinematic;
  return def.asleep ? BodyState::kAsleep : BodyState::kAwake;
}

}  // namespace nowait
