#include "src/dynamics/contact_constraint.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <ranges>

#include "src/dynamics/contact_limits.h"

namespace nowait {
namespace {

// How far b has moved away from a along the row since the start of the step.
float Distance(const Row& row, const SolverBody& a, const SolverBody& b) {
  return Dot(row.axis, b.moved - a.moved) + (Dot(row.turn_b, b.turned) - Dot(row.turn_a, a.turned));
}

void SolveRolling(ContactConstraint& contact) {
  if (contact.rolling_length == 0.0f) return;
  float pressed = 0.0f;
  for (const PointConstraint& point : contact.points) pressed += point.normal.impulse;
  const float limit = contact.rolling_length * pressed;
  const Vec3 spin = contact.b->angular_velocity - contact.a->angular_velocity;
  const Vec3 old = contact.rolling_impulse;
  Vec3 sum = old - contact.rolling_mass * spin;
  if (!IsFinite(sum)) return;  // a spin that only the speed limit ends
  sum *= ScaleTo(sum, limit);
  contact.rolling_impulse = sum;
  ApplyAngularImpulse(*contact.a, *contact.b, sum - old);
}

void SolveFriction(ContactConstraint& contact, PointConstraint& point) {
  Row& first = point.tangent1;
  Row& second = point.tangent2;
  const SolverBody& a = *contact.a;
  const SolverBody& b = *contact.b;
  float sum1 = WithinMost(first.impulse - first.mass * (Speed(first, a, b) + point.slide1), first);
  float sum2 =
      WithinMost(second.impulse - second.mass * (Speed(second, a, b) + point.slide2), second);
  const float limit = point.friction * point.normal.impulse;
  const float scale = ScaleTo({sum1, sum2, 0.0f}, limit);
  sum1 *= scale;
  sum2 *= scale;
  Apply(first, sum1 - first.impulse, *contact.a, *contact.b);
  Apply(second, sum2 - second.impulse, *contact.a, *contact.b);
  first.impulse = sum1;
  second.impulse = sum2;
}

// The sum only pushes, and by no more than MostImpulse.
void ApplyNormal(ContactConstraint& contact, PointConstraint& point, float change) {
  Row& normal = point.normal;
  const float sum = std::clamp(normal.impulse + change, 0.0f, MostImpulse(normal));
  Apply(normal, sum - normal.impulse, *contact.a, *contact.b);
  normal.impulse = sum;
  point.largest_normal_impulse = std::max(point.largest_normal_impulse, sum);
}

void SolveNormal(ContactConstraint& contact, PointConstraint& point, Pass pass,
                 const SubstepDef& def) {
  const Row& normal = point.normal;
  const float separation = point.separation + Distance(normal, *contact.a, *contact.b);
  float bias = 0.0f;
  Softness softness;
  if (separation > 0.0f) {
    bias = separation / def.h;  // may close the gap and no more
  } else if (pass == Pass::kPushOut) {
    const float depth = std::min(separation + def.solver.slop, 0.0f);
    bias = std::max(contact.softness.bias_rate * depth, -def.solver.max_push_speed);
    softness = contact.softness;
  }
  const float speed = Speed(normal, *contact.a, *contact.b);
  ApplyNormal(contact, point,
              -(normal.mass * softness.mass_scale) * (speed + bias) -
                  softness.impulse_scale * normal.impulse);
}

}  // namespace

// Squares that exceed a float are compared in double, which holds the square of every float.
float ScaleTo(Vec3 v, float limit) {
  const float squared = LengthSquared(v);
  if (squared <= std::numeric_limits<float>::max()) {
    return squared > limit * limit ? limit / std::sqrt(squared) : 1.0f;
  }
  const double x = v.x, y = v.y, z = v.z;
  const double length = std::sqrt((x * x + y * y) + z * z);
  return length > limit ? static_cast<float>(limit / length) : 1.0f;
}

SubstepDef::SubstepDef(const SolverDef& def, float dt)
    : solver(def), h(dt / static_cast<float>(def.substeps)) {
  const float hertz = std::min(def.contact_hertz, 0.25f / h);
  between = Softness::Of(hertz, def.contact_damping_ratio, h);
  against_fixed = Softness::Of(2.0f * hertz, def.contact_damping_ratio, h);
  joint = Softness::Of(std::min(def.joint_hertz, 0.25f / h), def.joint_damping_ratio, h);
}

ContactConstraint Prepare(const Contact& contact, std::span<const ContactPoint> now, Vec3 centre_a,
                          Vec3 centre_b, SolverBody& a, SolverBody& b,
                          std::span<PointConstraint> points, const SubstepDef& def) {
  ContactConstraint constraint;
  constraint.a = &a;
  constraint.b = &b;
  constraint.points = points;
  const bool fixed = a.inverse_mass == 0.0f || b.inverse_mass == 0.0f;
  constraint.softness = fixed ? def.against_fixed : def.between;
  constraint.rolling_length = contact.rolling_length;
  if (contact.rolling_length > 0.0f) {
    constraint.rolling_mass = Inverse(a.inverse_inertia + b.inverse_inertia);
    constraint.rolling_impulse = contact.rolling_impulse;
  }
  for (std::size_t i = 0; i < now.size(); ++i) {
    const Vec3 arm_a = now[i].position - centre_a;
    const Vec3 arm_b = now[i].position - centre_b;
    const Tangents tangents = TangentsOf(now[i].normal);
    PointConstraint point;
    point.normal = MakeLinearRow(a, b, arm_a, arm_b, now[i].normal);
    point.tangent1 = MakeLinearRow(a, b, arm_a, arm_b, tangents.first);
    point.tangent2 = MakeLinearRow(a, b, arm_a, arm_b, tangents.second);
    // Arms have changed since these impulses were found, and with them the limits.
    const Vec3 friction = contact.impulses[i].friction;
    point.normal.impulse = WithinMost(contact.impulses[i].normal, point.normal);
    point.tangent1.impulse = WithinMost(Dot(friction, tangents.first), point.tangent1);
    point.tangent2.impulse = WithinMost(Dot(friction, tangents.second), point.tangent2);
    point.separation = now[i].separation;
    point.friction = contact.friction * now[i].friction;
    point.restitution = std::max(contact.restitution, now[i].restitution);
    // Never minus zero: a block without surface velocities adds zero instead.
    point.slide1 = Dot(tangents.first, contact.surface_velocity) + 0.0f;
    point.slide2 = Dot(tangents.second, contact.surface_velocity) + 0.0f;
    point.approach = Speed(point.normal, a, b);
    points[i] = point;
  }
  return constraint;
}

void WarmStart(ContactConstraint& contact) {
  SolverBody& a = *contact.a;
  SolverBody& b = *contact.b;
  for (const PointConstraint& point : contact.points) {
    Apply(point.normal, point.normal.impulse, a, b);
    Apply(point.tangent1, point.tangent1.impulse, a, b);
    Apply(point.tangent2, point.tangent2.impulse, a, b);
  }
  if (contact.rolling_length > 0.0f) ApplyAngularImpulse(a, b, contact.rolling_impulse);
}

// Friction before the normal impulses: the last constraint is satisfied best, and bodies that sink
// into each other look worse than bodies that creep.
void Solve(ContactConstraint& contact, Pass pass, const SubstepDef& def, ContactOrder points) {
  SolveRolling(contact);
  if (points == ContactOrder::kForwards) {
    for (PointConstraint& point : contact.points) SolveFriction(contact, point);
    for (PointConstraint& point : contact.points) SolveNormal(contact, point, pass, def);
  } else {
    const auto backwards = std::views::reverse(contact.points);
    for (PointConstraint& point : backwards) SolveFriction(contact, point);
    for (PointConstraint& point : backwards) SolveNormal(contact, point, pass, def);
  }
}

void ApplyRestitution(ContactConstraint& contact, const SubstepDef& def) {
  for (PointConstraint& point : contact.points) {
    if (point.restitution == 0.0f) continue;
    if (point.approach > -def.solver.restitution_threshold) continue;
    if (point.largest_normal_impulse == 0.0f) continue;
    const float speed = Speed(point.normal, *contact.a, *contact.b);
    ApplyNormal(contact, point, -point.normal.mass * (speed + point.restitution * point.approach));
  }
}

void Store(const ContactConstraint& constraint, Contact& contact) {
  for (std::size_t i = 0; i < constraint.points.size(); ++i) {
    const PointConstraint& point = constraint.points[i];
    contact.impulses[i] = {point.normal.impulse, point.tangent1.axis * point.tangent1.impulse +
                                                     point.tangent2.axis * point.tangent2.impulse};
  }
  contact.rolling_impulse = constraint.rolling_impulse;
}

}  // namespace nowait
