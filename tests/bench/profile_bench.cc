// The price that a thread pays for being watched: of a span, of a mark, and of a physics update.
//
// "profile_scope", "profile_mark": with a lane whose ring another thread empties between batches,
// as it is with a viewer ("ours"); with a lane and no viewer, where the ring stays full
// ("unwatched"); with no lane ("no_lane"). The baseline is two readings of the clock, and one.
// "watched_update": an update of 1,000 bodies that may not sleep, with spans, and with a viewer's
// encoder, which makes a message of each frame on a thread of its own. The baseline has neither
// spans nor a viewer. Frames are paced, as those of a game, and leave the viewer their rest. The
// time is the processor's for the one thread, which other programs hardly change; "spans" counts
// the spans and marks of two threads.
// Counters: nanoseconds of an entry; spans of an update, and the microseconds in which its frame is
// copied for the viewer, which are no part of the time.
#include <benchmark/benchmark.h>
#include <time.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "src/jobs/task_pool.h"
#include "src/live/encoder.h"
#include "src/live/feed.h"
#include "src/math/random.h"
#include "src/profile/profile.h"
#include "src/world/world.h"
#include "tests/bench/crew.h"

namespace nowait {
namespace {

constexpr std::uint32_t kBatch = 1024;  // entries; the ring has room for them
constexpr float kStep = 1.0f / 60.0f;
constexpr int kSettle = 240;                     // steps
constexpr std::chrono::milliseconds kPeriod(6);  // of frames

void Clocks(int readings) {
  for (std::uint32_t i = 0; i < kBatch; ++i) {
    for (int k = 0; k < readings; ++k) benchmark::DoNotOptimize(SteadyNanoseconds());
  }
}
void Scopes() {
  for (std::uint32_t i = 0; i < kBatch; ++i) {
    const ProfileScope scope("scope");
    benchmark::ClobberMemory();
  }
}
void Marks() {
  for (std::uint32_t i = 0; i < kBatch; ++i) {
    ProfileMark("mark", i);
    benchmark::ClobberMemory();
  }
}

// entries(): a batch. Thread 0 is timed; thread 1 empties the ring afterwards, if it is watched.
template <class Entries>
void Write(benchmark::State& state, bool has_lane, bool is_watched, const Entries& entries) {
  Profile profile(
      {.lanes = 1, .spans_per_lane = 0, .samples_per_lane = 0, .live_spans_per_lane = kBatch});
  Lane* const lane = *profile.AddLane("main");
  Crew crew(2);
  double all = 0;
  for (auto _ : state) {
    double seconds = 0;
    crew.Run([&](int thread) {
      if (thread != 0) return;
      const LaneScope use(has_lane ? lane : nullptr);
      const auto begin = std::chrono::steady_clock::now();
      entries();
      seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    });
    state.SetIterationTime(seconds);
    all += seconds;
    if (!is_watched) continue;
    crew.Run([&](int thread) {
      Live<Span> span{};
      while (thread == 1 && lane->live->TryPop(&span)) benchmark::DoNotOptimize(span);
    });
  }
  state.SetItemsProcessed(state.iterations() * kBatch);
  state.counters["entry_ns"] = 1e9 * all / (static_cast<double>(state.iterations()) * kBatch);
}

// The processor's time of this thread.
double ThreadSeconds() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

std::unique_ptr<World> Heap() {
  constexpr std::uint32_t kRow = 20;
  constexpr std::uint32_t kBodies = 1000;
  WorldDef def;
  def.max_contacts = 32 * kBodies;
  auto world = *World::Create(def);
  std::vector<BodyDef> defs(1);
  defs[0].type = BodyType::kStatic;
  defs[0].shape = Shape::Box({60, 1, 60});
  defs[0].position = {0, -1, 0};
  Random random(1);
  for (std::uint32_t i = 0; i < kBodies; ++i) {
    BodyDef body;
    body.shape = i % 2 == 0 ? Shape::Sphere(0.4f) : Shape::Box({0.4f, 0.3f, 0.5f});
    body.rolling_resistance = i % 2 == 0 ? 0.2f : 0.0f;
    body.rotation = random.Rotation();
    body.position = {1.1f * static_cast<float>(i % kRow),
                     1.0f + 1.1f * static_cast<float>(i / (kRow * kRow)),
                     1.1f * static_cast<float>(i / kRow % kRow)};
    body.may_sleep = false;
    defs.push_back(body);
  }
  WaitTime wait;
  auto batch = *world->PrepareBatch(defs);
  benchmark::DoNotOptimize(world->FinaliseBatch(batch, wait).has_value());
  return world;
}

// The work of the viewers' thread.
class Watch {
 public:
  explicit Watch(LiveFeed& feed) : feed_(feed), thread_([this] { Run(); }) {}
  ~Watch() {
    feed_.End();
    thread_.join();
  }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  void WaitFor(std::uint64_t messages) const {
    while (messages_.load(std::memory_order::acquire) < messages) std::this_thread::yield();
  }
  // Of all messages that were waited for.
  std::uint64_t spans() const { return spans_; }

 private:
  void Run() {
    LiveEncoder encoder({.scene = "heap", .frame_seconds = kStep, .lanes = feed_.lanes()});
    while (LiveFrame* const frame = feed_.Take()) {
      benchmark::DoNotOptimize(encoder.Encode(*frame).has_value());
      spans_ += frame->spans.size();
      feed_.Release();
      messages_.fetch_add(1, std::memory_order::release);
    }
  }

  LiveFeed& feed_;
  std::uint64_t spans_ = 0;
  std::atomic<std::uint64_t> messages_ = 0;
  std::thread thread_;
};

void Update(benchmark::State& state, bool is_watched) {
  const auto threads = static_cast<std::uint32_t>(state.range(0));
  Profile profile({.lanes = threads,
                   .spans_per_lane = 0,
                   .samples_per_lane = 0,
                   .live_spans_per_lane = 1u << 14});
  auto pool =
      *TaskPool::Create({.workers = threads - 1, .profile = is_watched ? &profile : nullptr});
  const auto here = pool->Register("main");
  const auto world = Heap();
  const auto feed = *LiveFeed::Create(4, is_watched ? &profile : nullptr, pool.get());
  std::optional<Watch> watch;
  if (is_watched) watch.emplace(*feed);
  for (int i = 0; i < kSettle; ++i) {
    if (!world->Update(kStep, *pool)) state.SkipWithError("the update failed");
  }
  double offers = 0;
  LiveMoment moment;
  for (auto _ : state) {
    const auto begin = std::chrono::steady_clock::now();
    const double before = ThreadSeconds();
    moment.begin = SteadyNanoseconds();
    if (!world->Update(kStep, *pool)) state.SkipWithError("the update failed");
    moment.end = SteadyNanoseconds();
    const double after = ThreadSeconds();
    state.SetIterationTime(after - before);
    ++moment.step;
    if (!is_watched) {
      std::this_thread::sleep_until(begin + kPeriod);
      continue;
    }
    const auto offered = feed->Offer(*world, moment, WhenFull::kWait);
    if (!offered) state.SkipWithError("the offer failed");
    offers += ThreadSeconds() - after;
    watch->WaitFor(moment.step);
    std::this_thread::sleep_until(begin + kPeriod);
  }
  if (!is_watched) return;
  state.counters["spans"] =
      benchmark::Counter(static_cast<double>(watch->spans()), benchmark::Counter::kAvgIterations);
  state.counters["offer_us"] = benchmark::Counter(1e6 * offers, benchmark::Counter::kAvgIterations);
}

BENCHMARK_CAPTURE(Write, scope, true, true, Scopes)
    ->Name("profile_scope/ours")
    ->Arg(1)
    ->UseManualTime();
BENCHMARK_CAPTURE(Write, scope_clocks, false, false, [] { Clocks(2); })
    ->Name("profile_scope/baseline")
    ->Arg(1)
    ->UseManualTime();
BENCHMARK_CAPTURE(Write, scope_unwatched, true, false, Scopes)
    ->Name("profile_scope/unwatched")
    ->Arg(1)
    ->UseManualTime();
BENCHMARK_CAPTURE(Write, scope_no_lane, false, false, Scopes)
    ->Name("profile_scope/no_lane")
    ->Arg(1)
    ->UseManualTime();
BENCHMARK_CAPTURE(Write, mark, true, true, Marks)
    ->Name("profile_mark/ours")
    ->Arg(1)
    ->UseManualTime();
BENCHMARK_CAPTURE(Write, mark_clock, false, false, [] { Clocks(1); })
    ->Name("profile_mark/baseline")
    ->Arg(1)
    ->UseManualTime();
BENCHMARK_CAPTURE(Write, mark_unwatched, true, false, Marks)
    ->Name("profile_mark/unwatched")
    ->Arg(1)
    ->UseManualTime();
BENCHMARK_CAPTURE(Write, mark_no_lane, false, false, Marks)
    ->Name("profile_mark/no_lane")
    ->Arg(1)
    ->UseManualTime();
BENCHMARK_CAPTURE(Update, watched, true)
    ->Name("watched_update/ours")
    ->Arg(1)
    ->UseManualTime()
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(Update, alone, false)
    ->Name("watched_update/baseline")
    ->Arg(1)
    ->UseManualTime()
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(Update, watched_twice, true)
    ->Name("watched_update/spans")
    ->Arg(2)
    ->UseManualTime()
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace nowait

BENCHMARK_MAIN();
