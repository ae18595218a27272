#include "models/kit/buffering/preserved.h"

namespace nowait::model::buffering {
namespace {

using axioms::Relation;

void AddFrom(Places reads, const std::vector<Nodes>& nodes, std::size_t to, Relation& order) {
  for (std::size_t read = 0; read < nodes.size(); ++read) {
    if (Has(reads, read)) order.Add(nodes[read].read, to);
  }
}

// The fence at `fence` orders what comes before it with what comes behind it. An acquire fence
// orders earlier reads alone.
void AddFence(const Events& events, const std::vector<Nodes>& nodes, std::size_t fence,
              Relation& order) {
  if (events[fence].order == std::memory_order::relaxed) return;
  const bool orders_writes = Releases(events[fence].order);
  const std::size_t node = nodes[fence].read;
  for (std::size_t other = 0; other < events.size(); ++other) {
    if (other == fence) continue;
    const Event& event = events[other];
    if (other > fence) {
      order.Add(node, nodes[other].read);
      order.Add(node, nodes[other].write);
      continue;
    }
    if (orders_writes || event.Reads() || event.IsFence()) order.Add(nodes[other].read, node);
    if (orders_writes) order.Add(nodes[other].write, node);
  }
}

}  // namespace

std::size_t NumberNodes(const Events& events, std::size_t first, std::vector<Nodes>& nodes) {
  nodes.clear();
  for (const Event& event : events) {
    const bool both = event.kind == Event::Kind::kUpdate;
    nodes.push_back({first, both ? first + 1 : first});
    first += both ? 2 : 1;
  }
  return first;
}

void AddBarrierOrder(const Events& events, const std::vector<Nodes>& nodes, const Rules& rules,
                     Relation& order) {
  for (std::size_t place = 0; place < events.size(); ++place) {
    const Event& event = events[place];
    if (event.IsPlain()) continue;
    if (event.IsFence()) {
      if (rules.Has(Rule::kFences)) AddFence(events, nodes, place, order);
      continue;
    }
    const bool releases = event.Writes() && Releases(event.order);
    const bool acquires = event.Reads() && Acquires(event.order);
    if (releases && rules.Has(Rule::kRelease)) {
      for (std::size_t before = 0; before < place; ++before) {
        order.Add(nodes[before].read, nodes[place].write);
        order.Add(nodes[before].write, nodes[place].write);
      }
      if (event.Reads()) order.Add(nodes[place].read, nodes[place].write);
    }
    if (acquires && rules.Has(Rule::kAcquire)) {
      if (event.Writes()) order.Add(nodes[place].read, nodes[place].write);
      for (std::size_t after = place + 1; after < events.size(); ++after) {
        order.Add(nodes[place].read, nodes[after].read);
        order.Add(nodes[place].read, nodes[after].write);
      }
    }
    if (releases && rules.Has(Rule::kAfterWrite)) {
      for (std::size_t after = place + 1; after < events.size(); ++after) {
        if (events[after].Writes() && events[after].At() == event.At()) {
          order.Add(nodes[place].write, nodes[after].write);
        }
      }
    }
  }
}

void AddDependencies(const Events& events, const std::vector<Nodes>& nodes, Lost lost,
                     const Rules& rules, Relation& order) {
  for (std::size_t place = 0; place < events.size(); ++place) {
    const Event& event = events[place];
    if (rules.Has(Rule::kAddress)) {
      AddFrom(event.address, nodes, nodes[place].read, order);
      AddFrom(event.address, nodes, nodes[place].write, order);
      if (event.Writes()) AddFrom(event.addressed, nodes, nodes[place].write, order);
    }
    if (rules.Has(Rule::kData)) {
      AddFrom(event.compared, nodes, nodes[place].read, order);
      if (event.Writes()) AddFrom(event.data, nodes, nodes[place].write, order);
    }
    if (!event.Writes()) continue;
    if (event.Reads()) order.Add(nodes[place].read, nodes[place].write);
    if (rules.Has(Rule::kControl)) AddFrom(event.control, nodes, nodes[place].write, order);
    if (lost == Lost::kDependency) AddFrom(event.lost, nodes, nodes[place].write, order);
  }
}

Relation PreservedOf(const Relation& dependencies, const std::vector<bool>& reads,
                     const std::vector<bool>& writes) {
  const Relation closed = dependencies.Closed();
  Relation preserved(reads.size());
  for (std::size_t from = 0; from < reads.size(); ++from) {
    if (!reads[from]) continue;
    for (std::size_t to = 0; to < writes.size(); ++to) {
      if (writes[to] && closed.Has(from, to)) preserved.Add(from, to);
    }
  }
  return preserved;
}

}  // namespace nowait::model::buffering
