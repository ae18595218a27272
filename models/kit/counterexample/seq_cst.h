// Whether a load could have read another store as far as the order S of seq_cst operations goes.
#ifndef NOWAIT_MODELS_KIT_COUNTEREXAMPLE_SEQ_CST_H_
#define NOWAIT_MODELS_KIT_COUNTEREXAMPLE_SEQ_CST_H_

#include <optional>

#include "models/kit/counterexample/orders.h"
#include "models/kit/program/trace.h"

namespace nowait::model::counterexample {

// Whether S can matter: there are seq_cst operations or fences up to the event.
bool MayMatter(const Trace& trace, EventNumber last);

// Whether the events up to `reader` have an S when it reads `store` (kNoEvent: the first value).
// Nothing when that cannot be decided here: of more events than the axioms take, or of a
// read-modify-write, which might write something else then.
std::optional<bool> HasOrderS(const Trace& trace, const Orders& orders, EventNumber reader,
                              EventNumber store);

}  // namespace nowait::model::counterexample

#endif  // NOWAIT_MODELS_KIT_COUNTEREXAMPLE_SEQ_CST_H_
