// A machine of gears, a rack, a pulley and joints of six degrees of freedom, in a world.
#ifndef NOWAIT_TESTS_WORLD_MACHINE_SCENE_H_
#define NOWAIT_TESTS_WORLD_MACHINE_SCENE_H_

#include <cstdint>
#include <vector>

#include "tests/world/joints.h"

namespace nowait {

inline constexpr JointAxis kFreeAxis{.motion = AxisMotion::kFree};

inline JointDef GearOf(BodyId a, BodyId b, JointId first, JointId second, float ratio) {
  JointDef def;
  def.a = a;
  def.b = b;
  def.kind = GearJoint{first, second, ratio};
  return def;
}

// A row of wheels on a frame, each of which meshes with the one before. The first one has a motor.
struct GearTrain {
  GearTrain(World& world, const BodyDef& frame_def, std::uint32_t wheels, float torque) {
    frame = Add(world, frame_def);
    for (std::uint32_t i = 0; i < wheels; ++i) {
      const Vec3 at = frame_def.position + Vec3{static_cast<float>(i), 0, 2};
      BodyDef wheel = SphereAt(i % 2 == 0 ? 0.4f : 0.3f, at);
      wheel.may_sleep = false;
      bodies.push_back(Add(world, wheel));
      HingeJoint kind;
      if (i == 0) kind.motor = JointMotor{6.0f, torque};
      // The x axis of the frames along the world's z axis.
      const Quat about_z = FromAxisAngle({0, 1, 0}, -0.5f * kPi);
      hinges.push_back(Join(world, Between(world, frame, bodies.back(), at, kind, about_z)));
      if (i == 0) continue;
      gears.push_back(Join(world, GearOf(bodies[i - 1], bodies[i], hinges[i - 1], hinges[i],
                                         i % 2 == 0 ? 4.0f / 3.0f : 0.75f)));
    }
  }

  BodyId frame;
  std::vector<BodyId> bodies;
  std::vector<JointId> hinges;
  std::vector<JointId> gears;
};

// A drum that lifts a rack; a load on a pulley; a body on a sprung axle, which another one drives.
struct Machine {
  explicit Machine(World& world) {
    BodyDef frame = BoxAt({0.1f, 0.1f, 0.1f}, {0, 6, 0});
    frame.type = BodyType::kStatic;
    GearTrain train(world, frame, 4, 400.0f);
    bodies = train.bodies;
    joints = train.hinges;
    joints.insert(joints.end(), train.gears.begin(), train.gears.end());
    const BodyId rack = Add(world, BoxAt({0.05f, 0.5f, 0.05f}, {3.4f, 6, 2}));
    const Quat up = FromAxisAngle({0, 0, 1}, 0.5f * kPi);
    const SliderJoint slider{.limits = JointLimits{-2.0f, 2.0f}};
    joints.push_back(Join(world, Between(world, train.frame, rack, {3.4f, 6, 2}, slider, up)));
    joints.push_back(
        Join(world, GearOf(train.bodies[3], rack, train.hinges[3], joints.back(), 1.0f / 0.4f)));
    const BodyId load = Add(world, BoxAt({0.4f, 0.4f, 0.4f}, {6, 3, 2}));
    JointDef rope;
    rope.a = rack;
    rope.b = load;
    rope.kind = PulleyJoint{{3.4f, 9, 2}, {6, 9, 2}, 2.0f, {1.0f, 14.6f}};
    joints.push_back(Join(world, rope));
    const BodyId car = Add(world, BoxAt({1.0f, 0.2f, 0.5f}, {-4, 1.2f, 0}));
    for (const float x : {-0.8f, 0.8f}) {
      const Vec3 at{-4 + x, 0.5f, 0};
      const BodyId wheel = Add(world, SphereAt(0.4f, at));
      const JointAxis strut{.motion = AxisMotion::kLimited,
                            .limits = {-0.3f, 0.2f},
                            .motor = AxisMotor{.most = 1e5f, .to = JointSpring{.hertz = 2.0f}}};
      const JointAxis drive{.motion = AxisMotion::kFree,
                            .motor = AxisMotor{.speed = 3.0f, .most = 200.0f}};
      const SixDofJoint axle{.linear = {JointAxis{}, strut, JointAxis{}},
                             .angular = {JointAxis{}, JointAxis{}, drive}};
      joints.push_back(Join(world, Between(world, car, wheel, at, axle)));
      bodies.push_back(wheel);
    }
    bodies.insert(bodies.end(), {rack, load, car});
  }

  std::vector<BodyId> bodies;
  std::vector<JointId> joints;
};

}  // namespace nowait

#endif  // NOWAIT_TESTS_WORLD_MACHINE_SCENE_H_
