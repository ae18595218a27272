// SpinProbe: whether a thread that seems to wait in a loop would wait for ever.
//
// A thread that has yielded and then repeated itself is not run any further: the loop's next round
// would be like the last one (execution.h). That is wrong if the loop counts its rounds. In
//
//   for (int i = 0; i < 3; ++i) {
//     if (ready.load(acquire)) return;
//     Sync::Yield();
//   }
//   SlowPath();
//
// the slow path would never be examined. The thread is therefore run for some more rounds, in which
// each step gets the result that it had in the last round. None of this belongs to the execution.
// If the thread then does anything else, the search has left something out, and is unfinished.
//
// A thread's further rounds follow from its observations, so a probe is not repeated for the same
// observations. The bound of a loop hardly ever depends on them: the first probe at a place is
// long, and the others are short. A loop that gives up after more than kLong rounds is not
// detected.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_RUN_SPIN_PROBE_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_RUN_SPIN_PROBE_H_

#include <algorithm>
#include <vector>

#include "models/kit/exhaustive/graph/observation_hash.h"
#include "models/kit/program/site_table.h"

namespace nowait::model {

inline bool IsSamePlace(const Site& a, const Site& b) {
  return a.line() == b.line() && a.column() == b.column() && a.file_name() == b.file_name();
}

class SpinProbe {
 public:
  static constexpr unsigned kLong = 1000;  // rounds
  static constexpr unsigned kShort = 32;
  static constexpr unsigned kMaxCounted = 50'000;

  // Whether there is something to try: the thread, with these observations, yields at this site.
  bool Begin(const Site& site, const ObservationHash& observations) {
    if (probed_.Have(observations)) return false;
    active_ = true;
    site_ = site;
    observations_ = observations;
    rounds_ = 0;
    steps_ = 0;
    idle_yields_ = 0;
    counted_ = 0;
    const auto is_here = [&](const Site& place) { return IsSamePlace(place, site); };
    limit_ = std::ranges::any_of(places_, is_here) ? kShort : kLong;
    return true;
  }

  bool active() const { return active_; }
  // The number of complete rounds of this probe.
  unsigned rounds() const { return rounds_; }
  // The number of steps in the current round.
  unsigned steps() const { return steps_; }

  void Step() { ++steps_; }
  // The thread yields at the end of a round, or again without a step. Returns whether that was the
  // last round to try.
  bool EndRound() {
    steps_ = 0;
    idle_yields_ = 0;
    return ++rounds_ == limit_;
  }
  bool EndIdleYield() { return ++idle_yields_ == limit_; }
  // Counts a step of another kind, on plain data. Returns whether there have been too many.
  bool Count() { return ++counted_ == kMaxCounted; }

  // Called when the thread waits.
  void End() {
    active_ = false;
    probed_.Add(observations_);
    if (limit_ == kLong) places_.push_back(site_);
  }
  // Ends a probe that found something, for a second probe to find again; does nothing without one.
  void Cancel() { active_ = false; }

 private:
  bool active_ = false;
  unsigned rounds_ = 0;
  unsigned steps_ = 0;
  unsigned idle_yields_ = 0;
  unsigned counted_ = 0;
  unsigned limit_ = kLong;
  Site site_;
  ObservationHash observations_;
  ObservationHashCache probed_;
  std::vector<Site> places_;  // the places of long probes so far
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_RUN_SPIN_PROBE_H_
