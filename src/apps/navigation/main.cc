// navigation: walkers on a mesh that is built while they walk; see --help.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include "src/apps/command_line/interruption.h"
#include "src/apps/command_line/print.h"
#include "src/apps/navigation/options.h"
#include "src/apps/navigation/picture.h"
#include "src/apps/navigation/run.h"
#include "src/base/cpu.h"
#include "src/base/report.h"

namespace nowait {
namespace {

int Complain(std::string_view what) {
  PrintError("navigation", what);
  return 1;
}

double Ms(std::chrono::nanoseconds time) { return static_cast<double>(time.count()) / 1e6; }

// A second of one thread has so many of these.
double Rate(std::uint64_t count, std::chrono::nanoseconds time) {
  return time.count() > 0 ? static_cast<double>(count) * 1e9 / static_cast<double>(time.count())
                          : 0.0;
}

void PrintCells(const NavigationReport& report) {
  const NavBuilderStats& cells = report.cells;
  const NavTimes& times = cells.times;
  const double builds = std::max<double>(1.0, static_cast<double>(times.builds));
  fmt::print(
      "  cells         {} known, {} missing; {} built, {} of them again, {} removed, {} "
      "cancelled, {} failed\n",
      cells.cells, cells.missing, cells.built, cells.rebuilt, cells.removed, cells.cancelled,
      cells.failed);
  fmt::print(
      "  a build       {:.2f} ms, {:.2f} ms at most, a stage {:.2f} ms at most; {:.0f} cells "
      "a second of one thread, {:.0f} polygons a cell\n",
      Ms(times.all) / builds, Ms(times.longest_build), Ms(times.longest_stage),
      Rate(times.builds, times.all),
      static_cast<double>(cells.polygons) /
          std::max<double>(1.0, static_cast<double>(cells.built)));
  constexpr std::array kNames = {"bodies",  "triangles", "voxels",   "walkable",
                                 "regions", "contours",  "polygons", "tile"};
  std::string stages;
  for (std::size_t i = 0; i < kNavStages; ++i) {
    stages +=
        fmt::format("{}{} {:.2f}", i == 0 ? "" : ", ", kNames[i], Ms(times.of_stage[i]) / builds);
  }
  fmt::print("  its stages    {} ms\n", stages);
}

void Print(const NavigationRunDef& def, NavigationReport& report) {
  std::sort(report.frames.begin(), report.frames.end());
  const auto& frames = report.frames;
  const WalkerCounts& walkers = report.walkers;
  const std::uint64_t paths = walkers.whole + walkers.part + walkers.cut_off + walkers.no_mesh;
  fmt::print(
      "{} walkers of {} sizes, {} gates that moved {} times, {} falling bodies; {} frames, {} "
      "threads\n",
      def.walkers, WalkerSizes().size(), report.gates, report.gate_moves, def.valley.falling,
      frames.size(), def.threads);
  PrintCells(report);
  fmt::print(
      "  paths         {} whole, {} in part, {} cut off, {} without a mesh; {:.3f} ms each, "
      "{:.2f} ms at most; {:.0f} a second of one thread\n",
      walkers.whole, walkers.part, walkers.cut_off, walkers.no_mesh,
      Ms(walkers.paths) / std::max<double>(1.0, static_cast<double>(paths)),
      Ms(walkers.longest_path), Rate(paths, walkers.paths));
  fmt::print("  walkers       {:.0f} m, {} goals, {} stops before something new\n", walkers.metres,
             walkers.goals, walkers.stops);
  if (!frames.empty()) {
    fmt::print(
        "  frames        {:.2f} ms median, {:.2f} ms of 99 %, {:.2f} ms at most; the builder "
        "{:.2f} ms at most; builds beside {} of them\n",
        Ms(frames[frames.size() / 2]), Ms(frames[frames.size() * 99 / 100]), Ms(frames.back()),
        Ms(report.longest_update), report.frames_of_builds);
  }
  const auto waits = [](const WaitTime& wait) {
    return fmt::format("{} of {} ({:.3f} ms)", wait.contended, wait.acquisitions, Ms(wait.waited));
  };
  fmt::print("  locks waited  builds {}, walkers {}, builder {}\n", waits(report.cells.times.wait),
             waits(walkers.wait), waits(report.update_wait));
}

int NavigationMain(int argc, char** argv) {
  NavigationOptions options;
  if (const auto status = ParseOptions(argc, argv, options)) return *status;
  CatchInterrupts();
  options.run.is_interrupted = &IsInterrupted;
  auto report = RunNavigation(options.run);
  if (!report) return Complain(ToString(report.error()));
  Print(options.run, *report);
  if (!options.svg.empty()) {
    const std::string subtitle =
        fmt::format("{} cells of 12.8 m for two sizes of walkers, after {} frames",
                    report->cells.cells, report->frames.size());
    const auto written = WriteFileWhole(options.svg, DrawNavigation(*report, subtitle));
    if (!written) return Complain(options.svg + ": " + ToString(written.error()));
    fmt::print("  wrote {}\n", options.svg);
  }
  return report->cells.failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace nowait

int main(int argc, char** argv) {
  if (!nowait::CpuIsSufficient()) return nowait::Complain(nowait::kCpuMessage);
  return nowait::NavigationMain(argc, argv);
}
