#include "models/kit/buffering/thread_runs.h"

#include <utility>

#include "models/kit/axioms/relation.h"

namespace nowait::model::buffering {
namespace {

std::vector<Places> ReadsBefore(const Events& events, const Rules& rules) {
  std::vector<Nodes> nodes;
  const std::size_t size = NumberNodes(events, 0, nodes);
  std::vector<bool> reads(size), writes(size);
  for (std::size_t place = 0; place < events.size(); ++place) {
    if (events[place].Reads()) reads[nodes[place].read] = true;
    if (events[place].Writes()) writes[nodes[place].write] = true;
  }
  axioms::Relation barriers(size), dependencies(size);
  AddBarrierOrder(events, nodes, rules, barriers);
  AddDependencies(events, nodes, Lost::kNoDependency, rules, dependencies);
  const axioms::Relation closed = (barriers | PreservedOf(dependencies, reads, writes)).Closed();
  std::vector<Places> before(events.size());
  for (std::size_t write = 0; write < events.size(); ++write) {
    if (!events[write].Writes()) continue;
    for (std::size_t read = 0; read < write; ++read) {
      if (events[read].Reads() && closed.Has(nodes[read].read, nodes[write].write)) {
        before[write] |= Only(read);
      }
    }
  }
  return before;
}

std::vector<Places> SameLocation(const Events& events) {
  std::vector<Places> same(events.size());
  for (std::size_t place = 0; place < events.size(); ++place) {
    for (std::size_t earlier = 0; earlier < place; ++earlier) {
      const bool access = !events[place].IsFence() && !events[earlier].IsFence();
      if (access && events[place].At() == events[earlier].At()) same[place] |= Only(earlier);
    }
  }
  return same;
}

}  // namespace

ThreadRuns::ThreadRuns(BufferingMachine& machine, int thread, const Rules& rules)
    : machine_(machine), thread_(thread), rules_(rules) {
  Run({});
}

std::size_t ThreadRuns::Next(std::size_t run, Word answer) {
  const auto found = nodes_[run].next.find(answer);
  if (found != nodes_[run].next.end()) return found->second;
  Script longer = nodes_[run].script;
  longer.push_back(answer);
  const std::size_t number = Run(std::move(longer));
  nodes_[run].next[answer] = number;
  return number;
}

std::size_t ThreadRuns::Run(Script script) {
  RunNode& node = nodes_.emplace_back();
  node.script = std::move(script);
  node.run = machine_.RunAlone(thread_, node.script);
  node.before = ReadsBefore(node.run.events, rules_);
  node.same = SameLocation(node.run.events);
  return nodes_.size() - 1;
}

}  // namespace nowait::model::buffering
