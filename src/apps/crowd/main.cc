// crowd: characters that each play clips of their own, sampled, blended and brought to world space
// every frame; see --help.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/apps/command_line/number.h"
#include "src/apps/command_line/parse.h"
#include "src/apps/command_line/print.h"
#include "src/apps/crowd/clips.h"
#include "src/apps/crowd/run.h"
#include "src/apps/demo/scene.h"
#include "src/apps/frame/timeline.h"
#include "src/base/cpu.h"
#include "src/base/report.h"
#include "src/profile/chrome_trace.h"
#include "src/profile/critical_path.h"
#include "src/profile/profile.h"
#include "src/profile/schedule.h"
#include "src/profile/work_graph.h"
#include "src/sync/policy.h"

namespace nowait {
namespace {

// Of the package assimp-testmodels, from the CMU Graphics Lab Motion Capture Database.
constexpr const char* kMotions[] = {"/usr/share/assimp/models/BVH/01_01.bvh",
                                    "/usr/share/assimp/models/BVH/01_03.bvh"};
// A unit of these files is an inch divided by 0.45.
constexpr float kMetresPerUnit = 0.0254f / 0.45f;

int Complain(std::string_view what, int status) {
  PrintError("crowd", what);
  return status;
}

void Print(const CrowdDef& def, std::uint32_t bones, std::size_t clips, const CrowdResult& result) {
  fmt::print("{} characters of {} bones, {} frames, {} workers; hash {:016x}\n", def.characters,
             bones, def.frames, def.workers, result.hash);
  fmt::print("  clips        {} in {:.0f} kB, of {:.0f} kB of captured frames\n", clips,
             static_cast<double>(result.packed_bytes) / 1e3,
             static_cast<double>(result.raw_bytes) / 1e3);
  fmt::print("  fading       {:.1f} characters in a frame\n",
             static_cast<double>(result.fading) / def.frames);
  fmt::print("  footsteps    {} left, {} right, at most {} in a frame; hash {:016x}\n",
             result.footsteps.left(), result.footsteps.right(), result.footsteps.most(),
             result.footsteps.hash());
  const char* const names[] = {"animation", "feet", "scene graph", "matrices"};
  for (int i = 0; i < 4; ++i) {
    fmt::print("  {:<11}  {:.2f} ms a frame\n", names[i],
               static_cast<double>(result.stage_time[i]) / 1e6 / def.frames);
  }
  fmt::print("  longest      {:.2f} ms\n", static_cast<double>(result.longest_frame) / 1e6);
  if (def.stall_ms == 0) return;
  fmt::print("  put aside    {} threads for {} ms each; the longest of their frames {:.2f} ms\n",
             result.stalls, def.stall_ms, static_cast<double>(result.longest_stalled_frame) / 1e6);
}

// Of a frame: how long its critical path was at work, and in which spans.
void PrintPath(const Profile& profile, std::uint32_t frame) {
  const auto time = TimeOfFrame(profile, frame);
  if (!time) return;  // a lane had no room
  const WorkGraph graph = MakeWorkGraph(profile, time->begin, time->end);
  const CriticalPath path = FindCriticalPath(graph);
  std::map<std::string_view, std::uint64_t> by_name;
  for (const auto& piece : path.pieces) {
    by_name[piece.span.name] += piece.span.end - piece.span.begin;
  }
  std::vector<std::pair<std::string_view, std::uint64_t>> longest(by_name.begin(), by_name.end());
  std::ranges::stable_sort(longest, std::greater<>(), &decltype(longest)::value_type::second);
  longest.resize(std::min<std::size_t>(longest.size(), 5));
  const auto ms = [](std::uint64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1e6; };
  fmt::print("  path         of frame {}: {:.2f} ms in {} pieces, {:.2f} ms between them;", frame,
             ms(path.work), path.pieces.size(), ms(path.between));
  const char* comma = "";
  for (const auto& [name, spent] : longest) {
    fmt::print("{} {} {:.2f}", comma, name, ms(spent));
    comma = ",";
  }
  const auto threads = static_cast<std::uint32_t>(profile.lanes().size());
  const auto simulated = [&](SimulatedPriorities priorities) {
    return ms(Simulate(graph, {threads, priorities}).length);
  };
  fmt::print(
      "\n  simulated    on {} thread{}: {:.2f} ms with the priorities as set, {:.2f} from the "
      "path, {:.2f} with one for all; longest chain {:.2f}\n",
      threads, threads == 1 ? "" : "s", simulated(SimulatedPriorities::kAsSet),
      simulated(SimulatedPriorities::kByPath), simulated(SimulatedPriorities::kOne),
      ms(LongestChain(graph)));
}

// An error's line, or nothing.
std::string WritePictures(const Profile& profile, std::uint32_t frames, const std::string& trace,
                          const std::string& svg) {
  if (!trace.empty() && !WriteFileWhole(trace, ChromeTrace(profile))) {
    return trace + ": could not be written";
  }
  if (svg.empty()) return {};
  const auto picture = FrameTimeline(profile, frames / 2);
  if (!picture) return svg + ": " + ToString(picture.error());
  if (!WriteFileWhole(svg, *picture)) return svg + ": could not be written";
  return {};
}

int CrowdMain(int argc, char** argv) {
  CrowdDef def;
  def.workers = std::max(EngineSync::HardwareConcurrency(), 1u) - 1;
  std::uint32_t bones = 90;
  std::vector<std::string> files(std::begin(kMotions), std::end(kMotions));
  ImportDef import{kMetresPerUnit, 1};
  std::string ground_file = "assets/terrain/jacksboro.elevation";
  bool floor = false;
  std::string trace, svg;
  CLI::App app("A crowd of animated characters, each with clips, times and fades of its own.",
               "crowd");
  AddNumber(app, "--characters", def.characters, 1u, 10'000u, "how many");
  AddNumber(app, "--bones", bones, 1u, 1'024u,
            "of each: those of the files, and more that repeat them");
  AddNumber(app, "--frames", def.frames, 1u, 10'000u, "frames to run, of 1/60 s");
  AddNumber(app, "--workers", def.workers, 0u, 64u, "threads beside the main thread (cores - 1)");
  AddNumber<std::uint64_t>(app, "--seed", def.seed, 0, ~std::uint64_t{0},
                           "of states, times and triggers");
  AddNumber(app, "--hash-every", def.hash_every, 1u, 10'000u,
            "hash all matrices every so many frames");
  AddNumber(app, "--stall-ms", def.stall_ms, 0u, 1'000u,
            "put a helping thread aside for so long, once in ten frames");
  app.add_flag("--blend-once", def.blend_once, "blends as plain tasks, not as idempotent ones");
  app.add_option("--motion", files, "BVH files of one skeleton (Debian's assimp-testmodels)");
  app.add_option("--metres-per-unit", import.metres_per_unit, "of the files")
      ->capture_default_str()
      ->check(CLI::Range(1e-6, 1e3));
  AddNumber(app, "--first-frame", import.first_frame, 0u, 65'535u,
            "of the files; the first is a calibration");
  app.add_option("--ground", ground_file, "elevation file that the crowd stands on")
      ->capture_default_str();
  app.add_flag("--floor", floor, "a flat floor instead of the ground");
  app.add_option("--trace", trace, "write all frames for chrome://tracing or ui.perfetto.dev");
  app.add_option("--svg", svg, "draw the frame in the middle");
  if (const auto status = Parse(app, argc, argv)) return *status;
  const auto motions = ReadMotions(files, import, bones);
  if (!motions) return Complain(motions.error(), 1);
  std::optional<Ground> ground;
  if (!floor) {
    auto loaded = LoadGround(ground_file);
    if (!loaded) return Complain(ground_file + ": " + ToString(loaded.error()), 1);
    ground = std::move(*loaded);
  }
  Profile profile({.lanes = def.workers + 1, .spans_per_lane = 1u << 19});
  const CrowdResult result = RunCrowd(def, *motions, ground ? &*ground : nullptr, profile);
  if (!result.error.empty()) return Complain(result.error, 1);
  if (const auto failed = WritePictures(profile, def.frames, trace, svg); !failed.empty()) {
    return Complain(failed, 1);
  }
  Print(def, bones, motions->size(), result);
  PrintPath(profile, def.frames / 2);
  return 0;
}

}  // namespace
}  // namespace nowait

int main(int argc, char** argv) {
  if (!nowait::CpuIsSufficient()) return nowait::Complain(nowait::kCpuMessage, 1);
  return nowait::CrowdMain(argc, argv);
}
