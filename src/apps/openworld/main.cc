// openworld: a ride through an open world that is loaded and let go around the player; see --help.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <expected>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include "src/apps/command_line/interruption.h"
#include "src/apps/command_line/output_file.h"
#include "src/apps/command_line/print.h"
#include "src/apps/openworld/map.h"
#include "src/apps/openworld/options.h"
#include "src/apps/openworld/report.h"
#include "src/apps/openworld/ride.h"
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

constexpr int kSuccess = 0;
constexpr int kFailure = 1;
constexpr int kInterrupted = 130;  // as shells have it: 128 and SIGINT

int Complain(std::string_view what) {
  PrintError("openworld", what);
  return kFailure;
}

// The index of the folder, if it was made from the same source; otherwise the tiles are made.
std::expected<WorldIndex, SourceError> Tiles(const OpenWorldOptions& options, TaskPool& pool,
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
  // A folder with an index is whole.
  std::filesystem::remove(FileOfIndex(options.tiles), error);
  const std::uint64_t begin = SteadyNanoseconds();
  auto index =
      CompileWorld(pool, source, elevation, {.folder = options.tiles, .seed = options.seed});
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

int Go(const OpenWorldOptions& options, TaskPool& pool, const Profile& profile) {
  const auto elevation = LoadElevation(options.terrain);
  if (!elevation) return Complain(options.terrain + ": " + ToString(elevation.error()));
  const auto source = LoadWorldSource(options.world);
  if (!source) return Complain(source.error().text);
  const auto index = Tiles(options, pool, *source, *elevation);
  if (!index) return Complain(index.error().text);
  if (options.make_tiles) return kSuccess;
  if (!options.map.empty()) {
    std::error_code ignored;  // a folder that cannot be made is found by the check
    std::filesystem::create_directories(std::filesystem::path(options.map).parent_path(), ignored);
    if (const auto wrong = CheckOutputFile("--map", options.map)) return Complain(*wrong);
  }

  RideDef def;
  def.frames = 30 * options.seconds;
  def.steps = options.steps;
  def.seed = options.seed;
  def.paced = !options.unpaced;
  def.tiles = options.tiles;
  def.index = *index;
  if (options.replay != OpenWorldOptions::kNoReplay) def.replay = options.replay;
  if (options.slow_disk > 0) def.read = SlowDisk(options.slow_disk);
  CatchInterrupts();
  def.interrupted = &IsInterrupted;
  const auto ride = RunRide(def, pool);
  if (!ride) return Complain(ToString(ride.error()));
  fmt::print("{}", RideTable(*ride, profile));
  if (!options.map.empty()) {
    const auto written = WriteFileWhole(options.map, DrawRide(*ride, *index, *source, *elevation));
    if (!written) return Complain(options.map + ": " + ToString(written.error()));
    fmt::print("  wrote {}\n", options.map);
  }
  return ride->interrupted ? kInterrupted : kSuccess;
}

int OpenWorld(const OpenWorldOptions& options) {
  Profile profile({.lanes = options.threads + 3, .spans_per_lane = 1u << 20});
  const auto pool = TaskPool::Create({.main_threads = {"main"},
                                      .devices = {"disk", "clock", "console"},
                                      .workers = options.threads - 1,
                                      .on_throw = {},
                                      .profile = &profile});
  if (!pool) return Complain(ToString(pool.error()));
  const auto here = (*pool)->Register("main");
  if (!here) return Complain(ToString(here.error()));
  return Go(options, **pool, profile);
}

}  // namespace
}  // namespace nowait

int main(int argc, char** argv) {
  if (!nowait::CpuIsSufficient()) return nowait::Complain(nowait::kCpuMessage);
  const auto options = nowait::ParseOptions(argc, argv);
  return options ? nowait::OpenWorld(*options) : options.error();
}
