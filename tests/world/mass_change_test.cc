// Changes of mass between two steps: impulses that held a heavier body do not throw the lighter
// one, however it became lighter, and are kept when the body weighs what it weighed.
#include <algorithm>
#include <catch2/catch.hpp>
#include <memory>
#include <vector>

#include "src/world/world.h"
#include "tests/world/machine_scene.h"
#include "tests/world/scene.h"

namespace nowait {
namespace {

BodyMass CubeOf(float mass) { return {mass, {mass / 6, mass / 6, mass / 6}}; }

BodyDef CubeAt(float mass, Vec3 position) {
  BodyDef def = BoxAt({0.5f, 0.5f, 0.5f}, position);
  def.mass = CubeOf(mass);
  def.may_sleep = false;
  return def;
}

// The highest speed of the body in the next second.
float FastestOf(World& world, TaskPool& pool, BodyId id) {
  float fastest = 0.0f;
  for (int i = 0; i < 60; ++i) {
    REQUIRE(Run(world, pool, 1));
    fastest = std::max(fastest, Length(Get(world, id).linear_velocity));
  }
  return fastest;
}

TEST_CASE("a body that rests and becomes far lighter is not thrown by what held it") {
  const float mass = GENERATE(1e2f, 1e4f, 1e6f);
  const bool by_shape = GENERATE(false, true);
  auto world = MakeWorld();
  PoolHere pool(0);
  WaitTime wait;
  Add(*world, Floor());
  const BodyId id = Add(*world, CubeAt(mass, {0, 0.5f, 0}));
  REQUIRE(Run(*world, pool, 60));
  BodyChange change;
  if (by_shape) {
    change.shape = Shape::Box({0.5f, 0.25f, 0.5f});
    change.frame = ShapeFrame{{0, -0.25f, 0}, {}};
  }
  change.mass = CubeOf(1);
  REQUIRE(world->SetProperties(id, change, wait));
  CHECK(MakeWorld()->Restore(*world->Save()));
  CHECK(FastestOf(*world, pool, id) < 0.2f);
}

TEST_CASE("a body that hangs and becomes far lighter is not thrown by its joint") {
  auto world = MakeWorld();
  PoolHere pool(0);
  WaitTime wait;
  const BodyId beam = Add(*world, Floor());
  const BodyId id = Add(*world, CubeAt(1e6f, {0, -5, 0}));
  JointDef joint;
  joint.a = beam;
  joint.b = id;
  joint.frame_a.position = {0, -1, 0};
  joint.frame_b.position = {0, 3, 0};
  joint.kind = PointJoint{};
  REQUIRE(world->CreateJoint(joint, wait));
  REQUIRE(Run(*world, pool, 60));
  BodyChange change;
  change.mass = CubeOf(1);
  REQUIRE(world->SetProperties(id, change, wait));
  CHECK(FastestOf(*world, pool, id) < 0.2f);
}

TEST_CASE("a kinematic body that becomes dynamic is not thrown by the load on it") {
  auto world = MakeWorld();
  PoolHere pool(0);
  WaitTime wait;
  Add(*world, Floor());
  BodyDef table = BoxAt({0.5f, 0.5f, 0.5f}, {0, 0.5f, 0});
  table.type = BodyType::kKinematic;
  const BodyId under = Add(*world, table);
  Add(*world, CubeAt(1e5f, {0, 1.5f, 0}));
  REQUIRE(Run(*world, pool, 60));
  BodyChange change;
  change.type = BodyType::kDynamic;
  change.mass = CubeOf(100);
  REQUIRE(world->SetProperties(under, change, wait));
  CHECK(FastestOf(*world, pool, under) < 1.0f);
}

TEST_CASE("a stack in which a body becomes a little lighter, or heavier, rests on") {
  const float to = GENERATE(0.7f, 10.0f);
  auto world = MakeWorld();
  PoolHere pool(0);
  WaitTime wait;
  Add(*world, Floor());
  std::vector<BodyId> ids;
  for (int i = 0; i < 5; ++i) {
    ids.push_back(Add(*world, CubeAt(100, {0, 0.5f + static_cast<float>(i), 0})));
  }
  REQUIRE(Run(*world, pool, 120));
  BodyChange change;
  change.mass = CubeOf(100 * to);
  REQUIRE(world->SetProperties(ids[2], change, wait));
  CHECK(FastestOf(*world, pool, ids[4]) < 0.2f);
}

TEST_CASE("a world saved between a fall of mass and the next step goes on in the same way") {
  auto world = MakeWorld();
  PoolHere pool(0);
  WaitTime wait;
  Add(*world, Floor());
  const BodyId id = Add(*world, CubeAt(1e4f, {0, 0.5f, 0}));
  REQUIRE(Run(*world, pool, 60));
  BodyChange change;
  change.mass = CubeOf(1);
  REQUIRE(world->SetProperties(id, change, wait));
  auto again = MakeWorld();
  REQUIRE(again->Restore(*world->Save()));
  for (int i = 0; i < 30; ++i) {
    REQUIRE(Run(*world, pool, 1));
    REQUIRE(Run(*again, pool, 1));
    REQUIRE(world->StateHash() == again->StateHash());
  }
}

// A body that hangs from two joints: neither is solved exactly while the other one pulls.
BodyId HangFromTwo(World& world, const JointKind& kind, const BodyDef& def) {
  const BodyId beam = Add(world, Floor());
  const BodyId id = Add(world, def);
  for (const float x : {-1.0f, 1.0f}) {
    JointDef joint;
    joint.a = beam;
    joint.b = id;
    joint.frame_a.position = {x, -1, 0};
    joint.frame_b.position = {x, 3, 0};
    joint.kind = kind;
    Join(world, joint);
  }
  return id;
}

// The mass falls from one to the other, by less than a half at a time.
void LowerInSteps(World& world, BodyId id, float from, float to) {
  WaitTime wait;
  for (float mass = from; mass > to;) {
    mass = std::max(mass / 1.9f, to);
    BodyChange change;
    change.mass = CubeOf(mass);
    REQUIRE(world.SetProperties(id, change, wait));
  }
}

TEST_CASE("a body that hangs from two joints and becomes far lighter is not thrown by them") {
  const JointKind kind = GENERATE(JointKind(PointJoint{}), JointKind(FixedJoint{}));
  const bool at_once = GENERATE(true, false);
  auto world = MakeWorld();
  PoolHere pool(0);
  const BodyId id = HangFromTwo(*world, kind, CubeAt(1e6f, {0, -5, 0}));
  REQUIRE(Run(*world, pool, 120));
  LowerInSteps(*world, id, at_once ? 1.5f : 1e6f, 1);
  CHECK(FastestOf(*world, pool, id) < 0.02f);
}

TEST_CASE("the frame of a gear that becomes far easier to turn is not thrown by the gear") {
  WorldDef def = SmallWorld();
  def.gravity = {};
  auto world = MakeWorld(def);
  PoolHere pool(0);
  WaitTime wait;
  BodyDef frame = BoxAt({0.5f, 0.5f, 0.5f}, {});
  frame.mass = BodyMass{1e9f, {1e9f, 1e9f, 1e9f}};
  frame.may_sleep = false;
  GearTrain train(*world, frame, 3, 1e6f);
  for (int i = 0; i < 120; ++i) {
    REQUIRE(world->ApplyForce(train.bodies.back(), {}, {}, {0, 0, 1e5f}, wait));
    REQUIRE(Run(*world, pool, 1));
  }
  BodyChange change;
  change.mass = BodyMass{1e9f, {1, 1, 1}};
  REQUIRE(world->SetProperties(train.frame, change, wait));
  REQUIRE(Run(*world, pool, 1));
  CHECK(Length(Get(*world, train.frame).angular_velocity) < 3.0f);
}

TEST_CASE("a body whose mass falls in many small steps in one frame is not thrown") {
  const float mass = GENERATE(1e2f, 1e4f, 1e6f);
  auto world = MakeWorld();
  PoolHere pool(0);
  Add(*world, Floor());
  const BodyId id = Add(*world, CubeAt(mass, {0, 0.5f, 0}));
  REQUIRE(Run(*world, pool, 60));
  LowerInSteps(*world, id, mass, 1);
  CHECK(FastestOf(*world, pool, id) < 0.2f);
}

// A stack of cubes of 100 kg each, at rest.
struct Stack {
  Stack() {
    Add(*world, Floor());
    for (int i = 0; i < 5; ++i) {
      ids.push_back(Add(*world, CubeAt(100, {0, 0.5f + static_cast<float>(i), 0})));
    }
    REQUIRE(Run(*world, pool, 120));
  }
  void Set(const BodyChange& change) {
    WaitTime wait;
    REQUIRE(world->SetProperties(ids[2], change, wait));
  }
  void SetMass(float mass) {
    BodyChange change;
    change.mass = CubeOf(mass);
    Set(change);
  }

  std::unique_ptr<World> world = MakeWorld();
  PoolHere pool{0};
  std::vector<BodyId> ids;
};

// The two go on in the same way.
void CheckSame(const Stack& one, const Stack& other) {
  for (int i = 0; i < 30; ++i) {
    REQUIRE(Run(*one.world, one.pool, 1));
    REQUIRE(Run(*other.world, other.pool, 1));
    REQUIRE(one.world->StateHash() == other.world->StateHash());
  }
}

TEST_CASE("a mass that falls and rises again within a frame has changed nothing") {
  Stack same, changed;
  same.SetMass(100);
  changed.SetMass(1e-3f);
  changed.SetMass(100);
  CheckSame(same, changed);
}

TEST_CASE("the order of a frame's changes of mass does not matter, only the last mass") {
  Stack first, second;
  first.SetMass(70);
  first.SetMass(40);
  second.SetMass(2000);
  second.SetMass(40);
  CheckSame(first, second);
}

TEST_CASE("each frame's changes of mass are judged by the frame's own first mass") {
  Stack stack;
  for (const float mass : {60.0f, 36.0f}) {
    stack.SetMass(mass);
    REQUIRE(Run(*stack.world, stack.pool, 1));
  }
  // Without the impulses that hold it, the stack would sink for a step.
  CHECK(Length(Get(*stack.world, stack.ids[4]).linear_velocity) < 0.08f);
  // After a step there is no older mass, and a save that has one is refused.
  CHECK(MakeWorld()->Restore(*stack.world->Save()));
}

TEST_CASE("a world saved between two falls of mass goes on in the same way") {
  Stack saved;
  saved.SetMass(60);
  Stack loaded;
  REQUIRE(loaded.world->Restore(*saved.world->Save()));
  saved.SetMass(36);
  loaded.SetMass(36);
  CHECK(*loaded.world->Save() == *saved.world->Save());
  CheckSame(saved, loaded);
}

}  // namespace
}  // namespace nowait
