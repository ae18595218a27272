#include "models/kit/exhaustive/graph/happens_before.h"

#include "models/kit/exhaustive/graph/symmetry.h"

namespace nowait::model {

void ComputeClocks(const Graph& graph, GraphEvent& event) {
  const GraphEvent* before = graph.Before(event);
  event.happens_before = HappensBefore(before);
  event.porf = before != nullptr ? before->porf : Clock();
  event.acquirable = before != nullptr ? before->acquirable : Clock();
  event.fenced = before != nullptr ? before->fenced : Clock();
  event.released = Clock();
  for (int lower = 0; graph.symmetric() && lower < event.thread; ++lower) {
    if (const GraphEvent* counterpart = Counterpart(graph, event, lower)) {
      event.porf.Join(counterpart->porf);
    }
  }
  event.happens_before.Include(event.thread, event.index);
  event.porf.Include(event.thread, event.index);

  const GraphEvent* source =
      event.reads && event.source != kInitial ? &graph[event.source] : nullptr;
  if (source != nullptr) {
    event.porf.Join(source->porf);
    event.acquirable.Join(source->released);
    if (Acquires(event.order)) event.happens_before.Join(source->released);
  }
  if (event.writes) {
    event.released = Releases(event.order) ? event.happens_before : event.fenced;
    if (source != nullptr) event.released.Join(source->released);
  }
  if (event.request.effect == Effect::kFence) {
    if (Acquires(event.order)) event.happens_before.Join(event.acquirable);
    if (Releases(event.order)) event.fenced = event.happens_before;
  }
}

}  // namespace nowait::model
