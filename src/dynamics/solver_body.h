// SolverBody: the data of a body that the solver reads and writes, gathered for one step.
//
// Position and rotation are kept as differences from the start of the step: contact points and
// their lever arms stay those of the narrow phase, and a separation is its first value plus the
// bodies' motion since. That is exact to first order in the rotation. For a rolling ball it is
// better than rotating its lever arm, which would lift the contact off the ground.
//
// Source: semi-implicit (symplectic) Euler and the implicit gyroscopic torque: E. Catto, "Numerical
// Methods", GDC 2015. Lecture: contacts, the plain solver and the whole physics update.
#ifndef NOWAIT_SRC_DYNAMICS_SOLVER_BODY_H_
#define NOWAIT_SRC_DYNAMICS_SOLVER_BODY_H_

#include "src/bodies/body.h"
#include "src/dynamics/solver_def.h"
#include "src/math/mat3.h"
#include "src/math/quat.h"
#include "src/math/vec3.h"

namespace nowait {

struct SolverBody {
  Vec3 linear_velocity;
  Vec3 angular_velocity;
  Vec3 moved;   // since the start of the step
  Vec3 turned;  // likewise: the sum of angular velocity times time
  float inverse_mass = 0.0f;
  Mat3 inverse_inertia{{}, {}, {}};  // in the world, as at the start of the step

  Quat rotation;
  Mat3 frame;               // the rotation at the start of the step
  Vec3 inertia;             // about the body's axes
  bool gyroscopic = false;  // its moments differ, so its free rotation is not steady
  Vec3 acceleration;
  float linear_damping = 0.0f;
  float angular_damping = 0.0f;
  Vec3 angular_acceleration;  // by torques
};

// Of the body in the world. Axes about which it does not turn give none: their response is that of
// the body with whatever torque holds it.
Mat3 InverseInertiaOf(const Body& body);

// A body as of the start of the step. For a body that contacts cannot move, a default-constructed
// SolverBody.
SolverBody Gather(const Body& body, Vec3 gravity);

// Writes the result back: velocities within their limits, position, rotation. Position and rotation
// come from IntegratePosition; restitution comes after it, so the limits are applied here as well.
void Scatter(const SolverBody& solved, const SolverDef& def, Body& body);

// Forces, gyroscopic torque and damping over the time `h`; then the speed limits.
void IntegrateVelocity(SolverBody& body, float h, const SolverDef& def);

// Brings the velocities, which contacts have changed, within their limits, and moves and turns the
// body with them for the time `h`.
void IntegratePosition(SolverBody& body, float h, const SolverDef& def);

}  // namespace nowait

#endif  // NOWAIT_SRC_DYNAMICS_SOLVER_BODY_H_
