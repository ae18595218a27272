// Happens-before, and the rest of what an event knows of the events before it, as clocks.
//
// Each clock of an event follows from those of the event before it in its thread and of the write
// that it reads, so they are filled in once, when the event is added. [intro.races] is the
// paragraph of C++20 (N4861), [atomics.fences] for the fences:
//
//   happens_before  the events that happen before this one, itself included: program order and
//                   synchronises-with, transitively
//   porf            the events from which program order and reads-from lead here, itself included
//                   (and, among threads that are alike, what symmetry.h adds);
//                   that it never goes in a circle is RC11's condition (Lahav, Vafeiadis, Kang, Hur,
//                   Dreyer, PLDI 2017), which leaves out load buffering
//   released        of a write: what an acquire that reads it synchronises with. Its own if it is a
//                   release; what a release fence before it had; and, of a read-modify-write, that
//                   of the write it reads: the release sequence of C++20, which only
//                   read-modify-writes carry on (P0982R1)
//   acquirable      what relaxed reads of the thread so far would have synchronised with: an acquire
//                   fence takes it all
//   fenced          what the thread's last release fence makes known
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_HAPPENS_BEFORE_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_HAPPENS_BEFORE_H_

#include "models/kit/exhaustive/graph.h"

namespace nowait::model {

// Fills in the clocks of an event that is settled and stands, or is to stand, in its thread.
void ComputeClocks(const Graph& graph, GraphEvent& event);

// What happens before the next event of the thread that `event` is in, or before the first if null.
inline Clock HappensBefore(const GraphEvent* event) {
  return event == nullptr ? Clock() : event->happens_before;
}

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_HAPPENS_BEFORE_H_
