// The exhaustive checker: the time of a whole search, and the executions a second of one process.
//
// A search that fails, or that counts another number of executions than the fixture has, is an
// error: its speed would be that of another task.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "models/kit/exhaustive/explore.h"
#include "tests/bench/union_find_fixture.h"

namespace nowait {
namespace {

using model::Explored;
using model::Gap;
using model::ScenarioEntry;

// What a search leaves out of these scenarios is no matter of speed.
constexpr model::Gaps kAnyGap = {Gap::kLoadBuffering, Gap::kSecondSpuriousFailure,
                                 Gap::kSpuriousFailureElsewhere};

// executions: those that the scenario has.
void Examine(benchmark::State& state, const ScenarioEntry& scenario, std::uint64_t executions) {
  std::uint64_t examined = 0;
  for (auto _ : state) {
    const Explored explored = model::Explore(scenario, model::Graphs().Within(600));
    if (!explored.passed(kAnyGap) || explored.executions != executions) {
      state.SkipWithError(explored.Words().c_str());
      return;
    }
    examined += explored.executions;
  }
  state.counters["executions"] = static_cast<double>(executions);
  state.counters["a_second"] =
      benchmark::Counter(static_cast<double>(examined), benchmark::Counter::kIsRate);
}

// The scenario of models/jobs/job_list.cc, which is compiled into this program.
const ScenarioEntry& JobList(const std::string& name) {
  return *std::ranges::find(model::Scenarios(), name,
                            [](const ScenarioEntry& entry) { return entry.text.name; });
}

void UnionFindOfThen(benchmark::State& state) {
  Examine(state, model::Scenario<UnionFindFixture>::Entry({.name = "", .promise = ""}),
          UnionFindFixture::kExecutions);
}
BENCHMARK(UnionFindOfThen)->Name("union_find_fixture/3x2")->Unit(benchmark::kSecond);

void JobListThreeByThree(benchmark::State& state) { Examine(state, JobList("3x3"), 25'580); }
BENCHMARK(JobListThreeByThree)->Name("job_list/3x3")->Unit(benchmark::kSecond);

}  // namespace
}  // namespace nowait

BENCHMARK_MAIN();
