// The result of an event once the value that it reads is known.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_EVALUATE_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_EVALUATE_H_

#include "models/kit/exhaustive/graph/event.h"
#include "models/kit/exhaustive/graph/graph.h"

namespace nowait::model {

constexpr bool Reads(Effect effect) {
  return effect != Effect::kWrite && effect != Effect::kFence && effect != Effect::kChoose &&
         effect != Effect::kFree;
}

// How many outcomes `event` may have when it reads `value` after the events before it in its
// thread. One, but for kChoose, kNotifyOne, and spurious failures: a thread has one of each kind. A
// retry loop would do a second time the same as the first.
unsigned Variants(const Graph& graph, const GraphEvent& event, Word value);

// Fills in reads, writes, blocks, order and written, from request, read and variant.
void Evaluate(GraphEvent& event);

// Whether the thread would have to wait if it continued with this now.
bool MustWait(const Graph& graph, int thread, const Request& request, LocationIndex location);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_EVALUATE_H_
