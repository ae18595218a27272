// A character on the ground and in the air: courses of one obstacle each, against closed forms.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/character/walker.h"

namespace nowait {
namespace {

TEST_CASE("on a flat floor it walks with the speed of the wish") {
  Walker walker(StandingAt({}));
  Add(*walker.world, Floor());
  walker.Steps(60, {.velocity = {1.5f, 0, -2.0f}});
  CHECK(walker.character.position().x == Approx(1.5f).margin(0.06f));
  CHECK(walker.character.position().z == Approx(-2.0f).margin(0.08f));
  CHECK(walker.feet() == Approx(kSkin).margin(6e-3));
  CHECK(walker.character.stands());
  walker.Steps(60, {});
  CHECK(walker.character.velocity() == Vec3{});
}

TEST_CASE("it falls like a stone, and stands where it lands") {
  Walker walker(StandingAt({0, 5, 0}));
  Add(*walker.world, Floor());
  int frames = 0;
  while (!walker.character.stands()) {
    walker.Step({});
    REQUIRE(++frames < 120);
  }
  CHECK(static_cast<float>(frames) * kFrame == Approx(std::sqrt(2 * 5 / 9.81f)).margin(0.04));
  CHECK(walker.feet() == Approx(kSkin).margin(6e-3));
}

TEST_CASE("a jump rises as high as its speed says, and a ceiling ends it") {
  const bool low = GENERATE(false, true);
  Walker walker(StandingAt({}));
  Add(*walker.world, Floor());
  const float ceiling = 2.3f;
  if (low) Add(*walker.world, StaticBox({0, ceiling + 0.5f, 0}, {5, 0.5f, 5}));
  walker.Step({});
  float highest = 0.0f;
  walker.Step({.jump = 5.0f});
  int frames = 0;
  while (!walker.character.stands()) {
    highest = std::max(highest, walker.feet());
    walker.Step({.jump = 5.0f});
    REQUIRE(++frames < 120);
  }
  if (low) {
    CHECK(highest == Approx(ceiling - 1.8f).margin(0.03));
  } else {
    CHECK(highest == Approx(25 / (2 * 9.81f)).margin(0.06));
    CHECK(static_cast<float>(frames) * kFrame == Approx(2 * 5 / 9.81f).margin(0.04));
  }
}

// Steps of this height and depth, from x = 1 on.
void AddStairs(World& world, int steps, float height, float depth) {
  Add(world, Floor());
  for (int i = 0; i < steps; ++i) {
    const float top = height * static_cast<float>(i + 1);
    const float length = 0.5f * depth * static_cast<float>(steps - i);
    Add(world, StaticBox({1 + depth * static_cast<float>(i) + length, 0.5f * top, 0},
                         {length, 0.5f * top, 3}));
  }
}

TEST_CASE("it climbs stairs and comes down again, and stands all the way") {
  const float height = GENERATE(0.1f, 0.2f, 0.34f);
  CAPTURE(height);
  Walker walker(StandingAt({}));
  AddStairs(*walker.world, 5, height, 0.5f);
  walker.Step({});
  for (int i = 0; i < 130; ++i) {
    walker.Step({.velocity = {1.5f, 0, 0}});
    REQUIRE(walker.character.stands());
  }
  CHECK(walker.feet() == Approx(5 * height + kSkin).margin(0.01));
  CHECK(walker.character.position().x == Approx(130 * 1.5f * kFrame).margin(0.4));
  for (int i = 0; i < 130; ++i) {
    walker.Step({.velocity = {-1.5f, 0, 0}});
    REQUIRE(walker.character.stands());
  }
  CHECK(walker.feet() == Approx(kSkin).margin(0.01));
}

TEST_CASE("it climbs a step of its step height, and with none a step is a wall") {
  const float height = GENERATE(0.0f, 0.2f, 0.35f);
  CAPTURE(height);
  CharacterDef def = StandingAt({});
  def.step_height = height;
  Walker walker(def);
  AddStairs(*walker.world, 1, height > 0.0f ? height : 0.2f, 5.0f);
  walker.Steps(90, {.velocity = {2, 0, 0}});
  if (height > 0.0f) {
    CHECK(walker.feet() == Approx(height + kSkin).margin(0.01));
    CHECK(walker.character.position().x > 2.0f);
  } else {
    CHECK(walker.feet() == Approx(kSkin).margin(6e-3));
  }
}

TEST_CASE("a step that is too high is a wall") {
  Walker walker(StandingAt({}));
  AddStairs(*walker.world, 1, 0.4f, 2.0f);
  walker.Steps(120, {.velocity = {2, 0, 0}});
  CHECK(walker.character.position().x == Approx(1 - 0.3f).margin(0.02));
  CHECK(walker.feet() == Approx(kSkin).margin(6e-3));
}

TEST_CASE("the height of a wish does not count, on the ground and in the air") {
  Walker walker(StandingAt({})), level(StandingAt({}));
  for (Walker* of : {&walker, &level}) Add(*of->world, Floor());
  for (int i = 0; i < 30; ++i) {
    const float jump = i == 10 ? 4.0f : 0.0f;
    walker.Step({.velocity = {1, i % 2 == 0 ? 900.0f : -900.0f, 0}, .jump = jump});
    level.Step({.velocity = {1, 0, 0}, .jump = jump});
    REQUIRE(walker.character.position() == level.character.position());
  }
}

// In the other world there is no body: what the view finds is gone when it is looked at.
TEST_CASE("ground that goes away between the query and the look at it is no ground") {
  Walker walker(StandingAt({}));
  Add(*walker.world, Floor());
  walker.Step({});
  REQUIRE(walker.character.stands());
  const auto other = MakeWorld();
  const bool rises = GENERATE(false, true);
  CAPTURE(rises);
  if (rises) REQUIRE(walker.character.Place(walker.character.position()));
  const Vec3 before = walker.character.position();
  {
    WaitTime wait;
    const WorldView view = walker.world->Read();
    REQUIRE(walker.character.Move({*other, view, wait}, {.velocity = {1, 0, 0}}, kFrame,
                                  walker.pushes));
  }
  CHECK_FALSE(walker.character.stands());
  CHECK(walker.character.ground() == BodyId());
  CHECK(walker.character.position().y <= before.y);
  walker.Step({});
  CHECK(walker.character.stands());
}

TEST_CASE("its ground is gone: it falls") {
  Walker walker(StandingAt({0, 1, 0}));
  Add(*walker.world, Floor());
  const BodyId box = Add(*walker.world, StaticBox({0, 0.5f, 0}, {1, 0.5f, 1}));
  walker.Step({});
  REQUIRE(walker.character.ground() == box);
  WaitTime wait;
  REQUIRE(walker.world->DestroyBody(box, wait));
  walker.Step({});
  CHECK_FALSE(walker.character.stands());
  walker.Steps(60, {});
  CHECK(walker.feet() == Approx(kSkin).margin(6e-3));
}

// A ramp that rises along x from the origin.
BodyDef Ramp(float angle) {
  BodyDef ramp = StaticBox({}, {10, 0.5f, 10});
  ramp.rotation = FromAxisAngle({0, 0, 1}, angle);
  const Vec3 up = Rotate(ramp.rotation, {0, 1, 0});
  ramp.position = Rotate(ramp.rotation, {10, 0, 0}) - up * 0.5f;
  return ramp;
}

TEST_CASE("it walks on a slope below the limit, and its shadow keeps the speed") {
  const float angle = GENERATE(0.2f, 0.5f, 0.8f);  // the limit is at 0.876
  CAPTURE(angle);
  Walker walker(StandingAt({-1, 0, 0}));
  Add(*walker.world, Floor());
  Add(*walker.world, Ramp(angle));
  walker.Steps(180, {.velocity = {2, 0, 0}});
  CHECK(walker.character.stands());
  CHECK(walker.character.position().x == Approx(5).margin(0.4));
  const float height = walker.feet();
  CHECK(height > (walker.character.position().x - 0.7f) * std::tan(angle));
  walker.Steps(60, {});
  CHECK(walker.feet() == Approx(height).margin(1e-3));  // it does not creep
  for (int i = 0; i < 60; ++i) {
    walker.Step({.velocity = {-2, 0, 0}});
    REQUIRE(walker.character.stands());
  }
}

TEST_CASE("a slope above the limit is a wall from below, and a slide from above") {
  Walker below(StandingAt({-1, 0, 0}));
  Add(*below.world, Floor());
  Add(*below.world, Ramp(1.0f));
  below.Steps(180, {.velocity = {2, 0, 0}});
  CHECK(below.feet() < 0.3f);
  Walker above(StandingAt({2.0f, 4.5f, 0}));
  Add(*above.world, Floor());
  Add(*above.world, Ramp(1.0f));
  above.Steps(150, {});
  CHECK(above.character.position().x < 0.3f);
  CHECK(above.feet() < 0.3f);
}

TEST_CASE("it slides along walls, and stops in a corner, of any angle") {
  const float angle = GENERATE(0.6f, 1.5708f, 2.6f);  // between the walls
  CAPTURE(angle);
  Walker walker(StandingAt({-3, 0, 0}));
  Add(*walker.world, Floor());
  for (const float side : {-1.0f, 1.0f}) {
    BodyDef wall = StaticBox({}, {5, 2, 0.1f});
    wall.rotation = FromAxisAngle({0, 1, 0}, side * 0.5f * angle);
    wall.position = Rotate(wall.rotation, {-5, 2, 0});
    Add(*walker.world, wall);
  }
  walker.Steps(240, {.velocity = {2, 0, 0.4f}});
  const Vec3 at = walker.character.position();
  CHECK(at.x < 0.0f);
  CHECK(std::abs(at.z) < 1.0f);
  walker.Steps(60, {.velocity = {2, 0, -0.4f}});
  CHECK(Length(walker.character.velocity()) < 0.5f);
  CHECK(walker.character.position().x < 0.0f);
}

TEST_CASE("it falls no faster than its definition says, and without gravity not at all") {
  CharacterDef def = StandingAt({0, 100, 0});
  def.fastest_fall = 5.0f;
  Walker walker(def);
  walker.Steps(90, {});
  CHECK(walker.character.velocity().y == Approx(-5).epsilon(0.001));
  def.gravity = 0.0f;
  Walker floating(def);
  floating.Steps(30, {});
  CHECK(floating.character.position() == def.position);
}

}  // namespace
}  // namespace nowait
