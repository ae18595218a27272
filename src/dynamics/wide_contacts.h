// RunStage for blocks: a stage of eight or sixteen contacts at once.
//
//   block      8 contacts of one colour: bodies a, bodies b, points
//   prepare    tangents, masses, kept impulses; once
//   gather     velocities of 8 bodies a and 8 bodies b   -> registers, by a transposition
//   solve      rolling, then friction, then normals of each point, all lanes alike
//   scatter    registers -> velocities of the bodies that move
//
// Promise: the bits of Prepare and RunStage for ContactConstraints of the same contacts. Each lane
// does the operations of the plain form (contact_constraint.cc) in the same order. The contacts of
// one colour touch no common body that moves, so their order changes nothing. Where the machine has
// AVX-512, its sixteen lanes work on two blocks of one colour with as many points. The result does
// not depend on it.
//
// Where the plain form branches, a lane calculates both sides and selects one. A lane of padding,
// or without the point at hand, keeps its numbers. No lane divides by zero.
//
// Thread safety: as the blocks. Complexity: O(points); no allocation.
//
// Source: as ContactBlock. Test: tests/dynamics/wide_contacts_test.cc.
#ifndef NOWAIT_SRC_DYNAMICS_WIDE_CONTACTS_H_
#define NOWAIT_SRC_DYNAMICS_WIDE_CONTACTS_H_

#include <cstdint>
#include <span>

#include "src/dynamics/contact_block.h"
#include "src/dynamics/contact_constraint.h"
#include "src/dynamics/solver_stage.h"

namespace nowait {

enum class ContactLanes : std::uint8_t { k8, k16 };

// Makes tangents, masses and limits from the numbers that were packed; before the first stage.
void Prepare(ContactBlock& block);

// Sixteen, if this machine has them.
ContactLanes WidestContactLanes();

// blocks: packed; those of one colour are neighbours. lanes: that the machine has.
void RunStage(SolverStage stage, std::span<ContactBlock> blocks, const SubstepDef& def,
              ContactLanes lanes);
// With the widest lanes.
void RunStage(SolverStage stage, std::span<ContactBlock> blocks, const SubstepDef& def);

}  // namespace nowait

#endif  // NOWAIT_SRC_DYNAMICS_WIDE_CONTACTS_H_
