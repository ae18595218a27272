// EditingMachine: executes edits, between a scenario and a back end's machine.
//
// Neither of the two knows of it: the front end's atomics call the current machine, which is this
// one during the lifetime of an Interposition (models/kit/program/machine.h).
#ifndef NOWAIT_MODELS_KIT_MUTATION_EDITING_MACHINE_H_
#define NOWAIT_MODELS_KIT_MUTATION_EDITING_MACHINE_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "models/kit/mutation/edits.h"
#include "models/kit/program/machine.h"
#include "models/kit/program/site_table.h"

namespace nowait::model {

class EditingMachine final : public Interposer {
 public:
  // edits: must outlive the machine and must not change during its lifetime.
  explicit EditingMachine(const Edits& edits) : edits_(edits) {}

  // From this call on, counts the stores of scenarios' threads in `stores`.
  void CountStoresIn(SiteTable& stores) { stores_ = &stores; }

  // How often a tampering was executed and changed the execution. A mutation without effect is the
  // original program.
  std::uint64_t effects() const { return effects_; }

  void Attach(Machine* machine) override;

  ObjectId NewAtomic(Word value, ValueType type, const Site& site) override;
  void DeleteAtomic(ObjectId object) override;
  Word Load(ObjectId object, std::memory_order order, const Site& site) override;
  void Store(ObjectId object, Word value, std::memory_order order, const Site& site) override;
  bool CompareExchange(ObjectId object, Word& expected, Word desired, Trying trying,
                       std::memory_order success, std::memory_order failure,
                       const Site& site) override;
  Word ReadModifyWrite(ObjectId object, OperationKind kind, Combine combine, Word operand,
                       std::memory_order order, const Site& site) override;
  void Wait(ObjectId object, Word old, std::memory_order order, const Site& site) override;
  void Notify(ObjectId object, bool all, const Site& site) override;

  void Fence(std::memory_order order, const Site& site) override;

  ObjectId NewPlain(const Site& site) override;
  void DeletePlain(ObjectId object) override;
  Word ReadPlain(ObjectId object, Word value, ValueType type, const Site& site) override;
  void WritePlain(ObjectId object, Word value, ValueType type, const Site& site) override;

  ObjectId NewMutex() override;
  void DeleteMutex(ObjectId object) override;
  void Lock(ObjectId object, const Site& site) override;
  bool TryLock(ObjectId object, const Site& site) override;
  void Unlock(ObjectId object, const Site& site) override;

  ObjectId NewCondition() override;
  void DeleteCondition(ObjectId object) override;
  void WaitCondition(ObjectId object, ObjectId mutex, const Site& site) override;
  void NotifyCondition(ObjectId object, bool all, const Site& site) override;

  int Thread() const override { return machine_->Thread(); }
  bool AreSymmetric() const override { return machine_->AreSymmetric(); }
  void EndThread() override;
  VectorClock Now() override { return machine_->Now(); }
  void Yield(const Site& site) override;
  unsigned Choose(unsigned n) override { return machine_->Choose(n); }
  void* TakeFreedBlock(std::size_t size, std::size_t alignment, const Site& site) override {
    return machine_->TakeFreedBlock(size, alignment, site);
  }
  void FreeBlock(void* block, const Site& site) override { machine_->FreeBlock(block, site); }
  void Fail(FailureKind kind, const std::string& words, const Site& site) override {
    machine_->Fail(kind, words, site);
  }

  Memory& memory() override { return machine_->memory(); }
  Trace& trace() override { return machine_->trace(); }

 private:
  // A store that is held until its thread's next operation.
  struct HeldStore {
    ObjectId object;
    Word value;
    std::memory_order order;
    Site site;
  };

  // A cache in front of the edits: the edit last found for each operation, unless another operation
  // has displaced it. An operation is looked up thousands of times in a row.
  struct Recent {
    std::uintptr_t place = 1;  // no source location has this address
    OperationKind kind = OperationKind::kLoad;
    std::memory_order order = std::memory_order::relaxed;
    const Edit* edit = nullptr;
  };
  static constexpr int kRecentBits = 8;
  static constexpr std::uintptr_t kSpread = 0x9e3779b97f4a7c15;  // Fibonacci hashing (Knuth)

  const Edit* Find(const Site& site, OperationKind kind, std::memory_order order);
  std::optional<HeldStore> TakeHeld();
  void Release(const HeldStore& store);
  void ReleaseHeld();
  template <class Operation>
  auto BeforeHeld(ObjectId object, Operation operation);
  bool TamperedExchange(ObjectId object, Word& expected, Word desired, const Edit& edit,
                        std::memory_order success, std::memory_order failure, const Site& site);

  const Edits& edits_;
  SiteTable* stores_ = nullptr;
  Machine* machine_ = nullptr;
  std::uint64_t effects_ = 0;
  std::array<Recent, std::size_t{1} << kRecentBits> recent_;
  std::optional<HeldStore> held_[kMaxThreads];
  int held_stores_ = 0;  // the number of held stores: usually 0, and each operation asks
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_MUTATION_EDITING_MACHINE_H_
