// Happens-before, and other knowledge of an event about the events before it, as clocks.
//
// The clocks of an event follow from those of the preceding event of its thread and of the write
// that it reads. They are therefore computed once, when the event is added. The paragraphs of C++20
// (N4861) are [intro.races], and [atomics.fences] for the fences:
//
//   happens_before  the events that happen before this one, including itself: program order and
//                   synchronises-with, transitively
//   porf            the events from which program order and reads-from lead here, including itself
//                   (and, among interchangeable threads, what symmetry.h adds). RC11 requires that
//                   it has no cycle (Lahav, Vafeiadis, Kang, Hur, Dreyer, PLDI 2017), which leaves
//                   out load buffering
//   released        of a write: the events that an acquire operation learns of by reading it. They
//                   are its own clock if it is a release; that of a preceding release fence; and,
//                   for a read-modify-write, that of the write it reads: C++20's release sequence,
//                   which only read-modify-writes continue (P0982R1)
//   acquirable      the events that the thread's relaxed reads would have learned of with acquire:
//                   an acquire fence takes them all
//   fenced          the events that the thread's last release fence makes known
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_HAPPENS_BEFORE_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_HAPPENS_BEFORE_H_

#include "models/kit/exhaustive/graph/graph.h"

namespace nowait::model {

// Computes the clocks of an event that is evaluated and that stands, or will stand, in its thread.
void ComputeClocks(const Graph& graph, GraphEvent& event);

// The events that happen before the event that follows `event` in its thread, or before the first
// event if null.
inline Clock HappensBefore(const GraphEvent* event) {
  return event == nullptr ? Clock() : event->happens_before;
}

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_HAPPENS_BEFORE_H_
