#include "models/kit/exhaustive/graph/symmetry.h"

namespace nowait::model {

// The argument concerns pairs: the first events that distinguish two threads put the two in an
// order, and the order of all threads follows from that of the pairs. For this many threads, a
// comparison with brute force shows that no graph on the way to a representative is lost (oracle,
// style `symmetric`).
static_assert(kMaxThreads <= 4, "more interchangeable threads than the oracle has compared");

namespace {

bool AskForTheSame(const GraphEvent& a, const GraphEvent& b) {
  return a.location == b.location && a.request == b.request;
}

// Of two events that make the same request and read the same, either both write or neither does.
bool AreInterchangeable(const GraphEvent& a, const GraphEvent& b) {
  return AskForTheSame(a, b) && a.source == b.source && a.variant == b.variant && !a.writes &&
         !IsOfMemory(a.request.effect);
}

}  // namespace

const GraphEvent* Counterpart(const Graph& graph, const GraphEvent& event, int lower) {
  if (!graph.symmetric() || graph.Length(lower) <= event.index ||
      IsOfMemory(event.request.effect)) {
    return nullptr;
  }
  for (unsigned i = 0; i < event.index; ++i) {
    if (!AreInterchangeable(graph[graph.At(lower, i)], graph[graph.At(event.thread, i)])) {
      return nullptr;
    }
  }
  const GraphEvent& counterpart = graph[graph.At(lower, event.index)];
  return AskForTheSame(counterpart, event) ? &counterpart : nullptr;
}

bool CanRepresent(const Graph& graph, const GraphEvent& event, int after) {
  for (int lower = 0; lower < event.thread; ++lower) {
    const GraphEvent* counterpart = Counterpart(graph, event, lower);
    if (counterpart == nullptr) continue;
    if (event.location == kNoLocation) {
      if (counterpart->variant < event.variant) return false;
    } else if (graph.PlaceOf(*counterpart) > after) {
      return false;
    }
  }
  return true;
}

}  // namespace nowait::model
