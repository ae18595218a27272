// Joints against closed forms: each kind holds what it holds, and leaves free what it leaves free.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstddef>
#include <vector>

#include "tests/dynamics/joint_scene.h"

namespace nowait {
namespace {

constexpr float kHalfTurn = 3.14159265f;
constexpr float kGravity = 10.0f;  // of JointScene

// The x axis of a joint's frames along the world's z axis.
const Quat kAboutZ = FromAxisAngle({0, 1, 0}, -0.5f * kHalfTurn);

// The mean time between two upward passages through zero, over `steps` steps.
template <class Position>
double Period(JointScene& scene, int steps, const Position& position) {
  double first = -1.0, latest = -1.0;
  int cycles = -1;
  scene.Step();  // a joint measures its position as it is solved
  float before = position();
  for (int step = 1; step <= steps; ++step) {
    scene.Step();
    const float now = position();
    if (before < 0.0f && now >= 0.0f) {
      latest = (step - now / (now - before)) * JointScene::kStep;
      if (++cycles == 0) first = latest;
    }
    before = now;
  }
  REQUIRE(cycles >= 5);
  return (latest - first) / cycles;
}

TEST_CASE("a pendulum swings in the time of the closed form, on a point, a hinge and a rod") {
  constexpr float kLength = 2.0f, kRadius = 0.1f, kSwing = 0.1f;
  for (int kind = 0; kind < 3; ++kind) {
    CAPTURE(kind);
    JointScene scene;
    const std::size_t pivot = scene.AddFixed({0, 0, 0});
    const std::size_t bob = scene.Add(Shape::Sphere(kRadius),
                                      {kLength * std::sin(kSwing), -kLength * std::cos(kSwing), 0});
    if (kind == 0) scene.Join(pivot, bob, {0, 0, 0}, PointJoint{});
    if (kind == 1) scene.Join(pivot, bob, {0, 0, 0}, HingeJoint{}, kAboutZ);
    if (kind == 2) {
      const std::size_t rod = scene.Join(pivot, bob, {0, 0, 0}, DistanceJoint{.length = kLength});
      scene.joint(rod).def.frame_b = {};
    }
    const double period = Period(scene, 60 * 30, [&] { return scene.body(bob).position.x; });
    // A rod is free to turn at both ends, so its ball does not turn with it.
    const double own = kind == 2 ? 0.0 : 0.4 * kRadius * kRadius;
    const double small =
        2.0 * kHalfTurn * std::sqrt((kLength * kLength + own) / (kGravity * kLength));
    const double expected = small * (1.0 + kSwing * kSwing / 16.0);
    CHECK(period == Approx(expected).epsilon(1e-4));
    CHECK(Length(scene.body(bob).position) == Approx(kLength).margin(5e-4));
  }
}

TEST_CASE("a spring has its frequency, between two bodies as well, and its damping") {
  const bool both_move = GENERATE(false, true);
  const float hertz = GENERATE(0.5f, 1.0f, 2.0f);
  CAPTURE(both_move, hertz);
  JointScene scene({0, 0, 0});
  const std::size_t a =
      both_move ? scene.Add(Shape::Sphere(0.3f), {0, 0, 0}) : scene.AddFixed({0, 0, 0});
  const std::size_t b = scene.Add(Shape::Sphere(0.2f), {3.5f, 0, 0});
  DistanceJoint kind{.spring = JointSpring{.hertz = hertz, .damping_ratio = 0.0f, .rest = 3.0f}};
  const std::size_t spring = scene.Join(a, b, {0, 0, 0}, kind);
  scene.joint(spring).def.frame_b = {};
  const double period = Period(scene, 60 * 12, [&] { return scene.joint(spring).position - 3.0f; });
  CHECK(period == Approx(1.0 / hertz).epsilon(2e-3));
  if (both_move) CHECK(Length(scene.Momentum()) < 1e-3f);
}

TEST_CASE("a critically damped spring does not overshoot, and comes to its rest") {
  JointScene scene({0, 0, 0});
  const std::size_t wall = scene.AddFixed({0, 0, 0});
  const std::size_t ball = scene.Add(Shape::Sphere(0.2f), {3.5f, 0, 0});
  const JointSpring critical{.hertz = 1.0f, .damping_ratio = 1.0f, .rest = 3.0f};
  const std::size_t spring = scene.Join(wall, ball, {0, 0, 0}, DistanceJoint{.spring = critical});
  scene.joint(spring).def.frame_b = {};
  float least = 10.0f;
  for (int step = 0; step < 180; ++step) {
    scene.Step();
    least = std::min(least, scene.body(ball).position.x);
  }
  CHECK(least >= 3.0f);
  CHECK(scene.body(ball).position.x == Approx(3.0f).margin(1e-3));
}

TEST_CASE("a rope is slack up to its length and holds a weight there") {
  JointScene scene;
  const std::size_t hook = scene.AddFixed({0, 0, 0});
  const std::size_t weight = scene.Add(Shape::Sphere(0.2f), {0, -0.5f, 0});
  const std::size_t rope =
      scene.Join(hook, weight, {0, 0, 0}, DistanceJoint{.limits = JointLimits{0.0f, 2.0f}});
  scene.joint(rope).def.frame_b = {};
  for (int step = 0; step < 20; ++step) scene.Step();
  CHECK(scene.joint(rope).force == 0.0f);
  CHECK(scene.body(weight).linear_velocity.y == Approx(-kGravity / 3.0f).epsilon(1e-3));
  float longest = 0.0f;
  for (int step = 0; step < 120; ++step) {
    scene.Step();
    longest = std::max(longest, -scene.body(weight).position.y);
  }
  CHECK(longest < 2.005f);
  CHECK(-scene.body(weight).position.y == Approx(2.0f).margin(1e-3));
  CHECK(scene.joint(rope).force ==
        Approx(kGravity / scene.body(weight).inverse_mass).epsilon(0.01));
}

TEST_CASE("a rope lets its ends pass each other") {
  for (const float beside : {0.0f, 0.01f}) {
    JointScene scene({0, 0, 0});
    const std::size_t hook = scene.AddFixed({0, 0, 0});
    const std::size_t ball = scene.Add(Shape::Sphere(0.1f), {0, 0, 0});
    const std::size_t rope =
        scene.Join(hook, ball, {0, 0, 0}, DistanceJoint{.limits = JointLimits{0.0f, 5.0f}});
    scene.body(ball).position = {1.02f, beside, 0};
    scene.body(ball).linear_velocity = {-10, 0, 0};
    for (int step = 0; step < 20; ++step) {
      scene.Step();
      CHECK(scene.joint(rope).force == 0.0f);
    }
    CHECK(scene.body(ball).linear_velocity.x == Approx(-10.0f));
  }
}

TEST_CASE("a motor reaches its speed, and the limit stops it there and is held") {
  JointScene scene({0, 0, 0});
  const std::size_t frame = scene.AddFixed({0, 0, 0});
  const std::size_t door = scene.Add(Shape::Box({0.5f, 0.1f, 0.1f}), {0.5f, 0, 0});
  const HingeJoint kind{.limits = JointLimits{-0.5f, 1.0f}, .motor = JointMotor{2.0f, 200.0f}};
  const std::size_t hinge = scene.Join(frame, door, {0, 0, 0}, kind, kAboutZ);
  for (int step = 0; step < 20; ++step) scene.Step();
  CHECK(scene.body(door).angular_velocity.z == Approx(2.0f).epsilon(1e-3));
  // It had to gain that speed by its torque, about the door's end.
  const float inertia =
      1.0f / scene.body(door).inverse_inertia.z + 0.25f / scene.body(door).inverse_mass;
  const float gaining = 2.0f * inertia / 200.0f;  // seconds
  CHECK(scene.joint(hinge).position == Approx(2.0f * (1.0f / 3.0f - 0.5f * gaining)).margin(0.01));
  float farthest = 0.0f;
  for (int step = 0; step < 100; ++step) {
    scene.Step();
    farthest = std::max(farthest, scene.joint(hinge).position);
  }
  CHECK(farthest < 1.002f);
  CHECK(scene.joint(hinge).position == Approx(1.0f).margin(2e-3));
  CHECK(Length(scene.body(door).angular_velocity) < 1e-3f);
  CHECK(scene.Apart(hinge) < 1e-4f);
  // The other way.
  std::get<HingeJoint>(scene.joint(hinge).def.kind).motor->speed = -2.0f;
  for (int step = 0; step < 120; ++step) scene.Step();
  CHECK(scene.joint(hinge).position == Approx(-0.5f).margin(2e-3));
}

TEST_CASE("a motor has no more than its torque: it lifts what is lighter, and no more") {
  for (const float share : {0.9f, 1.1f}) {
    CAPTURE(share);
    JointScene scene;
    const std::size_t wall = scene.AddFixed({0, 0, 0});
    const std::size_t arm = scene.Add(Shape::Box({0.5f, 0.1f, 0.1f}), {0.5f, 0, 0});
    const float weight_torque = 0.5f * kGravity / scene.body(arm).inverse_mass;
    const HingeJoint kind{.motor = JointMotor{0.5f, share * weight_torque}};
    const std::size_t hinge = scene.Join(wall, arm, {0, 0, 0}, kind, kAboutZ);
    for (int step = 0; step < 15; ++step) scene.Step();
    if (share < 1.0f) {
      CHECK(scene.joint(hinge).position < -0.02f);
    } else {
      CHECK(scene.joint(hinge).position > 0.02f);
    }
  }
}

TEST_CASE("the spring of a hinge has its frequency") {
  JointScene scene({0, 0, 0});
  const std::size_t wall = scene.AddFixed({0, 0, 0});
  const std::size_t arm = scene.Add(Shape::Box({0.5f, 0.1f, 0.1f}), {0.5f, 0, 0});
  const JointSpring spring{.hertz = 1.0f, .damping_ratio = 0.0f, .rest = 0.2f};
  const std::size_t hinge = scene.Join(wall, arm, {0, 0, 0}, HingeJoint{.spring = spring}, kAboutZ);
  const double period = Period(scene, 60 * 13, [&] { return scene.joint(hinge).position - 0.2f; });
  // The mass of a row is that of free bodies. The point that holds the arm's end adds to its
  // inertia, here 4 times, and so lengthens the period, to the root of that.
  const Body& body = scene.body(arm);
  const float about_centre = 1.0f / body.inverse_inertia.z;
  const float about_end = about_centre + 0.25f / body.inverse_mass;
  CHECK(period == Approx(std::sqrt(about_end / about_centre)).epsilon(0.01));
}

TEST_CASE("the spring of a hinge takes the shorter way, over half a turn as well") {
  for (const float rest : {3.0f, kHalfTurn, -3.0f}) {
    CAPTURE(rest);
    JointScene scene({0, 0, 0});
    const std::size_t frame = scene.AddFixed({0, 0, 0});
    const std::size_t door = scene.Add(Shape::Box({0.5f, 0.1f, 0.1f}), {0.5f, 0, 0});
    const JointSpring spring{.hertz = 1.0f, .damping_ratio = 0.5f, .rest = rest};
    scene.Join(frame, door, {0, 0, 0}, HingeJoint{.spring = spring}, kAboutZ);
    float fastest = 0.0f;
    for (int step = 0; step < 1200; ++step) {
      scene.Step();
      fastest = std::max(fastest, std::abs(scene.body(door).angular_velocity.z));
    }
    CHECK(fastest < 2.0f * kHalfTurn * kHalfTurn);  // of an oscillation of half a turn
    CHECK(Rotate(scene.body(door).rotation, {1, 0, 0}).x == Approx(std::cos(rest)).margin(0.01));
    CHECK(Rotate(scene.body(door).rotation, {1, 0, 0}).y == Approx(std::sin(rest)).margin(0.01));
  }
}

TEST_CASE("a limit at half a turn holds a hinge and a twist that press against it") {
  const float side = GENERATE(-1.0f, 1.0f);
  const bool is_twist = GENERATE(false, true);
  const JointLimits limits =
      side < 0.0f ? JointLimits{-kHalfTurn, 2.0f} : JointLimits{-2.0f, kHalfTurn};
  JointScene scene({0, 0, 0});
  const std::size_t frame = scene.AddFixed({0, 0, 0});
  const std::size_t door = scene.Add(Shape::Box({0.5f, 0.1f, 0.1f}), {0.5f, 0, 0});
  const JointKind kind =
      is_twist ? JointKind(SwingTwistJoint{.cone = 0.1f, .twist = limits})
               : JointKind(HingeJoint{.limits = limits, .motor = JointMotor{3.0f * side, 1000.0f}});
  const std::size_t joint = scene.Join(frame, door, {0, 0, 0}, kind, kAboutZ);
  for (int step = 0; step < 600; ++step) {
    if (is_twist) scene.body(door).angular_velocity.z = 3.0f * side;
    scene.Step();
    if (step > 120) REQUIRE(scene.joint(joint).position == Approx(side * kHalfTurn).margin(0.02));
  }
}

TEST_CASE("a slider moves along its axis alone, without turning, and keeps its limits") {
  JointScene scene;
  const std::size_t rail = scene.AddFixed({0, 0, 0}, FromAxisAngle({0, 0, 1}, 0.3f));
  const std::size_t cart = scene.Add(Shape::Box({0.2f, 0.2f, 0.4f}), {0, 0, 0});
  scene.body(cart).angular_velocity = {1, 2, 3};
  const Quat downhill = FromAxisAngle({0, 0, 1}, -0.25f * kHalfTurn);
  const SliderJoint kind{.limits = JointLimits{-1.0f, 2.0f}};
  const std::size_t slider = scene.Join(rail, cart, {0, 0, 0}, kind, downhill);
  for (int step = 0; step < 30; ++step) scene.Step();
  // Half a second on a slope of 45 degrees, without friction.
  CHECK(scene.joint(slider).position ==
        Approx(0.5f * kGravity * std::sqrt(0.5f) * 0.25f).epsilon(0.02));
  float farthest = 0.0f;
  for (int step = 0; step < 120; ++step) {
    scene.Step();
    farthest = std::max(farthest, scene.joint(slider).position);
    const Vec3 at = scene.body(cart).position;
    CHECK(std::abs(at.x + at.y) < 2e-3f);
    CHECK(std::abs(at.z) < 1e-3f);
  }
  CHECK(farthest < 2.01f);
  CHECK(scene.joint(slider).position == Approx(2.0f).margin(2e-3));
  CHECK(scene.body(cart).rotation.w > 1.0f - 1e-5f);
}

TEST_CASE("a fixed joint is a cantilever, and measures force and torque of the weight") {
  JointScene scene;
  const std::size_t wall = scene.AddFixed({0, 0, 0}, FromAxisAngle({0, 0, 1}, 0.7f));
  const std::size_t beam = scene.Add(Shape::Box({0.5f, 0.1f, 0.1f}), {0.5f, 0, 0});
  const std::size_t joint = scene.Join(wall, beam, {0, 0, 0}, FixedJoint{});
  for (int step = 0; step < 300; ++step) scene.Step();
  CHECK(Length(scene.body(beam).position - Vec3{0.5f, 0, 0}) < 1e-3f);
  CHECK(scene.body(beam).rotation.w > 1.0f - 1e-6f);
  const float weight = kGravity / scene.body(beam).inverse_mass;
  CHECK(scene.joint(joint).force == Approx(weight).epsilon(1e-3));
  CHECK(scene.joint(joint).torque == Approx(0.5f * weight).epsilon(1e-3));
}

TEST_CASE("a shoulder keeps its cone and its twist, from both sides") {
  for (const float spin : {6.0f, -6.0f}) {
    CAPTURE(spin);
    JointScene scene;
    const std::size_t trunk = scene.AddFixed({0, 0, 0});
    const std::size_t arm = scene.Add(Shape::Box({0.5f, 0.1f, 0.1f}), {0.5f, 0, 0});
    scene.body(arm).angular_velocity = {spin, 0, 0};
    const SwingTwistJoint kind{.cone = 0.6f, .twist = JointLimits{-0.2f, 0.4f}};
    const std::size_t shoulder = scene.Join(trunk, arm, {0, 0, 0}, kind);
    float widest = 0.0f, most = -1.0f, least = 1.0f;
    for (int step = 0; step < 240; ++step) {
      scene.Step();
      widest = std::max(widest, std::acos(Rotate(scene.body(arm).rotation, {1, 0, 0}).x));
      most = std::max(most, scene.joint(shoulder).position);
      least = std::min(least, scene.joint(shoulder).position);
    }
    CHECK(widest < 0.61f);
    CHECK(widest > 0.59f);  // it leans on the cone
    CHECK(most < 0.41f);
    CHECK(least > -0.21f);
    CHECK((spin > 0 ? most > 0.39f : least < -0.19f));
  }
}

TEST_CASE("a drive turns to its pose and holds it against the weight, as far as its torque goes") {
  const Quat pose = FromAxisAngle({0, 0, 1}, 0.5f) * FromAxisAngle({1, 0, 0}, 0.3f);
  for (const bool strong : {true, false}) {
    CAPTURE(strong);
    JointScene scene;
    const std::size_t trunk = scene.AddFixed({0, 0, 0});
    const std::size_t arm = scene.Add(Shape::Box({0.5f, 0.1f, 0.1f}), {0.5f, 0, 0});
    const float weight_torque = 0.5f * kGravity / scene.body(arm).inverse_mass;
    const JointDrive drive{
        .target = pose, .hertz = 20.0f, .most = (strong ? 5.0f : 0.5f) * weight_torque};
    scene.Join(trunk, arm, {0, 0, 0}, SwingTwistJoint{.drive = drive});
    for (int step = 0; step < 180; ++step) scene.Step();
    const Quat off = scene.body(arm).rotation * Conjugate(pose);
    const float angle = 2.0f * std::asin(std::min(1.0f, Length(Vec3{off.x, off.y, off.z})));
    if (strong) {
      CHECK(angle < 0.02f);
    } else {
      CHECK(angle > 0.3f);
    }
  }
}

const std::vector<JointKind> kEveryKind = {
    PointJoint{},
    FixedJoint{},
    HingeJoint{.limits = JointLimits{-0.5f, 0.5f}, .motor = JointMotor{3.0f, 20.0f}},
    SliderJoint{.limits = JointLimits{-0.2f, 0.3f}},
    DistanceJoint{.spring = JointSpring{.hertz = 3.0f, .rest = 0.5f}},
    SwingTwistJoint{.cone = 0.5f, .twist = JointLimits{-0.3f, 0.3f}, .drive = JointDrive{}}};

// Balls, because their inertia does not turn: that of a long body is taken from the start of a
// step, which loses some of its spin even without a joint (src/dynamics/solver_body.h).
TEST_CASE("a free pair keeps its momentum and its angular momentum, whatever joins it") {
  for (const JointKind& kind : kEveryKind) {
    CAPTURE(kind.index());
    JointScene scene({0, 0, 0});
    const std::size_t a = scene.Add(Shape::Sphere(0.4f), {-0.6f, 0, 0});
    const std::size_t b = scene.Add(Shape::Sphere(0.3f), {0.6f, 0, 0});
    scene.Join(a, b, {0, 0, 0}, kind);
    scene.body(a).linear_velocity = {1, 2, 0};
    scene.body(a).angular_velocity = {0, 1, 2};
    scene.body(b).angular_velocity = {1, -2, -1};
    const Vec3 momentum = scene.Momentum();
    const Vec3 angular = scene.AngularMomentum();
    for (int step = 0; step < 300; ++step) scene.Step();
    CHECK(Length(scene.Momentum() - momentum) < 1e-4f * Length(momentum));
    CHECK(Length(scene.AngularMomentum() - angular) < 0.01f * Length(angular));
  }
}

TEST_CASE("a chain of 20 links stretches by less than a tenth of a link, and hangs straight") {
  JointScene scene;
  std::size_t last = scene.AddFixed({0, 0, 0});
  for (int i = 0; i < 20; ++i) {
    const float x = 0.5f * static_cast<float>(i);
    const std::size_t link = scene.Add(Shape::Box({0.25f, 0.05f, 0.05f}), {x + 0.25f, 0, 0});
    scene.Join(last, link, {x, 0, 0}, PointJoint{});
    last = link;
  }
  float most = 0.0f;
  for (int step = 0; step < 60 * 20; ++step) {
    scene.Step();
    most = std::max(most, scene.MostApart());
  }
  CHECK(most < 0.05f);
  CHECK(scene.MostApart() < 0.01f);
}

TEST_CASE("numbers stay numbers, whatever masses are joined") {
  for (const JointKind& kind : kEveryKind) {
    for (const float density : {0.01f, 1e6f}) {
      CAPTURE(kind.index(), density);
      JointScene scene;
      const std::size_t wall = scene.AddFixed({1e5f, 0, 0});
      const std::size_t fly = scene.Add(Shape::Sphere(0.001f), {0, 0, 0}, 0.01f);
      const std::size_t mountain = scene.Add(Shape::Box({500, 300, 0.01f}), {3, 1, 0}, density);
      scene.Join(wall, fly, {4, 0, 0}, kind);
      scene.Join(fly, mountain, {5, 2, 1}, kind);
      scene.Join(fly, mountain, {-5, 2, 1}, kind);
      scene.body(fly).angular_velocity = {0, 90, 0};
      scene.body(fly).linear_velocity = {400, 0, 0};
      for (int step = 0; step < 100; ++step) {
        scene.Step();
        for (std::size_t i = 0; i < scene.bodies(); ++i) {
          REQUIRE(IsFinite(scene.body(i).position));
          REQUIRE(IsFinite(scene.body(i).rotation));
          REQUIRE(IsFinite(scene.body(i).linear_velocity));
          REQUIRE(IsFinite(scene.body(i).angular_velocity));
        }
      }
    }
  }
}

}  // namespace
}  // namespace nowait
