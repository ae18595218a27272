#include "src/apps/openworld/game_update.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

#include "src/profile/profile.h"
#include "src/sync/policy.h"

namespace nowait {
namespace {

constexpr std::uint64_t kShootEvery = 6;  // frames

// So that every tile around the player exists, if the world is large enough.
float Border(const WorldIndex& index) {
  const float smaller = kTileSide * static_cast<float>(std::min(index.columns, index.rows));
  return std::min(2.0f * kTileSide, 0.4f * smaller);
}

RouteDef RouteOf(const RideDef& def) {
  return {.width = kTileSide * static_cast<float>(def.index.columns),
          .depth = kTileSide * static_cast<float>(def.index.rows),
          .border = Border(def.index),
          .seed = def.seed};
}

}  // namespace

GameUpdate::GameUpdate(const RideDef& def, TaskPool& pool, World& world, Streamer& streamer,
                       Earlier& earlier, Console& console)
    : def_(def),
      pool_(pool),
      world_(world),
      streamer_(streamer),
      earlier_(earlier),
      console_(console),
      player_(world, console, RouteOf(def)),
      machines_(world, pool),
      arrows_(world, def.seed),
      visited_(def.index.tiles()) {
  // The parent of all work that outlasts frames: its children go on beside them.
  background_.emplace_back(
      pool, [this] { return earlier_.Reading(survey_lock_, [this] { return survey_->Slice(); }); });
}

Result<std::unique_ptr<GameUpdate>> GameUpdate::Create(const RideDef& def, TaskPool& pool,
                                                       World& world, Streamer& streamer,
                                                       Earlier& earlier, Console& console,
                                                       MemoryOfSystems& memory) {
  std::unique_ptr<GameUpdate> game(new GameUpdate(def, pool, world, streamer, earlier, console));
  if (auto made = game->MakeSystems(memory); !made) return std::unexpected(made.error());
  return game;
}

Result<void> GameUpdate::MakeSystems(MemoryOfSystems& memory) {
  if (auto placed = player_.Appear(wait_); !placed) return placed;
  std::size_t heap = HeapBytes();
  auto paths = Paths::Create(world_, pool_, streamer_, player_.body(), def_.replay);
  if (!paths) return std::unexpected(paths.error());
  paths_ = std::move(*paths);
  memory.navigation = HeapGrowth(heap);
  auto folk = Folk::Create(world_, pool_);
  if (!folk) return std::unexpected(folk.error());
  folk_ = std::move(*folk);
  heap = HeapBytes();
  auto scenes = Scenes::Create(world_, pool_, machines_, player_.body(), {.seed = def_.seed});
  if (!scenes) return std::unexpected(scenes.error());
  scenes_ = std::move(*scenes);
  memory.scripts = HeapGrowth(heap);
  survey_.emplace(
      world_, [this] { return streamer_.Pin(); }, player_.body());
  return {};
}

TaskId GameUpdate::Due() const {
  const TaskId load = streamer_.Due();
  return load.IsTask() ? load : paths_->Due();
}

Result<void> GameUpdate::Run(std::uint64_t frame, RideFrame& record) {
  const ProfileScope scope("game");
  frame_ = frame;
  Reading([&] { player_.Look(kFrame, record, wait_); });
  Changing([&] { Keep(player_.Move(frame_, record, wait_)); });
  Stream(record);
  Changing([&] {
    Hear();
    CatchStrays();
    Keep(scenes_->Advance(frame_, kFrame, player_.eyes(), *paths_, wait_));
  });
  for (std::string& line : scenes_->TakeLines()) {
    console_.Say(fmt::format("frame {}: {}", frame_, line));
  }
  Reading([&] { Keep(machines_.Perceive(player_.eyes())); });
  Keep(paths_->Update(player_.eyes(), machines_.patrols(), wait_));
  Changing([&] {
    machines_.Act(frame_, player_.eyes(), *paths_);
    Keep(folk_->Advance(kFrame, player_.eyes()));
    Shoot();
  });
  survey_->LookAround(player_.eyes());
  for (BackgroundTask& task : background_) task.Keep();
  record.game = SteadyNanoseconds() - record.begin;
  return error_;
}

void GameUpdate::Stream(RideFrame& record) {
  const std::uint64_t begin = SteadyNanoseconds();
  Changing([&] { Keep(streamer_.Update(player_.motion(), wait_)); });
  Keep(earlier_.AwaitLoads(pool_, streamer_));
  record.streaming = SteadyNanoseconds() - begin;
}

// Only where the collision reaches as far as an arrow flies.
void GameUpdate::Shoot() {
  const Vec3 eyes = player_.eyes();
  arrows_.Follow(frame_, eyes);
  if (frame_ % kShootEvery != 0) return;
  if (!streamer_.IsCovered(eyes.x, eyes.z, Residency::kGuarantee)) return;
  Keep(arrows_.Shoot(frame_, eyes));
}

void GameUpdate::Hear() {
  for (const StreamEvent& event : streamer_.events()) {
    paths_->Hear(event);
    switch (event.kind) {
      case StreamEvent::Kind::kEntered:
        if (!IsScene(event.name)) {
          visited_[def_.index.NumberOf(std::get<TileCoord>(event.name))] = true;
        }
        break;
      case StreamEvent::Kind::kLetGo:
        break;
      case StreamEvent::Kind::kMissing:
        SayMissing(event);
        break;
      case StreamEvent::Kind::kActivated:
        Appear(std::get<SceneNumber>(event.name));
        break;
      case StreamEvent::Kind::kDeactivated:
        scenes_->Deactivate(std::get<SceneNumber>(event.name), wait_);
        folk_->Vanish(std::get<SceneNumber>(event.name));
        break;
    }
  }
}

void GameUpdate::Appear(SceneNumber scene) {
  const Parcel& parcel = *streamer_.Find(scene);
  Keep(folk_->Appear(scene, parcel.spawn_points()));
  Keep(scenes_->Activate(scene, parcel, wait_));
}

void GameUpdate::SayMissing(const StreamEvent& event) {
  if (IsScene(event.name)) {
    console_.Say(fmt::format("frame {}: scene {} is missing: {}", frame_,
                             std::get<SceneNumber>(event.name).number, event.why));
  } else {
    const TileCoord tile = std::get<TileCoord>(event.name);
    console_.Say(fmt::format("frame {}: tile {}, {} is missing: {}", frame_, tile.column, tile.row,
                             event.why));
  }
}

// Bodies fall where the ground has been let go or never was.
void GameUpdate::CatchStrays() {
  constexpr float kFar = 1e7f;
  world_.Read().FindInBox({{-kFar, -kFar, -kFar}, {kFar, Player::kVoid, kFar}},
                          {.statics = false, .ignore = {}, .accept = {}}, strays_, wait_);
  removed_strays_ += world_.RemoveBodies(strays_, wait_);
}

Result<void> GameUpdate::End() {
  Result<void> ended;
  for (BackgroundTask& task : background_) {
    if (auto stopped = task.Stop(); !stopped && ended) ended = stopped;
  }
  survey_->End();
  return ended;
}

void GameUpdate::Fill(RideResult& result) {
  result.scenes = scenes_->counts();
  result.machines = machines_.counts();
  result.folk = folk_->counts();
  result.arrows = arrows_.counts();
  result.survey = survey_->report();
  result.survey.wait += survey_lock_;
  result.strays = removed_strays_;
  result.tree_lock += tree_lock_;
  result.paths = paths_->Report();
  const auto wanted = streamer_.residency().tiles();
  result.wanted.assign(wanted.begin(), wanted.end());
  for (std::uint32_t i = 0; i < def_.index.tiles(); ++i) {
    const TileCoord tile{static_cast<std::int32_t>(i % def_.index.columns),
                         static_cast<std::int32_t>(i / def_.index.columns)};
    result.tiles.push_back({tile, streamer_.StateOf(tile), visited_[i]});
  }
  for (std::uint32_t i = 0; i < def_.index.scenes.size(); ++i) {
    result.active_scenes.push_back(streamer_.IsActive({i}));
  }
}

}  // namespace nowait
