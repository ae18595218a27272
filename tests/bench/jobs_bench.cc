// The job system beside oneTBB: the same loops and fans, with the same number of threads. The
// benchmarks of tasks are in tasks_bench.cc, graphs_bench.cc and crowds_bench.cc, the same program.
//
// "ours" is a JobBatch on a TaskPool, "baseline" is oneTBB with as many threads (the caller's
// included), its pieces as large as ours (simple_partitioner). The last part of a name is the
// number of threads.
#include <benchmark/benchmark.h>
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_group.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "src/jobs/job_batch.h"
#include "src/jobs/task_pool.h"
#include "tests/bench/graphs_bench.h"
#include "tests/bench/tasks_bench.h"
#include "tests/jobs/make_pool.h"

namespace nowait {
namespace {

constexpr std::uint32_t kItems = 1'000'000;

// An item's work: some arithmetic on its value.
float Changed(float value) { return value * 0.999f + 0.5f; }

std::uint32_t Threads(const benchmark::State& state) {
  return static_cast<std::uint32_t>(state.range(0));
}

// A loop over a million items, in pieces of so many.
void LoopOurs(benchmark::State& state, std::uint32_t grain) {
  const auto owned = MakePool({.workers = Threads(state) - 1});
  TaskPool& pool = *owned;
  const auto here = pool.Register("main");
  JobBatch batch;
  std::vector<float> values(kItems, 1.0f);
  auto body = [&values](std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t i = begin; i < end; ++i) values[i] = Changed(values[i]);
  };
  for (auto _ : state) {
    if (!batch.AddLoop(kItems, grain, body)) state.SkipWithError("the batch is full");
    if (!batch.Run(pool)) state.SkipWithError("the batch was refused");
  }
  state.SetItemsProcessed(state.iterations() * kItems);
}
void LoopTbb(benchmark::State& state, std::uint32_t grain) {
  const tbb::global_control threads(tbb::global_control::max_allowed_parallelism, Threads(state));
  std::vector<float> values(kItems, 1.0f);
  for (auto _ : state) {
    tbb::parallel_for(
        tbb::blocked_range<std::uint32_t>(0, kItems, grain),
        [&values](const tbb::blocked_range<std::uint32_t>& range) {
          for (std::uint32_t i = range.begin(); i < range.end(); ++i)
            values[i] = Changed(values[i]);
        },
        tbb::simple_partitioner());
  }
  state.SetItemsProcessed(state.iterations() * kItems);
}

// Fan-out and fan-in: so many jobs that do nothing, and the wait for all of them.
void FanOurs(benchmark::State& state, std::uint32_t jobs) {
  const auto owned = MakePool({.workers = Threads(state) - 1});
  TaskPool& pool = *owned;
  const auto here = pool.Register("main");
  JobBatch batch(jobs);
  auto nothing = [] {};
  for (auto _ : state) {
    for (std::uint32_t i = 0; i < jobs; ++i) {
      if (!batch.Add(nothing)) state.SkipWithError("the batch is full");
    }
    if (!batch.Run(pool)) state.SkipWithError("the batch was refused");
  }
  state.SetItemsProcessed(state.iterations() * jobs);
}
void FanTbb(benchmark::State& state, std::uint32_t jobs) {
  const tbb::global_control threads(tbb::global_control::max_allowed_parallelism, Threads(state));
  tbb::task_group group;
  for (auto _ : state) {
    for (std::uint32_t i = 0; i < jobs; ++i) group.run([] {});
    group.wait();
  }
  state.SetItemsProcessed(state.iterations() * jobs);
}

// A name for each size, as tests/bench/ratios.py wants it: OPERATION/ours/THREADS.
void Register(const char* operation, std::uint32_t size,
              void (*ours)(benchmark::State&, std::uint32_t),
              void (*baseline)(benchmark::State&, std::uint32_t)) {
  for (const auto& [who, run] : {std::pair("ours", ours), std::pair("baseline", baseline)}) {
    const std::string name = std::string(operation) + std::to_string(size) + "/" + who;
    benchmark::RegisterBenchmark(name.c_str(), run, size)->Arg(1)->Arg(2)->UseRealTime();
  }
}

}  // namespace
}  // namespace nowait

int main(int argc, char** argv) {
  using namespace nowait;
  for (const std::uint32_t grain : {64u, 256u, 1024u, 4096u, 16384u, 65536u}) {
    Register("loop_by_", grain, LoopOurs, LoopTbb);
  }
  for (const std::uint32_t jobs : {1u, 16u, 256u, 4096u}) {
    Register("fan_of_", jobs, FanOurs, FanTbb);
  }
  RegisterTasks();
  RegisterGraphs();
  RegisterCrowds();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  PrintTaskMemory();
  PrintDeviceTime();
  benchmark::RunSpecifiedBenchmarks();
}
