#include "src/apps/openworld/ride.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <utility>

#include "src/apps/openworld/background.h"
#include "src/apps/openworld/console.h"
#include "src/apps/openworld/pacer.h"
#include "src/base/assert.h"
#include "src/bodies/body_def.h"
#include "src/bodies/shape.h"
#include "src/jobs/frame_loop.h"
#include "src/jobs/run_later.h"
#include "src/profile/profile.h"
#include "src/sync/policy.h"

namespace nowait {
namespace {

constexpr float kFrame = 1.0f / 30.0f;  // seconds
constexpr float kHighest = 4000.0f;     // metres: no ground is above
constexpr float kVoid = -200.0f;        // metres: nor below
constexpr float kEyes = 0.9f;           // of the player, above its feet
constexpr float kAltitude = 30.0f;      // of a flight, above the ground
constexpr std::uint32_t kContactsPerBody = 6;
constexpr std::uint64_t kShootEvery = 6;  // frames
// The player's ground: no rider.
constexpr LayerSet kGround{Layer::kStatic};

class Ride {
 public:
  Ride(const RideDef& def, TaskPool& pool, World& world, Streamer& streamer)
      : def_(def),
        pool_(pool),
        world_(world),
        streamer_(streamer),
        route_({.width = kTileSide * static_cast<float>(def.index.columns),
                .depth = kTileSide * static_cast<float>(def.index.rows),
                .border = Border(def.index),
                .seed = def.seed}),
        machines_(world, pool),
        arrows_(world, def.seed),
        pacer_(pool),
        console_(pool),
        loop_(pool, [this](const Frame& frame) { Make(frame); }),
        visited_(def.index.tiles()) {
    result_.frames.reserve(def.frames);
    // All work that outlasts frames: what is added here goes on beside them.
    background_.emplace_back(pool, [this] { return survey_->Slice(); });
  }

  Result<RideResult> Run() {
    if (auto placed = PlacePlayer(); !placed) return std::unexpected(placed.error());
    auto paths = Paths::Create(world_, pool_, streamer_, body_, def_.replay);
    if (!paths) return std::unexpected(paths.error());
    paths_ = std::move(*paths);
    auto folk = Folk::Create(world_, pool_);
    if (!folk) return std::unexpected(folk.error());
    folk_ = std::move(*folk);
    auto scenes = Scenes::Create(world_, pool_, machines_, {.seed = def_.seed});
    if (!scenes) return std::unexpected(scenes.error());
    scenes_ = std::move(*scenes);
    survey_.emplace(
        world_, [this] { return streamer_.Pin(); }, body_);
    Keep(loop_.Start(def_.frames));
    Keep(loop_.Wait());
    for (BackgroundTask& task : background_) Keep(task.Stop());
    survey_->End();
    Fill();
    paths_.reset();  // its builds pin shapes of the streamer
    Keep(streamer_.Stop());
    Keep(console_.End());
    if (!error_) return std::unexpected(error_.error());
    return std::move(result_);
  }

 private:
  // So that the whole of what is loaded around the player exists, if the world is large enough.
  static float Border(const WorldIndex& index) {
    const float smaller = kTileSide * static_cast<float>(std::min(index.columns, index.rows));
    return std::min(2.0f * kTileSide, 0.4f * smaller);
  }

  void Keep(const Result<void>& done) {
    if (!done && error_) error_ = done;
  }

  Result<void> PlacePlayer() {
    BodyDef def;
    def.type = BodyType::kStatic;
    def.shape = Shape::Capsule(0.5f, 0.4f);
    def.position = player_ = {route_.motion().x, kHighest, route_.motion().z};
    const auto body = world_.CreateBody(def, wait_);
    if (!body) return std::unexpected(body.error());
    body_ = *body;
    return {};
  }

  // The tasks of a frame. If the pool has no room for them, the ride ends with that error: the game
  // update cannot be run here, because a load may be due, and the physics comes after it.
  void Make(const Frame& frame) {
    if (!error_) return loop_.Stop();  // of the frame before
    frame_ = frame.number();
    began_ = SteadyNanoseconds();
    result_.frames.emplace_back();
    if (def_.interrupted()) {
      result_.interrupted = true;
      loop_.Stop();
    }
    if (def_.paced) static_cast<void>(pacer_.Ask(frame.tick()));  // without room, not paced
    // Held until this returns: nothing of the frame runs before both are there.
    const auto game = pool_.Add({.work = {&RunGame, this}, .parent = frame.tick()});
    if (!game) return Keep(std::unexpected(game.error()));
    const auto physics =
        pool_.Add({.work = {&RunPhysics, this}, .parent = frame.tick(), .dependency = *game});
    if (!physics) Keep(std::unexpected(physics.error()));
  }

  TaskId Due() const {
    const TaskId load = streamer_.Due();
    return load.IsTask() ? load : paths_->Due();
  }

  // With replay a load or a cell may be due: the game update is put off, and no thread waits.
  static void RunGame(void* data) {
    auto& ride = *static_cast<Ride*>(data);
    if (!ride.error_) return;
    if (const TaskId due = ride.Due(); due.IsTask()) {
      if (const auto later = RunLater(ride.pool_, {&RunGame, data}, due); !later) {
        ride.Keep(std::unexpected(later.error()));
      }
      return;
    }
    ride.Game();
  }
  static void RunPhysics(void* data) {
    auto& ride = *static_cast<Ride*>(data);
    if (ride.error_) ride.Physics();
  }

  void Game() {
    const ProfileScope scope("game");
    RideFrame& record = result_.frames.back();
    route_.Advance(kFrame);
    MovePlayer(record);
    const std::uint64_t streaming = SteadyNanoseconds();
    Keep(streamer_.Update(route_.motion(), wait_));
    record.streaming = SteadyNanoseconds() - streaming;
    Hear();
    CatchStrays();
    Keep(scenes_->Advance(frame_, kFrame, player_, *paths_, wait_));
    for (std::string& line : scenes_->TakeLines()) {
      console_.Say(fmt::format("frame {}: {}", frame_, line));
    }
    Keep(machines_.Perceive(player_));
    Keep(paths_->Update(player_, machines_.patrols(), wait_));
    machines_.Act(frame_, player_, *paths_);
    Keep(folk_->Advance(kFrame, player_));
    Shoot();
    survey_->LookAround(player_);
    for (BackgroundTask& task : background_) task.Keep();
    record.game = SteadyNanoseconds() - began_;
  }

  void MovePlayer(RideFrame& record) {
    record.x = route_.motion().x;
    record.z = route_.motion().z;
    record.travel = route_.travel();
    const auto ground =
        world_.CastRay({{record.x, kHighest, record.z}, {0, kVoid - kHighest, 0}},
                       {.dynamics = false, .ignore = body_, .layers = kGround}, wait_);
    record.grounded = ground.has_value();
    if (record.travel == Travel::kTeleport && !arrived_) arrived_ = frame_;
    if (ground) {
      const float above = record.travel == Travel::kFly ? kAltitude : kEyes;
      player_ = ground->point + Vec3{0, above, 0};
    } else {
      player_ = {record.x, player_.y, record.z};
    }
    if (arrived_) SayArrival(record);
    Keep(world_.MoveBody(body_, player_, {}, wait_));
  }

  // Only where the collision reaches as far as an arrow flies.
  void Shoot() {
    arrows_.Follow(frame_, player_);
    if (frame_ % kShootEvery != 0) return;
    if (!streamer_.IsCovered(player_.x, player_.z, Residency::kGuarantee)) return;
    Keep(arrows_.Shoot(frame_, player_));
  }

  // A teleport leads to where nothing is yet: no frame waits, and what is there is said.
  void SayArrival(const RideFrame& record) {
    const TileCoord tile = TileAt(record.x, record.z);
    if (*arrived_ == frame_) {
      console_.Say(fmt::format("frame {}: the player is in tile {}, {} at once; {} there", frame_,
                               tile.column, tile.row,
                               record.grounded ? "the ground is" : "no ground is"));
    }
    if (!record.grounded) return;
    if (*arrived_ != frame_) {
      console_.Say(fmt::format("frame {}: the ground of tile {}, {} is there, {} frames later",
                               frame_, tile.column, tile.row, frame_ - *arrived_));
    }
    arrived_.reset();
  }

  void Hear() {
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

  void Appear(SceneNumber scene) {
    const Parcel& parcel = *streamer_.Find(scene);
    Keep(folk_->Appear(scene, parcel.spawn_points()));
    Keep(scenes_->Activate(scene, parcel));
  }

  void SayMissing(const StreamEvent& event) {
    if (IsScene(event.name)) {
      console_.Say(fmt::format("frame {}: scene {} is missing: {}", frame_,
                               std::get<SceneNumber>(event.name).number, event.why));
    } else {
      const TileCoord tile = std::get<TileCoord>(event.name);
      console_.Say(fmt::format("frame {}: tile {}, {} is missing: {}", frame_, tile.column,
                               tile.row, event.why));
    }
  }

  // Bodies fall where the ground has been let go or never was.
  void CatchStrays() {
    constexpr float kFar = 1e7f;
    world_.Read().FindInBox({{-kFar, -kFar, -kFar}, {kFar, kVoid, kFar}},
                            {.statics = false, .ignore = {}, .accept = {}}, strays_, wait_);
    result_.strays += world_.RemoveBodies(strays_, wait_);
  }

  void Physics() {
    const ProfileScope scope("physics");
    RideFrame& record = result_.frames.back();
    const std::uint64_t begin = SteadyNanoseconds();
    Keep(world_.Update(kFrame, pool_, def_.steps));
    const std::uint64_t end = SteadyNanoseconds();
    record.physics = end - begin;
    record.whole = end - began_;
    record.bodies = world_.stats().bodies;
    record.awake = world_.stats().awake;
    result_.update_locks += world_.stats().body_locks;
    if (end >= next_progress_) {
      next_progress_ = end + 1'000'000'000;
      console_.Progress(Summary(record));
    }
    console_.Flush();
  }

  std::string Summary(const RideFrame& record) const {
    const StreamCounts& counts = streamer_.counts();
    return fmt::format(
        "frame {} of {}: tile {}, {}; {} bodies, {} awake; {} tiles in, {} out; {} "
        "machines",
        frame_ + 1, def_.frames, TileAt(record.x, record.z).column, TileAt(record.x, record.z).row,
        record.bodies, record.awake, counts.tiles_entered, counts.tiles_let_go, machines_.count());
  }

  void Fill() {
    result_.streamed = streamer_.counts();
    result_.scenes = scenes_->counts();
    result_.machines = machines_.counts();
    result_.folk = folk_->counts();
    result_.arrows = arrows_.counts();
    result_.survey = survey_->report();
    result_.paths = paths_->Report();
    result_.hash = world_.StateHash();
    result_.shape_bytes = streamer_.shape_bytes();
    result_.retired_bytes = streamer_.retired_bytes();
    world_.Snapshot(result_.bodies);
    const auto wanted = streamer_.residency().tiles();
    result_.wanted.assign(wanted.begin(), wanted.end());
    for (std::uint32_t i = 0; i < def_.index.tiles(); ++i) {
      const TileCoord tile{static_cast<std::int32_t>(i % def_.index.columns),
                           static_cast<std::int32_t>(i / def_.index.columns)};
      result_.tiles.push_back({tile, streamer_.StateOf(tile), visited_[i]});
    }
    for (std::uint32_t i = 0; i < def_.index.scenes.size(); ++i) {
      result_.active_scenes.push_back(streamer_.IsActive({i}));
    }
  }

  const RideDef& def_;
  TaskPool& pool_;
  World& world_;
  Streamer& streamer_;
  Route route_;
  Machines machines_;
  Arrows arrows_;
  std::deque<BackgroundTask> background_;
  Pacer pacer_;
  Console console_;
  FrameLoop<WorkStealing<>> loop_;
  std::vector<bool> visited_;
  RideResult result_;
  Result<void> error_;  // the first one

  std::unique_ptr<Paths> paths_;
  std::unique_ptr<Folk> folk_;
  std::unique_ptr<Scenes> scenes_;
  std::optional<Survey> survey_;
  BodyId body_;  // the player's
  Vec3 player_;
  std::optional<std::uint64_t> arrived_ = 0;  // the frame of an arrival without ground
  std::vector<BodyId> strays_;
  WaitTime wait_;
  std::uint64_t frame_ = 0;
  std::uint64_t began_ = 0;
  std::uint64_t next_progress_ = 0;
};

}  // namespace

Result<RideResult> RunRide(const RideDef& def, TaskPool& pool) {
  // Before the world: shapes outlive the bodies.
  std::unique_ptr<Streamer> streamer;
  auto world = World::Create({.max_bodies = def.max_bodies,
                              .max_contacts = kContactsPerBody * def.max_bodies,
                              .body_locks = 64,
                              .user_layers = {{.name = Folk::kLayer, .touches = LayerSet()}},
                              .rest = {},
                              .solver = {}});
  if (!world) return std::unexpected(world.error());
  StreamerDef streaming;
  streaming.folder = def.tiles;
  streaming.index = def.index;
  streaming.replay = def.replay;
  streaming.read = def.read;
  auto made = Streamer::Create(streaming, pool, **world);
  if (!made) return std::unexpected(made.error());
  streamer = *std::move(made);
  return Ride(def, pool, **world, *streamer).Run();
}

}  // namespace nowait
