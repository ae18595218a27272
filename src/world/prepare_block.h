// SolveStage::PrepareBlock, for the files of SolveStage.
#ifndef NOWAIT_SRC_WORLD_PREPARE_BLOCK_H_
#define NOWAIT_SRC_WORLD_PREPARE_BLOCK_H_

#include "src/dynamics/contact_recycling.h"
#include "src/dynamics/wide_contacts.h"
#include "src/world/solve_stage.h"

namespace nowait {

template <class FixedOf>
void SolveStage::PrepareBlock(std::uint32_t block, const SubstepDef& def,
                              const ContactStore& contacts, FixedOf fixed_of) {
  const PlannedBlock& planned = planned_[block];
  ContactBlock& to = blocks_[block];
  to.colour = planned.colour;
  to.points = std::span(block_points_).subspan(first_block_points_[block], planned.points);
  for (std::uint32_t i = 0; i < kBlockLanes; ++i) {
    const int lane = static_cast<int>(i);
    if (i >= planned.contacts) {
      PackNothing(lane, to);
      continue;
    }
    const std::uint32_t task = planned.first + i;
    if (task + 2 < tasks_.size()) contacts.PrefetchPoints(tasks_[task + 2].contact);
    const Contact& contact = contacts[tasks_[task].contact];
    SolverBody& fixed = fixed_of(task);
    const Body& a = state_.bodies[contact.a.slot()];
    const Body& b = state_.bodies[contact.b.slot()];
    Manifold room;
    Pack(contact, PointsNow(contact, a, b, room), a.position, b.position,
         SolverBodyOf(contact.a, fixed), SolverBodyOf(contact.b, fixed), def, lane, to);
  }
  Prepare(to);
}

}  // namespace nowait

#endif  // NOWAIT_SRC_WORLD_PREPARE_BLOCK_H_
