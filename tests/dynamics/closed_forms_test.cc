// The promises of the solver's constants, against closed forms: each threshold from both sides.
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "src/collision/shape_geometry.h"
#include "src/dynamics/contact_store.h"
#include "src/dynamics/island_solver.h"

namespace nowait {
namespace {

constexpr float kStep = 1.0f / 60.0f;
constexpr float kGravity = 10.0f;

// Four points are solved one after the other, so a pass ends within this share of what it solves
// for.
constexpr float kOnePass = 0.05f;

Body Box(Vec3 half, float density = 1000.0f) {
  Body body;
  body.type = BodyType::kDynamic;
  body.shape = Shape::Box(half);
  const MassProperties mass = MassOf(body.shape, density);
  body.inverse_mass = 1.0f / mass.mass;
  body.inverse_inertia = {1 / mass.inertia.x, 1 / mass.inertia.y, 1 / mass.inertia.z};
  return body;
}

// Penetration of two millimetres is left alone: a box that deep is neither pushed out nor drawn in.
SolverDef WithSlop() {
  SolverDef def;
  def.slop = 0.002f;
  return def;
}

// A box that lies on the ground, depth `depth` in it, for one step; the contact keeps its impulses.
void Step(Body& box, Contact& contact, float depth, const SolverDef& def, float gravity) {
  const Vec3 half = box.shape.half;
  contact.manifold.Clear();
  for (std::uint32_t i = 0; i < 4; ++i) {
    const Vec3 corner{i & 1 ? half.x : -half.x, -half.y, i & 2 ? half.z : -half.z};
    contact.manifold.Add({box.position + corner, {0, 1, 0}, -depth, i});
  }
  const SubstepDef substep(def, kStep);
  SolverBody fixed;
  std::array<SolverBody, 1> solver = {Gather(box, {0, -gravity, 0})};
  std::array<PointConstraint, 4> points;
  std::array<ContactConstraint, 1> constraint = {Prepare(contact, contact.manifold.points(),
                                                         {0, -1, 0}, box.position, fixed, solver[0],
                                                         points, substep)};
  SolveIsland(solver, {}, constraint, substep);
  Store(constraint[0], contact);
  Scatter(solver[0], def, box);
}

// The vertical speed after one step in which the box meets the ground with `speed`.
float SpeedAfterImpact(float speed, float restitution, float threshold) {
  SolverDef def;
  def.restitution_threshold = threshold;
  Body box = Box({0.5f, 0.5f, 0.5f});
  box.position = {0, 0.5f, 0};
  box.linear_velocity = {0, -speed, 0};
  Contact contact;
  contact.restitution = restitution;
  Step(box, contact, 0.0f, def, 0.0f);
  return box.linear_velocity.y;
}

TEST_CASE("an impact faster than restitution_threshold bounces, and a slower one does not") {
  for (const float threshold : {0.5f, 1.0f, 4.0f}) {
    for (const float restitution : {0.25f, 0.8f, 1.0f}) {
      CAPTURE(threshold, restitution);
      const float faster = 1.001f * threshold, slower = 0.999f * threshold;
      CHECK(SpeedAfterImpact(faster, restitution, threshold) ==
            Approx(restitution * faster).epsilon(kOnePass));
      CHECK(std::abs(SpeedAfterImpact(slower, restitution, threshold)) < kOnePass * threshold);
    }
  }
  CHECK(std::abs(SpeedAfterImpact(5.0f, 0.0f, 1.0f)) < kOnePass * 5.0f);
}

TEST_CASE("what was not reached in a step is not bounced off, however fast the approach is") {
  for (const float speed : {2.0f, 20.0f}) {
    CAPTURE(speed);
    SolverDef def;
    Body box = Box({0.5f, 0.5f, 0.5f});
    box.linear_velocity = {0, -speed, 0};
    Contact contact;
    contact.restitution = 1.0f;
    const float gap = 1.5f * speed * kStep;  // more than a step and one sub-step
    Step(box, contact, -gap, def, 0.0f);
    CHECK(box.linear_velocity.y == Approx(-speed));
    for (const PointImpulse& impulse : contact.impulses) CHECK(impulse.normal == 0.0f);
  }
}

TEST_CASE("a box that slides is slowed by the coefficient times gravity") {
  for (const float friction : {0.0f, 0.2f, 0.6f}) {
    const SolverDef def = WithSlop();
    Body box = Box({1.0f, 0.1f, 1.0f});
    box.position = {0, 0.1f, 0};
    box.linear_velocity = {6, 0, 0};
    Contact contact;
    contact.friction = friction;
    for (int step = 0; step < 30; ++step) Step(box, contact, def.slop, def, kGravity);
    CAPTURE(friction);
    CHECK(6 - box.linear_velocity.x ==
          Approx(friction * kGravity * 0.5f).epsilon(kOnePass).margin(1e-4));
    CHECK(std::abs(box.linear_velocity.y) < 0.01f);
  }
}

TEST_CASE("friction slows a box alike in whichever direction it slides, and turns it to no side") {
  const SolverDef def = WithSlop();
  for (const Vec3 way : {Vec3{1, 0, 0}, Vec3{0, 0, 1}, Vec3{-1, 0, 0}, Vec3{0, 0, -1},
                         Vec3{0.6f, 0, 0.8f}, Vec3{-0.8f, 0, 0.6f}}) {
    Body box = Box({1.0f, 0.1f, 1.0f});
    box.position = {0, 0.1f, 0};
    box.linear_velocity = way * 6.0f;
    Contact contact;
    contact.friction = 0.5f;
    for (int step = 0; step < 30; ++step) Step(box, contact, def.slop, def, kGravity);
    CAPTURE(way.x, way.z);
    CHECK(Length(box.linear_velocity - way * 3.5f) < 3 * kOnePass);
    CHECK(std::abs(box.angular_velocity.y) < 0.05f);  // points are solved one after the other
  }
}

TEST_CASE("friction holds a pull of less than the coefficient times the weight, and no more") {
  for (const float friction : {0.3f, 0.9f}) {
    for (const float share : {0.9f, 1.1f}) {
      const SolverDef def = WithSlop();
      Body box = Box({1.0f, 0.1f, 1.0f});
      box.position = {0, 0.1f, 0};
      Contact contact;
      contact.friction = friction;
      const float pull = share * friction * kGravity;
      for (int step = 0; step < 60; ++step) {
        box.linear_velocity.x += pull * kStep;
        Step(box, contact, def.slop, def, kGravity);
      }
      CAPTURE(friction, share);
      if (share < 1.0f) {
        CHECK(std::abs(box.linear_velocity.x) < 0.01f);
      } else {
        CHECK(box.linear_velocity.x == Approx((share - 1.0f) * friction * kGravity).epsilon(0.5));
      }
    }
  }
}

TEST_CASE("penetration beyond the slop is pushed out no faster than max_push_speed") {
  SolverDef def = WithSlop();
  def.max_push_speed = 2.0f;
  const auto moved = [&](float depth) {
    Body box = Box({0.5f, 0.5f, 0.5f});
    box.position = {0, 0.5f, 0};
    Contact contact;
    Step(box, contact, depth, def, 0.0f);
    // The relaxing pass takes the speed away again.
    CHECK(std::abs(box.linear_velocity.y) < 2.0f * kOnePass * def.max_push_speed);
    return box.position.y - 0.5f;
  };
  CHECK(moved(0.5f * def.slop) == 0.0f);
  CHECK(moved(def.slop) == 0.0f);
  CHECK(moved(2.0f * def.slop) > 0.0f);
  CHECK(moved(2.0f * def.slop) <= def.slop);
  CHECK(moved(1.0f) <= def.max_push_speed * kStep * 1.001f);
  CHECK(moved(1.0f) == Approx(moved(2.0f)));
}

BodyId Put(BodyStorage& bodies, const BodyDef& def) {
  Body body;
  body.id = *bodies.Reserve();
  body.shape = def.shape;
  body.friction = def.friction;
  body.restitution = def.restitution;
  body.rolling_resistance = def.rolling_resistance;
  bodies.Install(body, BodyState::kAwake);
  return body.id;
}

TEST_CASE(
    "two bodies have the root of their frictions, the larger restitution and the larger lever") {
  BodyDef rough, smooth;
  rough.shape = Shape::Sphere(2.0f);
  rough.friction = 0.9f;
  rough.restitution = 0.1f;
  rough.rolling_resistance = 0.3f;
  smooth.shape = Shape::Sphere(4.0f);
  smooth.friction = 0.4f;
  smooth.restitution = 0.7f;
  smooth.rolling_resistance = 0.1f;
  for (const bool swapped : {false, true}) {
    BodyStorage bodies(4);
    const BodyId a = Put(bodies, swapped ? smooth : rough);
    const BodyId b = Put(bodies, swapped ? rough : smooth);
    AwakeSet<> awake(4);
    awake.Add(a.slot());
    awake.Add(b.slot());
    FoundContact found;
    found.a = a;
    found.b = b;
    found.material = MaterialOf(bodies[a.slot()], bodies[b.slot()]);
    found.manifold.Add({});
    const std::vector<const FoundContact*> all = {&found};
    ContactStore store(4, 4);
    std::vector<ContactEvent> events;
    REQUIRE(store.Merge(all, bodies, awake, std::vector<Changes>(4), events));
    REQUIRE(store.entries().size() == 1);
    const Contact& contact = store[store.entries()[0].index];
    CHECK(contact.friction == Approx(0.6f));
    CHECK(contact.restitution == 0.7f);
    CHECK(contact.rolling_length == Approx(0.6f));  // 0.3 radii of 2 m, against 0.1 of 4 m
    CHECK(contact.a < contact.b);
  }
}

TEST_CASE("pairs are in the order of the lower slot, then of the higher one") {
  BodyStorage bodies(8);
  std::vector<BodyId> ids;
  for (int i = 0; i < 8; ++i) ids.push_back(*bodies.Reserve());
  std::vector<std::uint64_t> keys;
  for (std::size_t a = 0; a < ids.size(); ++a) {
    for (std::size_t b = a + 1; b < ids.size(); ++b) {
      REQUIRE(ids[a].slot() < ids[b].slot());
      keys.push_back(PairKey(ids[a], ids[b]));
    }
  }
  for (std::size_t i = 0; i + 1 < keys.size(); ++i) CHECK(keys[i] < keys[i + 1]);
}

}  // namespace
}  // namespace nowait
