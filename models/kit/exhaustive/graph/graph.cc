#include "models/kit/exhaustive/graph/graph.h"

#include <algorithm>

namespace nowait::model {

void Graph::Clear() {
  events_.clear();
  for (auto& thread : threads_) thread.clear();
  locations_.clear();
  seq_cst_requests_ = 0;
}

LocationIndex Graph::Locate(ObjectName name, Word initial) {
  const auto found = std::ranges::find(locations_, name, &Location::name);
  if (found != locations_.end()) return static_cast<LocationIndex>(found - locations_.begin());
  locations_.push_back({.name = name, .initial = initial});
  return static_cast<LocationIndex>(locations_.size() - 1);
}

unsigned Graph::LookBefore(const GraphEvent& event) const {
  for (unsigned i = event.index; i-- > 0;) {
    if (events_[At(event.thread, i)].location == event.location) return i;
  }
  return event.index;
}

Slot Graph::Append(const GraphEvent& event) {
  const Slot slot = static_cast<Slot>(events_.size());
  events_.push_back(event);
  threads_[event.thread].push_back(slot);
  const Request& request = event.request;
  seq_cst_requests_ +=
      request.order == std::memory_order::seq_cst || request.failure == std::memory_order::seq_cst;
  return slot;
}

void Graph::Attach(Slot slot, int place) {
  GraphEvent& event = events_[slot];
  if (event.location == kNoLocation) return;
  Location& location = locations_[event.location];
  if (event.reads) {
    event.earlier_read = location.last_read;
    location.last_read = slot;
  }
  if (!event.writes) return;
  event.newer = kNoSlot;
  Slot older = location.newest;
  for (int above = location.writes - place; above > 0; --above) {
    event.newer = older;
    ++events_[older].place;
    older = events_[older].older;
  }
  event.older = older;
  event.place = static_cast<std::uint16_t>(place);
  (event.newer == kNoSlot ? location.newest : events_[event.newer].older) = slot;
  if (older != kNoSlot) events_[older].newer = slot;
  ++location.writes;
}

Slot Graph::WriteAt(LocationIndex index, int place) const {
  const Location& location = locations_[index];
  Slot write = location.newest;
  for (int above = location.writes - 1 - place; above > 0; --above) write = events_[write].older;
  return write;
}

bool Graph::IsUpdateAt(LocationIndex location, int place) const {
  return place < locations_[location].writes && events_[WriteAt(location, place)].reads;
}

Slot Graph::Restrict(const Graph& whole, Slot last, const Clock& also, Slot detached) {
  Clear();
  symmetric_ = whole.symmetric_;
  static std::vector<Slot> now_at;
  now_at.assign(whole.events_.size(), kNoSlot);
  for (std::size_t slot = 0; slot < whole.events_.size(); ++slot) {
    const GraphEvent& event = whole.events_[slot];
    if (slot <= last || also.Has(event.thread, event.index)) now_at[slot] = Append(event);
  }
  for (GraphEvent& event : events_) {
    if (event.source != kInitial) event.source = now_at[event.source];
  }
  const auto stays = [&](Slot slot) { return slot != detached && now_at[slot] != kNoSlot; };
  locations_ = whole.locations_;
  for (Location& location : locations_) {
    // Downwards from the newest write and from the last read, leaving out removed events.
    Slot* link = &location.newest;
    Slot newer = kNoSlot;
    location.writes = 0;
    for (Slot slot = *link; slot != kNoSlot; slot = whole.events_[slot].older) {
      if (!stays(slot)) continue;
      *link = now_at[slot];
      events_[*link].newer = newer;
      newer = *link;
      link = &events_[*link].older;
      ++location.writes;
    }
    *link = kNoSlot;
    std::uint16_t place = location.writes;
    for (Slot slot = location.newest; slot != kNoSlot; slot = events_[slot].older) {
      events_[slot].place = --place;
    }
    link = &location.last_read;
    for (Slot slot = *link; slot != kNoSlot; slot = whole.events_[slot].earlier_read) {
      if (!stays(slot)) continue;
      *link = now_at[slot];
      link = &events_[*link].earlier_read;
    }
    *link = kNoSlot;
  }
  return now_at[detached];
}

}  // namespace nowait::model
