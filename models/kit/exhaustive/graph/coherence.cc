#include "models/kit/exhaustive/graph/coherence.h"

#include <algorithm>

namespace nowait::model {

int Floor(const Graph& graph, const Clock& known, LocationIndex index) {
  const Location& location = graph.location(index);
  int floor = kInitialPlace;
  for (Slot slot = location.newest; slot != kNoSlot; slot = graph[slot].older) {
    const GraphEvent& write = graph[slot];
    if (known.Has(write.thread, write.index)) {
      floor = write.place;
      break;
    }
  }
  for (Slot slot = location.last_read; slot != kNoSlot; slot = graph[slot].earlier_read) {
    const GraphEvent& read = graph[slot];
    if (known.Has(read.thread, read.index)) floor = std::max(floor, graph.PlaceOf(read));
  }
  return floor;
}

}  // namespace nowait::model
