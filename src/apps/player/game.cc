#include "src/apps/player/game.h"

#include <algorithm>
#include <utility>

#include "src/bodies/body_def.h"
#include "src/bodies/body_snapshot.h"

namespace nowait {
namespace {

BodyDef ThrownBody(const LiveCommand& command) {
  BodyDef def;
  def.shape = Shape::Sphere(PlayerGame::kThrownRadius);
  def.position = command.position;
  def.linear_velocity = command.velocity;
  def.density = 4000.0f;
  def.rolling_resistance = 0.05f;
  return def;
}

// The shapes with shared data that bodies have, each once, by ascending slot.
std::vector<Shape> SharedShapes(const World& world) {
  std::vector<BodySnapshot> bodies;
  world.Snapshot(bodies);
  std::vector<Shape> shared;
  for (const BodySnapshot& body : bodies) {
    if (!HasSharedData(body.shape) || std::ranges::find(shared, body.shape) != shared.end())
      continue;
    shared.push_back(body.shape);
  }
  return shared;
}

}  // namespace

Result<PlayerGame> PlayerGame::Create(const PlayerScene& scene, std::optional<std::uint32_t> bodies,
                                      std::uint32_t lamps, std::uint64_t seed) {
  PlayerGame game(scene, bodies, lamps);
  if (auto made = game.Reset(seed); !made) return std::unexpected(made.error());
  return game;
}

Result<void> PlayerGame::Obey(const LiveCommand& command) {
  switch (command.kind) {
    case LiveCommand::Kind::kPause:
      paused_ = command.on;
      frames_asked_ = 0;
      return {};
    case LiveCommand::Kind::kStep:
      paused_ = true;
      frames_asked_ = std::min(frames_asked_ + command.frames, LiveCommand::kMostFrames);
      return {};
    case LiveCommand::Kind::kSpeed:
      speed_ = command.speed;
      return {};
    case LiveCommand::Kind::kReset:
      return Reset(command.seed);
    case LiveCommand::Kind::kThrow:
      return Throw(command);
    case LiveCommand::Kind::kPull:
      pull_.Take(command, *world_);
      return {};
    case LiveCommand::Kind::kLetGo:
      pull_.LetGo();
      return {};
    case LiveCommand::Kind::kLook:
    case LiveCommand::Kind::kRay:
    case LiveCommand::Kind::kShow:
      return {};  // the feed has taken it
  }
  return {};
}

Result<void> PlayerGame::Reset(std::uint64_t seed) {
  thrown_.clear();
  pull_.LetGo();
  auto world = scene_->Create(bodies_, kMostThrown, seed);
  if (!world) return std::unexpected(world.error());
  auto walkers = scene_->CreateWalkers(**world, bodies_, seed);
  if (!walkers) return std::unexpected(walkers.error());
  auto machines = scene_->CreateMachines(**world);
  if (!machines) return std::unexpected(machines.error());
  auto wall = scene_->CreateWall(**world, bodies_, seed);
  if (!wall) return std::unexpected(wall.error());
  world_ = std::move(*world);
  wall_ = std::move(*wall);
  machines_ = std::move(*machines);
  walkers_ = std::move(*walkers);
  lamps_ = Lamps(*world_, lamps_asked_);
  seed_ = seed;
  step_ = 0;
  return {};
}

void PlayerGame::Wake(BodyId body) {
  WaitTime wait;
  static_cast<void>(world_->WakeBody(body, wait));  // one that is gone does not sleep
}

Result<SavedPlay> PlayerGame::Save() const {
  std::vector<Shape> shared = SharedShapes(*world_);
  auto world = world_->Save(shared);
  if (!world) return std::unexpected(world.error());
  SavedPlay saved{.scene = scene_->name(),
                  .bodies = bodies_,
                  .seed = seed_,
                  .step = step_,
                  .thrown = {},
                  .wall = {},
                  .walkers = {},
                  .lift_time = {},
                  .world = std::move(*world),
                  .shared = std::move(shared),
                  .shapes = nullptr};
  for (const BodyId id : thrown_) saved.thrown.push_back(id.slot());
  if (wall_ != nullptr) saved.wall = wall_->Save();
  if (walkers_ != nullptr) saved.walkers = walkers_->Save();
  if (machines_ != nullptr) saved.lift_time = machines_->lift_time();
  return saved;
}

Result<void> PlayerGame::Restore(const SavedPlay& saved) {
  pull_.LetGo();
  thrown_.clear();
  if (auto restored = world_->Restore(saved.world, saved.shared); !restored) return restored;
  shapes_ = saved.shapes;
  std::vector<BodySnapshot> bodies;
  world_->Snapshot(bodies);
  for (const std::uint32_t slot : saved.thrown) {
    const auto body =
        std::ranges::find(bodies, slot, [](const BodySnapshot& there) { return there.id.slot(); });
    if (body == bodies.end() || thrown_.size() == kMostThrown) {
      return Fail(ErrorCode::kCorrupt, "thrown", slot, "no such body was thrown");
    }
    thrown_.push_back(body->id);
  }
  const struct {
    const char* name;
    bool in_file, in_scene;
  } parts[] = {{"wall", saved.wall.has_value(), wall_ != nullptr},
               {"walkers", saved.walkers.has_value(), walkers_ != nullptr},
               {"machines", saved.lift_time.has_value(), machines_ != nullptr}};
  for (const auto& [name, in_file, in_scene] : parts) {
    if (in_file == in_scene) continue;
    return Fail(ErrorCode::kCorrupt, name, 0,
                in_file ? "the file has them, and the scene has not"
                        : "the scene has them, and the file has not");
  }
  if (wall_ != nullptr) {
    if (auto restored = wall_->Restore(*world_, *saved.wall); !restored) return restored;
  }
  if (walkers_ != nullptr) {
    if (auto restored = walkers_->Restore(*world_, *saved.walkers); !restored) return restored;
  }
  if (machines_ != nullptr) {
    if (auto restored = machines_->Restore(*world_, *saved.lift_time); !restored) return restored;
  }
  step_ = saved.step;
  return {};
}

Result<void> PlayerGame::Throw(const LiveCommand& command) {
  WaitTime wait;
  if (thrown_.size() == kMostThrown) {
    // It is there: no other part of the program removes bodies.
    static_cast<void>(world_->DestroyBody(thrown_.front(), wait));
    thrown_.pop_front();
  }
  const auto id = world_->CreateBody(ThrownBody(command), wait);
  if (!id) return std::unexpected(id.error());
  thrown_.push_back(*id);
  return {};
}

Result<bool> PlayerGame::Advance(TaskPool& pool) {
  if (paused_) {
    if (frames_asked_ == 0) return false;
    --frames_asked_;
  }
  if (planted_ != Planted::kNone) {
    const auto sum = RunPlanted(planted_, pool);
    if (!sum) return std::unexpected(sum.error());
    planted_sum_ += *sum;
  }
  if (walkers_ != nullptr) {
    if (auto moved = walkers_->Advance(*world_, speed_ * kFrameTime, pool); !moved) {
      return std::unexpected(moved.error());
    }
  }
  if (machines_ != nullptr) {
    if (auto moved = machines_->Advance(*world_, speed_ * kFrameTime); !moved) {
      return std::unexpected(moved.error());
    }
  }
  if (auto pulled = pull_.Apply(*world_, speed_ * kFrameTime); !pulled) {
    return std::unexpected(pulled.error());
  }
  if (auto updated = world_->Update(speed_ * kFrameTime, pool, kSteps); !updated) {
    return std::unexpected(updated.error());
  }
  // In the frame of the update whose events it reads: they are not part of a saved world.
  if (wall_ != nullptr) {
    if (auto moved = wall_->Advance(*world_, speed_ * kFrameTime); !moved) {
      return std::unexpected(moved.error());
    }
  }
  ++step_;
  return true;
}

}  // namespace nowait
