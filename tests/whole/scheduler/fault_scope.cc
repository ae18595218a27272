#include "tests/whole/scheduler/fault_scope.h"

#include <string_view>
#include <utility>

#include "tests/whole/scheduler/machine.h"

namespace nowait::whole {
namespace {

bool InRun() { return machine != nullptr && machine->on_fiber(); }

bool Exchange(bool meets_faults) {
  return InRun() ? std::exchange(machine->running().meets_faults, meets_faults) : meets_faults;
}

}  // namespace

FaultScope::FaultScope(bool meets_faults) : before_(Exchange(meets_faults)) {}
FaultScope::~FaultScope() { Exchange(before_); }

bool FaultHasStruck() { return InRun() && machine->fault_has_struck(); }

bool IsOfFault(const Error& error) {
  const std::string_view subject = error.subject;
  return FaultHasStruck() && error.code == ErrorCode::kCapacity &&
         (subject == "memory" || subject == "threads");
}

}  // namespace nowait::whole
