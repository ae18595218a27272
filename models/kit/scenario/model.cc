#include "models/kit/scenario/model.h"

namespace nowait::model {

void* AllocateBlock(std::size_t size, std::size_t alignment, const Site& site) {
  const MachineCall machine = CurrentMachine();
  Memory& memory = machine->memory();
  void* block = machine->TakeFreedBlock(size, alignment, site);
  if (block == nullptr) block = memory.Allocate(size, alignment, machine->Now(), machine.region());
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
  machine->FreeBlock(block, site);
  machine->trace().Add(machine->Thread(), OperationKind::kDelete, site).object =
      machine->memory().NumberOf(block);
}

std::uint32_t AskForThread(const Site& site) {
  const MachineCall machine = CurrentMachine();
  const int thread = machine->Thread();
  if (thread < 0) return 0;
  if (machine->AreSymmetric()) {
    machine->Fail(FailureKind::kNondeterminism,
                  "a thread asks which one it is, and is written as one of several that are alike: "
                  "write Thread(int)",
                  site);
  }
  return static_cast<std::uint32_t>(thread);
}

}  // namespace nowait::model
