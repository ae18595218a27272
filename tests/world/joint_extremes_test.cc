// Joints of the largest masses, moments and lengths: what a step leaves of them is saved, and the
// save is one that a world takes.
#include <array>
#include <catch2/catch.hpp>
#include <limits>
#include <memory>
#include <vector>

#include "src/collision/compound_shape.h"
#include "src/math/random.h"
#include "src/world/world.h"
#include "tests/world/machine_scene.h"
#include "tests/world/scene.h"

namespace nowait {
namespace {

WorldDef FewBodies() {
  WorldDef def;
  def.max_bodies = 8;
  def.max_contacts = 64;
  def.max_joints = 8;
  return def;
}

// The heaviest compound: mountains of the densest kind, far from each other.
std::unique_ptr<const CompoundShape> Mountains() {
  std::vector<CompoundChild> children(CompoundShape::kMaxChildren,
                                      {.shape = Shape::Box({1e4f, 1e4f, 1e4f}), .density = 1e3f});
  for (std::size_t i = 0; i < children.size(); ++i) {
    children[i].position.x = i % 2 == 0 ? 1e4f : -1e4f;
  }
  return *CompoundShape::Create({.children = children});
}

// The most that a definition can have: within a shape of kilometres, or by a mass of its own.
BodyDef Extreme(Random& random, Vec3 position, const Shape& mountains) {
  constexpr std::array kSizes = {0.01f, 1.0f, 100.0f, 1e4f};
  const auto size = [&] { return kSizes[random.Below(kSizes.size())]; };
  BodyDef def = BoxAt({size(), size(), size()}, position);
  if (random.Below(8) == 0) def.shape = mountains;
  def.density = random.Below(2) == 0 ? 1e6f : 1.0f;
  if (random.Below(2) == 0) {
    constexpr std::array kMasses = {1e-6f, 1.0f, 1e12f};
    constexpr std::array kMoments = {1e-9f, 1.0f, 1e15f};
    const auto moment = [&] { return kMoments[random.Below(kMoments.size())]; };
    def.mass = BodyMass{kMasses[random.Below(kMasses.size())], {moment(), moment(), moment()}};
  }
  def.rotation = random.Rotation();
  const float speed = random.Below(2) == 0 ? 9e3f : 1.0f;
  def.linear_velocity = random.InBox({-speed, -speed, -speed}, {speed, speed, speed});
  def.angular_velocity = random.InBox({-speed, -speed, -speed}, {speed, speed, speed});
  def.may_sleep = false;
  return def;
}

JointKind AnyKind(Random& random) {
  constexpr float kMost = std::numeric_limits<float>::infinity();
  const float far = random.Below(2) == 0 ? 1e6f : 1.0f;
  switch (random.Below(9)) {
    case 0:
      return PointJoint{};
    case 1:
      return DistanceJoint{.length = far};
    case 2:
      return DistanceJoint{.spring = JointSpring{.hertz = 1e4f, .rest = far}};
    case 3:
      return HingeJoint{.limits = JointLimits{-0.1f, 0.1f}, .motor = JointMotor{1e4f, kMost}};
    case 4:
      return SliderJoint{.limits = JointLimits{-far, far}, .motor = JointMotor{1e4f, kMost}};
    case 5:
      return FixedJoint{};
    case 6:
      return SwingTwistJoint{
          .cone = 0.1f, .twist = JointLimits{-0.1f, 0.1f}, .drive = JointDrive{.most = kMost}};
    case 7:
      return PulleyJoint{{far, far, 0}, {-far, far, 0}, 1e4f, {far, far}};
    default:
      return SixDofJoint{
          .linear = {JointAxis{.motion = AxisMotion::kLimited, .limits = {-far, far}},
                     JointAxis{.motion = AxisMotion::kFree, .motor = AxisMotor{1e4f, kMost, {}}}},
          .angular = {JointAxis{.motion = AxisMotion::kLimited,
                                .limits = {-0.1f, 0.1f},
                                .spring = LimitSpring{.hertz = 1e4f}}}};
  }
}

TEST_CASE("whatever joints a step leaves, a world that is saved can be restored") {
  PoolHere pool(0);
  WaitTime wait;
  const auto compound = Mountains();
  const std::array shared = {Shape::Compound(compound.get())};
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    Random random(seed);
    auto world = MakeWorld(FewBodies());
    std::vector<BodyId> ids;
    for (int i = 0; i < 4; ++i) {
      const float far = random.Below(2) == 0 ? 1e6f : 10.0f;
      ids.push_back(Add(
          *world, Extreme(random, random.InBox({-far, -far, -far}, {far, far, far}), shared[0])));
    }
    std::vector<JointId> joints;
    for (std::size_t i = 0; i < 3; ++i) {
      JointDef def;
      def.bodies_touch = random.Below(2) == 0;
      def.a = ids[i];
      def.b = ids[i + 1];
      const float arm = random.Below(2) == 0 ? 1e6f : 1.0f;
      def.frame_a.position = random.InBox({-arm, -arm, -arm}, {arm, arm, arm});
      def.frame_b.position = random.InBox({-arm, -arm, -arm}, {arm, arm, arm});
      def.frame_b.rotation = random.Rotation();
      def.kind = AnyKind(random);
      joints.push_back(Join(*world, def));
    }
    JointDef gear;
    gear.a = ids[0];
    gear.b = ids[2];
    gear.kind = GearJoint{joints[0], joints[1], random.Below(2) == 0 ? 1e4f : 1e-4f};
    static_cast<void>(world->CreateJoint(gear, wait));  // where both are hinges or sliders
    constexpr std::array kTimes = {1.0f / 60.0f, 10.0f, 1e-6f, 1e-30f};
    const float dt = kTimes[random.Below(kTimes.size())];
    for (int step = 0; step < 5; ++step) {
      REQUIRE(world->Update(dt, pool));
      const auto saved = world->Save(shared);
      REQUIRE(saved);
      INFO("seed " << seed << ", step " << step << " of " << dt << " seconds");
      REQUIRE(MakeWorld(FewBodies())->Restore(*saved, shared));
    }
  }
}

TEST_CASE("a joint of mountains has the torque that it holds, and does not break by less") {
  WorldDef def = FewBodies();
  def.gravity = {};
  auto world = MakeWorld(def);
  PoolHere pool(0);
  BodyDef mountain = BoxAt({1e4f, 1e4f, 1e4f}, {});
  mountain.density = 1e6f;
  mountain.angular_velocity = {1, 0, 0};
  const BodyId a = Add(*world, mountain);
  mountain.position.x = 2e4f;
  mountain.angular_velocity = {-1, 0, 0};
  const BodyId b = Add(*world, mountain);
  JointDef joint;
  joint.a = a;
  joint.b = b;
  joint.frame_a.position = {1e4f, 0, 0};
  joint.frame_b.position = {-1e4f, 0, 0};
  joint.kind = FixedJoint{};
  joint.break_torque = 1e35f;
  const JointId id = Join(*world, joint);
  REQUIRE(Run(*world, pool, 1));
  const auto held = world->GetJoint(id);
  REQUIRE(held);
  // It stops both within the first sub-step: their angular momentum, by its time.
  const double mass = 8e12 * 1e6, moment = mass * 4e8 / 6;
  CHECK(held->torque == Approx(moment * 60 * def.solver.substeps).epsilon(0.1));
}

}  // namespace
}  // namespace nowait
