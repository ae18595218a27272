// The smallest failing execution. It is shown for a failure, in place of the execution in which the
// failure was found.
//
// The search begins in smaller scenarios of the same structure: fewer threads, then fewer events in
// the first execution. In the first one that fails with the same label (Failure::Label), it
// continues past failures and keeps the failing execution that is easiest to read
// (models/kit/exhaustive/graph/cost.h), the first among equals. Only execution graphs are searched,
// limited by the number visited: the same failure has the same smallest execution on any machine.
#ifndef NOWAIT_MODELS_KIT_DIAGNOSIS_MINIMISE_COUNTEREXAMPLE_H_
#define NOWAIT_MODELS_KIT_DIAGNOSIS_MINIMISE_COUNTEREXAMPLE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/kit/engine/run_search.h"
#include "models/kit/exhaustive/graph/cost.h"
#include "models/kit/program/failure.h"
#include "models/kit/program/trace.h"
#include "models/kit/scenario/scenario.h"

namespace nowait::model {

struct MinimalCounterexample {
  const ScenarioEntry* scenario = nullptr;
  Failure failure;
  Start replay;  // for a search of graphs
  Trace trace;
  Cost cost;
  std::uint64_t failing = 0;  // the number of failing executions that it was chosen from
  bool whole = false;         // whether this scenario has no others

  // "the smallest of 12 failing executions of 2x1, and there are no others"
  std::string Words() const;
};

// Limits, in numbers of graphs visited.
struct MinimiseLimits {
  std::uint64_t until_first = 10'000;  // per scenario, until one fails
  std::uint64_t after_first = 20'000;
};

// label: of the failure found in the scenario `found_in`. scenarios: those to search first. Returns
// nothing if no graph within the limits shows the failure. Searches run with the edits of the
// active Interposition.
std::optional<MinimalCounterexample> MinimiseCounterexample(
    const std::vector<ScenarioEntry>& scenarios, const ScenarioEntry& found_in,
    const std::string& label, const MinimiseLimits& limits = {});

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_DIAGNOSIS_MINIMISE_COUNTEREXAMPLE_H_
