#include "src/apps/sovereign/run.h"

#include <algorithm>
#include <chrono>
#include <cstddef>

#include "src/apps/sovereign/game.h"
#include "src/apps/sovereign/input.h"
#include "src/apps/sovereign/render_back_end.h"
#include "src/apps/sovereign/render_frame.h"
#include "src/apps/sovereign/sampler.h"
#include "src/jobs/task_pool.h"
#include "src/profile/profile.h"
#include "src/sync/event_count.h"
#include "src/sync/frame_pipe.h"
#include "src/sync/policy.h"
#include "src/sync/scoped_lock.h"
#include "src/sync/spsc_ring.h"

namespace nowait {
namespace {

using Nanoseconds = std::chrono::nanoseconds;

constexpr Nanoseconds kFramePeriod = Nanoseconds(std::chrono::seconds(1)) / 60;
// A game that is later than this (the machine was asleep) does not make up for it.
constexpr Nanoseconds kMakesUpFor = 15 * kFramePeriod;
constexpr std::uint32_t kSamplesInLockstep = 4;
constexpr std::size_t kRing = 64;  // a quarter of a second

// From the sampler's thread to the game's.
struct InputLine {
  SpscRing<InputSample> ring{kRing};
  EventCount<> sampled;  // waited for in lockstep alone
  EventCount<> taken;

  // The sampler is to end.
  void Stop() {
    {
      const ScopedLock lock(mutex);
      stopping = true;
    }
    taken.NotifyAll();
  }
  bool Stopping() {
    const ScopedLock lock(mutex);
    return stopping;
  }

  EngineSync::mutex mutex;  // what follows
  bool stopping = false;
};

struct SteadyClock {
  static std::uint64_t Now() { return SteadyNanoseconds(); }
  static void SleepUntil(std::uint64_t time) {
    EngineSync::SleepUntil(EngineSync::clock::time_point(Nanoseconds(time)));
  }
};

// The sampler's thread. Returns how many samples were lost.
std::uint64_t SampleInput(InputLine& line) {
  Sampler sampler(line.ring, SteadyClock());
  while (!line.Stopping()) sampler.TakeOne();
  return sampler.lost();
}

// The same in lockstep, where no time passes.
void SampleInLockstep(InputLine& line) {
  for (std::uint64_t number = 0; !line.Stopping(); ++number) {
    const InputSample sample = ScriptedSample(number);
    line.taken.Await([&] { return line.ring.TryPush(sample) || line.Stopping(); });
    line.sampled.NotifyAll();
  }
}

// The back end's thread; fills in its part of the result.
void DrawAll(TaskPool& pool, FramePipe<RenderFrame>& pipe, SovereignResult& result) {
  const auto here = pool.Register("renderer");
  RenderBackEnd back_end(pool);
  for (;;) {
    const std::uint64_t begin = SteadyNanoseconds();
    const RenderFrame* frame = pipe.Take();
    if (frame == nullptr) break;
    const std::uint64_t taken = SteadyNanoseconds();
    back_end.Draw(*frame);
    const std::uint64_t drawn = SteadyNanoseconds();
    result.back_end_waits += taken - begin;
    result.back_end_time += drawn - taken;
    result.latency += drawn - frame->handed_over;
    pipe.Release();
  }
  result.image_hash = back_end.hash();
}

// The game's thread.
class GameLoop {
 public:
  GameLoop(const SovereignDef& def, TaskPool& pool, InputLine& line, FramePipe<RenderFrame>& pipe)
      : def_(def), game_(pool, def.objects, def.seed), line_(line), pipe_(pipe) {}

  SovereignResult Run() {
    auto next = EngineSync::clock::now();
    result_.least_samples = ~std::uint32_t{0};
    for (std::uint32_t number = 0; number < def_.frames; ++number) {
      const std::uint32_t samples = TakeInput();
      if (number > 0) {
        result_.least_samples = std::min(result_.least_samples, samples);
        result_.most_samples = std::max(result_.most_samples, samples);
      }
      RunFrame(number);
      if (!def_.lockstep) {
        next = std::max(next + kFramePeriod, EngineSync::clock::now() - kMakesUpFor);
        EngineSync::SleepUntil(next);
      }
    }
    pipe_.End();
    if (def_.frames < 2) result_.least_samples = 0;
    return result_;
  }

 private:
  std::uint32_t TakeInput() {
    const std::uint64_t now = SteadyNanoseconds();
    std::uint32_t count = 0;
    InputSample sample;
    const auto next = [&] {
      if (!def_.lockstep) return line_.ring.TryPop(&sample);
      if (count == kSamplesInLockstep) return false;
      line_.sampled.Await([&] { return line_.ring.TryPop(&sample); });
      line_.taken.NotifyAll();
      return true;
    };
    while (next()) {
      game_.Steer(sample);
      if (sample.time != 0 && sample.time < now) result_.input_age += now - sample.time;
      ++count;
    }
    result_.samples += count;
    return count;
  }

  void RunFrame(std::uint32_t number) {
    const std::uint64_t begin = SteadyNanoseconds();
    game_.Step();
    const std::uint64_t stepped = SteadyNanoseconds();
    RenderFrame& frame = pipe_.Fill();
    const std::uint64_t filling = SteadyNanoseconds();
    game_.MakeCommands(frame);
    frame.number = number;
    frame.handed_over = SteadyNanoseconds();
    result_.commands += frame.commands.size();
    result_.game_time += stepped - begin + frame.handed_over - filling;
    result_.game_waits += filling - stepped;
    pipe_.Publish();
  }

  const SovereignDef& def_;
  Game game_;
  InputLine& line_;
  FramePipe<RenderFrame>& pipe_;
  SovereignResult result_;
};

}  // namespace

Result<SovereignResult> RunSovereign(const SovereignDef& def) {
  const auto made =
      TaskPool::Create({.main_threads = {"game", "renderer"}, .workers = def.workers});
  if (!made) return std::unexpected(made.error());
  TaskPool& pool = **made;
  const auto here = pool.Register("game");
  if (!here) return std::unexpected(here.error());
  InputLine line;
  FramePipe<RenderFrame> pipe(2);
  SovereignResult drawn;
  std::uint64_t lost = 0;
  SovereignResult result;
  {
    const auto back_end =
        EngineSync::thread::Start("back end", [&] { DrawAll(pool, pipe, drawn); });
    if (!back_end) return std::unexpected(back_end.error());
    const auto sampler = EngineSync::thread::Start("sampler", [&] {
      if (def.lockstep) {
        SampleInLockstep(line);
      } else {
        lost = SampleInput(line);
      }
    });
    if (sampler) {
      result = GameLoop(def, pool, line, pipe).Run();
    } else {
      pipe.End();
    }
    line.Stop();
    if (!sampler) return std::unexpected(sampler.error());
  }
  result.image_hash = drawn.image_hash;
  result.lost = lost;
  const std::uint64_t frames = std::max(def.frames, 1u);
  result.input_age /= std::max<std::uint64_t>(result.samples, 1);
  result.game_time /= frames;
  result.game_waits /= frames;
  result.back_end_time = drawn.back_end_time / frames;
  result.back_end_waits = drawn.back_end_waits / frames;
  result.latency = drawn.latency / frames;
  return result;
}

}  // namespace nowait
