// Gates in a world: whether a way is free.
#include "src/apps/openworld/gates.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <vector>

#include "tests/world/scene.h"

namespace nowait {
namespace {

constexpr float kFrame = 1.0f / 30;  // seconds
constexpr SceneNumber kScene{7};
constexpr SceneBox kGate{{0, 1, 0}, {2, 1, 0.2f}};

class Gatehouse {
 public:
  Gatehouse() : world(MakeWorld()), gates(*world) {
    BodyDef def;
    def.type = BodyType::kStatic;
    def.shape = Shape::Box(kGate.half);
    def.position = kGate.centre;
    body = Add(*world, def);
    REQUIRE(gates.Add(kScene, std::vector{kGate}, std::vector{body}));
  }
  void Frames(int frames) {
    for (int i = 0; i < frames; ++i) REQUIRE(gates.Advance(kFrame, wait));
  }
  std::vector<Bounds<3>> Changed() {
    const std::vector<Bounds<3>> boxes(gates.changed().begin(), gates.changed().end());
    gates.ForgetChanged();
    return boxes;
  }
  // Of a ray through the gate, a metre above the ground.
  bool IsFree() { return !world->CastRay({{0, 1, -5}, {0, 0, 10}}, {}, wait); }

  std::unique_ptr<World> world;
  Gates gates;
  BodyId body;
  WaitTime wait;
};

TEST_CASE("a gate opens and closes within its time, and says so at its ends") {
  Gatehouse house;
  house.Frames(40);
  CHECK_FALSE(house.IsFree());
  house.gates.Open(kScene, true);
  house.Frames(10);
  CHECK_FALSE(house.IsFree());
  CHECK(house.Changed().empty());
  house.Frames(25);
  CHECK(house.IsFree());
  // Its top is below where its bottom was.
  CHECK(Get(*house.world, house.body).position.y == Approx(-1 - Gates::kMargin));
  const Bounds<3> box{{-2, 0, -0.2f}, {2, 2, 0.2f}};
  CHECK(house.Changed() == std::vector{box});
  house.gates.Open(kScene, false);
  house.Frames(35);
  CHECK_FALSE(house.IsFree());
  CHECK(Get(*house.world, house.body).position == kGate.centre);
  CHECK(house.Changed() == std::vector{box});
  CHECK(house.gates.counts().opened == 1);
  CHECK(house.gates.counts().closed == 1);
}

TEST_CASE("a gate turns round on its way") {
  Gatehouse house;
  house.gates.Open(kScene, true);
  house.Frames(15);
  house.gates.Open(kScene, false);
  house.Frames(20);
  CHECK(Get(*house.world, house.body).position == kGate.centre);
  CHECK(house.gates.counts().opened == 0);
}

TEST_CASE("a gate whose scene is left is closed") {
  Gatehouse house;
  house.gates.Open({8}, true);  // another scene
  house.Frames(40);
  CHECK_FALSE(house.IsFree());
  house.gates.Open(kScene, true);
  house.Frames(40);
  REQUIRE(house.IsFree());
  house.gates.Remove({8}, house.wait);
  REQUIRE(house.IsFree());
  house.gates.Remove(kScene, house.wait);
  CHECK(house.gates.count() == 0);
  CHECK_FALSE(house.IsFree());
  CHECK(house.gates.counts().closed == 1);
}

TEST_CASE("a gate whose body is gone is left without a word") {
  Gatehouse house;
  house.gates.Open(kScene, true);
  house.Frames(40);
  REQUIRE(house.world->DestroyBody(house.body, house.wait));
  house.gates.Open(kScene, false);
  house.Frames(2);
  house.gates.Remove(kScene, house.wait);
  CHECK(house.IsFree());
}

TEST_CASE("what rests on a gate falls when it opens") {
  Gatehouse house;
  PoolHere pool(0);
  Add(*house.world, Floor());
  const BodyId box = Add(*house.world, BoxAt({0.3f, 0.3f, 0.15f}, {0, 2.3f, 0}));
  REQUIRE(Run(*house.world, pool, 240));
  REQUIRE(Get(*house.world, box).asleep);
  house.gates.Open(kScene, true);
  for (int i = 0; i < 60; ++i) {
    house.Frames(1);
    REQUIRE(house.world->Update(kFrame, pool, 2));
  }
  CHECK(Get(*house.world, box).position.y < 0.5f);
}

}  // namespace
}  // namespace nowait
