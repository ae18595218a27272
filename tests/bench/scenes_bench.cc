// The peers' scenes: steps a second of this engine beside Bullet and ODE, and the physical errors
// of each beside its speed; the time of our phases; the cost of a body as there are more of them,
// and memory. scene_engine.h has the settings, outcome.h the errors, scene_results.h the ratios.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "src/apps/command_line/interruption.h"
#include "src/apps/peer_scenes/peer_scene.h"
#include "src/base/report.h"
#include "tests/bench/scene_options.h"
#include "tests/bench/scene_results.h"
#include "tests/bench/scene_run.h"
#include "tests/bench/scene_sizes.h"

namespace nowait {
namespace {

constexpr int kInterrupted = 130;
constexpr std::string_view kSizes = "sizes";

struct Options {
  std::vector<std::string> scenes;
  std::uint32_t steps = 0;
  std::uint32_t rounds = 3;
  std::uint32_t threads = 2;
  bool alone = false;
  std::string json;
};

int Complain(std::string_view about, const Error& error) {
  fmt::print(stderr, "scenes: {}: {}\n", about, ToString(error));
  return 1;
}

std::vector<Variant> VariantsOf(const Options& options) {
  std::vector<Variant> variants;
  for (std::uint32_t threads = 1; threads <= options.threads; threads *= 2) {
    variants.push_back({Engine::kOurs, threads});
    if (options.alone) continue;
    if (threads == 1) variants.push_back({Engine::kBullet, 1});
    variants.push_back({Engine::kOde, threads});
  }
  return variants;
}

// The exit status, if the program has to end with it. results: as far as the rounds went.
std::optional<int> RunRounds(const Options& options, const PeerScene& scene, std::uint32_t steps,
                             SceneResults& results) {
  for (std::uint32_t round = 1; round <= options.rounds; ++round) {
    std::vector<SceneRun> runs;
    for (const auto [engine, threads] : VariantsOf(options)) {
      fmt::print(stderr, "scenes: {}, round {} of {}: {}, {} thread{}\n", scene.name, round,
                 options.rounds, NameOf(engine), threads, threads == 1 ? "" : "s");
      const Result<SceneRun> run = RunScene(engine, scene, steps, threads);
      if (!run) return Complain(fmt::format("{}, {}", scene.name, NameOf(engine)), run.error());
      if (run->interrupted) return kInterrupted;
      runs.push_back(*run);
    }
    results.AddRound(runs);
  }
  if (results.SameHashes()) return std::nullopt;
  fmt::print(stderr, "scenes: {}: our state depends on the number of threads\n", scene.name);
  return 1;
}

std::optional<int> RunOne(const Options& options, const PeerShapes& shapes, const std::string& name,
                          Json& report) {
  const Result<PeerScene> scene = MakePeerScene(name, shapes);
  if (!scene) return Complain(name, scene.error());
  const std::uint32_t steps = options.steps == 0 ? scene->steps : options.steps;
  SceneResults results(*scene, steps, VariantsOf(options));
  const std::optional<int> status = RunRounds(options, *scene, steps, results);
  if (results.rounds() == 0) return status;
  results.Print();
  report["scenes"].push_back(results.ToJson());
  return status;
}

std::optional<int> RunSizes(const Options& options, const PeerShapes& shapes, Json& report) {
  fmt::print(stderr, "scenes: memory and time by size\n");
  const Result<MemoryResult> memory = MemoryOfParts(shapes);
  if (!memory) return Complain("memory", memory.error());
  fmt::print("memory: {:.0f} bytes a body, {:.0f} bytes a contact\n", memory->bytes_a_body,
             memory->bytes_a_contact);
  report["memory"] = {{"body_bytes", memory->bytes_a_body},
                      {"contact_bytes", memory->bytes_a_contact}};
  for (std::uint32_t threads = 1; threads <= options.threads; threads *= 2) {
    const Result<std::vector<SizeResult>> sizes = TimeBySize(shapes, options.rounds, threads);
    if (!sizes) return Complain(kSizes, sizes.error());
    if (sizes->empty()) return kInterrupted;
    for (const SizeResult& size : *sizes) {
      fmt::print("{:>7} bodies, {} thread{}: {:.3f} us a body and step, {:.2f} of the fewest\n",
                 size.bodies, threads, threads == 1 ? "" : "s", size.us_a_body,
                 size.us_a_body / sizes->front().us_a_body);
      report["sizes"].push_back(
          {{"bodies", size.bodies}, {"threads", threads}, {"body_us", size.us_a_body}});
    }
    std::fflush(stdout);
  }
  return std::nullopt;
}

int Run(const Options& options) {
  CatchInterrupts();
  const Result<PeerShapes> made = MakePeerShapes();
  if (!made) return Complain("shapes", made.error());
  const PeerShapes& shapes = *made;
  Json report = NewReport("bench-scenes", 1);
  report["cpus"] = std::thread::hardware_concurrency();
  report["rounds"] = options.rounds;
  report["scenes"] = Json::array();
  report["sizes"] = Json::array();
  std::optional<int> status;
  for (const std::string& name : options.scenes) {
    status =
        name == kSizes ? RunSizes(options, shapes, report) : RunOne(options, shapes, name, report);
    if (status) break;
  }
  // An interrupted run writes what it has; one that failed writes nothing.
  if (!options.json.empty() && status.value_or(0) != 1) {
    if (Result<void> written = WriteReport(options.json, report); !written) {
      fmt::print(stderr, "scenes: {} cannot be written\n", options.json);
      return 1;
    }
  }
  return status.value_or(0);
}

}  // namespace
}  // namespace nowait

int main(int argc, char** argv) {
  nowait::Options options;
  std::vector<std::string> names = nowait::PeerSceneNames();
  names.emplace_back(nowait::kSizes);
  std::string listed;
  for (const std::string& name : names) listed += (listed.empty() ? "" : ", ") + name;
  CLI::App app("The scenes of other physics engines, by this one, Bullet and ODE.", "scenes");
  app.add_option("SCENE", options.scenes, "of: " + listed + "; without one, all")
      ->type_name("")
      ->check([&](const std::string& text) {
        return std::ranges::find(names, text) != names.end()
                   ? std::string{}
                   : fmt::format("there is no scene '{}'; there are {}", text, listed);
      });
  nowait::AddCount(app, "--steps", options.steps, 0, 100000,
                   "steps of each run, 2 or more; 0: as many as the scene's authors run");
  nowait::AddCount(app, "--rounds", options.rounds, 1, 1000, "how often each run is repeated");
  nowait::AddCount(app, "--threads", options.threads, 1, 64,
                   "runs with 1, 2, 4, ... threads, up to so many");
  app.add_flag("--alone", options.alone, "without Bullet and ODE");
  nowait::AddJson(app, options.json, "docs/bench-scenes-json.md");
  if (const auto status = nowait::ParseScene(app, argc, argv)) return *status;
  if (options.steps == 1) {
    std::fputs("scenes: --steps: the first step of some scenes is not timed: 2 or more\n", stderr);
    return 2;
  }
  if (options.scenes.empty()) options.scenes = names;
  return nowait::Run(options);
}
