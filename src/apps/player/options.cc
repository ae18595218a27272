#include "src/apps/player/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <string>

#include "src/apps/command_line/number.h"
#include "src/apps/command_line/output_file.h"
#include "src/apps/command_line/parse.h"
#include "src/apps/command_line/print.h"
#include "src/apps/player/scenes.h"
#include "src/sync/policy.h"

namespace nowait {
namespace {

constexpr std::uint32_t kHeadlessSeconds = 20;

int Complain(const std::string& what) {
  PrintError("play", what);
  return kUsage;
}

// The mistakes that CLI11 does not see: those of several options together.
std::string CheckTogether(const PlayerOptions& options) {
  const struct {
    std::string_view option;
    const std::string& path;
    bool is_read = false;  // and not written
  } files[] = {{"--from", options.from, true},    {"--terrain", options.terrain, true},
               {"--load", options.load, true},    {"--record", options.record},
               {"--export", options.export_page}, {"--state", options.state},
               {"--trace", options.trace},        {"--save", options.save},
               {"--paths", options.paths}};
  if (options.planted != Planted::kNone && options.threads < 2) {
    return "--planted needs two threads or more";
  }
  if (!options.from.empty() && (!options.record.empty() || !options.state.empty() ||
                                !options.trace.empty() || !options.save.empty())) {
    return "--from runs nothing: it goes with --export and --paths alone";
  }
  if (!options.watch.empty()) {
    const bool others = !options.from.empty() || !options.state.empty() || !options.trace.empty() ||
                        !options.save.empty() || !options.load.empty() || !options.compare.empty();
    if (others || (options.record.empty() && options.export_page.empty())) {
      return "--watch runs nothing: it goes with --record or --export, and with no other file";
    }
  }
  if (options.from.empty() && !options.paths.empty()) {
    return "--paths reads a recording: it goes with --from";
  }
  const bool writes = !options.record.empty() || !options.export_page.empty() ||
                      !options.state.empty() || !options.trace.empty() || !options.save.empty();
  if (!options.compare.empty() && (writes || !options.from.empty())) {
    return "--compare runs nothing: it goes with no other file";
  }
  if (!options.load.empty() && (!options.compare.empty() || !options.from.empty())) {
    return "--load goes on with a run: neither with --from nor with --compare";
  }
  for (const auto& [option, path, is_read] : files) {
    if (path.empty() || is_read) continue;
    for (const auto& [other, same, _] : files) {
      if (option == other) break;
      if (path == same) return fmt::format("{} and {} name the same file: {}", other, option, path);
    }
    if (const auto wrong = CheckOutputFile(option, path)) return *wrong;
  }
  return {};
}

}  // namespace

std::expected<PlayerOptions, int> ParsePlayerOptions(int argc, char** argv) {
  PlayerOptions options;
  options.threads = std::clamp(EngineSync::HardwareConcurrency(), 1u, 8u);
  std::uint32_t bodies = 0;
  CLI::App app("Runs a scene and shows it in a browser, or records it.", "play");
  app.set_help_flag("-h,--help", "print this and exit");
  std::string names;
  for (const std::string& name : SceneNames()) names += (names.empty() ? "" : ", ") + name;
  app.add_option("SCENE", options.scene, names)
      ->capture_default_str()
      ->type_name("")
      ->check([&names](const std::string& text) {
        return IsScene(text) ? ""
                             : fmt::format("there is no scene '{}'; there are {}", text, names);
      });
  AddNumber(app, "--bodies", bodies, 0u, PlayerOptions::kMaxBodies,
            "bodies that can move; 0: as many as the scene is made for");
  AddNumber(app, "--lamps", options.lamps, 0u, PlayerOptions::kMaxLamps,
            "bodies that carry a lamp; with one it is dusk");
  AddNumber<std::uint64_t>(app, "--seed", options.seed, 0, ~std::uint64_t{0},
                           "from which sizes and places are drawn");
  AddNumber(app, "--threads", options.threads, 1u, PlayerOptions::kMaxThreads,
            "threads that run the physics update");
  AddNumber(app, "--seconds", options.seconds, 0u, PlayerOptions::kMaxSeconds,
            "ends after so long; 0: Ctrl-C ends it");
  AddNumber<std::uint16_t>(app, "--port", options.port, 0, 65'535,
                           "of the page, on 127.0.0.1; 0: one that is free");
  std::string planted;
  std::string problems;
  for (const std::string& name : PlantedNames()) problems += (problems.empty() ? "" : ", ") + name;
  app.add_option("--planted", planted, "a problem in each frame, to be found: " + problems)
      ->type_name("NAME")
      ->check([&problems](const std::string& text) {
        return PlantedOf(text) != Planted::kNone
                   ? ""
                   : fmt::format("there is no planted '{}'; there are {}", text, problems);
      });
  app.add_flag("--headless", options.headless,
               fmt::format("no page and no clock: computes --seconds of the scene ({} if they are "
                           "not given) and ends",
                           kHeadlessSeconds));
  app.add_option("--terrain", options.terrain, "elevation file of the scenes terrain and shapes")
      ->capture_default_str()
      ->type_name("FILE");
  app.add_option("--record", options.record, "write the run there (docs/live-wire.md)")
      ->type_name("FILE");
  app.add_option("--export", options.export_page,
                 "write the run there as one page that works from a disk")
      ->type_name("FILE.html");
  AddNumber(app, "--record-mib", options.record_mib, 1u, PlayerOptions::kMaxRecordMib,
            "size at which the recording ends, in MiB; the run goes on");
  app.add_flag("--structures", options.structures,
               "the recording has the boxes of the trees, the links of the islands and the thread "
               "that moved each body, too");
  app.add_option("--from", options.from,
                 "run nothing; read such a recording, and export it or say what is in it")
      ->type_name("FILE");
  app.add_option("--watch", options.watch,
                 "run nothing; record the program whose page has this address, with --record or "
                 "--export, until it ends, or for --seconds")
      ->type_name("ADDRESS");
  app.add_option("--paths", options.paths,
                 "with --from: write the critical path of each frame there, and what it would have "
                 "taken with other priorities, as JSON")
      ->type_name("FILE");
  app.add_option("--proofs", options.proofs,
                 "show what ./nowait gallery and ./nowait check have written below this folder")
      ->capture_default_str()
      ->type_name("DIR");
  app.add_option("--state", options.state, "write the bodies as they are at the end there, as JSON")
      ->type_name("FILE");
  app.add_option("--trace", options.trace,
                 "write a hash of each body in each frame there, to be compared")
      ->type_name("FILE");
  app.add_option("--save", options.save, "write the scene as it is at the end there, for --load")
      ->type_name("FILE");
  CLI::Option* const load =
      app.add_option("--load", options.load, "go on with the run that wrote this file")
          ->type_name("FILE");
  // The file has its own.
  for (const char* const option : {"SCENE", "--bodies", "--seed"}) {
    load->excludes(app.get_option(option));
  }
  app.add_option("--compare", options.compare,
                 "run nothing; say in which frame and body two traces first differ")
      ->type_name("FILE FILE")
      ->expected(2);
  if (const auto status = Parse(app, argc, argv)) return std::unexpected(*status);
  if (bodies > 0) options.bodies = bodies;
  options.planted = PlantedOf(planted);
  if (options.headless && options.seconds == 0) options.seconds = kHeadlessSeconds;
  if (const std::string wrong = CheckTogether(options); !wrong.empty()) {
    return std::unexpected(Complain(wrong));
  }
  return options;
}

}  // namespace nowait
