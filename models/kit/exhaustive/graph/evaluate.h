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

// The number of outcomes that `event` may have if it reads `value` after the preceding events of
// its thread. It is 1 except for kChoose, kNotifyOne and spurious failures. A thread has one
// spurious failure of each kind, because a retry loop would do the same a second time as the first.
unsigned Variants(const Graph& graph, const GraphEvent& event, Word value);

// Computes reads, writes, blocks, order and written from request, read and variant.
void Evaluate(GraphEvent& event);

// Whether the thread would have to wait if it continued with this request now.
bool MustWait(const Graph& graph, int thread, const Request& request, LocationIndex location);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_EVALUATE_H_
