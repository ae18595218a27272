// RunSearch passes a scenario and a search to the back end that runs searches of this kind.
//
// There are two back ends: models/kit/exhaustive enumerates execution graphs, and models/kit/relacy
// runs interleavings. This header leaves open how executions are explored, and neither back end
// knows of the other.
#ifndef NOWAIT_MODELS_KIT_ENGINE_RUN_SEARCH_H_
#define NOWAIT_MODELS_KIT_ENGINE_RUN_SEARCH_H_

#include <cstdint>
#include <optional>
#include <string>

#include "models/kit/engine/omitted.h"
#include "models/kit/engine/sampled.h"
#include "models/kit/engine/search_control.h"
#include "models/kit/program/failure.h"
#include "models/kit/program/site_table.h"
#include "models/kit/program/trace.h"
#include "models/kit/scenario/scenario.h"
#include "models/kit/scenario/search.h"

namespace nowait::model {

// Where a search begins. It is printed with a failure, which it reproduces.
struct Start {
  std::uint64_t seed = 1;  // of a numbered search: the number of the first execution
  std::string state;       // of any other search: the choices of the only execution, or empty
};

struct SearchResult {
  std::uint64_t executions = 0;  // this and seconds cover all pieces if the search was continued
  // No further execution is left within the search's options. For a search of graphs: every
  // execution that the memory model allows was examined.
  bool exhausted = false;
  Omitted omitted;  // by a search of graphs, up to now; for a shard, its own part alone
  double seconds = 0;
  double fraction = 1;              // of the search that is done, as an estimate
  std::optional<Position> stopped;  // where to continue; nothing if the search is complete
  std::optional<Sampled> sampled;   // of a search of kind kPct that has found no failure
  std::optional<Failure> failure;
  // Reproduces the failure. A sample's failure with a state is a probe's, of a search of graphs.
  Start replay;
  Trace trace;  // of the failing execution
};

// Runs a search of a scenario on the back end that the search belongs to, and adds the sites to
// `sites`. A back end has these duties:
//   - It executes each call on behalf of the running thread. A call that is a step of the memory
//     model (every call except those of plain data) may first switch to another thread.
//   - It records each step in the trace when the step takes effect, and counts its site. It says
//     in which executions the trace keeps the scenario's calls as well (SetCurrentMachine).
//   - It notifies the current machine when a thread of the scenario has returned (EndThread).
//   - It calls Fail for each error of an execution: a data race, a deadlock, the use of an object
//     that no longer exists, and so on (models/kit/program/failure.h). Fail ends both the execution
//     and the search.
//   - The same choices give the same execution. SearchResult::replay names the choices of the
//     failing execution, and a search started from it repeats exactly that execution.
//   - Between two executions it asks a Meter (models/kit/engine/meter.h) whether to continue, and
//     it can report the fraction of the search that is done.
//   - It obeys SearchControl: it takes its shard of the search, in which each execution belongs to
//     exactly one shard, and it can report where it stopped and continue there
//     (models/kit/engine/search_control.h).
SearchResult RunSearch(const ScenarioEntry& scenario, const Search& search, const Start& start,
                       SiteTable& sites, const SearchControl& control = {});

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_ENGINE_RUN_SEARCH_H_
