// A run that is saved and read again goes on to the same hashes, also where a scene keeps more than
// its world; and a state that no run leaves is refused by name.
#include "src/apps/player/saved_play.h"

#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "src/apps/player/game.h"
#include "src/apps/player/scenes.h"
#include "src/resource/blob.h"
#include "tests/collision/blob_bytes.h"
#include "tests/world/scene.h"

namespace nowait {
namespace {

constexpr std::uint32_t kBodies = 20;
constexpr std::uint64_t kSeed = 5;
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinite = std::numeric_limits<float>::infinity();

PlayerGame GameOf(const PlayerScene& scene) {
  return std::move(*PlayerGame::Create(scene, kBodies, 0, kSeed));
}

void RunFrames(PlayerGame& game, TaskPool& pool, int frames) {
  for (int i = 0; i < frames; ++i) REQUIRE(game.Advance(pool));
}

TEST_CASE("a scene with a state of its own goes on from a file as if it had not been saved") {
  const std::string name = GENERATE("course", "machines", "wall");
  // Of the course: on the stairs, at the crates, on the ferry, and jumping over the hurdle.
  const int before = GENERATE(50, 400, 1000);
  const auto scene = PlayerScene::Load(name, "");
  REQUIRE(scene);
  PoolHere pool(0), other_pool(2);
  PlayerGame one = GameOf(*scene);
  RunFrames(one, pool, before);
  const auto saved = one.Save();
  REQUIRE(saved);
  const auto bytes = ToBytes(*saved);
  REQUIRE(bytes);
  const auto read = ReadSavedPlay(*bytes);
  REQUIRE(read);
  PlayerGame other = GameOf(*scene);
  REQUIRE(other.Restore(*read));
  REQUIRE(other.world().StateHash() == one.world().StateHash());
  for (int i = 0; i < 150; ++i) {
    RunFrames(one, pool, 1);
    RunFrames(other, other_pool, 1);
    INFO("frame " << i);
    REQUIRE(other.world().StateHash() == one.world().StateHash());
  }
}

// The error of a game that is to go on from `saved` with a change in it.
template <class F>
std::string ErrorOf(const PlayerScene& scene, SavedPlay saved, const F& change) {
  change(saved);
  PlayerGame game = GameOf(scene);
  const auto restored = game.Restore(saved);
  REQUIRE_FALSE(restored);
  CHECK(restored.error().code == ErrorCode::kCorrupt);
  return std::string(restored.error().subject) + ": " + restored.error().detail;
}

TEST_CASE("characters that no run leaves so are refused") {
  const auto scene = PlayerScene::Load("course", "");
  REQUIRE(scene);
  PoolHere pool(0);
  PlayerGame game = GameOf(*scene);
  RunFrames(game, pool, 30);
  const auto good = game.Save();
  REQUIRE(good);
  REQUIRE(good->walkers);
  REQUIRE(good->walkers->walkers[0].ground != SavedWalkers::kInTheAir);
  const auto of_walkers = [&](auto change) {
    return ErrorOf(*scene, *good, [&](SavedPlay& bad) { change(*bad.walkers); });
  };
  const auto of_first = [&](auto change) {
    return of_walkers([&](SavedWalkers& bad) { change(bad.walkers[0]); });
  };
  using Walker = SavedWalkers::Walker;
  for (const float time : {-1.0f, 8.0f, 1e30f, kInfinite, kNaN}) {
    CHECK(of_walkers([&](SavedWalkers& bad) { bad.ferry_time = time; }) ==
          "ferry: its time is beyond its round");
  }
  CHECK(of_walkers([](SavedWalkers& bad) { bad.walkers.pop_back(); }).starts_with("walkers"));
  CHECK(of_walkers([](SavedWalkers& bad) { bad.walkers.clear(); }).starts_with("walkers"));
  CHECK(of_first([](Walker& bad) { bad.next = 7; }) ==
        "walker: it goes to a place that is not there");
  for (const float stuck : {-0.1f, 2.0f, kInfinite, kNaN}) {
    CHECK(of_first([&](Walker& bad) { bad.stuck = stuck; }) == "walker: none is stuck for so long");
  }
  for (const float value : {kInfinite, kNaN}) {
    CHECK(of_first([&](Walker& bad) { bad.velocity.x = value; }) == "walker: velocity");
    CHECK(of_first([&](Walker& bad) { bad.drift.z = value; }) == "walker: drift");
    CHECK(of_first([&](Walker& bad) { bad.rise = value; }) == "walker: rise");
    CHECK(of_first([&](Walker& bad) { bad.ground_position.x = value; }) == "walker: ground");
    CHECK(of_first([&](Walker& bad) { bad.ground_rotation.w = value; }) == "walker: ground");
    CHECK(of_first([&](Walker& bad) { bad.ground_normal.y = value; }) == "walker: ground");
  }
  CHECK(of_first([](Walker& bad) { bad.drift.x = 3e3f; }) == "walker: drift");
  CHECK(of_first([](Walker& bad) { bad.rise = -3e3f; }) == "walker: rise");
  CHECK(of_first([](Walker& bad) { bad.ground_normal = {1, 0, 0}; }) == "walker: ground");
  CHECK(of_first([](Walker& bad) { bad.ground = 1u << 20; }) ==
        "walker: no body has the slot of its ground");
  CHECK(ErrorOf(*scene, *good, [](SavedPlay& bad) { bad.walkers.reset(); }).starts_with("walkers"));
  CHECK(
      ErrorOf(*scene, *good, [](SavedPlay& bad) { bad.lift_time = 1.0f; }).starts_with("machines"));
  REQUIRE(GameOf(*scene).Restore(*good));
}

TEST_CASE("machines that no run leaves so are refused") {
  const auto scene = PlayerScene::Load("machines", "");
  REQUIRE(scene);
  const auto good = GameOf(*scene).Save();
  REQUIRE(good);
  REQUIRE(good->lift_time);
  for (const float time : {-1.0f, 8.0f, 1e30f, kInfinite, kNaN}) {
    CHECK(ErrorOf(*scene, *good, [&](SavedPlay& bad) { bad.lift_time = time; }) ==
          "lift: its time is beyond its round");
  }
  CHECK(ErrorOf(*scene, *good, [](SavedPlay& bad) {
          bad.lift_time.reset();
        }).starts_with("machines"));
  REQUIRE(GameOf(*scene).Restore(*good));
}

TEST_CASE("a file in which a scene has two lifts' times is refused") {
  constexpr std::size_t kCount = 27 * 4;  // where the first blob has the number of times
  const auto scene = PlayerScene::Load("machines", "");
  REQUIRE(scene);
  const auto good = *ToBytes(*GameOf(*scene).Save());
  const auto end = good.begin() + test::At<BlobHeader>(good, 0).bytes;
  const test::Bytes first(good.begin(), end);
  REQUIRE(test::At<std::uint32_t>(first, kCount) == 1);
  test::Bytes bad = test::With(first, kCount, std::uint32_t{2});
  bad.insert(bad.end(), end, good.end());
  const auto read = ReadSavedPlay(bad);
  REQUIRE_FALSE(read);
  CHECK(std::string(read.error().detail) == "a scene has one such part at most");
}

}  // namespace
}  // namespace nowait
