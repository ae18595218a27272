// Gears and pulleys against closed forms.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstddef>

#include "tests/dynamics/joint_scene.h"

namespace nowait {
namespace {

constexpr float kGravity = 10.0f;  // of JointScene
// The x axis of a joint's frames along the world's z axis.
const Quat kAboutZ = FromAxisAngle({0, 1, 0}, -0.5f * kPi);

// The turns of a body about z, counted from step to step.
class Turns {
 public:
  void See(const Body& body) {
    const double angle = 2.0 * std::atan2(body.rotation.z, body.rotation.w);
    double change = std::remainder(angle - last_, 2.0 * 3.14159265358979323846);
    sum_ += change;
    last_ = angle;
  }
  double sum() const { return sum_; }

 private:
  double last_ = 0.0;
  double sum_ = 0.0;
};

// Two wheels on hinges in a frame, and a gear.
struct Train {
  Train(JointScene& scene, std::size_t frame, float ratio, const HingeJoint& first = {},
        const HingeJoint& second = {})
      : one(scene.Add(Shape::Sphere(0.3f), {-0.5f, 0, 0})),
        other(scene.Add(Shape::Sphere(0.4f), {0.5f, 0, 0})),
        hinge(scene.Join(frame, one, {-0.5f, 0, 0}, first, kAboutZ)),
        other_hinge(scene.Join(frame, other, {0.5f, 0, 0}, second, kAboutZ)),
        gear(scene.Couple(hinge, other_hinge, ratio)) {}

  std::size_t one, other, hinge, other_hinge, gear;
};

float Inertia(const Body& body) { return 1.0f / body.inverse_inertia.z; }

TEST_CASE("a gear has the speeds of its ratio and the torques that go with them") {
  for (const float ratio : {0.5f, 2.0f, 3.0f, -1.5f}) {
    CAPTURE(ratio);
    JointScene scene({0, 0, 0});
    constexpr float kTorque = 100.0f;
    const HingeJoint driven{.motor = JointMotor{90.0f, kTorque}};
    const Train train(scene, scene.AddFixed({0, 0, 0}), ratio, driven);
    for (int step = 0; step < 60; ++step) scene.Step();
    const Body& one = scene.body(train.one);
    const Body& other = scene.body(train.other);
    // The first wheel feels the second one's inertia over the square of the ratio.
    const float felt = Inertia(one) + Inertia(other) / (ratio * ratio);
    const float gain = kTorque / felt;
    CHECK(one.angular_velocity.z == Approx(gain).epsilon(2e-3));
    CHECK(other.angular_velocity.z == Approx(-gain / ratio).epsilon(2e-3));
    const float on_one = kTorque - Inertia(one) * gain;
    const float on_other = std::abs(ratio) * on_one;
    CHECK(Inertia(other) * gain / std::abs(ratio) == Approx(on_other));
    CHECK(scene.joint(train.gear).torque == Approx(std::max(on_one, on_other)).epsilon(5e-3));
    CHECK(scene.joint(train.gear).force == 0.0f);
  }
}

TEST_CASE("a loaded gear does not drift in 10,000 steps") {
  for (const float ratio : {0.37f, 3.0f}) {
    CAPTURE(ratio);
    JointScene scene({0, 0, 0});
    const HingeJoint motor{.motor = JointMotor{12.0f, 500.0f}};
    const HingeJoint brake{.motor = JointMotor{0.0f, 30.0f}};
    const Train train(scene, scene.AddFixed({0, 0, 0}), ratio, motor, brake);
    Turns one, other;
    double most = 0.0;
    for (int step = 0; step < 10'000; ++step) {
      scene.Step();
      one.See(scene.body(train.one));
      other.See(scene.body(train.other));
      const double off = std::abs(one.sum() + static_cast<double>(ratio) * other.sum());
      if (step > 60) most = std::max(most, off);
    }
    CHECK(one.sum() > 1900.0);
    CHECK(most < 2e-3);
    CHECK(std::abs(scene.joint(train.gear).position) < 1e-3f);
    CHECK(scene.joint(train.gear).torque > 10.0f);
  }
}

TEST_CASE("a gear whose frame is free loses no angular momentum: the frame feels the torque") {
  JointScene scene({0, 0, 0});
  const std::size_t frame = scene.Add(Shape::Sphere(0.5f), {0, 0, 0});
  const Train train(scene, frame, 2.0f);
  scene.body(train.one).angular_velocity = {0, 0, 20};
  const Vec3 momentum = scene.AngularMomentum();
  for (int step = 0; step < 300; ++step) scene.Step();
  CHECK(Length(scene.AngularMomentum() - momentum) < 0.01f * Length(momentum));
  const float one = scene.body(train.one).angular_velocity.z;
  const float other = scene.body(train.other).angular_velocity.z;
  const float carrier = scene.body(frame).angular_velocity.z;
  CHECK(std::abs(carrier) > 0.05f);
  CHECK((one - carrier) + 2.0f * (other - carrier) == Approx(0.0f).margin(0.05));
}

TEST_CASE("a rack goes by the pinion's radius, and lifts what the pinion's torque can") {
  constexpr float kRadius = 0.25f;
  JointScene scene;
  const std::size_t frame = scene.AddFixed({0, 0, 0});
  const std::size_t pinion = scene.Add(Shape::Sphere(0.2f), {0, 0, 0});
  const std::size_t rack = scene.Add(Shape::Box({0.05f, 0.5f, 0.05f}), {kRadius, 0, 0});
  const float weight = kGravity / scene.body(rack).inverse_mass;
  const float share = GENERATE(0.9f, 1.1f);
  const HingeJoint motor{.motor = JointMotor{-2.0f, share * weight * kRadius}};
  const std::size_t hinge = scene.Join(frame, pinion, {0, 0, 0}, motor, kAboutZ);
  // The slider's axis is the world's y axis.
  const Quat up = FromAxisAngle({0, 0, 1}, 0.5f * kPi);
  const std::size_t slider = scene.Join(frame, rack, {kRadius, 0, 0}, SliderJoint{}, up);
  const std::size_t gear = scene.Couple(hinge, slider, 1.0f / kRadius);
  for (int step = 0; step < 60; ++step) scene.Step();
  const float speed = scene.body(rack).linear_velocity.y;
  CHECK(speed == Approx(-kRadius * scene.body(pinion).angular_velocity.z).margin(1e-3));
  CHECK((share > 1.0f ? speed > 0.05f : speed < -0.05f));
  CHECK(std::abs(scene.joint(gear).position) < 1e-3f);
  CHECK(scene.joint(gear).force == Approx(weight).epsilon(0.15));
}

// Two balls on a rope over the places {-1, 3, 0} and {1, 3, 0}; both hang 4 m below them.
struct Ropes {
  Ropes(JointScene& scene, float ratio, JointLimits limits, float radius = 0.3f)
      : a(scene.Add(Shape::Sphere(0.2f), {-1, -1, 0})),
        b(scene.Add(Shape::Sphere(radius), {1, -1, 0})),
        pulley(scene.Join(a, b, {0, 0, 0}, PulleyJoint{{-1, 3, 0}, {1, 3, 0}, ratio, limits})) {
    scene.joint(pulley).def.frame_a = {};
    scene.joint(pulley).def.frame_b = {};
  }
  std::size_t a, b, pulley;
};

TEST_CASE("Atwood's machine, and a block and tackle, have the acceleration of the closed form") {
  for (const float ratio : {1.0f, 2.0f, 0.5f}) {
    CAPTURE(ratio);
    JointScene scene;
    const Ropes ropes(scene, ratio, {0.0f, 4.0f + 4.0f * ratio});
    const float mass_a = 1.0f / scene.body(ropes.a).inverse_mass;
    const float mass_b = 1.0f / scene.body(ropes.b).inverse_mass;
    const float pull = kGravity * (1.0f + ratio) / (1.0f / mass_a + ratio * ratio / mass_b);
    const float fall = kGravity - pull / mass_a;  // of a, downwards
    constexpr int kSteps = 30;
    for (int step = 0; step < kSteps; ++step) scene.Step();
    const float time = kSteps * JointScene::kStep;
    CHECK(scene.body(ropes.a).linear_velocity.y == Approx(-fall * time).epsilon(2e-3));
    CHECK(scene.body(ropes.b).linear_velocity.y == Approx(fall / ratio * time).epsilon(2e-3));
    CHECK(scene.joint(ropes.pulley).force == Approx(std::max(1.0f, ratio) * pull).epsilon(5e-3));
    CHECK(scene.joint(ropes.pulley).position == Approx(4.0f + 4.0f * ratio).margin(1e-3));
  }
}

TEST_CASE("a pulley's rope stops at its length, is slack below it, and stops at its least length") {
  JointScene scene({0, 0, 0});
  const Ropes ropes(scene, 1.0f, {6.0f, 9.0f}, 0.2f);
  SECTION("at its length") {
    scene.body(ropes.a).linear_velocity = {0, -3, 0};
    for (int step = 0; step < 15; ++step) scene.Step();
    CHECK(scene.joint(ropes.pulley).force == 0.0f);
    CHECK(scene.body(ropes.b).linear_velocity == Vec3{});
    for (int step = 0; step < 15; ++step) scene.Step();
    CHECK(scene.body(ropes.a).linear_velocity.y == Approx(-1.5f).epsilon(0.01));
    CHECK(scene.body(ropes.b).linear_velocity.y == Approx(1.5f).epsilon(0.01));
    CHECK(scene.joint(ropes.pulley).position == Approx(9.0f).margin(2e-3));
  }
  SECTION("at its least length") {
    scene.body(ropes.a).linear_velocity = {0, 3, 0};
    for (int step = 0; step < 30; ++step) scene.Step();
    CHECK(scene.body(ropes.a).linear_velocity.y == 3.0f);
    for (int step = 0; step < 20; ++step) scene.Step();
    CHECK(scene.body(ropes.a).linear_velocity.y == Approx(1.5f).epsilon(0.01));
    CHECK(scene.body(ropes.b).linear_velocity.y == Approx(-1.5f).epsilon(0.01));
    CHECK(scene.joint(ropes.pulley).position == Approx(6.0f).margin(2e-3));
  }
}

TEST_CASE("a rope without a least length lets its ball pass the place that it hangs from") {
  JointScene scene({0, 0, 0});
  const Ropes ropes(scene, 1.0f, {0.0f, 8.0f});
  scene.body(ropes.a).linear_velocity = {0, 20, 0};
  for (int step = 0; step < 20; ++step) scene.Step();
  CHECK(scene.body(ropes.a).position.y > 3.5f);
  CHECK(scene.body(ropes.a).linear_velocity.y == 20.0f);
}

TEST_CASE("numbers stay numbers, whatever masses a gear and a pulley couple") {
  JointScene scene;
  const std::size_t wall = scene.AddFixed({0, 0, 0});
  const std::size_t fly = scene.Add(Shape::Sphere(0.001f), {1, 0, 0}, 0.01f);
  const std::size_t mountain = scene.Add(Shape::Box({500, 300, 0.01f}), {3, 1, 0}, 1e6f);
  const std::size_t hinge = scene.Join(wall, fly, {1, 0, 0}, HingeJoint{});
  const std::size_t slider = scene.Join(fly, mountain, {3, 0, 0}, SliderJoint{});
  scene.Couple(hinge, slider, GENERATE(1e4f, -1e-4f));
  scene.Join(fly, mountain, {0, 0, 0},
             PulleyJoint{{1, 0, 0}, {1e6f, 0, 0}, GENERATE(1e4f, 1e-4f), {0.1f, 1.0f}});
  scene.body(fly).angular_velocity = {90, 0, 0};
  for (int step = 0; step < 100; ++step) {
    scene.Step();
    for (const std::size_t i : {fly, mountain}) {
      REQUIRE(IsFinite(scene.body(i).position));
      REQUIRE(IsFinite(scene.body(i).rotation));
      REQUIRE(IsFinite(scene.body(i).linear_velocity));
      REQUIRE(IsFinite(scene.body(i).angular_velocity));
    }
  }
}

}  // namespace
}  // namespace nowait
