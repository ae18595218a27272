// Schedule: the order in which a trace is easiest to follow.
//
// The events of an execution can stand in any order that keeps program order, reads-from and what
// happens before what. Which of them the checker ran is chance. Shown is one in which as little as
// possible is out of the order in which a reader expects it, that is, in which few loads read a store
// that is not the newest by then and few stores are older than one that has taken effect; and among
// those one with the fewest switches from thread to thread.
#ifndef NOWAIT_MODELS_KIT_COUNTEREXAMPLE_SCHEDULE_H_
#define NOWAIT_MODELS_KIT_COUNTEREXAMPLE_SCHEDULE_H_

#include <vector>

#include "models/kit/trace.h"

namespace nowait::model::counterexample {

// The trace in that order. Where there are too many orders to compare, in a good one.
Trace Schedule(const Trace& trace);

// How often the trace goes on with another thread than before.
int Switches(const Trace& trace);

}  // namespace nowait::model::counterexample

#endif  // NOWAIT_MODELS_KIT_COUNTEREXAMPLE_SCHEDULE_H_
