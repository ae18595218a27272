// Push, Take and Steal of the work deque, against a deque under a mutex.
//
// "deque_push_take": the owner alone, or with a thief that finds what it can; an item is a Push and
// the Take (or theft) of it. "deque_steal": a full deque is emptied from the top, by one thread or
// by two against each other.
#include <benchmark/benchmark.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "src/jobs/work_deque.h"
#include "tests/bench/crew.h"
#include "tests/bench/mutex_queue.h"

namespace nowait {
namespace {

constexpr std::size_t kCapacity = 4096;
constexpr std::uint64_t kItems = 1u << 15;
constexpr std::uint64_t kBatch = 16;  // jobs that a job makes

class MutexDeque {
 public:
  explicit MutexDeque(std::size_t capacity) : items_(capacity) {}
  bool Push(std::uint64_t item) { return items_.TryPush(item); }
  bool Take(std::uint64_t* item) { return items_.TryPopNewest(item); }
  StealResult Steal(std::uint64_t* item) {
    return items_.TryPop(item) ? StealResult::kItem : StealResult::kEmpty;
  }

 private:
  MutexQueue<std::uint64_t> items_;
};

template <class Deque>
void PushTake(benchmark::State& state) {
  const auto threads = static_cast<int>(state.range(0));
  Deque deque(kCapacity);
  Crew crew(threads);
  std::atomic<bool> done{false};
  for (auto _ : state) {
    done.store(false, std::memory_order::relaxed);
    crew.Run([&](int thread) {
      if (thread != 0) {
        std::uint64_t item = 0;
        while (!done.load(std::memory_order::relaxed)) {
          deque.Steal(&item);
          benchmark::DoNotOptimize(item);
        }
        return;
      }
      for (std::uint64_t i = 0; i < kItems; i += kBatch) {
        for (std::uint64_t k = 0; k < kBatch; ++k) benchmark::DoNotOptimize(deque.Push(i + k));
        for (std::uint64_t item; deque.Take(&item);) benchmark::DoNotOptimize(item);
      }
      done.store(true, std::memory_order::relaxed);
    });
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kItems));
}

template <class Deque>
void Steal(benchmark::State& state) {
  const auto threads = static_cast<int>(state.range(0));
  Deque deque(kCapacity);
  Crew crew(threads);
  for (auto _ : state) {
    state.PauseTiming();
    for (std::uint64_t i = 0; i < kCapacity; ++i) deque.Push(i);
    state.ResumeTiming();
    crew.Run([&](int) {
      std::uint64_t item = 0;
      while (deque.Steal(&item) != StealResult::kEmpty) benchmark::DoNotOptimize(item);
    });
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kCapacity));
}

using Ours = WorkDeque<std::uint64_t>;

BENCHMARK(PushTake<Ours>)->Name("deque_push_take/ours")->Arg(1)->Arg(2)->UseRealTime();
BENCHMARK(PushTake<MutexDeque>)->Name("deque_push_take/baseline")->Arg(1)->Arg(2)->UseRealTime();
BENCHMARK(Steal<Ours>)->Name("deque_steal/ours")->Arg(1)->Arg(2)->UseRealTime();
BENCHMARK(Steal<MutexDeque>)->Name("deque_steal/baseline")->Arg(1)->Arg(2)->UseRealTime();

}  // namespace
}  // namespace nowait

BENCHMARK_MAIN();
