// Orders: the happens-before of an execution, and the steps that make it.
//
// The edges are those of C++20: program order; synchronises-with by release sequences, which only
// read-modify-writes continue ([intro.races] 5), and by fences ([atomics.fences]); from the
// unlocking of a mutex to the next locking ([thread.mutex]); from the end of a block to its next
// allocation ([new.delete.dataraces]); from set-up to every thread, and from every thread to After.
//
// models/kit/axioms has the same orders as relations over few events, paragraph by paragraph, and
// the test compares the two. Here there may be thousands of events, and the question is also why.
#ifndef NOWAIT_MODELS_KIT_COUNTEREXAMPLE_ORDERS_H_
#define NOWAIT_MODELS_KIT_COUNTEREXAMPLE_ORDERS_H_

#include <array>
#include <cstddef>
#include <vector>

#include "models/kit/counterexample/counterexample.h"
#include "models/kit/program/trace.h"
#include "models/kit/scenario/scenario.h"

namespace nowait::model::counterexample {

// Events are numbered as in the trace, whose order must respect program order, reads-from and the
// order in which mutexes were locked, as that of every trace does.
class Orders {
 public:
  explicit Orders(const Trace& trace);

  // The edges between threads. Of redundant edges one is kept: last release to first acquire.
  const std::vector<Edge>& synchronises_with() const { return edges_; }

  bool HappensBefore(EventNumber a, EventNumber b) const;

  // A shortest sequence of steps from a to b; empty if a does not happen before b.
  std::vector<Step> Path(EventNumber a, EventNumber b) const;

 private:
  // The number of events of each thread, besides set-up and After, that happen before an event's
  // end.
  using Clock = std::array<std::size_t, kMaxThreads>;
  struct Thread {
    Clock clock{};
    std::size_t events = 0;
    EventNumber release_fence = kNoEvent;  // the latest one
    std::vector<EventNumber> acquirable;   // the edges that relaxed reads would have made
  };

  void Synchronise(EventNumber from, EventNumber to, Clock& clock);
  std::vector<EventNumber> HeadsOf(const Trace& trace, EventNumber store, const Thread& writer);
  bool IsIn(EventNumber event, const Clock& clock) const;

  std::vector<int> thread_;        // the thread of each event
  std::vector<std::size_t> rank_;  // the rank of each event in its thread, from 1
  std::vector<Clock> clocks_;
  std::vector<std::vector<EventNumber>> heads_;  // for each store: the sources of edges to a reader
                                                 // that acquires
  std::vector<Edge> edges_;
  std::array<std::vector<int>, kMaxThreads> edges_from_;  // by the thread where they begin, in
                                                          // program order
};

}  // namespace nowait::model::counterexample

#endif  // NOWAIT_MODELS_KIT_COUNTEREXAMPLE_ORDERS_H_
