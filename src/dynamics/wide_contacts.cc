#include "src/dynamics/wide_contacts.h"

#include "src/base/cpu.h"
#include "src/dynamics/wide_contacts_16.h"
#include "src/dynamics/wide_kernel.h"
#include "src/dynamics/wide_prepare.h"

namespace nowait {

void Prepare(ContactBlock& block) { PrepareWide(WideBlocks<kBlockLanes>(&block)); }

ContactLanes WidestContactLanes() {
  static const bool has_16 = CpuHasAvx512();
  return has_16 ? ContactLanes::k16 : ContactLanes::k8;
}

void RunStage(SolverStage stage, std::span<ContactBlock> blocks, const SubstepDef& def,
              ContactLanes lanes) {
  if (lanes == ContactLanes::k16) {
    RunStage16(stage, blocks.data(), blocks.size(), def);
  } else {
    for (ContactBlock& block : blocks) RunGroup<kBlockLanes>(stage, &block, def);
  }
}

void RunStage(SolverStage stage, std::span<ContactBlock> blocks, const SubstepDef& def) {
  RunStage(stage, blocks, def, WidestContactLanes());
}

}  // namespace nowait
