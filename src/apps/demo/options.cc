#include "src/apps/demo/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>

#include "src/apps/command_line/number.h"
#include "src/apps/command_line/parse.h"
#include "src/sync/policy.h"

namespace nowait {

std::expected<DemoOptions, int> ParseOptions(int argc, char** argv) {
  DemoOptions options;
  options.threads = std::clamp(EngineSync::HardwareConcurrency(), 1u, 8u);
  CLI::App app("Bodies fall on measured terrain while game threads query and change the world.",
               "demo");
  app.set_help_flag("-h,--help", "print this and exit");
  AddNumber(app, "--threads", options.threads, 1u, DemoOptions::kMaxThreads,
            "threads that run the physics update");
  AddNumber(app, "--game-threads", options.game_threads, 0u, DemoOptions::kMaxGameThreads,
            "threads that use the world between updates; with 0 the state hash is the same for "
            "every --threads");
  AddNumber(app, "--riders", options.riders, 0u, DemoOptions::kMaxRiders,
            "game objects that the physics threads update between updates, with a horse each");
  AddNumber(app, "--frames", options.frames, 1u, DemoOptions::kMaxFrames,
            "frames to run, of two steps of 1/60 s each");
  AddNumber(app, "--bodies", options.bodies, 1u, DemoOptions::kMaxBodies, "bodies that fall");
  AddNumber(app, "--figures", options.figures, 0u, DemoOptions::kMaxFigures,
            "figures of eleven bodies on joints that fall as well");
  AddNumber<std::uint64_t>(app, "--seed", options.seed, 0, ~std::uint64_t{0},
                           "from which sizes and places are drawn");
  app.add_option("--terrain", options.terrain, "elevation file (src/resource/elevation.h)")
      ->capture_default_str()
      ->type_name("FILE");
  app.add_option("--pictures", options.pictures, "folder for the SVG pictures; '' for no pictures")
      ->capture_default_str()
      ->type_name("DIR");
  app.add_option("--json", options.json, "write the results there (docs/demo-json.md)")
      ->type_name("FILE");
  app.add_option("--trace", options.trace, "write a Chrome trace there, a lane a thread")
      ->type_name("FILE");
  app.add_option("--events", options.events, "write what happened there, a blob a frame")
      ->type_name("FILE");
  app.add_option("--replay", options.replay, "run nothing; read such a file and say what happened")
      ->type_name("FILE");
  if (const auto status = Parse(app, argc, argv)) return std::unexpected(*status);
  return options;
}

}  // namespace nowait
