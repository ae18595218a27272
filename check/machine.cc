// The checker's side of the interface in nowait_check/machine.h.
#include "nowait_check/machine.h"

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <new>
#include <utility>

#include "check/body.h"
#include "models/kit/process/arena.h"
#include "models/kit/process/code_stack.h"
#include "models/kit/program/atomic.h"
#include "models/kit/program/handle.h"
#include "models/kit/program/machine.h"
#include "models/kit/scenario/model.h"

namespace nowait::check::machine {
namespace {

using model::FailExecution;
using model::FailureKind;
using model::Handle;
using model::MachineCall;

static_assert(sizeof(Object) == sizeof(Handle) && alignof(Object) >= alignof(Handle));

Handle& HandleOf(Object& object) { return *std::launder(reinterpret_cast<Handle*>(object.bytes)); }
const Handle& HandleOf(const Object& object) {
  return *std::launder(reinterpret_cast<const Handle*>(object.bytes));
}

[[noreturn]] void AbortOutside(const char* what, const Site& site) {
  std::fprintf(stderr,
               "%s:%u: nowait_check: %s outside of check::explore (a static?); make it in the "
               "body, or in what the body makes\n",
               site.file_name(), static_cast<unsigned>(site.line()), what);
  std::abort();
}

// The machine, for an operation of the running thread, or of the body where the body may act.
MachineCall Here(const Site& site) {
  if (model::current_machine == nullptr) AbortOutside("an object is used", site);
  if (model::current_machine->Thread() < 0 && Body::Current() != nullptr) {
    Body::Current()->RequireTurn(site);
  }
  return model::CurrentMachine();
}

// Objects live in the execution: on the running stack or in memory that the execution allocated.
bool LivesInExecution(const void* address) {
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  return at - here < model::CodeStack::kCodeSize || model::IsInArena(address);
}

model::ValueType TypeOf(Type type) { return static_cast<model::ValueType>(type); }

model::OperationKind KindOf(Change change) {
  switch (change) {
    case Change::kExchange:
      return model::OperationKind::kExchange;
    case Change::kAdd:
      return model::OperationKind::kFetchAdd;
    case Change::kSubtract:
      return model::OperationKind::kFetchSub;
    case Change::kAnd:
      return model::OperationKind::kFetchAnd;
    case Change::kOr:
      return model::OperationKind::kFetchOr;
    case Change::kXor:
      return model::OperationKind::kFetchXor;
  }
  return model::OperationKind::kExchange;
}

}  // namespace

// --- objects ---

void Begin(Object& object, Kind kind, Word value, Type type, const Site& site) {
  if (model::current_machine == nullptr) AbortOutside("an object is made", site);
  if (Body::Current() != nullptr && !LivesInExecution(&object)) {
    Body::Current()->Refuse(
        {"an object that outlives the execution (a static, a thread_local, or memory of malloc); "
         "make it a local of the body, a member of one, or `new` it",
         site});
  }
  const MachineCall machine = Here(site);
  const auto make = [&] {
    switch (kind) {
      case Kind::kAtomic:
        return machine->NewAtomic(value, TypeOf(type), site);
      case Kind::kPlain:
        return machine->NewPlain(site);
      case Kind::kMutex:
        return machine->NewMutex();
      case Kind::kCondition:
        return machine->NewCondition();
    }
    return model::ObjectId{0};
  };
  ::new (object.bytes) Handle(make());
}

void End(Object& object, Kind kind) {
  // The object has outlived its execution, which has already been refused.
  if (model::current_machine == nullptr) return;
  const Site nowhere;
  const MachineCall machine = Here(nowhere);
  const model::ObjectId name = HandleOf(object).Release();
  switch (kind) {
    case Kind::kAtomic:
      return machine->DeleteAtomic(name);
    case Kind::kPlain:
      return machine->DeletePlain(name);
    case Kind::kMutex:
      return machine->DeleteMutex(name);
    case Kind::kCondition:
      return machine->DeleteCondition(name);
  }
}

// --- atomics ---

Word Load(const Object& atomic, std::memory_order order, const Site& site) {
  model::RequireLoadOrder(order, site);
  return Here(site)->Load(HandleOf(atomic).Get(site), order, site);
}

void Store(Object& atomic, Word value, std::memory_order order, const Site& site) {
  model::RequireStoreOrder(order, site);
  Here(site)->Store(HandleOf(atomic).Get(site), value, order, site);
}

Word Modify(Object& atomic, Change change, Combine combine, Word operand, std::memory_order order,
            const Site& site) {
  return Here(site)->ReadModifyWrite(HandleOf(atomic).Get(site), KindOf(change), combine, operand,
                                     order, site);
}

bool CompareExchange(Object& atomic, Word& expected, Word desired, Strength strength,
                     std::memory_order success, std::memory_order failure, const Site& site) {
  model::RequireLoadOrder(failure, site);
  const model::Trying trying =
      strength == Strength::kStrong ? model::Trying::kStrong : model::Trying::kWeak;
  return Here(site)->CompareExchange(HandleOf(atomic).Get(site), expected, desired, trying, success,
                                     failure, site);
}

void Wait(const Object& atomic, Word old, std::memory_order order, const Site& site) {
  model::RequireLoadOrder(order, site);
  Here(site)->Wait(HandleOf(atomic).Get(site), old, order, site);
}

void Notify(Object& atomic, Woken woken, const Site& site) {
  Here(site)->Notify(HandleOf(atomic).Get(site), woken == Woken::kAll, site);
}

void Fence(std::memory_order order, const Site& site) { Here(site)->Fence(order, site); }

// --- plain data ---

void ReadPlain(const Object& plain, Word value, Type type, const Site& site) {
  Here(site)->ReadPlain(HandleOf(plain).Get(site), value, TypeOf(type), site);
}

void WritePlain(Object& plain, Word value, Type type, const Site& site) {
  Here(site)->WritePlain(HandleOf(plain).Get(site), value, TypeOf(type), site);
}

// --- locks ---

void Lock(Object& mutex, const Site& site) { Here(site)->Lock(HandleOf(mutex).Get(site), site); }

bool TryLock(Object& mutex, const Site& site) {
  return Here(site)->TryLock(HandleOf(mutex).Get(site), site);
}

void Unlock(Object& mutex, const Site& site) {
  Here(site)->Unlock(HandleOf(mutex).Get(site), site);
}

void WaitCondition(Object& condition, Object& mutex, const Site& site) {
  Here(site)->WaitCondition(HandleOf(condition).Get(site), HandleOf(mutex).Get(site), site);
}

void NotifyCondition(Object& condition, Woken woken, const Site& site) {
  Here(site)->NotifyCondition(HandleOf(condition).Get(site), woken == Woken::kAll, site);
}

// --- the program ---

void Yield(const Site& site) { Here(site)->Yield(site); }

// Set-up and the end are not part of an execution's graph, so no choice there is examined.
unsigned Choose(unsigned count, const Site& site) {
  if (model::current_machine == nullptr) AbortOutside("a choice is made", site);
  if (count == 0) {
    FailExecution(FailureKind::kNotFinished, "check::choose(0): there is nothing to choose", site);
  }
  if (count > 1 && Here(site)->Thread() < 0) {
    FailExecution(FailureKind::kNotFinished,
                  "check::choose in the body, where no choice is examined; choose in a "
                  "check::thread, or explore one body for each choice",
                  site);
  }
  return Here(site)->Choose(count);
}

void Require(bool condition, const char* promise, const Site& site) {
  if (model::current_machine == nullptr) AbortOutside("a promise is required", site);
  if (!condition) FailExecution(FailureKind::kInvariant, promise, site);
}

unsigned ThreadNumber(const Site& site) {
  const int thread = Here(site)->Thread();
  return thread < 0 ? 0 : static_cast<unsigned>(thread) + 1;
}

unsigned StartThread(std::function<void()> function, const Site& site) {
  if (model::current_machine == nullptr) AbortOutside("a thread is started", site);
  return Body::Current()->StartThread(std::move(function), site);
}

void JoinThread(unsigned thread, const Site& site) {
  if (model::current_machine == nullptr) AbortOutside("a thread is joined", site);
  Body::Current()->JoinThread(thread, site);
}

// --- memory ---

void* Allocate(std::size_t size, std::size_t alignment) {
  return model::AllocateBlock(size, alignment, Site());
}

void Free(void* block) {
  model::RequireBlock(block, Site());
  model::FreeBlock(block, Site());
}

}  // namespace nowait::check::machine
