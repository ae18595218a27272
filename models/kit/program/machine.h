// Machine: the interface of a back end to the program that it runs. Scenarios never see it.
//
// A back end (models/kit/engine/run_search.h) runs executions. Each creates the scenario's object,
// runs Thread(0) .. Thread(n-1) at once in some interleaving, then After, and destroys the object.
// Meanwhile the back end is the Machine below: every operation of a ModelSync atomic, plain datum,
// mutex or condition variable is a call to it. So it decides which thread runs next and what a load
// reads.
//
// A back end may assume: Machine is used by one operating-system thread; kMinThreads to kMaxThreads
// threads (models/kit/program/threads.h); memory orders are valid for their operations (the front
// end has checked them).
#ifndef NOWAIT_MODELS_KIT_PROGRAM_MACHINE_H_
#define NOWAIT_MODELS_KIT_PROGRAM_MACHINE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "models/kit/process/arena.h"
#include "models/kit/program/failure.h"
#include "models/kit/program/memory.h"
#include "models/kit/program/operation.h"
#include "models/kit/program/trace.h"
#include "models/kit/program/vector_clock.h"

namespace nowait::model {

// Names an atomic, a plain datum, a mutex or a condition variable within one execution; from 1 up
// for each kind.
using ObjectId = std::uint32_t;

// The new value of a read-modify-write, from the old one and the operand.
using Combine = Word (*)(Word old, Word operand);

class Machine {
 public:
  virtual ~Machine() = default;

  virtual ObjectId NewAtomic(Word value, ValueType type, const Site& site) = 0;
  virtual void DeleteAtomic(ObjectId object) = 0;
  virtual Word Load(ObjectId object, std::memory_order order, const Site& site) = 0;
  virtual void Store(ObjectId object, Word value, std::memory_order order, const Site& site) = 0;
  // Replaces `expected` by the value read when it fails. May fail spuriously if not kStrong.
  virtual bool CompareExchange(ObjectId object, Word& expected, Word desired, Trying trying,
                               std::memory_order success, std::memory_order failure,
                               const Site& site) = 0;
  virtual Word ReadModifyWrite(ObjectId object, OperationKind kind, Combine combine, Word operand,
                               std::memory_order order, const Site& site) = 0;
  virtual void Wait(ObjectId object, Word old, std::memory_order order, const Site& site) = 0;
  virtual void Notify(ObjectId object, bool all, const Site& site) = 0;
  virtual void Fence(std::memory_order order, const Site& site) = 0;

  // Plain data: the value stays with the front end, the back end judges the access.
  virtual ObjectId NewPlain(const Site& site) = 0;
  virtual void DeletePlain(ObjectId object) = 0;
  virtual void ReadPlain(ObjectId object, Word value, ValueType type, const Site& site) = 0;
  virtual void WritePlain(ObjectId object, Word value, ValueType type, const Site& site) = 0;

  virtual ObjectId NewMutex() = 0;
  virtual void DeleteMutex(ObjectId object) = 0;
  virtual void Lock(ObjectId object, const Site& site) = 0;
  virtual bool TryLock(ObjectId object, const Site& site) = 0;
  virtual void Unlock(ObjectId object, const Site& site) = 0;

  // Condition variables. The mutex is locked by the thread that waits.
  virtual ObjectId NewCondition() = 0;
  virtual void DeleteCondition(ObjectId object) = 0;
  virtual void WaitCondition(ObjectId object, ObjectId mutex, const Site& site) = 0;
  virtual void NotifyCondition(ObjectId object, bool all, const Site& site) = 0;

  // 0 .. n-1 in a scenario's threads, kSetUp and kAfter outside them.
  virtual int Thread() const = 0;
  // Whether the scenario's threads are alike (scenario.h).
  virtual bool AreSymmetric() const = 0;
  // The scenario's function for the running thread has returned.
  virtual void EndThread() = 0;
  // The current moment of the running thread. Not a step: no other thread runs meanwhile.
  virtual VectorClock Now() = 0;
  virtual void Yield(const Site& site) = 0;
  // One of 0 .. n-1; a search tries all of them. Always 0 outside the threads.
  virtual unsigned Choose(unsigned n) = 0;
  // The freed block that an allocation gets, or null for a new one; a search tries both.
  virtual void* TakeFreedBlock(std::size_t size, std::size_t alignment, const Site& site) = 0;
  // The end of an allocated block.
  virtual void FreeBlock(void* block, const Site& site) = 0;
  // Ends the execution and the search. Does not return.
  virtual void Fail(FailureKind kind, const std::string& words, const Site& site) = 0;

  virtual Memory& memory() = 0;
  virtual Trace& trace() = 0;
};

// A call from the scenario into the kit: memory that the kit allocates while it lives is the kit's
// own (models/kit/process/arena.h), and at its end the scenario allocates again where it did
// before. It stands on the stack of the calling thread, because others may run in the middle of a
// call: the region that is restored is the one of the thread that continues.
class MachineCall {
 public:
  explicit MachineCall(Machine& machine)
      : machine_(machine), region_(std::exchange(current_region, nullptr)) {}
  ~MachineCall() { current_region = region_; }
  MachineCall(const MachineCall&) = delete;
  MachineCall& operator=(const MachineCall&) = delete;

  Machine* operator->() const { return &machine_; }
  // Where the scenario allocates; null: with malloc.
  Region* region() const { return region_; }

 private:
  Machine& machine_;
  Region* const region_;
};

// The machine that is executing a scenario right now: CurrentMachine()->Yield(site). Only while a
// search runs. While there is one, a NOWAIT_ASSERT that fails is a failure of its execution.
extern constinit Machine* current_machine;  // null while no search runs
[[noreturn]] void FailOutsideScenario();
inline MachineCall CurrentMachine() {
  if (current_machine == nullptr) FailOutsideScenario();
  return MachineCall(*current_machine);
}
// Where the scenario's calls are kept (models/kit/program/call.h); null: this execution will not be
// shown.
extern constinit Trace* call_trace;
// For back ends: at the beginning of each execution, and null at the end of a search.
enum class Calls : bool { kForgotten, kKept };
void SetCurrentMachine(Machine* machine, Calls calls = Calls::kForgotten);

// A machine that stands between the scenario and the back end that runs it.
class Interposer : public Machine {
 public:
  // machine: a back end's, at the beginning of each execution, whether the one before was run to
  // its end or given up; null at the end of the search.
  virtual void Attach(Machine* machine) = 0;
};

// While it lives, searches run with this interposer between. Of several, one that began later
// stands nearer to the back end, and so sees the scenario's operations as the earlier ones have
// changed them.
class Interposition {
 public:
  explicit Interposition(Interposer& interposer);
  ~Interposition();
  Interposition(const Interposition&) = delete;
  Interposition& operator=(const Interposition&) = delete;

  // The one that began before it, or null.
  const Interposition* earlier() const { return earlier_; }
  Interposer& interposer() const { return interposer_; }

 private:
  Interposer& interposer_;
  const Interposition* const earlier_;
};

// Fails the current execution.
[[noreturn]] void FailExecution(FailureKind kind, const std::string& words, const Site& site);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_PROGRAM_MACHINE_H_
