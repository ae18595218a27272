// openworld: a ride through an open world that is loaded and let go around the player; see --help.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <expected>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "src/apps/command_line/interruption.h"
#include "src/apps/command_line/output_file.h"
#include "src/apps/command_line/print.h"
#include "src/apps/frame/parked.h"
#include "src/apps/openworld/comparison.h"
#include "src/apps/openworld/map.h"
#include "src/apps/openworld/options.h"
#include "src/apps/openworld/report.h"
#include "src/apps/openworld/ride.h"
#include "src/apps/openworld/scaling.h"
#include "src/base/assert.h"
#include "src/base/cpu.h"
#include "src/base/report.h"
#include "src/jobs/task_pool.h"
#include "src/profile/profile.h"
#include "src/resource/elevation.h"
#include "src/streaming/world_compiler.h"
#include "src/streaming/world_source.h"
#include "src/sync/policy.h"

namespace nowait {
namespace {

constexpr const char* kMain = "main";
constexpr int kSuccess = 0;
constexpr int kFailure = 1;
constexpr int kInterrupted = 130;  // as shells have it: 128 and SIGINT
// Frames until a load is there, where rides are compared that have to be the same.
constexpr std::uint32_t kScalingReplay = 4;

int Complain(std::string_view what) {
  PrintError("openworld", what);
  return kFailure;
}

// The index of the folder, if it was made from the same source; otherwise the tiles are made.
std::expected<WorldIndex, SourceError> Tiles(const OpenWorldOptions& options,
                                             const WorldSource& source,
                                             const Elevation& elevation) {
  std::error_code error;
  std::filesystem::create_directories(options.tiles, error);
  if (error) return std::unexpected(SourceError{options.tiles + ": " + error.message()});
  if (!options.make_tiles) {
    auto index = LoadWorldIndex(options.tiles);
    const std::uint64_t wanted = IndexOf(source, elevation, options.seed).source;
    if (index && index->source == wanted) return *std::move(index);
  }
  const auto pool =
      TaskPool::Create({.main_threads = {kMain}, .workers = options.threads - 1, .on_throw = {}});
  if (!pool) return std::unexpected(SourceError{ToString(pool.error())});
  const auto here = (*pool)->Register(kMain);
  if (!here) return std::unexpected(SourceError{ToString(here.error())});
  // A folder with an index is whole.
  std::filesystem::remove(FileOfIndex(options.tiles), error);
  const std::uint64_t begin = SteadyNanoseconds();
  auto index =
      CompileWorld(**pool, source, elevation, {.folder = options.tiles, .seed = options.seed});
  if (index) {
    fmt::print("made {} tiles and {} scenes in {}, {:.1f} s\n", index->tiles(),
               index->scenes.size(), options.tiles,
               static_cast<double>(SteadyNanoseconds() - begin) / 1e9);
    std::fflush(stdout);
  }
  return index;
}

// The files, on a disk that takes so many milliseconds longer.
Parcel::ReadFunction SlowDisk(std::uint32_t milliseconds) {
  return [milliseconds](const std::string& path) {
    EngineSync::SleepUntil(EngineSync::clock::now() + std::chrono::milliseconds(milliseconds));
    return ReadParcelFile(path);
  };
}

// A pool with a profile, and the ride that it made.
struct Recorded {
  explicit Recorded(std::uint32_t threads)
      : profile({.lanes = threads + 3, .spans_per_lane = 1u << 20}) {}
  Profile profile;
  RideResult ride;
};

Result<std::unique_ptr<Recorded>> Record(const RideDef& def, std::uint32_t threads,
                                         bool park_worker) {
  auto recorded = std::make_unique<Recorded>(threads);
  Parked parked;  // outlives the pool
  const auto pool = TaskPool::Create({.main_threads = {kMain},
                                      .devices = {"disk", "clock", "console"},
                                      .workers = threads - 1,
                                      .on_throw = {},
                                      .profile = &recorded->profile});
  if (!pool) return std::unexpected(pool.error());
  const auto here = (*pool)->Register(kMain);
  if (!here) return std::unexpected(here.error());
  if (park_worker) {
    if (auto held = parked.Park(**pool); !held) return std::unexpected(held.error());
  }
  auto ride = RunRide(def, **pool);
  if (park_worker) parked.LetGo();
  if (!ride) return std::unexpected(ride.error());
  recorded->ride = *std::move(ride);
  return recorded;
}

RideDef DefOf(const OpenWorldOptions& options, const WorldIndex& index) {
  RideDef def;
  def.frames = 30 * options.seconds;
  def.steps = options.steps;
  def.seed = options.seed;
  def.paced = !options.unpaced;
  def.tiles = options.tiles;
  def.index = index;
  if (options.replay != OpenWorldOptions::kNoReplay) def.replay = options.replay;
  if (options.slow_disk > 0) def.read = SlowDisk(options.slow_disk);
  def.interrupted = &IsInterrupted;
  return def;
}

// Returns the program's exit code.
int Write(const std::string& path, const std::string& picture) {
  const auto written = WriteFileWhole(path, picture);
  if (!written) return Complain(path + ": " + ToString(written.error()));
  fmt::print("  wrote {}\n", path);
  return kSuccess;
}

int GoBefore(const OpenWorldOptions& options, RideDef def, const Recorded& after) {
  def.earlier = true;
  const auto before = Record(def, options.threads, options.park_worker);
  if (!before) return Complain(ToString(before.error()));
  if ((*before)->ride.interrupted) return kInterrupted;
  fmt::print("{}", ComparisonTable((*before)->ride, after.ride));
  return Write(options.before,
               DrawComparison({(*before)->ride, (*before)->profile}, {after.ride, after.profile}));
}

int GoScaling(const OpenWorldOptions& options, RideDef def) {
  def.paced = false;
  if (!def.replay) def.replay = kScalingReplay;
  std::vector<RideResult> rides;
  const auto one = Record(def, 1, false);
  if (!one) return Complain(ToString(one.error()));
  rides.push_back((*one)->ride);
  const auto two = Record(def, 2, false);
  if (!two) return Complain(ToString(two.error()));
  rides.push_back((*two)->ride);
  if (rides[0].interrupted || rides[1].interrupted) return kInterrupted;
  const auto& lanes = (*one)->profile.lanes();
  const auto lane = std::ranges::find(lanes, kMain, &Lane::name);
  NOWAIT_ASSERT(lane != lanes.end(), "the main thread has a lane");
  const std::vector<ScalingPoint> points = Scaling(*lane, rides);
  fmt::print("{}", ScalingTable(points));
  return Write(options.scaling, DrawScaling(points));
}

int Ride(const OpenWorldOptions& options, const WorldIndex& index, const WorldSource& source,
         const Elevation& elevation) {
  RideDef def = DefOf(options, index);
  def.times_islands = !options.before.empty();
  CatchInterrupts();
  if (!options.scaling.empty()) return GoScaling(options, def);
  const auto recorded = Record(def, options.threads, options.park_worker);
  if (!recorded) return Complain(ToString(recorded.error()));
  const RideResult& ride = (*recorded)->ride;
  fmt::print("{}", RideTable(ride, (*recorded)->profile, SizesOf(options.tiles)));
  if (!options.map.empty()) {
    const int written = Write(options.map, DrawRide(ride, index, source, elevation));
    if (written != kSuccess) return written;
  }
  if (ride.interrupted) return kInterrupted;
  return options.before.empty() ? kSuccess : GoBefore(options, def, **recorded);
}

int OpenWorld(const OpenWorldOptions& options) {
  const auto elevation = LoadElevation(options.terrain);
  if (!elevation) return Complain(options.terrain + ": " + ToString(elevation.error()));
  const auto source = LoadWorldSource(options.world);
  if (!source) return Complain(source.error().text);
  const auto index = Tiles(options, *source, *elevation);
  if (!index) return Complain(index.error().text);
  if (options.make_tiles) return kSuccess;
  for (const auto& [option, path] :
       {std::pair("--map", &options.map), std::pair("--before", &options.before),
        std::pair("--scaling", &options.scaling)}) {
    if (path->empty()) continue;
    std::error_code ignored;  // a folder that cannot be made is found by the check
    std::filesystem::create_directories(std::filesystem::path(*path).parent_path(), ignored);
    if (const auto wrong = CheckOutputFile(option, *path)) return Complain(*wrong);
  }
  return Ride(options, *index, *source, *elevation);
}

}  // namespace
}  // namespace nowait

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a limit of a file's size is an error of its write
  if (!nowait::CpuIsSufficient()) return nowait::Complain(nowait::kCpuMessage);
  const auto options = nowait::ParseOptions(argc, argv);
  return options ? nowait::OpenWorld(*options) : options.error();
}
