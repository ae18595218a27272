// Backward revisits: a write that is added late becomes the source of earlier reads.
//
// The search adds events one by one, so a read cannot choose a write that comes only later. The
// write itself, once added, goes back to each read that could have read it if it had come first.
// The events added since that read are removed, except those that lead to the write, and the read
// is made to read the write. How is each graph reached exactly once without a memory of those
// visited? The same graph would result from every graph in which the same events remain and others
// are removed. TruSt's answer (Kokologiannakis, Marmanis, Gladstein, Vafeiadis, "Truly Stateless,
// Optimal Dynamic Partial Order Reduction", POPL 2022, section 3): only one of those makes it,
// namely the one in which each removed event (and the read) stands as the newest that it could have
// been when it was added.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_SEARCH_REVISIT_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_SEARCH_REVISIT_H_

#include <cstddef>
#include <deque>

#include "models/kit/exhaustive/graph/graph.h"
#include "models/kit/exhaustive/search/work_list.h"

namespace nowait::model {

class Revisits {
 public:
  // makes: whether there are any: a sample of single executions does without.
  explicit Revisits(WorkList& work_list, bool makes = true)
      : work_list_(work_list), makes_(makes) {}

  // Makes pending every consistent graph in which a read of `graph` reads the event at `write`
  // instead. That event is appended, evaluated, has its clocks, writes, and is not attached.
  void By(const Graph& graph, Slot write) {
    if (makes_) By(graph, write, 0);
  }

 private:
  void By(const Graph& graph, Slot write, std::size_t depth);
  void Of(const Graph& graph, Slot read, Slot write, std::size_t depth);

  WorkList& work_list_;
  const bool makes_;
  // An exchange that is made to read a write is itself a write, and revisits in turn: the graphs of
  // such a chain.
  struct Link {
    Graph without;  // neither of the two is attached
    Graph graph;
  };
  std::deque<Link> chain_;
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_SEARCH_REVISIT_H_
