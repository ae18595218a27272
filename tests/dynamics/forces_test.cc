// The motion without contacts: gravity, damping, turning; and the constants of a sub-step.
#include <array>
#include <catch2/catch.hpp>
#include <cmath>

#include "src/collision/shape_geometry.h"
#include "src/dynamics/island_solver.h"
#include "src/dynamics/rest.h"

namespace nowait {
namespace {

Body Box(Vec3 half) {
  Body body;
  body.type = BodyType::kDynamic;
  body.shape = Shape::Box(half);
  const MassProperties mass = MassOf(body.shape, 1000);
  body.inverse_mass = 1.0f / mass.mass;
  body.inverse_inertia = {1 / mass.inertia.x, 1 / mass.inertia.y, 1 / mass.inertia.z};
  return body;
}

TEST_CASE("gravity pulls along each axis, as often as the body's scale says") {
  const SolverDef def;
  for (const float scale : {1.0f, 0.0f, -2.0f}) {
    CAPTURE(scale);
    Body body = Box({1, 1, 1});
    body.gravity_scale = scale;
    SolverBody solver = Gather(body, {1, -10, 3});
    IntegrateVelocity(solver, 0.25f, def);
    CHECK(Length(solver.linear_velocity - Vec3{0.25f, -2.5f, 0.75f} * scale) < 1e-6f);
    CHECK(solver.angular_velocity == Vec3{});
  }
}

TEST_CASE("each damping slows its own velocity by 1 / (1 + h c), and not the other one") {
  const SolverDef def;
  Body body = Box({1, 1, 1});
  body.linear_velocity = {6, -3, 9};
  body.angular_velocity = {2, 4, -6};
  body.linear_damping = 4.0f;
  body.angular_damping = 8.0f;
  SolverBody solver = Gather(body, {});
  IntegrateVelocity(solver, 0.25f, def);
  CHECK(Length(solver.linear_velocity - Vec3{3, -1.5f, 4.5f}) < 1e-5f);
  CHECK(Length(solver.angular_velocity - Vec3{2, 4, -6} * (1.0f / 3)) < 1e-5f);
  body.linear_damping = body.angular_damping = 0.0f;
  solver = Gather(body, {});
  IntegrateVelocity(solver, 0.25f, def);
  CHECK(solver.linear_velocity == body.linear_velocity);
  CHECK(solver.angular_velocity == body.angular_velocity);
}

TEST_CASE("a body that contacts cannot move has neither mass nor motion in the solver") {
  Body body = Box({1, 1, 1});
  body.inverse_mass = 0.0f;
  body.linear_velocity = {1, 2, 3};
  body.angular_velocity = {1, 2, 3};
  const SolverBody solver = Gather(body, {0, -10, 0});
  CHECK(solver.inverse_mass == 0.0f);
  CHECK(solver.linear_velocity == Vec3{});
  CHECK(solver.angular_velocity == Vec3{});
  CHECK(solver.acceleration == Vec3{});
  CHECK(solver.inverse_inertia * Vec3{1, 1, 1} == Vec3{});
}

TEST_CASE("the inertia in the solver is that of the body as it lies in the world") {
  Body body = Box({0.2f, 0.5f, 1.0f});
  body.rotation = FromAxisAngle({0, 0, 1}, 1.57079633f);  // its y lies along -x, its x along y
  const SolverBody solver = Gather(body, {});
  const Vec3 inverse = body.inverse_inertia;
  CHECK(solver.inverse_mass == body.inverse_mass);
  CHECK((solver.inverse_inertia * Vec3{1, 0, 0}).x == Approx(inverse.y));
  CHECK((solver.inverse_inertia * Vec3{0, 1, 0}).y == Approx(inverse.x));
  CHECK((solver.inverse_inertia * Vec3{0, 0, 1}).z == Approx(inverse.z));
  CHECK(solver.gyroscopic);
  CHECK_FALSE(Gather(Box({1, 1, 1}), {}).gyroscopic);
  // Two equal moments of three are not enough.
  for (const Vec3 half : {Vec3{1, 1, 2}, Vec3{1, 2, 1}, Vec3{2, 1, 1}}) {
    CHECK(Gather(Box(half), {}).gyroscopic);
  }
}

TEST_CASE("a spin about one of its own axes stays as it is, however the body lies") {
  const SolverDef def;
  Body body = Box({0.2f, 0.5f, 1.0f});
  body.rotation = Normalise({0.3f, -0.5f, 0.2f, 0.7f});
  for (int axis = 0; axis < 3; ++axis) {
    CAPTURE(axis);
    body.angular_velocity = ToMatrix(body.rotation).Column(axis) * 6.0f;
    SolverBody solver = Gather(body, {});
    IntegrateVelocity(solver, 0.01f, def);
    CHECK(Length(solver.angular_velocity - body.angular_velocity) < 1e-4f);
  }
}

// Euler: I dw/dt = -w x I w, about each axis in turn.
TEST_CASE("a spin between two axes turns about the third one, as Euler's equations say") {
  const SolverDef def;
  const Body body = Box({0.2f, 0.5f, 1.0f});
  const Vec3 moments{1 / body.inverse_inertia.x, 1 / body.inverse_inertia.y,
                     1 / body.inverse_inertia.z};
  constexpr float kShort = 1e-4f;
  for (const Vec3 spin : {Vec3{0, 2, 3}, Vec3{2, 0, 3}, Vec3{2, 3, 0}, Vec3{1, 2, 3}}) {
    CAPTURE(spin.x, spin.y, spin.z);
    SolverBody solver = Gather(body, {});
    solver.angular_velocity = spin;
    IntegrateVelocity(solver, kShort, def);
    const Vec3 torque = -Cross(spin, Multiply(moments, spin));
    const Vec3 expected = Multiply(torque, body.inverse_inertia);
    const Vec3 change = (solver.angular_velocity - spin) * (1 / kShort);
    CHECK(Length(change - expected) < 0.02f * (1 + Length(expected)));
  }
}

TEST_CASE("a body moves and turns by its velocities times the time, which add up over sub-steps") {
  const SolverDef def;
  Body body = Box({1, 1, 1});
  body.position = {10, 20, 30};
  body.linear_velocity = {1, -2, 3};
  body.angular_velocity = {0, 0, 0.5f};
  SolverBody solver = Gather(body, {});
  IntegratePosition(solver, 0.25f, def);
  IntegratePosition(solver, 0.25f, def);
  CHECK(Length(solver.moved - Vec3{0.5f, -1, 1.5f}) < 1e-6f);
  CHECK(Length(solver.turned - Vec3{0, 0, 0.25f}) < 1e-6f);
  Scatter(solver, def, body);
  CHECK(Length(body.position - Vec3{10.5f, 19, 31.5f}) < 1e-5f);
  CHECK(body.linear_velocity == Vec3{1, -2, 3});
  CHECK(body.angular_velocity == Vec3{0, 0, 0.5f});
  CHECK(body.rotation == solver.rotation);
  CHECK(body.rotation.z == Approx(std::sin(0.125f)).epsilon(0.01));
}

TEST_CASE("a result is written back with both velocities within their own limits") {
  SolverDef def;
  def.max_linear_speed = 10;
  def.max_angular_speed = 4;
  SolverBody solver;
  solver.linear_velocity = {0, 0, -20};
  solver.angular_velocity = {0, 8, 0};
  Body body;
  Scatter(solver, def, body);
  CHECK(Length(body.linear_velocity - Vec3{0, 0, -10}) < 1e-4f);
  CHECK(Length(body.angular_velocity - Vec3{0, 4, 0}) < 1e-4f);
  SolverBody integrated = solver;
  IntegrateVelocity(integrated, 1e-3f, def);
  CHECK(Length(integrated.linear_velocity) == Approx(10.0f));
  CHECK(Length(integrated.angular_velocity) == Approx(4.0f));
}

TEST_CASE("a step takes its time, in however many sub-steps it is divided") {
  for (const std::uint32_t substeps : {1u, 3u, 64u}) {
    SolverDef def;
    def.substeps = substeps;
    const SubstepDef substep(def, 0.5f);
    CHECK(substep.h == Approx(0.5f / static_cast<float>(substeps)));
    Body body = Box({1, 1, 1});
    body.linear_velocity = {4, 0, 0};
    std::array<SolverBody, 1> solver = {Gather(body, {0, -1, 0})};
    SolveIsland(solver, {}, {}, substep);
    CAPTURE(substeps);
    CHECK(solver[0].moved.x == Approx(2.0f));
    CHECK(solver[0].linear_velocity.y == Approx(-0.5f));
  }
}

TEST_CASE("the stages of a sub-step: forces, warm start, push out, move, relax") {
  using enum SolverStage;
  CHECK(kSubstepStages == std::array{kVelocities, kWarmStart, kPushOut, kPositions, kRelax});
  for (const SolverStage stage : kSubstepStages) {
    CHECK(IsOfBodies(stage) == (stage == kVelocities || stage == kPositions));
  }
  CHECK_FALSE(IsOfBodies(kRestitution));
}

TEST_CASE("a soft contact is the implicit step of a spring and damper") {
  for (const float hertz : {5.0f, 30.0f}) {
    for (const float ratio : {0.5f, 1.0f, 10.0f}) {
      for (const float h : {1.0f / 60, 1.0f / 240}) {
        CAPTURE(hertz, ratio, h);
        const Softness soft = Softness::Of(hertz, ratio, h);
        // Of mass one: stiffness k = w^2, damping c = 2 z w.
        const double w = 6.283185307179586 * hertz;
        const double k = w * w, c = 2 * ratio * w;
        CHECK(soft.bias_rate == Approx(k / (c + h * k)));
        CHECK(soft.impulse_scale == Approx(1 / (1 + h * (c + h * k))));
        CHECK(soft.mass_scale == Approx(1 - 1 / (1 + h * (c + h * k))));
      }
    }
  }
  const Softness rigid;
  CHECK(rigid.bias_rate == 0.0f);
  CHECK(rigid.mass_scale == 1.0f);
  CHECK(rigid.impulse_scale == 0.0f);
}

TEST_CASE(
    "contacts are as stiff as asked, at most a quarter of a sub-step's, twice on the ground") {
  SolverDef def;
  def.contact_hertz = 30;
  const SubstepDef usual(def, 1.0f / 60);
  const auto same = [](const Softness& a, const Softness& b) {
    return a.bias_rate == Approx(b.bias_rate) && a.mass_scale == Approx(b.mass_scale) &&
           a.impulse_scale == Approx(b.impulse_scale);
  };
  CHECK(same(usual.between, Softness::Of(30, def.contact_damping_ratio, usual.h)));
  CHECK(same(usual.against_fixed, Softness::Of(60, def.contact_damping_ratio, usual.h)));
  def.contact_hertz = 1e4f;
  const SubstepDef stiff(def, 1.0f / 60);
  CHECK(same(stiff.between, Softness::Of(60, def.contact_damping_ratio, stiff.h)));
  CHECK(same(stiff.against_fixed, Softness::Of(120, def.contact_damping_ratio, stiff.h)));

  Contact contact;
  contact.manifold.Add({});
  SolverBody fixed, one = Gather(Box({1, 1, 1}), {}), other = one;
  std::array<PointConstraint, 1> points;
  CHECK(
      same(Prepare(contact, contact.manifold.points(), {}, {}, one, other, points, usual).softness,
           usual.between));
  CHECK(
      same(Prepare(contact, contact.manifold.points(), {}, {}, one, fixed, points, usual).softness,
           usual.against_fixed));
  CHECK(
      same(Prepare(contact, contact.manifold.points(), {}, {}, fixed, one, points, usual).softness,
           usual.against_fixed));
}

TEST_CASE("the constants of the solver and of rest are those of their headers unless set") {
  const SolverDef solver;
  CHECK(solver.substeps == 4);
  CHECK(solver.contact_hertz == 30.0f);
  CHECK(solver.contact_damping_ratio == 10.0f);
  CHECK(solver.max_push_speed == 3.0f);
  CHECK(solver.slop == 0.0f);
  CHECK(solver.restitution_threshold == 1.0f);
  CHECK(solver.max_linear_speed == 500.0f);
  CHECK(solver.max_angular_speed == 100.0f);
  const RestDef rest;
  CHECK(rest.time == 0.5f);
  CHECK(rest.linear_speed == 0.05f);
  CHECK(rest.angular_speed == 0.1f);
}

}  // namespace
}  // namespace nowait
