// The joints of a world by themselves: their ids, their slots, and what a refused call leaves.
#include "src/dynamics/joint_store.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <utility>
#include <vector>

namespace nowait {
namespace {

constexpr std::uint32_t kWorld = 3;

JointDef OfKind(const JointKind& kind) {
  JointDef def;
  def.kind = kind;
  return def;
}

std::int64_t AmountOf(JointId id) { return static_cast<std::int64_t>(id.bits()); }

TEST_CASE("a joint's id has the world, the slot, and the generation of that slot") {
  JointStore joints(2, kWorld);
  CHECK(*joints.Create({}) == JointId(kWorld, 0, 0));
  CHECK(*joints.Create({}) == JointId(kWorld, 1, 0));
  for (std::uint32_t generation = 1; generation < 4; ++generation) {
    REQUIRE(joints.Destroy(JointId(kWorld, 1, generation - 1)));
    CHECK(*joints.Create({}) == JointId(kWorld, 1, generation));
  }
}

TEST_CASE("slots of joints are given out in the order in which they came back, however they came") {
  JointStore joints(3, kWorld);
  std::vector<JointId> ids;
  for (int i = 0; i < 3; ++i) ids.push_back(*joints.Create({}));
  REQUIRE(joints.Destroy(ids[2]));
  joints.Remove(0);
  REQUIRE(joints.Destroy(ids[1]));
  CHECK(*joints.Create({}) == JointId(kWorld, 2, 1));
  CHECK(*joints.Create({}) == JointId(kWorld, 0, 1));
  CHECK(*joints.Create({}) == JointId(kWorld, 1, 1));
}

TEST_CASE("a joint begins without the impulses, the force and the place of the one before it") {
  JointStore joints(1, kWorld);
  const JointId first = *joints.Create({});
  Joint& joint = joints[first.slot()];
  joint.impulses.linear = {1, 2, 3};
  joint.impulses.rows.fill(4);
  joint.position = 5;
  joint.force = 6;
  joint.torque = 7;
  REQUIRE(joints.Destroy(first));
  const JointId second = *joints.Create({});
  const Joint next = *joints.Get(second);
  CHECK(next.impulses.linear == Vec3{});
  CHECK(next.impulses.rows == JointImpulses().rows);
  CHECK(next.position == 0);
  CHECK(next.force == 0);
  CHECK(next.torque == 0);
}

TEST_CASE("a joint that is gone, was never there, or is another world's is refused by all calls") {
  JointStore joints(2, kWorld);
  const JointId gone = *joints.Create({});
  REQUIRE(joints.Destroy(gone));
  const JointId there = *joints.Create({});
  REQUIRE(there.slot() == 1);
  const auto check = [&](JointId id, const std::unexpected<Error>& error) {
    CAPTURE(id.bits());
    const std::uint64_t version = joints.version();
    CHECK(joints.Get(id).error() == error.error());
    CHECK(joints.Destroy(id).error() == error.error());
    CHECK(joints.Change(id, HingeJoint{}).error() == error.error());
    CHECK(joints.version() == version);
    CHECK(joints.count() == 1);
  };
  for (const JointId id : {gone, JointId(kWorld, 1, 1), JointId(kWorld, 2, 0), JointId()}) {
    check(id, Fail(ErrorCode::kStaleId, "joint id", AmountOf(id)));
  }
  const JointId foreign(kWorld + 1, there.slot(), there.generation());
  check(foreign,
        Fail(ErrorCode::kInvalidArgument, "joint id", AmountOf(foreign), "it is another world's"));
  CHECK(joints.Get(there));
}

TEST_CASE("a full store of joints names its capacity, uses up no generation, and has room again") {
  JointStore joints(1, kWorld);
  const JointId only = *joints.Create({});
  const std::uint64_t version = joints.version();
  for (int i = 0; i < 3; ++i) CHECK(joints.Create({}) == Fail(ErrorCode::kCapacity, "joints", 1));
  CHECK(joints.version() == version);
  CHECK(joints.count() == 1);
  REQUIRE(joints.Destroy(only));
  CHECK(*joints.Create({}) == JointId(kWorld, 0, 1));
}

TEST_CASE("a joint keeps its kind: another alternative is refused and leaves it as it was") {
  JointStore joints(1, kWorld);
  const JointId id = *joints.Create(OfKind(DistanceJoint{.length = 2}));
  CHECK(joints.Change(id, PointJoint{}) ==
        Fail(ErrorCode::kInvalidArgument, "kind", 0, "a joint stays of its kind"));
  CHECK(joints.Get(id)->def.kind == JointKind(DistanceJoint{.length = 2}));
  const JointKind longer = DistanceJoint{.length = 3};
  CHECK(joints.Change(id, longer)->def.kind == longer);
  CHECK(joints.Get(id)->def.kind == longer);
}

TEST_CASE("the version differs after each change of the set of joints, and only then") {
  JointStore joints(2, kWorld);
  std::uint64_t before = joints.version();
  const auto has_changed = [&] { return std::exchange(before, joints.version()) != before; };
  const JointId first = *joints.Create({});
  CHECK(has_changed());
  REQUIRE(joints.Create({}));
  CHECK(has_changed());
  REQUIRE(joints.Change(first, PointJoint{}));
  REQUIRE(joints.Get(first));
  CHECK_FALSE(has_changed());
  REQUIRE(joints.Destroy(first));
  CHECK(has_changed());
  joints.Remove(1);
  CHECK(has_changed());
}

TEST_CASE("the end is above each slot that ever had a joint, and the count is of those there are") {
  JointStore joints(3, kWorld);
  CHECK(joints.end() == 0);
  const JointId first = *joints.Create({});
  CHECK(joints.end() == 1);
  const JointId second = *joints.Create({});
  REQUIRE(joints.Create({}));
  CHECK(joints.end() == 3);
  CHECK(joints.count() == 3);
  REQUIRE(joints.Destroy(first));
  joints.Remove(second.slot());
  CHECK(joints.count() == 1);
  CHECK_FALSE(joints.Has(0));
  CHECK_FALSE(joints.Has(1));
  CHECK(joints.Has(2));
  REQUIRE(joints.Create({}));  // the lowest slot: the end stays above the highest
  CHECK(joints.end() == 3);
  CHECK(joints.count() == 2);
}

}  // namespace
}  // namespace nowait
