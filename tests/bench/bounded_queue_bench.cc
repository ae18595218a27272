// TryPush and TryPop of the bounded queue, against a bounded queue under a mutex.
//
// "queue_push_pop": each thread puts one in and takes one out, as a scheduler does with jobs that
// make jobs; an item is the two together. "queue_batch": each fills and empties its share.
#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>

#include "src/jobs/bounded_queue.h"
#include "tests/bench/crew.h"
#include "tests/bench/mutex_queue.h"

namespace nowait {
namespace {

constexpr std::size_t kCapacity = 1024;
constexpr std::uint64_t kElements = 1u << 15;

// kBatch: how many a thread puts in before it takes as many out.
template <class Queue, std::uint64_t kBatch>
void PushPop(benchmark::State& state) {
  const auto threads = static_cast<int>(state.range(0));
  Queue queue(kCapacity);
  Crew crew(threads);
  for (auto _ : state) {
    crew.Run([&](int) {
      std::uint64_t element = 0;
      for (std::uint64_t i = 0; i < kElements; i += kBatch) {
        for (std::uint64_t k = 0; k < kBatch; ++k) {
          while (!queue.TryPush(i + k)) queue.TryPop(&element);
        }
        for (std::uint64_t k = 0; k < kBatch; ++k) {
          queue.TryPop(&element);
          benchmark::DoNotOptimize(element);
        }
      }
      // Elements that the other's unfinished calls hid from this thread: each leaves the queue
      // empty.
      while (queue.TryPop(&element)) {
      }
    });
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kElements) * threads);
}

using Ours = BoundedQueue<std::uint64_t>;
using Baseline = MutexQueue<std::uint64_t>;

BENCHMARK(PushPop<Ours, 1>)->Name("queue_push_pop/ours")->Arg(1)->Arg(2)->UseRealTime();
BENCHMARK(PushPop<Baseline, 1>)->Name("queue_push_pop/baseline")->Arg(1)->Arg(2)->UseRealTime();
BENCHMARK(PushPop<Ours, 64>)->Name("queue_batch/ours")->Arg(1)->Arg(2)->UseRealTime();
BENCHMARK(PushPop<Baseline, 64>)->Name("queue_batch/baseline")->Arg(1)->Arg(2)->UseRealTime();

}  // namespace
}  // namespace nowait

BENCHMARK_MAIN();
