// Each field of the definitions: its smallest and its largest value are accepted, the next number
// beyond them is refused, and so is what is no number; the error names the field.
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "src/world/world.h"
#include "tests/jobs/make_pool.h"

namespace nowait {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNone = std::numeric_limits<float>::quiet_NaN();

struct Field {
  const char* name;  // in the error
  float low;
  float high;
  std::function<Result<void>(float)> try_value;
};

template <class T>
Result<void> Done(const Result<T>& result) {
  if (!result) return std::unexpected(result.error());
  return {};
}

std::function<Result<void>(float)> OfWorld(std::function<void(WorldDef&, float)> set) {
  return [set](float value) {
    WorldDef def;
    def.max_bodies = 4;
    def.max_contacts = 4;
    set(def, value);
    return Done(World::Create(def));
  };
}

std::function<Result<void>(float)> OfBody(std::function<void(BodyDef&, float)> set) {
  return [set](float value) {
    WorldDef world_def;
    world_def.max_bodies = 4;
    world_def.max_contacts = 4;
    const auto world = World::Create(world_def);
    BodyDef def;
    def.shape = Shape::Box({1, 1, 1});
    set(def, value);
    WaitTime wait;
    return Done((*world)->CreateBody(def, wait));
  };
}

void CheckField(const Field& field) {
  CAPTURE(field.name);
  for (const float accepted : {field.low, field.high, 0.5f * (field.low + field.high)}) {
    CAPTURE(accepted);
    const Result<void> done = field.try_value(accepted);
    CHECK((done ? std::string() : ToString(done.error())) == "");
  }
  for (const float refused :
       {std::nextafter(field.low, -kInfinity), std::nextafter(field.high, kInfinity), kInfinity,
        -kInfinity, kNone}) {
    CAPTURE(refused);
    const Result<void> done = field.try_value(refused);
    REQUIRE_FALSE(done.has_value());
    CHECK(done.error().code == ErrorCode::kInvalidArgument);
    CHECK(std::string(done.error().subject) == field.name);
  }
}

TEST_CASE("the fields of a world accept their ranges and nothing beyond") {
  const auto solver = [](float SolverDef::*field) {
    return OfWorld([field](WorldDef& def, float value) { def.solver.*field = value; });
  };
  const auto rest = [](float RestDef::*field) {
    return OfWorld([field](WorldDef& def, float value) { def.rest.*field = value; });
  };
  for (int axis = 0; axis < 3; ++axis) {
    CheckField({"gravity", -1e4f, 1e4f,
                OfWorld([=](WorldDef& def, float value) { def.gravity.Set(axis, value); })});
  }
  CheckField({"rest time", 0.0f, 1e6f, rest(&RestDef::time)});
  CheckField({"rest linear_speed", 0.0f, 1e3f, rest(&RestDef::linear_speed)});
  CheckField({"rest angular_speed", 0.0f, 1e3f, rest(&RestDef::angular_speed)});
  CheckField({"contact_hertz", 1.0f, 1e4f, solver(&SolverDef::contact_hertz)});
  CheckField({"contact_damping_ratio", 0.1f, 1e3f, solver(&SolverDef::contact_damping_ratio)});
  CheckField({"max_push_speed", 0.0f, 1e3f, solver(&SolverDef::max_push_speed)});
  CheckField({"slop", 0.0f, 1.0f, solver(&SolverDef::slop)});
  CheckField({"restitution_threshold", 0.0f, 1e3f, solver(&SolverDef::restitution_threshold)});
  CheckField({"max_linear_speed", 1.0f, 1e4f, solver(&SolverDef::max_linear_speed)});
  CheckField({"max_angular_speed", 1.0f, 1e4f, solver(&SolverDef::max_angular_speed)});
}

TEST_CASE("the counts of a world accept their ranges and nothing beyond") {
  const auto subject = [](std::uint32_t substeps, std::uint32_t bodies, std::uint32_t contacts,
                          std::uint32_t locks) {
    WorldDef def;
    def.solver.substeps = substeps;
    def.max_bodies = bodies;
    def.max_contacts = contacts;
    def.body_locks = locks;
    const auto world = World::Create(def);
    return world ? std::string() : std::string(world.error().subject);
  };
  CHECK(subject(1, 1, 1, 1) == "");
  CHECK(subject(64, 8, 8, 1024) == "");
  CHECK(subject(0, 1, 1, 1) == "substeps");
  CHECK(subject(65, 1, 1, 1) == "substeps");
  CHECK(subject(1, 0, 1, 1) == "max_bodies");
  CHECK(subject(1, ~0u, 1, 1) == "max_bodies");
  CHECK(subject(1, 1, 0, 1) == "max_contacts");
  CHECK(subject(1, 1, (1u << 26) + 1, 1) == "max_contacts");
  CHECK(subject(1, 1, 1, 0) == "body_locks");
  CHECK(subject(1, 1, 1, 1025) == "body_locks");
}

TEST_CASE("the fields of a body accept their ranges and nothing beyond") {
  const auto number = [](float BodyDef::*field) {
    return OfBody([field](BodyDef& def, float value) { def.*field = value; });
  };
  const auto vector = [](Vec3 BodyDef::*field, int axis) {
    return OfBody([=](BodyDef& def, float value) { (def.*field).Set(axis, value); });
  };
  CheckField({"radius", 1e-3f, 1e4f,
              OfBody([](BodyDef& def, float value) { def.shape = Shape::Sphere(value); })});
  for (int axis = 0; axis < 3; ++axis) {
    CheckField({"half extents", 1e-3f, 1e4f,
                OfBody([=](BodyDef& def, float value) { def.shape.half.Set(axis, value); })});
    CheckField({"position", -1e6f, 1e6f, vector(&BodyDef::position, axis)});
    CheckField({"velocity", -1e4f, 1e4f, vector(&BodyDef::linear_velocity, axis)});
    CheckField({"velocity", -1e4f, 1e4f, vector(&BodyDef::angular_velocity, axis)});
  }
  CheckField({"density", 0.01f, 1e6f, number(&BodyDef::density)});
  CheckField({"friction", 0.0f, 100.0f, number(&BodyDef::friction)});
  CheckField({"restitution", 0.0f, 1.0f, number(&BodyDef::restitution)});
  CheckField({"rolling_resistance", 0.0f, 100.0f, number(&BodyDef::rolling_resistance)});
  CheckField({"linear_damping", 0.0f, 1e4f, number(&BodyDef::linear_damping)});
  CheckField({"angular_damping", 0.0f, 1e4f, number(&BodyDef::angular_damping)});
  CheckField({"gravity_scale", -1e3f, 1e3f, number(&BodyDef::gravity_scale)});
}

TEST_CASE("dt and steps accept their ranges and nothing beyond") {
  WorldDef def;
  def.max_bodies = 4;
  def.max_contacts = 4;
  const auto world = std::move(*World::Create(def));
  const auto owned = MakePool({.workers = 0});
  TaskPool& pool = *owned;
  const auto registration = *pool.Register("main");
  const auto subject = [&](float dt, std::uint32_t steps) {
    const Result<void> done = world->Update(dt, pool, steps);
    return done ? std::string() : std::string(done.error().subject);
  };
  for (const float dt : {std::numeric_limits<float>::denorm_min(), 10.0f}) {
    CHECK(subject(dt, 1) == "");
    CHECK(subject(dt, 64) == "");
  }
  for (const float dt : {0.0f, -0.0f, -1.0f, std::nextafter(10.0f, 11.0f), kInfinity, kNone}) {
    CHECK(subject(dt, 1) == "dt");
  }
  CHECK(subject(0.1f, 0) == "steps");
  CHECK(subject(0.1f, 65) == "steps");
}

}  // namespace
}  // namespace nowait
