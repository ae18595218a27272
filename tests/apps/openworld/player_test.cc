// The player in a world that has no ground where it is, and then has some.
#include "src/apps/openworld/player.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <memory>

#include "tests/world/scene.h"

namespace nowait {
namespace {

constexpr float kFrame = 1.0f / 30;  // seconds
constexpr RouteDef kRoute{.width = 2560, .depth = 2048, .border = 512, .seed = 3};

class Ramble {
 public:
  Ramble()
      : pool(MakePool({.devices = {"console"}})),
        world(MakeWorld()),
        console(*pool),
        player(*world, console, kRoute) {
    REQUIRE(player.Appear(wait));
  }
  RideFrame Frame() {
    RideFrame record;
    player.Look(kFrame, record, wait);
    REQUIRE(player.Move(frame++, record, wait));
    CHECK(Get(*world, player.body()).position == player.eyes());
    return record;
  }
  void AddGround(float height) {
    BodyDef def;
    def.type = BodyType::kStatic;
    def.shape = Shape::Box({2560, 1, 2560});
    def.position = {1280, height - 1, 1280};
    ground = Add(*world, def);
  }

  std::unique_ptr<TaskPool> pool;
  std::unique_ptr<World> world;
  WaitTime wait;
  Console console;
  Player player;
  BodyId ground;
  std::uint64_t frame = 0;
};

TEST_CASE("without ground the player goes on at its height, and stands when the ground is there") {
  Ramble ramble;
  CHECK_FALSE(ramble.Frame().grounded);
  CHECK(ramble.player.eyes().y == Player::kHighest);
  ramble.AddGround(300);
  CHECK(ramble.Frame().grounded);
  CHECK(ramble.player.eyes().y == Approx(300.9f));
  REQUIRE(ramble.world->DestroyBody(ramble.ground, ramble.wait));
  CHECK_FALSE(ramble.Frame().grounded);
  CHECK(ramble.player.eyes().y == Approx(300.9f));
}

TEST_CASE("a teleport to where no ground is takes one frame, and the ground may come later") {
  Ramble ramble;
  ramble.AddGround(300);
  RideFrame before = ramble.Frame(), arrival = before;
  for (int i = 0; i < 3000 && arrival.travel != Travel::kTeleport; ++i) {
    before = arrival;
    arrival = ramble.Frame();
  }
  REQUIRE(arrival.travel == Travel::kTeleport);
  CHECK(std::hypot(arrival.x - before.x, arrival.z - before.z) > 100);
  CHECK(ramble.player.eyes().x == arrival.x);
  CHECK(ramble.player.eyes().z == arrival.z);
  CHECK(ramble.player.motion().velocity_x == 0);

  Ramble nowhere;
  RideFrame there = nowhere.Frame();
  while (there.travel != Travel::kTeleport) there = nowhere.Frame();
  CHECK_FALSE(there.grounded);
  CHECK(nowhere.player.eyes() == Vec3{there.x, Player::kHighest, there.z});
  CHECK(there.x == arrival.x);  // no frame of the route has waited for the ground
  nowhere.AddGround(300);
  CHECK(nowhere.Frame().grounded);
  CHECK(nowhere.player.eyes().y == Approx(300.9f));
}

}  // namespace
}  // namespace nowait
