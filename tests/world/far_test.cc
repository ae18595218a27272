// Far from the origin: where bodies may be put, how accurately they move there, and what becomes of
// bodies that go farther by themselves.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "tests/world/scene.h"

namespace nowait {
namespace {

constexpr float kFarthest = 1e6f;  // metres, as world.h says

Vec3 Along(int axis, float length) {
  return {axis == 0 ? length : 0.0f, axis == 1 ? length : 0.0f, axis == 2 ? length : 0.0f};
}

TEST_CASE("a body is put within 1e6 metres on each axis, and refused by name beyond") {
  const auto world = MakeWorld();
  WaitTime wait;
  for (int axis = 0; axis < 3; ++axis) {
    for (const float sign : {-1.0f, 1.0f}) {
      CAPTURE(axis, sign);
      const auto id = world->CreateBody(SphereAt(1, Along(axis, sign * kFarthest)), wait);
      REQUIRE(id.has_value());
      const std::uint64_t before = world->StateHash();
      for (const float beyond : {std::nextafter(kFarthest, 2e6f), 1e7f}) {
        const Vec3 there = Along(axis, sign * beyond);
        const BodyDef ball = SphereAt(1, there);
        const Error refused{ErrorCode::kInvalidArgument, "position", 0, "not within 1e6 metres"};
        CHECK(world->CreateBody(ball, wait).error() == refused);
        CHECK(world->PrepareBatch({&ball, 1}).error() == refused);
        CHECK(world->MoveBody(*id, there, {}, wait).error() == refused);
      }
      CHECK(world->StateHash() == before);
      REQUIRE(world->DestroyBody(*id, wait));
    }
  }
}

// The distance of neighbouring floats there.
float DigitsAt(float place) { return std::nextafter(place, 1e9f) - place; }

TEST_CASE("a step moves a body to within one digit of where it moves one at the origin") {
  const float far = GENERATE(100.0f, 16000.0f, 100000.0f, 900000.0f);
  CAPTURE(far, DigitsAt(far));
  WorldDef def;
  def.gravity = {};
  const auto world = MakeWorld(def);
  PoolHere pool(0);
  BodyDef ball = SphereAt(0.5f, {});
  ball.linear_velocity = {7.0f, 0, 0};
  const BodyId here = Add(*world, ball);
  ball.position = {far, 0, 0};
  const BodyId there = Add(*world, ball);
  for (int i = 1; i <= 60; ++i) {
    const float here_before = Get(*world, here).position.x;
    const float there_before = Get(*world, there).position.x;
    REQUIRE(Run(*world, pool, 1));
    const float expected = Get(*world, here).position.x - here_before;
    CHECK(std::abs((Get(*world, there).position.x - there_before) - expected) <= DigitsAt(far));
  }
}

TEST_CASE("a body that is slower than half a digit a step stands still") {
  WorldDef def;
  def.gravity = {};
  const auto world = MakeWorld(def);
  PoolHere pool(0);
  const float digit = DigitsAt(kFarthest - 1);
  CHECK(digit == 0.0625f);
  for (const float digits : {0.49f, 0.51f}) {
    BodyDef ball = SphereAt(0.5f, {kFarthest - 100, 0, 0});
    ball.linear_velocity = {digits * digit * 60, 0, 0};
    const BodyId id = Add(*world, ball);
    REQUIRE(Run(*world, pool, 10));
    const float way = Get(*world, id).position.x - ball.position.x;
    CHECK(way == (digits < 0.5f ? 0 : 10 * digit));
    WaitTime wait;
    REQUIRE(world->DestroyBody(id, wait));
  }
}

TEST_CASE("a box rests on a floor to within the digits of its place, and sleeps") {
  const float far = GENERATE(0.0f, 1000.0f, 10000.0f, 100000.0f, 900000.0f);
  CAPTURE(far);
  const auto world = MakeWorld();
  PoolHere pool(0);
  BodyDef floor = Floor();
  floor.position = {far, far - 1, 0};
  Add(*world, floor);
  const BodyId box = Add(*world, BoxAt({0.5f, 0.5f, 0.5f}, {far, far + 0.5f, 0}));
  REQUIRE(Run(*world, pool, 300));
  const BodySnapshot after = Get(*world, box);
  CHECK(after.asleep);
  const float digits = std::max(DigitsAt(far), 0.005f);
  CHECK(std::abs(after.position.y - (far + 0.5f)) <= 2 * digits);
  CHECK(std::abs(after.position.x - far) <= 2 * digits);
}

// A body that nothing stops: more than 1e7 metres in each direction.
TEST_CASE("a body that goes beyond the farthest place by itself stays a body, and is found") {
  WorldDef def;
  def.gravity = {};
  def.solver.max_linear_speed = 1e4f;
  const auto world = MakeWorld(def);
  PoolHere pool(0);
  const int axis = GENERATE(0, 1, 2);
  const float sign = GENERATE(-1.0f, 1.0f);
  CAPTURE(axis, sign);
  BodyDef ball = SphereAt(3, Along(axis, sign * 9e5f));
  ball.linear_velocity = Along(axis, sign * 1e4f);
  ball.may_sleep = false;
  const BodyId id = Add(*world, ball);
  const BodyId other = Add(*world, SphereAt(1, {}));
  float last = 9e5f;
  while (last < 1.2e7f) {
    REQUIRE(world->Update(10, pool).has_value());
    const Vec3 at = Get(*world, id).position;
    const float along = sign * (axis == 0 ? at.x : axis == 1 ? at.y : at.z);
    CAPTURE(along);
    REQUIRE(along == Approx(last + 1e5f).margin(2 * DigitsAt(last + 1e5f)));
    last = along;
    WaitTime wait;
    std::vector<BodyId> found;
    const Vec3 reach{4, 4, 4};
    world->Read().FindInBox(ToBounds(at - reach, at + reach), {}, found, wait);
    REQUIRE(found == std::vector<BodyId>{id});
    const Vec3 side = Along((axis + 1) % 3, 100);
    const auto hit = world->CastRay({at + side, -2 * side}, {}, wait);
    REQUIRE(hit.has_value());
    REQUIRE(hit->body == id);
  }
  // The game may fetch it back; the others have not moved.
  WaitTime wait;
  REQUIRE(world->MoveBody(id, {5, 5, 5}, {}, wait));
  CHECK(Length(Get(*world, other).position) == 0.0f);
}

}  // namespace
}  // namespace nowait
