// The solver keeps to numbers and to the speed limits, however unequal the bodies are.
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "src/collision/shape_geometry.h"
#include "src/dynamics/island_solver.h"

namespace nowait {
namespace {

Body Ball(float radius, float density, Vec3 velocity) {
  Body body;
  body.type = BodyType::kDynamic;
  body.shape = Shape::Sphere(radius);
  const MassProperties mass = MassOf(body.shape, density);
  body.inverse_mass = 1.0f / mass.mass;
  body.inverse_inertia = {1 / mass.inertia.x, 1 / mass.inertia.y, 1 / mass.inertia.z};
  body.linear_velocity = velocity;
  return body;
}

// A contact at `at` along x. Two balls overlap by `depth`.
Contact ContactAt(Vec3 at, float depth) {
  Contact contact;
  contact.manifold.Add({at, {1, 0, 0}, -depth, 0});
  contact.friction = 1.0f;
  return contact;
}

void CheckKept(const Body& body, const SolverDef& def) {
  CHECK(IsFinite(body.position));
  CHECK(IsFinite(body.rotation));
  CHECK(Length(body.linear_velocity) <= def.max_linear_speed * 1.000001f);
  CHECK(Length(body.angular_velocity) <= def.max_angular_speed * 1.000001f);
}

// Bodies in a row along x, each in contact with the next; two steps, so that the second one starts
// with the impulses of the first.
void SolveRow(std::vector<Body>& bodies, std::vector<Contact>& contacts, const SolverDef& def,
              Vec3 gravity = {}) {
  const SubstepDef substep(def, 1.0f / 60.0f);
  for (int step = 0; step < 2; ++step) {
    std::vector<SolverBody> solver;
    for (const Body& body : bodies) solver.push_back(Gather(body, gravity));
    std::vector<std::array<PointConstraint, 1>> points(contacts.size());
    std::vector<ContactConstraint> constraints;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      constraints.push_back(Prepare(contacts[i], contacts[i].manifold.points(), bodies[i].position,
                                    bodies[i + 1].position, solver[i], solver[i + 1], points[i],
                                    substep));
    }
    SolveIsland(solver, {}, constraints, substep);
    for (std::size_t i = 0; i < contacts.size(); ++i) Store(constraints[i], contacts[i]);
    for (std::size_t i = 0; i < bodies.size(); ++i) Scatter(solver[i], def, bodies[i]);
  }
}

TEST_CASE("a body moves no faster than the limit, whatever its contacts gave it") {
  SolverDef def;
  SolverBody body;
  body.linear_velocity = {3e20f, -3e20f, 1e3f};  // its square is no float
  body.angular_velocity = {0, 4e25f, 0};
  IntegratePosition(body, 0.5f, def);
  CHECK(Length(body.moved) == Approx(0.5f * def.max_linear_speed));
  CHECK(Length(body.turned) == Approx(0.5f * def.max_angular_speed));
  CHECK(body.moved.x == Approx(-body.moved.y));
  CHECK(body.turned.y > 0.0f);
  CHECK(IsFinite(body.rotation));
}

TEST_CASE("a speed that restitution gives a body keeps to the limit, too") {
  SolverDef def;
  def.max_linear_speed = 10.0f;
  Body wall;
  std::vector<Body> bodies = {wall, Ball(1.0f, 1000.0f, {-10, 0, 0})};
  bodies[1].position = {1, 0, 0};
  bodies[1].angular_velocity = {0, 0, 100};
  std::vector<Contact> contacts = {ContactAt({0, 0.5f, 0}, 0.0f)};
  contacts[0].restitution = 1.0f;
  SolveRow(bodies, contacts, def);
  CheckKept(bodies[1], def);
}

TEST_CASE("a mote of dust between two mountains keeps a speed that is a number") {
  SolverDef def;
  const float density = GENERATE(0.01f, 1e6f);
  std::vector<Body> bodies = {Ball(1e4f, 1e6f, {500, 0, 0}), Ball(1e-3f, density, {}),
                              Ball(1e4f, 1e6f, {-500, 0, 0})};
  bodies[0].position = {-1e4f, 0, 0};
  bodies[2].position = {1e4f, 0, 0};
  std::vector<Contact> contacts = {ContactAt({-5e-4f, 3e-4f, 0}, 1e-3f),
                                   ContactAt({5e-4f, -3e-4f, 0}, 1e-3f)};
  SolveRow(bodies, contacts, def);
  for (const Body& body : bodies) CheckKept(body, def);

  // One of them is gone: what it held must not fling the mote through the other.
  bodies.pop_back();
  contacts.pop_back();
  SolveRow(bodies, contacts, def);
  CheckKept(bodies[1], def);
}

TEST_CASE("a contact keeps the impulse that carries a body a million times as heavy") {
  SolverDef def;
  const SubstepDef substep(def, 1.0f / 60.0f);
  const Body light = Ball(0.5f, 1.0f, {}), heavy = Ball(0.5f, 1e6f, {});
  SolverBody a = Gather(light, {}), b = Gather(heavy, {});
  Contact contact = ContactAt({0.5f, 0, 0}, 0.0f);
  const auto kept = [&](float impulse) {
    contact.impulses[0].normal = impulse;
    std::array<PointConstraint, 1> points;
    return Prepare(contact, contact.manifold.points(), {}, {1, 0, 0}, a, b, points, substep)
        .points[0]
        .normal.impulse;
  };
  const float weight = 9.81f * substep.h / heavy.inverse_mass;
  CHECK(kept(weight) == weight);
  // And no more than what changes the speed of the light one by 100 kilometres a second.
  CHECK(kept(1e4f * weight) * light.inverse_mass == Approx(1e5f).epsilon(1e-3));
}

// Rounding makes the tensor of a needle that lies askew one of no real body.
TEST_CASE("a needle ten kilometres long has no negative mass at any point") {
  Body needle;
  needle.type = BodyType::kDynamic;
  needle.shape = Shape::Box({1e4f, 1e-3f, 1e-3f});
  needle.rotation = Normalise({0.3f, -0.5f, 0.2f, 0.7f});
  const MassProperties mass = MassOf(needle.shape, 1.0f);
  needle.inverse_mass = 1.0f / mass.mass;
  needle.inverse_inertia = {1 / mass.inertia.x, 1 / mass.inertia.y, 1 / mass.inertia.z};
  SolverDef def;
  const SubstepDef substep(def, 1.0f / 60.0f);
  SolverBody fixed;
  for (int i = -20; i <= 20; ++i) {
    SolverBody solver = Gather(needle, {});
    Contact contact = ContactAt(Rotate(needle.rotation, {500.0f * static_cast<float>(i), 0, 0}), 0);
    std::array<PointConstraint, 1> points;
    const ContactConstraint constraint =
        Prepare(contact, contact.manifold.points(), {}, {}, fixed, solver, points, substep);
    for (const Row& row : {constraint.points[0].normal, constraint.points[0].tangent1,
                           constraint.points[0].tangent2}) {
      CHECK(row.mass > 0.0f);
      CHECK(row.mass <= mass.mass * 1.000001f);  // a lever makes a body lighter, never heavier
    }
  }
}

TEST_CASE("a fast spin over a long time step leaves a number") {
  SolverDef def;
  def.max_angular_speed = 1e4f;
  Body body;
  body.inverse_mass = 1.0f;
  body.angular_velocity = {1e4f, 1e-20f, -1e4f};
  // The second: in a short step its determinant is no normal float, and the inverse of that is
  // infinite.
  body.inverse_inertia = GENERATE(Vec3{1e17f, 1e3f, 2e3f}, Vec3{1e20f, 1e20f, 1.0f});
  for (const float h : {1e-45f, 1e-3f, 1.0f, 10.0f}) {
    SolverBody solver = Gather(body, {});
    for (int i = 0; i < 10; ++i) {
      IntegrateVelocity(solver, h, def);
      IntegratePosition(solver, h, def);
    }
    CHECK(IsFinite(solver.angular_velocity));
    CHECK(IsFinite(solver.rotation));
  }
}

}  // namespace
}  // namespace nowait
