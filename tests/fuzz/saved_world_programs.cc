// Saved worlds: refused with one line, after which the world is as it was; or a world that steps,
// whatever words of the blob were changed.
//
// An input is a list of edits of a saved world, 6 bytes each: the word that is replaced, and its
// new value. So it is of use whatever the layout is. The blob gets its right checksum. The input is
// also tried as a blob itself.
#include <zlib.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "src/resource/blob.h"
#include "src/world/world.h"
#include "tests/fuzz/promise.h"
#include "tests/world/scene.h"

namespace nowait {
namespace {

using Bytes = std::vector<std::byte>;

WorldDef SmallDef() {
  WorldDef def;
  def.max_bodies = 8;
  def.max_contacts = 16;
  def.max_joints = 6;
  return def;
}

// A box on a floor, balls in a joint, a lift, and a slot that is free. A gear, a pulley and a joint
// of six axes hold the balls and the box.
void Fill(World& world, TaskPool& pool) {
  WaitTime wait;
  Add(world, Floor());
  const BodyId gone = Add(world, SphereAt(0.5f, {5, 5, 5}));
  const BodyId box = Add(world, BoxAt({0.5f, 0.5f, 0.5f}, {0, 0.49f, 0}));
  BodyDef lift = BoxAt({1, 0.1f, 1}, {4, 1, 0});
  lift.type = BodyType::kKinematic;
  lift.linear_velocity = {0, 1, 0};
  Add(world, lift);
  JointDef joint;
  joint.a = Add(world, SphereAt(0.3f, {4, 1.4f, 0}));
  joint.b = Add(world, SphereAt(0.3f, {4.5f, 1.5f, 0}));
  joint.kind = HingeJoint{.limits = JointLimits{-1, 1}, .motor = JointMotor{1, 2}};
  // The blob is what counts, whatever is in it.
  const auto hinge = world.CreateJoint(joint, wait);
  const BodyId ball = joint.a;
  joint.a = box;
  joint.kind = SliderJoint{};
  const auto slider = world.CreateJoint(joint, wait);
  joint.kind =
      SixDofJoint{.linear = {JointAxis{.motion = AxisMotion::kLimited, .spring = LimitSpring{}}},
                  .angular = {JointAxis{.motion = AxisMotion::kFree,
                                        .motor = AxisMotor{.most = 5.0f, .to = JointSpring{}}}}};
  static_cast<void>(world.CreateJoint(joint, wait));
  joint.kind = PulleyJoint{{0, 3, 0}, {4, 3, 0}, 2.0f, {1, 9}};
  static_cast<void>(world.CreateJoint(joint, wait));
  joint.b = ball;
  joint.kind = GearJoint{*slider, *hinge, 2.0f};
  static_cast<void>(world.CreateJoint(joint, wait));
  static_cast<void>(world.DestroyBody(gone, wait));
  static_cast<void>(Run(world, pool, 3));
}

void GiveChecksum(Bytes& blob) {
  if (blob.size() < sizeof(BlobHeader)) return;
  const auto checksum = static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(blob.data()) + 16, blob.size() - 16));
  std::memcpy(blob.data() + offsetof(BlobHeader, checksum), &checksum, sizeof checksum);
}

Bytes Edited(Bytes blob, const std::uint8_t* data, std::size_t size) {
  for (std::size_t at = 0; at + 6 <= size; at += 6) {
    std::uint16_t word = 0;
    std::memcpy(&word, data + at, sizeof word);
    const std::size_t place = word % (blob.size() / 4) * 4;
    std::memcpy(blob.data() + place, data + at + 2, 4);
  }
  GiveChecksum(blob);
  return blob;
}

void Check(World& world, TaskPool& pool, const Bytes& saved) {
  const std::uint64_t before = world.StateHash();
  if (const auto restored = world.Restore(saved); !restored) {
    fuzz::PromiseOneLine(ToString(restored.error()));
    fuzz::Promise(world.StateHash() == before, "after an error the world is as it was");
    return;
  }
  const std::uint64_t hash = world.StateHash();
  const auto again = world.Save();
  fuzz::Promise(again.has_value(), "a restored world can be saved");
  std::vector<BodySnapshot> bodies;
  for (int i = 0; i < 3; ++i) {
    if (const auto done = world.Update(1.0f / 60.0f, pool); !done) {
      fuzz::Promise(done.error().code == ErrorCode::kCapacity, "a restored world steps");
    }
    world.Snapshot(bodies);
    for (const BodySnapshot& body : bodies) {
      fuzz::Promise(IsFinite(body.position) && IsFinite(body.rotation) &&
                        IsFinite(body.linear_velocity) && IsFinite(body.angular_velocity),
                    "all places and velocities are numbers");
    }
  }
  fuzz::Promise(world.Restore(*again).has_value(), "what was saved can be restored");
  fuzz::Promise(world.StateHash() == hash, "and is the same");
}

}  // namespace
}  // namespace nowait

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const nowait::PoolHere pool(0);
  static const std::unique_ptr<nowait::World> world = [] {
    auto made = nowait::MakeWorld(nowait::SmallDef());
    nowait::Fill(*made, pool);
    return made;
  }();
  static const nowait::Bytes saved = *world->Save();
  nowait::Check(*world, pool, nowait::Edited(saved, data, size));
  nowait::Bytes raw(size);
  if (size > 0) std::memcpy(raw.data(), data, size);
  nowait::Check(*world, pool, raw);
  return 0;
}
