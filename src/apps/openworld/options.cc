#include "src/apps/openworld/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "src/apps/command_line/number.h"
#include "src/apps/command_line/parse.h"
#include "src/apps/command_line/print.h"
#include "src/sync/policy.h"

namespace nowait {
namespace {

constexpr const char* kName = "openworld";

}  // namespace

std::expected<OpenWorldOptions, int> ParseOptions(int argc, char** argv) {
  OpenWorldOptions options;
  options.threads = std::clamp(EngineSync::HardwareConcurrency(), 1u, 8u);
  CLI::App app("A ride through an open world that is loaded and let go around the player.", kName);
  app.set_help_flag("-h,--help", "print this and exit");
  AddNumber(app, "--seconds", options.seconds, 1u, OpenWorldOptions::kMaxSeconds,
            "of the ride, at 30 frames a second");
  AddNumber(app, "--threads", options.threads, 1u, OpenWorldOptions::kMaxThreads,
            "threads that run the frames, beside those of the disk and the clock");
  AddNumber(app, "--steps", options.steps, 1u, 2u, "physics steps in a frame");
  AddNumber<std::uint64_t>(app, "--seed", options.seed, 0, ~std::uint64_t{0},
                           "of the places of objects and scenes, and of the ride");
  AddNumber(app, "--replay", options.replay, 0u, 600u,
            "frames after which each load is there, for the same state with any number of threads; "
            "0: as soon as it can");
  AddNumber(app, "--slow-disk", options.slow_disk, 0u, 10'000u,
            "milliseconds that each read takes longer");
  app.add_flag("--unpaced", options.unpaced, "frames without a pause, not 30 a second");
  CLI::Option* const park = app.add_flag("--park-worker", options.park_worker,
                                         "hold up one of the threads from beginning to end");
  app.add_flag("--make-tiles", options.make_tiles, "make the tiles and scenes anew, and no ride");
  app.add_option("--terrain", options.terrain, "elevation file (src/resource/elevation.h)")
      ->capture_default_str()
      ->type_name("FILE");
  app.add_option("--world", options.world, "folder with world.json and the scenes that it names")
      ->capture_default_str()
      ->type_name("DIR");
  app.add_option("--tiles", options.tiles, "folder for the tiles and scenes that are made from it")
      ->capture_default_str()
      ->type_name("DIR");
  app.add_option("--map", options.map, "SVG picture of the ride; '' for no picture")
      ->capture_default_str()
      ->type_name("FILE");
  app.add_option("--before", options.before,
                 "ride twice, first as engines did before: one lock round the tree, loads that a "
                 "frame waits for, islands by a flood fill; a table, and an SVG picture of both")
      ->type_name("FILE");
  app.add_option("--scaling", options.scaling,
                 "ride twice, with one thread and with two, and compute what more would do; a "
                 "table, and an SVG picture; as --replay 4 and --unpaced")
      ->type_name("FILE")
      ->excludes("--before")
      ->excludes(park);
  if (const auto status = Parse(app, argc, argv)) return std::unexpected(*status);
  if (options.park_worker && options.threads < 2) {
    PrintError(kName, "--park-worker needs --threads of two or more");
    return std::unexpected(kUsage);
  }
  return options;
}

}  // namespace nowait
