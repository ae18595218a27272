#include "models/kit/exhaustive/run_exhaustive.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/kit/engine/meter.h"
#include "models/kit/exhaustive/parallel/process_report.h"
#include "models/kit/exhaustive/parallel/processes.h"
#include "models/kit/exhaustive/run/exploration.h"
#include "models/kit/exhaustive/search/tree_path.h"

namespace nowait::model {
namespace {

// For this many visits a single process runs the search. A search that is over by then is not worth
// further processes, and a longer one has parts to distribute.
constexpr std::uint64_t kAlone = 4096;

std::optional<Failure> NotAState(const std::string& state) {
  return Failure{FailureKind::kNondeterminism, "not a state of this search: " + state, Site()};
}

// Where a search continues: the graphs that are left, and the omissions so far.
constexpr std::string_view kOmissions = "::";

struct Left {
  std::vector<TreePath> paths;
  Omissions omissions;
};

std::optional<Left> ParseLeft(const std::string& state) {
  const std::size_t end = state.find(kOmissions);
  if (end == std::string::npos) return std::nullopt;
  auto paths = ParseTreePaths(state.substr(0, end));
  auto omissions = Omissions::Parse(state.substr(end + kOmissions.size()));
  if (!paths || !omissions) return std::nullopt;
  return Left{*std::move(paths), *std::move(omissions)};
}

std::string FormatLeft(Exploration& exploration) {
  return Format(exploration.Left()).append(kOmissions) + exploration.omissions().Format();
}

// Visits the remaining graphs. Returns the failure.
std::optional<Found> Visit(Exploration& exploration, Meter& meter, SiteTable& sites,
                           unsigned jobs) {
  const auto few_left = [&] { return meter.Allowance().value_or(kAlone) < kAlone; };
  std::uint64_t visits = 0;
  const auto pauses = [&] { return jobs > 1 && ++visits % kAlone == 0 && !few_left(); };
  while (exploration.Run(meter, pauses)) {
    const RanInProcesses ran = RunInProcesses(exploration, meter, sites, jobs);
    if (!ran.goes_on) return ran.found;
  }
  return std::nullopt;
}

// Makes the trace of a failure that another process found, by visiting the graph once more.
void TraceAgain(const ScenarioEntry& scenario, const Search& search, SearchResult& result,
                const TreePath& path) {
  SiteTable counted_there;
  const auto again = std::make_unique<Exploration>(scenario, counted_there, search.reductions);
  again->Replay(path);
  result.trace = again->machine().trace();
  if (again->failure() && again->failure()->kind == result.failure->kind) return;
  result.failure =
      Failure{FailureKind::kNondeterminism,
              "in another process it fails, and not in this one: " + result.failure->Label(),
              result.failure->site};
}

}  // namespace

SearchResult RunExhaustive(const ScenarioEntry& scenario, const Search& search, const Start& start,
                           SiteTable& sites, const SearchControl& control) {
  Meter meter(search, start.seed, control);
  // On the heap: the object is large, and fibers hold pointers into their execution.
  auto exploration = std::make_unique<Exploration>(scenario, sites, search.reductions);
  SearchResult out;
  std::optional<Found> found;
  if (!start.state.empty()) {
    if (const auto path = ParseTreePath(start.state)) {
      exploration->Replay(*path);
      meter.EndExecution(true, true, [] { return 1.0; });
    } else {
      out.failure = NotAState(start.state);
    }
  } else if (!meter.IsDone()) {
    if (!control.from) {
      exploration->Begin(meter, control.shard);
    } else if (auto left = ParseLeft(control.from->state)) {
      exploration->omissions() = left->omissions;
      exploration->Continue(std::move(left->paths), control.from->fraction);
    } else {
      out.failure = NotAState(control.from->state);
      return out;
    }
    found = Visit(*exploration, meter, sites, control.jobs);
  }
  SetCurrentMachine(nullptr);

  out.executions = meter.executions();
  out.seconds = meter.Seconds();
  out.omitted = exploration->omissions().Total();
  const bool elsewhere = found.has_value();
  if (!found && exploration->failure()) {
    found = {*exploration->failure(), exploration->path()};
    out.trace = exploration->machine().trace();
  }
  if (found) {
    out.failure = std::move(found->failure);
    if (out.failure->kind == FailureKind::kProcessLost) return out;
    if (start.state.empty()) ++out.executions;
    out.replay.state = Format(found->path);
    if (elsewhere) {
      exploration.reset();  // a program may have one at a time
      TraceAgain(scenario, search, out, found->path);
      SetCurrentMachine(nullptr);
    }
    return out;
  }
  out.exhausted = meter.exhausted() && start.state.empty();
  out.fraction = meter.fraction();
  if (!meter.finished()) {
    out.stopped = {out.executions, out.seconds, FormatLeft(*exploration), out.fraction};
  }
  return out;
}

}  // namespace nowait::model
