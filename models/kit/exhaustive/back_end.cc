#include "models/kit/exhaustive/back_end.h"

#include <memory>
#include <optional>

#include "models/kit/exhaustive/exploration.h"
#include "models/kit/meter.h"

namespace nowait::model {

SearchResult RunExhaustive(const ScenarioEntry& scenario, const Search& search, const Start& start,
                           SiteTable& sites, const SearchControl& control) {
  Meter meter(search, start.seed, control);
  // Behind a pointer: fibers know where their execution is, and it is large.
  const auto exploration = std::make_unique<Exploration>(scenario, sites);
  SearchResult out;
  if (!start.state.empty()) {
    if (const auto path = ParseTreePath(start.state)) {
      exploration->Replay(*path);
      meter.EndExecution(true, true, [] { return 1.0; });
    } else {
      out.failure =
          Failure{FailureKind::kNondeterminism, "not a state of this search: " + start.state, {}};
    }
  } else if (!meter.IsDone()) {
    std::optional<TreePath> from;
    if (control.from) from = ParseTreePath(control.from->state);
    exploration->Run(meter, control.shard, from);
  }
  SetCurrentMachine(nullptr);

  out.executions = meter.executions();
  out.seconds = meter.Seconds();
  if (exploration->failure()) {
    if (start.state.empty()) ++out.executions;
    out.failure = exploration->failure();
    out.replay.state = Format(exploration->path());
    out.trace = exploration->machine().trace().Format();
    return out;
  }
  out.exhausted = meter.exhausted() && start.state.empty();
  out.fraction = meter.fraction();
  if (!meter.finished()) {
    out.stopped = {out.executions, out.seconds, Format(exploration->Next())};
  }
  return out;
}

}  // namespace nowait::model
