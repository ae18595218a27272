// Symmetry: executions may differ only in which of several alike threads did which part; of these
// the search visits one.
//
// Threads are alike when they run the same code and do not know their numbers. Exchange their
// names, and an execution is an execution again. One of these is the representative: compare two
// threads, event by event. As long as they read the same writes and write nothing themselves, they
// are interchangeable. At the first event where they are not, the lower thread's event must come
// first in coherence (or, if it is a choice, be the later variant: the first choice of an event
// that is added is then always right). Allocations have no such order. Threads that have allocated
// are not distinguished any further: the executions that follow are visited under all names.
//
// A graph that becomes a representative is one all along the search's way to it, for one more
// reason. As long as two threads are interchangeable, an event of the upper one counts the lower
// one's at the same index as leading to it (GraphEvent::porf), so that no revisit takes that away
// and leaves the upper one's. The lower thread is ahead while both are interchangeable, because it
// goes first.
//
// Kokologiannakis, Marmanis, Vafeiadis, "SPORE: Combining Symmetry and Partial Order Reduction",
// PLDI 2024.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_SYMMETRY_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_SYMMETRY_H_

#include "models/kit/exhaustive/graph/graph.h"

namespace nowait::model {

// The event of the lower thread at the index of `event`, if the threads are alike and
// interchangeable up to there; or null.
const GraphEvent* Counterpart(const Graph& graph, const GraphEvent& event, int lower);

// Whether the graph, a representative up to now, stays one with the event next after the access at
// this place in modification order: as a read of it, or a write behind it.
bool CanRepresent(const Graph& graph, const GraphEvent& event, int after);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_SYMMETRY_H_
