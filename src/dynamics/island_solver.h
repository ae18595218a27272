// SolveIsland: one step of the bodies of one island, on one thread.
//
//   for each sub-step:  velocities <- forces
//                       apply known impulses         (warm start)
//                       solve, pushing out           (soft)
//                       positions <- velocities
//                       solve, relaxing              (rigid)
//   once:               restitution
//
// Many small steps with one pass each converge better than one step with many passes.
//
// This is the plain solver: scalar, one contact after the other in the order given. Faster ones are
// tested against it. Islands share nothing that is written, so several are solved at once.
//
// Source: M. Macklin and others, "Small Steps in Physics Simulation", SCA 2019; E. Catto,
// "Solver2D", 2024. Lecture: contacts, the plain solver and the whole physics update.
#ifndef NOWAIT_SRC_DYNAMICS_ISLAND_SOLVER_H_
#define NOWAIT_SRC_DYNAMICS_ISLAND_SOLVER_H_

#include <span>

#include "src/dynamics/contact_constraint.h"
#include "src/dynamics/solver_body.h"

namespace nowait {

// contacts: prepared; their bodies are among `bodies`, or fixed. The result depends on their order,
// which is therefore the caller's to fix.
void SolveIsland(std::span<SolverBody> bodies, std::span<ContactConstraint> contacts,
                 const SubstepDef& def);

}  // namespace nowait

#endif  // NOWAIT_SRC_DYNAMICS_ISLAND_SOLVER_H_
