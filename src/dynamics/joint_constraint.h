// JointConstraint: one joint as the solver sees it.
//
// A joint is made of a few parts of the same form, whatever its kind:
//
//   point    up to three directions in which the anchors do not move apart    (an impulse)
//   angle    up to three in which the bodies do not turn against each other    (angular impulse)
//   drive    three soft ones, which pull to a pose, with a largest torque
//   rows     one direction each: motor, spring, lower and upper limit, cone
//
// The directions of point and of angle are solved at once, by the inverse of their effective mass,
// because they pull at each other: one after the other, a joint would stretch in a diagonal. Where
// a direction is free (the axis of a hinge) the inverse is that of the other two. Limits come after
// motors and springs, then angle, then point: the last one is satisfied best.
//
// Bodies turn far in a step, so axes, arms and masses are those of the bodies' present rotation:
// they are made anew in each sub-step, before the impulses of the one before are applied, and again
// before the relaxing pass. An error is undone by a soft constraint, as of a contact, and a limit
// may close its gap and no more. Springs and drives keep the error that the sub-step began with:
// they are forces, and the relaxing pass only converges further.
//
// Thread safety: the caller owns the constraint and both bodies.
//
// Source: E. Catto, "Modeling and Solving Constraints", GDC 2009; "Soft Constraints", GDC 2011;
// "Solver2D", 2024.
#ifndef NOWAIT_SRC_DYNAMICS_JOINT_CONSTRAINT_H_
#define NOWAIT_SRC_DYNAMICS_JOINT_CONSTRAINT_H_

#include <array>
#include <cstdint>

#include "src/bodies/body.h"
#include "src/dynamics/contact_constraint.h"
#include "src/dynamics/joint.h"
#include "src/dynamics/row.h"
#include "src/dynamics/softness.h"
#include "src/dynamics/solver_body.h"
#include "src/math/mat3.h"
#include "src/math/vec3.h"

namespace nowait {

// Up to three directions, solved at once.
struct JointBlock {
  bool is_on = false;
  Mat3 response{{}, {}, {}};  // the change of the relative velocity by an impulse of one
  Mat3 mass{{}, {}, {}};      // its inverse in the directions that are held, zero in the others
  Vec3 error;
  Vec3 impulse;
};

struct JointRow {
  enum class Kind : std::uint8_t { kOff, kRigid, kSpring, kLimit, kMotor } kind = Kind::kOff;
  Row row;
  float error = 0.0f;   // how far the bodies are along the row; of a limit: the gap
  float speed = 0.0f;   // of a motor
  float most = 0.0f;    // the largest impulse of a motor
  Softness softness{};  // of a spring
};

struct JointConstraint {
  SolverBody* a = nullptr;
  SolverBody* b = nullptr;
  const JointDef* def = nullptr;
  // Seen from the solver's bodies. Of a body that joints cannot move, which the solver has at the
  // origin without a rotation: in the world.
  JointFrame frame_a;
  JointFrame frame_b;
  Vec3 between;  // from a's centre to b's at the start of the step

  Vec3 arm_a;  // to where the point block's impulse acts
  Vec3 arm_b;
  JointBlock point;
  JointBlock angle;
  JointBlock drive;
  Softness drive_softness;
  std::array<JointRow, kJointRoles> rows;

  float position = 0.0f;  // as Joint
  float force = 0.0f;
  float torque = 0.0f;

  JointRow& operator[](JointRole role) { return rows[static_cast<std::size_t>(role)]; }
};

// The constraint of `joint` between the bodies a and b, which the solver has as solver_a and
// solver_b. The joint stays where it is until Store.
JointConstraint Prepare(const Joint& joint, const Body& a, const Body& b, SolverBody& solver_a,
                        SolverBody& solver_b, const SubstepDef& def);

enum class Moment : std::uint8_t { kSubstepBegins, kBodiesHaveMoved };

// Makes arms, axes, masses and errors those of the bodies' present places. For the solver, and for
// tests.
void Refresh(JointConstraint& joint, Moment moment);

// Refreshes, and applies the impulses of the sub-step before.
void WarmStart(JointConstraint& joint);

// One correction of each impulse. The relaxing pass refreshes first.
void Solve(JointConstraint& joint, Pass pass, const SubstepDef& def);

// Keeps the impulses for the next step, and what the joint had to hold.
void Store(const JointConstraint& constraint, Joint& joint);

}  // namespace nowait

#endif  // NOWAIT_SRC_DYNAMICS_JOINT_CONSTRAINT_H_
