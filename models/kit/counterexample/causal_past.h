// CausalPast: the part of an execution that a failure needs.
//
// It consists of every event that happens before the failure or supplied a value to it: the events
// from which program order, reads-from and the orders of mutexes, of condition variables and of
// accesses to plain data lead to the events to blame. If no such edge enters a part from outside,
// the restriction of an execution to that part is an execution of the same program, stopped
// earlier. It fails in the same way.
//
// A check after all threads may need the whole execution. But if its words name the call that
// answered wrongly, that call fails, and it needs the same events as a failure in its thread:
// "Query([40, 41]) = nothing, by thread 1; meanwhile ...". A check that looks at the objects
// directly, after its last call, needs no call that other checks have made after the threads.
#ifndef NOWAIT_MODELS_KIT_COUNTEREXAMPLE_CAUSAL_PAST_H_
#define NOWAIT_MODELS_KIT_COUNTEREXAMPLE_CAUSAL_PAST_H_

#include <vector>

#include "models/kit/counterexample/orders.h"
#include "models/kit/program/failure.h"
#include "models/kit/program/trace.h"

namespace nowait::model::counterexample {

// The events to blame: both accesses of a data race; the end and the use for a use after free; the
// waits that never end for a deadlock or a livelock. Empty if only the invariant names the error.
std::vector<EventNumber> Blamed(const Trace& trace, const Orders& orders,
                                const model::Failure& failure);

// The trace reduced to what the failure needs, as far as that is known. Set-up is left out, unless
// it failed there, and its stores become the objects' initial values. The moments at which deferred
// stores took effect are left out too, because modification order shows them.
Trace CausalPast(const Trace& trace, const model::Failure& failure);

// The events that must precede an event in any order of the trace's events, besides program order:
// the store that it reads from, the events of other threads that happen before it, and those whose
// order its object shows. Indexed by event, from 1.
std::vector<std::vector<EventNumber>> Needs(const Trace& trace, const Orders& orders);

}  // namespace nowait::model::counterexample

#endif  // NOWAIT_MODELS_KIT_COUNTEREXAMPLE_CAUSAL_PAST_H_
