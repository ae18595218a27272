// Candidates: for each read of an atomic, which stores it could have read, and what forbids the others.
//
// Asked of the moment of the read in the trace's order: the stores before it there are the candidates.
// What forbids one is coherence ([intro.races] 16 and 18), the place of a read-modify-write in
// modification order ([atomics.order] 10), or the order S of seq_cst operations ([atomics.order] 4).
// The last is judged by the axioms (models/kit/axioms) where the events are few enough for them; else
// a store of which only S could say something is not listed.
#ifndef NOWAIT_MODELS_KIT_COUNTEREXAMPLE_CANDIDATES_H_
#define NOWAIT_MODELS_KIT_COUNTEREXAMPLE_CANDIDATES_H_

#include <vector>

#include "models/kit/counterexample/counterexample.h"
#include "models/kit/counterexample/orders.h"
#include "models/kit/trace.h"

namespace nowait::model::counterexample {

// Of the reads by threads and After of atomics that have more than one candidate. Of very many the
// newest, and the one that is read.
std::vector<Choice> CandidatesOf(const Trace& trace, const Orders& orders);

}  // namespace nowait::model::counterexample

#endif  // NOWAIT_MODELS_KIT_COUNTEREXAMPLE_CANDIDATES_H_
