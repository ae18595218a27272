// Every execution of a scenario under C++20 with load buffering: the model of IMM [podkopaev2019].
//
// README.md explains the search, the verdicts and the limits.
#ifndef NOWAIT_MODELS_KIT_BUFFERING_EXPLORE_H_
#define NOWAIT_MODELS_KIT_BUFFERING_EXPLORE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/kit/buffering/executions.h"
#include "models/kit/buffering/limits.h"
#include "models/kit/buffering/preserved.h"
#include "models/kit/buffering/thread_run.h"
#include "models/kit/buffering/waiting.h"
#include "models/kit/scenario/scenario.h"

namespace nowait::model::buffering {

struct Explored {
  std::uint64_t executions = 0;
  std::uint64_t buffering = 0;  // of them: program order and reads-from have a cycle
  std::uint64_t possible = 0;   // of those: they rest on a dependency that the program may have
  std::uint64_t cut = 0;        // executions that would have gone on beyond the limits
  std::uint64_t stuck = 0;      // executions that do not end: spinning threads find nothing new
  std::uint64_t failing = 0;    // runs of a thread that end at a Check, also those of no execution

  struct Failed {
    std::string label;    // the invariant in its words, or the kind of failure
    std::string threads;  // a line for each event
  };
  std::optional<Failed> found;     // in an execution that the model allows for certain
  std::optional<Failed> doubtful;  // in one that rests on a dependency that the program may have

  std::string refused;  // why the scenario does not fit; empty if it was examined
};

// An execution that ends, or in which no thread can go on.
struct Visited {
  const std::vector<const Events*>& threads;
  const std::vector<const Script*>& scripts;
  const Judged& judged;
  Standstill standstill;  // kNone: it ends
};
// Called for each of them, before After runs.
using Visitor = std::function<void(const Visited& execution)>;

Explored ExploreBuffering(const ScenarioEntry& scenario, const Limits& limits = {},
                          const Rules& rules = {}, const Visitor& visit = {});

}  // namespace nowait::model::buffering

#endif  // NOWAIT_MODELS_KIT_BUFFERING_EXPLORE_H_
