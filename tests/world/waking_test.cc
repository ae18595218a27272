// Who wakes, by what, and that it is told: once, and of no other body than the one that woke.
#include <array>
#include <catch2/catch.hpp>
#include <memory>
#include <vector>

#include "tests/world/scene.h"

namespace nowait {
namespace {

BodyDef Asleep(BodyDef def) {
  def.asleep = true;
  return def;
}

std::vector<BodyId> Woken(const World& world) {
  std::vector<BodyId> ids;
  for (const SleepEvent& event : world.sleep_events()) {
    if (event.kind == SleepEvent::Kind::kWoke) ids.push_back(event.body);
  }
  return ids;
}

TEST_CASE("a contact of bodies that are gone does not wake the next ones in their slots") {
  WorldDef def;
  def.max_bodies = 3;
  auto world = MakeWorld(def);
  PoolHere pool(0);
  WaitTime wait;
  Add(*world, Floor());
  const BodyId a = Add(*world, BoxAt({0.5f, 0.5f, 0.5f}, {0, 0.5f, 0}));
  const BodyId b = Add(*world, BoxAt({0.5f, 0.5f, 0.5f}, {0, 1.5f, 0}));
  REQUIRE(Run(*world, pool, 1));
  REQUIRE(world->RemoveBodies(std::array{a, b}, wait) == 2);
  const BodyId c = Add(*world, Asleep(SphereAt(0.5f, {-40, 20, 0})));
  const BodyId d = Add(*world, Asleep(SphereAt(0.5f, {40, 20, 0})));
  REQUIRE(c.slot() == a.slot());
  REQUIRE(d.slot() == b.slot());
  REQUIRE(Run(*world, pool, 1));
  CHECK(world->stats().woken == 0);
  CHECK(Woken(*world).empty());
  CHECK(Get(*world, c).asleep);
  CHECK(Get(*world, d).asleep);
}

TEST_CASE("of two bodies that touched, the one that is left wakes when the other's slot is reused") {
  WorldDef def;
  def.max_bodies = 2;
  def.gravity = {};
  auto world = MakeWorld(def);
  PoolHere pool(0);
  WaitTime wait;
  const BodyId left = Add(*world, BoxAt({0.5f, 0.5f, 0.5f}, {0, 0.5f, 0}));
  const BodyId gone = Add(*world, BoxAt({0.5f, 0.5f, 0.5f}, {0, 1.5f, 0}));
  REQUIRE(Run(*world, pool, 1));
  REQUIRE(Run(*world, pool, 120));
  REQUIRE(Get(*world, left).asleep);
  REQUIRE(world->DestroyBody(gone, wait));
  const BodyId next = Add(*world, Asleep(SphereAt(0.5f, {40, 20, 0})));
  REQUIRE(next.slot() == gone.slot());
  REQUIRE(Run(*world, pool, 1));
  CHECK(Woken(*world) == std::vector{left});
  CHECK(Get(*world, next).asleep);
}

TEST_CASE("a body that the game wakes is told of in the next step, once") {
  auto world = MakeWorld();
  PoolHere pool(0);
  WaitTime wait;
  const auto sleeper = [&](float x) {
    return Add(*world, Asleep(SphereAt(0.5f, {x, 50, 0})));
  };
  const BodyId woken = sleeper(0), pushed = sleeper(10), moved = sleeper(20), left = sleeper(30);
  const BodyId gone = sleeper(40);
  REQUIRE(world->MoveBody(moved, {20, 60, 0}, {}, wait));
  REQUIRE(world->SetVelocity(pushed, {0, 1, 0}, {}, wait));
  REQUIRE(world->WakeBody(woken, wait));
  REQUIRE(world->WakeBody(woken, wait));
  REQUIRE(world->WakeBody(gone, wait));
  REQUIRE(world->DestroyBody(gone, wait));
  CHECK_FALSE(Get(*world, woken).asleep);
  REQUIRE(Run(*world, pool, 1));
  CHECK(Woken(*world) == std::vector{woken, pushed, moved});
  CHECK(world->stats().woken == 3);
  CHECK(Get(*world, left).asleep);
  REQUIRE(Run(*world, pool, 1));
  CHECK(Woken(*world).empty());
  CHECK(world->stats().woken == 0);
}

TEST_CASE("a velocity that is set wakes the body, and in the next update what it touched and what rests on that") {
  auto world = MakeWorld();
  PoolHere pool(0);
  WaitTime wait;
  Add(*world, Floor());
  const auto box = [&](float x, float y) { return Add(*world, BoxAt({0.5f, 0.5f, 0.5f}, {x, y, 0})); };
  const BodyId pushed = box(0, 0.5f), touched = box(0, 1.5f), above = box(0, 2.5f);
  const BodyId apart = box(5, 0.5f);
  REQUIRE(Run(*world, pool, 200));
  for (const BodyId id : {pushed, touched, above, apart}) REQUIRE(Get(*world, id).asleep);
  // It leaves in the very step in which the others are to wake.
  REQUIRE(world->SetVelocity(pushed, {0, 0, 100}, {}, wait));
  CHECK_FALSE(Get(*world, pushed).asleep);
  CHECK(Get(*world, touched).asleep);
  REQUIRE(Run(*world, pool, 1));
  CHECK(Woken(*world) == std::vector{pushed, touched, above});
  CHECK_FALSE(Get(*world, touched).asleep);
  CHECK_FALSE(Get(*world, above).asleep);
  CHECK(Get(*world, apart).asleep);
  CHECK(world->stats().woken == 3);
}

TEST_CASE("a static body wakes the sleeper that it is moved into, and not one that it misses") {
  auto world = MakeWorld();
  PoolHere pool(0);
  WaitTime wait;
  BodyDef ball = SphereAt(0.5f, {0, 100, 0});
  ball.type = BodyType::kStatic;
  const BodyId wall = Add(*world, ball);
  const BodyId sleeper = Add(*world, Asleep(SphereAt(0.5f, {30, 10, 0})));
  REQUIRE(Run(*world, pool, 1));
  // Their boxes overlap at the corners, the balls do not.
  REQUIRE(world->MoveBody(wall, {30.8f, 10.8f, 0}, {}, wait));
  REQUIRE(Run(*world, pool, 1));
  CHECK(Get(*world, sleeper).asleep);
  REQUIRE(world->MoveBody(wall, {30.9f, 10, 0}, {}, wait));
  REQUIRE(Run(*world, pool, 1));
  CHECK(Woken(*world) == std::vector{sleeper});
  CHECK(world->stats().contacts == 1);
  REQUIRE(world->contact_events().size() == 1);
  CHECK(world->contact_events()[0] ==
        ContactEvent{ContactEvent::Kind::kBegan, wall, sleeper});
}

TEST_CASE("a static body that is moved in a layer which does not touch the sleeper's wakes nobody") {
  WorldDef def;
  def.user_layers.push_back({.name = "ghosts", .touches = {}});
  auto world = MakeWorld(def);
  PoolHere pool(0);
  WaitTime wait;
  BodyDef ghost = SphereAt(0.5f, {0, 100, 0});
  ghost.type = BodyType::kStatic;
  ghost.layer = UserLayer(0);
  const BodyId wall = Add(*world, ghost);
  const BodyId sleeper = Add(*world, Asleep(SphereAt(0.5f, {30, 10, 0})));
  REQUIRE(world->MoveBody(wall, {30, 10, 0}, {}, wait));
  REQUIRE(Run(*world, pool, 1));
  CHECK(Get(*world, sleeper).asleep);
}

}  // namespace
}  // namespace nowait
