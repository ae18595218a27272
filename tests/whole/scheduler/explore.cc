#include "tests/whole/scheduler/explore.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "tests/whole/scheduler/lanes.h"
#include "tests/whole/scheduler/shorten.h"

namespace nowait::whole {
namespace {

std::vector<StrategyDef> TakingTurns() {
  return {{.kind = StrategyKind::kRandomWalk}, {.kind = StrategyKind::kPct, .depth = 2},
          {.kind = StrategyKind::kPos},        {.kind = StrategyKind::kPct, .depth = 3},
          {.kind = StrategyKind::kStickyWalk}, {.kind = StrategyKind::kPct, .depth = 4}};
}

// The report of a failing run, and the line that runs it again.
std::string Report(const Exploration& found, const std::string& how) {
  std::string text = Lanes(*found.failure);
  text += fmt::format("after {} schedules, by {}\n", found.schedules, how);
  const std::string fault = ToString(found.faults);
  text += "again: ";
  if (!fault.empty()) text += "NOWAIT_FAULT='" + fault + "' ";
  text += "NOWAIT_SCHEDULE='" +
          (found.schedule.empty() ? std::string("default") : ToString(found.schedule)) + "'\n";
  return text;
}

void Shorten(const std::function<void()>& program, const ExploreOptions& options,
             const RunOptions& run, Exploration& found) {
  const auto fails = [&](const Schedule& schedule) {
    const Outcome again = Replay(program, schedule, run);
    return again.failure && SameCause(*again.failure, *found.failure);
  };
  if (!fails(found.recorded)) {
    found.report =
        "the program did something else under the same schedule: it depends on more than "
        "its choices\n" +
        Lanes(*found.failure);
    return;
  }
  const Shortened shortened = Shorten(found.recorded, fails, options.most_runs_to_shorten);
  found.schedule = shortened.schedule;
  found.failure = Replay(program, found.schedule, run).failure;
  found.report =
      Report(found, fmt::format("{}; {} of its {} interruptions are needed{}",
                                ToString(found.strategy), found.schedule.size(),
                                found.recorded.size(), shortened.smallest ? "" : " or fewer"));
}

// The one schedule that NOWAIT_SCHEDULE names.
Exploration RunNamed(const std::function<void()>& program, const ExploreOptions& options,
                     std::string_view name) {
  Exploration found;
  found.schedules = 1;
  const auto strategy = ParseStrategy(name);
  const auto schedule = name == "default" ? Schedule() : ParseSchedule(name);
  if (!strategy && !schedule) {
    fmt::print(stderr, "NOWAIT_SCHEDULE is neither a strategy with its seed nor a schedule\n");
    std::abort();
  }
  RunOptions run = options.run;
  if (const char* const fault = std::getenv("NOWAIT_FAULT")) {
    const auto faults = ParseFaults(fault);
    if (!faults) {
      fmt::print(stderr, "NOWAIT_FAULT is no fault: \"{}\"\n", fault);
      std::abort();
    }
    run.faults = found.faults = *faults;
  }
  Outcome outcome = strategy ? RunUnder(program, *strategy, run) : Replay(program, *schedule, run);
  found.steps = found.longest = outcome.steps;
  found.failure = outcome.failure;
  found.schedule = found.recorded = outcome.schedule;
  if (found.failure) found.report = Report(found, std::string(name));
  return found;
}

}  // namespace

Outcome RunUnder(const std::function<void()>& program, const StrategyDef& strategy,
                 const RunOptions& options) {
  return Machine(options, strategy).Run(program);
}

Outcome Replay(const std::function<void()>& program, const Schedule& schedule,
               const RunOptions& options) {
  return Machine(options, schedule).Run(program);
}

Exploration Explore(const std::function<void()>& program, const ExploreOptions& options) {
  if (const char* const named = std::getenv("NOWAIT_SCHEDULE")) {
    return RunNamed(program, options, named);
  }
  Exploration found;
  const std::vector<StrategyDef> turns =
      options.strategies.empty() ? TakingTurns() : options.strategies;
  RunOptions run = options.run;
  FaultPlaces places;  // of the first run
  for (std::uint64_t i = 0; i < options.schedules; ++i) {
    StrategyDef strategy = turns[(options.first_turn + i) % turns.size()];
    strategy.seed = options.seed + i;
    // PCT wants to know how long a run is: as long as the longest so far.
    if (found.longest != 0) strategy.length = std::min(found.longest, options.run.fair_after);
    if (options.with_faults && i != 0) run.faults = DrawFault(places, strategy.seed);
    Outcome outcome = RunUnder(program, strategy, run);
    if (i == 0) places = outcome.places;
    ++found.schedules;
    found.steps += outcome.steps;
    found.longest = std::max(found.longest, outcome.steps);
    if (!outcome.failure) continue;
    found.failure = std::move(outcome.failure);
    found.strategy = strategy;
    found.faults = run.faults;
    found.recorded = found.schedule = std::move(outcome.schedule);
    Shorten(program, options, run, found);
    break;
  }
  return found;
}

}  // namespace nowait::whole
