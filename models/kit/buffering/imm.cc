#include "models/kit/buffering/imm.h"

#include <utility>

namespace nowait::model::buffering {

using axioms::Execution;
using axioms::Relation;

std::size_t ThinAir::NodesOf(const std::vector<const Events*>& threads) {
  std::size_t size = 0;
  std::vector<Nodes> nodes;
  for (const Events* events : threads) size = NumberNodes(*events, size, nodes);
  return size;
}

ThinAir::ThinAir(const std::vector<const Events*>& threads, const Rules& rules)
    : threads_(threads), rules_(rules), size_(NodesOf(threads)), barriers_(size_) {
  reads_.resize(size_);
  writes_.resize(size_);
  std::size_t first = 0;
  for (const Events* events : threads_) {
    std::vector<Nodes> nodes;
    first = NumberNodes(*events, first, nodes);
    for (std::size_t place = 0; place < events->size(); ++place) {
      if ((*events)[place].Reads()) reads_[nodes[place].read] = true;
      if ((*events)[place].Writes()) writes_[nodes[place].write] = true;
    }
    AddBarrierOrder(*events, nodes, rules_, barriers_);
    nodes_.insert(nodes_.end(), nodes.begin(), nodes.end());
    of_thread_.push_back(std::move(nodes));
  }
}

Relation ThinAir::Dependencies(Lost lost) const {
  Relation dependencies(size_);
  for (std::size_t thread = 0; thread < threads_.size(); ++thread) {
    AddDependencies(*threads_[thread], of_thread_[thread], lost, rules_, dependencies);
  }
  return dependencies;
}

Relation ThinAir::Static() const {
  return (barriers_ | PreservedOf(Dependencies(Lost::kNoDependency), reads_, writes_)).Closed();
}

void ThinAir::AddReadsFrom(const Execution& execution, std::size_t initials, Relation& dependencies,
                           Relation& order) const {
  for (std::size_t event = initials; event < execution.size(); ++event) {
    const std::size_t from = execution[event].from;
    if (from == axioms::kNothing || from < initials) continue;
    const bool own = execution[from].thread == execution[event].thread;
    if (own && !rules_.Has(Rule::kForwards)) continue;
    (own ? dependencies : order).Add(At(from - initials).write, At(event - initials).read);
  }
}

// A read of another thread's write, which took effect behind an earlier write of the read's own
// thread.
void ThinAir::AddDetours(const Execution& execution, std::size_t initials, Relation& order) const {
  for (std::size_t read = initials; read < execution.size(); ++read) {
    const std::size_t from = execution[read].from;
    if (from == axioms::kNothing || from < initials) continue;
    if (execution[from].thread == execution[read].thread) continue;
    for (std::size_t write = initials; write < read; ++write) {
      const axioms::Event& own = execution[write];
      if (own.thread == execution[read].thread && own.Atomic() && own.writes &&
          own.object == execution[read].object && own.place < execution[from].place) {
        order.Add(At(write - initials).write, At(read - initials).read);
      }
    }
  }
}

bool ThinAir::IsAbsent(const Execution& execution, Lost lost) const {
  const std::size_t initials = execution.size() - nodes_.size();
  Relation dependencies = Dependencies(lost);
  Relation order = barriers_;
  AddReadsFrom(execution, initials, dependencies, order);
  if (rules_.Has(Rule::kDetour)) AddDetours(execution, initials, order);
  return (order | PreservedOf(dependencies, reads_, writes_)).Closed().IsIrreflexive();
}

}  // namespace nowait::model::buffering
