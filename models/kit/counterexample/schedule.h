// Schedule: the order in which a trace is easiest to follow.
//
// The events of an execution may appear in any order that keeps program order, reads-from and
// happens-before. The checker runs one of these orders by chance. The order that is shown surprises
// a reader least: few loads read a store that is not the newest at that point, and few stores are
// older than one that has taken effect. Among the least surprising orders, it has the fewest
// switches between threads.
#ifndef NOWAIT_MODELS_KIT_COUNTEREXAMPLE_SCHEDULE_H_
#define NOWAIT_MODELS_KIT_COUNTEREXAMPLE_SCHEDULE_H_

#include <vector>

#include "models/kit/program/trace.h"

namespace nowait::model::counterexample {

// The trace in that order; in a good order if there are too many to compare.
Trace Schedule(const Trace& trace);

// The number of times that the trace switches to another thread.
int Switches(const Trace& trace);

}  // namespace nowait::model::counterexample

#endif  // NOWAIT_MODELS_KIT_COUNTEREXAMPLE_SCHEDULE_H_
