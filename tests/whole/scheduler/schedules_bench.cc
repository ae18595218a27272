// How many schedules a second: a program of four threads and fifty tasks, by each strategy.
//
//   bazel run --config=controlled //tests/whole/scheduler:schedules_bench
#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>

#include "src/jobs/task_pool.h"
#include "tests/whole/scheduler/explore.h"
#include "tests/whole/scheduler/fifty_tasks.h"

namespace nowait::whole {
namespace {

void Schedules(benchmark::State& state, StrategyDef strategy) {
  std::uint64_t steps = 0;
  for (auto _ : state) {
    ++strategy.seed;
    const Outcome outcome = RunUnder([] { FiftyTasks<TaskPool>(3); }, strategy);
    if (outcome.failure) state.SkipWithError("a schedule fails");
    steps += outcome.steps;
  }
  state.counters["schedules/s"] =
      benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
  state.counters["steps"] = static_cast<double>(steps) / static_cast<double>(state.iterations());
}

const StrategyDef kWalk = {.kind = StrategyKind::kRandomWalk};
const StrategyDef kPct = {.kind = StrategyKind::kPct, .depth = 3, .length = 6000};
const StrategyDef kPos = {.kind = StrategyKind::kPos};

BENCHMARK_CAPTURE(Schedules, walk, kWalk);
BENCHMARK_CAPTURE(Schedules, pct, kPct);
BENCHMARK_CAPTURE(Schedules, pos, kPos);

}  // namespace
}  // namespace nowait::whole

BENCHMARK_MAIN();
