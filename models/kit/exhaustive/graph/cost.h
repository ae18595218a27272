// Cost: how much there is to read in an execution, to find the easiest of several that fail.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_COST_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_COST_H_

#include <compare>

#include "models/kit/exhaustive/graph/clock.h"
#include "models/kit/exhaustive/graph/graph.h"

namespace nowait::model {

// The lesser one is the easier one to read.
struct Cost {
  unsigned events = 0;
  unsigned switches = 0;     // from one thread to another, in a schedule that has the fewest
  unsigned stale_reads = 0;  // in that schedule: of a write that is not the newest any more

  auto operator<=>(const Cost&) const = default;
};

// How many events these are.
unsigned CountOf(const Clock& part);

// Of the part of the graph that is these events. It is closed under program order and reads-from.
Cost CostOf(const Graph& graph, const Clock& part);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_COST_H_
