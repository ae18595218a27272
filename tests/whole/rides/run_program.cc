#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <utility>

#include "src/apps/openworld/ride.h"
#include "src/base/report.h"
#include "src/jobs/task_pool.h"
#include "src/resource/elevation.h"
#include "src/streaming/world_compiler.h"
#include "src/sync/policy.h"
#include "tests/streaming/small_world.h"
#include "tests/whole/rides/ride_program.h"

namespace nowait::ride_programs {
namespace {

constexpr std::uint32_t kBodies = 512;

const char* TextOf(Scripts scripts) {
  switch (scripts) {
    case Scripts::kWork:
      return "fields = {machines = 1, open = false} function event(self, name) self.open = name == "
             "'enter' self.machines = 2 end";
    case Scripts::kStop:
      return "function event() error('stop') end";
    case Scripts::kCannotBeLoaded:
      break;
  }
  return "function event(";
}

// 2 x 2 tiles with a few objects and a scene in each.
WorldSource Source(Scripts scripts) {
  WorldSource source;
  source.south = source.east = 200.0;
  source.columns = source.rows = 2;
  source.scenes_per_tile = 1;
  source.scatter = {{PlacedObject::kHull, PlacedObject::kStatic, {1, 1, 1}, {2, 2, 2}, 2, false},
                    {PlacedObject::kBox, PlacedObject::kAsleep, {.4f, .4f, .4f}, {1, 1, 1}, 2}};
  SceneKind scene;
  scene.file = "place.json";
  scene.encounter = 30;
  scene.activation = 200;
  SceneObjects ball;
  ball.motion = PlacedObject::kAwake;
  ball.size = {.4f, .4f, .4f};
  ball.at = {0, 1, 0};
  scene.objects = {ball};
  scene.spawn_points = {{0, 10}, {10, 0}};
  scene.triggers = {{{0, 0, 0}, {125, 100, 125}}};
  scene.gates = {{{-6, 2, 3}, {2, 2, 0.5f}}};
  scene.script = {"place.lua", TextOf(scripts)};
  source.scenes = {scene};
  return source;
}

[[noreturn]] void Give(std::string_view up) {
  fmt::print(stderr, "no world for rides: {}\n", up);
  std::exit(2);
}

void Write(const std::string& path, const Result<std::vector<std::byte>>& bytes) {
  if (!bytes) Give(ToString(bytes.error()));
  const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  if (const auto written = WriteFileWhole(path, text); !written) Give(ToString(written.error()));
}

// The reads of a program: some fail, some take their time. On the disk's thread alone.
class Disk {
 public:
  explicit Disk(const RideProgram& program) : program_(program) {}

  Result<std::vector<std::byte>> Read(const std::string& path) {
    ++reads_;
    if (IsEach(program_.slow_every)) {
      EngineSync::SleepUntil(EngineSync::clock::now() + std::chrono::milliseconds(50));
    }
    if (IsEach(program_.fails_every)) return Fail(ErrorCode::kNotFound, "file");
    return ReadParcelFile(path);
  }

 private:
  bool IsEach(std::uint32_t every) const { return every > 0 && reads_ % every == 0; }

  const RideProgram& program_;
  std::uint64_t reads_ = 0;
};

Result<RideResult> Run(const RideProgram& program, std::uint32_t workers, const Worlds& worlds) {
  auto pool = TaskPool::Create(
      {.main_threads = {"main"}, .devices = {"disk", "clock", "console"}, .workers = workers});
  if (!pool) return std::unexpected(pool.error());
  const auto here = (*pool)->Register("main");
  if (!here) return std::unexpected(here.error());
  Disk disk(program);
  RideDef def;
  def.frames = program.frames;
  def.steps = program.steps;
  def.seed = program.seed;
  def.paced = program.paced;
  def.tiles = worlds.folder(program.scripts);
  def.index = worlds.index();
  def.replay = program.replay;
  def.read = [&disk](const std::string& path) { return disk.Read(path); };
  std::uint32_t asked = 0;
  def.interrupted = [&] { return ++asked == program.interrupted_at; };
  def.max_bodies = kBodies;
  return RunRide(def, **pool);
}

// A promise that one ride breaks.
std::optional<std::string> Broken(const RideProgram& program, const RideResult& ride) {
  const std::uint32_t frames = program.interrupted_at > 0 ? program.interrupted_at : program.frames;
  if (ride.frames.size() != frames) return "a ride has its frames";
  if (ride.interrupted != (program.interrupted_at > 0)) return "an interruption is said";
  const StreamCounts& streamed = ride.streamed;
  if (streamed.tiles_entered < streamed.tiles_let_go) return "a tile that leaves has entered";
  if (program.fails_every == 0 && streamed.missing > 0) return "no tile is missing without a cause";
  if (program.fails_every == 1 && streamed.bodies_entered > 0) return "without a file, no bodies";
  const SceneScriptCounts& scripts = ride.scenes.scripts;
  if (scripts.failed > 0 && program.scripts != Scripts::kCannotBeLoaded) return "good scripts load";
  if (scripts.loaded > 0 && program.scripts == Scripts::kCannotBeLoaded)
    return "bad scripts do not";
  if (scripts.faults > 0 && program.scripts != Scripts::kStop) return "good scripts go on";
  if (scripts.faults != scripts.entered && program.scripts == Scripts::kStop) {
    return "each bad script stops at its first event";
  }
  if (ride.scenes.gates.opened > 0 && program.scripts != Scripts::kWork) {
    return "a gate opens by a script alone";
  }
  if (ride.arrows.below_ground > 0) return "no arrow passes through the ground";
  if (ride.retired_bytes > 0 && streamed.tiles_let_go + streamed.scenes_let_go == 0) {
    return "shapes retire with their tile or scene";
  }
  return {};
}

// Of a replay: everything that must not depend on the threads.
std::string Account(const RideResult& ride) {
  return fmt::format(
      "state {:016x}; {} tiles and {} scenes entered, {} missing; {} machines, {} seen, {} folk, "
      "{:.6f} m; {} arrows, {} met; {} scripts, {} faults, {} called, {} gates; {} cells",
      ride.hash, ride.streamed.tiles_entered, ride.streamed.scenes_entered, ride.streamed.missing,
      ride.machines.appeared, ride.machines.seen, ride.folk.appeared, ride.folk.metres,
      ride.arrows.shot, ride.arrows.met_statics + ride.arrows.met_bodies,
      ride.scenes.scripts.loaded, ride.scenes.scripts.faults, ride.scenes.called,
      ride.scenes.gates.opened, ride.paths.cells.built);
}

void Add(const RideResult& ride, Reached& reached) {
  reached.tiles += ride.streamed.tiles_entered;
  reached.scripts += ride.scenes.scripts.loaded;
  reached.failed += ride.scenes.scripts.failed;
  reached.stopped += ride.scenes.scripts.faults;
  reached.machines += ride.machines.appeared;
  reached.moves += ride.folk.moves;
  reached.gates += ride.scenes.gates.opened;
  reached.arrows += ride.arrows.shot;
  reached.cells += ride.paths.cells.built;
  reached.places += ride.survey.places;
  reached.missing += ride.streamed.missing;
  reached.interrupted += ride.interrupted ? 1 : 0;
}

}  // namespace

Worlds::Worlds(const std::string& folder) {
  const Elevation elevation = SmallHill(20, 7);
  for (std::size_t i = 0; i < kScripts; ++i) {
    const WorldSource source = Source(static_cast<Scripts>(i));
    index_ = IndexOf(source, elevation, 1);
    folders_[i] = fmt::format("{}/{}", folder, i);
    std::error_code error;
    if (!std::filesystem::create_directory(folders_[i], error)) Give(folders_[i]);
    for (std::int32_t row = 0; row < 2; ++row) {
      for (std::int32_t column = 0; column < 2; ++column) {
        const TileCoord tile{column, row};
        Write(FileOfTile(folders_[i], tile), CompileTile(source, elevation, 1, tile));
      }
    }
    for (std::uint32_t k = 0; k < index_.scenes.size(); ++k) {
      Write(FileOfScene(folders_[i], k), CompileScene(source, elevation, 1, index_, k));
    }
  }
}

std::optional<std::string> Check(const RideProgram& program, const Worlds& worlds,
                                 Reached& reached) {
  const auto ride = Run(program, program.workers, worlds);
  if (!ride) return "a ride has no error: " + ToString(ride.error());
  if (auto broken = Broken(program, *ride)) return broken;
  Add(*ride, reached);
  if (!program.replay) return {};
  const auto alone = Run(program, 0, worlds);
  if (!alone) return "a ride on one thread has no error: " + ToString(alone.error());
  if (Account(*ride) == Account(*alone)) return {};
  return fmt::format("a replay is the same for any number of threads:\n  {}\n  {}\n",
                     Account(*ride), Account(*alone));
}

}  // namespace nowait::ride_programs
