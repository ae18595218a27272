// The exhaustive checker: the time of a whole search, and the executions a second of one process.
//
// A search that fails, or that counts another number of executions than the fixture has, is an
// error: its speed would be that of another task.
#include <benchmark/benchmark.h>

#include <cstdint>

#include "models/jobs/job_list_scenario.h"
#include "models/kit/exhaustive/explore.h"
#include "tests/bench/union_find_fixture.h"

namespace nowait {
namespace {

using model::Explored;
using model::Gap;

// The gaps of a search in these scenarios are no matter of speed.
constexpr model::Gaps kAnyGap = {Gap::kLoadBuffering, Gap::kSecondSpuriousFailure,
                                 Gap::kSpuriousFailureElsewhere};

// executions: those that the scenario S has.
template <class S>
void Examine(benchmark::State& state, std::uint64_t executions) {
  std::uint64_t examined = 0;
  for (auto _ : state) {
    const Explored explored = model::Explore<S>(model::Graphs().Within(600));
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

void UnionFindOfThen(benchmark::State& state) {
  Examine<UnionFindFixture>(state, UnionFindFixture::kExecutions);
}
BENCHMARK(UnionFindOfThen)->Name("union_find_fixture/3x2")->Unit(benchmark::kSecond);

void JobListThreeByThree(benchmark::State& state) { Examine<RunUntilDone<3, 3>>(state, 25'580); }
BENCHMARK(JobListThreeByThree)->Name("job_list/3x3")->Unit(benchmark::kSecond);

}  // namespace
}  // namespace nowait

BENCHMARK_MAIN();
