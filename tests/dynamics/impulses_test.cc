// Impulses between two bodies: nothing is made or lost, along each axis, and the next step begins
// with the impulses of the last one.
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "src/collision/shape_geometry.h"
#include "src/dynamics/island_solver.h"
#include "src/math/random.h"

namespace nowait {
namespace {

constexpr float kStep = 1.0f / 60.0f;

Body Solid(const Shape& shape, Vec3 position, float density) {
  Body body;
  body.type = BodyType::kDynamic;
  body.shape = shape;
  body.position = position;
  const MassProperties mass = MassOf(shape, density);
  body.inverse_mass = 1.0f / mass.mass;
  body.inverse_inertia = {1 / mass.inertia.x, 1 / mass.inertia.y, 1 / mass.inertia.z};
  return body;
}

// One step of two bodies with one contact; the contact keeps its impulses.
void Step(Body& a, Body& b, Contact& contact, const SolverDef& def, Vec3 gravity = {}) {
  const SubstepDef substep(def, kStep);
  std::array<SolverBody, 2> solver = {Gather(a, gravity), Gather(b, gravity)};
  std::array<PointConstraint, Manifold::kMaxPoints> points;
  std::array<ContactConstraint, 1> constraint = {
      Prepare(contact, contact.manifold.points(), a.position, b.position, solver[0], solver[1],
              std::span(points).first(contact.manifold.count()), substep)};
  SolveIsland(solver, {}, constraint, substep);
  Store(constraint[0], contact);
  if (a.inverse_mass != 0) Scatter(solver[0], def, a);
  if (b.inverse_mass != 0) Scatter(solver[1], def, b);
}

Contact TouchAt(Vec3 at, Vec3 normal) {
  Contact contact;
  contact.manifold.Add({at, normal, 0.0f, 0});
  return contact;
}

Vec3 Momentum(const Body& body) { return body.linear_velocity * (1.0f / body.inverse_mass); }

// About the world's origin.
Vec3 AngularMomentum(const Body& body) {
  const Vec3 moments{1 / body.inverse_inertia.x, 1 / body.inverse_inertia.y,
                     1 / body.inverse_inertia.z};
  return Cross(body.position, Momentum(body)) +
         RotateDiagonal(ToMatrix(body.rotation), moments) * body.angular_velocity;
}

TEST_CASE("two balls of unequal masses part as an elastic impact along each axis says") {
  SolverDef def;
  for (const Vec3 axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}, Vec3{-0.6f, 0, 0.8f}}) {
    CAPTURE(axis.x, axis.y, axis.z);
    Body a = Solid(Shape::Sphere(0.5f), axis * -0.5f, 1000);
    Body b = Solid(Shape::Sphere(0.5f), axis * 0.5f, 3000);
    a.linear_velocity = axis * 4.0f;
    Contact contact = TouchAt({}, axis);
    contact.restitution = 1.0f;
    Step(a, b, contact, def);
    // (m1 - m2) / (m1 + m2) and 2 m1 / (m1 + m2) of 4 m/s.
    CHECK(Dot(a.linear_velocity, axis) == Approx(-2.0f).epsilon(0.01));
    CHECK(Dot(b.linear_velocity, axis) == Approx(2.0f).epsilon(0.01));
    CHECK(Length(a.angular_velocity) < 1e-4f);
  }
}

// Off the centres, with friction, of bodies that spin: each impulse has a lever on both sides.
TEST_CASE("an impact off the centre keeps the momentum and the angular momentum of both bodies") {
  SolverDef def;
  Random random(21);
  for (int round = 0; round < 200; ++round) {
    CAPTURE(round);
    Body a = Solid(Shape::Box({0.4f, 0.6f, 0.5f}), random.InBox({-1, -1, -1}, {1, 1, 1}), 800);
    Body b = Solid(Shape::Sphere(0.7f), random.InBox({-1, -1, -1}, {1, 1, 1}), 1500);
    a.rotation = random.Rotation();
    a.linear_velocity = random.InBox({-2, -2, -2}, {2, 2, 2});
    b.linear_velocity = random.InBox({-2, -2, -2}, {2, 2, 2});
    b.angular_velocity = random.InBox({-3, -3, -3}, {3, 3, 3});
    const Vec3 linear = Momentum(a) + Momentum(b);
    const Vec3 angular = AngularMomentum(a) + AngularMomentum(b);
    Contact contact =
        TouchAt(random.InBox({-0.5f, -0.5f, -0.5f}, {0.5f, 0.5f, 0.5f}), random.Direction());
    contact.friction = 0.7f;
    contact.restitution = 0.5f;
    // Of a step so short that the arms do not turn.
    const SubstepDef substep(def, 1e-5f);
    std::array<SolverBody, 2> solver = {Gather(a, {}), Gather(b, {})};
    std::array<PointConstraint, 1> points;
    std::array<ContactConstraint, 1> constraint = {Prepare(contact, contact.manifold.points(),
                                                           a.position, b.position, solver[0],
                                                           solver[1], points, substep)};
    SolveIsland(solver, {}, constraint, substep);
    Scatter(solver[0], def, a);
    Scatter(solver[1], def, b);
    CHECK(Length(Momentum(a) + Momentum(b) - linear) < 1e-3f * (1 + Length(linear)));
    CHECK(Length(AngularMomentum(a) + AngularMomentum(b) - angular) <
          2e-3f * (1 + Length(angular)));
    CHECK(contact.impulses[0].normal == 0.0f);  // kept by Store alone
  }
}

TEST_CASE("a rolling resistance turns both bodies by the same angular momentum, and no more") {
  SolverDef def;
  Body a = Solid(Shape::Sphere(0.5f), {0, -0.5f, 0}, 1000);
  Body b = Solid(Shape::Sphere(0.5f), {0, 0.5f, 0}, 2000);
  b.angular_velocity = {0.5f, 0, -0.3f};
  b.linear_velocity = {0, -2, 0};
  const Vec3 before = AngularMomentum(a) + AngularMomentum(b);
  Contact contact = TouchAt({}, {0, 1, 0});
  contact.rolling_length = 0.4f;
  Step(a, b, contact, def);
  const Vec3 after = AngularMomentum(a) + AngularMomentum(b);
  CHECK(Length(after - before) < 1e-2f * Length(before));
  CHECK(Length(b.angular_velocity - a.angular_velocity) < 0.5f);
  CHECK(Dot(a.angular_velocity, {0.5f, 0, -0.3f}) > 0.0f);
}

TEST_CASE("the impulse of a body at rest is its weight over a sub-step, and the next step has it") {
  SolverDef def;
  Body ground;
  ground.position = {0, -1, 0};
  Body ball = Solid(Shape::Sphere(0.5f), {0, 0.5f, 0}, 1000);
  Contact contact;
  const float weight = 10.0f * (kStep / static_cast<float>(def.substeps)) / ball.inverse_mass;
  for (int i = 0; i < 60; ++i) {
    contact.manifold.Clear();
    contact.manifold.Add({{0, 0, 0}, {0, 1, 0}, ball.position.y - 0.5f, 0});
    Step(ground, ball, contact, def, {0, -10, 0});
  }
  CHECK(contact.impulses[0].normal == Approx(weight).epsilon(0.01));
  const SubstepDef substep(def, kStep);
  SolverBody fixed, solver = Gather(ball, {});
  std::array<PointConstraint, 1> points;
  ContactConstraint next = Prepare(contact, contact.manifold.points(), ground.position,
                                   ball.position, fixed, solver, points, substep);
  CHECK(points[0].normal.impulse == contact.impulses[0].normal);
  // A warm start alone gives the body the speed that gravity takes away.
  const float before = solver.linear_velocity.y;
  WarmStart(next);
  CHECK(solver.linear_velocity.y - before == Approx(10.0f * substep.h).epsilon(0.01));
  CHECK(fixed.linear_velocity == Vec3{});
}

TEST_CASE("a friction that is kept is the same vector, whatever tangents the next step has") {
  SolverDef def;
  const SubstepDef substep(def, kStep);
  const Body ball = Solid(Shape::Sphere(0.5f), {0, 0.5f, 0}, 1000);
  for (const Vec3 normal : {Vec3{0, 1, 0}, Vec3{0.6f, 0.8f, 0}, Vec3{0, 0.8f, -0.6f}}) {
    Contact contact = TouchAt({}, normal);
    const Tangents along = TangentsOf(normal);
    const Vec3 kept = along.first * 3.0f - along.second * 2.0f;
    contact.impulses[0] = {5.0f, kept};
    SolverBody fixed, solver = Gather(ball, {});
    std::array<PointConstraint, 1> points;
    ContactConstraint constraint = Prepare(contact, contact.manifold.points(), {}, ball.position,
                                           fixed, solver, points, substep);
    WarmStart(constraint);
    const Vec3 given = solver.linear_velocity * (1.0f / ball.inverse_mass);
    CHECK(Length(given - (normal * 5.0f + kept)) < 1e-2f);
    Contact stored;
    Store(constraint, stored);
    CHECK(stored.impulses[0].normal == 5.0f);
    CHECK(Length(stored.impulses[0].friction - kept) < 1e-4f);
  }
}

TEST_CASE(
    "a contact's rolling impulse goes from step to step, and is no one's without resistance") {
  SolverDef def;
  const SubstepDef substep(def, kStep);
  const Body ball = Solid(Shape::Sphere(0.5f), {0, 0.5f, 0}, 1000);
  Contact contact = TouchAt({}, {0, 1, 0});
  contact.rolling_impulse = {1, 2, -3};
  for (const float length : {0.2f, 0.0f}) {
    contact.rolling_length = length;
    SolverBody fixed, solver = Gather(ball, {});
    std::array<PointConstraint, 1> points;
    ContactConstraint constraint = Prepare(contact, contact.manifold.points(), {}, ball.position,
                                           fixed, solver, points, substep);
    WarmStart(constraint);
    Contact stored;
    Store(constraint, stored);
    const Vec3 expected = length > 0 ? Vec3{1, 2, -3} : Vec3{};
    CHECK(stored.rolling_impulse == expected);
    CHECK(Length(solver.angular_velocity - Multiply(ball.inverse_inertia, expected)) < 1e-6f);
  }
}

TEST_CASE("a gap that a step and one sub-step more leave open changes nothing of the motion") {
  SolverDef def;
  Body ground;
  Body ball = Solid(Shape::Sphere(0.5f), {0, 0.515f, 0}, 1000);
  ball.linear_velocity = {1, -0.7f, 0};  // 11.7 mm of 15 in a step, 2.9 in a sub-step
  Contact contact;
  contact.friction = 1.0f;
  contact.restitution = 1.0f;
  contact.rolling_length = 0.5f;
  contact.manifold.Add({{0, 0.0075f, 0}, {0, 1, 0}, 0.015f, 0});
  Step(ground, ball, contact, def);
  CHECK(ball.linear_velocity == Vec3{1, -0.7f, 0});
  CHECK(ball.angular_velocity == Vec3{});
  CHECK(contact.impulses[0].normal == 0.0f);
}

TEST_CASE("a body closes the gap to what it falls on, and no more") {
  SolverDef def;
  Body ground;
  Body ball = Solid(Shape::Sphere(0.5f), {0, 0.515f, 0}, 1000);
  ball.linear_velocity = {0, -3, 0};
  Contact contact;
  contact.manifold.Add({{0, 0.0075f, 0}, {0, 1, 0}, 0.015f, 0});
  Step(ground, ball, contact, def);
  CHECK(ball.position.y == Approx(0.5f).margin(1e-4));
}

}  // namespace
}  // namespace nowait
