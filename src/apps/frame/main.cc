// frame: the example of [bitsquid2010] as frames that make each other, with a device; see --help.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "src/apps/command_line/number.h"
#include "src/apps/command_line/parse.h"
#include "src/apps/command_line/print.h"
#include "src/apps/frame/run.h"
#include "src/apps/frame/timeline.h"
#include "src/base/cpu.h"
#include "src/base/report.h"
#include "src/profile/chrome_trace.h"
#include "src/profile/profile.h"
#include "src/sync/policy.h"

namespace nowait {
namespace {

// A directory with music in it, for as long as it lives.
class TemporaryMusic {
 public:
  TemporaryMusic() : path_((std::filesystem::temp_directory_path() / "frame.XXXXXX").string()) {
    made_ = mkdtemp(path_.data()) != nullptr;
  }
  ~TemporaryMusic() {
    std::error_code ignored;
    if (made_) std::filesystem::remove_all(path_, ignored);
  }
  TemporaryMusic(const TemporaryMusic&) = delete;
  TemporaryMusic& operator=(const TemporaryMusic&) = delete;

  // Empty: it could not be written.
  std::optional<std::string> Write() const {
    const std::string file = path_ + "/music";
    if (!made_ || !WriteMusic(file)) return std::nullopt;
    return file;
  }

 private:
  std::string path_;
  bool made_;
};

int Complain(std::string_view what, int status) {
  PrintError("frame", what);
  return status;
}

void Print(const FrameDef& def, const FrameResult& result, const Profile& profile) {
  const auto ms = [](std::uint64_t ns) { return static_cast<double>(ns) / 1e6; };
  fmt::print("{} frames of {} nodes, {} workers{}, {}; hash {:016x}\n", def.frames, def.nodes,
             def.workers, def.park_worker ? ", one of them parked" : "",
             def.serial ? "a serial main loop" : "a task graph", result.hash);
  fmt::print("  frame      {:.2f} ms on average, {:.2f} ms at most\n",
             ms(result.total_time) / def.frames, ms(result.longest_time));
  for (const Lane& lane : profile.lanes()) {
    const auto count = [&lane](std::string_view name) {
      return std::count_if(lane.spans.begin(), lane.spans.end(),
                           [name](const Span& span) { return span.name == name; });
    };
    if (lane.name == "disk") {
      fmt::print("  {:<9}  {} reads\n", lane.name, count("read file"));
    } else {
      fmt::print("  {:<9}  {} tasks{}\n", lane.name, count("task"),
                 count("parked") != 0 ? ": it was parked in that" : "");
    }
  }
}

std::optional<std::string> WritePictures(const Profile& profile, std::uint32_t frames,
                                         const std::string& trace, const std::string& svg) {
  if (!trace.empty() && !WriteFileWhole(trace, ChromeTrace(profile))) {
    return trace + ": could not be written";
  }
  if (svg.empty()) return std::nullopt;
  const auto picture = FrameTimeline(profile, frames / 2);
  if (!picture) return svg + ": " + ToString(picture.error());
  if (!WriteFileWhole(svg, *picture)) return svg + ": could not be written";
  return std::nullopt;
}

int FrameMain(int argc, char** argv) {
  FrameDef def;
  def.workers = std::max(EngineSync::HardwareConcurrency(), 1u) - 1;
  std::string trace;
  std::string svg;
  CLI::App app(
      "Frames that make each other: animation, scene graph, gui, render and sound as tasks.",
      "frame");
  AddNumber(app, "--frames", def.frames, 1u, 10'000u, "frames to run");
  AddNumber(app, "--nodes", def.nodes, 1u, 1'000'000u, "nodes of the scene graph");
  AddNumber(app, "--workers", def.workers, 0u, 64u, "threads beside the main thread (cores - 1)");
  AddNumber<std::uint64_t>(app, "--seed", def.seed, 0, ~std::uint64_t{0}, "of the scene");
  app.add_option("--music", def.music, "file to hear; a temporary one if not given");
  app.add_flag("--serial", def.serial, "a serial main loop in which only the stages are parallel");
  app.add_flag("--park-worker", def.park_worker, "hold up one worker from beginning to end");
  app.add_option("--trace", trace, "write all frames for chrome://tracing or ui.perfetto.dev");
  app.add_option("--svg", svg, "draw the frame in the middle");
  if (const auto status = Parse(app, argc, argv)) return *status;
  if (def.park_worker && def.workers == 0) return Complain("--park-worker needs --workers", 2);
  const TemporaryMusic temporary;
  if (def.music.empty()) {
    const auto written = temporary.Write();
    if (!written) return Complain("no temporary file could be written", 1);
    def.music = *written;
  }
  Profile profile({.lanes = def.workers + 2, .spans_per_lane = 1u << 21});
  const FrameResult result = RunFrames(def, profile);
  if (!result.error.empty()) return Complain(result.error, 1);
  if (const auto failed = WritePictures(profile, def.frames, trace, svg)) {
    return Complain(*failed, 1);
  }
  Print(def, result, profile);
  return 0;
}

}  // namespace
}  // namespace nowait

int main(int argc, char** argv) {
  if (!nowait::CpuIsSufficient()) {
    nowait::PrintError("frame", nowait::kCpuMessage);
    return 1;
  }
  return nowait::FrameMain(argc, argv);
}
