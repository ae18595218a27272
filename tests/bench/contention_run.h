// One run of the contention benchmark: a game over a streamed world, on any tree.
//
// Each game thread repeats 8 ray casts and 2 moves of bodies of its own; in every sixteenth round
// it takes one of its bodies out and puts it back in the eighth round after. A loading thread
// prepares one scene a frame; in the next frame the first game thread begins with putting it in and
// taking the oldest one out. Area queries run in the background all the while (area_queries.h), and
// a physics update comes between two game phases.
#ifndef NOWAIT_TESTS_BENCH_CONTENTION_RUN_H_
#define NOWAIT_TESTS_BENCH_CONTENTION_RUN_H_

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "src/math/random.h"
#include "src/math/vec3.h"
#include "src/sync/rw_lock.h"
#include "tests/bench/area_queries.h"
#include "tests/bench/contention_world.h"
#include "tests/bench/game_frames.h"
#include "tests/bench/open_world.h"
#include "tests/bench/samples.h"

namespace nowait {

struct ContentionDef {
  std::uint32_t threads = 2;
  std::uint32_t frames = 60;
  std::uint32_t area_ms = 12;
  std::uint64_t seed = 28;
};

struct ContentionResult {
  Samples wait_us;    // of a game thread in a frame
  Samples load_us;    // putting a scene in, on a game thread, with its waiting
  Samples unload_us;  // taking one out
  Samples update_us;
  Samples area_us;                  // how long an area query lasted
  Samples area_wait_us;             // how long it waited
  double queries_per_second = 0.0;  // ray casts
  double updates_per_second = 0.0;  // moves, adds and removes
  std::uint64_t hits = 0;
  std::uint64_t area_met = 0;
  bool complete = true;  // nothing was refused for want of room
};

template <class Tree>
class ContentionRun {
 public:
  ContentionRun(const ContentionDef& def, std::uint32_t locks)
      : def_(def), world_(def.seed), tree_(world_.bodies, locks), players_(def.threads) {}

  ContentionResult Run() {
    WaitTime setup;
    Put(world_.statics, setup);
    Put(world_.dynamics, setup);
    for (std::uint32_t i = 0; i < World::kScenesAtOnce; ++i) Put(world_.scenes[i], setup);
    // Each update rebuilds one of the trees.
    tree_.Update(setup);
    tree_.Update(setup);
    for (std::uint32_t i = 0; i < def_.threads; ++i) players_[i].random = Random(def_.seed + 1 + i);

    AreaQueries<Tree> areas(tree_, Places(), std::chrono::milliseconds(def_.area_ms),
                            def_.seed + 1000);
    const GameFramesResult frames = RunGameFrames(
        {.threads = def_.threads, .frames = def_.frames},
        [this](std::uint32_t thread, std::uint32_t frame, WaitTime& wait) {
          Round(thread, frame, wait);
        },
        [this](std::uint32_t frame) { Load(frame); },
        [this](WaitTime& wait) { tree_.Update(wait); });
    areas.Stop();
    return Collect(frames, areas);
  }

 private:
  using World = ContentionWorld;
  static constexpr std::uint32_t kRays = 8;
  static constexpr std::uint32_t kMoves = 2;
  static constexpr std::uint32_t kOutEvery = 16;  // rounds
  static constexpr std::uint32_t kOutFor = 8;

  // A game thread's own.
  struct alignas(64) Player {
    Random random{0};
    std::uint64_t rounds = 0;
    std::uint64_t changes = 0;
    std::uint64_t hits = 0;
    std::uint32_t frame = ~std::uint32_t{0};  // the last one in which it did something
    std::optional<std::uint32_t> out;         // the body that it has taken out
    bool complete = true;
  };

  void Put(std::span<const std::uint32_t> bodies, WaitTime& wait) {
    auto prepared = tree_.Prepare(bodies);
    if (!prepared) {
      complete_ = false;
      return;
    }
    tree_.Finalise(*prepared, wait);
  }

  std::vector<Vec3> Places() const {
    std::vector<Vec3> places;
    for (const std::uint32_t body : world_.dynamics) {
      places.push_back(world_.bodies[body].placed.position);
    }
    return places;
  }

  std::uint32_t Own(std::uint32_t thread) {
    // Shares in one piece each: interleaved ones would never meet at a lock.
    const auto share = static_cast<std::uint32_t>(world_.dynamics.size()) / def_.threads;
    return world_.dynamics[thread * share + players_[thread].random.Below(share)];
  }

  void Round(std::uint32_t thread, std::uint32_t frame, WaitTime& wait) {
    Player& player = players_[thread];
    if (std::exchange(player.frame, frame) != frame && thread == 0) ChangeScenes(frame, wait);
    for (std::uint32_t i = 0; i < kRays; ++i) {
      if (tree_.CastRay(OpenRay(player.random, World::kWidth, World::kDepth), wait)) ++player.hits;
    }
    for (std::uint32_t i = 0; i < kMoves; ++i) {
      const std::uint32_t body = Own(thread);
      const Vec3 by = player.random.InBox({-0.5f, 0, -0.5f}, {0.5f, 0, 0.5f});
      if (player.out == body) continue;
      tree_.Move(body, tree_.PositionOf(body) + by, wait);
      ++player.changes;
    }
    if (player.rounds % kOutEvery == 0 && !player.out) {
      const std::uint32_t body = Own(thread);
      tree_.Remove(std::span(&body, 1), wait);
      player.out = body;
      ++player.changes;
    } else if (player.rounds % kOutEvery == kOutFor && player.out) {
      player.complete &= tree_.Add(*player.out, wait).has_value();
      if (player.complete) player.out.reset();
      ++player.changes;
    }
    ++player.rounds;
  }

  // On the loading thread: the scene that goes in next. The barrier hands it over.
  void Load(std::uint32_t frame) {
    const auto& scene = world_.scenes[(World::kScenesAtOnce + frame) % World::kScenes];
    auto prepared = tree_.Prepare(scene);
    if (!prepared) {
      loading_complete_ = false;
      return;
    }
    prepared_[frame % 2] = std::move(*prepared);
  }

  // On the first game thread, before its first round: what was prepared in the frame before.
  void ChangeScenes(std::uint32_t frame, WaitTime& wait) {
    if (frame == 0) return;
    auto& prepared = prepared_[(frame - 1) % 2];
    if (!prepared) return;
    auto start = BenchClock::now();
    tree_.Finalise(*prepared, wait);
    load_us_.Add(MicrosecondsSince(start));
    prepared.reset();
    start = BenchClock::now();
    tree_.Remove(world_.scenes[(frame - 1) % World::kScenes], wait);
    unload_us_.Add(MicrosecondsSince(start));
  }

  ContentionResult Collect(const GameFramesResult& frames, const AreaQueries<Tree>& areas) {
    ContentionResult result;
    result.wait_us = frames.wait_us;
    result.load_us = load_us_;
    result.unload_us = unload_us_;
    result.update_us = frames.update_us;
    result.area_us = areas.lasted_us();
    result.area_wait_us = areas.wait_us();
    result.area_met = areas.met();
    result.complete = complete_ && loading_complete_;
    for (const Player& player : players_) {
      result.queries_per_second += static_cast<double>(player.rounds * kRays);
      result.updates_per_second += static_cast<double>(player.changes);
      result.hits += player.hits;
      result.complete &= player.complete;
    }
    result.queries_per_second /= frames.game_seconds;
    result.updates_per_second /= frames.game_seconds;
    return result;
  }

  const ContentionDef def_;
  const World world_;
  Tree tree_;
  std::vector<Player> players_;
  std::optional<typename Tree::Prepared> prepared_[2];  // by frame
  Samples load_us_;
  Samples unload_us_;
  bool complete_ = true;
  bool loading_complete_ = true;
};

}  // namespace nowait

#endif  // NOWAIT_TESTS_BENCH_CONTENTION_RUN_H_
