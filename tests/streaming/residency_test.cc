#include "src/streaming/residency.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "src/math/random.h"

namespace nowait {
namespace {

std::set<TileCoord> TilesOf(const Residency& residency) {
  std::set<TileCoord> tiles;
  for (const WantedTile& wanted : residency.tiles()) tiles.insert(wanted.tile);
  return tiles;
}

TEST_CASE("a player that stands has 25 tiles, one that moves has 28") {
  Residency residency;
  CHECK(residency.tiles().empty());
  CHECK_FALSE(residency.Wants({0, 0}));
  residency.Move({.x = 1000, .z = 600});
  CHECK(residency.tiles().size() == 25);
  CHECK(residency.tiles()[0].tile == TileCoord{3, 2});
  const auto full = std::count_if(residency.tiles().begin(), residency.tiles().end(),
                                  [](const auto& t) { return t.detail == TileDetail::kFull; });
  CHECK(full == 9);

  residency.Move({.x = 1000, .z = 600, .velocity_x = -2, .velocity_z = 1});
  CHECK(residency.tiles().size() == 28);
  for (const std::int32_t row : {1, 2, 3}) CHECK(residency.Wants({0, row}));
  residency.Move({.x = 1000, .z = 600});  // it stands again: the row stays
  CHECK(residency.Wants({0, 2}));
}

TEST_CASE("the centre follows when the player is far enough across the border") {
  Residency residency;
  residency.Move({.x = 255, .z = 100});
  residency.Move({.x = 256 + 31, .z = 100});
  CHECK(residency.tiles()[0].tile == TileCoord{0, 0});
  residency.Move({.x = 256 + 33, .z = 100});
  CHECK(residency.tiles()[0].tile == TileCoord{1, 0});
  residency.Move({.x = 256 - 31, .z = 100});
  CHECK(residency.tiles()[0].tile == TileCoord{1, 0});
}

TEST_CASE("the direction changes behind 32 metres of another way") {
  Residency residency;
  residency.Move({.x = 100, .z = 100, .velocity_x = 5});
  CHECK(residency.Wants({3, 0}));
  residency.Move({.x = 80, .z = 100, .velocity_x = -5});
  CHECK(residency.Wants({3, 0}));
  residency.Move({.x = 67, .z = 100, .velocity_x = -5});
  CHECK(residency.Wants({-3, 0}));
  CHECK_FALSE(residency.Wants({3, 0}));
}

TEST_CASE("an arrival keeps nothing of the past") {
  Residency moved;
  moved.Move({.x = 1010, .z = 600, .velocity_x = 9});
  moved.Move({.x = 5000, .z = 5000});
  Residency fresh;
  fresh.Move({.x = 5000, .z = 5000});
  CHECK(TilesOf(moved) == TilesOf(fresh));
  CHECK(moved.tiles().size() == 25);
}

TEST_CASE("a scene is wanted before it is active, and longer") {
  Residency residency;
  const SceneSite site{.x = 0, .z = 0, .encounter = 50, .activation = 150};
  const auto at = [&](float x) { residency.Move({.x = x, .z = 0}); };
  at(215);
  CHECK_FALSE(residency.WantsScene(site, false));
  CHECK(residency.WantsScene(site, true));
  at(213);
  CHECK(residency.WantsScene(site, false));
  CHECK_FALSE(residency.WantsActive(site, false));
  at(150);
  CHECK(residency.WantsActive(site, false));
  at(181);
  CHECK(residency.WantsActive(site, true));
  at(183);
  CHECK_FALSE(residency.WantsActive(site, true));
}

// Places of a player that walks, rides, flies, turns and teleports.
class Wandering {
 public:
  explicit Wandering(std::uint64_t seed) : random_(seed) { motion_ = {2000, 2000, 0, 0}; }
  const PlayerMotion& Next() {
    if (random_.Below(40) == 0) {
      const float speed = 60.0f * random_.Unit();
      const Vec3 way = random_.Direction();
      motion_.velocity_x = speed * way.x;
      motion_.velocity_z = speed * way.z;
    }
    if (random_.Below(300) == 0) {
      motion_.x = random_.Between(-5000, 5000);
      motion_.z = random_.Between(-5000, 5000);
    }
    motion_.x += motion_.velocity_x / 30.0f;
    motion_.z += motion_.velocity_z / 30.0f;
    return motion_;
  }

 private:
  Random random_;
  PlayerMotion motion_;
};

TEST_CASE("each tile within 450 metres is wanted, and the ground of each wanted scene") {
  const std::uint64_t seed = GENERATE(1, 2, 3, 4);
  CAPTURE(seed);
  Wandering player(seed);
  Random random(seed + 100);
  Residency residency;
  for (int i = 0; i < 4000; ++i) {
    const PlayerMotion motion = player.Next();
    residency.Move(motion);
    const std::set<TileCoord> tiles = TilesOf(residency);
    REQUIRE(tiles.size() == residency.tiles().size());
    REQUIRE(tiles.size() <= Residency::kMostTiles);
    // The oracle looks at points around the player, and not at tiles.
    for (int k = 0; k < 8; ++k) {
      const Vec3 way = random.Direction();
      const float far = Residency::kGuarantee * random.Unit() / std::hypot(way.x, way.z);
      REQUIRE(tiles.contains(TileAt(motion.x + far * way.x, motion.z + far * way.z)));
    }
    const SceneSite site{.x = motion.x + random.Between(-300, 300),
                         .z = motion.z + random.Between(-300, 300),
                         .encounter = random.Between(1, SceneSite::kMostEncounter),
                         .activation = random.Between(1, SceneSite::kMostActivation)};
    if (!residency.WantsScene(site, random.Below(2) == 0)) continue;
    for (int k = 0; k < 8; ++k) {
      const Vec3 way = random.Direction();
      REQUIRE(
          tiles.contains(TileAt(site.x + site.encounter * way.x, site.z + site.encounter * way.z)));
    }
  }
}

TEST_CASE("to and fro within 32 metres changes no tile after the first time") {
  const std::uint64_t seed = GENERATE(5, 6, 7);
  CAPTURE(seed);
  Random random(seed);
  for (int place = 0; place < 40; ++place) {
    // Around a corner of four tiles.
    const float x = 256.0f * static_cast<float>(random.Below(9)) + random.Between(-11, 11);
    const float z = 256.0f * static_cast<float>(random.Below(9)) + random.Between(-11, 11);
    Residency residency;
    PlayerMotion motion{x, z, 3, 0};
    residency.Move(motion);
    const std::set<TileCoord> first = TilesOf(residency);
    for (int i = 0; i < 200; ++i) {
      const PlayerMotion next{x + random.Between(-11, 11), z + random.Between(-11, 11), 0, 0};
      motion = {next.x, next.z, 30.0f * (next.x - motion.x), 30.0f * (next.z - motion.z)};
      residency.Move(motion);
      REQUIRE(TilesOf(residency) == first);
    }
  }
}

TEST_CASE("places west and north of the origin are in tiles of their own") {
  CHECK(TileAt(0.0f, 0.0f) == TileCoord{0, 0});
  CHECK(TileAt(-0.001f, 255.9f) == TileCoord{-1, 0});
  CHECK(TileAt(256.0f, -256.0f) == TileCoord{1, -1});
  CHECK(TileAt(-256.1f, 512.0f) == TileCoord{-2, 2});
  CHECK(DistanceSquared({0, 0}, 256.0f, 0.0f) == 0.0f);
  CHECK(DistanceSquared({0, 0}, 259.0f, -4.0f) == 25.0f);
  CHECK(DistanceSquared({-1, -1}, 3.0f, 4.0f) == 25.0f);
  Residency residency;
  residency.Move({.x = -100, .z = -700});
  CHECK(residency.tiles()[0].tile == TileCoord{-1, -3});
}

TEST_CASE("a place that far from the centre is an arrival, and one a little nearer is not") {
  for (const auto& [x, arrives] :
       {std::pair{511.0f, false}, {512.0f, true}, {-256.0f, false}, {-256.1f, true}}) {
    CAPTURE(x);
    Residency residency;
    residency.Move({.x = 100, .z = 100, .velocity_z = 5});
    REQUIRE(residency.tiles().size() == 28);
    residency.Move({.x = x, .z = 100});
    CHECK(residency.tiles().size() == (arrives ? 25 : 28));
    CHECK(residency.tiles()[0].tile == TileAt(x, 100));
  }
}

TEST_CASE("a direction begins at its speed, and turns at its distance from the last turn") {
  Residency residency;
  residency.Move({.x = 100, .z = 100, .velocity_x = 0.49f});
  CHECK(residency.tiles().size() == 25);
  residency.Move({.x = 100, .z = 100, .velocity_z = -0.5f});
  CHECK(residency.Wants({0, -3}));
  // A step on the same way is where the next turn is measured from.
  residency.Move({.x = 100, .z = 60, .velocity_z = -5});
  residency.Move({.x = 100, .z = 80, .velocity_z = 5});
  CHECK(residency.Wants({0, -3}));
  residency.Move({.x = 100, .z = 92, .velocity_z = 5});
  CHECK(residency.Wants({0, -3}));
  residency.Move({.x = 100, .z = 92.5f, .velocity_z = 5});
  CHECK(residency.Wants({0, 3}));
  // As fast along both axes: along x.
  Residency diagonal;
  diagonal.Move({.x = 100, .z = 100, .velocity_x = 3, .velocity_z = -3});
  CHECK(diagonal.Wants({3, 0}));
}

}  // namespace
}  // namespace nowait
