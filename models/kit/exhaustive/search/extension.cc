#include "models/kit/exhaustive/search/extension.h"

#include "models/kit/exhaustive/graph/allocation.h"
#include "models/kit/exhaustive/graph/coherence.h"
#include "models/kit/exhaustive/graph/evaluate.h"
#include "models/kit/exhaustive/graph/happens_before.h"
#include "models/kit/exhaustive/graph/seq_cst.h"
#include "models/kit/exhaustive/graph/symmetry.h"

namespace nowait::model {

Slot Extension::Add(Graph& graph, int thread, const Request& request, LocationIndex location,
                    const Site& site, const Observations& observations) {
  GraphEvent event;
  event.request = request;
  event.site = site;
  event.thread = static_cast<std::uint8_t>(thread);
  event.index = static_cast<std::uint16_t>(graph.Length(thread));
  event.location = location;
  const Slot slot = graph.Append(event);
  if (request.effect == Effect::kAllocate) {
    AddAllocation(graph, slot);
  } else if (request.effect == Effect::kFree) {
    AddFree(graph, slot);
  } else if (Reads(request.effect)) {
    AddRead(graph, slot, observations);
  } else if (request.effect == Effect::kWrite) {
    AddWrite(graph, slot);
  } else {
    AddChoice(graph, slot);
  }
  return slot;
}

// Offers the graph with the event attached, if it is consistent.
void Extension::Offer(const Graph& graph, Slot slot, int place) {
  Graph& child = work_list_.Push();
  child = graph;
  child.Attach(slot, place);
  if (!HasTotalOrder(child)) work_list_.Drop();
}

void Extension::AddRead(Graph& graph, Slot slot, const Observations& observations) {
  GraphEvent event = graph[slot];
  const LocationIndex location = event.location;
  const int newest = graph.location(location).writes - 1;
  const int floor = Floor(graph, HappensBefore(graph.Before(event)), location);
  GraphEvent maximal;
  for (int place = floor; place <= newest; ++place) {
    event.source = place == kInitialPlace ? kInitial : graph.WriteAt(location, place);
    event.read = graph.ValueOf(location, event.source);
    const unsigned variants = Variants(graph, event, event.read);
    for (unsigned variant = variants; variant-- > 0;) {
      event.variant = static_cast<std::uint8_t>(variant);
      Evaluate(event);
      if (!CanRepresent(graph, event, place)) continue;
      ComputeClocks(graph, event);
      graph.Replace(slot, event);
      if (event.writes) revisits_.By(graph, slot);
      if (place == newest && variant == 0) {
        maximal = event;
        continue;
      }
      // Two updates cannot read the same write. The revisits above may remove the other one.
      if (event.writes && graph.IsUpdateAt(location, place + 1)) continue;
      // The thread would wait for a newer value than one that already exists. Only atomic::wait may
      // do so (exhaustive_machine.h: lost wake-ups).
      if (event.blocks && place != newest && event.request.effect != Effect::kReadUnlessEqual) {
        continue;
      }
      if (!event.writes && place != newest && !vain_tries_.empty() &&
          vain_tries_.Have(observations.After(event))) {
        work_list_.Skip();
        continue;
      }
      Offer(graph, slot, place + 1);
    }
  }
  graph.Replace(slot, maximal);
  graph.Attach(slot, newest + 1);
}

void Extension::AddWrite(Graph& graph, Slot slot) {
  GraphEvent event = graph[slot];
  const LocationIndex location = event.location;
  Evaluate(event);
  ComputeClocks(graph, event);
  graph.Replace(slot, event);
  revisits_.By(graph, slot);
  const int newest = graph.location(location).writes;
  for (int place = Floor(graph, HappensBefore(graph.Before(event)), location) + 1; place < newest;
       ++place) {
    if (graph.IsUpdateAt(location, place) || !CanRepresent(graph, event, place - 1)) continue;
    Offer(graph, slot, place);
  }
  graph.Attach(slot, newest);
}

// A fence has one outcome; its successors in S are still to come.
void Extension::AddChoice(Graph& graph, Slot slot) {
  GraphEvent event = graph[slot];
  Evaluate(event);
  ComputeClocks(graph, event);
  for (unsigned variant = Variants(graph, event, 0); variant-- > 1;) {
    event.variant = static_cast<std::uint8_t>(variant);
    if (!CanRepresent(graph, event, kInitialPlace)) continue;
    graph.Replace(slot, event);
    Graph& child = work_list_.Push();
    child = graph;
  }
  event.variant = 0;
  graph.Replace(slot, event);
}

void Extension::AddAllocation(Graph& graph, Slot slot) {
  GraphEvent event = graph[slot];
  const auto take = [&](Slot freed) {
    event.source = freed;
    event.read = graph.ValueOf(event.location, freed);
    Evaluate(event);
    ComputeClocks(graph, event);
    graph.Replace(slot, event);
  };
  for (Slot freed = graph.location(event.location).newest; freed != kNoSlot;
       freed = graph[freed].older) {
    if (IsTaken(graph, freed)) continue;
    take(freed);
    Offer(graph, slot, 0);
  }
  take(kInitial);
  graph.Attach(slot, 0);
}

void Extension::AddFree(Graph& graph, Slot slot) {
  GraphEvent event = graph[slot];
  Evaluate(event);
  ComputeClocks(graph, event);
  graph.Replace(slot, event);
  revisits_.By(graph, slot);
  graph.Attach(slot, graph.location(event.location).writes);
}

}  // namespace nowait::model
