#include <fmt/format.h>

#include "tests/whole/numbers/number_program.h"

namespace nowait::number_programs {
namespace {

std::string Of(Vec3 v) { return fmt::format("{{{}, {}, {}}}", v.x, v.y, v.z); }

std::string Of(const Shape& shape) {
  switch (shape.kind) {
    case ShapeKind::kSphere:
      return fmt::format("Shape::Sphere({})", shape.radius);
    case ShapeKind::kCapsule:
      return fmt::format("Shape::Capsule({}, {})", shape.half_height, shape.radius);
    case ShapeKind::kBox:
      return fmt::format("Shape::Box({})", Of(shape.half));
    case ShapeKind::kCylinder:
      return fmt::format("Shape::Cylinder({}, {})", shape.half_height, shape.radius);
    case ShapeKind::kHull:
    case ShapeKind::kHeightField:
    case ShapeKind::kMesh:
    case ShapeKind::kCompound:
    case ShapeKind::kPlane:
      break;
  }
  return "Shape::Ground";
}

std::string Of(const WorldDef& def) {
  const SolverDef& s = def.solver;
  return fmt::format(
      "world: max_contacts {}, gravity {}, rest {{{}, {}, {}}}, substeps {}, contact_hertz {}, "
      "contact_damping_ratio {}, max_push_speed {}, slop {}, restitution_threshold {}, "
      "max_linear_speed {}, max_angular_speed {}\n",
      def.max_contacts, Of(def.gravity), def.rest.time, def.rest.linear_speed,
      def.rest.angular_speed, s.substeps, s.contact_hertz, s.contact_damping_ratio,
      s.max_push_speed, s.slop, s.restitution_threshold, s.max_linear_speed, s.max_angular_speed);
}

const char* Of(Continuous continuous) {
  constexpr const char* kNames[] = {", continuous off", "", ", a bullet"};
  return kNames[static_cast<std::size_t>(continuous)];
}

std::string Of(const BodyDef& def) {
  const Quat q = def.rotation;
  return fmt::format(
      "{} {} at {} turned {{{}, {}, {}, {}}}, velocity {} {}, density {}, friction {}, "
      "restitution {}, rules {} {}, rolling_resistance {}, damping {} {}, gravity_scale {}{}{}{}\n",
      def.type == BodyType::kStatic ? "static" : "dynamic", Of(def.shape), Of(def.position), q.x,
      q.y, q.z, q.w, Of(def.linear_velocity), Of(def.angular_velocity), def.density, def.friction,
      def.restitution, static_cast<int>(def.friction_rule), static_cast<int>(def.restitution_rule),
      def.rolling_resistance, def.linear_damping, def.angular_damping, def.gravity_scale,
      Of(def.continuous), def.asleep ? ", asleep" : "", def.may_sleep ? "" : ", may not sleep");
}

std::string Of(const Change& change) {
  constexpr const char* kNames[] = {"MoveBody", "SetVelocity", "WakeBody", "DestroyBody"};
  return fmt::format("  {} body {} {} {}\n", kNames[static_cast<int>(change.kind)], change.body,
                     Of(change.linear), Of(change.angular));
}

}  // namespace

std::string Print(const NumberProgram& program) {
  std::string text = fmt::format("program of seed {}, shortened\n", program.seed);
  text += Of(program.world);
  if (program.ground) {
    const GroundDef& ground = *program.ground;
    text += fmt::format("ground: {} samples, spacing {}, heights within {}, at {}, seed {}{}\n",
                        ground.samples, ground.spacing, ground.height, Of(ground.position),
                        ground.seed, ground.has_holes ? ", with holes" : "");
  }
  for (std::size_t i = 0; i < program.bodies.size(); ++i) {
    text += fmt::format("body {}: {}", i, Of(program.bodies[i]));
  }
  for (std::size_t i = 0; i < program.frames.size(); ++i) {
    const Frame& frame = program.frames[i];
    text += fmt::format("frame {}:\n", i);
    for (const Change& change : frame.changes) text += Of(change);
    text += fmt::format("  Update({}, pool, {})\n", frame.dt, frame.steps);
    for (const RayCast& ray : frame.rays) {
      text += fmt::format("  CastRay from {} along {}\n", Of(ray.origin), Of(ray.translation));
    }
    for (const Bounds<3>& box : frame.boxes) {
      text += fmt::format("  FindInBox {} .. {}\n", Of(MinOf(box)), Of(MaxOf(box)));
    }
  }
  return text;
}

}  // namespace nowait::number_programs
