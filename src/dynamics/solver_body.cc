#include "src/dynamics/solver_body.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace nowait {
namespace {

// The limit is at most 10,000 (src/world/make_body.cc), so its square is a float. The square of a
// velocity that overlapping bodies of very unequal masses give each other may overflow.
Vec3 Limited(Vec3 velocity, float limit) {
  const float squared = LengthSquared(velocity);
  if (squared <= limit * limit) return velocity;
  if (squared <= std::numeric_limits<float>::max()) return velocity * (limit / std::sqrt(squared));
  const Vec3 size = Abs(velocity);
  const Vec3 direction = velocity * (1.0f / std::max({size.x, size.y, size.z}));
  return direction * (limit / Length(direction));
}

// One step of Newton's method on the implicit Euler step of I dw/dt + w x I w = 0, in the body's
// frame. An explicit step would gain energy and blow up for thin, fast bodies.
Vec3 AfterGyroscopicTorque(Vec3 omega, const Mat3& frame, Vec3 inertia, float h) {
  const Vec3 w = TransposeTimes(frame, omega);
  const Vec3 iw = Multiply(inertia, w);
  const Vec3 residual = Cross(w, iw) * h;
  const Mat3 unit;
  const auto column = [&](int j) {
    const Vec3 e = unit.Column(j);
    return e * inertia[j] + (Cross(w, e) * inertia[j] - Cross(iw, e)) * h;
  };
  const Mat3 jacobian{column(0), column(1), column(2)};
  const Vec3 after = frame * (w - Solve(jacobian, residual));
  // With a turn of many radians the step may have no solution. Such a body keeps its spin, like one
  // without gyroscopic torque.
  return IsFinite(after) ? after : omega;
}

// The vector without its parts along the locked axes.
Vec3 Unlocked(Vec3 v, const TurnLock& lock) {
  return {lock.x ? 0.0f : v.x, lock.y ? 0.0f : v.y, lock.z ? 0.0f : v.z};
}

// A torque along the locked axis cancels what any other torque does about it.
Mat3 WithoutTurn(const Mat3& inverse, int axis) {
  const Vec3 about = inverse.Column(axis);
  if (!(about[axis] > 0.0f)) return inverse;
  const Vec3 others = Vec3{1, 1, 1} - Mat3().Column(axis);
  const auto column = [&](int i) {
    if (i == axis) return Vec3{};
    return Multiply(inverse.Column(i) - about * (about[i] / about[axis]), others);
  };
  return {column(0), column(1), column(2)};
}

}  // namespace

Mat3 InverseInertiaOf(const Body& body) {
  Mat3 inverse = RotateDiagonal(ToMatrix(body.rotation), body.inverse_inertia);
  if (body.no_turn.x) inverse = WithoutTurn(inverse, 0);
  if (body.no_turn.y) inverse = WithoutTurn(inverse, 1);
  if (body.no_turn.z) inverse = WithoutTurn(inverse, 2);
  return inverse;
}

SolverBody Gather(const Body& body, Vec3 gravity) {
  SolverBody solver;
  if (body.inverse_mass == 0.0f) return solver;
  solver.linear_velocity = body.linear_velocity;
  solver.angular_velocity = body.angular_velocity;
  solver.inverse_mass = body.inverse_mass;
  solver.frame = ToMatrix(body.rotation);
  solver.inverse_inertia = InverseInertiaOf(body);
  solver.rotation = body.rotation;
  const Vec3 inverse = body.inverse_inertia;
  const float least = std::min(std::min(inverse.x, inverse.y), inverse.z);
  solver.inertia = {least / inverse.x, least / inverse.y, least / inverse.z};
  solver.gyroscopic = !(inverse.x == inverse.y && inverse.y == inverse.z);
  solver.acceleration = gravity * body.gravity_scale;
  if (body.no_turn.any()) {
    solver.angular_velocity = Unlocked(body.angular_velocity, body.no_turn);
    solver.gyroscopic = false;
  }
  if (body.force != Vec3{}) solver.acceleration += body.force * body.inverse_mass;
  solver.angular_acceleration = solver.inverse_inertia * body.torque;
  solver.linear_damping = body.linear_damping;
  solver.angular_damping = body.angular_damping;
  return solver;
}

void Scatter(const SolverBody& solved, const SolverDef& def, Body& body) {
  body.linear_velocity = Limited(solved.linear_velocity, def.max_linear_speed);
  body.angular_velocity = Limited(solved.angular_velocity, def.max_angular_speed);
  body.position += solved.moved;
  body.rotation = solved.rotation;
}

void IntegrateVelocity(SolverBody& body, float h, const SolverDef& def) {
  Vec3 v = body.linear_velocity + body.acceleration * h;
  Vec3 w = body.angular_velocity;
  if (body.angular_acceleration != Vec3{}) w += body.angular_acceleration * h;
  if (body.gyroscopic) w = AfterGyroscopicTorque(w, body.frame, body.inertia, h);
  v *= 1.0f / (1.0f + h * body.linear_damping);
  w *= 1.0f / (1.0f + h * body.angular_damping);
  body.linear_velocity = Limited(v, def.max_linear_speed);
  body.angular_velocity = Limited(w, def.max_angular_speed);
}

void IntegratePosition(SolverBody& body, float h, const SolverDef& def) {
  body.linear_velocity = Limited(body.linear_velocity, def.max_linear_speed);
  body.angular_velocity = Limited(body.angular_velocity, def.max_angular_speed);
  body.moved += body.linear_velocity * h;
  body.turned += body.angular_velocity * h;
  body.rotation = Integrate(body.rotation, body.angular_velocity, h);
}

}  // namespace nowait
