// Job fetch per job: the job list with its fetch lock against a queue guarded by a mutex.
//
// The jobs do nothing ("empty") or some hundred nanoseconds of arithmetic ("short"); what is
// measured is handing them out.
#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <thread>

#include "src/jobs/job_list.h"
#include "tests/bench/crew.h"

namespace nowait {
namespace {

constexpr std::uint32_t kJobs = 4096;

void Empty(void*) {}

void Short(void*) {
  std::uint32_t x = 1;
  for (int i = 0; i < 200; ++i) benchmark::DoNotOptimize(x = x * 1664525u + 1013904223u);
}

class MutexQueue {
 public:
  void Add(Job job) { jobs_.push_back(job); }

  // Runs the first job; false when the list is empty.
  bool RunOne() {
    Job job;
    {
      const std::lock_guard lock(mutex_);
      if (jobs_.empty()) return false;
      job = jobs_.front();
      jobs_.pop_front();
    }
    job.function(job.data);
    return true;
  }

 private:
  std::mutex mutex_;
  std::deque<Job> jobs_;
};

void FetchOurs(benchmark::State& state, void (*function)(void*)) {
  JobList<> list(kJobs);
  Crew crew(static_cast<int>(state.range(0)));
  for (auto _ : state) {
    state.PauseTiming();
    list.Clear();
    for (std::uint32_t i = 0; i < kJobs; ++i) {
      if (!list.Add({function, nullptr})) state.SkipWithError("the list is full");
    }
    list.Submit();
    state.ResumeTiming();
    crew.Run([&list](int) {
      for (;;) {
        const RunResult result = list.RunOne();
        if (result == RunResult::kDone) return;
        if (result == RunResult::kStalled) std::this_thread::yield();  // as the workers do
      }
    });
  }
  state.SetItemsProcessed(state.iterations() * kJobs);
}

void FetchMutex(benchmark::State& state, void (*function)(void*)) {
  MutexQueue queue;
  Crew crew(static_cast<int>(state.range(0)));
  for (auto _ : state) {
    state.PauseTiming();
    for (std::uint32_t i = 0; i < kJobs; ++i) queue.Add({function, nullptr});
    state.ResumeTiming();
    crew.Run([&queue](int) {
      while (queue.RunOne()) {
      }
    });
  }
  state.SetItemsProcessed(state.iterations() * kJobs);
}

BENCHMARK_CAPTURE(FetchOurs, , &Empty)->Name("fetch_empty/ours")->Arg(1)->Arg(2)->UseRealTime();
BENCHMARK_CAPTURE(FetchMutex, , &Empty)
    ->Name("fetch_empty/baseline")
    ->Arg(1)
    ->Arg(2)
    ->UseRealTime();
BENCHMARK_CAPTURE(FetchOurs, , &Short)->Name("fetch_short/ours")->Arg(1)->Arg(2)->UseRealTime();
BENCHMARK_CAPTURE(FetchMutex, , &Short)
    ->Name("fetch_short/baseline")
    ->Arg(1)
    ->Arg(2)
    ->UseRealTime();

}  // namespace
}  // namespace nowait

BENCHMARK_MAIN();
