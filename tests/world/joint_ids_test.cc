// Joints in a world: ids, capacity, refusals, the definition as it is read back, and the hash.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "src/sync/held_locks.h"
#include "tests/world/joints.h"

namespace nowait {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

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

TEST_CASE("the rotations of a joint are of length one in it, whatever their rounding was") {
  RestingPair pair;
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

}  // namespace
}  // namespace nowait
