// Explore: runs a program under many schedules, until one fails.
//
//   const Exploration found = Explore([] { ... }, {.schedules = 1000, .seed = 7});
//   INFO(found.report);
//   REQUIRE_FALSE(found.failure);
//
// The program is called once for each schedule; the same choices must lead to the same steps: no
// clock but the policy's, no random numbers without a seed, no decision by an address, nothing that
// is left over from an earlier run.
//
// A failure is repeated by its schedule, shortened and described. The report's last line says how
// to run it again: the environment variable NOWAIT_SCHEDULE has Explore run that one schedule
// ("walk-77", or a list of choices), and nothing else; NOWAIT_FAULT, if it is there, is the run's
// fault (faults.h).
//
// A pass covers the schedules that were tried, as sequentially consistent executions;
// tests/whole/README.md describes its limits.
#ifndef NOWAIT_TESTS_WHOLE_SCHEDULER_EXPLORE_H_
#define NOWAIT_TESTS_WHOLE_SCHEDULER_EXPLORE_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tests/whole/scheduler/machine.h"

namespace nowait::whole {

struct ExploreOptions {
  std::uint64_t schedules = 100;
  std::uint64_t seed = 1;  // of the first; the next one's is one more
  // Which strategies take turns. Empty: both walks, PCT with depths 2 to 4, POS.
  std::vector<StrategyDef> strategies = {};
  std::uint64_t first_turn = 0;  // which of them comes first, round again
  // Whether each schedule but the first has a fault: one that may hit what the first one did.
  bool with_faults = false;
  RunOptions run = {};
  std::uint64_t most_runs_to_shorten = 1000;
};

struct Exploration {
  std::uint64_t schedules = 0;  // that were run, the failing one included
  std::uint64_t steps = 0;      // of all of them
  std::uint64_t longest = 0;    // in steps
  std::optional<Failure> failure;
  StrategyDef strategy;  // of the failing run
  Faults faults;         // likewise
  Schedule schedule;     // shortened
  Schedule recorded;     // as it was found
  std::string report;    // empty: nothing failed
};

Exploration Explore(const std::function<void()>& program, const ExploreOptions& options = {});

// One run.
Outcome RunUnder(const std::function<void()>& program, const StrategyDef& strategy,
                 const RunOptions& options = {});
Outcome Replay(const std::function<void()>& program, const Schedule& schedule,
               const RunOptions& options = {});

}  // namespace nowait::whole

#endif  // NOWAIT_TESTS_WHOLE_SCHEDULER_EXPLORE_H_
