#include "models/kit/exhaustive/graph/cost.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>
#include <vector>

namespace nowait::model {
namespace {

// A schedule must respect only program order and reads-from, from which happens-before follows. A
// running thread runs as far as it can, which takes nothing from the others. Schedules are searched
// by the number of their switches; of two that have come equally far, one suffices.
class Scheduler {
 public:
  Scheduler(const Graph& graph, const Clock& part) : graph_(graph), part_(part) {
    tried_.push_back({});
    Search();
  }

  unsigned switches() const {
    return steps_.empty() ? 0 : static_cast<unsigned>(steps_.size() - 1);
  }

  unsigned StaleReads() const {
    std::vector<int> newest(static_cast<std::size_t>(graph_.locations()), kInitialPlace);
    unsigned stale = 0;
    Clock done;
    for (const std::size_t step : steps_) {
      const Tried& next = tried_[step];
      for (unsigned i = done[next.thread]; i < next.done[next.thread]; ++i) {
        const GraphEvent& event = graph_[graph_.At(next.thread, i)];
        if (event.location == kNoLocation || IsOfMemory(event.request.effect)) continue;
        const int place = graph_.PlaceOf(event);
        if (event.reads && !event.writes && place < newest[event.location]) ++stale;
        newest[event.location] = std::max(newest[event.location], place);
      }
      done = next.done;
    }
    return stale;
  }

 private:
  struct Tried {
    Clock done;
    int thread = -1;  // the thread that ran last
    std::size_t before = 0;
  };

  void Search() {
    std::set<Clock> seen;
    for (std::size_t at = 0; at < tried_.size(); ++at) {
      for (int t = 0; t < kMaxThreads; ++t) {
        if (tried_[at].done[t] == part_[t]) continue;
        const Clock done = RunOn(tried_[at].done, t);
        if (!seen.insert(done).second) continue;
        tried_.push_back({done, t, at});
        if (done == part_) return Collect();
      }
    }
  }

  Clock RunOn(Clock done, int thread) const {
    while (done[thread] < part_[thread]) {
      const GraphEvent& event = graph_[graph_.At(thread, done[thread])];
      if (event.source != kInitial) {
        const GraphEvent& source = graph_[event.source];
        if (!done.Has(source.thread, source.index)) break;
      }
      done.Include(thread, done[thread]);
    }
    return done;
  }

  void Collect() {
    for (std::size_t at = tried_.size() - 1; at != 0; at = tried_[at].before) steps_.push_back(at);
    std::ranges::reverse(steps_);
  }

  const Graph& graph_;
  const Clock& part_;
  std::vector<Tried> tried_;
  std::vector<std::size_t> steps_;
};

}  // namespace

unsigned CountOf(const Clock& part) {
  unsigned count = 0;
  for (int t = 0; t < kMaxThreads; ++t) count += part[t];
  return count;
}

Cost CostOf(const Graph& graph, const Clock& part) {
  const Scheduler schedule(graph, part);
  return {CountOf(part), schedule.switches(), schedule.StaleReads()};
}

}  // namespace nowait::model
