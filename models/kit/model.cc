#include "models/kit/model.h"

namespace nowait::model {

void* AllocateBlock(std::size_t size, std::size_t alignment, const Site& site) {
  const MachineCall machine = CurrentMachine();
  Memory& memory = machine->memory();
  const Moment now = machine->Now();
  const bool again = memory.CanReuse(size, alignment, now) && machine->Choose(2) == 1;
  void* block = again ? memory.AllocateAgain(size, alignment, now)
                      : memory.Allocate(size, alignment, now, machine.region());
  machine->trace().Add(machine->Thread(), OperationKind::kNew, site).object =
      memory.NumberOf(block);
  return block;
}

void RequireBlock(const void* block, const Site& site) {
  if (!CurrentMachine()->memory().IsAllocated(block)) {
    FailExecution(FailureKind::kDoubleFree, "Delete of a block that is not allocated", site);
  }
}

void FreeBlock(void* block, const Site& site) {
  const MachineCall machine = CurrentMachine();
  machine->trace().Add(machine->Thread(), OperationKind::kDelete, site).object =
      machine->memory().NumberOf(block);
  machine->memory().Free(block, machine->Now());
}

}  // namespace nowait::model
