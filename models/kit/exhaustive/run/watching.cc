// The part of ExhaustiveMachine for a program whose plain accesses are watched
// (models/kit/watch/watch.h).
#include <fmt/format.h>

#include <string>

#include "models/kit/exhaustive/run/exhaustive_machine.h"
#include "models/kit/process/code_stack.h"
#include "models/kit/watch/symbols.h"

namespace nowait::model {
namespace {

std::string Words(const char* when, const Shadow::Earlier& access) {
  const std::string function = access.code == nullptr ? "" : SymbolAt(access.code);
  const char* does = access.code == nullptr ? "deletes" : access.writes ? "writes" : "reads";
  return fmt::format("\n{}: thread {} {} it{}{}", when, access.epoch.thread, does,
                     function.empty() ? "" : " in ", function);
}

}  // namespace

// An access by the scenario's code, between two of its steps. Memory that the policy declares is
// judged twice, first by the policy.
void ExhaustiveMachine::Access(const PlainAccess& access) {
  if (CodeStack::IsFull()) FailFullStack();
  Judge(access, Here());
}

// The end of a block counts as a write to the whole block, immediately before the step that returns
// the block.
void ExhaustiveMachine::EndPlainMemory(const PlainAccess& block) {
  Judge(block, {execution_.running(), execution_.done() - 1});
}

void ExhaustiveMachine::Judge(const PlainAccess& access, const Epoch& now) {
  const auto earlier = shadow_.Add(access, now, execution_.known());
  if (!earlier) return;
  GiveUp(FailureKind::kUnregisteredMemory,
         fmt::format("{} bytes of {}", access.size, Describe(access.address)) +
             Words("before", *earlier) + Words("now", {now, access.writes, access.code}),
         now.done == 0 ? Site() : graph_[graph_.At(now.thread, now.done - 1)].site);
}

std::string ExhaustiveMachine::Describe(const void* address) {
  for (int region = 0; region <= kProgramRegion; ++region) {
    if (!arena_.region(region).Contains(address)) continue;
    const auto offset = static_cast<const char*>(address) - arena_.region(region).begin();
    // The scenario's object is the first allocation.
    if (region == kProgramRegion) return fmt::format("the scenario, at its byte {}", offset);
    return fmt::format("what thread {} has allocated, at its byte {}", region, offset);
  }
  const std::string symbol = SymbolAt(address);
  return symbol.empty() ? "memory that is no variable of the program's (a stack?)" : symbol;
}

}  // namespace nowait::model
