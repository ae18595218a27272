// The smallest failing execution: it is shown for a failure, instead of the execution in which that
// was found.
//
// First in smaller scenarios of the same structure: fewer threads, then fewer events of the first
// execution. The first of them that fails with the same label (Failure::Label) has it. There the
// search continues past failures, and keeps the failing execution that is the easiest to read
// (exhaustive/cost.h), of several the first. It searches execution graphs only, limited by the
// number that are visited: the same failure has the same smallest one, on any machine.
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
  Start replay;  // of a search of graphs
  Trace trace;
  Cost cost;
  std::uint64_t failing = 0;  // how many executions it was chosen from
  bool whole = false;         // there are no others in this scenario

  // "the smallest of 12 failing executions of 2x1, and there are no others"
  std::string Words() const;
};

// Of graphs that are visited.
struct MinimiseLimits {
  std::uint64_t until_first = 10'000;  // of each scenario, until one fails
  std::uint64_t after_first = 20'000;
};

// label: of the failure that was found in the scenario `found_in`. scenarios: where to look first.
// Nothing if graphs within the limits do not show it. Searches run with the edits of the active
// Interposition.
std::optional<MinimalCounterexample> MinimiseCounterexample(
    const std::vector<ScenarioEntry>& scenarios, const ScenarioEntry& found_in,
    const std::string& label, const MinimiseLimits& limits = {});

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_DIAGNOSIS_MINIMISE_COUNTEREXAMPLE_H_
