// Orders: the happens-before of an execution, and the steps that make it.
//
// As C++20 has it: program order; synchronises-with, by release sequences that only
// read-modify-writes carry on ([intro.races] 5), by fences ([atomics.fences]), from the unlocking
// of a mutex to the next locking ([thread.mutex]), from the end of a block to its next allocation
// ([new.delete.dataraces]); set-up before every thread, and every thread before After.
//
// models/kit/axioms has the same as relations over few events, paragraph by paragraph; the test
// compares. Here there may be thousands of events, and the question is also why.
#ifndef NOWAIT_MODELS_KIT_COUNTEREXAMPLE_ORDERS_H_
#define NOWAIT_MODELS_KIT_COUNTEREXAMPLE_ORDERS_H_

#include <array>
#include <cstddef>
#include <vector>

#include "models/kit/counterexample/counterexample.h"
#include "models/kit/program/trace.h"
#include "models/kit/scenario/scenario.h"

namespace nowait::model::counterexample {

// Events are those of the trace. Its order must respect program order, reads-from and the order in
// which mutexes were locked, as that of every trace does.
class Orders {
 public:
  explicit Orders(const Trace& trace);

  // Between threads. Of edges that say the same, one: from the last release to the first acquire.
  const std::vector<Edge>& synchronises_with() const { return edges_; }

  bool HappensBefore(EventNumber a, EventNumber b) const;

  // The steps from a to b, as few as there can be; empty if a does not happen before b.
  std::vector<Step> Path(EventNumber a, EventNumber b) const;

 private:
  // How many events of each thread happen before the end of an event, set-up and After besides.
  using Clock = std::array<std::size_t, kMaxThreads>;
  struct Thread {
    Clock clock{};
    std::size_t events = 0;
    EventNumber release_fence = kNoEvent;  // the last one
    std::vector<EventNumber> acquirable;   // the edges that relaxed reads would have made
  };

  void Synchronise(EventNumber from, EventNumber to, Clock& clock);
  std::vector<EventNumber> HeadsOf(const Trace& trace, EventNumber store, const Thread& writer);
  bool IsIn(EventNumber event, const Clock& clock) const;

  std::vector<int> thread_;        // of each event
  std::vector<std::size_t> rank_;  // in its thread, from 1
  std::vector<Clock> clocks_;
  std::vector<std::vector<EventNumber>> heads_;  // of each store: the edges to a reader that
                                                 // acquires
  std::vector<Edge> edges_;
  std::array<std::vector<int>, kMaxThreads> edges_from_;  // by where they begin, in program order
};

}  // namespace nowait::model::counterexample

#endif  // NOWAIT_MODELS_KIT_COUNTEREXAMPLE_ORDERS_H_
