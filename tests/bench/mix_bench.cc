// The open-world mix: ray casts and moves from several threads while scenes come and go.
//
// A world 1,352 m square with 16,000 static and 4,000 dynamic boxes of half extent 1 at random
// places, y in 0..20, nobody awake, the tree fully built. Frames: a game phase of 8 ms, then one
// physics update, which is the tree's rebuild and swap here, because nobody moves in it. In the
// game phase each thread repeats 8 ray casts (closest hit) and 2 moves of bodies of its own by up
// to 0.5 m in x and z, through the body lock. One more thread prepares and finalises a batch of 700
// static boxes in one frame and removes it in the next.
//
// "ours" has 32 body locks; "one lock" is the same tree under one reader-writer lock. Both run in
// turn in one process, so that a slow second of the machine meets both; ratios are medians over the
// rounds. Seeded: the scene is the same in each.
#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "src/base/report.h"
#include "src/math/random.h"
#include "tests/bench/game_frames.h"
#include "tests/bench/open_world.h"
#include "tests/bench/open_world_locks.h"
#include "tests/bench/open_world_tree.h"
#include "tests/bench/samples.h"
#include "tests/bench/scene_options.h"

namespace nowait {
namespace {

constexpr float kSide = 1352.0f;
constexpr std::uint32_t kStatics = 16000;
constexpr std::uint32_t kDynamics = 4000;
constexpr std::uint32_t kBatch = 700;
constexpr std::uint32_t kLocks = 32;
constexpr std::uint32_t kRays = 8;
constexpr std::uint32_t kMoves = 2;
constexpr std::uint64_t kSeed = 7;
constexpr std::array<std::uint32_t, 3> kThreads = {1, 2, 4};

struct Options {
  std::uint32_t frames = 400;
  std::uint32_t rounds = 3;
  std::string json;
};

// Static ones first, then dynamic ones, then the batch.
std::vector<OpenBody> MakeBodies() {
  Random random(kSeed);
  std::vector<OpenBody> bodies;
  for (std::uint32_t i = 0; i < kStatics + kDynamics + kBatch; ++i) {
    const bool dynamic = i >= kStatics && i < kStatics + kDynamics;
    bodies.push_back(OpenBodyAt(random.InBox({0, 0, 0}, {kSide, 20, kSide}), dynamic));
  }
  return bodies;
}

std::vector<std::uint32_t> Range(std::uint32_t begin, std::uint32_t end) {
  std::vector<std::uint32_t> range;
  for (std::uint32_t i = begin; i < end; ++i) range.push_back(i);
  return range;
}

struct Measured {
  double rays_per_second = 0.0;
  double moves_per_second = 0.0;
  std::uint64_t hits = 0;
  Samples prepare_us;
  Samples finalise_us;
  Samples remove_us;  // a body
  Samples wait_us;    // a thread and frame
  Samples update_us;
  bool complete = true;
};

// A game thread's own: no two of them share a cache line that they write.
struct alignas(64) Player {
  Random random{0};
  std::uint64_t rounds = 0;
  std::uint64_t hits = 0;
};

template <class Tree>
Measured RunMix(std::uint32_t threads, std::uint32_t frames) {
  Measured measured;
  Tree tree(MakeBodies(), kLocks);
  WaitTime setup;
  const auto add = [&](std::span<const std::uint32_t> bodies, WaitTime& wait) {
    auto start = BenchClock::now();
    auto prepared = tree.Prepare(bodies);
    measured.prepare_us.Add(MicrosecondsSince(start));
    if (!prepared) {
      measured.complete = false;
      return;
    }
    start = BenchClock::now();
    tree.Finalise(*prepared, wait);
    measured.finalise_us.Add(MicrosecondsSince(start));
  };
  add(Range(0, kStatics), setup);
  add(Range(kStatics, kStatics + kDynamics), setup);
  // Each update rebuilds one of the trees.
  tree.Update(setup);
  tree.Update(setup);
  measured = {};

  std::vector<Player> players(threads);
  for (std::uint32_t i = 0; i < threads; ++i) players[i].random = Random(kSeed + 1 + i);
  const auto round = [&](std::uint32_t thread, std::uint32_t, WaitTime& wait) {
    Player& player = players[thread];
    for (std::uint32_t i = 0; i < kRays; ++i) {
      if (tree.CastRay(OpenRay(player.random, kSide, kSide), wait)) ++player.hits;
    }
    for (std::uint32_t i = 0; i < kMoves; ++i) {
      // Shares in one piece each: interleaved ones would never meet at a lock.
      const std::uint32_t share = kDynamics / threads;
      const std::uint32_t body = kStatics + thread * share + player.random.Below(share);
      const Vec3 by = player.random.InBox({-0.5f, 0, -0.5f}, {0.5f, 0, 0.5f});
      tree.Move(body, tree.PositionOf(body) + by, wait);
    }
    ++player.rounds;
  };
  const std::vector<std::uint32_t> batch =
      Range(kStatics + kDynamics, kStatics + kDynamics + kBatch);
  bool there = false;
  const auto once = [&](std::uint32_t frame) {
    WaitTime wait;
    if (frame % 2 == 0) {
      add(batch, wait);
      there = measured.complete;
    } else if (there) {
      const auto start = BenchClock::now();
      tree.Remove(batch, wait);
      measured.remove_us.Add(MicrosecondsSince(start) / kBatch);
      there = false;
    }
  };
  const GameFramesResult frames_result =
      RunGameFrames({.threads = threads, .frames = frames}, round, once,
                    [&](WaitTime& wait) { tree.Update(wait); });
  measured.wait_us = frames_result.wait_us;
  measured.update_us = frames_result.update_us;
  std::uint64_t rounds = 0;
  for (const Player& player : players) {
    rounds += player.rounds;
    measured.hits += player.hits;
  }
  const double per_second = static_cast<double>(rounds) / frames_result.game_seconds;
  measured.rays_per_second = per_second * kRays;
  measured.moves_per_second = per_second * kMoves;
  return measured;
}

// The rounds of one variant with one number of threads.
struct Rounds {
  Samples rays, moves, prepare, finalise, remove, wait, update;

  void Add(const Measured& one) {
    rays.Add(one.rays_per_second);
    moves.Add(one.moves_per_second);
    prepare.Add(one.prepare_us);
    finalise.Add(one.finalise_us);
    remove.Add(one.remove_us);
    wait.Add(one.wait_us);
    update.Add(one.update_us);
  }
};

Json Said(const Samples& samples) {
  return {{"mean_us", samples.Mean()},
          {"median_us", samples.Median()},
          {"p99_us", samples.Percentile(99)},
          {"max_us", samples.Max()}};
}

Json ToJson(const std::string& who, std::uint32_t threads, const Rounds& rounds) {
  Json json;
  json["who"] = who;
  json["threads"] = threads;
  json["ray_casts_per_second"] = rounds.rays.Median();
  json["moves_per_second"] = rounds.moves.Median();
  json["prepare"] = Said(rounds.prepare);
  json["finalise"] = Said(rounds.finalise);
  json["remove_body"] = Said(rounds.remove);
  json["wait"] = Said(rounds.wait);
  json["update"] = Said(rounds.update);
  return json;
}

void Print(const std::string& who, std::uint32_t threads, const Rounds& rounds) {
  fmt::print("{:<10}{:>8}{:>12.0f}{:>12.0f}{:>11.1f}{:>11.2f}{:>11.2f}{:>11.3f}{:>12.2f}\n", who,
             threads, rounds.rays.Median(), rounds.moves.Median(), rounds.prepare.Median(),
             rounds.finalise.Median(), rounds.finalise.Percentile(99), rounds.remove.Median(),
             rounds.wait.Mean());
}

int Run(const Options& options) {
  Json report = NewReport("bench-mix", 1);
  report["cpus"] = std::thread::hardware_concurrency();
  report["frames"] = options.frames;
  report["rounds"] = options.rounds;
  report["seed"] = kSeed;
  fmt::print("{:<10}{:>8}{:>12}{:>12}{:>11}{:>11}{:>11}{:>11}{:>12}\n", "", "threads",
             "ray casts/s", "moves/s", "prepare us", "finalise us", "its p99", "remove us",
             "wait us");
  for (const std::uint32_t threads : kThreads) {
    Rounds ours, one_lock;
    Samples ray_ratios;
    for (std::uint32_t round = 0; round < options.rounds; ++round) {
      const Measured a = RunMix<OpenWorldTree<StripedLocks>>(threads, options.frames);
      const Measured b = RunMix<OpenWorldTree<OneLock>>(threads, options.frames);
      if (!a.complete || !b.complete) {
        fmt::print(stderr, "mix: the tree has no nodes left\n");
        return 1;
      }
      if (a.hits == 0 || b.hits == 0) {
        fmt::print(stderr, "mix: no ray hit anything\n");
        return 1;
      }
      ours.Add(a);
      one_lock.Add(b);
      ray_ratios.Add(a.rays_per_second / b.rays_per_second);
    }
    Print("ours", threads, ours);
    Print("one lock", threads, one_lock);
    fmt::print("{:<10}{:>8}{:>12.2f}\n", "ratio", threads, ray_ratios.Median());
    std::fflush(stdout);
    report["results"].push_back(ToJson("ours", threads, ours));
    report["results"].push_back(ToJson("one lock", threads, one_lock));
    report["ratios"].push_back({{"threads", threads}, {"ray_casts_ratio", ray_ratios.Median()}});
  }
  if (!options.json.empty()) {
    if (Result<void> written = WriteReport(options.json, report); !written) {
      fmt::print(stderr, "mix: {} cannot be written\n", options.json);
      return 1;
    }
  }
  return 0;
}

}  // namespace
}  // namespace nowait

int main(int argc, char** argv) {
  nowait::Options options;
  CLI::App app("Ray casts and moves over 20,000 boxes, while 700 of them come and go.", "mix");
  nowait::AddCount(app, "--frames", options.frames, 2, 100000, "frames of each run");
  nowait::AddCount(app, "--rounds", options.rounds, 1, 1000, "how often each run is repeated");
  nowait::AddJson(app, options.json, "docs/bench-mix-json.md");
  if (const auto status = nowait::ParseScene(app, argc, argv)) return *status;
  return nowait::Run(options);
}
