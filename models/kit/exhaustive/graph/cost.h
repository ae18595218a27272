// Cost: how much a reader has to read in an execution, to find the easiest of several failing ones.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_COST_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_COST_H_

#include <compare>

#include "models/kit/exhaustive/graph/clock.h"
#include "models/kit/exhaustive/graph/graph.h"

namespace nowait::model {

// The lesser cost is easier to read.
struct Cost {
  unsigned events = 0;
  unsigned switches = 0;     // between threads, in a schedule with the fewest switches
  unsigned stale_reads = 0;  // in that schedule: of a write that is no longer the newest

  auto operator<=>(const Cost&) const = default;
};

// The number of events in the set.
unsigned CountOf(const Clock& part);

// The cost of this part of the graph, which must be closed under program order and reads-from.
Cost CostOf(const Graph& graph, const Clock& part);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_COST_H_
