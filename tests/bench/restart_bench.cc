// The price of beginning an update again from inside nested calls: by results, and by an exception.
//
//   straight   an update that commits at once, and a commit of one of its objects before it
//   again      the same, but that commit comes into the update, which is begun again once
//
// The argument is the number of calls inside each other. The difference of the two is a restart.
#include <benchmark/benchmark.h>

#include <cstdint>

#include "tests/bench/restart_ways.h"

namespace nowait {
namespace {

template <class Way, bool kAgain>
void Updates(benchmark::State& state) {
  RestartWays ways(static_cast<std::uint32_t>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(ways.Update<Way>(kAgain));
  const std::uint64_t expected = kAgain ? ways.counts().commits : 0;
  if (ways.counts().restarts != expected) state.SkipWithError("not begun again once");
}

void Depths(benchmark::internal::Benchmark* bench) {
  for (const int depth : {1, 4, 16, 64}) bench->Arg(depth);
}
using Results = RestartWays::Results;
using Exceptions = RestartWays::Exceptions;
BENCHMARK(Updates<Results, false>)->Name("straight/results")->Apply(Depths);
BENCHMARK(Updates<Results, true>)->Name("again/results")->Apply(Depths);
BENCHMARK(Updates<Exceptions, false>)->Name("straight/exception")->Apply(Depths);
BENCHMARK(Updates<Exceptions, true>)->Name("again/exception")->Apply(Depths);

}  // namespace
}  // namespace nowait

BENCHMARK_MAIN();
