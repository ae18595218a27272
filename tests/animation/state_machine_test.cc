#include "src/animation/state_machine.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

namespace nowait {
namespace {

// Stands for 2 s at a time; walks for 1 s at double speed.
AnimationTable TwoStates() {
  return {{{7, 2.0f, 1.0f}, {8, 1.0f, 2.0f}}, {{0, 1, 5, 0.5f}, {1, 0, 6, 0.25f}}};
}

TEST_CASE("a state plays its clip in a loop") {
  const AnimationTable table = TwoStates();
  AnimationMachine machine(table, 0, 1.5f);
  machine.Update(0.25f);
  REQUIRE(machine.Shown().size() == 1);
  CHECK(machine.Shown()[0].clip == 7);
  CHECK(machine.Shown()[0].seconds == 1.75f);
  CHECK(machine.Shown()[0].weight == 1.0f);
  machine.Update(0.5f);
  CHECK(machine.Shown()[0].seconds == 0.25f);
  machine.Update(10.0f);  // several loops at once
  CHECK(machine.Shown()[0].seconds == 0.25f);
}

TEST_CASE("a transition fades from one clip to the other") {
  const AnimationTable table = TwoStates();
  AnimationMachine machine(table, 0, 0.0f);
  CHECK(!machine.Trigger(6));  // not from this state
  CHECK(machine.Trigger(5));
  CHECK(!machine.Trigger(5));  // not during a fade
  machine.Update(0.125f);
  REQUIRE(machine.Shown().size() == 2);
  CHECK(machine.state() == 0);
  CHECK(machine.Shown()[0].weight == 0.75f);
  CHECK(machine.Shown()[1].clip == 8);
  CHECK(machine.Shown()[1].seconds == 0.25f);
  CHECK(machine.Shown()[1].weight == 0.25f);
  machine.Update(0.375f);
  REQUIRE(machine.Shown().size() == 1);
  CHECK(machine.state() == 1);
  CHECK(machine.Shown()[0].clip == 8);
  CHECK(machine.Shown()[0].weight == 1.0f);
  // The next fade begins at its own beginning, not where this one ended.
  CHECK(machine.Trigger(6));
  machine.Update(0.0625f);
  REQUIRE(machine.Shown().size() == 2);
  CHECK(machine.Shown()[0].clip == 8);
  CHECK(machine.Shown()[0].weight == 0.75f);
  CHECK(machine.Shown()[1].weight == 0.25f);
}

TEST_CASE("what is shown is as of the last update") {
  const AnimationTable table = TwoStates();
  AnimationMachine machine(table, 0, 0.5f);
  const auto check = [&] {
    REQUIRE(machine.Shown().size() == 1);
    CHECK(machine.Shown()[0].clip == 7);
    CHECK(machine.Shown()[0].seconds == 0.5f);
    CHECK(machine.Shown()[0].weight == 1.0f);
  };
  check();
  CHECK(machine.Trigger(5));
  check();
}

TEST_CASE("the times before and after an update touch: nothing between them is passed twice") {
  AnimationTable table;
  table.states = {{3, 1.0f, 1.0f}, {4, 0.7f, 2.0f}};
  table.transitions = {{0, 1, 9, 0.25f}};
  AnimationMachine machine(table, 0, 0.9f);
  CHECK(machine.Shown()[0].before == machine.Shown()[0].seconds);
  int began_again = 0;
  for (int i = 0; i < 200; ++i) {
    const float last = machine.Shown()[0].seconds;
    if (i == 100) REQUIRE(machine.Trigger(9));
    const bool was_fading = machine.Shown().size() == 2;
    const float last_of_next = machine.Shown().back().seconds;
    machine.Update(0.03f);
    const auto shown = machine.Shown();
    // Behind a fade the second clip is the first one.
    const bool faded = was_fading && shown.size() == 1;
    REQUIRE(shown[0].before == (faded ? last_of_next : last));
    if (shown.size() == 2) REQUIRE(shown[1].before == (was_fading ? last_of_next : 0.0f));
    began_again += shown[0].seconds < shown[0].before;
  }
  CHECK(began_again > 5);
}

TEST_CASE("a table that makes no sense is refused") {
  CHECK(TwoStates().Check());
  const auto refused = [](auto change) {
    AnimationTable table = TwoStates();
    change(table);
    const auto checked = table.Check();
    REQUIRE(!checked);
    return std::string(checked.error().subject) + " " + std::to_string(checked.error().amount);
  };
  CHECK(refused([](auto& t) { t.states.clear(); }) == "states 0");
  CHECK(refused([](auto& t) { t.states[1].seconds = 0; }) == "states 1");
  CHECK(refused([](auto& t) { t.states[1].speed = -1; }) == "states 1");
  CHECK(refused([](auto& t) { t.states[0].speed = NAN; }) == "states 0");
  CHECK(refused([](auto& t) { t.transitions[1].to = 2; }) == "transitions 1");
  CHECK(refused([](auto& t) { t.transitions[0].seconds = 0; }) == "transitions 0");
}

TEST_CASE("a second fade begins with the beginning of its clip, and with the weight 0") {
  const AnimationTable table = TwoStates();
  AnimationMachine machine(table, 0, 0.0f);
  for (const std::uint32_t trigger : {5u, 6u, 5u}) {
    CAPTURE(trigger);
    REQUIRE(machine.Trigger(trigger));
    machine.Update(0.0f);
    REQUIRE(machine.Shown().size() == 2);
    CHECK(machine.Shown()[0].weight == 1.0f);
    CHECK(machine.Shown()[1].weight == 0.0f);
    CHECK(machine.Shown()[1].before == 0.0f);
    CHECK(machine.Shown()[1].seconds == 0.0f);
    machine.Update(0.6f);  // beyond the end of either fade
    REQUIRE(machine.Shown().size() == 1);
    CHECK(machine.Shown()[0].clip == (trigger == 5 ? 8 : 7));
  }
}

TEST_CASE("a machine may begin behind the end of its clip: it is where a loop would be") {
  const AnimationTable table = TwoStates();
  const AnimationMachine machine(table, 0, 5.5f);  // of 2 s
  CHECK(machine.Shown()[0].seconds == 1.5f);
  CHECK(machine.Shown()[0].before == 1.5f);
  // Its length is its beginning: the shown time is below the length.
  CHECK(AnimationMachine(table, 0, 2.0f).Shown()[0].seconds == 0.0f);
}

TEST_CASE("a trigger that is refused leaves the fade under way as it is") {
  AnimationTable table = TwoStates();
  table.transitions.push_back({0, 0, 7, 8.0f});
  AnimationMachine machine(table, 0, 0.0f);
  REQUIRE(machine.Trigger(5));
  machine.Update(0.25f);
  for (const std::uint32_t trigger : {5u, 6u, 7u, 99u}) CHECK(!machine.Trigger(trigger));
  machine.Update(0.125f);
  REQUIRE(machine.Shown().size() == 2);
  CHECK(machine.Shown()[1].clip == 8);
  CHECK(machine.Shown()[1].weight == 0.75f);
  CHECK(machine.Shown()[1].seconds == 0.75f);
}

TEST_CASE("a state of speed 0 stays where it is, and a state may lead to itself") {
  AnimationTable table;
  table.states = {{3, 1.0f, 0.0f}, {4, 1.0f, 1.0f}};
  table.transitions = {{0, 0, 1, 0.5f}, {0, 1, 1, 0.25f}};
  REQUIRE(table.Check());
  AnimationMachine machine(table, 0, 0.75f);
  machine.Update(10.0f);
  CHECK(machine.Shown()[0].seconds == 0.75f);
  CHECK(machine.Trigger(1));  // two transitions would do: the first one
  machine.Update(0.25f);
  REQUIRE(machine.Shown().size() == 2);
  CHECK(machine.Shown()[1].clip == 3);
  CHECK(machine.Shown()[1].weight == 0.5f);
}

TEST_CASE("a table's lengths, speeds and fades are finite") {
  constexpr float kInfinite = std::numeric_limits<float>::infinity();
  const auto refused = [](auto change) {
    AnimationTable table = TwoStates();
    change(table);
    return !table.Check();
  };
  CHECK(refused([](auto& t) { t.states[0].seconds = kInfinite; }));
  CHECK(refused([](auto& t) { t.states[0].seconds = -1; }));
  CHECK(refused([](auto& t) { t.states[1].speed = kInfinite; }));
  CHECK(refused([](auto& t) { t.transitions[1].seconds = kInfinite; }));
  CHECK(refused([](auto& t) { t.transitions[0].seconds = NAN; }));
  CHECK(refused([](auto& t) { t.transitions[0].from = 2; }));
}

}  // namespace
}  // namespace nowait
