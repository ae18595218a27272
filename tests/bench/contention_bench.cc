// How long threads wait for locks in a game over a streamed world (contention_run.h), before and
// after the change that [rouwe2022] describes.
//
//   one lock   one reader-writer lock round our tree and its bodies
//   1 .. 64    our tree with as many body locks
//   Bullet     btDbvt under one reader-writer lock (bullet_tree.h)
//
// All run in turn in one process, in each of several rounds, so that a slow second of the machine
// meets all of them. Waits are of a game thread in a frame, over all rounds; rates are medians of
// the rounds; ratios are of the same round each, and their medians. Seeded. Beside that: which part
// of a query the body locks are, by the same queries with and without them, on one thread.
#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "src/base/report.h"
#include "src/math/random.h"
#include "tests/bench/bullet_tree.h"
#include "tests/bench/contention_run.h"
#include "tests/bench/contention_world.h"
#include "tests/bench/game_frames.h"
#include "tests/bench/open_world_locks.h"
#include "tests/bench/open_world_tree.h"
#include "tests/bench/samples.h"
#include "tests/bench/scene_options.h"

namespace nowait {
namespace {

struct Options {
  ContentionDef run;
  std::uint32_t rounds = 5;
  std::string json;
};

struct Variant {
  std::string name;
  std::uint32_t locks;
  ContentionResult (*run)(const ContentionDef& def, std::uint32_t locks);
};

template <class Tree>
ContentionResult RunOn(const ContentionDef& def, std::uint32_t locks) {
  return ContentionRun<Tree>(def, locks).Run();
}

std::vector<Variant> Variants() {
  std::vector<Variant> variants = {{"one lock", 0, &RunOn<OpenWorldTree<OneLock>>}};
  for (std::uint32_t locks = 1; locks <= 64; locks *= 2) {
    variants.push_back({fmt::format("{} body lock{}", locks, locks > 1 ? "s" : ""), locks,
                        &RunOn<OpenWorldTree<StripedLocks>>});
  }
  variants.push_back({"Bullet, one lock", 0, &RunOn<BulletTree>});
  return variants;
}

// The rounds of one variant.
struct Rounds {
  Samples wait, mean_wait, load, unload, update, area, area_wait, queries, updates;

  void Add(const ContentionResult& one) {
    wait.Add(one.wait_us);
    mean_wait.Add(one.wait_us.Mean());
    load.Add(one.load_us);
    unload.Add(one.unload_us);
    update.Add(one.update_us);
    area.Add(one.area_us);
    area_wait.Add(one.area_wait_us);
    queries.Add(one.queries_per_second);
    updates.Add(one.updates_per_second);
  }
};

// The part of their time that the body locks are.
struct LockShares {
  double ray;   // of ray casts
  double area;  // of area queries of 12.8 m that copy the bodies they find
};

// By equal queries of the same tree with and without locks, on one thread: medians over pairs.
// Nothing when they did not find the same.
std::optional<LockShares> MeasureLockShares(std::uint64_t seed, std::uint32_t locks) {
  constexpr std::uint32_t kPairs = 80;
  constexpr std::uint32_t kQueries = 2000;
  const ContentionWorld world(seed);
  OpenWorldTree<StripedLocks> tree(world.bodies, locks);
  WaitTime wait;
  std::vector<std::uint32_t> statics = world.statics;
  for (std::uint32_t i = 0; i < ContentionWorld::kScenesAtOnce; ++i) {
    statics.insert(statics.end(), world.scenes[i].begin(), world.scenes[i].end());
  }
  for (const auto& bodies : {statics, world.dynamics}) {
    auto prepared = tree.Prepare(bodies);
    if (!prepared) return std::nullopt;
    tree.Finalise(*prepared, wait);
  }
  tree.Update(wait);
  tree.Update(wait);
  const auto cast = [&](Random& random, BodyLocking locking) -> std::uint64_t {
    const RayCast ray = OpenRay(random, ContentionWorld::kWidth, ContentionWorld::kDepth);
    return tree.CastRay(ray, wait, locking) ? 1 : 0;
  };
  const auto look_around = [&](Random& random, BodyLocking locking) {
    const auto statics_count = static_cast<std::uint32_t>(statics.size());
    const Vec3 centre = tree.PositionOf(statics[random.Below(statics_count)]);
    const Vec3 half{6.4f, 50, 6.4f};
    std::uint64_t found_bodies = 0;
    tree.Area(
        ToBounds(centre - half, centre + half),
        [&](std::span<const PlacedShape> found) { found_bodies = found.size(); }, wait, locking);
    return found_bodies;
  };
  const auto share = [&](const auto& query) -> std::optional<double> {
    const auto time = [&](std::uint64_t from, BodyLocking locking) {
      Random random(from);
      std::uint64_t found = 0;
      const auto start = BenchClock::now();
      for (std::uint32_t i = 0; i < kQueries; ++i) found += query(random, locking);
      return std::pair(MicrosecondsSince(start), found);
    };
    Samples shares;
    for (std::uint32_t pair = 0; pair < kPairs; ++pair) {
      // The second run finds the caches filled: so each is second in half of the pairs.
      std::pair<double, std::uint64_t> with, without;
      if (pair % 2 == 0) without = time(seed + pair, BodyLocking::kNone);
      with = time(seed + pair, BodyLocking::kEach);
      if (pair % 2 != 0) without = time(seed + pair, BodyLocking::kNone);
      if (with.second != without.second) return std::nullopt;
      shares.Add(1.0 - without.first / with.first);
    }
    return shares.Median();
  };
  const std::optional<double> ray = share(cast);
  const std::optional<double> area = share(look_around);
  if (!ray || !area) return std::nullopt;
  return LockShares{*ray, *area};
}

Json Said(const Samples& samples) {
  return {
      {"mean_us", samples.Mean()}, {"p99_us", samples.Percentile(99)}, {"max_us", samples.Max()}};
}

Json ToJson(const Variant& variant, const Rounds& rounds) {
  Json json;
  json["name"] = variant.name;
  json["body_locks"] = variant.locks;
  json["wait"] = Said(rounds.wait);
  json["load"] = Said(rounds.load);
  json["unload"] = Said(rounds.unload);
  json["update"] = Said(rounds.update);
  json["area"] = Said(rounds.area);
  json["area_wait"] = Said(rounds.area_wait);
  json["queries_per_second"] = rounds.queries.Median();
  json["updates_per_second"] = rounds.updates.Median();
  return json;
}

void Print(const Variant& variant, const Rounds& rounds) {
  fmt::print("{:<18}{:>10.2f}{:>10.2f}{:>10.1f}{:>12.0f}{:>12.0f}{:>11.1f}{:>11.1f}{:>11.1f}\n",
             variant.name, rounds.wait.Mean(), rounds.wait.Percentile(99), rounds.wait.Max(),
             rounds.queries.Median(), rounds.updates.Median(), rounds.load.Max(),
             rounds.unload.Max(), rounds.update.Mean());
}

int Run(const Options& options) {
  const std::vector<Variant> variants = Variants();
  std::vector<Rounds> rounds(variants.size());
  std::vector<Samples> wait_ratios(variants.size());
  std::vector<Samples> query_ratios(variants.size());
  for (std::uint32_t round = 0; round < options.rounds; ++round) {
    std::vector<ContentionResult> results;
    for (const Variant& variant : variants) {
      results.push_back(variant.run(options.run, variant.locks));
      const ContentionResult& result = results.back();
      if (!result.complete) {
        fmt::print(stderr, "contention: {}: the tree has no nodes left\n", variant.name);
        return 1;
      }
      if (result.hits == 0 || (options.run.area_ms != 0 && result.area_met == 0)) {
        fmt::print(stderr, "contention: {}: the queries found nothing\n", variant.name);
        return 1;
      }
    }
    for (std::size_t i = 0; i < variants.size(); ++i) {
      rounds[i].Add(results[i]);
      const double before = results[0].wait_us.Mean();
      if (before > 0) wait_ratios[i].Add(results[i].wait_us.Mean() / before);
      query_ratios[i].Add(results[i].queries_per_second / results[0].queries_per_second);
    }
  }
  Json report = NewReport("bench-contention", 1);
  report["cpus"] = std::thread::hardware_concurrency();
  report["threads"] = options.run.threads;
  report["frames"] = options.run.frames;
  report["rounds"] = options.rounds;
  report["area_ms"] = options.run.area_ms;
  report["seed"] = options.run.seed;
  fmt::print("{:<18}{:>30}{:>24}{:>33}\n", "", "wait, us a thread and frame", "a second",
             "the longest of a frame, us");
  fmt::print("{:<18}{:>10}{:>10}{:>10}{:>12}{:>12}{:>11}{:>11}{:>11}\n", "", "mean", "p99", "max",
             "ray casts", "updates", "load", "unload", "update");
  for (std::size_t i = 0; i < variants.size(); ++i) {
    Print(variants[i], rounds[i]);
    Json json = ToJson(variants[i], rounds[i]);
    json["wait_ratio"] = wait_ratios[i].Median();
    json["queries_ratio"] = query_ratios[i].Median();
    report["variants"].push_back(json);
  }
  fmt::print("\nagainst one lock   wait       ray casts\n");
  for (std::size_t i = 1; i < variants.size(); ++i) {
    fmt::print("{:<18}{:>8.4f}{:>13.2f}\n", variants[i].name, wait_ratios[i].Median(),
               query_ratios[i].Median());
  }
  constexpr std::uint32_t kLocks = 32;
  const std::optional<LockShares> shares = MeasureLockShares(options.run.seed, kLocks);
  if (!shares) {
    fmt::print(stderr, "contention: queries with and without locks found different bodies\n");
    return 1;
  }
  fmt::print("\nthe part of {} body locks: {:.1f} % of a ray cast, {:.1f} % of an area query\n",
             kLocks, shares->ray * 100, shares->area * 100);
  report["lock_share_ratio"] = shares->ray;
  report["area_lock_share_ratio"] = shares->area;
  if (!options.json.empty() && !WriteReport(options.json, report)) {
    fmt::print(stderr, "contention: {} cannot be written\n", options.json);
    return 1;
  }
  return 0;
}

}  // namespace
}  // namespace nowait

int main(int argc, char** argv) {
  nowait::Options options;
  CLI::App app("How long threads wait for locks in a game over a streamed world.", "contention");
  nowait::AddCount(app, "--threads", options.run.threads, 1, 64, "game threads");
  nowait::AddCount(app, "--frames", options.run.frames, 2, 100000, "frames of each run");
  nowait::AddCount(app, "--rounds", options.rounds, 1, 1000, "how often each run is repeated");
  nowait::AddCount(app, "--area-ms", options.run.area_ms, 0, 1000,
                   "how long a background query lasts; 0 for none");
  nowait::AddJson(app, options.json, "docs/bench-contention-json.md");
  if (const auto status = nowait::ParseScene(app, argc, argv)) return *status;
  return nowait::Run(options);
}
