// A character and the bodies that it rides, pushes or meets, or that move into it.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "tests/character/walker.h"

namespace nowait {
namespace {

TEST_CASE(
    "it rides a kinematic platform, which rises, goes and turns, and jumps off with its speed") {
  Walker walker;
  WaitTime wait;
  BodyDef def = StaticBox({0, 0.5f, 0}, {3, 0.5f, 3});
  def.type = BodyType::kKinematic;
  const BodyId platform = Add(*walker.world, def);
  REQUIRE(walker.character.Place({1, 1 + MiddleOf(walker.character.def()), 0}));
  walker.Steps(5, {});
  REQUIRE(walker.character.ground() == platform);
  REQUIRE(walker.world->SetVelocity(platform, {1.2f, 0.6f, 0}, {}, wait));
  for (int i = 0; i < 60; ++i) {
    walker.Step({});
    REQUIRE(walker.character.ground() == platform);
  }
  // One step behind: it moves before the world does.
  CHECK(walker.character.position().x == Approx(1 + 1.2f - 0.02f).margin(1e-3));
  CHECK(walker.feet() == Approx(1 + 0.6f - 0.01f).margin(0.02));
  const Vec3 before = walker.character.position();
  walker.Step({.jump = 3});
  walker.Steps(10, {});
  CHECK_FALSE(walker.character.stands());
  // With the first of these steps it makes up for the one that it was behind.
  CHECK(walker.character.position().x - before.x == Approx(1.2f * 12 / 60).margin(1e-3));
  CHECK(walker.character.velocity().y > 0.6f);

  REQUIRE(walker.world->SetTarget(platform, {0, 0.5f, 0}, {}, wait));
  REQUIRE(Run(*walker.world, walker.pool, 2));
  REQUIRE(walker.character.Place({1, 1 + MiddleOf(walker.character.def()), 0}));
  walker.Steps(5, {});
  REQUIRE(walker.world->SetVelocity(platform, {}, {0, 1, 0}, wait));
  walker.Steps(61, {});
  const Vec3 round = walker.character.position();
  CHECK(round.x == Approx(std::cos(1.0f)).margin(0.02));
  CHECK(round.z == Approx(-std::sin(1.0f)).margin(0.02));
}

TEST_CASE("it rides a platform that the game moves and turns, and jumps off with its speed") {
  Walker walker(StandingAt({0, 1, 0}));
  const BodyId platform = Add(*walker.world, StaticBox({0, 0.5f, 0}, {3, 0.5f, 3}));
  walker.Step({});
  REQUIRE(walker.character.ground() == platform);
  WaitTime wait;
  Vec3 at{0, 0.5f, 0};
  for (int i = 0; i < 60; ++i) {
    at += Vec3{2, i < 30 ? 1.0f : -1.0f, 0} * kFrame;
    REQUIRE(walker.world->MoveBody(platform, at, {}, wait));
    walker.Step({});
    REQUIRE(walker.character.ground() == platform);
  }
  CHECK(walker.character.position().x == Approx(2).margin(0.05));
  CHECK(walker.character.velocity().x == Approx(2).margin(0.02));
  walker.Steps(1, {.velocity = {1, 0, 0}});
  const Quat quarter = FromAxisAngle({0, 1, 0}, 0.5f);
  const Vec3 offset = walker.character.position() - at;
  REQUIRE(walker.world->MoveBody(platform, at, quarter, wait));
  walker.Step({});
  CHECK(Length(walker.character.position() - at - Rotate(quarter, offset)) < 0.02f);
  for (int i = 0; i < 10; ++i) {
    at += Vec3{3, 0, 0} * kFrame;
    REQUIRE(walker.world->MoveBody(platform, at, quarter, wait));
    walker.Step({.jump = i == 9 ? 4.0f : 0.0f});
  }
  CHECK_FALSE(walker.character.stands());
  walker.Steps(5, {});
  CHECK(walker.character.velocity().x == Approx(3).margin(0.05));
}

TEST_CASE(
    "ground that is put elsewhere at once takes it along, and throws it no faster than 1000") {
  const float by = GENERATE(1.0f, 100.0f);
  CAPTURE(by);
  Walker walker(StandingAt({0, 1, 0}));
  const BodyId platform = Add(*walker.world, StaticBox({0, 0.5f, 0}, {3, 0.5f, 3}));
  walker.Step({});
  WaitTime wait;
  REQUIRE(walker.world->MoveBody(platform, {by, 0.5f + by, 0}, {}, wait));
  walker.Step({.jump = 3.0f});
  CHECK_FALSE(walker.character.stands());
  walker.Step({});
  CHECK(walker.character.velocity().x <= 1001.0f);
  CHECK(walker.character.velocity().y <= 1004.0f);
}

TEST_CASE("it is carried by a body that the solver moves, and presses on it") {
  Walker walker(StandingAt({0, 1, 0}));
  Add(*walker.world, Floor(0.0f));
  BodyDef sled = BoxAt({1, 0.5f, 1}, {0, 0.5f, 0});
  sled.friction = 0.0f;
  sled.linear_velocity = {1.5f, 0, 0};
  const BodyId id = Add(*walker.world, sled);
  walker.Steps(90, {});
  CHECK(walker.character.ground() == id);
  CHECK(walker.character.position().x == Approx(Get(*walker.world, id).position.x).margin(0.06));
  CHECK(walker.character.position().x > 1.5f);
  REQUIRE(walker.pushes.size() == 1);
  CHECK(walker.pushes[0].impulse.y == Approx(-80 * 9.81f * kFrame));
}

TEST_CASE("it pushes a light crate and not a heavy one, and walks no faster than they go") {
  const bool heavy = GENERATE(false, true);
  Walker walker(StandingAt({-2, 0, 0}));
  Add(*walker.world, Floor(0.3f));
  BodyDef crate = BoxAt({0.5f, 0.5f, 0.5f}, {0, 0.5f, 0});
  crate.density = heavy ? 5000.0f : 50.0f;
  crate.friction = 0.3f;
  const BodyId id = Add(*walker.world, crate);
  walker.Steps(180, {.velocity = {2, 0, 0}});
  const float moved = Get(*walker.world, id).position.x;
  if (heavy) {
    CHECK(moved < 0.05f);
  } else {
    CHECK(moved > 1.0f);
    CHECK(Get(*walker.world, id).linear_velocity.x < 2.5f);
  }
  CHECK(walker.character.position().x < moved - 0.5f - 0.25f);
}

TEST_CASE("a body that comes into it pushes it away and is slowed") {
  Walker walker(StandingAt({0, 0, 0}));
  Add(*walker.world, Floor());
  BodyDef ball = SphereAt(0.5f, {-3, 0.9f, 0});
  ball.linear_velocity = {6, 0, 0};
  ball.gravity_scale = 0.0f;
  const BodyId id = Add(*walker.world, ball);
  walker.Steps(60, {});
  CHECK(walker.character.position().x > 0.1f);
  CHECK(Get(*walker.world, id).linear_velocity.x < 6.0f);
  CHECK(walker.feet() == Approx(kSkin).margin(0.05));
}

TEST_CASE("a moving wall pushes it along, and it is not crushed through the floor") {
  Walker walker(StandingAt({0, 0, 0}));
  Add(*walker.world, Floor());
  const BodyId wall = Add(*walker.world, StaticBox({-2, 1, 0}, {0.5f, 1, 2}));
  WaitTime wait;
  for (int i = 0; i < 120; ++i) {
    const float x = -2 + 2 * kFrame * static_cast<float>(i);
    REQUIRE(walker.world->MoveBody(wall, {x, 1, 0}, {}, wait));
    walker.Step({});
    REQUIRE(walker.character.position().x > x + 0.5f + 0.3f - 0.05f);
    REQUIRE(walker.feet() > -0.05f);
  }
}

TEST_CASE("under a ceiling that is too low it keeps still, and stands up when that is gone") {
  const float gap = GENERATE(1.79f, 1.5f, 1.0f);
  CAPTURE(gap);
  Walker walker(StandingAt({0, 0, 0}));
  Add(*walker.world, Floor());
  const BodyId ceiling = Add(*walker.world, StaticBox({0, 3.5f, 0}, {5, 0.5f, 5}));
  WaitTime wait;
  walker.Step({});
  for (float y = 3.0f; y > gap; y -= kFrame) {
    REQUIRE(walker.world->MoveBody(ceiling, {0, y + 0.5f, 0}, {}, wait));
    walker.Step({});
  }
  REQUIRE(walker.world->MoveBody(ceiling, {0, gap + 0.5f, 0}, {}, wait));
  walker.Steps(10, {});
  const Vec3 before = walker.character.position();
  CHECK(before.y == Approx(0.5f * gap).margin(0.02));
  for (int i = 0; i < 60; ++i) {
    walker.Step({.velocity = {1, 0, 0}});
    REQUIRE(std::abs(walker.character.position().y - before.y) < 2e-3f);
  }
  REQUIRE(walker.world->MoveBody(ceiling, {0, 10, 0}, {}, wait));
  walker.Steps(60, {});
  CHECK(walker.feet() == Approx(kSkin).margin(6e-3));
}

TEST_CASE("it meets the bodies of its layers alone, and not the body that stands for it") {
  CharacterDef def = StandingAt({});
  def.layers = LayerSet();
  def.layers.Add(Layer::kStatic);
  Walker walker(def);
  Add(*walker.world, Floor());
  BodyDef crate = BoxAt({0.5f, 0.5f, 0.5f}, {1.5f, 0.5f, 0});
  crate.density = 5'000.0f;
  const BodyId heavy = Add(*walker.world, crate);
  walker.Steps(90, {.velocity = {2, 0, 0}});
  CHECK(walker.character.position().x == Approx(3).margin(0.05));  // through the crate
  CHECK(Get(*walker.world, heavy).position.x == Approx(1.5f).margin(1e-3));

  CharacterDef own = StandingAt({});
  Walker alone;
  Add(*alone.world, Floor());
  own.body = Add(*alone.world, StaticBox(own.position, {0.4f, 0.9f, 0.4f}));
  alone.character = *Character::Create(own);
  alone.Steps(60, {.velocity = {2, 0, 0}});
  CHECK(alone.character.position().x == Approx(2).margin(0.05));
  CHECK(alone.feet() == Approx(kSkin).margin(6e-3));
}

TEST_CASE("pushes are appended, and none is stronger than its force allows") {
  CharacterDef def = StandingAt({-1.5f, 0, 0});
  def.most_force = 30.0f;
  Walker walker(def);
  Add(*walker.world, Floor(0.0f));
  BodyDef crate = BoxAt({0.5f, 0.5f, 0.5f}, {0, 0.5f, 0});
  crate.density = 1'000.0f;
  const BodyId id = Add(*walker.world, crate);
  const CharacterPush first{id, {0, 0, 77}, {}};
  WaitTime wait;
  float strongest = 0.0f;
  for (int i = 0; i < 60; ++i) {
    std::vector<CharacterPush> pushes = {first};
    {
      const WorldView view = walker.world->Read();
      REQUIRE(walker.character.Move({*walker.world, view, wait}, {.velocity = {4, 0, 0}}, kFrame,
                                    pushes));
    }
    REQUIRE(pushes.size() >= 1);
    CHECK(pushes[0].impulse == first.impulse);
    pushes.erase(pushes.begin());
    for (const CharacterPush& push : pushes) {
      strongest = std::max(strongest, Length(push.impulse));
    }
    ApplyPushes(*walker.world, pushes, wait);
    REQUIRE(Run(*walker.world, walker.pool, 1));
  }
  CHECK(strongest == Approx(30.0f * kFrame).epsilon(1e-3));
}

TEST_CASE("a push of a body that is gone, or would be too fast, is left out, and no other") {
  Walker walker;
  BodyDef ball = SphereAt(0.5f, {0, 5, 0});
  ball.gravity_scale = 0.0f;
  const BodyId gone = Add(*walker.world, ball);
  ball.position.x = 5;
  const BodyId pushed = Add(*walker.world, ball);
  WaitTime wait;
  REQUIRE(walker.world->DestroyBody(gone, wait));
  const float mass = 1.0f / Get(*walker.world, pushed).inverse_mass;
  const std::vector<CharacterPush> pushes = {{gone, {0, 0, 9}, {0, 5, 0}},
                                             {pushed, {1e9f * mass, 0, 0}, {5, 5, 0}},
                                             {pushed, {0, 0, mass}, {5, 5, 0}}};
  ApplyPushes(*walker.world, pushes, wait);
  CHECK(Length(Get(*walker.world, pushed).linear_velocity - Vec3{0, 0, 1}) < 1e-4f);
}

}  // namespace
}  // namespace nowait
