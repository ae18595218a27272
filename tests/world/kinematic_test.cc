// Kinematic bodies: what they carry, what they wake, what they push, and what they leave alone.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "tests/world/scene.h"

namespace nowait {
namespace {

constexpr float kStep = 1.0f / 60.0f;

BodyDef Kinematic(BodyDef def) {
  def.type = BodyType::kKinematic;
  return def;
}

BodyDef Platform(Vec3 half, Vec3 position) { return Kinematic(BoxAt(half, position)); }

TEST_CASE("a kinematic body keeps its velocity, and nothing stops it") {
  auto world = MakeWorld();
  PoolHere pool(0);
  Add(*world, Floor());
  BodyDef def = Platform({0.5f, 0.5f, 0.5f}, {0, 2, 0});
  def.linear_velocity = {0.5f, -1, 0};
  def.angular_velocity = {0, 2, 0};
  const BodyId id = Add(*world, def);
  BodyDef wall = BoxAt({0.1f, 2, 2}, {1.2f, 2, 0});
  wall.type = BodyType::kStatic;
  Add(*world, wall);
  REQUIRE(Run(*world, pool, 180));
  const BodySnapshot after = Get(*world, id);
  CHECK(Length(after.position - Vec3{1.5f, -1, 0}) < 1e-3f);
  CHECK(after.linear_velocity == def.linear_velocity);
  CHECK(after.angular_velocity == def.angular_velocity);
  // Six radians about y, to the second order of a sub-step.
  CHECK(std::abs(after.rotation.y) == Approx(std::sin(3.0)).margin(1e-3));
  CHECK(world->contact_events().empty());
  CHECK(world->stats().contacts == 0);  // with a static body
  CHECK(world->stats().awake == 0);
}

TEST_CASE("a target is reached at the end of the update, whatever its steps, and then it stands") {
  const std::uint32_t steps = GENERATE(1u, 2u, 5u);
  auto world = MakeWorld();
  PoolHere pool(0);
  WaitTime wait;
  const BodyId id = Add(*world, Platform({2, 0.1f, 2}, {}));
  const Quat turned = Normalise({0.1f, 0.2f, -0.1f, 1});
  REQUIRE(world->SetTarget(id, {0.3f, 0.2f, -0.1f}, turned, wait));
  REQUIRE(world->Update(kStep, pool, steps));
  CHECK(Get(*world, id).position == Vec3{0.3f, 0.2f, -0.1f});
  CHECK(Get(*world, id).rotation == Normalise(turned));
  CHECK(Get(*world, id).linear_velocity == Vec3{});
  REQUIRE(Run(*world, pool, 10));
  CHECK(Get(*world, id).position == Vec3{0.3f, 0.2f, -0.1f});
}

TEST_CASE("a target beyond the limits of speed is approached at the limit") {
  WorldDef def;
  def.solver.max_linear_speed = 6.0f;
  def.solver.max_angular_speed = 3.0f;
  auto world = MakeWorld(def);
  PoolHere pool(0);
  WaitTime wait;
  const BodyId far = Add(*world, Platform({2, 0.1f, 2}, {}));
  const BodyId turning = Add(*world, Platform({2, 0.1f, 2}, {0, 20, 0}));
  REQUIRE(world->SetTarget(far, {1, 0, 0}, {}, wait));
  REQUIRE(world->SetTarget(turning, {0, 20, 0}, {0, 1, 0, 0}, wait));  // half a turn
  REQUIRE(Run(*world, pool, 5));
  CHECK(Get(*world, far).position.x == Approx(0.5f));
  CHECK(Get(*world, far).linear_velocity.x == Approx(6.0f));
  REQUIRE(Run(*world, pool, 6));
  CHECK(Get(*world, far).position == Vec3{1, 0, 0});
  CHECK(Get(*world, turning).angular_velocity.y == Approx(3.0f));
  REQUIRE(Run(*world, pool, 55));  // pi / 3 seconds in all
  CHECK(Get(*world, turning).rotation == Quat{0, 1, 0, 0});
  CHECK(Get(*world, turning).angular_velocity == Vec3{});
}

TEST_CASE("a platform carries a box by friction, as fast as it goes, and leaves it without any") {
  const float friction = GENERATE(0.0f, 0.5f);
  auto world = MakeWorld();
  PoolHere pool(1);
  BodyDef platform = Platform({8, 0.25f, 2}, {0, -0.25f, 0});
  platform.linear_velocity = {1.5f, 0, 0};
  platform.friction = friction;
  const BodyId under = Add(*world, platform);
  const BodyId box = Add(*world, BoxAt({0.5f, 0.5f, 0.5f}, {0, 0.5f, 0}));
  REQUIRE(Run(*world, pool, 120));
  const BodySnapshot after = Get(*world, box);
  CHECK(Get(*world, under).position.x == Approx(3.0f).epsilon(1e-4));
  CHECK(after.position.y == Approx(0.5f).margin(0.01));
  if (friction == 0.0f) {
    CHECK(std::abs(after.position.x) < 1e-3f);
  } else {
    CHECK(after.linear_velocity.x == Approx(1.5f).margin(0.01));
    // It slipped for v / (mu g) seconds.
    CHECK(after.position.x == Approx(3.0f - 0.5f * 2.25f / (0.5f * 9.81f)).margin(0.03));
  }
  CHECK_FALSE(after.asleep);
}

TEST_CASE("a turning platform carries a box round, and a fast one throws it off") {
  const float spin = GENERATE(1.0f, 4.0f);  // mu g = r w^2 at 2.2 a second
  auto world = MakeWorld();
  PoolHere pool(0);
  BodyDef platform = Platform({3, 0.25f, 3}, {0, -0.25f, 0});
  platform.angular_velocity = {0, spin, 0};
  Add(*world, platform);
  const BodyId box = Add(*world, BoxAt({0.2f, 0.2f, 0.2f}, {1, 0.2f, 0}));
  REQUIRE(Run(*world, pool, 120));
  const BodySnapshot after = Get(*world, box);
  const float radius =
      std::sqrt(after.position.x * after.position.x + after.position.z * after.position.z);
  if (spin == 1.0f) {
    CHECK(radius == Approx(1.0f).margin(0.05));
    CHECK(std::atan2(-after.position.z, after.position.x) == Approx(2.0f).margin(0.15));
    CHECK(after.angular_velocity.y == Approx(1.0f).margin(0.02));
  } else {
    CHECK(radius > 2.0f);
  }
}

TEST_CASE("a lift wakes the pile on it, raises it, and lets it sleep when it stands") {
  const bool by_target = GENERATE(false, true);
  const std::uint32_t workers = GENERATE(0u, 2u);
  auto world = MakeWorld();
  PoolHere pool(workers);
  WaitTime wait;
  const BodyId lift = Add(*world, Platform({2, 0.25f, 2}, {0, -0.25f, 0}));
  std::vector<BodyId> pile;
  for (int i = 0; i < 4; ++i) {
    pile.push_back(
        Add(*world, BoxAt({0.4f, 0.4f, 0.4f}, {0, 0.4f + 0.8f * static_cast<float>(i), 0})));
  }
  REQUIRE(Run(*world, pool, 200));
  for (const BodyId id : pile) REQUIRE(Get(*world, id).asleep);
  float height = -0.25f;
  for (int i = 0; i < 120; ++i) {
    height += 0.02f;
    if (by_target) {
      REQUIRE(world->SetTarget(lift, {0, height, 0}, {}, wait));
    } else if (i == 0) {
      REQUIRE(world->SetVelocity(lift, {0, 1.2f, 0}, {}, wait));
    }
    REQUIRE(Run(*world, pool, 1));
    if (i == 0) {
      CHECK(world->stats().woken == pile.size());
    } else {
      CHECK(world->sleep_events().empty());
    }
  }
  if (!by_target) REQUIRE(world->SetVelocity(lift, {}, {}, wait));
  CHECK(Get(*world, lift).position.y == Approx(2.15f).margin(1e-3));
  REQUIRE(Run(*world, pool, 200));
  for (std::size_t i = 0; i < pile.size(); ++i) {
    CHECK(Get(*world, pile[i]).position.y ==
          Approx(2.8f + 0.8f * static_cast<float>(i)).margin(0.03));
    CHECK(Get(*world, pile[i]).asleep);
  }
}

TEST_CASE("a platform that moves slowly lets nothing fall asleep on it") {
  auto world = MakeWorld();
  PoolHere pool(0);
  BodyDef platform = Platform({2, 0.25f, 2}, {0, -0.25f, 0});
  platform.linear_velocity = {0.001f, 0, 0};  // far below the speed of rest
  Add(*world, platform);
  const BodyId box = Add(*world, BoxAt({0.4f, 0.4f, 0.4f}, {0, 0.4f, 0}));
  REQUIRE(Run(*world, pool, 200));
  CHECK_FALSE(Get(*world, box).asleep);
}

TEST_CASE("a kinematic body that leaves wakes what slept on it") {
  auto world = MakeWorld();
  PoolHere pool(0);
  WaitTime wait;
  const BodyId lift = Add(*world, Platform({2, 0.25f, 2}, {0, -0.25f, 0}));
  const BodyId box = Add(*world, BoxAt({0.4f, 0.4f, 0.4f}, {0, 0.4f, 0}));
  REQUIRE(Run(*world, pool, 200));
  REQUIRE(Get(*world, box).asleep);
  REQUIRE(world->SetVelocity(lift, {}, {}, wait));  // it stood and stands
  REQUIRE(world->SetTarget(lift, {0, -0.25f, 0}, {}, wait));
  REQUIRE(Run(*world, pool, 1));
  CHECK(world->stats().woken == 0);
  REQUIRE(world->SetVelocity(lift, {0, -20, 0}, {}, wait));
  REQUIRE(Run(*world, pool, 30));
  CHECK(Get(*world, box).position.y < -0.5f);
}

TEST_CASE("two piles on one kinematic floor stay islands of their own") {
  auto world = MakeWorld();
  PoolHere pool(1);
  BodyDef floor = Platform({20, 0.25f, 20}, {0, -0.25f, 0});
  floor.linear_velocity = {0.5f, 0, 0};
  Add(*world, floor);
  const BodyId left = Add(*world, BoxAt({0.4f, 0.4f, 0.4f}, {-5, 0.4f, 0}));
  const BodyId right = Add(*world, BoxAt({0.4f, 0.4f, 0.4f}, {5, 0.4f, 0}));
  Add(*world, BoxAt({0.4f, 0.4f, 0.4f}, {5, 1.2f, 0}));
  REQUIRE(Run(*world, pool, 10));
  CHECK(world->stats().islands == 2);
  CHECK(Get(*world, left).island != Get(*world, right).island);
}

TEST_CASE("an arm pushes what it meets, and a joint to it goes with it") {
  WorldDef def;
  def.gravity = {};
  auto world = MakeWorld(def);
  PoolHere pool(0);
  WaitTime wait;
  BodyDef arm = Platform({0.2f, 0.2f, 2}, {});
  arm.linear_velocity = {2, 0, 0};
  const BodyId moved = Add(*world, arm);
  const BodyId ball = Add(*world, SphereAt(0.3f, {1, 0, 0}));
  const BodyId hung = Add(*world, SphereAt(0.3f, {0, 3, 0}));
  JointDef joint;
  joint.a = moved;
  joint.b = hung;
  joint.frame_a.position = {0, 3, 0};
  joint.kind = FixedJoint();
  REQUIRE(world->CreateJoint(joint, wait));
  REQUIRE(Run(*world, pool, 120));
  const float at = Get(*world, moved).position.x;
  CHECK(at == Approx(4.0f).epsilon(1e-4));
  CHECK(Get(*world, ball).position.x == Approx(at + 0.5f).margin(0.03));
  CHECK(Get(*world, ball).linear_velocity.x == Approx(2.0f).margin(0.01));
  CHECK(Get(*world, hung).position.x == Approx(at).margin(0.01));
  joint.a = Add(*world, Floor());
  joint.b = moved;
  CHECK(world->CreateJoint(joint, wait).error().detail == std::string("neither is dynamic"));
}

TEST_CASE("a hinge on a turning kinematic body turns with it") {
  WorldDef def;
  def.gravity = {};
  auto world = MakeWorld(def);
  PoolHere pool(0);
  WaitTime wait;
  BodyDef wheel = Platform({0.5f, 0.5f, 0.1f}, {});
  wheel.angular_velocity = {0, 0, 3};
  const BodyId turning = Add(*world, wheel);
  const BodyId held = Add(*world, BoxAt({0.2f, 0.2f, 0.2f}, {2, 0, 0}));
  JointDef joint;
  joint.a = turning;
  joint.b = held;
  joint.frame_a.position = {2, 0, 0};
  joint.kind = FixedJoint();
  REQUIRE(world->CreateJoint(joint, wait));
  for (int i = 0; i < 240; ++i) {
    REQUIRE(Run(*world, pool, 1));
    const BodySnapshot frame = Get(*world, turning), body = Get(*world, held);
    CHECK(Length(body.position - Rotate(frame.rotation, {2, 0, 0})) < 0.02f);
  }
}

// Without the stop the bar would be on the far side of each ball after one step.
TEST_CASE("a fast bar takes along the balls in its way, asleep or awake") {
  const float speed = GENERATE(20.0f, 60.0f, 200.0f);
  const bool asleep = GENERATE(false, true);
  CAPTURE(speed, asleep);
  WorldDef def;
  def.gravity = {};
  auto world = MakeWorld(def);
  PoolHere pool(1);
  BodyDef bar = Platform({0.025f, 1, 10}, {0, 0, 0});
  bar.linear_velocity = {speed, 0, 0};
  const BodyId moved = Add(*world, bar);
  std::vector<BodyId> balls;
  for (int i = 0; i < 8; ++i) {
    BodyDef ball = SphereAt(0.1f, {0.7f * speed / 60.0f + 0.31f * static_cast<float>(i), 0,
                                   -8.0f + 2.0f * static_cast<float>(i)});
    ball.asleep = asleep;
    balls.push_back(Add(*world, ball));
  }
  for (int i = 0; i < 10; ++i) {
    REQUIRE(Run(*world, pool, 1));
    const float at = Get(*world, moved).position.x;
    for (const BodyId id : balls) CHECK(Get(*world, id).position.x > at);
  }
}

TEST_CASE("a sweeping arm passes no ball in its circle") {
  WorldDef def;
  def.gravity = {};
  auto world = MakeWorld(def);
  PoolHere pool(0);
  BodyDef arm = Platform({2, 0.5f, 0.025f}, {});
  arm.angular_velocity = {0, -12, 0};  // 24 m/s at its ends
  const BodyId turning = Add(*world, arm);
  const BodyId ball = Add(*world, SphereAt(0.1f, {1.2f, 0, 1.2f}));
  bool was_hit = false;
  for (int i = 0; i < 12; ++i) {
    REQUIRE(Run(*world, pool, 1));
    was_hit = was_hit || Get(*world, ball).linear_velocity != Vec3{};
    const Vec3 seen = Rotate(Conjugate(Get(*world, turning).rotation), Get(*world, ball).position);
    if (std::abs(seen.x) < 2.0f) CHECK(seen.z > 0.0f);  // in front of the arm, as at first
  }
  CHECK(was_hit);
}

TEST_CASE("a fast body does not pass a kinematic wall that stands, or comes towards it") {
  const float closing = GENERATE(0.0f, 10.0f);
  const float speed = GENERATE(50.0f, 500.0f);
  CAPTURE(closing, speed);
  WorldDef def;
  def.gravity = {};
  auto world = MakeWorld(def);
  PoolHere pool(0);
  BodyDef wall = Platform({0.025f, 5, 5}, {10, 0, 0});
  wall.linear_velocity = {-closing, 0, 0};
  const BodyId moved = Add(*world, wall);
  BodyDef shot = SphereAt(0.1f, {0, 0.3f, 0.2f});
  shot.linear_velocity = {speed, 0, 0};
  const BodyId ball = Add(*world, shot);
  for (int i = 0; i < 30; ++i) {
    REQUIRE(Run(*world, pool, 1));
    REQUIRE(Get(*world, ball).position.x < Get(*world, moved).position.x);
  }
  CHECK(Get(*world, ball).linear_velocity.x == Approx(-closing).margin(0.2));
}

TEST_CASE("what a press drives against a floor stays above it") {
  auto world = MakeWorld();
  PoolHere pool(0);
  Add(*world, Floor());
  BodyDef press = Platform({1, 0.1f, 1}, {0, 3, 0});
  press.linear_velocity = {0, -40, 0};
  Add(*world, press);
  const BodyId ball = Add(*world, SphereAt(0.1f, {0.2f, 1, 0}));
  for (int i = 0; i < 6; ++i) {
    REQUIRE(Run(*world, pool, 1));
    CHECK(Get(*world, ball).position.y > 0.0f);
  }
}

TEST_CASE("contacts of a kinematic body begin and end with events, and never with its like") {
  WorldDef def;
  def.gravity = {};
  auto world = MakeWorld(def);
  PoolHere pool(0);
  WaitTime wait;
  const BodyId first = Add(*world, Platform({1, 1, 1}, {}));
  const BodyId second = Add(*world, Platform({1, 1, 1}, {1, 0, 0}));
  const BodyId ball = Add(*world, SphereAt(0.5f, {0, 1.5f, 0}));
  REQUIRE(world->SetVelocity(second, {1, 0, 0}, {}, wait));
  REQUIRE(Run(*world, pool, 1));
  REQUIRE(world->contact_events().size() == 2);
  CHECK(world->contact_events()[0] == ContactEvent{ContactEvent::Kind::kBegan, first, ball});
  CHECK(world->contact_events()[1] == ContactEvent{ContactEvent::Kind::kBegan, second, ball});
  REQUIRE(world->SetTarget(first, {0, -3, 0}, {}, wait));
  REQUIRE(Run(*world, pool, 2));
  REQUIRE(world->contact_events().size() == 1);
  CHECK(world->contact_events()[0] == ContactEvent{ContactEvent::Kind::kEnded, first, ball});
}

TEST_CASE("queries find a kinematic body among those that move, where it is") {
  auto world = MakeWorld();
  PoolHere pool(0);
  WaitTime wait;
  BodyDef def = Platform({1, 0.1f, 1}, {0, 5, 0});
  def.linear_velocity = {60, 0, 0};
  const BodyId id = Add(*world, def);
  REQUIRE(Run(*world, pool, 10));
  const RayCast down{{10, 10, 0}, {0, -10, 0}};
  const auto hit = world->CastRay(down, {}, wait);
  REQUIRE(hit.has_value());
  CHECK(hit->body == id);
  CHECK_FALSE(world->CastRay(down, {.dynamics = false}, wait).has_value());
  CHECK_FALSE(world->CastRay({{0, 10, 0}, {0, -10, 0}}, {}, wait).has_value());
  CHECK(Get(*world, id).type == BodyType::kKinematic);
  CHECK(Get(*world, id).layer == Layer::kDynamic);
}

TEST_CASE("bad input of kinematic bodies is refused by name, and changes nothing") {
  auto world = MakeWorld();
  PoolHere pool(0);
  WaitTime wait;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinite = std::numeric_limits<float>::infinity();
  const BodyId id = Add(*world, Platform({1, 1, 1}, {}));
  const BodyId floor = Add(*world, Floor());
  const BodyId box = Add(*world, BoxAt({1, 1, 1}, {0, 5, 0}));
  const std::uint64_t before = world->StateHash();
  const auto subject = [&](BodyId of, Vec3 position, Quat rotation) {
    return std::string(world->SetTarget(of, position, rotation, wait).error().subject);
  };
  CHECK(subject(id, {nan, 0, 0}, {}) == "position");
  CHECK(subject(id, {0, infinite, 0}, {}) == "position");
  CHECK(subject(id, {}, {0, 0, 0, 0}) == "rotation");
  CHECK(subject(id, {}, {nan, 0, 0, 1}) == "rotation");
  CHECK(subject(floor, {}, {}) == "body");
  CHECK(subject(box, {}, {}) == "body");
  CHECK(subject(BodyId(), {}, {}) == "body id");
  CHECK(world->SetVelocity(id, {nan, 0, 0}, {}, wait).error().subject == std::string("velocity"));
  CHECK(world->ApplyImpulse(id, {1, 0, 0}, {}, {}, wait).error().subject == std::string("body"));
  BodyDef ground = Floor();
  ground.type = static_cast<BodyType>(7);
  CHECK(world->CreateBody(ground, wait).error().subject == std::string("type"));
  CHECK(world->StateHash() == before);
}

TEST_CASE("a scene with kinematic bodies has one hash for any number of threads") {
  const auto run = [](std::uint32_t workers) {
    auto world = MakeWorld();
    PoolHere pool(workers);
    WaitTime wait;
    Random random(5);
    for (const float side : {-1.0f, 1.0f}) {
      for (const bool along : {false, true}) {
        BodyDef wall = BoxAt({along ? 3.0f : 0.5f, 8, along ? 0.5f : 3.0f},
                             {along ? 0 : side * 2.5f, 5, along ? side * 2.5f : 0});
        wall.type = BodyType::kStatic;
        Add(*world, wall);
      }
    }
    BodyDef arm = Platform({1.5f, 0.2f, 0.1f}, {0, 1.5f, 0});
    arm.angular_velocity = {0, 2, 0};
    Add(*world, arm);
    const BodyId lift = Add(*world, Platform({1.95f, 0.2f, 1.95f}, {0, 0.2f, 0}));
    for (int i = 0; i < 300; ++i) {
      const Vec3 at = random.InBox({-1.6f, 1, -1.6f}, {1.6f, 9, 1.6f});
      Add(*world, i % 2 == 0 ? SphereAt(0.25f, at) : BoxAt({0.25f, 0.3f, 0.2f}, at));
    }
    bool was_large = false;
    for (int i = 0; i < 60; ++i) {
      const float height = 0.2f + 0.02f * static_cast<float>(i % 45);
      REQUIRE(world->SetTarget(lift, {0, height, 0}, {}, wait));
      REQUIRE(Run(*world, pool, 1));
      was_large = was_large || world->stats().large_islands > 0;
    }
    CHECK(was_large);
    return world->StateHash();
  };
  const std::uint64_t alone = run(0);
  CHECK(run(1) == alone);
  CHECK(run(3) == alone);
}

TEST_CASE("a body that comes to a stand wakes what sleeps in its last place") {
  const int how = GENERATE(0, 1, 2, 3);
  auto world = MakeWorld();
  PoolHere pool(0);
  WaitTime wait;
  Add(*world, Floor());
  BodyDef resting = BoxAt({0.5f, 0.5f, 0.5f}, {0, 0.5f, 0});
  resting.asleep = true;
  const BodyId box = Add(*world, resting);
  // Too slow to pass the box, and nowhere near it before its last step.
  BodyDef def = Platform({0.5f, 0.5f, 0.5f}, {1.1f, 0.6f, 0});
  if (how == 3) def.type = BodyType::kDynamic;
  const BodyId wall = Add(*world, def);
  REQUIRE(Run(*world, pool, 1));
  if (how == 0) {
    REQUIRE(world->SetTarget(wall, {0.9f, 0.6f, 0}, {}, wait));
    REQUIRE(Run(*world, pool, 1));
  } else {
    REQUIRE(world->SetVelocity(wall, {-12, 0, 0}, {}, wait));
    REQUIRE(Run(*world, pool, 1));
    BodyChange held;
    held.type = BodyType::kKinematic;
    if (how == 1) REQUIRE(world->SetVelocity(wall, {}, {}, wait));
    if (how == 2) REQUIRE(world->SetTarget(wall, Get(*world, wall).position, {}, wait));
    if (how == 3) REQUIRE(world->SetProperties(wall, held, wait));
  }
  CHECK(Get(*world, box).asleep);
  CHECK(Get(*world, wall).position.x < 0.95f);
  REQUIRE(Run(*world, pool, 1));
  CHECK_FALSE(Get(*world, box).asleep);
  CHECK(world->contact_events().size() == 1);
  REQUIRE(Run(*world, pool, 30));
  CHECK(Get(*world, box).position.x < -0.05f);  // it is pushed out
}

TEST_CASE(
    "a body that is sent to targets strikes with the speed that it has, like one with a velocity") {
  const bool to_targets = GENERATE(false, true);
  WorldDef def;
  def.gravity = {};
  auto world = MakeWorld(def);
  PoolHere pool(0);
  WaitTime wait;
  const BodyId bar = Add(*world, Platform({0.5f, 0.5f, 0.5f}, {-1.2f, 0, 0}));
  Add(*world, SphereAt(0.5f, {}));
  for (int i = 0; i < 10 && world->contact_hits().empty(); ++i) {
    const float x = Get(*world, bar).position.x + 0.05f;
    REQUIRE((to_targets ? world->SetTarget(bar, {x, 0, 0}, {}, wait)
                        : world->SetVelocity(bar, {3, 0, 0}, {}, wait)));
    REQUIRE(Run(*world, pool, 1));
  }
  REQUIRE(world->contact_hits().size() == 1);
  CHECK(world->contact_hits()[0].speed == Approx(3.0f).epsilon(1e-3));
}

}  // namespace
}  // namespace nowait
