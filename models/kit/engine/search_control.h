// SearchControl: what a caller may ask of a search beyond the search itself: to run only a part of
// it, to continue where it stopped before, to stop early, and to report its progress.
//
// A search that stops before its end leaves a Position. A search started from that position, with
// the same scenario, search, start and shard, continues there. The pieces together run the
// executions of the uninterrupted search, each exactly once. The same holds for shards: shards 0 ..
// count-1 together run the executions of the whole search. The number of processes is free: a
// search can continue with more of them, or with fewer.
#ifndef NOWAIT_MODELS_KIT_ENGINE_SEARCH_CONTROL_H_
#define NOWAIT_MODELS_KIT_ENGINE_SEARCH_CONTROL_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace nowait::model {

// Part `index` of `count`, from 0.
struct Shard {
  unsigned index = 0;
  unsigned count = 1;

  friend bool operator==(const Shard&, const Shard&) = default;
};

// The largest number of processes that may work on one search.
inline constexpr unsigned kMaxJobs = 256;

// A point between two executions of a search.
struct Position {
  std::uint64_t executions = 0;  // done so far, over all pieces
  double seconds = 0;            // spent so far, over all pieces
  std::string state;             // where to continue, in a format of the back end that stopped
                                 // there
  double fraction = 0;           // of the search that is done, as an estimate
};

struct Progress {
  std::uint64_t executions = 0;
  double seconds = 0;
  double fraction = 0;      // of the whole search; an estimate until the end
  double seconds_left = 0;  // extrapolated from `fraction`, or the time until a limit of the search
};

struct SearchControl {
  Shard shard;
  unsigned jobs = 1;  // the number of processes that may work on a search of graphs
  std::optional<Position> from;
  std::uint64_t executions = 0;            // stop after this many further executions; 0: no limit
  const std::atomic<int>* stop = nullptr;  // stop after the current execution once it is not 0
  std::function<void(const Progress&)> progress;  // called a few times a second
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_ENGINE_SEARCH_CONTROL_H_
