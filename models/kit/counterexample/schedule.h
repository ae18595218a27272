// Schedule: the order in which a trace is easiest to follow.
//
// The events of an execution can stand in any order that keeps program order, reads-from and
// happens-before. Which of them the checker ran is chance. The order that is shown surprises a
// reader least: few loads read a store that is not the newest by then, and few stores are older
// than one that has taken effect. Among the least surprising ones it has the fewest switches from
// thread to thread.
#ifndef NOWAIT_MODELS_KIT_COUNTEREXAMPLE_SCHEDULE_H_
#define NOWAIT_MODELS_KIT_COUNTEREXAMPLE_SCHEDULE_H_

#include <vector>

#include "models/kit/program/trace.h"

namespace nowait::model::counterexample {

// The trace in that order. Where there are too many orders to compare, in a good one.
Trace Schedule(const Trace& trace);

// How often the trace continues with another thread than before.
int Switches(const Trace& trace);

}  // namespace nowait::model::counterexample

#endif  // NOWAIT_MODELS_KIT_COUNTEREXAMPLE_SCHEDULE_H_
