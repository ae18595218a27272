// SearchControl: requests to a search besides the search itself: to take only its part, to continue
// where it stopped before, to stop early, and to report how far it is.
//
// A search that stopped before its end leaves a Position; a search that is started from it, with
// the same scenario, search, start and shard, continues there. The executions of the pieces are
// those of the uninterrupted search, each once. The same holds for shards: the executions of shards
// 0 .. count-1 together are those of the whole. The number of processes that work on a search is
// free: it can continue with more of them, or with fewer.
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

// How many processes may work on one search.
inline constexpr unsigned kMaxJobs = 256;

// Between two executions of a search.
struct Position {
  std::uint64_t executions = 0;  // done so far, in all pieces
  double seconds = 0;            // taken so far, in all pieces
  std::string state;             // where to continue, in the words of the back end that stopped
                                 // there
  double fraction = 0;           // of the search that is done, an estimate
};

struct Progress {
  std::uint64_t executions = 0;
  double seconds = 0;
  double fraction = 0;      // of the whole search; an estimate except at its end
  double seconds_left = 0;  // as long again as `fraction` says, or until the search's limits
};

struct SearchControl {
  Shard shard;
  unsigned jobs = 1;  // how many processes may work on it, of a search of graphs
  std::optional<Position> from;
  std::uint64_t executions = 0;            // stop after so many more; 0: no such limit
  const std::atomic<int>* stop = nullptr;  // stop after the current execution when it is not 0
  std::function<void(const Progress&)> progress;  // called a few times a second
};

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_ENGINE_SEARCH_CONTROL_H_
