#include "models/kit/litmus/axioms.h"

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

#include "models/kit/axioms/axioms.h"

namespace nowait::model {
namespace {

static_assert(kSetUp == axioms::kBeforeThreads);

axioms::Execution ExecutionOf(const Trace& trace) {
  using Kind = axioms::Event::Kind;
  axioms::Execution execution;
  std::map<EventNumber, std::size_t> index_of;
  std::size_t effects = 0;
  for (EventNumber number = 1; number <= trace.last(); ++number) {
    const Event& step = trace[number];
    if (step.thread == kAfter) break;
    if (step.kind == OperationKind::kLateStore) {
      execution[index_of.at(step.from)].place = ++effects;
      continue;
    }
    if (step.kind == OperationKind::kYield) continue;
    if (execution.size() == axioms::kMaxEvents) {
      std::fputs("models/kit/litmus/axioms: more than 64 events\n", stderr);
      std::abort();
    }
    axioms::Event event{.thread = step.thread, .object = step.object, .order = step.order};
    if (step.kind == OperationKind::kFence) event.kind = Kind::kFence;
    if (step.kind == OperationKind::kPlainRead || step.kind == OperationKind::kPlainWrite) {
      event.kind = Kind::kPlain;
    }
    event.reads = step.reads;
    event.writes = step.writes;
    if (event.writes && !step.deferred) event.place = ++effects;
    if (event.reads && event.Atomic()) event.from = index_of.at(step.from);
    index_of[number] = execution.size();
    execution.push_back(event);
  }
  return execution;
}

}  // namespace

std::string BrokenAxiom(const Trace& trace) { return axioms::BrokenAxiom(ExecutionOf(trace)); }

bool HasDataRace(const Trace& trace) {
  const axioms::Execution execution = ExecutionOf(trace);
  return axioms::HasDataRace(execution, axioms::OrdersOf(execution));
}

}  // namespace nowait::model
