// GuidedReplay: one execution that follows a recorded one as far as it can.
//
// The same threads run in the same order, and each read reads from the same store, although the
// program now has other memory orders (models/kit/mutation) or is another program with the same
// threads. This shows which step an order forbids, or where a defect begins to matter. The
// divergence is the place where the two executions differ. From there on, threads run in the
// recorded order as long as they can, then the lowest thread that can, and reads read the newest
// store.
//
// A recorded event is recognised by its thread, its kind and its object: the first recorded object
// of a kind that occurs corresponds to the first one here, and so on. The record may therefore come
// from another binary, from other source code or from Relacy. The choices of a scenario and of a
// notification are not recorded; here they are the first ones.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_REPLAY_GUIDED_REPLAY_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_REPLAY_GUIDED_REPLAY_H_

#include <optional>
#include <string>

#include "models/kit/program/failure.h"
#include "models/kit/program/site_table.h"
#include "models/kit/program/trace.h"
#include "models/kit/scenario/scenario.h"

namespace nowait::model {

struct Divergence {
  EventNumber recorded = kNoEvent;  // the event that could not be followed
  EventNumber here = kNoEvent;      // what its thread did instead; kNoEvent if it did nothing more
  EventNumber store = kNoEvent;     // recorded: the store that can no longer be read
  std::string words;                // the reason; without numbers, because the display may number
                                    // differently
};

struct GuidedReplay {
  Trace trace;
  std::optional<Failure> failure;
  bool blocked = false;  // a thread waits for ever only because it does not look again
  std::optional<Divergence> diverges;
};

// The event of `here` at the same position in its thread as `number` in `recorded`; kNoEvent if the
// thread does less here.
EventNumber CounterpartOf(const Trace& here, const Trace& recorded, EventNumber number);

// sites: counts the executed operations.
GuidedReplay RunGuidedReplay(const ScenarioEntry& scenario, const Trace& recorded,
                             SiteTable& sites);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_REPLAY_GUIDED_REPLAY_H_
