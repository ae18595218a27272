#include "src/apps/navigation/run.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include "src/jobs/device.h"
#include "src/jobs/frame_loop.h"
#include "src/jobs/task_pool.h"
#include "src/sync/policy.h"

namespace nowait {
namespace {

constexpr float kFrameTime = 1.0f / 30.0f;  // seconds

// Frames by the wall clock: a request that is answered when the next frame is due. A frame has it
// as its child, so that no thread of the pool waits for the time to pass; those that have nothing
// to do build cells meanwhile.
class Pace {
 public:
  Result<void> EndFrame(TaskPool& pool, TaskId tick) {
    constexpr auto kPeriod = std::chrono::nanoseconds(1'000'000'000 / 30);
    due_ = std::max(due_ + kPeriod, EngineSync::clock::now());
    if (auto asked = pool.AddRequest("clock", request_, tick); !asked) {
      return std::unexpected(asked.error());
    }
    return {};
  }

 private:
  static Result<void> Sleep(void* data) {
    EngineSync::SleepUntil(static_cast<Pace*>(data)->due_);
    return {};
  }
  EngineSync::clock::time_point due_ = EngineSync::clock::now();
  DeviceRequest request_{"next frame", &Sleep, this};
};

std::chrono::nanoseconds Since(EngineSync::clock::time_point begin) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(EngineSync::clock::now() - begin);
}

// The parts of a run, and what a frame does with them.
class Frames {
 public:
  Frames(const NavigationRunDef& def, TaskPool& pool, Valley& valley, NavBuilder& builder,
         Walkers& walkers, NavigationReport& report)
      : def_(def),
        pool_(pool),
        valley_(valley),
        builder_(builder),
        walkers_(walkers),
        report_(report) {}

  // One frame; false when the run is over because of an error or an interruption.
  bool Run(const Frame& frame) {
    const auto begin = EngineSync::clock::now();
    result_ = Play(frame.number());
    report_.frames.push_back(Since(begin));
    if (result_) result_ = pace_.EndFrame(pool_, frame.tick());
    return result_.has_value() && !(def_.is_interrupted && def_.is_interrupted());
  }
  const Result<void>& result() const { return result_; }

 private:
  Result<void> Play(std::uint64_t number) {
    if (auto moved = valley_.MoveGates(number, builder_, report_.update_wait); !moved) return moved;
    const auto begin = EngineSync::clock::now();
    if (auto done = builder_.Update(walkers_.Needs(), report_.update_wait); !done) return done;
    report_.longest_update = std::max(report_.longest_update, Since(begin));
    if (builder_.building() > 0) ++report_.frames_of_builds;
    if (auto walked = walkers_.Update(kFrameTime, pool_); !walked) return walked;
    return valley_.world().Update(kFrameTime, pool_, 2);
  }

  const NavigationRunDef& def_;
  TaskPool& pool_;
  Valley& valley_;
  NavBuilder& builder_;
  Walkers& walkers_;
  NavigationReport& report_;
  Pace pace_;
  Result<void> result_;
};

}  // namespace

std::vector<NavSettings> WalkerSizes() {
  return {{}, {.agent_radius = 1.2f, .agent_height = 2.6f, .max_climb = 0.6f, .voxel = 0.4f}};
}

Result<NavigationReport> RunNavigation(const NavigationRunDef& def) {
  ValleyDef valley_def = def.valley;
  valley_def.walkers = def.walkers;
  auto valley = Valley::Create(valley_def);
  if (!valley) return std::unexpected(valley.error());
  const auto pool = TaskPool::Create({.devices = {"clock"}, .workers = def.threads - 1});
  if (!pool) return std::unexpected(pool.error());
  const auto here = (*pool)->Register("main");
  if (!here) return std::unexpected(here.error());
  // One thread less builds than there are: the next frame always finds one.
  auto builder = NavBuilder::Create((*valley)->world(), **pool,
                                    {.sizes = WalkerSizes(),
                                     .max_building = std::max(def.threads, 2u) - 1,
                                     .pace = def.pace,
                                     .filter = Valley::Solids()});
  if (!builder) return std::unexpected(builder.error());
  Walkers walkers(**valley, **builder, WalkerSizes(), def.walkers, def.valley.seed);
  if (auto spawned = walkers.Spawn(); !spawned) return std::unexpected(spawned.error());

  NavigationReport report;
  report.frames.reserve(def.frames);
  Frames frames(def, **pool, **valley, **builder, walkers, report);
  std::function<void()> stop;
  FrameLoop loop(**pool, [&](const Frame& frame) {
    if (!frames.Run(frame)) stop();
  });
  stop = [&loop] { loop.Stop(); };
  if (auto started = loop.Start(def.frames); !started) return std::unexpected(started.error());
  if (auto ended = loop.Wait(); !ended) return std::unexpected(ended.error());
  if (!frames.result()) return std::unexpected(frames.result().error());

  report.cells = (*builder)->Stats();
  report.walkers = walkers.Counts();
  report.gate_moves = (*valley)->gate_moves();
  report.gates = (*valley)->gates();
  (*builder)->mesh(0).CopyPolygons(report.polygons, report.update_wait);
  (*valley)->world().Snapshot(report.bodies);
  report.tracks = walkers.tracks();
  report.valley = std::move(*valley);
  return report;
}

}  // namespace nowait
