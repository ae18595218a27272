// An execution in words: a line for each event of its threads.
#ifndef NOWAIT_MODELS_KIT_BUFFERING_FORMAT_EVENTS_H_
#define NOWAIT_MODELS_KIT_BUFFERING_FORMAT_EVENTS_H_

#include <string>
#include <vector>

#include "models/kit/buffering/executions.h"

namespace nowait::model::buffering {

// "thread 1  b  load atomic 2: 1, relaxed, from a  src/sync/quota.h:40": the events are named by
// letters, so that a read can name the write that it reads.
std::string FormatEvents(const std::vector<const Events*>& threads, const Judged& execution);

}  // namespace nowait::model::buffering

#endif  // NOWAIT_MODELS_KIT_BUFFERING_FORMAT_EVENTS_H_
