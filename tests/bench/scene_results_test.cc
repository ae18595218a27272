// Which ratios follow from the rounds of a scene, and which of them count.
#include "tests/bench/scene_results.h"

#include <catch2/catch.hpp>
#include <vector>

namespace nowait {
namespace {

const std::vector<Variant> kVariants = {
    {Engine::kOurs, 1}, {Engine::kBullet, 1}, {Engine::kOde, 1},
    {Engine::kOurs, 2}, {Engine::kOde, 2},
};

SceneRun RunOf(double rate, double deepest = 0.01, std::uint64_t hash = 7) {
  SceneRun run;
  run.steps_per_second = rate;
  run.outcome.deepest_m = deepest;
  run.hash = hash;
  return run;
}

// The ratio beside the peer, with so many threads.
Ratio Beside(const SceneResults& results, Engine peer, std::uint32_t threads) {
  for (const Ratio& ratio : results.Ratios()) {
    if (ratio.peer == peer && ratio.threads == threads) return ratio;
  }
  FAIL("no such ratio");
  return {};
}

TEST_CASE("a ratio is the median of the rounds' quotients, and not a quotient of medians") {
  const PeerScene scene;
  SceneResults results(scene, 10, kVariants);
  CHECK(results.rounds() == 0);
  // The second round ran on a machine of half the speed.
  results.AddRound({RunOf(30), RunOf(10), RunOf(15), RunOf(40), RunOf(8)});
  results.AddRound({RunOf(15), RunOf(5), RunOf(5), RunOf(20), RunOf(4)});
  results.AddRound({RunOf(40), RunOf(10), RunOf(10), RunOf(60), RunOf(8)});
  CHECK(results.rounds() == 3);
  REQUIRE(results.Ratios().size() == 4);
  CHECK(Beside(results, Engine::kBullet, 1).ratio == Approx(3.0));
  CHECK(Beside(results, Engine::kOde, 1).ratio == Approx(3.0));
  // With two threads Bullet has one, and ODE is faster with one.
  CHECK(Beside(results, Engine::kBullet, 2).ratio == Approx(4.0));
  CHECK(Beside(results, Engine::kOde, 2).ratio == Approx(4.0));
}

TEST_CASE("a ratio does not count where an error is worse than that of the variant beside it") {
  const PeerScene scene;
  SceneResults results(scene, 10, kVariants);
  // ODE is faster with two threads, and its error is larger there.
  results.AddRound(
      {RunOf(30, 0.02), RunOf(10, 0.05), RunOf(10, 0.01), RunOf(60, 0.02), RunOf(20, 0.03)});
  CHECK(Beside(results, Engine::kBullet, 1).worse.empty());
  CHECK(Beside(results, Engine::kOde, 1).worse == "deepest");
  CHECK(Beside(results, Engine::kOde, 2).worse.empty());
  CHECK(Beside(results, Engine::kOde, 2).ratio == Approx(3.0));
  const Json json = results.ToJson();
  CHECK(json["ratios"][1]["peer"] == "ODE");
  CHECK(json["ratios"][1]["counts"] == false);
  CHECK(json["ratios"][1]["worse_in"] == "deepest");
  CHECK(json["variants"][0].contains("phases"));
  CHECK_FALSE(json["variants"][1].contains("phases"));
}

TEST_CASE("our state must not depend on threads or rounds; that of peers may") {
  const PeerScene scene;
  SceneResults results(scene, 10, kVariants);
  results.AddRound({RunOf(1), RunOf(1, 0, 1), RunOf(1, 0, 2), RunOf(1), RunOf(1, 0, 3)});
  CHECK(results.SameHashes());
  results.AddRound({RunOf(1), RunOf(1), RunOf(1), RunOf(1, 0, 8), RunOf(1)});
  CHECK_FALSE(results.SameHashes());
}

}  // namespace
}  // namespace nowait
