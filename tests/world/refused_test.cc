// Refused calls leave all as it was: sleepers, velocities, slots, generations and joints.
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <utility>

#include "tests/world/scene.h"

namespace nowait {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

// Two sleepers side by side that do not touch, and what a call that is refused may not change.
struct Sleepers {
  explicit Sleepers(const WorldDef& def = {}) : world(MakeWorld(def)) {
    BodyDef ball = SphereAt(0.5f, {0, 5, 0});
    ball.asleep = true;
    a = Add(*world, ball);
    ball.position.x = 2;
    b = Add(*world, ball);
    before = world->StateHash();
  }
  JointDef Joined() const {
    JointDef def;
    def.a = a;
    def.b = b;
    def.frame_a.position = {1, 0, 0};
    def.frame_b.position = {-1, 0, 0};
    return def;
  }
  // Now, and after a step: a wake-up that was noted would come then.
  void CheckUntouched() {
    CHECK(world->StateHash() == before);
    REQUIRE(Run(*world, pool, 1));
    CHECK(world->sleep_events().empty());
    CHECK(world->StateHash() == before);
  }

  std::unique_ptr<World> world;
  PoolHere pool{0};
  BodyId a, b;
  std::uint64_t before = 0;
  WaitTime wait;
};

TEST_CASE("a change of a body that is refused wakes it not, and leaves all of it") {
  Sleepers of;
  CHECK_FALSE(of.world->MoveBody(of.a, {2e6f, 0, 0}, {}, of.wait));
  CHECK_FALSE(of.world->MoveBody(of.a, {0, 9, 0}, {1, 1, 1, 1}, of.wait));
  CHECK_FALSE(of.world->SetVelocity(of.a, {kNaN, 0, 0}, {}, of.wait));
  CHECK_FALSE(of.world->SetVelocity(of.a, {1, 0, 0}, {0, 2e4f, 0}, of.wait));
  CHECK_FALSE(of.world->ApplyImpulse(of.a, {1e9f, 0, 0}, {0, 5, 0}, {}, of.wait));
  CHECK_FALSE(of.world->ApplyImpulse(of.a, {1, 0, 0}, {0, 5, 0}, {0, 1e9f, 0}, of.wait));
  of.CheckUntouched();
}

TEST_CASE("a joint for which there is no room wakes neither body") {
  WorldDef def;
  def.max_joints = 0;
  Sleepers of(def);
  CHECK(of.world->CreateJoint(of.Joined(), of.wait) == Fail(ErrorCode::kCapacity, "joints", 0));
  of.CheckUntouched();
}

TEST_CASE("a joint that is refused wakes neither body, and takes no slot and no generation") {
  Sleepers of;
  JointDef wrong = of.Joined();
  wrong.break_force = -1;
  CHECK_FALSE(of.world->CreateJoint(wrong, of.wait));
  wrong = of.Joined();
  wrong.b = BodyId();
  CHECK_FALSE(of.world->CreateJoint(wrong, of.wait));
  of.CheckUntouched();
  const auto joint = of.world->CreateJoint(of.Joined(), of.wait);
  REQUIRE(joint);
  CHECK(joint->slot() == 0);
  CHECK(joint->generation() == 0);
}

TEST_CASE("a change of a joint that is refused wakes neither body, and leaves the joint") {
  WorldDef weightless;
  weightless.gravity = {};
  Sleepers of(weightless);
  JointDef def = of.Joined();
  def.kind = DistanceJoint{.length = 0};
  const JointId gone = *of.world->CreateJoint(of.Joined(), of.wait);
  REQUIRE(of.world->DestroyJoint(gone, of.wait));
  const JointId joint = *of.world->CreateJoint(def, of.wait);
  REQUIRE(Run(*of.world, of.pool, 60));
  REQUIRE(Get(*of.world, of.a).asleep);
  REQUIRE(Get(*of.world, of.b).asleep);
  of.before = of.world->StateHash();
  CHECK_FALSE(of.world->ChangeJoint(joint, PointJoint{}, of.wait));
  CHECK_FALSE(of.world->ChangeJoint(joint, DistanceJoint{.length = -1}, of.wait));
  CHECK_FALSE(of.world->ChangeJoint(gone, PointJoint{}, of.wait));
  CHECK_FALSE(of.world->DestroyJoint(gone, of.wait));
  CHECK(of.world->GetJoint(joint)->def.kind == def.kind);
  of.CheckUntouched();
}

TEST_CASE("a body that is refused takes no slot and no generation, alone or in a batch") {
  WorldDef def;
  def.max_bodies = 2;
  auto world = MakeWorld(def);
  WaitTime wait;
  const BodyDef good = SphereAt(0.5f, {});
  BodyDef bad = good;
  bad.density = 0;
  BodyDef layerless = good;
  layerless.layer = UserLayer(0);
  for (const BodyDef& wrong : {bad, layerless}) {
    CHECK_FALSE(world->CreateBody(wrong, wait));
    CHECK_FALSE(world->PrepareBatch(std::array{good, wrong}));
  }
  const BodyId first = Add(*world, good);
  CHECK(first.slot() == 0);
  CHECK(first.generation() == 0);
  const BodyId second = Add(*world, good);
  CHECK(second.slot() == 1);
  CHECK(second.generation() == 0);
}

TEST_CASE("a body that is only prepared is nobody's: each call says that its id is stale") {
  auto world = MakeWorld();
  WaitTime wait;
  const BodyId there = Add(*world, SphereAt(0.5f, {9, 0, 0}));
  WorldBatch batch = std::move(*world->PrepareBatch(std::array{SphereAt(0.5f, {0, 3, 0})}));
  const BodyId id = batch.bodies().front();
  const auto is_stale = [](const auto& result) {
    return !result && result.error().code == ErrorCode::kStaleId;
  };
  CHECK(is_stale(world->GetBody(id, wait)));
  CHECK(is_stale(world->MoveBody(id, {}, {}, wait)));
  CHECK(is_stale(world->SetVelocity(id, {1, 0, 0}, {}, wait)));
  CHECK(is_stale(world->ApplyImpulse(id, {1, 0, 0}, {}, {}, wait)));
  CHECK(is_stale(world->WakeBody(id, wait)));
  CHECK(is_stale(world->DestroyBody(id, wait)));
  CHECK(world->RemoveBodies(std::span(&id, 1), wait) == 0);
  JointDef def;
  def.a = there;
  def.b = id;
  CHECK(is_stale(world->CreateJoint(def, wait)));
  CHECK(world->body_count() == 1);
  REQUIRE(world->FinaliseBatch(batch, wait));
  const BodySnapshot body = Get(*world, id);
  CHECK(body.position == Vec3{0, 3, 0});
  CHECK(body.linear_velocity == Vec3{});
}

TEST_CASE("limits are part of what they allow: the last place, speed and time are taken") {
  auto world = MakeWorld();
  PoolHere pool(0);
  WaitTime wait;
  BodyDef def = SphereAt(0.5f, {1e6f, -1e6f, 1e6f});
  def.linear_velocity = {1e4f, 0, 0};
  def.angular_velocity = {0, -1e4f, 0};
  def.restitution = 1;
  def.asleep = true;
  const auto made = world->CreateBody(def, wait);
  REQUIRE(made);
  CHECK(world->MoveBody(*made, {-1e6f, 1e6f, -1e6f}, {}, wait));
  CHECK(world->SetVelocity(*made, {0, 1e4f, 0}, {0, 0, -1e4f}, wait));
  CHECK(world->DestroyBody(*made, wait));
  CHECK(world->Update(10.0f, pool, 64));
  CHECK(world->stats().steps == 64);
  CHECK_FALSE(world->Update(10.0f, pool, 65));
}

}  // namespace
}  // namespace nowait
