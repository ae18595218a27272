// What ExhaustiveMachine does in a program whose plain accesses are watched (models/kit/watch/watch.h).
#include <fmt/format.h>

#include <string>

#include "models/kit/exhaustive/machine.h"
#include "models/kit/watch/symbols.h"

namespace nowait::model {
namespace {

std::string Words(const char* who, int thread, bool writes, const void* code) {
  const std::string function = SymbolAt(code);
  return fmt::format("\n{}: thread {} {} it{}{}", who, thread, writes ? "writes" : "reads",
                     function.empty() ? "" : " in ", function);
}

}  // namespace

// By the scenario's code, between two of its steps. Memory that the policy declares is judged twice,
// and by the policy first.
void ExhaustiveMachine::Access(const PlainAccess& access) {
  const int thread = execution_.running();
  const auto earlier = shadow_.Add(access, Here(), execution_.known());
  if (!earlier) return;
  const unsigned done = execution_.done();
  GiveUp(FailureKind::kUnregisteredMemory,
         fmt::format("{} bytes of {}", access.size, Describe(access.address)) +
             Words("before", earlier->epoch.thread, earlier->writes, earlier->code) +
             Words("now", thread, access.writes, access.code),
         done == 0 ? Site() : graph_[graph_.At(thread, done - 1)].site);
}

std::string ExhaustiveMachine::Describe(const void* address) {
  for (int region = 0; region <= kProgramRegion; ++region) {
    if (!arena_.region(region).Contains(address)) continue;
    const auto offset = static_cast<const char*>(address) - arena_.region(region).begin();
    // The scenario's object is the first that is allocated.
    if (region == kProgramRegion) return fmt::format("the scenario, at its byte {}", offset);
    return fmt::format("what thread {} has allocated, at its byte {}", region, offset);
  }
  const std::string symbol = SymbolAt(address);
  return symbol.empty() ? "memory that is no variable of the program's (a stack?)" : symbol;
}

}  // namespace nowait::model
