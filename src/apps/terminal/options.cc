#include "src/apps/terminal/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>

#include "src/apps/command_line/number.h"
#include "src/apps/command_line/parse.h"
#include "src/apps/command_line/print.h"
#include "src/apps/player/scenes.h"
#include "src/sync/policy.h"

namespace nowait {
namespace {

constexpr const char* kName = "terminal";
constexpr std::string_view kKeys =
    "Keys: q the end; space stand, or go on; s one frame; arrows turn; + and - closer and farther "
    "away; t throw a ball; w wake the body in the middle; x see through bodies.";

std::unexpected<int> Complain(std::string_view what) {
  PrintError(kName, what);
  return std::unexpected(kUsage);
}

}  // namespace

std::expected<TerminalOptions, int> ParseTerminalOptions(int argc, char** argv, bool shows) {
  TerminalOptions options;
  options.threads = std::clamp(EngineSync::HardwareConcurrency(), 1u, 8u);
  std::uint32_t bodies = 0;
  CLI::App app("Shows a scene in the terminal; without a terminal, its last frame.", kName);
  app.set_help_flag("-h,--help", "print this and exit");
  app.footer(std::string(kKeys));
  std::string names;
  for (const std::string& name : SceneNames()) names += (names.empty() ? "" : ", ") + name;
  app.add_option("SCENE", options.scene, names)
      ->capture_default_str()
      ->type_name("")
      ->check([&names](const std::string& text) {
        return IsScene(text) ? ""
                             : fmt::format("there is no scene '{}'; there are {}", text, names);
      });
  AddNumber(app, "--bodies", bodies, 0u, TerminalOptions::kMaxBodies,
            "bodies that can move; 0: as many as the scene is made for");
  AddNumber<std::uint64_t>(app, "--seed", options.seed, 0, ~std::uint64_t{0},
                           "from which sizes and places are drawn");
  AddNumber(app, "--threads", options.threads, 1u, TerminalOptions::kMaxThreads,
            "threads that run the frames and paint");
  AddNumber(app, "--frames", options.frames, 0u, TerminalOptions::kMaxFrames,
            "ends after so many, 30 a second; 0: q ends it");
  AddNumber(app, "--columns", options.columns, 2u, 400u, "of the picture, without a terminal");
  AddNumber(app, "--rows", options.rows, 1u, 200u, "of the picture, without a terminal");
  app.add_flag("--painter", options.painter,
               "one worker paints, and the frames have the others to themselves");
  app.add_flag("--through", options.through, "bodies are counted along each ray, as by key x");
  app.add_option("--terrain", options.terrain, "elevation file of the scenes terrain and shapes")
      ->capture_default_str()
      ->type_name("FILE");
  if (const auto status = Parse(app, argc, argv)) return std::unexpected(*status);
  if (bodies > 0) options.bodies = bodies;
  if (options.painter && options.threads < 2) {
    return Complain("--painter needs --threads of two or more");
  }
  if (!shows && options.frames == 0) {
    return Complain("--frames is needed where no terminal shows the scene");
  }
  return options;
}

}  // namespace nowait
