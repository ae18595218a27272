// A push and a pop through the single-producer ring, against a bounded queue under a mutex.
//
// With one thread both ends are its own, batch by batch. With two, one produces and one consumes;
// a thread that cannot go on gives up its time slice.
#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <thread>

#include "src/sync/spsc_ring.h"
#include "tests/bench/crew.h"
#include "tests/bench/mutex_queue.h"

namespace nowait {
namespace {

constexpr std::size_t kCapacity = 1024;
constexpr std::uint64_t kElements = 1u << 16;

template <class Queue>
void PushPop(benchmark::State& state) {
  const auto threads = static_cast<int>(state.range(0));
  Queue queue(kCapacity);
  Crew crew(threads);
  for (auto _ : state) {
    if (threads == 1) {
      for (std::uint64_t i = 0; i < kElements; i += kCapacity) {
        for (std::uint64_t k = 0; k < kCapacity; ++k) queue.TryPush(i + k);
        for (std::uint64_t element; queue.TryPop(&element);) benchmark::DoNotOptimize(element);
      }
      continue;
    }
    crew.Run([&](int thread) {
      std::uint64_t element = 0;
      for (std::uint64_t i = 0; i < kElements;) {
        if (thread == 0 ? queue.TryPush(i) : queue.TryPop(&element)) {
          benchmark::DoNotOptimize(element);
          ++i;
        } else {
          std::this_thread::yield();
        }
      }
    });
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kElements));
}

BENCHMARK(PushPop<SpscRing<std::uint64_t>>)
    ->Name("spsc_push_pop/ours")
    ->Arg(1)
    ->Arg(2)
    ->UseRealTime();
BENCHMARK(PushPop<MutexQueue<std::uint64_t>>)
    ->Name("spsc_push_pop/baseline")
    ->Arg(1)
    ->Arg(2)
    ->UseRealTime();

}  // namespace
}  // namespace nowait

BENCHMARK_MAIN();
