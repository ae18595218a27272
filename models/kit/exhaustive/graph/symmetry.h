// Symmetry: executions may differ only in which of several interchangeable threads took which part.
// The search visits one execution of each such set.
//
// Threads are interchangeable when they run the same code and do not know their numbers. With
// swapped names an execution is still an execution. One of those is the representative. To find it,
// compare two threads event by event. They are indistinguishable as long as they read the same
// writes and write nothing themselves. At the first event that distinguishes them, the lower
// thread's event must come first in coherence (or, if it is a choice, be the later variant, because
// then the first choice of a new event is always right). Allocations have no such order: threads
// that have allocated are not distinguished any further, and the executions that follow are visited
// under all names.
//
// There is one more reason why every graph on the search's way to a representative is itself a
// representative. As long as two threads are indistinguishable, an event of the upper one counts
// the lower one's event at the same index as leading to it (GraphEvent::porf). No revisit then
// removes the lower event while leaving the upper one. The lower thread is ahead meanwhile, because
// it goes first.
//
// Kokologiannakis, Marmanis, Vafeiadis, "SPORE: Combining Symmetry and Partial Order Reduction",
// PLDI 2024.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_SYMMETRY_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_SYMMETRY_H_

#include "models/kit/exhaustive/graph/graph.h"

namespace nowait::model {

// The event of the lower thread at the index of `event`, if the threads are interchangeable and
// indistinguishable up to that index; otherwise null.
const GraphEvent* Counterpart(const Graph& graph, const GraphEvent& event, int lower);

// Whether the graph, so far a representative, remains one if the event comes next after the access
// at this place in modification order: as a read of that access, or as a write behind it.
bool CanRepresent(const Graph& graph, const GraphEvent& event, int after);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_SYMMETRY_H_
