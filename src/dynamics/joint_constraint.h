// JointConstraint: one joint as the solver sees it.
//
// A joint is made of a few parts of the same form, whatever its kind:
//
//   point    up to three directions in which the anchors do not move apart    (an impulse)
//   angle    up to three in which the bodies do not turn against each other    (angular impulse)
//   drive    three soft ones, which pull to a pose, with a largest torque
//   rows     one direction each: motor, spring, lower and upper limit, cone
//   coupling a gear's or pulley's second pair of bodies: its row goes with the first pair's, and
//            one impulse acts on both
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

#include <cstdint>
#include <span>

#include "src/bodies/body.h"
#include "src/dynamics/contact_constraint.h"
#include "src/dynamics/joint.h"
#include "src/dynamics/joint_frames.h"
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
  enum class Kind : std::uint8_t { kOff, kRigid, kSpring, kSoftLimit, kLimit, kMotor };
  Kind kind = Kind::kOff;
  Row row;
  float error = 0.0f;   // how far the bodies are along the row; of a limit: the gap
  float speed = 0.0f;   // of a motor
  float most = 0.0f;    // the largest impulse of a motor, also of one that is a spring
  Softness softness{};  // of a spring
  float second = 0.0f;  // 1 or -1: along the coupling's row as well, or against it
};

// The second pair of bodies of a gear or pulley.
struct JointCoupling {
  JointEnds ends;
  bool first_slides = false;  // along the x axis; a hinge turns about it
  bool second_slides = false;
  Row row;  // times the ratio
  GearTeeth teeth;
};

struct JointConstraint {
  JointEnds ends;  // of a gear: those of its first joint; of a pulley: its ground and a
  const JointDef* def = nullptr;

  Vec3 arm_a;  // to where the point block's impulse acts
  Vec3 arm_b;
  JointBlock point;
  JointBlock angle;
  JointBlock drive;
  Softness drive_softness;
  std::span<JointRow> rows;
  JointCoupling coupling;  // of a gear or pulley

  float position = 0.0f;  // as Joint
  float force = 0.0f;
  float torque = 0.0f;

  JointRow& operator[](JointRole role) { return rows[static_cast<std::size_t>(role)]; }
};

// A body, and the solver's.
struct EndBody {
  const Body* body;
  SolverBody* solver;
};
struct EndBodies {
  EndBody a;
  EndBody b;
};

// The constraint of `joint`, which is neither gear nor pulley, between two bodies. The joint stays
// where it is until Store. rows: RowsOf(joint's kind), alive as long as the constraint.
JointConstraint Prepare(const Joint& joint, const EndBodies& bodies, std::span<JointRow> rows,
                        const SubstepDef& def);

// Likewise of a gear. first, second: its joints, hinges or sliders, with their bodies.
struct GearSide {
  const Joint* joint;
  EndBodies bodies;
};
JointConstraint PrepareGear(const Joint& gear, const GearSide& first, const GearSide& second,
                            std::span<JointRow> rows);

// Likewise of a pulley. still: a body that stays where it is, of no other thread's.
JointConstraint PreparePulley(const Joint& pulley, const EndBodies& bodies, SolverBody& still,
                              std::span<JointRow> rows);

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
