// Machine: a back end's interface to the program that it runs. Scenarios never see it.
//
// A back end (models/kit/engine/run_search.h) runs executions. Each execution creates the
// scenario's object, runs Thread(0) .. Thread(n-1) concurrently in some interleaving, then runs
// After, and destroys the object. Meanwhile the back end is the Machine below: every operation on a
// ModelSync atomic, plain datum, mutex or condition variable is a call to it. The back end thereby
// decides which thread runs next and which value a load reads.
//
// A back end may assume three things. One operating-system thread uses the Machine. The number of
// threads lies between kMinThreads and kMaxThreads (models/kit/program/threads.h). Memory orders
// are valid for their operations, because the front end has checked them.
#ifndef NOWAIT_MODELS_KIT_PROGRAM_MACHINE_H_
#define NOWAIT_MODELS_KIT_PROGRAM_MACHINE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "models/kit/process/arena.h"
#include "models/kit/process/code_stack.h"
#include "models/kit/program/failure.h"
#include "models/kit/program/memory.h"
#include "models/kit/program/operation.h"
#include "models/kit/program/trace.h"
#include "models/kit/program/vector_clock.h"

namespace nowait::model {

// Identifies an atomic, a plain datum, a mutex or a condition variable within one execution. Each
// kind is numbered from 1.
using ObjectId = std::uint32_t;

// Computes the new value of a read-modify-write from the old value and the operand.
using Combine = Word (*)(Word old, Word operand);

class Machine {
 public:
  virtual ~Machine() = default;

  virtual ObjectId NewAtomic(Word value, ValueType type, const Site& site) = 0;
  virtual void DeleteAtomic(ObjectId object) = 0;
  virtual Word Load(ObjectId object, std::memory_order order, const Site& site) = 0;
  virtual void Store(ObjectId object, Word value, std::memory_order order, const Site& site) = 0;
  // On failure replaces `expected` by the value read. May fail spuriously unless kStrong.
  virtual bool CompareExchange(ObjectId object, Word& expected, Word desired, Trying trying,
                               std::memory_order success, std::memory_order failure,
                               const Site& site) = 0;
  virtual Word ReadModifyWrite(ObjectId object, OperationKind kind, Combine combine, Word operand,
                               std::memory_order order, const Site& site) = 0;
  virtual void Wait(ObjectId object, Word old, std::memory_order order, const Site& site) = 0;
  virtual void Notify(ObjectId object, bool all, const Site& site) = 0;
  virtual void Fence(std::memory_order order, const Site& site) = 0;

  // Plain data: the front end keeps the value, and the back end judges the accesses. A read returns
  // that value, or what the read finds where a back end runs the threads one at a time.
  virtual ObjectId NewPlain(const Site& site) = 0;
  virtual void DeletePlain(ObjectId object) = 0;
  virtual Word ReadPlain(ObjectId object, Word value, ValueType type, const Site& site) = 0;
  virtual void WritePlain(ObjectId object, Word value, ValueType type, const Site& site) = 0;

  virtual ObjectId NewMutex() = 0;
  virtual void DeleteMutex(ObjectId object) = 0;
  virtual void Lock(ObjectId object, const Site& site) = 0;
  virtual bool TryLock(ObjectId object, const Site& site) = 0;
  virtual void Unlock(ObjectId object, const Site& site) = 0;

  // Condition variables. The waiting thread holds the mutex.
  virtual ObjectId NewCondition() = 0;
  virtual void DeleteCondition(ObjectId object) = 0;
  virtual void WaitCondition(ObjectId object, ObjectId mutex, const Site& site) = 0;
  virtual void NotifyCondition(ObjectId object, bool all, const Site& site) = 0;

  // 0 .. n-1 in the scenario's threads; kSetUp and kAfter outside them.
  virtual int Thread() const = 0;
  // Whether the scenario's threads are interchangeable (scenario.h).
  virtual bool AreSymmetric() const = 0;
  // The scenario's function for the running thread has returned.
  virtual void EndThread() = 0;
  // The current moment of the running thread. This is not a step: no other thread runs meanwhile.
  virtual VectorClock Now() = 0;
  virtual void Yield(const Site& site) = 0;
  // Returns one of 0 .. n-1; a search tries all of them. Always returns 0 outside the threads.
  virtual unsigned Choose(unsigned n) = 0;
  // The freed block that an allocation reuses, or null for a new block; a search tries both.
  virtual void* TakeFreedBlock(std::size_t size, std::size_t alignment, const Site& site) = 0;
  // Ends an allocated block.
  virtual void FreeBlock(void* block, const Site& site) = 0;
  // Ends the execution and the search. Does not return.
  virtual void Fail(FailureKind kind, const std::string& words, const Site& site) = 0;

  virtual Memory& memory() = 0;
  virtual Trace& trace() = 0;
};

// Fails the current execution, as a crash: its running thread has no stack for a call into the kit.
[[noreturn]] void FailFullStack();

// A call from the scenario into the kit. During its lifetime, memory that the kit allocates belongs
// to the kit (models/kit/process/arena.h). At its end the scenario allocates again where it did
// before. The object lives on the stack of the calling thread, because other threads may run in the
// middle of a call: the region restored is then that of the thread that continues.
class MachineCall {
 public:
  explicit MachineCall(Machine& machine)
      : machine_(machine), region_(std::exchange(current_region, nullptr)) {
    if (CodeStack::IsFull()) [[unlikely]]
      FailFullStack();
  }
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

// The machine that is executing a scenario, for calls such as CurrentMachine()->Yield(site). It is
// set only while a search runs. Meanwhile a failing NOWAIT_ASSERT is a failure of its execution.
extern constinit Machine* current_machine;  // null while no search runs
[[noreturn]] void FailOutsideScenario();
inline MachineCall CurrentMachine() {
  if (current_machine == nullptr) FailOutsideScenario();
  return MachineCall(*current_machine);
}
// Where the scenario's calls are kept (models/kit/program/call.h); null if this execution will not
// be shown.
extern constinit Trace* call_trace;
// Called by back ends at the beginning of each execution, and with null at the end of a search.
enum class Calls : bool { kForgotten, kKept };
void SetCurrentMachine(Machine* machine, Calls calls = Calls::kForgotten);

// A machine placed between the scenario and the back end that runs it.
class Interposer : public Machine {
 public:
  // machine: a back end's machine, at the beginning of each execution, whether the previous one ran
  // to its end or was abandoned; null at the end of the search.
  virtual void Attach(Machine* machine) = 0;
};

// During its lifetime, searches run with this interposer in between. Of several interposers, a
// later one is nearer to the back end. It therefore sees the scenario's operations as the earlier
// ones have changed them.
class Interposition {
 public:
  explicit Interposition(Interposer& interposer);
  ~Interposition();
  Interposition(const Interposition&) = delete;
  Interposition& operator=(const Interposition&) = delete;

  // The interposition that began before this one, or null.
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
