// Whether an execution with load buffering can take place step by step.
//
// A step is the read or the write of one event; a read-modify-write makes both. A step waits for
// the steps of its thread that releases, acquires, fences and read-modify-writes put before it, and
// a read waits for another thread's write that it reads. If all steps get their turn, nothing comes
// out of thin air: [podkopaev2019], section 3, for programs without dependencies.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_SCHEDULE_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_SCHEDULE_H_

#include <cstddef>

#include "models/kit/axioms/axioms.h"

namespace nowait::model::oracle {

// first: the initial values stand before this event.
bool HasSchedule(const axioms::Execution& execution, std::size_t first);

}  // namespace nowait::model::oracle

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_ORACLE_SCHEDULE_H_
