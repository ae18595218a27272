// The end of a joint: with its body, or by a force that breaks it. The events say which.
#include <catch2/catch.hpp>
#include <vector>

#include "src/world/world_events.h"
#include "tests/world/joints.h"

namespace nowait {
namespace {

TEST_CASE("a joint ends with its body: with an event, and the other body wakes") {
  const bool first_goes = GENERATE(false, true);
  auto world = MakeWorld();
  PoolHere pool(1);
  WaitTime wait;
  Add(*world, Floor());
  const BodyId a = Add(*world, BoxAt({0.5f, 0.5f, 0.5f}, {0, 0.5f, 0}));
  const BodyId b = Add(*world, BoxAt({0.5f, 0.5f, 0.5f}, {3, 0.5f, 0}));
  const JointId id = Join(*world, Between(*world, a, b, {1.5f, 0.5f, 0}, FixedJoint{}));
  REQUIRE(Run(*world, pool, 60));
  REQUIRE(Get(*world, a).asleep);
  REQUIRE(Get(*world, b).asleep);
  const BodyId goes = first_goes ? a : b, stays = first_goes ? b : a;
  REQUIRE(world->DestroyBody(goes, wait));
  CHECK(world->joint_count() == 1);
  REQUIRE(Run(*world, pool, 1));
  CHECK_FALSE(Get(*world, stays).asleep);
  REQUIRE(world->joint_events().size() == 1);
  CHECK(world->joint_events()[0] == JointEvent{JointEvent::Kind::kBodyGone, id, a, b});
  CHECK(world->joint_count() == 0);
  CHECK(world->GetJoint(id).error().code == ErrorCode::kStaleId);
  REQUIRE(Run(*world, pool, 1));
  CHECK(world->joint_events().empty());
}

TEST_CASE("a joint does not go to the next body in its body's slot") {
  WorldDef def;
  def.max_bodies = 2;
  auto world = MakeWorld(def);
  PoolHere pool(0);
  WaitTime wait;
  const BodyId a = Add(*world, SphereAt(0.5f, {0, 5, 0}));
  const BodyId b = Add(*world, SphereAt(0.5f, {2, 5, 0}));
  Join(*world, Between(*world, a, b, {1, 5, 0}, PointJoint{}));
  REQUIRE(world->DestroyBody(b, wait));
  const BodyId next = Add(*world, SphereAt(0.5f, {20, 5, 0}));
  REQUIRE(next.slot() == b.slot());
  REQUIRE(Run(*world, pool, 1));
  CHECK(world->joint_events().size() == 1);
  CHECK(world->stats().islands == 2);
  CHECK(Get(*world, next).position.x == 20.0f);
}

TEST_CASE("a joint that ends with its body wakes no sleeper that has the body's slot by then") {
  WorldDef def;
  def.max_bodies = 2;
  auto world = MakeWorld(def);
  PoolHere pool(0);
  WaitTime wait;
  const BodyId a = Add(*world, SphereAt(0.5f, {0, 5, 0}));
  const BodyId b = Add(*world, SphereAt(0.5f, {2, 5, 0}));
  Join(*world, Between(*world, a, b, {1, 5, 0}, PointJoint{}));
  REQUIRE(Run(*world, pool, 1));
  REQUIRE(world->DestroyBody(b, wait));
  BodyDef sleeper = SphereAt(0.5f, {20, 5, 0});
  sleeper.asleep = true;
  const BodyId next = Add(*world, sleeper);
  REQUIRE(next.slot() == b.slot());
  for (int step = 0; step < 2; ++step) {
    REQUIRE(Run(*world, pool, 1));
    CHECK(world->joint_events().size() == (step == 0 ? 1 : 0));
    CHECK(world->sleep_events().empty());
    CHECK(Get(*world, next).asleep);
  }
}

TEST_CASE("a joint breaks by a force above its own, with an event, and not below it") {
  for (const float share : {0.95f, 1.05f}) {
    CAPTURE(share);
    auto world = MakeWorld();
    PoolHere pool(1);
    const BodyId hook = Add(*world, HookAt({0, 10, 0}));
    BodyDef weight = SphereAt(0.5f, {0, 8, 0});
    weight.may_sleep = false;
    const BodyId ball = Add(*world, weight);
    JointDef def = Between(*world, hook, ball, {0, 10, 0}, PointJoint{});
    const float mass = 1000.0f * 4.0f / 3.0f * 3.14159265f * 0.125f;
    def.break_force = share * mass * 9.81f;
    const JointId id = Join(*world, def);
    std::vector<JointEvent> events;
    for (int step = 0; step < 60; ++step) {
      REQUIRE(Run(*world, pool, 1));
      events.insert(events.end(), world->joint_events().begin(), world->joint_events().end());
    }
    if (share > 1.0f) {
      CHECK(events.empty());
      CHECK(world->GetJoint(id)->force == Approx(mass * 9.81f).epsilon(1e-3));
      CHECK(Get(*world, ball).position.y == Approx(8.0f).margin(1e-3));
    } else {
      REQUIRE(events.size() == 1);
      CHECK(events[0] == JointEvent{JointEvent::Kind::kBroke, id, hook, ball});
      CHECK(world->joint_count() == 0);
      CHECK(Get(*world, ball).position.y < 5.0f);
    }
  }
}

TEST_CASE("what a joint held falls when it breaks, also in the step in which it comes to rest") {
  WorldDef world_def;
  world_def.rest = {.time = 0.0f, .linear_speed = 1.0f, .angular_speed = 1.0f};
  const bool hook_is_first = GENERATE(true, false);
  CAPTURE(hook_is_first);
  auto world = MakeWorld(world_def);
  PoolHere pool(0);
  const BodyId hook = Add(*world, HookAt({0, 9, 0}));
  const BodyId ball = Add(*world, SphereAt(0.5f, {0, 8, 0}));
  JointDef def = Between(*world, hook_is_first ? hook : ball, hook_is_first ? ball : hook,
                         {0, 9, 0}, PointJoint{});
  const JointId strong = Join(*world, def);
  REQUIRE(Run(*world, pool, 2));
  REQUIRE(Get(*world, ball).asleep);
  WaitTime wait;
  REQUIRE(world->DestroyJoint(strong, wait));
  def.break_force = 1.0f;
  Join(*world, def);
  REQUIRE(Run(*world, pool, 1));
  REQUIRE(world->joint_events().size() == 1);
  CHECK(world->joint_events()[0].kind == JointEvent::Kind::kBroke);
  CHECK_FALSE(Get(*world, ball).asleep);
  REQUIRE(Run(*world, pool, 1));
  CHECK(Get(*world, ball).position.y < 7.999f);
}

TEST_CASE("the events of joints are in the stream of the world") {
  auto world = MakeWorld();
  PoolHere pool(0);
  WaitTime wait;
  const BodyId hook = Add(*world, HookAt({0, 10, 0}));
  const BodyId one = Add(*world, SphereAt(0.5f, {0, 8, 0}));
  const BodyId two = Add(*world, SphereAt(0.5f, {5, 8, 0}));
  const JointId of_one = Join(*world, Between(*world, hook, one, {0, 10, 0}, PointJoint{}));
  JointDef weak = Between(*world, hook, two, {0, 10, 0}, PointJoint{});
  weak.break_force = 1e-3f;
  const JointId of_two = Join(*world, weak);
  REQUIRE(world->DestroyBody(one, wait));
  REQUIRE(Run(*world, pool, 1));
  const auto lanes = EventLanes::Create({.lanes = 1, .most_bytes = 1u << 12});
  REQUIRE(lanes);
  {
    auto section = (*lanes)->Open(0);
    REQUIRE(section);
    PostEvents(*world, *section);
  }
  const auto stream = (*lanes)->Merge();
  REQUIRE(stream);
  std::vector<JointId> gone, broke;
  for (const EventView event : *stream) {
    if (const auto* of = event.As<JointBodyGone>()) gone.push_back(of->joint);
    if (const auto* of = event.As<JointBroke>()) broke.push_back(of->joint);
  }
  CHECK(gone == std::vector{of_one});
  CHECK(broke == std::vector{of_two});
}

}  // namespace
}  // namespace nowait
