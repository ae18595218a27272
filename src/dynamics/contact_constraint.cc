#include "src/dynamics/contact_constraint.h"

#include <algorithm>
#include <cmath>

namespace nowait {
namespace {

constexpr float kTwoPi = 6.28318531f;

// What resists a velocity change along `direction` at the ends of the two arms.
float EffectiveMass(const SolverBody& a, const SolverBody& b, Vec3 arm_a, Vec3 arm_b,
                    Vec3 direction) {
  const Vec3 turn_a = Cross(arm_a, direction);
  const Vec3 turn_b = Cross(arm_b, direction);
  const float k = (a.inverse_mass + b.inverse_mass) + (Dot(turn_a, a.inverse_inertia * turn_a) +
                                                       Dot(turn_b, b.inverse_inertia * turn_b));
  return k > 0.0f ? 1.0f / k : 0.0f;
}

Vec3 RelativeVelocity(const SolverBody& a, const SolverBody& b, const PointConstraint& point) {
  return (b.linear_velocity + Cross(b.angular_velocity, point.arm_b)) -
         (a.linear_velocity + Cross(a.angular_velocity, point.arm_a));
}

void ApplyImpulse(SolverBody& a, SolverBody& b, const PointConstraint& point, Vec3 impulse) {
  a.linear_velocity -= impulse * a.inverse_mass;
  a.angular_velocity -= a.inverse_inertia * Cross(point.arm_a, impulse);
  b.linear_velocity += impulse * b.inverse_mass;
  b.angular_velocity += b.inverse_inertia * Cross(point.arm_b, impulse);
}

void ApplyAngularImpulse(SolverBody& a, SolverBody& b, Vec3 impulse) {
  a.angular_velocity -= a.inverse_inertia * impulse;
  b.angular_velocity += b.inverse_inertia * impulse;
}

float SeparationNow(const SolverBody& a, const SolverBody& b, const PointConstraint& point) {
  const Vec3 moved =
      (b.moved + Cross(b.turned, point.arm_b)) - (a.moved + Cross(a.turned, point.arm_a));
  return point.separation + Dot(moved, point.normal);
}

void SolveRolling(ContactConstraint& contact) {
  if (contact.rolling_length == 0.0f) return;
  float pressed = 0.0f;
  for (const PointConstraint& point : contact.points) pressed += point.normal_impulse;
  const float limit = contact.rolling_length * pressed;
  const Vec3 spin = contact.b->angular_velocity - contact.a->angular_velocity;
  const Vec3 old = contact.rolling_impulse;
  Vec3 sum = old - contact.rolling_mass * spin;
  const float squared = LengthSquared(sum);
  if (squared > limit * limit) sum *= limit / std::sqrt(squared);
  contact.rolling_impulse = sum;
  ApplyAngularImpulse(*contact.a, *contact.b, sum - old);
}

void SolveFriction(ContactConstraint& contact, PointConstraint& point) {
  const Vec3 velocity = RelativeVelocity(*contact.a, *contact.b, point);
  const float old1 = point.tangent1_impulse;
  const float old2 = point.tangent2_impulse;
  float sum1 = old1 - point.tangent1_mass * Dot(velocity, point.tangent1);
  float sum2 = old2 - point.tangent2_mass * Dot(velocity, point.tangent2);
  const float limit = contact.friction * point.normal_impulse;
  const float squared = sum1 * sum1 + sum2 * sum2;
  if (squared > limit * limit) {
    const float scale = limit / std::sqrt(squared);
    sum1 *= scale;
    sum2 *= scale;
  }
  point.tangent1_impulse = sum1;
  point.tangent2_impulse = sum2;
  ApplyImpulse(*contact.a, *contact.b, point,
               point.tangent1 * (sum1 - old1) + point.tangent2 * (sum2 - old2));
}

void SolveNormal(ContactConstraint& contact, PointConstraint& point, Pass pass,
                 const SubstepDef& def) {
  const float separation = SeparationNow(*contact.a, *contact.b, point);
  float bias = 0.0f;
  Softness softness;
  if (separation > 0.0f) {
    bias = separation / def.h;  // may close the gap and no more
  } else if (pass == Pass::kPushOut) {
    const float depth = std::min(separation + def.solver.slop, 0.0f);
    bias = std::max(contact.softness.bias_rate * depth, -def.solver.max_push_speed);
    softness = contact.softness;
  }
  const float speed = Dot(RelativeVelocity(*contact.a, *contact.b, point), point.normal);
  const float old = point.normal_impulse;
  const float change =
      -(point.normal_mass * softness.mass_scale) * (speed + bias) - softness.impulse_scale * old;
  point.normal_impulse = std::max(old + change, 0.0f);
  point.largest_normal_impulse = std::max(point.largest_normal_impulse, point.normal_impulse);
  ApplyImpulse(*contact.a, *contact.b, point, point.normal * (point.normal_impulse - old));
}

}  // namespace

Softness Softness::Of(float hertz, float damping_ratio, float h) {
  const float omega = kTwoPi * hertz;
  const float a1 = 2.0f * damping_ratio + h * omega;
  const float a2 = h * omega * a1;
  const float a3 = 1.0f / (1.0f + a2);
  return {omega / a1, a2 * a3, a3};
}

SubstepDef::SubstepDef(const SolverDef& def, float dt)
    : solver(def), h(dt / static_cast<float>(def.substeps)) {
  const float hertz = std::min(def.contact_hertz, 0.25f / h);
  between = Softness::Of(hertz, def.contact_damping_ratio, h);
  against_fixed = Softness::Of(2.0f * hertz, def.contact_damping_ratio, h);
}

ContactConstraint Prepare(const Contact& contact, Vec3 centre_a, Vec3 centre_b, SolverBody& a,
                          SolverBody& b, std::span<PointConstraint> points, const SubstepDef& def) {
  ContactConstraint constraint;
  constraint.a = &a;
  constraint.b = &b;
  constraint.points = points;
  const bool fixed = a.inverse_mass == 0.0f || b.inverse_mass == 0.0f;
  constraint.softness = fixed ? def.against_fixed : def.between;
  constraint.friction = contact.friction;
  constraint.restitution = contact.restitution;
  constraint.rolling_length = contact.rolling_length;
  if (contact.rolling_length > 0.0f) {
    constraint.rolling_mass = Inverse(a.inverse_inertia + b.inverse_inertia);
    constraint.rolling_impulse = contact.rolling_impulse;
  }
  const auto found = contact.manifold.points();
  for (std::size_t i = 0; i < found.size(); ++i) {
    PointConstraint& point = points[i];
    point = {};
    point.arm_a = found[i].position - centre_a;
    point.arm_b = found[i].position - centre_b;
    point.normal = found[i].normal;
    const Tangents tangents = TangentsOf(point.normal);
    point.tangent1 = tangents.first;
    point.tangent2 = tangents.second;
    point.separation = found[i].separation;
    point.approach = Dot(RelativeVelocity(a, b, point), point.normal);
    point.normal_mass = EffectiveMass(a, b, point.arm_a, point.arm_b, point.normal);
    point.tangent1_mass = EffectiveMass(a, b, point.arm_a, point.arm_b, point.tangent1);
    point.tangent2_mass = EffectiveMass(a, b, point.arm_a, point.arm_b, point.tangent2);
    point.normal_impulse = contact.impulses[i].normal;
    point.tangent1_impulse = Dot(contact.impulses[i].friction, point.tangent1);
    point.tangent2_impulse = Dot(contact.impulses[i].friction, point.tangent2);
  }
  return constraint;
}

void WarmStart(ContactConstraint& contact) {
  for (const PointConstraint& point : contact.points) {
    const Vec3 impulse =
        point.normal * point.normal_impulse +
        (point.tangent1 * point.tangent1_impulse + point.tangent2 * point.tangent2_impulse);
    ApplyImpulse(*contact.a, *contact.b, point, impulse);
  }
  ApplyAngularImpulse(*contact.a, *contact.b, contact.rolling_impulse);
}

// Friction before the normal impulses: what comes last is best fulfilled, and bodies that sink into
// each other look worse than bodies that creep.
void Solve(ContactConstraint& contact, Pass pass, const SubstepDef& def) {
  SolveRolling(contact);
  for (PointConstraint& point : contact.points) SolveFriction(contact, point);
  for (PointConstraint& point : contact.points) SolveNormal(contact, point, pass, def);
}

void ApplyRestitution(ContactConstraint& contact, const SubstepDef& def) {
  if (contact.restitution == 0.0f) return;
  for (PointConstraint& point : contact.points) {
    if (point.approach > -def.solver.restitution_threshold) continue;
    if (point.largest_normal_impulse == 0.0f) continue;
    const float speed = Dot(RelativeVelocity(*contact.a, *contact.b, point), point.normal);
    const float old = point.normal_impulse;
    const float change = -point.normal_mass * (speed + contact.restitution * point.approach);
    point.normal_impulse = std::max(old + change, 0.0f);
    ApplyImpulse(*contact.a, *contact.b, point, point.normal * (point.normal_impulse - old));
  }
}

void Store(const ContactConstraint& constraint, Contact& contact) {
  for (std::size_t i = 0; i < constraint.points.size(); ++i) {
    const PointConstraint& point = constraint.points[i];
    contact.impulses[i] = {point.normal_impulse, point.tangent1 * point.tangent1_impulse +
                                                     point.tangent2 * point.tangent2_impulse};
  }
  contact.rolling_impulse = constraint.rolling_impulse;
}

}  // namespace nowait
