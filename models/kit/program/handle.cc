#include "models/kit/program/handle.h"

namespace nowait::model {

ObjectId Handle::Release() {
  if (mark_ != kAlive) Gone(Site());
  mark_ = kGone;
  return object_;
}

// The trace names the block that contained the object, because the thread that freed that block is
// part of the failure.
void Handle::Gone(const Site& site) const {
  {
    const MachineCall machine = CurrentMachine();
    if (const std::uint32_t block = machine->memory().NumberAround(this); block != 0) {
      machine->trace().Add(machine->Thread(), OperationKind::kUse, site).object = block;
    }
  }
  FailExecution(FailureKind::kUseAfterFree, "an object is used after its end", site);
}

}  // namespace nowait::model
