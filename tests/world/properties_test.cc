// Forces, impulses, and properties that are changed while a body is there, against closed forms.
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>

#include "tests/world/scene.h"

namespace nowait {
namespace {

constexpr float kGravity = 9.81f;

WorldDef Weightless() {
  WorldDef def;
  def.gravity = {};
  return def;
}

BodyDef Undamped(BodyDef def) {
  def.angular_damping = 0.0f;
  return def;
}

TEST_CASE("a force that holds a body's weight holds the body, in updates of any number of steps") {
  const std::uint32_t steps = GENERATE(1u, 3u);
  auto world = MakeWorld();
  PoolHere pool(0);
  WaitTime wait;
  const BodyId box = Add(*world, BoxAt({0.5f, 0.5f, 0.5f}, {0, 5, 0}));
  const float mass = 1.0f / Get(*world, box).inverse_mass;
  for (int i = 0; i < 60; ++i) {
    // In two parts, which add up.
    REQUIRE(world->ApplyForce(box, {0, 0.5f * mass * kGravity, 0}, {0, 7, 0}, {}, wait));
    REQUIRE(world->ApplyForce(box, {0, 0.5f * mass * kGravity, 0}, {0, 5, 0}, {}, wait));
    REQUIRE(world->Update(1.0f / 60.0f, pool, steps));
  }
  CHECK(Get(*world, box).position.y == Approx(5.0f).margin(1e-4));
  CHECK(Length(Get(*world, box).angular_velocity) < 1e-6f);
  REQUIRE(Run(*world, pool, 60));  // without the force it falls
  CHECK(Get(*world, box).linear_velocity.y == Approx(-kGravity).epsilon(1e-3));
}

TEST_CASE("a torque turns a body as its inertia says, and a force beside its centre does both") {
  auto world = MakeWorld(Weightless());
  PoolHere pool(0);
  WaitTime wait;
  const BodyId ball = Add(*world, Undamped(SphereAt(0.5f, {})));
  const float mass = 1.0f / Get(*world, ball).inverse_mass;
  const float inertia = 0.4f * mass * 0.25f;
  for (int i = 0; i < 60; ++i) {
    REQUIRE(world->ApplyForce(ball, {0, 0, 3}, Get(*world, ball).position + Vec3{0.5f, 0, 0},
                              {0, 0, 2}, wait));
    REQUIRE(Run(*world, pool, 1));
  }
  const BodySnapshot after = Get(*world, ball);
  CHECK(after.linear_velocity.z == Approx(3.0f / mass).epsilon(1e-3));
  CHECK(after.angular_velocity.y == Approx(-1.5f / inertia).epsilon(1e-3));
  CHECK(after.angular_velocity.z == Approx(2.0f / inertia).epsilon(1e-3));
}

TEST_CASE("a force wakes the body and what it touched") {
  auto world = MakeWorld();
  PoolHere pool(0);
  WaitTime wait;
  Add(*world, Floor());
  const BodyId lower = Add(*world, BoxAt({0.5f, 0.5f, 0.5f}, {0, 0.5f, 0}));
  const BodyId upper = Add(*world, BoxAt({0.5f, 0.5f, 0.5f}, {0, 1.5f, 0}));
  REQUIRE(Run(*world, pool, 200));
  REQUIRE(Get(*world, upper).asleep);
  REQUIRE(world->ApplyForce(lower, {100, 0, 0}, {0, 0.5f, 0}, {}, wait));
  CHECK_FALSE(Get(*world, lower).asleep);
  REQUIRE(Run(*world, pool, 1));
  CHECK_FALSE(Get(*world, upper).asleep);
}

TEST_CASE("friction that is changed counts in the contacts that are there") {
  auto world = MakeWorld();
  PoolHere pool(0);
  WaitTime wait;
  const BodyId floor = Add(*world, Floor(1.0f));
  BodyDef def = BoxAt({0.5f, 0.25f, 0.5f}, {0, 0.25f, 0});
  def.friction = 1.0f;
  const BodyId box = Add(*world, def);
  REQUIRE(Run(*world, pool, 200));
  REQUIRE(Get(*world, box).asleep);
  BodyChange ice;
  ice.friction = 0.0f;
  // Of the floor: what sleeps on it wakes.
  REQUIRE(world->SetProperties(floor, ice, wait));
  REQUIRE(Run(*world, pool, 1));
  CHECK_FALSE(Get(*world, box).asleep);
  REQUIRE(world->SetVelocity(box, {2, 0, 0}, {}, wait));
  REQUIRE(Run(*world, pool, 60));
  CHECK(Get(*world, box).linear_velocity.x == Approx(2.0f).epsilon(1e-3));
  BodyChange rough;
  rough.friction = 1.0f;
  REQUIRE(world->SetProperties(floor, rough, wait));
  REQUIRE(Run(*world, pool, 60));
  CHECK(std::abs(Get(*world, box).linear_velocity.x) < 0.01f);
}

TEST_CASE("gravity's part in a body and its damping are changed at run time") {
  auto world = MakeWorld();
  PoolHere pool(0);
  WaitTime wait;
  const BodyId ball = Add(*world, SphereAt(0.5f, {0, 50, 0}));
  BodyChange floats;
  floats.gravity_scale = 0.0f;
  REQUIRE(world->SetProperties(ball, floats, wait));
  REQUIRE(world->SetVelocity(ball, {0, 1, 0}, {}, wait));
  REQUIRE(Run(*world, pool, 60));
  CHECK(Get(*world, ball).position.y == Approx(51.0f).epsilon(1e-4));
  BodyChange thick;
  thick.linear_damping = 1.0f;
  REQUIRE(world->SetProperties(ball, thick, wait));
  REQUIRE(Run(*world, pool, 60));
  CHECK(Get(*world, ball).linear_velocity.y == Approx(std::exp(-1.0)).epsilon(0.01));
}

TEST_CASE("a mass of its own is what a body has in collisions and under torques") {
  auto world = MakeWorld(Weightless());
  PoolHere pool(0);
  WaitTime wait;
  BodyDef heavy = Undamped(SphereAt(0.5f, {-1.5f, 0, 0}));
  heavy.mass = BodyMass{.mass = 3.0f, .inertia = {1, 2, 4}};
  heavy.linear_velocity = {1, 0, 0};
  heavy.restitution = 1.0f;
  const BodyId first = Add(*world, heavy);
  const BodyId second = Add(*world, Undamped(SphereAt(0.5f, {})));
  BodyChange light;
  light.mass = BodyMass{.mass = 1.0f, .inertia = {0.1f, 0.1f, 0.1f}};
  REQUIRE(world->SetProperties(second, light, wait));
  CHECK(Get(*world, second).inverse_mass == 1.0f);
  world->SetVelocity(first, {2, 0, 0}, {}, wait).value();
  REQUIRE(Run(*world, pool, 60));
  // An elastic blow: (m1 - m2) / (m1 + m2) and 2 m1 / (m1 + m2).
  CHECK(Get(*world, first).linear_velocity.x == Approx(1.0f).epsilon(0.01));
  CHECK(Get(*world, second).linear_velocity.x == Approx(3.0f).epsilon(0.01));
  const BodyId third = Add(*world, [&] {
    BodyDef def = heavy;
    def.position = {0, 20, 0};
    def.linear_velocity = {};
    return def;
  }());
  REQUIRE(world->ApplyForce(third, {}, {}, {0, 6, 0}, wait));
  REQUIRE(world->Update(0.1f, pool));
  CHECK(Get(*world, third).angular_velocity.y == Approx(0.3f).epsilon(1e-4));
}

TEST_CASE("an impulse changes the momentum by itself, and the spin by its lever") {
  auto world = MakeWorld(Weightless());
  PoolHere pool(0);
  WaitTime wait;
  const BodyId box = Add(*world, BoxAt({0.5f, 0.5f, 0.5f}, {0, 5, 0}));  // 1,000 kg
  REQUIRE(Run(*world, pool, 60));
  REQUIRE(Get(*world, box).asleep);
  REQUIRE(world->ApplyImpulse(box, {0, 0, 500}, {0.5f, 5, 0}, {0, 0, 0}, wait));
  const BodySnapshot after = Get(*world, box);
  CHECK_FALSE(after.asleep);
  CHECK(after.linear_velocity.z == Approx(0.5f));
  // A sixth of the mass times the square of the side, about each axis.
  CHECK(after.angular_velocity.y == Approx(-500.0f * 0.5f / (1000.0f / 6.0f)));
  REQUIRE(world->ApplyImpulse(box, {}, {}, {0, 250, 0}, wait));
  CHECK(Length(Get(*world, box).angular_velocity) < 1e-5f);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const Vec3 wrong : {Vec3{nan, 0, 0}, Vec3{0, 3e7f, 0}}) {
    const auto refused = world->ApplyImpulse(box, wrong, {0, 5, 0}, {}, wait);
    REQUIRE_FALSE(refused);
    CHECK(std::string_view(refused.error().subject) == "impulse");
  }
  CHECK(Get(*world, box).linear_velocity.z == Approx(0.5f));
  const BodyId floor = Add(*world, Floor());
  CHECK(std::string_view(world->ApplyImpulse(floor, {}, {}, {}, wait).error().subject) == "body");
}

TEST_CASE("a body does not turn about locked axes, and about the others as its inertia says") {
  auto world = MakeWorld();
  PoolHere pool(0);
  WaitTime wait;
  Add(*world, Floor());
  // A post that would fall over.
  BodyDef post = BoxAt({0.2f, 1, 0.2f}, {0, 1, 0});
  post.no_turn = {.x = true, .y = false, .z = true};
  const BodyId upright = Add(*world, post);
  REQUIRE(world->ApplyImpulse(upright, {300, 0, 0}, {0, 2, 0.1f}, {}, wait));
  REQUIRE(Run(*world, pool, 120));
  const BodySnapshot after = Get(*world, upright);
  CHECK(std::abs(after.rotation.x) < 1e-6f);
  CHECK(std::abs(after.rotation.z) < 1e-6f);
  CHECK(std::abs(after.rotation.y) > 0.05f);
  CHECK(after.position.y == Approx(1.0f).margin(0.01));

  // Turned, its tensor couples the axes; the hinge about y has the moment of the tensor about y.
  auto space = MakeWorld(Weightless());
  BodyDef tilted = Undamped(BoxAt({0.1f, 0.5f, 1.0f}, {}));
  tilted.rotation = Normalise({0.3f, 0.1f, -0.2f, 1});
  tilted.mass = BodyMass{.mass = 1.0f, .inertia = {1, 2, 4}};
  tilted.no_turn = {.x = true, .y = false, .z = true};
  const BodyId spun = Add(*space, tilted);
  const Mat3 inertia = RotateDiagonal(ToMatrix(tilted.rotation), {1, 2, 4});
  REQUIRE(space->ApplyImpulse(spun, {}, {}, {5, 3, -7}, wait));
  CHECK(Get(*space, spun).angular_velocity.y == Approx(3.0f / inertia.y.y).epsilon(1e-4));
  CHECK(Get(*space, spun).angular_velocity.x == 0.0f);
  CHECK(Get(*space, spun).angular_velocity.z == 0.0f);
}

TEST_CASE("a dynamic body that becomes kinematic stands in the air, and falls when it is freed") {
  const bool asleep = GENERATE(false, true);
  auto world = MakeWorld();
  PoolHere pool(1);
  WaitTime wait;
  BodyDef def = BoxAt({0.5f, 0.5f, 0.5f}, {0, 5, 0});
  def.asleep = asleep;
  const BodyId box = Add(*world, def);
  const BodyId on_it = Add(*world, BoxAt({0.4f, 0.4f, 0.4f}, {0, 5.9f, 0}));
  const float inverse_mass = Get(*world, box).inverse_mass;
  BodyChange held;
  held.type = BodyType::kKinematic;
  REQUIRE(world->SetProperties(box, held, wait));
  CHECK_FALSE(Get(*world, box).asleep);
  REQUIRE(Run(*world, pool, 200));
  CHECK(Get(*world, box).position == Vec3{0, 5, 0});
  CHECK(Get(*world, on_it).asleep);
  BodyChange freed;
  freed.type = BodyType::kDynamic;
  REQUIRE(world->SetProperties(box, freed, wait));
  CHECK(Get(*world, box).inverse_mass == inverse_mass);
  REQUIRE(Run(*world, pool, 30));
  CHECK(Get(*world, box).position.y < 4.5f);
  CHECK(Get(*world, on_it).position.y < 5.4f);
}

TEST_CASE("a contact ends when neither of its bodies is dynamic any longer") {
  auto world = MakeWorld();
  PoolHere pool(0);
  WaitTime wait;
  const BodyId floor = Add(*world, Floor());
  const BodyId box = Add(*world, BoxAt({0.5f, 0.5f, 0.5f}, {0, 0.5f, 0}));
  REQUIRE(Run(*world, pool, 1));
  BodyChange held;
  held.type = BodyType::kKinematic;
  REQUIRE(world->SetProperties(box, held, wait));
  REQUIRE(Run(*world, pool, 1));
  REQUIRE(world->contact_events().size() == 1);
  CHECK(world->contact_events()[0] == ContactEvent{ContactEvent::Kind::kEnded, floor, box});
}

TEST_CASE("a body that a force holds does not fall asleep, and falls when the force ends") {
  auto world = MakeWorld();
  PoolHere pool(0);
  WaitTime wait;
  const BodyId box = Add(*world, BoxAt({0.5f, 0.5f, 0.5f}, {0, 50, 0}));
  const float mass = 1.0f / Get(*world, box).inverse_mass;
  REQUIRE(world->ApplyForce(box, {0, mass * kGravity, 0}, {0, 50, 0}, {}, wait));
  REQUIRE(world->Update(2.0f, pool, 60));  // much longer than the time of rest
  CHECK(Get(*world, box).position.y == Approx(50.0f).margin(1e-3));
  CHECK(world->sleep_events().empty());
  REQUIRE(Run(*world, pool, 60));
  CHECK(Get(*world, box).linear_velocity.y == Approx(-kGravity).epsilon(1e-3));
}

TEST_CASE("a body for which the forces on it would be too strong keeps its mass and its locks") {
  auto world = MakeWorld(Weightless());
  PoolHere pool(0);
  WaitTime wait;
  BodyDef def = BoxAt({100, 100, 100}, {});
  const BodyId heavy = Add(*world, def);
  def = SphereAt(0.01f, {500, 0, 0});
  def.no_turn = {true, true, true};
  const BodyId locked = Add(*world, def);
  REQUIRE(world->ApplyForce(heavy, {1e17f, 0, 0}, {}, {}, wait));
  REQUIRE(world->ApplyForce(locked, {}, {}, {3e38f, 0, 0}, wait));
  const std::uint64_t before = world->StateHash();
  BodyChange change;
  change.mass = BodyMass{.mass = 1e-6f};
  CHECK(world->SetProperties(heavy, change, wait).error().subject == std::string("mass"));
  change = {};
  change.no_turn = TurnLock{};
  CHECK(world->SetProperties(locked, change, wait).error().subject == std::string("no_turn"));
  CHECK(world->StateHash() == before);
  REQUIRE(Run(*world, pool, 1));
  CHECK(IsFinite(Get(*world, locked).angular_velocity));
  CHECK(world->SetProperties(locked, change, wait));  // the force has ended
}

TEST_CASE("bad forces and properties are refused by name, and change nothing") {
  auto world = MakeWorld();
  WaitTime wait;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinite = std::numeric_limits<float>::infinity();
  const BodyId box = Add(*world, BoxAt({0.5f, 0.5f, 0.5f}, {}));
  const BodyId floor = Add(*world, Floor());
  const std::uint64_t before = world->StateHash();
  const auto force = [&](BodyId id, Vec3 push, Vec3 point, Vec3 turn) {
    return std::string(world->ApplyForce(id, push, point, turn, wait).error().subject);
  };
  CHECK(force(box, {nan, 0, 0}, {}, {}) == "force");
  CHECK(force(box, {0, infinite, 0}, {}, {}) == "force");
  CHECK(force(box, {0, 1e12f, 0}, {}, {}) == "force");
  CHECK(force(box, {1, 0, 0}, {0, nan, 0}, {}) == "torque");
  CHECK(force(box, {}, {}, {0, 0, infinite}) == "torque");
  CHECK(force(floor, {1, 0, 0}, {}, {}) == "body");
  CHECK(force(BodyId(), {}, {}, {}) == "body id");
  const auto change = [&](BodyId id, auto field, auto value) {
    BodyChange bad;
    bad.friction = 0.1f;  // a right one beside it is not taken either
    bad.*field = value;
    return std::string(world->SetProperties(id, bad, wait).error().subject);
  };
  CHECK(change(box, &BodyChange::friction, -1.0f) == "friction");
  CHECK(change(box, &BodyChange::restitution, 1.5f) == "restitution");
  CHECK(change(box, &BodyChange::friction_rule, static_cast<CombineRule>(6)) == "friction_rule");
  CHECK(change(box, &BodyChange::restitution_rule, static_cast<CombineRule>(255)) ==
        "restitution_rule");
  CHECK(change(box, &BodyChange::rolling_resistance, nan) == "rolling_resistance");
  CHECK(change(box, &BodyChange::linear_damping, infinite) == "linear_damping");
  CHECK(change(box, &BodyChange::angular_damping, -1.0f) == "angular_damping");
  CHECK(change(box, &BodyChange::gravity_scale, 1e6f) == "gravity_scale");
  CHECK(change(box, &BodyChange::continuous, static_cast<Continuous>(9)) == "continuous");
  CHECK(change(box, &BodyChange::type, static_cast<BodyType>(9)) == "type");
  CHECK(change(box, &BodyChange::type, BodyType::kStatic) == "type");
  CHECK(change(floor, &BodyChange::type, BodyType::kDynamic) == "type");
  CHECK(change(box, &BodyChange::mass, BodyMass{.mass = 0.0f}) == "mass");
  CHECK(change(box, &BodyChange::mass, BodyMass{.mass = nan}) == "mass");
  CHECK(change(box, &BodyChange::mass, BodyMass{1.0f, {1, 0, 1}}) == "inertia");
  CHECK(change(floor, &BodyChange::mass, BodyMass{}) == "body");
  CHECK(change(floor, &BodyChange::no_turn, TurnLock{.x = true}) == "body");
  BodyDef bad = BoxAt({1, 1, 1}, {});
  bad.mass = BodyMass{.mass = -1.0f};
  CHECK(world->CreateBody(bad, wait).error().subject == std::string("mass"));
  CHECK(world->StateHash() == before);
}

}  // namespace
}  // namespace nowait
