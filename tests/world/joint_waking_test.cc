// Joints connect bodies: links, islands, sleep and waking, and the contacts of joined bodies.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/world/joints.h"

namespace nowait {
namespace {

TEST_CASE("the links are the contacts of dynamic bodies and the joints") {
  auto world = MakeWorld();
  const PoolHere pool(0);
  Add(*world, Floor());
  const BodyId low = Add(*world, BoxAt({0.5f, 0.5f, 0.5f}, {0, 0.5f, 0}));
  const BodyId high = Add(*world, BoxAt({0.5f, 0.5f, 0.5f}, {0, 1.5f, 0}));
  const BodyId ball = Add(*world, SphereAt(0.5f, {9, 0.5f, 0}));
  const BodyId far = Add(*world, SphereAt(0.5f, {12, 0.5f, 0}));
  const JointId joint = Join(*world, Between(*world, far, ball, {10, 1, 0}, PointJoint{}));
  const BodyLink contact{low.slot(), high.slot(), false};
  const BodyLink joined{ball.slot(), far.slot(), true};
  using Links = std::vector<BodyLink>;
  LinkSnapshot snapshot;
  world->SnapshotLinks(10, snapshot);
  CHECK(snapshot.links == Links{joined});  // no step has found contacts yet
  REQUIRE(Run(*world, pool, 2));
  world->SnapshotLinks(10, snapshot);
  CHECK(snapshot.links == Links{contact, joined});
  CHECK(snapshot.left_out == 0);
  // Two joints of one pair are one link.
  const JointId second = Join(*world, Between(*world, ball, far, {11, 1, 0}, PointJoint{}));
  world->SnapshotLinks(10, snapshot);
  CHECK(snapshot.links == Links{contact, joined});
  CHECK(snapshot.left_out == 0);
  world->SnapshotLinks(1, snapshot);
  CHECK(snapshot.links == Links{contact});
  CHECK(snapshot.left_out == 1);
  WaitTime wait;
  REQUIRE(world->DestroyJoint(joint, wait));
  world->SnapshotLinks(10, snapshot);
  CHECK(snapshot.links == Links{contact, joined});
  REQUIRE(world->DestroyJoint(second, wait));
  REQUIRE(world->DestroyBody(high, wait));
  world->SnapshotLinks(10, snapshot);
  CHECK(snapshot.links.empty());
}

TEST_CASE("joints link islands, and static bodies do not") {
  auto world = MakeWorld();
  PoolHere pool(GENERATE(0u, 3u));
  const BodyId hook = Add(*world, HookAt({0, 20, 0}));
  std::vector<BodyId> bodies;
  for (int i = 0; i < 12; ++i) {
    const auto x = static_cast<float>(3 * i);
    bodies.push_back(Add(*world, SphereAt(0.5f, {x, 20, 0})));
    Join(*world, Between(*world, hook, bodies.back(), {x, 20, 0}, PointJoint{}));
  }
  // 0-1-2, 4-5, 6-..-11
  for (const int i : {0, 1, 4, 6, 7, 8, 9, 10}) {
    const auto at = static_cast<std::size_t>(i);
    Join(*world, Between(*world, bodies[at], bodies[at + 1], Get(*world, bodies[at]).position,
                         PointJoint{}));
  }
  REQUIRE(Run(*world, pool, 1));
  CHECK(world->stats().islands == 4);
  CHECK(world->stats().largest_island == 6);
  CHECK(world->stats().joints == 20);
  CHECK(Get(*world, bodies[1]).island == bodies[0].slot());
  CHECK(Get(*world, bodies[11]).island == bodies[6].slot());
}

TEST_CASE("bodies wake and fall asleep together with those that joints connect") {
  auto world = MakeWorld();
  PoolHere pool(GENERATE(0u, 3u));
  WaitTime wait;
  Add(*world, Floor());
  std::vector<BodyId> row;
  for (int i = 0; i < 10; ++i) {
    BodyDef def = BoxAt({0.4f, 0.5f, 0.5f}, {2.0f * static_cast<float>(i), 0.5f, 0});
    row.push_back(Add(*world, def));
    if (i > 0) {
      const Vec3 middle{2.0f * static_cast<float>(i) - 1.0f, 0.5f, 0};
      Join(*world,
           Between(*world, row[static_cast<std::size_t>(i) - 1], row.back(), middle, FixedJoint{}));
    }
  }
  const auto asleep = [&] {
    std::uint32_t count = 0;
    for (const BodyId id : row) count += Get(*world, id).asleep ? 1 : 0;
    return count;
  };
  REQUIRE(Run(*world, pool, 60));
  REQUIRE(asleep() == 10);
  SECTION("by a call") {
    REQUIRE(world->WakeBody(row[9], wait));
    REQUIRE(Run(*world, pool, 1));
    CHECK(asleep() == 0);
    CHECK(world->stats().woken == 10);
  }
  SECTION("by a body that touches one of them") {
    BodyDef ball = SphereAt(0.5f, {18, 1.55f, 0});
    ball.linear_velocity = {0, -5, 0};
    Add(*world, ball);
    REQUIRE(Run(*world, pool, 2));
    CHECK(asleep() == 0);
    CHECK(world->stats().islands == 1);
    CHECK(world->stats().largest_island == 11);
  }
  SECTION("by a body that goes") {
    REQUIRE(world->DestroyBody(row[4], wait));
    REQUIRE(Run(*world, pool, 1));
    CHECK(world->stats().woken == 9);
    CHECK(world->joint_events().size() == 2);
    CHECK(world->stats().islands == 2);
  }
}

TEST_CASE("a static body that is moved wakes the body that it holds, and pulls it along") {
  auto world = MakeWorld();
  PoolHere pool(1);
  WaitTime wait;
  const BodyId hook = Add(*world, HookAt({0, 10, 0}));
  const BodyId ball = Add(*world, SphereAt(0.3f, {0, 8, 0}));
  Join(*world, Between(*world, hook, ball, {0, 10, 0}, PointJoint{}));
  REQUIRE(Run(*world, pool, 60));
  REQUIRE(Get(*world, ball).asleep);
  REQUIRE(world->MoveBody(hook, {0.5f, 10, 0}, {}, wait));
  REQUIRE(Run(*world, pool, 1));
  CHECK_FALSE(Get(*world, ball).asleep);
  REQUIRE(Run(*world, pool, 300));
  CHECK(Length(Get(*world, ball).position - Vec3{0.5f, 10, 0}) == Approx(2.0f).margin(0.01));
}

TEST_CASE("joined bodies have contacts with each other only if the joint says it") {
  auto world = MakeWorld();
  PoolHere pool(GENERATE(0u, 3u));
  WaitTime wait;
  const BodyId a = Add(*world, SphereAt(0.5f, {0, 5, 0}));
  const BodyId b = Add(*world, SphereAt(0.5f, {0.9f, 5, 0}));
  REQUIRE(Run(*world, pool, 1));
  REQUIRE(world->contact_events().size() == 1);
  JointDef def = Between(*world, a, b, {0.45f, 5, 0}, FixedJoint{});
  SECTION("it does not") {
    const JointId id = Join(*world, def);
    REQUIRE(Run(*world, pool, 1));
    REQUIRE(world->contact_events().size() == 1);
    CHECK(world->contact_events()[0] == ContactEvent{ContactEvent::Kind::kEnded, a, b});
    CHECK(world->stats().pairs == 0);
    REQUIRE(Run(*world, pool, 30));
    CHECK(Length(Get(*world, a).position - Get(*world, b).position) < 0.95f);
    REQUIRE(world->DestroyJoint(id, wait));
    REQUIRE(Run(*world, pool, 1));
    REQUIRE(world->contact_events().size() == 1);
    CHECK(world->contact_events()[0] == ContactEvent{ContactEvent::Kind::kBegan, a, b});
  }
  SECTION("it does") {
    def.bodies_touch = true;
    Join(*world, def);
    REQUIRE(Run(*world, pool, 1));
    CHECK(world->contact_events().empty());
    CHECK(world->stats().contacts == 1);
  }
}

TEST_CASE("a changed motor turns the other way, and a changed joint wakes its bodies") {
  WorldDef still;
  still.gravity = {};
  auto world = MakeWorld(still);
  PoolHere pool(0);
  WaitTime wait;
  const BodyId frame = Add(*world, HookAt({0, 5, 0}));
  const BodyId door = Add(*world, BoxAt({0.5f, 0.5f, 0.1f}, {0.7f, 5, 0}));
  const JointId id = Join(*world, Between(*world, frame, door, {0, 5, 0}, HingeJoint{}));
  REQUIRE(Run(*world, pool, 60));
  REQUIRE(Get(*world, door).asleep);
  REQUIRE(world->ChangeJoint(id, HingeJoint{.motor = JointMotor{1.5f, 1e4f}}, wait));
  CHECK_FALSE(Get(*world, door).asleep);
  REQUIRE(Run(*world, pool, 30));
  CHECK(Get(*world, door).angular_velocity.x == Approx(1.5f).epsilon(1e-2));
  CHECK(world->GetJoint(id)->position == Approx(0.75f).epsilon(0.02));
  REQUIRE(world->ChangeJoint(id, HingeJoint{.motor = JointMotor{-1.5f, 1e4f}}, wait));
  REQUIRE(Run(*world, pool, 30));
  CHECK(Get(*world, door).angular_velocity.x == Approx(-1.5f).epsilon(1e-2));
  CHECK(std::abs(world->GetJoint(id)->position) < 0.05f);
}

TEST_CASE("both bodies are awake as soon as a joint of them is made, changed or destroyed") {
  RestingPair pair;
  pair.RunUntilAsleep();
  const JointId joint = Join(*pair.world, pair.Def());
  CHECK(pair.IsAwake());
  CHECK(pair.Woken() == std::vector{pair.a, pair.b});
  pair.RunUntilAsleep();
  const HingeJoint limited{.limits = JointLimits{-1, 1}};
  REQUIRE(pair.world->ChangeJoint(joint, limited, pair.wait));
  CHECK(pair.IsAwake());
  CHECK(pair.Woken() == std::vector{pair.a, pair.b});
  pair.RunUntilAsleep();
  REQUIRE(pair.world->DestroyJoint(joint, pair.wait));
  CHECK(pair.IsAwake());
  CHECK(pair.Woken() == std::vector{pair.a, pair.b});
}

TEST_CASE("a joint that is destroyed after one of its bodies wakes the other one") {
  for (const bool first_goes : {true, false}) {
    auto world = MakeWorld();
    const PoolHere pool(0);
    BodyDef resting = SphereAt(0.5f, {0, 5, 0});
    resting.gravity_scale = 0.0f;
    const BodyId a = Add(*world, resting);
    resting.position = {2, 5, 0};
    const BodyId b = Add(*world, resting);
    const JointId joint = Join(*world, Between(*world, a, b, {1, 5, 0}, PointJoint{}));
    REQUIRE(Run(*world, pool, 120));
    REQUIRE(Get(*world, a).asleep);
    WaitTime wait;
    REQUIRE(world->DestroyBody(first_goes ? a : b, wait));
    REQUIRE(world->DestroyJoint(joint, wait));
    CHECK_FALSE(Get(*world, first_goes ? b : a).asleep);
  }
}

TEST_CASE("a joint that is made, changed or destroyed gives its bodies all their time of rest") {
  for (int what = 0; what < 3; ++what) {
    CAPTURE(what);
    RestingPair pair;
    JointId joint;
    if (what != 0) joint = Join(*pair.world, pair.Def());
    REQUIRE(Run(*pair.world, pair.pool, 28));  // of thirty
    REQUIRE(pair.IsAwake());
    if (what == 0) Join(*pair.world, pair.Def());
    if (what == 1) REQUIRE(pair.world->ChangeJoint(joint, HingeJoint{}, pair.wait));
    if (what == 2) REQUIRE(pair.world->DestroyJoint(joint, pair.wait));
    REQUIRE(Run(*pair.world, pair.pool, 28));
    CHECK(pair.IsAwake());
    pair.RunUntilAsleep();
  }
}

}  // namespace
}  // namespace nowait
