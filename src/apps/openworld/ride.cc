#include "src/apps/openworld/ride.h"

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include "src/apps/openworld/console.h"
#include "src/apps/openworld/earlier.h"
#include "src/apps/openworld/game_update.h"
#include "src/apps/openworld/island_times.h"
#include "src/apps/openworld/pacer.h"
#include "src/jobs/frame_loop.h"
#include "src/jobs/run_later.h"
#include "src/profile/profile.h"
#include "src/sync/policy.h"

namespace nowait {
namespace {

constexpr std::uint32_t kContactsPerBody = 6;

class Ride {
 public:
  Ride(const RideDef& def, TaskPool& pool, World& world, Streamer& streamer,
       const MemoryOfSystems& memory)
      : def_(def),
        pool_(pool),
        world_(world),
        streamer_(streamer),
        earlier_(def.earlier),
        console_(pool),
        pacer_(pool),
        loop_(pool, [this](const Frame& frame) { Make(frame); }) {
    result_.frames.reserve(def.frames);
    result_.memory = memory;
    result_.threads = pool.threads();
    if (def.times_islands) islands_.emplace(world.def().max_bodies);
  }

  Result<RideResult> Run() {
    auto game =
        GameUpdate::Create(def_, pool_, world_, streamer_, earlier_, console_, result_.memory);
    if (!game) return std::unexpected(game.error());
    game_ = *std::move(game);
    Keep(loop_.Start(def_.frames));
    Keep(loop_.Wait());
    Keep(game_->End());
    Fill();
    game_.reset();  // its builds pin shapes of the streamer
    Keep(streamer_.Stop());
    Keep(console_.End());
    if (!error_) return std::unexpected(error_.error());
    return std::move(result_);
  }

 private:
  void Keep(const Result<void>& done) {
    if (!done && error_) error_ = done;
  }

  // The tasks of a frame. If the pool has no room for them, the ride ends with that error: the game
  // update cannot be run here, because a load may be due, and the physics comes after it.
  void Make(const Frame& frame) {
    if (!error_) return loop_.Stop();  // of the frame before
    frame_ = frame.number();
    began_ = SteadyNanoseconds();
    result_.frames.emplace_back().begin = began_;
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

  // With replay a load or a cell may be due: the game update is put off, and no thread waits.
  static void RunGame(void* data) {
    auto& ride = *static_cast<Ride*>(data);
    if (!ride.error_) return;
    if (const TaskId due = ride.game_->Due(); due.IsTask()) {
      if (const auto later = RunLater(ride.pool_, {&RunGame, data}, due); !later) {
        ride.Keep(std::unexpected(later.error()));
      }
      return;
    }
    ride.Keep(ride.game_->Run(ride.frame_, ride.result_.frames.back()));
  }
  static void RunPhysics(void* data) {
    auto& ride = *static_cast<Ride*>(data);
    if (!ride.error_) return;
    ride.Physics();
    ride.GiveTimeToLoads();
  }

  // A thread that is alone and never pauses has a more urgent task than a load at any time. While
  // it awaits the clock's answer, it has not.
  void GiveTimeToLoads() {
    if (def_.paced || pool_.workers() != 0) return;
    if (const auto task = pool_.Current()) {
      static_cast<void>(pacer_.Ask(*task, std::chrono::nanoseconds(0)));  // without room, next time
    }
  }

  void Physics() {
    const ProfileScope scope("physics");
    RideFrame& record = result_.frames.back();
    const std::uint64_t begin = SteadyNanoseconds();
    earlier_.Changing(result_.tree_lock,
                      [&] { Keep(world_.Update(GameUpdate::kFrame, pool_, def_.steps)); });
    const std::uint64_t end = SteadyNanoseconds();
    record.physics = end - begin;
    record.locks = Nanoseconds(world_.stats().body_locks.waited);
    if (islands_) {
      record.islands = def_.steps * (earlier_.on() ? islands_->OfFloodFill(world_)
                                                   : islands_->OfLinkedSets(world_));
    }
    record.whole = end - began_ + (earlier_.on() ? record.islands : 0);
    record.bodies = world_.stats().bodies;
    record.awake = world_.stats().awake;
    result_.update_locks += world_.stats().body_locks;
    if (end >= next_progress_) {
      next_progress_ = end + 1'000'000'000;
      console_.Progress(Summary(record));
    }
    console_.Flush();
  }

  void Fill() {
    game_->Fill(result_);
    result_.streamed = streamer_.counts();
    result_.hash = world_.StateHash();
    result_.shape_bytes = streamer_.shape_bytes();
    result_.retired_bytes = streamer_.retired_bytes();
    world_.Snapshot(result_.bodies);
  }

  static std::uint64_t Nanoseconds(std::chrono::nanoseconds time) {
    return static_cast<std::uint64_t>(time.count());
  }

  std::string Summary(const RideFrame& record) const {
    const StreamCounts& counts = streamer_.counts();
    return fmt::format(
        "frame {} of {}: tile {}, {}; {} bodies, {} awake; {} tiles in, {} out; {} "
        "machines",
        frame_ + 1, def_.frames, TileAt(record.x, record.z).column, TileAt(record.x, record.z).row,
        record.bodies, record.awake, counts.tiles_entered, counts.tiles_let_go, game_->machines());
  }

  const RideDef& def_;
  TaskPool& pool_;
  World& world_;
  Streamer& streamer_;
  Earlier earlier_;
  std::optional<IslandTimes> islands_;
  Console console_;
  Pacer pacer_;
  FrameLoop<WorkStealing<>> loop_;
  RideResult result_;
  Result<void> error_;  // the first one

  std::unique_ptr<GameUpdate> game_;
  std::uint64_t frame_ = 0;
  std::uint64_t began_ = 0;
  std::uint64_t next_progress_ = 0;
};

}  // namespace

Result<RideResult> RunRide(const RideDef& def, TaskPool& pool) {
  MemoryOfSystems memory;
  std::size_t heap = HeapBytes();
  // Before the world: shapes outlive the bodies.
  std::unique_ptr<Streamer> streamer;
  auto world = World::Create({.max_bodies = def.max_bodies,
                              .max_contacts = kContactsPerBody * def.max_bodies,
                              .body_locks = 64,
                              .user_layers = {{.name = Folk::kLayer, .touches = LayerSet()}},
                              .rest = {},
                              .solver = {}});
  if (!world) return std::unexpected(world.error());
  memory.world = HeapGrowth(heap);
  heap = HeapBytes();
  StreamerDef streaming;
  streaming.folder = def.tiles;
  streaming.index = def.index;
  streaming.replay = def.earlier ? 0u : def.replay;
  streaming.read = def.read;
  auto made = Streamer::Create(streaming, pool, **world);
  if (!made) return std::unexpected(made.error());
  streamer = *std::move(made);
  memory.streaming = HeapGrowth(heap);
  return Ride(def, pool, **world, *streamer, memory).Run();
}

}  // namespace nowait
