#include "src/dynamics/island_solver.h"

#include <ranges>

#include "src/dynamics/wide_contacts.h"

namespace nowait {
namespace {

void RunBackwards(SolverStage stage, std::span<ContactBlock> blocks, const SubstepDef& def) {
  while (!blocks.empty()) RunStage(stage, TakeColour(blocks, ContactOrder::kBackwards), def);
}

template <class Contacts>
void RunEach(SolverStage stage, Contacts contacts, const SubstepDef& def, ContactOrder points) {
  switch (stage) {
    case SolverStage::kWarmStart:
      for (ContactConstraint& contact : contacts) WarmStart(contact);
      break;
    case SolverStage::kPushOut:
      for (ContactConstraint& contact : contacts) Solve(contact, Pass::kPushOut, def, points);
      break;
    case SolverStage::kRelax:
      for (ContactConstraint& contact : contacts) Solve(contact, Pass::kRelax, def, points);
      break;
    case SolverStage::kRestitution:
      for (ContactConstraint& contact : contacts) ApplyRestitution(contact, def);
      break;
    case SolverStage::kVelocities:
    case SolverStage::kPositions:
      break;  // of bodies
  }
}

}  // namespace

void RunStage(SolverStage stage, std::span<SolverBody> bodies, const SubstepDef& def) {
  if (stage == SolverStage::kVelocities) {
    for (SolverBody& body : bodies) IntegrateVelocity(body, def.h, def.solver);
  } else {
    for (SolverBody& body : bodies) IntegratePosition(body, def.h, def.solver);
  }
}

void RunStage(SolverStage stage, std::span<ContactConstraint> contacts, const SubstepDef& def,
              PassOrder order) {
  if (order.contacts == ContactOrder::kBackwards) {
    RunEach(stage, std::views::reverse(contacts), def, order.points);
  } else {
    RunEach(stage, contacts, def, order.points);
  }
}

void RunStage(SolverStage stage, std::span<JointConstraint> joints, const SubstepDef& def) {
  switch (stage) {
    case SolverStage::kWarmStart:
      for (JointConstraint& joint : joints) WarmStart(joint);
      break;
    case SolverStage::kPushOut:
      for (JointConstraint& joint : joints) Solve(joint, Pass::kPushOut, def);
      break;
    case SolverStage::kRelax:
      for (JointConstraint& joint : joints) Solve(joint, Pass::kRelax, def);
      break;
    case SolverStage::kRestitution:
    case SolverStage::kVelocities:
    case SolverStage::kPositions:
      break;  // of contacts or bodies
  }
}

void SolveIsland(std::span<SolverBody> bodies, std::span<JointConstraint> joints,
                 std::span<ContactConstraint> contacts, const SubstepDef& def,
                 std::span<SolverBody> driven, std::span<ContactBlock> blocks, bool is_slender) {
  for (std::uint32_t substep = 0; substep < def.solver.substeps; ++substep) {
    const PassOrder order = OrderOf(substep, is_slender);
    for (const SolverStage stage : kSubstepStages) {
      if (IsOfBodies(stage)) {
        RunStage(stage, bodies, def);
        if (stage == SolverStage::kPositions) RunStage(stage, driven, def);
      } else {
        RunStage(stage, joints, def);
        // Most islands are small and have no block: not even the calls are for nothing.
        if (order.contacts == ContactOrder::kForwards) {
          if (!blocks.empty()) RunStage(stage, blocks, def);
          RunStage(stage, contacts, def, order);
        } else {
          RunStage(stage, contacts, def, order);
          RunBackwards(stage, blocks, def);
        }
      }
    }
  }
  if (!blocks.empty()) RunStage(SolverStage::kRestitution, blocks, def);
  RunStage(SolverStage::kRestitution, contacts, def);
}

}  // namespace nowait
