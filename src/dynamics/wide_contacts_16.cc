// The unit that is compiled for AVX-512, and always optimised (BUILD). Its instances of templates
// are named after its instruction set, and functions that it shares with other units are inlined.
// So the linker never takes one of its functions for a machine that can't run it.
#include "src/dynamics/wide_contacts_16.h"

#include "src/dynamics/wide_kernel.h"

#ifndef __AVX512F__
#error "this unit is for AVX-512"
#endif

namespace nowait {

void RunStage16(SolverStage stage, ContactBlock* blocks, std::size_t count, const SubstepDef& def) {
  for (std::size_t i = 0; i < count;) {
    const bool is_pair = i + 1 < count && blocks[i].colour == blocks[i + 1].colour &&
                         blocks[i].points.size() == blocks[i + 1].points.size();
    if (is_pair) {
      RunGroup<2 * kBlockLanes>(stage, blocks + i, def);
      i += 2;
    } else {
      RunGroup<kBlockLanes>(stage, blocks + i, def);
      i += 1;
    }
  }
}

}  // namespace nowait
