// CausalPast: the part of an execution that a failure needs.
//
// That is every event that happens before the failure or fed it: the events from which program
// order, reads-from and the orders of mutexes, of condition variables and of the accesses to plain
// data lead to the events to blame. If no such edge leads into a part from outside, restricting an
// execution to it gives an execution of the same program stopped earlier, which fails in the same
// way.
//
// A check after all threads may need all of it. But when its words name the call that answered
// wrongly, that call fails. It needs the same events as a failure in its thread: "Query([40, 41]) =
// nothing, by thread 1; meanwhile ...". And a check that looks at the objects by itself, after its
// last call, needs no call that other checks have made after the threads.
#ifndef NOWAIT_MODELS_KIT_COUNTEREXAMPLE_CAUSAL_PAST_H_
#define NOWAIT_MODELS_KIT_COUNTEREXAMPLE_CAUSAL_PAST_H_

#include <vector>

#include "models/kit/counterexample/orders.h"
#include "models/kit/program/failure.h"
#include "models/kit/program/trace.h"

namespace nowait::model::counterexample {

// The events to blame: of a data race both accesses, of a use after free the end and the use, of a
// deadlock or a livelock the waits that never end. Empty where the invariant alone names the error.
std::vector<EventNumber> Blamed(const Trace& trace, const Orders& orders,
                                const model::Failure& failure);

// The trace without set-up, whose stores become the objects' first values, unless set-up is where
// it failed; without the moments at which deferred stores took effect, which modification order
// shows; and only the part that the failure needs, as far as that is known.
Trace CausalPast(const Trace& trace, const model::Failure& failure);

// The events that an event has to come after in any order of the trace's events, besides program
// order: the store that it reads from, the events of other threads that happen before it, and those
// whose order its object shows. By event, from 1.
std::vector<std::vector<EventNumber>> Needs(const Trace& trace, const Orders& orders);

}  // namespace nowait::model::counterexample

#endif  // NOWAIT_MODELS_KIT_COUNTEREXAMPLE_CAUSAL_PAST_H_
