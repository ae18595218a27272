// Whether a load could have read another store as far as the order S of seq_cst operations allows.
#ifndef NOWAIT_MODELS_KIT_COUNTEREXAMPLE_SEQ_CST_H_
#define NOWAIT_MODELS_KIT_COUNTEREXAMPLE_SEQ_CST_H_

#include <optional>

#include "models/kit/counterexample/orders.h"
#include "models/kit/program/trace.h"

namespace nowait::model::counterexample {

// Whether S can matter: there are seq_cst operations or fences up to the event.
bool MayMatter(const Trace& trace, EventNumber last);

// Whether the events up to `reader` have an S if it reads `store` (kNoEvent: the initial value).
// Returns nothing if that cannot be decided here: for more events than the axioms take, or for a
// read-modify-write, which might then write another value.
std::optional<bool> HasOrderS(const Trace& trace, const Orders& orders, EventNumber reader,
                              EventNumber store);

}  // namespace nowait::model::counterexample

#endif  // NOWAIT_MODELS_KIT_COUNTEREXAMPLE_SEQ_CST_H_
