// RunSearch: a scenario and a search, passed to the back end that the search belongs to.
//
// There are two back ends: models/kit/exhaustive enumerates execution graphs, models/kit/relacy
// runs interleavings. Nothing here says how executions are explored, and neither knows of the
// other.
#ifndef NOWAIT_MODELS_KIT_ENGINE_RUN_SEARCH_H_
#define NOWAIT_MODELS_KIT_ENGINE_RUN_SEARCH_H_

#include <cstdint>
#include <optional>
#include <string>

#include "models/kit/engine/omitted.h"
#include "models/kit/engine/search_control.h"
#include "models/kit/program/failure.h"
#include "models/kit/program/site_table.h"
#include "models/kit/program/trace.h"
#include "models/kit/scenario/scenario.h"
#include "models/kit/scenario/search.h"

namespace nowait::model {

// Where a search begins: printed with a failure, to see it again.
struct Start {
  std::uint64_t seed = 1;  // random: the number of the first execution
  std::string state;       // others: the choices of the only execution, or empty
};

struct SearchResult {
  std::uint64_t executions = 0;  // and seconds: of all pieces, when it continued from a position
  // There is no further execution within the search's options. Of graphs: every execution that the
  // memory model allows was examined.
  bool exhausted = false;
  Omitted omitted;  // of graphs, up to now; of a shard only its own
  double seconds = 0;
  double fraction = 1;              // of the search that is done, an estimate
  std::optional<Position> stopped;  // where it continues; nothing when it did all that it was to do
  std::optional<Failure> failure;
  Start replay;  // of the failure
  Trace trace;   // of the failure
};

// Runs a search over a scenario, by the back end that the search belongs to. Sites are added to
// `sites`. The duties of a back end:
//   - The calls happen on behalf of the thread that is running; a call that is a step of the memory
//     model (all but those of plain data) may switch to another thread first.
//   - It records each step in the trace when it takes effect, and counts its site. It says in which
//     executions the scenario's calls are to be kept there too (SetCurrentMachine).
//   - It notifies the current machine when a thread of the scenario has returned (EndThread).
//   - It calls Fail for each error of an execution: a data race, a deadlock, use of an object that
//     is gone, and so on (models/kit/program/failure.h). Fail ends the execution and the search.
//   - The same choices give the same execution. SearchResult::replay names the choices of the one
//     that failed, and a search that is started with it repeats exactly that execution.
//   - Between two executions it asks a Meter (models/kit/engine/meter.h) whether to continue, and
//     can report which fraction of the search is done.
//   - It obeys SearchControl: it takes its shard of the search, each execution in exactly one, and
//     it can say where it stopped and continue there (models/kit/engine/search_control.h).
SearchResult RunSearch(const ScenarioEntry& scenario, const Search& search, const Start& start,
                       SiteTable& sites, const SearchControl& control = {});

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_ENGINE_RUN_SEARCH_H_
