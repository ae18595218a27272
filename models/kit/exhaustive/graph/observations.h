// Observations: what each thread of an execution has observed so far, as a hash.
//
// A thread is a function of its observations:
//   - its number. Interchangeable threads do not ask for it, but each may compare what it reads
//     with the address of an object of its own.
//   - the values that it read and the choices that were made for it, in order.
//   - for each thread whose steps it learned of by synchronising: everything that this thread had
//     observed by then. Memory ordered by happens-before, whether declared or not, holds what the
//     steps before it left there, and those steps are functions of the observations of their
//     threads.
//
// The third item is more than a thread looks at. Less would require knowing where it looks.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_OBSERVATIONS_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_OBSERVATIONS_H_

#include <array>
#include <cstddef>
#include <vector>

#include "models/kit/exhaustive/graph/clock.h"
#include "models/kit/exhaustive/graph/event.h"
#include "models/kit/exhaustive/graph/observation_hash.h"
#include "models/kit/scenario/scenario.h"

namespace nowait::model {

class Observations {
 public:
  // The limit per thread. A program that exceeds it has a loop that waits without yielding.
  static constexpr unsigned kMaxEvents = 1000;

  // Called once per thread, before any thread's first step.
  void Begin(int thread) {
    OfThread& self = Of(thread);
    self.known = Clock();
    self.now = ObservationHash().With(static_cast<std::uint64_t>(thread));
  }

  const ObservationHash& Now(int thread) const { return Of(thread).now; }
  // The events that happen before the thread's next step.
  const Clock& Known(int thread) const { return Of(thread).known; }

  // The hash after the event, which is the next one of its thread, with its result and its clocks.
  // All events that happen before it must have been performed.
  ObservationHash After(const GraphEvent& event) const {
    const OfThread& self = Of(event.thread);
    ObservationHash hash = With(self.now, event);
    for (int other = 0; other < kMaxThreads; ++other) {
      const unsigned events = event.happens_before[other];
      if (other == event.thread || events <= self.known[other]) continue;
      hash = hash.With(Of(other).after[events - 1].hash());
    }
    return hash;
  }
  // Records that the thread performs the event.
  void Perform(const GraphEvent& event) {
    OfThread& self = Of(event.thread);
    self.now = After(event);
    self.known = event.happens_before;
    self.after[event.index] = self.now;
  }

 private:
  struct OfThread {
    ObservationHash now;
    Clock known;
    std::vector<ObservationHash> after =  // after each event
        std::vector<ObservationHash>(kMaxEvents);
  };

  OfThread& Of(int thread) { return threads_[static_cast<std::size_t>(thread)]; }
  const OfThread& Of(int thread) const { return threads_[static_cast<std::size_t>(thread)]; }

  std::array<OfThread, kMaxThreads> threads_;
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_OBSERVATIONS_H_
