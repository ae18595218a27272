// Definitions, wishes and places of a character: the refused ones, and those at their bounds.
#include <catch2/catch.hpp>
#include <cstdint>
#include <limits>
#include <string>

#include "tests/character/walker.h"

namespace nowait {
namespace {

TEST_CASE("definitions and wishes out of range are refused by name, and nothing happens") {
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  const auto subject = [](auto change) {
    CharacterDef def;
    change(def);
    return std::string(Character::Create(def).error().subject);
  };
  CHECK(subject([](CharacterDef& d) { d.position.y = kNaN; }) == "position");
  CHECK(subject([](CharacterDef& d) { d.position.x = 2e6f; }) == "position");
  CHECK(subject([](CharacterDef& d) { d.radius = 0.0f; }) == "radius");
  CHECK(subject([](CharacterDef& d) { d.half_height = -1.0f; }) == "half_height");
  CHECK(subject([](CharacterDef& d) { d.step_height = kNaN; }) == "step_height");
  CHECK(subject([](CharacterDef& d) { d.steepest_cosine = 0.0f; }) == "steepest_cosine");
  CHECK(subject([](CharacterDef& d) { d.gravity = -1.0f; }) == "gravity");
  CHECK(subject([](CharacterDef& d) { d.fastest_fall = 0.0f; }) == "fastest_fall");
  CHECK(subject([](CharacterDef& d) { d.mass = 0.0f; }) == "mass");
  CHECK(subject([](CharacterDef& d) { d.most_force = kNaN; }) == "most_force");

  Walker walker(StandingAt({}));
  Add(*walker.world, Floor());
  const Vec3 before = walker.character.position();
  const WorldView view = walker.world->Read();
  WaitTime wait;
  const auto refused = [&](const CharacterWish& wish, float dt) {
    const auto moved = walker.character.Move({*walker.world, view, wait}, wish, dt, walker.pushes);
    return moved ? std::string("not refused") : std::string(moved.error().subject);
  };
  CHECK(refused({.velocity = {kNaN, 0, 0}}, kFrame) == "velocity");
  CHECK(refused({.velocity = {0, 0, 2000}}, kFrame) == "velocity");
  CHECK(refused({.jump = -1}, kFrame) == "jump");
  CHECK(refused({}, 0.0f) == "dt");
  CHECK(refused({}, 1e-39f) == "dt");  // its inverse is infinite
  CHECK(refused({}, kNaN) == "dt");
  CHECK(refused({}, 2.0f) == "dt");
  CHECK(walker.character.position() == before);
  CHECK(walker.pushes.empty());
  CHECK(std::string(walker.character.Place({0, kNaN, 0}).error().subject) == "position");
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

TEST_CASE("in the void it falls for ever, within the places of a world") {
  Walker walker;
  for (int i = 0; i < 600; ++i) walker.Step({.velocity = {1000, 0, 0}});
  CHECK(walker.character.velocity().y == Approx(-60).epsilon(0.01));
  REQUIRE(walker.character.Place({999'999, 0, 0}));
  walker.Steps(10, {.velocity = {1000, 0, 0}});
  CHECK(walker.character.position().x <= 1e6f);
}

}  // namespace
}  // namespace nowait
