// Joints in a world: ids, errors, events, waking, contacts and islands.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "src/sync/held_locks.h"
#include "src/world/world_events.h"
#include "tests/world/scene.h"

namespace nowait {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

JointDef Between(const World& world, BodyId a, BodyId b, Vec3 anchor, const JointKind& kind) {
  JointDef def;
  def.a = a;
  def.b = b;
  const BodySnapshot at_a = Get(world, a), at_b = Get(world, b);
  def.frame_a = FrameAt(at_a.position, at_a.rotation, anchor);
  def.frame_b = FrameAt(at_b.position, at_b.rotation, anchor);
  def.kind = kind;
  return def;
}

JointId Join(World& world, const JointDef& def) {
  WaitTime wait;
  return *world.CreateJoint(def, wait);
}

BodyDef HookAt(Vec3 position) {
  BodyDef def = BoxAt({0.1f, 0.1f, 0.1f}, position);
  def.type = BodyType::kStatic;
  return def;
}

TEST_CASE("an update of game objects looks at bodies and joints") {
  auto world = MakeWorld();
  const BodyId hook = Add(*world, HookAt({0, 3, 0}));
  const BodyId ball = Add(*world, SphereAt(0.5f, {0, 2, 0}));
  const JointId joint = Join(*world, Between(*world, hook, ball, {0, 3, 0}, PointJoint{}));
  WaitTime wait;
  HeldLocks::OfThisThread().in_update = true;
  const auto seen = world->GetJoint(joint);
  const auto at = world->GetBody(ball, wait);
  const bool meets = world->CastRay({{0, 9, 0}, {0, -9, 0}}, {}, wait).has_value();
  HeldLocks::OfThisThread().in_update = false;
  CHECK((seen && seen->def.b == ball));
  CHECK(at);
  CHECK(meets);
}

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

TEST_CASE("a joint's id names it until it is gone, and no other world's") {
  auto world = MakeWorld(), other = MakeWorld();
  WaitTime wait;
  const BodyId a = Add(*world, SphereAt(0.5f, {0, 5, 0}));
  const BodyId b = Add(*world, SphereAt(0.5f, {2, 5, 0}));
  JointDef def = Between(*world, a, b, {1, 5, 0}, PointJoint{});
  def.user = 77;
  const JointId id = Join(*world, def);
  CHECK(world->joint_count() == 1);
  const auto joint = world->GetJoint(id);
  REQUIRE(joint);
  CHECK(joint->id == id);
  CHECK(joint->def.a == a);
  CHECK(joint->def.user == 77);
  const auto bits = static_cast<std::int64_t>(id.bits());
  CHECK(other->GetJoint(id).error() ==
        Error{ErrorCode::kInvalidArgument, "joint id", bits, "it is another world's"});
  CHECK(other->DestroyJoint(id, wait).error().code == ErrorCode::kInvalidArgument);
  CHECK(world->GetJoint(JointId()).error().code == ErrorCode::kStaleId);
  REQUIRE(world->DestroyJoint(id, wait));
  CHECK(world->joint_count() == 0);
  for (const auto& gone :
       {world->DestroyJoint(id, wait), world->ChangeJoint(id, PointJoint{}, wait)}) {
    CHECK(gone == Fail(ErrorCode::kStaleId, "joint id", bits));
  }
  const JointId next = Join(*world, def);
  CHECK_FALSE(next == id);
  CHECK(world->GetJoint(id).error().code == ErrorCode::kStaleId);
}

TEST_CASE("the capacity of joints is an error that names it, and is free again") {
  WorldDef small;
  small.max_joints = 2;
  auto world = MakeWorld(small);
  WaitTime wait;
  const BodyId a = Add(*world, SphereAt(0.5f, {0, 5, 0}));
  const BodyId b = Add(*world, SphereAt(0.5f, {2, 5, 0}));
  const JointDef def = Between(*world, a, b, {1, 5, 0}, PointJoint{});
  const JointId first = Join(*world, def);
  Join(*world, def);
  CHECK(world->CreateJoint(def, wait) == Fail(ErrorCode::kCapacity, "joints", 2));
  REQUIRE(world->DestroyJoint(first, wait));
  CHECK(world->CreateJoint(def, wait));
  WorldDef none;
  none.max_joints = 0;
  auto without = MakeWorld(none);
  const BodyId c = Add(*without, SphereAt(0.5f, {0, 5, 0}));
  const BodyId d = Add(*without, SphereAt(0.5f, {2, 5, 0}));
  CHECK(without->CreateJoint(Between(*without, c, d, {1, 5, 0}, PointJoint{}), wait) ==
        Fail(ErrorCode::kCapacity, "joints", 0));
  WorldDef large;
  large.max_joints = JointId::kMaxJoints + 1;
  CHECK(std::string_view(World::Create(large).error().subject) == "max_joints");
}

TEST_CASE("a definition that is wrong is refused with the name of the field, and nothing happens") {
  auto world = MakeWorld();
  WaitTime wait;
  const BodyId a = Add(*world, SphereAt(0.5f, {0, 5, 0}));
  const BodyId b = Add(*world, SphereAt(0.5f, {2, 5, 0}));
  const BodyId hook = Add(*world, HookAt({0, 9, 0}));
  const BodyId wall = Add(*world, HookAt({3, 9, 0}));
  const BodyId gone = Add(*world, SphereAt(0.5f, {9, 5, 0}));
  REQUIRE(world->DestroyBody(gone, wait));
  const JointDef good = Between(*world, a, b, {1, 5, 0}, PointJoint{});
  const auto refused = [&](const char* subject, const auto& change) {
    JointDef def = good;
    change(def);
    const auto id = world->CreateJoint(def, wait);
    CAPTURE(subject);
    REQUIRE_FALSE(id);
    CHECK(std::string_view(id.error().subject) == subject);
    CHECK(world->joint_count() == 0);
  };
  const auto of_kind = [&](const char* subject, const JointKind& kind) {
    refused(subject, [&](JointDef& def) { def.kind = kind; });
  };
  refused("bodies", [&](JointDef& def) { def.b = def.a; });
  refused("bodies", [&](JointDef& def) { def.a = hook, def.b = wall; });
  refused("body id", [&](JointDef& def) { def.b = gone; });
  refused("body id", [&](JointDef& def) { def.a = BodyId(); });
  refused("frame_a position", [&](JointDef& def) { def.frame_a.position.y = kNaN; });
  refused("frame_b position", [&](JointDef& def) { def.frame_b.position.x = 2e6f; });
  refused("frame_a rotation", [&](JointDef& def) { def.frame_a.rotation = {0, 0, 0, 0}; });
  refused("frame_b rotation", [&](JointDef& def) { def.frame_b.rotation.w = kNaN; });
  refused("break_force", [&](JointDef& def) { def.break_force = 0.0f; });
  refused("break_torque", [&](JointDef& def) { def.break_torque = kNaN; });
  of_kind("length", DistanceJoint{.length = -1.0f});
  of_kind("limits", DistanceJoint{.limits = JointLimits{-1.0f, 1.0f}});
  of_kind("limits", HingeJoint{.limits = JointLimits{0.5f, 0.4f}});
  of_kind("limits", HingeJoint{.limits = JointLimits{-4.0f, 0.0f}});
  of_kind("limits", SliderJoint{.limits = JointLimits{kNaN, 0.0f}});
  of_kind("speed", HingeJoint{.motor = JointMotor{kNaN, 1.0f}});
  of_kind("most", SliderJoint{.motor = JointMotor{1.0f, -1.0f}});
  of_kind("hertz", DistanceJoint{.spring = JointSpring{.hertz = 0.0f}});
  of_kind("damping_ratio", HingeJoint{.spring = JointSpring{.damping_ratio = -1.0f}});
  of_kind("rest", SliderJoint{.spring = JointSpring{.rest = kNaN}});
  of_kind("rest", HingeJoint{.spring = JointSpring{.rest = 4.0f}});
  of_kind("rest", DistanceJoint{.spring = JointSpring{.rest = -1.0f}});
  of_kind("cone", SwingTwistJoint{.cone = -0.1f});
  of_kind("limits", SwingTwistJoint{.twist = JointLimits{1.0f, -1.0f}});
  of_kind("target", SwingTwistJoint{.drive = JointDrive{.target = {1, 1, 1, 1}}});
  of_kind("most", SwingTwistJoint{.drive = JointDrive{.most = kNaN}});
  const JointId id = Join(*world, good);
  CHECK(std::string_view(world->ChangeJoint(id, HingeJoint{}, wait).error().subject) == "kind");
}

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

// Two bodies without gravity, with or without a joint, that a call may wake.
struct Pair {
  Pair() {
    WorldDef def;
    def.gravity = {};
    world = MakeWorld(def);
    a = Add(*world, SphereAt(0.5f, {0, 5, 0}));
    b = Add(*world, SphereAt(0.5f, {2, 5, 0}));
  }
  JointDef Def() const { return Between(*world, a, b, {1, 5, 0}, HingeJoint{}); }
  bool IsAwake() const { return !Get(*world, a).asleep && !Get(*world, b).asleep; }
  bool IsAsleep() const { return Get(*world, a).asleep && Get(*world, b).asleep; }
  void RunUntilAsleep() {
    for (int i = 0; i < 100 && !IsAsleep(); ++i) REQUIRE(Run(*world, pool, 1));
    REQUIRE(IsAsleep());
  }
  // By the events of the next step.
  std::vector<BodyId> Woken() {
    REQUIRE(Run(*world, pool, 1));
    std::vector<BodyId> ids;
    for (const SleepEvent& event : world->sleep_events()) ids.push_back(event.body);
    return ids;
  }

  std::unique_ptr<World> world;
  PoolHere pool{0};
  BodyId a, b;
  WaitTime wait;
};

TEST_CASE("both bodies are awake as soon as a joint of them is made, changed or destroyed") {
  Pair pair;
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
    Pair pair;
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

TEST_CASE("the rotations of a joint are of length one in it, whatever their rounding was") {
  Pair pair;
  JointDef def = pair.Def();
  const Quat rough{0, 0, 0.0005f, 1.0005f};
  def.frame_a.rotation = rough;
  def.frame_b.rotation = rough;
  def.kind = SwingTwistJoint{.drive = JointDrive{.target = rough}};
  const auto is_one = [](Quat q) {
    return std::abs(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w - 1) < 1e-6f;
  };
  REQUIRE_FALSE(is_one(rough));
  const JointId joint = Join(*pair.world, def);
  const auto check = [&] {
    const JointDef made = pair.world->GetJoint(joint)->def;
    CHECK(is_one(made.frame_a.rotation));
    CHECK(is_one(made.frame_b.rotation));
    CHECK(is_one(std::get<SwingTwistJoint>(made.kind).drive->target));
  };
  check();
  REQUIRE(pair.world->ChangeJoint(joint, def.kind, pair.wait));
  check();
}

TEST_CASE("an impulse changes the momentum by itself, and the spin by its lever") {
  WorldDef still;
  still.gravity = {};
  auto world = MakeWorld(still);
  PoolHere pool(0);
  WaitTime wait;
  const BodyId box = Add(*world, BoxAt({0.5f, 0.5f, 0.5f}, {0, 5, 0}));  // 1,000 kg
  REQUIRE(Run(*world, pool, 60));
  REQUIRE(Get(*world, box).asleep);
  REQUIRE(world->ApplyImpulse(box, {0, 0, 500}, {0.5f, 5, 0}, {0, 0, 0}, wait));
  const BodySnapshot after = Get(*world, box);
  CHECK_FALSE(after.asleep);
  CHECK(after.linear_velocity.z == Approx(0.5f));
  // A sixth of the mass times the square of the side, about each axis.
  CHECK(after.angular_velocity.y == Approx(-500.0f * 0.5f / (1000.0f / 6.0f)));
  REQUIRE(world->ApplyImpulse(box, {}, {}, {0, 250, 0}, wait));
  CHECK(Length(Get(*world, box).angular_velocity) < 1e-5f);
  for (const Vec3 wrong : {Vec3{kNaN, 0, 0}, Vec3{0, 3e7f, 0}}) {
    const auto refused = world->ApplyImpulse(box, wrong, {0, 5, 0}, {}, wait);
    REQUIRE_FALSE(refused);
    CHECK(std::string_view(refused.error().subject) == "impulse");
  }
  CHECK(Get(*world, box).linear_velocity.z == Approx(0.5f));
  const BodyId hook = Add(*world, HookAt({0, 9, 0}));
  CHECK(std::string_view(world->ApplyImpulse(hook, {}, {}, {}, wait).error().subject) == "body");
}

TEST_CASE("the hash of a state has the impulses of its joints") {
  const auto hash = [](bool joined) {
    auto world = MakeWorld();
    const BodyId a = Add(*world, SphereAt(0.5f, {0, 5, 0}));
    const BodyId b = Add(*world, SphereAt(0.5f, {2, 5, 0}));
    if (joined) Join(*world, Between(*world, a, b, {1, 5, 0}, PointJoint{}));
    return world->StateHash();
  };
  CHECK(hash(true) != hash(false));
}

TEST_CASE("the hash of a state has the slot and the generation of each joint") {
  WaitTime wait;
  const auto hash = [&](int made_before, int kept_before) {
    auto world = MakeWorld();
    const BodyId a = Add(*world, SphereAt(0.5f, {0, 5, 0}));
    const BodyId b = Add(*world, SphereAt(0.5f, {2, 5, 0}));
    const JointDef def = Between(*world, a, b, {1, 5, 0}, PointJoint{});
    std::vector<JointId> ids;
    for (int i = 0; i < made_before; ++i) {
      const JointId id = Join(*world, def);
      if (i < kept_before) {
        ids.push_back(id);
      } else {
        REQUIRE(world->DestroyJoint(id, wait));
      }
    }
    Join(*world, def);
    for (const JointId id : ids) REQUIRE(world->DestroyJoint(id, wait));
    return std::pair(world->StateHash(), world->joint_count());
  };
  const auto in_first_slot = hash(0, 0), in_second_slot = hash(1, 1);
  CHECK(in_first_slot.second == 1);
  CHECK(in_second_slot.second == 1);
  CHECK(in_first_slot.first == hash(0, 0).first);
  CHECK(in_first_slot.first != in_second_slot.first);
  // Once round all slots: the first one again, and the next joint in it.
  const auto most = static_cast<int>(WorldDef().max_joints);
  CHECK(in_first_slot.first != hash(most, 0).first);
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
