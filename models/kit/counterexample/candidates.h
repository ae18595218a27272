// Candidates: for each read of an atomic, the stores that it could have read, and for each other
// store the rule that forbids it.
//
// A candidate is a store before the read in the trace's order. A store is forbidden by coherence
// ([intro.races] 16 and 18), by the place of a read-modify-write in modification order
// ([atomics.order] 10), or by the order S of seq_cst operations ([atomics.order] 4). The axioms
// (models/kit/axioms) decide the last case if there are few enough events for them. Otherwise a
// store that only S could forbid is not listed.
#ifndef NOWAIT_MODELS_KIT_COUNTEREXAMPLE_CANDIDATES_H_
#define NOWAIT_MODELS_KIT_COUNTEREXAMPLE_CANDIDATES_H_

#include <vector>

#include "models/kit/counterexample/counterexample.h"
#include "models/kit/counterexample/orders.h"
#include "models/kit/program/trace.h"

namespace nowait::model::counterexample {

// Covers the reads, by threads and After, of atomics with more than one candidate. If there are
// very many candidates, only the newest and the one that is read are listed.
std::vector<Choice> CandidatesOf(const Trace& trace, const Orders& orders);

}  // namespace nowait::model::counterexample

#endif  // NOWAIT_MODELS_KIT_COUNTEREXAMPLE_CANDIDATES_H_
