// Coherence: where in the modification order of a location the next access of a thread may stand.
//
// [intro.races] 15-18 (N4861): of two accesses to a location, ordered by happens-before, the later
// one stands no earlier in modification order; a write stands later than both a write and a read
// before it. An event that is added is the last of its thread, so nothing happens after it yet, and
// the four rules come to one bound.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_COHERENCE_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_COHERENCE_H_

#include "models/kit/exhaustive/graph/graph.h"

namespace nowait::model {

// The newest place at which an event of `known` stands: a read may be of this place or later, a
// write comes after it.
int Floor(const Graph& graph, const Clock& known, LocationIndex location);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_COHERENCE_H_
