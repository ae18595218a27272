#include "src/apps/openworld/report.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include "src/apps/openworld/comparison.h"

namespace nowait {
namespace {

double Ms(double nanoseconds) { return nanoseconds / 1e6; }
double Mb(std::size_t bytes) { return static_cast<double>(bytes) / 1e6; }

// Nearest rank, of one figure of all frames.
std::string Percentiles(const RideResult& ride, std::uint64_t RideFrame::*figure) {
  std::vector<std::uint64_t> values;
  for (const RideFrame& frame : ride.frames) values.push_back(frame.*figure);
  std::sort(values.begin(), values.end());
  const auto at = [&](std::size_t percent) {
    return Ms(static_cast<double>(values[(values.size() - 1) * percent / 100]));
  };
  return fmt::format("{:.2f} ms, 99% {:.2f} ms, at most {:.2f} ms", at(50), at(99), at(100));
}

// The longest the process has been, as the system counts.
std::size_t LargestProcess() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

double Average(const RideResult& ride, std::uint32_t RideFrame::*figure) {
  double sum = 0;
  for (const RideFrame& frame : ride.frames) sum += frame.*figure;
  return sum / static_cast<double>(ride.frames.size());
}

std::uint32_t Most(const RideResult& ride, std::uint32_t RideFrame::*figure) {
  std::uint32_t most = 0;
  for (const RideFrame& frame : ride.frames) most = std::max(most, frame.*figure);
  return most;
}

std::string FolkLine(const FolkCounts& folk) {
  return fmt::format(
      "  folk          {} appeared, {} of them riders; {:.1f} km walked in {} moves with {:.1f} "
      "queries each; {} goals reached, {} fell; {} bodies pushed; the player seen {} times; "
      "riders were up to {:.0f} mm behind before their phase\n",
      folk.appeared, folk.riders, folk.metres / 1e3, folk.moves,
      static_cast<double>(folk.queries) / std::max(1.0, static_cast<double>(folk.moves)),
      folk.goals, folk.fallen, folk.pushes, folk.seen, 1e3 * static_cast<double>(folk.behind));
}

std::string SceneLine(const SceneCounts& scenes) {
  const SceneScriptCounts& scripts = scenes.scripts;
  return fmt::format(
      "  scripts       {} loaded, {} unloaded, {} failed, {} stopped by an error; a load at most "
      "{:.2f} ms; {} volumes entered, {} left; {} machines called; gates {} times open, {} times "
      "closed\n",
      scripts.loaded, scripts.unloaded, scripts.failed, scripts.faults,
      Ms(static_cast<double>(scripts.longest_load)), scripts.entered, scripts.left, scenes.called,
      scenes.gates.opened, scenes.gates.closed);
}

std::string ArrowLine(const ArrowCounts& arrows) {
  return fmt::format(
      "  arrows        {} shot; {} met what stands, {} what moves, the farthest after {:.0f} m; {} "
      "out of reach, {} lost; {} found below the ground; {} frames of them over no ground\n",
      arrows.shot, arrows.met_statics, arrows.met_bodies, static_cast<double>(arrows.farthest),
      arrows.out_of_reach, arrows.lost, arrows.below_ground, arrows.over_nothing);
}

// The time in which a thread waited and helped with nothing, in nanoseconds. A span lies behind the
// spans inside it.
std::uint64_t IdleTime(const Lane& lane) {
  std::uint64_t idle = 0;
  std::vector<const Span*> closed;  // in no span so far
  for (const Span& span : lane.spans) {
    std::uint64_t inside = 0;
    for (; !closed.empty() && closed.back()->begin >= span.begin; closed.pop_back()) {
      inside += closed.back()->end - closed.back()->begin;
    }
    if (std::string_view(span.name) == "wait") idle += span.end - span.begin - inside;
    closed.push_back(&span);
  }
  return idle;
}

std::string Threads(const RideResult& ride, const Profile& profile) {
  const double frames = static_cast<double>(ride.frames.size());
  std::string text;
  for (const Lane& lane : profile.lanes()) {
    text += fmt::format("  {:<12}  idle in waits for {:.2f} ms a frame, {} spans\n", lane.name,
                        Ms(static_cast<double>(IdleTime(lane))) / frames, lane.spans.size());
  }
  return text;
}

std::string PathLines(const RideResult& ride, double seconds) {
  const PathsReport& paths = ride.paths;
  const NavBuilderStats& cells = paths.cells;
  const double builds = std::max<double>(1.0, static_cast<double>(cells.times.builds));
  const auto ms = [](std::chrono::nanoseconds time) {
    return Ms(static_cast<double>(time.count()));
  };
  std::string text = fmt::format(
      "  mesh          {} cells built, {:.1f} a second of the ride, {} of them again, {} removed, "
      "{} cancelled, {} failed; a build {:.2f} ms, at most {:.2f} ms; the update at most {:.2f} "
      "ms\n",
      cells.built, static_cast<double>(cells.built) / seconds, cells.rebuilt, cells.removed,
      cells.cancelled, cells.failed, ms(cells.times.all) / builds, ms(cells.times.longest_build),
      Ms(static_cast<double>(paths.longest_update)));
  text += fmt::format(
      "  paths         {} whole, {} in part, {} without a mesh; at most {:.2f} ms; {} goals of "
      "patrols reached\n",
      paths.whole, paths.part, paths.no_mesh, Ms(static_cast<double>(paths.longest_path)),
      ride.machines.goals);
  return text;
}

}  // namespace

FileSizes SizesOf(const std::string& folder) {
  FileSizes sizes;
  std::error_code error;
  const auto size = [&error](const std::filesystem::path& path) {
    const std::uintmax_t bytes = std::filesystem::file_size(path, error);
    return error ? 0 : bytes;
  };
  sizes.program = size("/proc/self/exe");
  std::filesystem::directory_iterator at(folder, error);
  for (; !error && at != std::filesystem::directory_iterator(); at.increment(error)) {
    sizes.resources += size(at->path());
    ++sizes.files;
  }
  return sizes;
}

std::string RideTable(const RideResult& ride, const Profile& profile, const FileSizes& files) {
  const auto late = std::count_if(ride.frames.begin(), ride.frames.end(),
                                  [](const RideFrame& f) { return f.whole > 33'333'333; });
  const auto hovering = std::count_if(ride.frames.begin(), ride.frames.end(),
                                      [](const RideFrame& f) { return !f.grounded; });
  const double seconds = static_cast<double>(ride.frames.size()) / 30.0;
  const StreamCounts& streamed = ride.streamed;
  const MachineCounts& machines = ride.machines;
  const double queries = static_cast<double>(machines.queries() + ride.survey.places) +
                         static_cast<double>(ride.frames.size());
  std::string text;
  text += fmt::format("{} frames of 1/30 s; state {:016x}\n", ride.frames.size(), ride.hash);
  text += fmt::format("  tiles         {} entered, {} let go; scenes: {} entered, {} let go\n",
                      streamed.tiles_entered, streamed.tiles_let_go, streamed.scenes_entered,
                      streamed.scenes_let_go);
  text += fmt::format(
      "  loads         {} begun, {} cancelled, {} missing, {} scenes put off for want of room; "
      "{:.1f} MB read; the longest took {} frames\n",
      streamed.begun, streamed.cancelled, streamed.missing, streamed.scenes_without_room,
      Mb(streamed.bytes_read), streamed.longest_load);
  text += fmt::format("  streaming     half of the frames {}\n",
                      Percentiles(ride, &RideFrame::streaming));
  text +=
      fmt::format("  game update   half of the frames {}\n", Percentiles(ride, &RideFrame::game));
  text += fmt::format("  physics       half of the frames {}\n",
                      Percentiles(ride, &RideFrame::physics));
  text += fmt::format("  frame         half of the frames {}; {} above 33.3 ms\n",
                      Percentiles(ride, &RideFrame::whole), late);
  text += fmt::format(
      "  bodies        {:.0f} on average, {} at most; awake: {:.0f} on average, {} "
      "at most; {} strays removed\n",
      Average(ride, &RideFrame::bodies), Most(ride, &RideFrame::bodies),
      Average(ride, &RideFrame::awake), Most(ride, &RideFrame::awake), ride.strays);
  text += fmt::format(
      "  machines      {} appeared; {} rays, {} overlaps, {} casts; the player seen "
      "{} times\n",
      machines.appeared, machines.rays, machines.overlaps, machines.casts, machines.seen);
  text += SceneLine(ride.scenes);
  text += FolkLine(ride.folk);
  text += ArrowLine(ride.arrows);
  text += fmt::format("  queries       {:.0f} a second of the ride, with those of the survey\n",
                      queries / seconds);
  text += fmt::format(
      "  survey        {} cells of 12.8 m, {} of {} places walkable; a cell over "
      "{} frames at most\n",
      ride.survey.cells, ride.survey.walkable, ride.survey.places, ride.survey.longest_cell);
  text += PathLines(ride, seconds);
  text += fmt::format(
      "  body locks    {} of the game contended, {} of the physics, {} of the "
      "survey; a thread waits {:.1f} us a frame\n",
      machines.wait.contended, ride.update_locks.contended, ride.survey.wait.contended,
      WaitedForLocks(ride) / 1e3);
  text += fmt::format("  readers       the physics waits: half of the frames {}\n",
                      Percentiles(ride, &RideFrame::locks));
  text += fmt::format("  player        {} frames without ground below it\n", hovering);
  text += fmt::format(
      "  memory        {:.1f} MB of grounds and hulls, {:.1f} MB more kept for "
      "readers; the process {:.0f} MB at most\n",
      Mb(ride.shape_bytes), Mb(ride.retired_bytes), Mb(LargestProcess()));
  text += fmt::format(
      "  systems       the world {:.1f} MB, streaming {:.2f} MB, the navigation mesh {:.2f} MB, "
      "scripts {:.2f} MB, as they were made\n",
      Mb(ride.memory.world), Mb(ride.memory.streaming), Mb(ride.memory.navigation),
      Mb(ride.memory.scripts));
  text += fmt::format("  files         {:.1f} MB of resources in {} files; the program {:.1f} MB\n",
                      Mb(files.resources), files.files, Mb(files.program));
  text += Threads(ride, profile);
  return text;
}

}  // namespace nowait
