// Folk on a floor with a wall and some boxes.
#include "src/apps/openworld/folk.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tests/world/scene.h"

namespace nowait {
namespace {

constexpr float kFrame = 1.0f / 30;  // seconds
constexpr Vec3 kPlayer{0, 2, 0};

WorldDef WithRiders() {
  WorldDef def;
  def.user_layers = {{.name = Folk::kLayer, .touches = LayerSet()}};
  return def;
}

class Village {
 public:
  explicit Village(std::uint32_t workers) : pool(workers), world(*World::Create(WithRiders())) {
    Add(*world, Floor());
    BodyDef wall = BoxAt({0.2f, 2, 6}, {8, 2, 0});
    wall.type = BodyType::kStatic;
    Add(*world, wall);
    for (int i = 0; i < 20; ++i) {
      const float at = static_cast<float>(i) - 10.0f;
      Add(*world, BoxAt({0.2f, 0.2f, 0.2f}, {at, 0.2f, 3 + 0.3f * at}));
    }
    folk = std::move(*Folk::Create(*world, pool));
  }
  void Frames(int frames) {
    for (int i = 0; i < frames; ++i) {
      REQUIRE(folk->Advance(kFrame, kPlayer));
      REQUIRE(world->Update(kFrame, pool, 2));
    }
  }

  PoolHere pool;
  std::unique_ptr<World> world;
  std::unique_ptr<Folk> folk;
};

const std::vector<Vec3> kPoints = {{0, 0, 0}, {4, 0, 4}, {-6, 0, 2}, {-3, 0, -7}};

TEST_CASE("villagers and horses walk, reach their goals and push what is light") {
  Village village(1);
  const std::uint32_t without = village.world->body_count();
  REQUIRE(village.folk->Appear({3}, kPoints));
  CHECK(village.folk->count() == 4);
  CHECK(village.world->body_count() == without + 2);
  village.Frames(600);
  const FolkCounts& counts = village.folk->counts();
  CHECK(counts.riders == 2);
  CHECK(counts.moves == 4 * 600);
  // Two at 1.5 m/s and two at 6 m/s for 20 seconds, less some waiting at walls.
  CHECK(counts.metres > 0.5 * 300);
  CHECK(counts.metres < 1.1 * 300);
  CHECK(counts.goals >= 4);
  CHECK(counts.pushes > 0);
  CHECK(counts.seen > 0);
  CHECK(counts.queries <= counts.moves * Character::kMostQueries);

  village.folk->Vanish({2});
  CHECK(village.folk->count() == 4);
  village.folk->Vanish({3});
  CHECK(village.folk->count() == 0);
  CHECK(village.world->body_count() == without);
}

TEST_CASE("before its phase a rider is behind its horse by the way of one frame, and no more") {
  Village village(0);
  const std::vector<Vec3> open = {{-25, 0, -25}};  // it meets nothing in this time
  REQUIRE(village.folk->Appear({0}, open));
  village.Frames(60);
  REQUIRE(village.folk->counts().riders == 1);
  CHECK(village.folk->counts().behind == Approx(6 * kFrame).margin(0.005));
}

TEST_CASE("they walk the same ways with any number of threads") {
  std::vector<std::uint64_t> hashes;
  std::vector<double> metres;
  for (const std::uint32_t workers : {0u, 1u, 3u}) {
    Village village(workers);
    REQUIRE(village.folk->Appear({0}, kPoints));
    village.Frames(200);
    hashes.push_back(village.world->StateHash());
    metres.push_back(village.folk->counts().metres);
  }
  CHECK(hashes == std::vector(3, hashes[0]));
  CHECK(metres == std::vector(3, metres[0]));
}

TEST_CASE("one that falls off the world is back at its home") {
  Village village(0);
  const std::vector<Vec3> edge = {{44, 0, 0}, {44, 0, 6}};
  REQUIRE(village.folk->Appear({0}, edge));
  village.Frames(900);
  CHECK(village.folk->counts().fallen > 0);
}

TEST_CASE("there is room for so many, in a world with room and with their layer") {
  Village village(0);
  const std::vector<Vec3> many(Folk::kMost + 5, Vec3{10, 0, 10});
  REQUIRE(village.folk->Appear({0}, many));
  CHECK(village.folk->count() == Folk::kMost);
  const std::vector<Vec3> nowhere = {{500, 0, 500}};
  village.folk->Vanish({0});
  REQUIRE(village.folk->Appear({1}, nowhere));
  CHECK(village.folk->count() == 0);
  const auto world = MakeWorld();
  CHECK(Folk::Create(*world, village.pool).error().subject == std::string("layer"));
}

}  // namespace
}  // namespace nowait
