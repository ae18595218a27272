// Posting events from jobs and merging them, against a vector under a mutex that is sorted.
//
// An iteration is a frame: 64 jobs of 64 events each, by so many threads, and the merge.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "src/events/lanes.h"
#include "tests/bench/crew.h"

namespace nowait {
namespace {

constexpr std::uint32_t kJobs = 64;
constexpr std::uint32_t kEvents = 64;

struct Touched {
  static constexpr std::uint32_t kType = FourCharacters("Tchd");
  std::uint64_t a;
  std::uint64_t b;
};

class Lanes {
 public:
  explicit Lanes(std::uint32_t threads)
      : lanes_(std::move(*EventLanes::Create({.lanes = threads, .most_bytes = 1u << 20}))) {}
  void Run(std::uint32_t job) {
    auto section = lanes_->Open(job);
    for (std::uint32_t i = 0; i < kEvents; ++i) section->Post(Touched{job, i});
  }
  std::uint64_t Read() {
    std::uint64_t sum = 0;
    const auto stream = lanes_->Merge();
    for (const EventView event : *stream) {
      if (const auto* touched = event.As<Touched>()) sum += touched->a * touched->b;
    }
    return sum;
  }

 private:
  std::unique_ptr<EventLanes> lanes_;
};

class Sorted {
 public:
  explicit Sorted(std::uint32_t) {}
  void Run(std::uint32_t job) {
    for (std::uint32_t i = 0; i < kEvents; ++i) {
      const std::lock_guard lock(mutex_);
      events_.push_back({job, i});
    }
  }
  std::uint64_t Read() {
    std::sort(events_.begin(), events_.end(), [](const Touched& x, const Touched& y) {
      return x.a != y.a ? x.a < y.a : x.b < y.b;
    });
    std::uint64_t sum = 0;
    for (const Touched& touched : events_) sum += touched.a * touched.b;
    events_.clear();
    return sum;
  }

 private:
  std::mutex mutex_;
  std::vector<Touched> events_;
};

template <class Events>
void Frame(benchmark::State& state) {
  const auto threads = static_cast<std::uint32_t>(state.range(0));
  Events events(threads);
  Crew crew(static_cast<int>(threads));
  for (auto _ : state) {
    std::atomic<std::uint32_t> next{0};
    crew.Run([&](int) {
      for (;;) {
        const std::uint32_t job = next.fetch_add(1, std::memory_order::relaxed);
        if (job >= kJobs) return;
        events.Run(job);
      }
    });
    std::uint64_t sum = events.Read();
    benchmark::DoNotOptimize(sum);
  }
  state.SetItemsProcessed(state.iterations() * std::int64_t{kJobs} * kEvents);
}
BENCHMARK(Frame<Lanes>)->Name("events_frame/ours")->Arg(1)->Arg(2)->UseRealTime();
BENCHMARK(Frame<Sorted>)->Name("events_frame/baseline")->Arg(1)->Arg(2)->UseRealTime();

}  // namespace
}  // namespace nowait

BENCHMARK_MAIN();
