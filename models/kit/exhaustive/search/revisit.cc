#include "models/kit/exhaustive/search/revisit.h"

#include <algorithm>

#include "models/kit/exhaustive/graph/coherence.h"
#include "models/kit/exhaustive/graph/evaluate.h"
#include "models/kit/exhaustive/graph/happens_before.h"
#include "models/kit/exhaustive/graph/seq_cst.h"
#include "models/kit/exhaustive/graph/symmetry.h"

namespace nowait::model {
namespace {

// Whether the event stands as if it were added last to `previous`, with the choices that the search
// makes first: among the events in `previous`, a read reads the newest write, and a write is the
// newest and is not read.
template <class Previous>
bool IsMaximal(const Graph& graph, const GraphEvent& event, Slot slot, const Previous& previous) {
  if (event.variant != 0) return false;
  if (event.location == kNoLocation) return true;
  const Effect effect = event.request.effect;
  if (effect == Effect::kAllocate) return event.source == kInitial;
  const Location& location = graph.location(event.location);
  const int place = graph.PlaceOf(event);
  for (Slot newer = location.newest;
       effect != Effect::kFree && newer != kNoSlot && graph[newer].place > place;
       newer = graph[newer].older) {
    if (previous(newer)) return false;
  }
  if (!event.writes) return true;
  for (Slot read = location.last_read; read != kNoSlot; read = graph[read].earlier_read) {
    if (graph[read].source == slot && previous(read)) return false;
  }
  return true;
}

// Whether adding the events that a revisit of `read` by `write` removes yields `graph` again.
bool IsMaximallyExtended(const Graph& graph, Slot read, const GraphEvent& write) {
  const auto leads_to_write = [&](Slot slot) {
    return write.porf.Has(graph[slot].thread, graph[slot].index);
  };
  for (Slot slot = read; slot < graph.size(); ++slot) {
    if (leads_to_write(slot)) continue;
    const auto previous = [&](Slot other) { return other <= slot || leads_to_write(other); };
    if (!IsMaximal(graph, graph[slot], slot, previous)) return false;
  }
  return true;
}

}  // namespace

void Revisits::By(const Graph& graph, Slot write_slot, std::size_t depth) {
  const GraphEvent& write = graph[write_slot];
  const Location& location = graph.location(write.location);
  for (Slot slot = location.last_read; slot != kNoSlot; slot = graph[slot].earlier_read) {
    const GraphEvent& read = graph[slot];
    if (write.porf.Has(read.thread, read.index)) continue;
    if (IsMaximallyExtended(graph, slot, write)) Of(graph, slot, write_slot, depth);
  }
}

void Revisits::Of(const Graph& whole, Slot read_slot, Slot write_slot, std::size_t depth) {
  if (depth == chain_.size()) chain_.emplace_back();
  Graph& without = chain_[depth].without;
  Graph& graph = chain_[depth].graph;
  const Slot read = without.Restrict(whole, read_slot, whole[write_slot].porf, read_slot);
  const GraphEvent& found = whole[write_slot];
  const Slot write = without.At(found.thread, found.index);
  const LocationIndex location = found.location;

  // The write comes after all places that it or the read has seen; an update comes after the write
  // that it reads.
  int lowest = std::max(Floor(without, HappensBefore(without.Before(without[write])), location),
                        Floor(without, HappensBefore(without.Before(without[read])), location)) +
               1;
  int highest = without.location(location).writes;
  if (without[write].reads) {
    const Slot source = without[write].source;
    const int place = 1 + (source == kInitial ? kInitialPlace : without[source].place);
    lowest = std::max(lowest, place);
    highest = place;
  }
  if (found.request.effect == Effect::kFree) lowest = highest;
  for (int place = highest; place >= lowest; --place) {
    if (without.IsUpdateAt(location, place) || !CanRepresent(without, without[write], place - 1)) {
      continue;
    }
    graph = without;
    graph.Attach(write, place);
    GraphEvent again = without[read];
    again.source = write;
    again.read = graph[write].written;
    const unsigned variants = Variants(graph, again, again.read);
    for (unsigned variant = 0; variant < variants; ++variant) {
      again.variant = static_cast<std::uint8_t>(variant);
      Evaluate(again);
      if (!CanRepresent(graph, again, place)) continue;
      ComputeClocks(graph, again);
      // The thread would wait for a newer value than one that already exists.
      if (again.blocks && place != highest && again.request.effect != Effect::kReadUnlessEqual)
        continue;
      graph.Replace(read, again);
      Graph& child = work_list_.Push();
      child = graph;
      child.Attach(read, place + 1);
      if (!HasTotalOrder(child)) work_list_.Drop();
      if (again.writes) By(graph, read, depth + 1);
    }
  }
}

}  // namespace nowait::model
