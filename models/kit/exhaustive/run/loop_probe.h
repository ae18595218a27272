// LoopProbe: whether a thread that seems to wait in a loop would wait for ever, and one whose try
// has failed would try again.
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
// each step gets the result that it had in the last round. None of this belongs to the execution,
// and in the end the program's memory becomes what it was before. If the thread does anything else,
// the search has left something out, and is unfinished.
//
// The same is done at a try of compare_exchange_retry that fails, which blocks its thread: the
// thread continues as if that try and each later one had failed spuriously. C++20 allows this, and
// a loop that begins again comes back to the same try. A loop that tries three times does not.
//
// A thread's further rounds follow from its observations, so a probe is not repeated for the same
// observations. The bound of a loop hardly ever depends on the values that were read: of the probes
// of one thread at one place, after the same number of its steps, the first one is long and the
// others are short. A loop that gives up after more rounds is not detected.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_RUN_LOOP_PROBE_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_RUN_LOOP_PROBE_H_

#include <algorithm>
#include <vector>

#include "models/kit/exhaustive/graph/observation_hash.h"
#include "models/kit/program/site_table.h"

namespace nowait::model {

class LoopProbe {
 public:
  static constexpr unsigned kLong = 1000;  // rounds
  static constexpr unsigned kShort = 32;
  static constexpr unsigned kMaxCounted = 50'000;

  // The end of a round: a yield, or a try that fails.
  enum class Of : bool { kYields, kTries };

  // Where a thread is in its program.
  struct Place {
    Site site;  // of the yield or the try
    int thread = 0;
    unsigned after = 0;  // events of the thread
  };

  // The thread's events that it repeats: so many, from this index on.
  struct Round {
    unsigned begin = 0;
    unsigned length = 0;
  };

  // Whether there is something to try: the thread, with these observations, is at this place.
  // round: for tries, the longest one possible. The loop may begin at any of its events (Align).
  bool Begin(Of of, const Place& place, Round round, const ObservationHash& observations) {
    if (probed_.Have(observations)) return false;
    active_ = true;
    of_ = of;
    place_ = place;
    round_ = round;
    observations_ = observations;
    rounds_ = 0;
    steps_ = 0;
    idle_yields_ = 0;
    counted_ = 0;
    const auto is_here = [&](const Place& other) {
      return other.thread == place.thread && other.after == place.after &&
             IsSamePlace(other.site, place.site);
    };
    limit_ = std::ranges::any_of(places_, is_here) ? kShort : kLong;
    return true;
  }

  bool active() const { return active_; }
  Of of() const { return of_; }
  const Site& site() const { return place_.site; }
  const Round& round() const { return round_; }
  // The number of complete rounds of this probe.
  unsigned rounds() const { return rounds_; }
  // The number of steps in the current round.
  unsigned steps() const { return steps_; }

  // Whether it is still open with which of its events the loop begins.
  bool MayAlign() const { return of_ == Of::kTries && rounds_ == 0 && steps_ == 0; }
  // The round begins one event later.
  void Align() { round_ = {round_.begin + 1, round_.length - 1}; }

  void Step() { ++steps_; }
  // The thread is at the end of a round, or yields again without a step. Returns whether that was
  // the last round to try.
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
    if (limit_ == kLong) places_.push_back(place_);
  }
  // Ends a probe that found something, for a second probe to find again; does nothing without one.
  void Cancel() { active_ = false; }

 private:
  bool active_ = false;
  Of of_ = Of::kYields;
  Place place_;
  Round round_;
  unsigned rounds_ = 0;
  unsigned steps_ = 0;
  unsigned idle_yields_ = 0;
  unsigned counted_ = 0;
  unsigned limit_ = kLong;
  ObservationHash observations_;
  ObservationHashCache probed_;
  std::vector<Place> places_;  // of long probes so far
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_RUN_LOOP_PROBE_H_
