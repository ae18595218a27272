// GuidedReplay: one execution that follows a recorded one as far as it can.
//
// The same threads go in the same order, and each read reads from the same store, though the
// program has other memory orders now (models/kit/mutation), or is another program with the same
// threads. This shows which step an order forbids, or where a defect begins to matter. The
// divergence is the place where the two differ. From there on threads go in the recorded order as
// long as the thread can go, then the lowest one that can, and reads read the newest store.
//
// A recorded event is recognised by its thread, by its kind, and by its object: the first recorded
// object of a kind that is met is the first one here, and so on. So the record may come from
// another binary, another source or Relacy. Choices of a scenario and of a notification are not
// recorded; here they are the first ones.
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
  EventNumber store = kNoEvent;     // recorded: the store that cannot be read any more
  std::string words;                // why; without numbers, for the display may give others
};

struct GuidedReplay {
  Trace trace;
  std::optional<Failure> failure;
  bool blocked = false;  // a thread waits for ever, and only because it does not look again
  std::optional<Divergence> diverges;
};

// The event of `here` that comes after as many of its thread's as `number` does in `recorded`;
// kNoEvent if the thread does less here.
EventNumber CounterpartOf(const Trace& here, const Trace& recorded, EventNumber number);

// sites: where the executed operations are counted.
GuidedReplay RunGuidedReplay(const ScenarioEntry& scenario, const Trace& recorded,
                             SiteTable& sites);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_REPLAY_GUIDED_REPLAY_H_
