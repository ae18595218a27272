#include "models/kit/counterexample/seq_cst.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <vector>

#include "models/kit/axioms/axioms.h"
#include "models/kit/counterexample/kinds.h"
#include "models/kit/program/operation.h"

namespace nowait::model::counterexample {
namespace {

bool IsAtomicOrFence(const model::Event& event) {
  return IsAtomicAccess(event.kind) || event.kind == OperationKind::kFence;
}

}  // namespace

bool MayMatter(const Trace& trace, EventNumber last) {
  for (EventNumber number = 1; number <= last; ++number) {
    if (IsAtomicOrFence(trace[number]) && trace[number].order == std::memory_order::seq_cst) {
      return true;
    }
  }
  return false;
}

std::optional<bool> HasOrderS(const Trace& trace, const Orders& orders, EventNumber reader,
                              EventNumber store) {
  if (trace[reader].writes) return std::nullopt;
  axioms::Execution execution;
  std::map<std::uint32_t, std::size_t> first;  // the object's initial value
  std::vector<EventNumber> events;             // the events that the others represent
  for (EventNumber number = 1; number <= reader; ++number) {
    const model::Event& event = trace[number];
    if (!IsAtomicOrFence(event)) continue;
    if (event.kind != OperationKind::kFence) first.try_emplace(event.object, first.size());
    events.push_back(number);
  }
  if (first.size() + events.size() > axioms::kMaxEvents) return std::nullopt;
  for (std::size_t i = 0; i < first.size(); ++i) execution.emplace_back().writes = true;
  for (const auto& [object, index] : first) execution[index].object = object;
  std::map<EventNumber, std::size_t> index_of;
  for (const EventNumber number : events) {
    const model::Event& event = trace[number];
    axioms::Event& judged = execution.emplace_back();
    index_of[number] = execution.size() - 1;
    judged.thread = event.thread;
    judged.order = event.order;
    if (event.kind == OperationKind::kFence) {
      judged.kind = axioms::Event::Kind::kFence;
      continue;
    }
    judged.object = event.object;
    judged.reads = event.reads;
    judged.writes = event.writes;
    judged.place = event.writes ? event.place + 1u : 0;
    const EventNumber source = number == reader ? store : event.from;
    if (event.reads) judged.from = source == kNoEvent ? first[event.object] : index_of.at(source);
  }
  axioms::Orders judged = axioms::OrdersOf(execution);
  // The additional order imposed by mutexes and blocks.
  for (const EventNumber a : events) {
    for (const EventNumber b : events) {
      if (a != reader && b != reader && orders.HappensBefore(a, b)) {
        judged.happens_before.Add(index_of[a], index_of[b]);
      }
    }
  }
  judged.happens_before = judged.happens_before.Closed();
  return axioms::HasOrderS(execution, judged, axioms::CoherenceOrderOf(execution));
}

}  // namespace nowait::model::counterexample
