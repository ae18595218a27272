// Completes the trace of an execution graph at its end: the places of stores in modification order,
// and the operations in which threads wait for ever.
#include <algorithm>
#include <compare>
#include <cstdint>
#include <map>
#include <vector>

#include "models/kit/exhaustive/run/exhaustive_machine.h"

namespace nowait::model {

void ExhaustiveMachine::FinishTrace() {
  RecordPlaces();
  // The failure was found by JudgeBlocked.
  if (!failure_ || failure_->thread != kAfter || phase_ != Phase::kThreads) return;
  for (int t = 0; t < scenario_.threads; ++t) {
    if (execution_.state(t) == Execution::State::kBlocked) RecordBlocked(t);
  }
}

// A store of the threads has its place in the graph. An object's initial value and the stores of
// set-up come before all of them; After's come behind.
void ExhaustiveMachine::RecordPlaces() {
  std::vector<EventNumber> written(trace_.last() + 1u, kNoEvent);  // the slot plus one, by event
  for (std::size_t slot = 0; slot < recorded_.size(); ++slot) {
    if (recorded_[slot] != kNoEvent) written[recorded_[slot]] = static_cast<EventNumber>(slot) + 1;
  }
  enum class Part : std::uint8_t { kBefore, kInGraph, kBehind };
  struct Store {
    Part part;
    unsigned place;  // in the graph
    EventNumber number;
    auto operator<=>(const Store&) const = default;
  };
  std::map<std::uint32_t, std::vector<Store>> stores;  // by object
  for (EventNumber number = 1; number <= trace_.last(); ++number) {
    const Event& event = trace_[number];
    if (!event.writes || event.kind == OperationKind::kPlainWrite) continue;
    Store store = {event.thread == kAfter ? Part::kBehind : Part::kBefore, 0, number};
    if (written[number] != 0) {
      const auto slot = static_cast<Slot>(written[number] - 1);
      store = {Part::kInGraph, graph_[slot].place, number};
    }
    stores[event.object].push_back(store);
  }
  for (auto& [object, ordered] : stores) {
    std::ranges::sort(ordered);
    for (std::uint32_t place = 0; place < ordered.size(); ++place) {
      trace_[ordered[place].number].place = place;
    }
  }
}

// Records the operation that the thread never returns from. It had begun, but has no event yet.
void ExhaustiveMachine::RecordBlocked(int thread) {
  const GraphEvent& waiting = graph_[execution_.BlockedAt(thread)];
  Event& event = trace_.Add(thread, waiting.request.kind, waiting.site);
  event.order = waiting.order;
  event.blocks = true;
  for (const auto* objects : {&atomics_, &mutexes_, &conditions_}) {
    const auto shared = std::ranges::find(*objects, waiting.location, &Shared::location);
    if (shared == objects->end()) continue;
    event.object = static_cast<ObjectId>(shared - objects->begin()) + 1;
    event.type = shared->type;
    if (objects != &atomics_) return;
    event.reads = true;
    event.read = waiting.read;
    event.from = waiting.source == kInitial ? shared->written_by : recorded_[waiting.source];
    return;
  }
}

}  // namespace nowait::model
