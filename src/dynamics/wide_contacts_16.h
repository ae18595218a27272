// RunStage16: the unit of wide_contacts.h that is compiled for AVX-512. Only for wide_contacts.cc,
// which knows whether the machine has it.
#ifndef NOWAIT_SRC_DYNAMICS_WIDE_CONTACTS_16_H_
#define NOWAIT_SRC_DYNAMICS_WIDE_CONTACTS_16_H_

#include <cstddef>

#include "src/dynamics/contact_block.h"
#include "src/dynamics/contact_constraint.h"
#include "src/dynamics/solver_stage.h"

namespace nowait {

// As RunStage with sixteen lanes.
void RunStage16(SolverStage stage, ContactBlock* blocks, std::size_t count, const SubstepDef& def);

}  // namespace nowait

#endif  // NOWAIT_SRC_DYNAMICS_WIDE_CONTACTS_16_H_
