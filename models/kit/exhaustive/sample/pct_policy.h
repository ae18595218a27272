// PctPolicy: one walk of probabilistic concurrency testing (run_pct.h), decided by its number.
//
// Threads have priorities, drawn at random. The thread with the highest one makes the next step,
// and each event gets its first choice: a read reads the newest write. The walk deviates from that
// at its points only, of which it has depth - 1, each at a step drawn at random. At a point that
// demotes, the thread about to make the step falls below all threads that have not fallen, and
// below those that fell at points drawn after this one. At a point that deviates, the step gets
// another choice that C++20 allows: an older write, another place in modification order, a spurious
// failure.
//
// A thread that has yielded gives way to those that have not, and looks again when a value has
// changed that it has read. If none has, it is probed as in a search, and blocked for good.
//
// Thread safety: for one execution at a time.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_SAMPLE_PCT_POLICY_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_SAMPLE_PCT_POLICY_H_

#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "models/kit/exhaustive/graph/observations.h"
#include "models/kit/exhaustive/run/execution.h"
#include "models/kit/exhaustive/search/extension.h"
#include "models/kit/exhaustive/search/work_list.h"

namespace nowait::model {

class PctPolicy final : public ReplayPolicy {
 public:
  // graph: of the execution.
  explicit PctPolicy(const Graph& graph) : graph_(graph) {}

  // Draws walk `number`. threads: of the scenario. depth: at least 1. steps: among which the points
  // are drawn, at least 1.
  void Begin(std::uint64_t number, int threads, unsigned depth, unsigned steps);

  int Next(const Execution& execution) override;
  void Add(Graph& graph, int thread, const Request& request, LocationIndex location,
           const Site& site) override;
  bool Probes() const override { return true; }

  // Of the walk so far.
  unsigned steps() const { return step_; }
  // The largest number of other choices that an event of any walk has had; at least 1.
  unsigned choices() const { return choices_; }

 private:
  struct Point {
    unsigned step;
    bool demotes;  // otherwise it deviates
    bool done;     // of one that demotes
  };

  static std::size_t Index(int thread) { return static_cast<std::size_t>(thread); }
  unsigned Below(unsigned count) { return static_cast<unsigned>(random_() % count); }
  int Highest(const Execution& execution,
              bool (PctPolicy::*may_go)(const Execution&, int) const) const;
  bool MayBegin(const Execution& execution, int thread) const;
  bool MayGoOn(const Execution& execution, int thread) const;
  bool MayLookAgain(const Execution& execution, int thread) const;
  bool MaySpin(const Execution& execution, int thread) const;
  bool MayWait(const Execution& execution, int thread) const;
  bool SeesChange(const Execution& execution, int thread) const;
  bool Demote(int thread);

  const Graph& graph_;
  WorkList others_;  // the graphs with another choice for the event
  const Graph empty_;
  Extension extension_{others_, {.revisits = false}};
  const Observations unused_;  // there is no vain try
  std::mt19937_64 random_;
  std::array<int, kMaxThreads> priorities_{};
  std::vector<Point> points_;
  unsigned step_ = 0;
  unsigned choices_ = 1;
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_SAMPLE_PCT_POLICY_H_
