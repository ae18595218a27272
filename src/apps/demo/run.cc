#include "src/apps/demo/run.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "src/apps/demo/event_recorder.h"
#include "src/jobs/task_pool.h"
#include "src/world/world.h"

namespace nowait {
namespace {

constexpr float kFrameTime = 1.0f / 30.0f;
constexpr std::uint32_t kSteps = 2;

Owner OwnerOf(const BodySnapshot& body) { return static_cast<Owner>(body.user); }

void AddFrame(const UpdateStats& stats, FrameRecord frame, RunRecord& record) {
  frame.times = stats.times;
  frame.awake = stats.awake;
  frame.pairs = stats.pairs;
  frame.contacts = stats.contacts;
  frame.islands = stats.islands;
  frame.largest_island = stats.largest_island;
  record.find += stats.find;
  record.update_locks += stats.body_locks;
  record.failed_rebuilds += stats.failed_rebuilds;
  record.frames.push_back(frame);
}

void KeepBusiest(const World& world, RunRecord& record) {
  const auto frame = static_cast<std::uint32_t>(record.frames.size() - 1);
  const bool first = record.busiest.empty();
  if (!first && record.frames[frame].contacts <= record.frames[record.busiest_frame].contacts) {
    return;
  }
  record.busiest_frame = frame;
  world.Snapshot(record.busiest);
}

void TakeStock(const World& world, RunRecord& record) {
  record.state_hash = world.StateHash();
  record.joints = world.joint_count();
  world.Snapshot(record.last);
  for (const BodySnapshot& body : record.last) {
    if (OwnerOf(body) == Owner::kScene) {
      ++record.scene_bodies;
      if (body.asleep) ++record.scene_asleep;
    } else if (OwnerOf(body) == Owner::kFigure) {
      ++record.figure_bodies;
      if (body.asleep) ++record.figure_bodies_asleep;
    } else if (OwnerOf(body) != Owner::kGround) {
      ++record.game_bodies;
    }
  }
}

}  // namespace

std::uint32_t LanesOf(const DemoOptions& options) {
  return options.threads + options.game_threads + 1;
}

Result<RunRecord> Run(const DemoOptions& options, const Ground& ground, Profile& profile,
                      bool measure, const FrameCallback& after_frame) {
  const auto scene = CreateScene(ground, {.bodies = options.bodies,
                                          .figures = options.figures,
                                          .more = options.game_threads * GameThreads::kMaxBodies,
                                          .seed = options.seed});
  if (!scene) return std::unexpected(scene.error());
  World& world = **scene;
  const auto made =
      TaskPool::Create({.workers = options.threads - 1, .profile = measure ? &profile : nullptr});
  if (!made) return std::unexpected(made.error());
  TaskPool& pool = **made;
  const auto here = pool.Register("main");
  if (!here) return std::unexpected(here.error());

  const std::uint32_t sections = std::max(options.game_threads, Herd::SectionsOf(options.threads));
  auto events = EventRecorder::Create(sections, !options.events.empty());
  if (!events) return std::unexpected(events.error());

  std::optional<GameThreads> game;
  std::optional<BackgroundQuery> background;
  if (options.game_threads > 0) {
    game.emplace(options.game_threads, world, ground, measure ? &profile : nullptr, events->lanes(),
                 options.seed);
    background.emplace(world, ground,
                       measure ? profile.AddLane("background").value_or(nullptr) : nullptr);
    if (auto started = background->Start(); !started) return std::unexpected(started.error());
  }

  std::unique_ptr<Herd> herd;
  if (options.riders > 0) {
    auto created = Herd::Create(options.riders, ground, options.threads, options.seed);
    if (!created) return std::unexpected(created.error());
    herd = std::move(*created);
  }

  RunRecord record;
  record.frames.reserve(options.frames);
  bool go_on = true;
  for (std::uint32_t number = 0; number < options.frames && go_on; ++number) {
    FrameRecord frame;
    frame.begin = SteadyNanoseconds();
    if (game) {
      background->BeginFrame();
      const ProfileScope scope("game update");
      game->Update(number);
      if (const auto error = game->error()) return std::unexpected(*error);
    }
    if (herd) {
      const ProfileScope scope("herd");
      if (auto moved = herd->Update(number, pool, events->lanes()); !moved) {
        return std::unexpected(moved.error());
      }
    }
    frame.game = SteadyNanoseconds() - frame.begin;
    if (auto updated = world.Update(kFrameTime, pool, kSteps); !updated) {
      return std::unexpected(updated.error());
    }
    frame.end = SteadyNanoseconds();
    AddFrame(world.stats(), frame, record);
    if (auto ended = events->EndFrame(number, world); !ended) {
      return std::unexpected(ended.error());
    }
    KeepBusiest(world, record);
    go_on = after_frame(number, record.frames.back());
  }
  record.interrupted = !go_on;
  if (game) {
    background->Stop();
    record.background = background->report();
    record.game = game->reports();
    record.score = game->score();
  }
  if (herd) record.herd = herd->report();
  record.events = events->summary();
  record.event_file = events->TakeFile();
  TakeStock(world, record);
  return record;
}

}  // namespace nowait
