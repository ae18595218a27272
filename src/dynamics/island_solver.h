// SolveIsland: one step of the bodies of one island.
//
//   for each sub-step:  velocities <- forces
//                       apply known impulses         (warm start)
//                       solve, pushing out           (soft)
//                       positions <- velocities
//                       solve, relaxing              (rigid)
//   once:               restitution
//
// Many small steps with one pass each converge better than one step with many passes. Joints come
// before contacts: a ragdoll whose joints give way looks better than one that sinks into the floor.
//
// This is the plain solver: scalar, one contact after the other in the order given. Faster ones are
// tested against it. Islands share no data that is written, so several are solved at once. Several
// threads can solve a large one, stage by stage (RunStage; src/world/large_island.h).
//
// Thread safety: the caller owns the bodies, joints and contacts that it passes.
//
// Source: M. Macklin and others, "Small Steps in Physics Simulation", SCA 2019; E. Catto,
// "Solver2D", 2024. Lecture: contacts, the plain solver and the whole physics update.
#ifndef NOWAIT_SRC_DYNAMICS_ISLAND_SOLVER_H_
#define NOWAIT_SRC_DYNAMICS_ISLAND_SOLVER_H_

#include <array>
#include <cstdint>
#include <span>

#include "src/dynamics/contact_constraint.h"
#include "src/dynamics/joint_constraint.h"
#include "src/dynamics/solver_body.h"

namespace nowait {

enum class SolverStage : std::uint8_t {
  kVelocities,  // of bodies
  kWarmStart,   // of joints and contacts, as all below but kPositions
  kPushOut,
  kPositions,  // of bodies
  kRelax,
  kRestitution,  // of contacts alone
};

// The stages of a sub-step, in their order. After the last sub-step: kRestitution.
inline constexpr std::array kSubstepStages = {SolverStage::kVelocities, SolverStage::kWarmStart,
                                              SolverStage::kPushOut, SolverStage::kPositions,
                                              SolverStage::kRelax};

constexpr bool IsOfBodies(SolverStage stage) {
  return stage == SolverStage::kVelocities || stage == SolverStage::kPositions;
}

// A stage of some of an island's bodies, or of some of its joints or contacts in the order given.
void RunStage(SolverStage stage, std::span<SolverBody> bodies, const SubstepDef& def);
void RunStage(SolverStage stage, std::span<JointConstraint> joints, const SubstepDef& def);
void RunStage(SolverStage stage, std::span<ContactConstraint> contacts, const SubstepDef& def);

// All stages of all sub-steps. joints, contacts: prepared; their bodies are among `bodies` or
// `driven`, or fixed. driven: bodies without a mass, which no constraint can move, and which move
// with their velocities. The result depends on the order of the constraints, which the caller
// therefore fixes.
void SolveIsland(std::span<SolverBody> bodies, std::span<JointConstraint> joints,
                 std::span<ContactConstraint> contacts, const SubstepDef& def,
                 std::span<SolverBody> driven = {});

}  // namespace nowait

#endif  // NOWAIT_SRC_DYNAMICS_ISLAND_SOLVER_H_
