// How much of a scenario is tried before it is refused.
#ifndef NOWAIT_MODELS_KIT_BUFFERING_LIMITS_H_
#define NOWAIT_MODELS_KIT_BUFFERING_LIMITS_H_

#include <cstddef>

#include "models/kit/buffering/event.h"

namespace nowait::model::buffering {

// A set of them is a word, and the set of all of them one less than the next event's.
inline constexpr std::size_t kMostEventsOfThread = kMostPlaces - 1;

struct Limits {
  std::size_t runs = 100'000;                // of one thread
  std::size_t ways = 2'000'000;              // of the threads together
  std::size_t rounds = 3;                    // of a loop: reads of one object at one line, in a run
  std::size_t events = kMostEventsOfThread;  // of a run, which is cut behind them
};

}  // namespace nowait::model::buffering

#endif  // NOWAIT_MODELS_KIT_BUFFERING_LIMITS_H_
