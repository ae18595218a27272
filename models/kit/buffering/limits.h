// How much of a scenario is tried before it is refused.
#ifndef NOWAIT_MODELS_KIT_BUFFERING_LIMITS_H_
#define NOWAIT_MODELS_KIT_BUFFERING_LIMITS_H_

#include <cstddef>

namespace nowait::model::buffering {

struct Limits {
  std::size_t runs = 100'000;    // of one thread
  std::size_t ways = 2'000'000;  // of the threads together
  std::size_t rounds = 3;        // of a loop: reads of one object at one line, in a run
};

}  // namespace nowait::model::buffering

#endif  // NOWAIT_MODELS_KIT_BUFFERING_LIMITS_H_
