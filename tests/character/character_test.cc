// A character on courses of one obstacle each, against closed forms.
#include "src/character/character.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "tests/character/walker.h"

namespace nowait {
namespace {

constexpr float kSkin = CapsuleMover::kSkin;

CharacterDef StandingAt(Vec3 feet) {
  CharacterDef def;
  def.position = feet + Vec3{0.0f, MiddleOf(def) + kSkin, 0.0f};
  return def;
}

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

TEST_CASE("a step that is too high is a wall") {
  Walker walker(StandingAt({}));
  AddStairs(*walker.world, 1, 0.4f, 2.0f);
  walker.Steps(120, {.velocity = {2, 0, 0}});
  CHECK(walker.character.position().x == Approx(1 - 0.3f).margin(0.02));
  CHECK(walker.feet() == Approx(kSkin).margin(6e-3));
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

TEST_CASE("definitions and wishes out of range are refused by name, and nothing happens") {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  const auto subject = [](auto change) {
    CharacterDef def;
    change(def);
    return std::string(Character::Create(def).error().subject);
  };
  CHECK(subject([](CharacterDef& d) { d.position.y = kNan; }) == "position");
  CHECK(subject([](CharacterDef& d) { d.position.x = 2e6f; }) == "position");
  CHECK(subject([](CharacterDef& d) { d.radius = 0.0f; }) == "radius");
  CHECK(subject([](CharacterDef& d) { d.half_height = -1.0f; }) == "half_height");
  CHECK(subject([](CharacterDef& d) { d.step_height = kNan; }) == "step_height");
  CHECK(subject([](CharacterDef& d) { d.steepest_cosine = 0.0f; }) == "steepest_cosine");
  CHECK(subject([](CharacterDef& d) { d.gravity = -1.0f; }) == "gravity");
  CHECK(subject([](CharacterDef& d) { d.fastest_fall = 0.0f; }) == "fastest_fall");
  CHECK(subject([](CharacterDef& d) { d.mass = 0.0f; }) == "mass");
  CHECK(subject([](CharacterDef& d) { d.most_force = kNan; }) == "most_force");

  Walker walker(StandingAt({}));
  Add(*walker.world, Floor());
  const Vec3 before = walker.character.position();
  const WorldView view = walker.world->Read();
  WaitTime wait;
  const auto refused = [&](const CharacterWish& wish, float dt) {
    const auto moved = walker.character.Move({*walker.world, view, wait}, wish, dt, walker.pushes);
    return moved ? std::string("not refused") : std::string(moved.error().subject);
  };
  CHECK(refused({.velocity = {kNan, 0, 0}}, kFrame) == "velocity");
  CHECK(refused({.velocity = {0, 0, 2000}}, kFrame) == "velocity");
  CHECK(refused({.jump = -1}, kFrame) == "jump");
  CHECK(refused({}, 0.0f) == "dt");
  CHECK(refused({}, 1e-39f) == "dt");  // its inverse is infinite
  CHECK(refused({}, kNan) == "dt");
  CHECK(refused({}, 2.0f) == "dt");
  CHECK(walker.character.position() == before);
  CHECK(walker.pushes.empty());
  CHECK(std::string(walker.character.Place({0, kNan, 0}).error().subject) == "position");
}

TEST_CASE("in the void it falls for ever, within the places of a world") {
  Walker walker;
  for (int i = 0; i < 600; ++i) walker.Step({.velocity = {1000, 0, 0}});
  CHECK(walker.character.velocity().y == Approx(-60).epsilon(0.01));
  REQUIRE(walker.character.Place({999'999, 0, 0}));
  walker.Steps(10, {.velocity = {1000, 0, 0}});
  CHECK(walker.character.position().x <= 1e6f);
}

TEST_CASE("put elsewhere it is in the air and at rest, whatever it did before") {
  Walker walker(StandingAt({0, 50, 0}));
  Add(*walker.world, Floor());
  walker.Steps(60, {.velocity = {3, 0, 0}});  // it falls, and not only down
  REQUIRE(walker.character.velocity().y < -5.0f);
  const Vec3 place{0, 30, 0};
  REQUIRE(walker.character.Place(place));
  CHECK(walker.character.position() == place);
  CHECK(walker.character.velocity() == Vec3{});
  CHECK_FALSE(walker.character.stands());
  CHECK(walker.character.ground() == BodyId());
  walker.Step({});
  CHECK(walker.character.velocity().x == 0.0f);
  CHECK(walker.character.velocity().y == Approx(-9.81f * kFrame).epsilon(0.01));
  // From a ground, too, also one that carries it.
  Walker carried(StandingAt({0, 1, 0}));
  const BodyId platform = Add(*carried.world, StaticBox({0, 0.5f, 0}, {3, 0.5f, 3}));
  WaitTime wait;
  for (int i = 1; i < 5; ++i) {
    const float x = 3 * kFrame * static_cast<float>(i);
    REQUIRE(carried.world->MoveBody(platform, {x, 0.5f, 0}, {}, wait));
    carried.Step({});
  }
  REQUIRE(carried.character.stands());
  REQUIRE(carried.character.Place({0, 30, 0}));
  CHECK_FALSE(carried.character.stands());
  carried.Step({.jump = 5.0f});  // it does not stand
  CHECK(carried.character.velocity().x == 0.0f);
  CHECK(carried.character.velocity().y < 0.0f);
}

TEST_CASE("a place that is refused leaves it where it is, as it is") {
  Walker walker(StandingAt({}));
  Add(*walker.world, Floor());
  walker.Steps(5, {.velocity = {2, 0, 0}});
  const Vec3 before = walker.character.position(), velocity = walker.character.velocity();
  CHECK_FALSE(walker.character.Place({1.1e6f, 0, 0}));
  CHECK(walker.character.position() == before);
  CHECK(walker.character.velocity() == velocity);
  CHECK(walker.character.stands());
}

TEST_CASE("a move that is refused leaves what is said of the last one") {
  Walker walker(StandingAt({}));
  const BodyId floor = Add(*walker.world, Floor());
  walker.Steps(5, {.velocity = {2, 0, 0}});
  const Vec3 velocity = walker.character.velocity();
  const std::uint32_t queries = walker.character.queries();
  {
    const WorldView view = walker.world->Read();
    WaitTime wait;
    CHECK_FALSE(
        walker.character.Move({*walker.world, view, wait}, {.jump = 2000}, kFrame, walker.pushes));
  }
  CHECK(walker.character.velocity() == velocity);
  CHECK(walker.character.queries() == queries);
  CHECK(walker.character.ground() == floor);
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

TEST_CASE("definitions, wishes and times at their bounds are taken") {
  const auto made = [](auto change) {
    CharacterDef def;
    change(def);
    return Character::Create(def).has_value();
  };
  CHECK(made([](CharacterDef& d) { d.position = {1e6f, -1e6f, 1e6f}; }));
  for (const float radius : {0.05f, 10.0f}) {
    CHECK(made([&](CharacterDef& d) { d.radius = radius; }));
  }
  for (const float half : {0.001f, 10.0f}) {
    CHECK(made([&](CharacterDef& d) { d.half_height = half; }));
  }
  CHECK(made([](CharacterDef& d) { d.step_height = 10.0f; }));
  CHECK(made([](CharacterDef& d) { d.steepest_cosine = 1.0f; }));
  for (const float gravity : {0.0f, 1'000.0f}) {
    CHECK(made([&](CharacterDef& d) { d.gravity = gravity; }));
  }
  for (const float fall : {0.1f, 1'000.0f}) {
    CHECK(made([&](CharacterDef& d) { d.fastest_fall = fall; }));
  }
  for (const float mass : {0.01f, 1e6f}) CHECK(made([&](CharacterDef& d) { d.mass = mass; }));
  for (const float force : {0.0f, 1e9f}) {
    CHECK(made([&](CharacterDef& d) { d.most_force = force; }));
  }
  Walker walker(StandingAt({0, 100, 0}));
  const WorldView view = walker.world->Read();
  WaitTime wait;
  const auto moves = [&](const CharacterWish& wish, float dt) {
    return walker.character.Move({*walker.world, view, wait}, wish, dt, walker.pushes).has_value();
  };
  CHECK(moves({.velocity = {1'000, -1'000, 1'000}}, kFrame));
  CHECK(moves({.jump = 1'000}, kFrame));
  CHECK(moves({}, 1e-6f));
  CHECK(moves({}, 1.0f));
}

}  // namespace
}  // namespace nowait
