// Joints between bodies of a world, for tests.
#ifndef NOWAIT_TESTS_WORLD_JOINTS_H_
#define NOWAIT_TESTS_WORLD_JOINTS_H_

#include <catch2/catch.hpp>
#include <memory>
#include <vector>

#include "tests/world/scene.h"

namespace nowait {

inline JointDef Between(const World& world, BodyId a, BodyId b, Vec3 anchor, const JointKind& kind,
                        Quat rotation = {}) {
  JointDef def;
  def.a = a;
  def.b = b;
  const BodySnapshot at_a = Get(world, a), at_b = Get(world, b);
  def.frame_a = FrameAt(at_a.position, at_a.rotation, anchor, rotation);
  def.frame_b = FrameAt(at_b.position, at_b.rotation, anchor, rotation);
  def.kind = kind;
  return def;
}

inline JointId Join(World& world, const JointDef& def) {
  WaitTime wait;
  return *world.CreateJoint(def, wait);
}

// A small static body to hang others on.
inline BodyDef HookAt(Vec3 position) {
  BodyDef def = BoxAt({0.1f, 0.1f, 0.1f}, position);
  def.type = BodyType::kStatic;
  return def;
}

// Two bodies without gravity, with or without a joint, that a call may wake.
struct RestingPair {
  RestingPair() {
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

}  // namespace nowait

#endif  // NOWAIT_TESTS_WORLD_JOINTS_H_
