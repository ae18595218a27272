#include "models/kit/arm/local_order.h"

namespace nowait::arm {
namespace {

Places Before(std::size_t place) { return Only(place) - 1; }

// The places below `end` at which `wanted` holds.
template <class Wanted>
Places Where(const std::vector<Event>& events, std::size_t end, Wanted wanted) {
  Places found = 0;
  for (std::size_t place = 0; place < end; ++place) {
    if (wanted(events[place])) found |= Only(place);
  }
  return found;
}

// dob: what an event waits for because of values.
Places DependencyOrdered(const std::vector<Event>& events, std::size_t place) {
  const Event& event = events[place];
  if (!event.Accesses()) return 0;
  Places before = event.data.data | event.address_from.data | event.acquired;
  if (event.Writes()) {
    before |= event.control | event.addressed;
    before |= event.data.pick | event.address_from.pick;
    // (ctrl | data); coi. A control dependency reaches all later writes anyway.
    for (std::size_t other = 0; other < place; ++other) {
      const Event& write = events[other];
      if (write.Writes() && write.address == event.address) before |= write.data.data;
    }
    return before;
  }
  for (std::size_t other = 0; other < place; ++other) {
    if (events[other].kind == Kind::kIsb) before |= events[other].control | events[other].addressed;
  }
  return before;
}

// bob: what an event waits for because of barriers, acquires and releases.
Places BarrierOrdered(const std::vector<Event>& events, std::size_t place) {
  const Event& event = events[place];
  if (!event.Accesses()) return 0;
  Places before = Where(events, place, [](const Event& e) { return e.acquire || e.acquire_pc; });
  if (event.acquire) before |= Where(events, place, [](const Event& e) { return e.release; });
  if (event.release) before |= Before(place);
  for (std::size_t other = 0; other < place; ++other) {
    switch (events[other].kind) {
      case Kind::kFullFence:
        before |= Before(other);
        break;
      case Kind::kLoadFence:
        before |= Where(events, other, [](const Event& e) { return e.Reads() && e.returns; });
        break;
      case Kind::kStoreFence:
        if (!event.Writes()) break;
        before |= Where(events, other, [](const Event& e) { return e.Writes(); });
        break;
      case Kind::kWrite:  // po; [L]; coi
        if (event.Writes() && events[other].release && events[other].address == event.address) {
          before |= Before(other);
        }
        break;
      default:
        break;
    }
  }
  return before & Where(events, place, [](const Event& e) { return e.Accesses(); });
}

}  // namespace

std::vector<Places> LocalOrder(const std::vector<Event>& events) {
  std::vector<Places> before(events.size());
  for (std::size_t place = 0; place < events.size(); ++place) {
    before[place] = DependencyOrdered(events, place) | BarrierOrdered(events, place);
    if (events[place].Writes() && events[place].rmw >= 0) {  // aob: rmw
      before[place] |= Only(static_cast<std::size_t>(events[place].rmw));
    }
  }
  return before;
}

Places OrderedByForwarding(const std::vector<Event>& events, std::size_t write, std::size_t read) {
  const Event& from = events[write];
  Places before = from.data.data | from.address_from.data;
  const Event& to = events[read];
  if ((to.acquire || to.acquire_pc) && from.rmw >= 0) {
    before |= Only(static_cast<std::size_t>(from.rmw));
  }
  return before;
}

}  // namespace nowait::arm
