// Happens-before, and the other knowledge of an event about the events before it, as clocks.
//
// Each clock of an event follows from those of the event before it in its thread and of the write
// that it reads, so they are filled in once, when the event is added. [intro.races] is the
// paragraph of C++20 (N4861), [atomics.fences] for the fences:
//
//   happens_before  the events that happen before this one, itself included: program order and
//                   synchronises-with, transitively
//   porf            the events from which program order and reads-from lead here, itself included
//                   (and, among threads that are alike, what symmetry.h adds);
//                   that it has no cycle is RC11's condition (Lahav, Vafeiadis, Kang, Hur, Dreyer,
//                   PLDI 2017), which leaves out load buffering
//   released        of a write: the events that an acquire which reads it learns. Its own clock if
//                   it is a release; that of a release fence before it; and, of a
//                   read-modify-write, that of the write it reads: the release sequence of C++20,
//                   which only read-modify-writes continue (P0982R1)
//   acquirable      the events that the thread's relaxed reads would have learned with acquire: an
//                   acquire fence takes it all
//   fenced          the events that the thread's last release fence makes known
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_HAPPENS_BEFORE_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_HAPPENS_BEFORE_H_

#include "models/kit/exhaustive/graph/graph.h"

namespace nowait::model {

// Fills in the clocks of an event that is settled and stands, or is to stand, in its thread.
void ComputeClocks(const Graph& graph, GraphEvent& event);

// The events that happen before the next event of the thread that `event` is in, or before the
// first if null.
inline Clock HappensBefore(const GraphEvent* event) {
  return event == nullptr ? Clock() : event->happens_before;
}

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_HAPPENS_BEFORE_H_
