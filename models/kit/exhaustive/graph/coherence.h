// Coherence: where the next access of a thread may stand in the modification order of a location.
//
// [intro.races] 15-18 (N4861): of two accesses to a location that happens-before orders, the later
// one stands no earlier in modification order. A write stands after both a write and a read before
// it. A new event is the last of its thread, so nothing happens after it yet, and the four rules
// reduce to one bound.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_COHERENCE_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_COHERENCE_H_

#include "models/kit/exhaustive/graph/graph.h"

namespace nowait::model {

// The newest place at which an event of `known` stands. A read may take this place or a later one;
// a write comes after it.
int Floor(const Graph& graph, const Clock& known, LocationIndex location);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_COHERENCE_H_
