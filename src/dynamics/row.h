// Row: one direction in which two bodies can move against each other.
//
// It is the Jacobian of a relative velocity, linear at a point or angular, with the effect of an
// impulse along it. Contacts and joints are made of rows, and solve each by a scalar division.
//
// Source: E. Catto, "Modeling and Solving Constraints", GDC 2009.
#ifndef NOWAIT_SRC_DYNAMICS_ROW_H_
#define NOWAIT_SRC_DYNAMICS_ROW_H_

#include <algorithm>

#include "src/dynamics/solver_body.h"
#include "src/math/vec3.h"

namespace nowait {

struct Row {
  Vec3 axis;    // zero for an angular row
  Vec3 turn_a;  // how much the rotation of a body adds to the velocity: arm x axis, or the axis
  Vec3 turn_b;
  Vec3 spin_a;  // the change of angular velocity by an impulse of one
  Vec3 spin_b;
  float mass = 0.0f;  // the impulse that changes the relative velocity by one
  float impulse = 0.0f;
};

// linear: the change of the relative velocity by a linear impulse of one along the row.
inline Row MakeRow(const SolverBody& a, const SolverBody& b, Vec3 axis, float linear, Vec3 turn_a,
                   Vec3 turn_b) {
  Row row;
  row.axis = axis;
  row.turn_a = turn_a;
  row.turn_b = turn_b;
  row.spin_a = a.inverse_inertia * row.turn_a;
  row.spin_b = b.inverse_inertia * row.turn_b;
  // An energy is never negative, but rounding can make it negative for the tensor of a needle.
  const float angular = std::max(Dot(row.turn_a, row.spin_a) + Dot(row.turn_b, row.spin_b), 0.0f);
  const float k = linear + angular;
  row.mass = k > 0.0f ? 1.0f / k : 0.0f;
  return row;
}

// The velocity of b away from a along the unit vector `axis`, at points at the ends of the arms.
inline Row MakeLinearRow(const SolverBody& a, const SolverBody& b, Vec3 arm_a, Vec3 arm_b,
                         Vec3 axis) {
  return MakeRow(a, b, axis, a.inverse_mass + b.inverse_mass, Cross(arm_a, axis),
                 Cross(arm_b, axis));
}

// The angular velocity of b against a, times `axis`, of any length.
inline Row MakeAngularRow(const SolverBody& a, const SolverBody& b, Vec3 axis) {
  return MakeRow(a, b, {}, 0.0f, axis, axis);
}

// The same direction from the other side.
inline Row Reversed(Row row) {
  for (Vec3 Row::*of : {&Row::axis, &Row::turn_a, &Row::turn_b, &Row::spin_a, &Row::spin_b}) {
    row.*of = -(row.*of);
  }
  return row;
}

// The largest impulse of a row whose mass is `mass`. An impulse that holds a mountain gives a fly
// more velocity than a float has digits to take back. So an impulse changes the relative velocity
// by at most kMostChange; where two bodies' masses differ by a factor of a million or more, the
// light one does not carry the heavy one.
inline constexpr float kMostChange = 1e5f;  // metres or radians a second

inline float MostImpulse(const Row& row) { return row.mass * kMostChange; }

inline float WithinMost(float impulse, const Row& row) {
  return std::clamp(impulse, -MostImpulse(row), MostImpulse(row));
}

// How fast b moves away from a along the row.
inline float Speed(const Row& row, const SolverBody& a, const SolverBody& b) {
  return Dot(row.axis, b.linear_velocity - a.linear_velocity) +
         (Dot(row.turn_b, b.angular_velocity) - Dot(row.turn_a, a.angular_velocity));
}

inline void Apply(const Row& row, float impulse, SolverBody& a, SolverBody& b) {
  // An impulse that turns a mountain, by the mass of a fly, is infinite, and zero times it is NaN.
  if (row.axis != Vec3{}) {
    a.linear_velocity -= row.axis * (impulse * a.inverse_mass);
    b.linear_velocity += row.axis * (impulse * b.inverse_mass);
  }
  a.angular_velocity -= row.spin_a * impulse;
  b.angular_velocity += row.spin_b * impulse;
}

inline void ApplyAngularImpulse(SolverBody& a, SolverBody& b, Vec3 impulse) {
  a.angular_velocity -= a.inverse_inertia * impulse;
  b.angular_velocity += b.inverse_inertia * impulse;
}

}  // namespace nowait

#endif  // NOWAIT_SRC_DYNAMICS_ROW_H_
