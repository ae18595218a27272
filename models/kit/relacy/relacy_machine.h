// RelacyMachine: the operations of a scenario as operations on Relacy's memory model.
//
// It uses Relacy's scheduler, and the memory model (memory_model.h), which says what a load may
// read and which events happen before which. The values are kept here, each with the number of the
// event that wrote it. Behaviour that plain Relacy does not produce is added here as well:
//
//   - Deferred stores. A relaxed store may be deferred and take effect at a later step of its
//     thread, at the latest before the thread's next operation on the same object, its next release
//     operation or fence, its next sleep or yield, or its end. C++ orders the store no earlier.
//   - Stale failures. A failing compare-exchange is a load, and may read like one.
//   - Lifetimes. Each atomic carries a plain datum that its constructor and destructor write and
//     its operations read. An end that is not ordered after every use is reported as a data race,
//     which it is.
//   - wait and notify, and condition variables, without the happens-before edge that Relacy's own
//     would add, and with spurious wake-ups as a choice of every search.
#ifndef NOWAIT_MODELS_KIT_RELACY_RELACY_MACHINE_H_
#define NOWAIT_MODELS_KIT_RELACY_RELACY_MACHINE_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/kit/program/machine.h"
#include "models/kit/program/site_table.h"
#include "models/kit/relacy/memory_model.h"
#include "models/kit/relacy/relacy.h"
#include "models/kit/scenario/scenario.h"
#include "models/kit/scenario/search.h"

namespace nowait::model {

class RelacyMachine final : public Machine {
 public:
  // The model depends on the number of threads at compile time, and is created where that is known.
  RelacyMachine(const ScenarioEntry& scenario, const Search& search, SiteTable& sites,
                MemoryModel& model, Calls calls)
      : symmetric_(scenario.symmetric),
        search_(search),
        sites_(sites),
        model_(model),
        calls_(calls) {}

  // The stages of an execution.
  void BeginSetUp();
  void BeginThreads() { phase_ = Phase::kThreads; }
  void BeginAfter() { phase_ = Phase::kAfter; }
  void EndExecution();  // after the end of the scenario's object: reports the blocks that are left

  const std::optional<Failure>& failure() const { return failure_; }
  // Records the waiting threads, and where they wait, as the last events of the trace. Called after
  // a deadlock or a livelock.
  void RecordBlocked();

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

  int Thread() const override;
  bool AreSymmetric() const override { return symmetric_; }
  void EndThread() override;
  VectorClock Now() override;
  void Yield(const Site& site) override;
  unsigned Choose(unsigned n) override;
  void* TakeFreedBlock(std::size_t size, std::size_t alignment, const Site& site) override;
  void FreeBlock(void* block, const Site& site) override;
  void Fail(FailureKind kind, const std::string& words, const Site& site) override;

  Memory& memory() override { return memory_; }
  Trace& trace() override { return trace_; }

 private:
  enum class Phase : std::uint8_t { kSetUp, kThreads, kAfter };

  struct AtomicObject : AtomicStores {  // data: null after the end of the atomic
    rl::var_data* lifetime;
    ValueType type;
    bool failed_spuriously = false;
    std::uint32_t stores = 0;  // those that took effect
    std::vector<int> sleepers;
  };
  struct ConditionObject {
    bool woke_spuriously = false;
    std::vector<int> sleepers;
  };
  struct DeferredStore {
    ObjectId object;
    EventNumber event;
  };

  bool InThreads() const { return phase_ == Phase::kThreads; }
  void Step();
  AtomicObject& Touch(ObjectId object, const Site& site);
  void Settle(ObjectId object, bool all);
  void TakeEffect(DeferredStore store);
  unsigned LoadIndex(AtomicObject& atomic, std::memory_order order, const Site& site);
  bool FailsSpuriously(AtomicObject& atomic);
  bool MayReadStale(const AtomicObject& atomic, Word expected) const;
  void LockMutex(ObjectId object, const Site& site);
  void FallAsleep(std::vector<int>& sleepers);
  void Wake(std::vector<int>& sleepers, bool all);
  Event& AddEvent(OperationKind kind, ObjectId object, ValueType type, std::memory_order order,
                  const Site& site);
  void AddPlace(AtomicObject& atomic, EventNumber store) { trace_[store].place = atomic.stores++; }
  static void AddRead(Event& event, const AtomicObject& atomic, unsigned index);

  const bool symmetric_;  // whether the threads are interchangeable
  Search search_;
  SiteTable& sites_;
  MemoryModel& model_;
  const Calls calls_;

  Phase phase_ = Phase::kSetUp;
  std::vector<AtomicObject> atomics_;
  std::vector<rl::var_data*> plains_;
  std::vector<rl::mutex*> mutexes_;
  std::vector<ConditionObject> conditions_;
  std::uint32_t live_objects_ = 0;
  std::vector<DeferredStore> deferred_[kMaxThreads];
  struct Locking {
    ObjectId mutex;
    Site site;
  };
  std::optional<Locking> locking_[kMaxThreads];  // the mutex that each thread is about to lock
  Memory memory_;
  Trace trace_;
  std::optional<Failure> failure_;
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_RELACY_RELACY_MACHINE_H_
