// ContactConstraint: one contact as the solver sees it.
//
// Per point: a normal impulse that only pushes, and two friction impulses within Coulomb's cone of
// it. Per contact: a rolling resistance, an angular impulse of at most a lever arm times the normal
// impulses. Each is corrected in turn so that its own relative velocity is right, and keeps the sum
// of its corrections. Clamping the sum and not the correction allows an impulse that was too large
// to be taken back ("sequential impulses" with accumulation).
//
// Penetration is undone by a soft constraint: an overdamped spring and damper, as stiff as the
// sub-step can follow. Its velocity is used only in the first of two passes; the second pass
// ("relax") solves for the true velocity, so that undoing penetration adds no energy.
//
// Source: E. Catto, "Iterative Dynamics with Temporal Coherence", 2005; "Fast and Simple Physics
// using Sequential Impulses", GDC 2006; "Modeling and Solving Constraints", GDC 2009; "Soft
// Constraints", GDC 2011; "Solver2D", 2024 (the soft step). Lecture: contacts, the plain solver
// and the whole physics update.
#ifndef NOWAIT_SRC_DYNAMICS_CONTACT_CONSTRAINT_H_
#define NOWAIT_SRC_DYNAMICS_CONTACT_CONSTRAINT_H_

#include <cstdint>
#include <span>

#include "src/dynamics/contact.h"
#include "src/dynamics/contact_order.h"
#include "src/dynamics/row.h"
#include "src/dynamics/softness.h"
#include "src/dynamics/solver_body.h"
#include "src/dynamics/solver_def.h"
#include "src/math/mat3.h"
#include "src/math/vec3.h"

namespace nowait {

// The values that all contacts and joints of a step share.
struct SubstepDef {
  SubstepDef(const SolverDef& def, float dt);

  SolverDef solver;
  float h;                 // length of a sub-step
  Softness between;        // two bodies that move
  Softness against_fixed;  // stiffer: the ground does not give way
  Softness joint;
};

struct PointConstraint {
  Row normal;
  Row tangent1;
  Row tangent2;
  float separation = 0.0f;  // at the start of the step
  float friction = 0.0f;
  float restitution = 0.0f;
  float slide1 = 0.0f;  // of the surface velocity, along the tangents
  float slide2 = 0.0f;
  float approach = 0.0f;  // normal velocity at the start; negative when the bodies approach
  float largest_normal_impulse = 0.0f;  // whether it ever pushed in this step
};

struct ContactConstraint {
  SolverBody* a = nullptr;
  SolverBody* b = nullptr;
  std::span<PointConstraint> points;
  Softness softness;
  float rolling_length = 0.0f;
  Mat3 rolling_mass;
  Vec3 rolling_impulse;
};

// The constraint of `contact` between a and b at the places `centre_a` and `centre_b`. now: the
// contact's points, where these places put them (contact_recycling.h). points: one for each.
ContactConstraint Prepare(const Contact& contact, std::span<const ContactPoint> now, Vec3 centre_a,
                          Vec3 centre_b, SolverBody& a, SolverBody& b,
                          std::span<PointConstraint> points, const SubstepDef& def);

// Applies the impulses kept from the last step.
void WarmStart(ContactConstraint& contact);

enum class Pass : std::uint8_t { kPushOut, kRelax };

// One correction of each impulse. points: their order.
void Solve(ContactConstraint& contact, Pass pass, const SubstepDef& def,
           ContactOrder points = ContactOrder::kForwards);

// Gives points that collided fast enough their velocity of separation. Called once, after the
// sub-steps.
void ApplyRestitution(ContactConstraint& contact, const SubstepDef& def);

// Keeps the impulses for the next step.
void Store(const ContactConstraint& constraint, Contact& contact);

}  // namespace nowait

#endif  // NOWAIT_SRC_DYNAMICS_CONTACT_CONSTRAINT_H_
