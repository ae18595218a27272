// From contacts to islands: linked while they are found and finalised, beside the way that was
// usual before: a flood fill over the contacts, all on one thread.
//
// Each thread links a share of the contacts (island_scenes.h: which), the ones of neighbouring
// bodies, as the threads of the physics update do until they run out of their own. Both ways give
// islands as flat lists. The flood fill need not sort its islands and ours must; its time includes
// bringing the contacts into the order of bodies, because no body knows its contacts.
//
//   union      the linking, on N threads; a game has it inside its narrow phase. A thread that
//              meets a body that sleeps wakes it, in this time
//   serial     what is left for one thread: making the last step's bodies sets of their own again,
//              noting the awake bodies, listing those awake in the end, and Finalise; of the flood
//              fill, all
//   total      both
//
// Both ways run in turn, again and again, in one process; ratios are medians over pairs.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "src/base/report.h"
#include "src/islands/awake_set.h"
#include "src/islands/finalise.h"
#include "src/islands/find_stats.h"
#include "src/islands/flood_fill.h"
#include "src/islands/union_find.h"
#include "tests/bench/crew.h"
#include "tests/bench/game_frames.h"
#include "tests/bench/island_scenes.h"
#include "tests/bench/samples.h"
#include "tests/bench/scene_options.h"

namespace nowait {
namespace {

struct Options {
  std::string scene = "heaps";
  std::string terrain = "assets/terrain/jacksboro.elevation";
  std::uint32_t bodies = 0;
  std::uint32_t threads = 2;
  std::uint32_t rounds = 300;
  std::string json;
};

using Pair = FloodFill::Pair;

struct alignas(64) OfThread {
  std::vector<std::uint32_t> woken;  // listed, as the update does, for the next round
  FindStats stats;
};

// Ours, as src/world/collide_stage.h does it.
class Linking {
 public:
  Linking(const IslandScene& scene, int threads)
      : scene_(scene),
        crew_(threads),
        sets_(scene.bodies()),
        awake_(scene.bodies()),
        of_threads_(static_cast<std::size_t>(threads)) {
    for (std::uint32_t body = 0; body < scene.bodies(); ++body) {
      if (scene.awake_at_start[body] != 0) at_start_.push_back(body);
    }
  }

  void Start() {
    sets_.Reset(slots_);
    awake_.Clear();
    for (const std::uint32_t body : at_start_) awake_.Add(body);
  }

  void Link(bool counted) {
    const std::size_t threads = of_threads_.size();
    crew_.Run([&](int thread) {
      const auto mine = static_cast<std::size_t>(thread);
      OfThread& own = of_threads_[mine];
      const std::size_t begin = scene_.contacts.size() * mine / threads;
      const std::size_t end = scene_.contacts.size() * (mine + 1) / threads;
      for (std::size_t i = begin; i < end; ++i) {
        LinkOne(scene_.contacts[i], own, counted ? &own.stats : nullptr);
      }
    });
  }

  const Islands& Finish() {
    for (OfThread& one : of_threads_) one.woken.clear();
    awake_.List(slots_);
    return builder_.Finalise(sets_, slots_);
  }

  FindStats stats() const {
    FindStats sum;
    for (const OfThread& one : of_threads_) sum += one.stats;
    return sum;
  }

 private:
  void LinkOne(const Pair& contact, OfThread& mine, FindStats* stats) {
    for (const std::uint32_t body : {contact.first, contact.second}) {
      if (awake_.Wake(body)) mine.woken.push_back(body);
    }
    sets_.Union(contact.first, contact.second, stats);
  }

  const IslandScene& scene_;
  std::vector<std::uint32_t> at_start_;  // the awake bodies
  Crew crew_;
  UnionFind<> sets_;
  AwakeSet<> awake_;
  std::vector<OfThread> of_threads_;
  std::vector<std::uint32_t> slots_;  // of the bodies that take part
  IslandBuilder builder_;
};

Result<IslandScene> SceneOf(const Options& options) {
  if (options.scene == "demo") {
    return RecordDemo(options.terrain, options.bodies != 0 ? options.bodies : 2000);
  }
  return MakeHeaps(options.bodies != 0 ? options.bodies : 16384);
}

int Run(const Options& options) {
  const Result<IslandScene> scene = SceneOf(options);
  if (!scene) {
    fmt::print(stderr, "islands: {}\n", ToString(scene.error()));
    return 1;
  }
  const std::vector<Pair>& contacts = scene->contacts;
  Linking linking(*scene, static_cast<int>(options.threads));
  FloodFill flood;

  Samples link_us, serial_us, flood_us, serial_ratio, total_ratio;
  std::uint32_t islands = 0;
  for (std::uint32_t round = 0; round < options.rounds; ++round) {
    auto start = BenchClock::now();
    linking.Start();
    double serial = MicrosecondsSince(start);
    start = BenchClock::now();
    linking.Link(false);
    const double link = MicrosecondsSince(start);
    start = BenchClock::now();
    const Islands& ours = linking.Finish();
    serial += MicrosecondsSince(start);
    start = BenchClock::now();
    flood.Run(scene->bodies(), contacts);
    const double filled = MicrosecondsSince(start);
    if (ours.starts != flood.starts()) {
      fmt::print(stderr, "islands: the two ways found different islands\n");
      return 1;
    }
    islands = ours.count();
    link_us.Add(link);
    serial_us.Add(serial);
    flood_us.Add(filled);
    serial_ratio.Add(serial / filled);
    total_ratio.Add((link + serial) / filled);
  }
  // Counted apart: counting takes time.
  linking.Start();
  linking.Link(true);
  const FindStats stats = linking.stats();
  const auto awake = std::count(scene->awake_at_start.begin(), scene->awake_at_start.end(), 1);

  const double unions = static_cast<double>(contacts.size());
  fmt::print("{}: {} bodies, {} of them woken, {} contacts, {} islands, {} threads\n",
             options.scene, scene->bodies(), scene->bodies() - awake, contacts.size(), islands,
             options.threads);
  fmt::print("union                 {:>9.4f} us each, {:.1f} us in all\n",
             link_us.Median() / unions, link_us.Median());
  fmt::print("find                  {:>9.2f} links followed on average\n", stats.mean_steps());
  fmt::print("serial, ours          {:>9.1f} us\n", serial_us.Median());
  fmt::print("serial, flood fill    {:>9.1f} us\n", flood_us.Median());
  fmt::print("serial ratio          {:>9.2f}\n", serial_ratio.Median());
  fmt::print("total ratio           {:>9.2f}\n", total_ratio.Median());
  if (options.json.empty()) return 0;
  Json report = NewReport("bench-islands", 2);
  report["cpus"] = std::thread::hardware_concurrency();
  report["scene"] = options.scene;
  report["bodies"] = scene->bodies();
  report["woken"] = scene->bodies() - awake;
  report["contacts"] = contacts.size();
  report["islands"] = islands;
  report["threads"] = options.threads;
  report["rounds"] = options.rounds;
  report["union_us"] = link_us.Median() / unions;
  report["serial_us"] = serial_us.Median();
  report["flood_fill_us"] = flood_us.Median();
  report["serial_ratio"] = serial_ratio.Median();
  report["total_ratio"] = total_ratio.Median();
  report["mean_find_steps"] = stats.mean_steps();
  report["find_histogram"] = stats.histogram;
  if (!WriteReport(options.json, report)) {
    fmt::print(stderr, "islands: {} cannot be written\n", options.json);
    return 1;
  }
  return 0;
}

}  // namespace
}  // namespace nowait

int main(int argc, char** argv) {
  nowait::Options options;
  CLI::App app("From contacts to islands, beside a flood fill on one thread.", "islands");
  app.add_option("--scene", options.scene, "heaps, or demo: a step of the demo's")
      ->capture_default_str()
      ->check(CLI::IsMember({"heaps", "demo"}));
  app.add_option("--terrain", options.terrain, "of the demo: elevation file")
      ->capture_default_str();
  nowait::AddCount(app, "--bodies", options.bodies, 0, 1u << 21,
                   "bodies; 0: 16,384, in the demo 2,000");
  nowait::AddCount(app, "--threads", options.threads, 1, 64, "threads that link");
  nowait::AddCount(app, "--rounds", options.rounds, 1, 100000, "how often each way is run");
  nowait::AddJson(app, options.json, "docs/bench-islands-json.md");
  if (const auto status = nowait::ParseScene(app, argc, argv)) return *status;
  return nowait::Run(options);
}
