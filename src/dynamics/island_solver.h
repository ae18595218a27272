// SolveIsland: one step of the bodies of one island.
//
//   for each sub-step:  velocities <- forces
//                       apply known impulses         (warm start)   joints
//                       solve, pushing out           (soft)           |
//                       positions <- velocities                     contacts in blocks, wide
//                       solve, relaxing              (rigid)          |
//   once:               restitution                                 other contacts, plain
//
// Many small steps with one pass each converge better than one step with many passes. Joints come
// before contacts: a ragdoll whose joints give way looks better than one that sinks into the floor.
// contact_order.h has the order of the contacts in each sub-step.
//
// The plain form (RunStage of joints and of ContactConstraints) is scalar: one after the other in
// the order given. Contacts that share no body are packed into blocks, eight to a block, and solved
// at once (wide_contacts.h). The result has the bits of the plain form in the order of the blocks,
// and the tests compare the two. block_plan.h makes the order. Islands share no data that is
// written, so several are solved at once. Several threads can solve a large one, stage by stage
// (src/world/large_island.h).
//
// Thread safety: the caller owns the bodies, joints and contacts that it passes.
//
// Source: M. Macklin and others, "Small Steps in Physics Simulation", SCA 2019; E. Catto,
// "Solver2D", 2024. Lecture: contacts, the plain solver and the whole physics update.
#ifndef NOWAIT_SRC_DYNAMICS_ISLAND_SOLVER_H_
#define NOWAIT_SRC_DYNAMICS_ISLAND_SOLVER_H_

#include <span>

#include "src/dynamics/contact_block.h"
#include "src/dynamics/contact_constraint.h"
#include "src/dynamics/contact_order.h"
#include "src/dynamics/joint_constraint.h"
#include "src/dynamics/solver_body.h"
#include "src/dynamics/solver_stage.h"

namespace nowait {

// A stage of some of an island's bodies, of some of its joints in the order given, or of some of
// its contacts in that order or as `order` turns it round.
void RunStage(SolverStage stage, std::span<SolverBody> bodies, const SubstepDef& def);
void RunStage(SolverStage stage, std::span<JointConstraint> joints, const SubstepDef& def);
void RunStage(SolverStage stage, std::span<ContactConstraint> contacts, const SubstepDef& def,
              PassOrder order = {});

// All stages of all sub-steps. joints, contacts, blocks: prepared; their bodies are among `bodies`
// or `driven`, or fixed. driven: bodies without a mass, which no constraint can move, and which
// move with their velocities. blocks: contacts that come before the others. is_slender: by which
// order (contact_order.h); such an island has no blocks. The result depends on the order of the
// constraints, which the caller therefore fixes.
void SolveIsland(std::span<SolverBody> bodies, std::span<JointConstraint> joints,
                 std::span<ContactConstraint> contacts, const SubstepDef& def,
                 std::span<SolverBody> driven = {}, std::span<ContactBlock> blocks = {},
                 bool is_slender = false);

}  // namespace nowait

#endif  // NOWAIT_SRC_DYNAMICS_ISLAND_SOLVER_H_
