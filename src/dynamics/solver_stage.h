// SolverStage: the stages of a step of an island, in their order.
#ifndef NOWAIT_SRC_DYNAMICS_SOLVER_STAGE_H_
#define NOWAIT_SRC_DYNAMICS_SOLVER_STAGE_H_

#include <array>
#include <cstdint>

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

}  // namespace nowait

#endif  // NOWAIT_SRC_DYNAMICS_SOLVER_STAGE_H_
