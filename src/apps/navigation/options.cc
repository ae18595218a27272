#include "src/apps/navigation/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string_view>

#include "src/apps/command_line/number.h"
#include "src/apps/command_line/output_file.h"
#include "src/apps/command_line/parse.h"
#include "src/apps/command_line/print.h"
#include "src/sync/policy.h"

namespace nowait {
namespace {

constexpr int kBadArgument = 2;

int Complain(std::string_view what) {
  PrintError("navigation", what);
  return kBadArgument;
}

}  // namespace

std::optional<int> ParseOptions(int argc, char** argv, NavigationOptions& options) {
  NavigationRunDef& run = options.run;
  run.threads = std::clamp(EngineSync::HardwareConcurrency(), 1u, 64u);
  run.valley.terrain = "assets/terrain/jacksboro.elevation";
  run.valley.falling = 300;
  bool step = false;
  CLI::App app(
      "Walkers on measured ground, on a navigation mesh that is built while they walk. When a cell "
      "is ready depends on the threads, and so do the ways of the walkers.",
      "navigation");
  AddNumber(app, "--walkers", run.walkers, 1u, 1'000u, "how many, of two sizes");
  AddNumber(app, "--falling", run.valley.falling, 0u, 20'000u, "bodies that fall meanwhile");
  AddNumber(app, "--frames", run.frames, 1u, 1'000'000u, "frames to run, each 1/30 s long");
  AddNumber(app, "--threads", run.threads, 1u, 64u, "threads of the pool");
  AddNumber<std::uint64_t>(app, "--seed", run.valley.seed, 0, ~std::uint64_t{0},
                           "of the valley and the goals");
  app.add_option("--terrain", run.valley.terrain, "elevation file")->capture_default_str();
  app.add_option("--svg", options.svg, "write the mesh and the tracks at the end as a picture");
  app.add_flag("--step-a-frame", step, "one stage of a build in each frame, not all in one task");
  if (const auto status = Parse(app, argc, argv)) return status;
  if (!options.svg.empty()) {
    if (const auto error = CheckOutputFile("--svg", options.svg)) return Complain(*error);
  }
  run.pace = step ? NavPace::kStepAFrame : NavPace::kBackground;
  return std::nullopt;
}

}  // namespace nowait
