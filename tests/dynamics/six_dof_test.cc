// A joint of six degrees of freedom: it moves as the other kinds where it is configured like them,
// and each of its axes holds, stops, springs and drives by itself.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "src/math/random.h"
#include "tests/dynamics/joint_scene.h"

namespace nowait {
namespace {

constexpr float kInfinite = std::numeric_limits<float>::infinity();
constexpr JointAxis kFree{.motion = AxisMotion::kFree};

JointAxis Limited(float lower, float upper) {
  return {.motion = AxisMotion::kLimited, .limits = {lower, upper}};
}

struct Alike {
  const char* name;
  JointKind kind;
  SixDofJoint six;
  Quat rotation{};      // of the frames
  Quat six_rotation{};  // likewise
};

// A bar on a wall, which starts with a spin, and hangs down in a gravity that is not along an axis.
std::vector<Vec3> Moves(const JointKind& kind, Quat rotation) {
  JointScene scene({0.5f, -9, 2});
  const std::size_t wall = scene.AddFixed({0, 0, 0}, FromAxisAngle({0, 1, 0}, 0.4f));
  const std::size_t bar = scene.Add(Shape::Box({0.5f, 0.1f, 0.2f}), {0.6f, 0.1f, 0});
  scene.Join(wall, bar, {0, 0, 0}, kind, rotation);
  scene.body(bar).angular_velocity = {1, 0.5f, -0.7f};
  std::vector<Vec3> places;
  for (int step = 0; step < 120; ++step) {
    scene.Step();
    places.push_back(scene.body(bar).position);
    places.push_back(Rotate(scene.body(bar).rotation, {1, 0, 0}));
    places.push_back(Rotate(scene.body(bar).rotation, {0, 1, 0}));
  }
  return places;
}

TEST_CASE("it moves as a point, a fixed joint, a hinge about each axis and a slider do") {
  const JointLimits limits{-0.8f, 0.5f};
  const JointMotor motor{1.5f, 60.0f};
  const JointAxis driven{.motion = AxisMotion::kLimited,
                         .limits = limits,
                         .motor = AxisMotor{.speed = 1.5f, .most = 60.0f}};
  const HingeJoint hinge{.limits = limits, .motor = motor};
  // x to y to z: the frames' y axis where the hinge has its x axis, and so on.
  const Quat next{0.5f, 0.5f, 0.5f, 0.5f};
  const std::vector<Alike> all = {
      {"point", PointJoint{}, {.angular = {kFree, kFree, kFree}}},
      {"fixed", FixedJoint{}, {}},
      {"hinge", hinge, {.angular = {driven, JointAxis{}, JointAxis{}}}},
      {"hinge about y", hinge, {.angular = {JointAxis{}, driven, JointAxis{}}}, next, {}},
      {"hinge about z", hinge, {.angular = {JointAxis{}, JointAxis{}, driven}}, next * next, {}},
      {"slider", SliderJoint{.limits = limits, .motor = motor}, {.linear = {driven}}},
      {"slider along y",
       SliderJoint{.limits = limits, .motor = motor},
       {.linear = {JointAxis{}, driven, JointAxis{}}},
       next,
       {}},
  };
  for (const Alike& alike : all) {
    CAPTURE(alike.name);
    const std::vector<Vec3> one = Moves(alike.kind, alike.rotation);
    const std::vector<Vec3> six = Moves(alike.six, alike.six_rotation);
    float farthest = 0.0f, way = 0.0f;
    for (std::size_t i = 0; i < one.size(); ++i) {
      farthest = std::max(farthest, Length(one[i] - six[i]));
      way = std::max(way, Length(one[i] - one[i % 3]));
    }
    CHECK(farthest < 2e-3f);
    if (alike.kind.index() != JointKind(FixedJoint{}).index()) CHECK(way > 0.1f);
  }
}

// In a plane a cone and a limit of one swing are the same.
TEST_CASE("it moves as a shoulder does, with its twist, its cone in a plane and its drive") {
  const JointAxis twist = Limited(-0.2f, 0.4f);
  const auto run = [](const JointKind& kind, float spin) {
    JointScene scene;
    const std::size_t trunk = scene.AddFixed({0, 0, 0});
    const std::size_t arm = scene.Add(Shape::Box({0.5f, 0.1f, 0.1f}), {0.5f, 0, 0});
    scene.Join(trunk, arm, {0, 0, 0}, kind);
    scene.body(arm).angular_velocity = {spin, 0, 0};
    std::vector<Vec3> places;
    for (int step = 0; step < 240; ++step) {
      scene.Step();
      places.push_back(scene.body(arm).position);
      places.push_back(Rotate(scene.body(arm).rotation, {0, 0, 1}));
    }
    return places;
  };
  const auto farthest = [](const std::vector<Vec3>& one, const std::vector<Vec3>& other) {
    float most = 0.0f;
    for (std::size_t i = 0; i < one.size(); ++i) most = std::max(most, Length(one[i] - other[i]));
    return most;
  };
  for (const float spin : {0.0f, 3.0f, -3.0f}) {
    CAPTURE(spin);
    const SwingTwistJoint cone{.cone = 0.6f, .twist = JointLimits{-0.2f, 0.4f}};
    const SixDofJoint six{.angular = {twist, kFree, Limited(-0.6f, 0.6f)}};
    CHECK(farthest(run(cone, spin), run(six, spin)) < 0.02f);
  }
  const SwingTwistJoint driven{
      .drive = JointDrive{.target = FromAxisAngle({0, 0, 1}, 0.3f), .hertz = 3.0f}};
  const auto to = [](float rest) {
    const JointSpring spring{.hertz = 3.0f, .damping_ratio = 1.0f, .rest = rest};
    return JointAxis{.motion = AxisMotion::kFree,
                     .motor = AxisMotor{.most = kInfinite, .to = spring}};
  };
  CHECK(farthest(run(driven, 0), run(SixDofJoint{.angular = {to(0), to(0), to(0.3f)}}, 0)) < 0.01f);
}

// The position of a row's limit, and the row, for b turned by `rotation` against a.
struct Turned {
  std::array<float, 3> value;
  std::array<Vec3, 3> rate;
};
Turned TurnedBy(Quat rotation) {
  Joint joint;
  const JointAxis axis = Limited(-kPi, kPi);
  joint.def.kind = SixDofJoint{.angular = {axis, axis, axis}};
  Body body;
  body.inverse_mass = 1.0f;
  body.inverse_inertia = {1, 1, 1};
  SolverBody a = Gather(body, {});
  body.rotation = rotation;
  SolverBody b = Gather(body, {});
  std::array<JointRow, kMostJointRows> rows;
  Body at_a = body;
  at_a.rotation = {};
  const SubstepDef def(SolverDef(), JointScene::kStep);
  JointConstraint constraint = Prepare(joint, {{&at_a, &a}, {&body, &b}}, rows, def);
  Refresh(constraint, Moment::kSubstepBegins);
  Turned turned;
  for (std::size_t i = 0; i < 3; ++i) {
    const JointRow& lower = rows[kAxisRoles * (3 + i) + static_cast<std::size_t>(AxisRole::kLower)];
    turned.value[i] = lower.error - kPi;
    turned.rate[i] = lower.row.turn_b;
  }
  return turned;
}

TEST_CASE("its angles are those of a swing and a twist, and their rates are their derivatives") {
  Random random(11);
  for (int round = 0; round < 200; ++round) {
    const float twist = random.Between(-2.8f, 2.8f);
    const Vec3 way = random.Direction();
    const Vec3 flat = NormaliseOr(Vec3{0, way.y, way.z}, {0, 1, 0});
    const float swing = random.Between(0.0f, 2.5f);
    CAPTURE(round, twist, swing);
    const Quat rotation = FromAxisAngle(flat, swing) * FromAxisAngle({1, 0, 0}, twist);
    const Turned turned = TurnedBy(rotation);
    CHECK(turned.value[0] == Approx(twist).margin(2e-3));
    CHECK(turned.value[1] == Approx(swing * flat.y).margin(2e-3));
    CHECK(turned.value[2] == Approx(swing * flat.z).margin(2e-3));
    constexpr float kSmall = 4e-3f;
    const Vec3 spin = random.Direction();
    const Turned after = TurnedBy(Normalise(FromAxisAngle(spin, kSmall) * rotation));
    const Turned before = TurnedBy(Normalise(FromAxisAngle(spin, -kSmall) * rotation));
    for (std::size_t i = 0; i < 3; ++i) {
      const float measured = (after.value[i] - before.value[i]) / (2.0f * kSmall);
      CAPTURE(i);
      CHECK(Dot(turned.rate[i], spin) == Approx(measured).margin(0.02).epsilon(0.02));
    }
  }
}

// How far b has gone along or about an axis, from the body itself.
float Gone(JointScene& scene, std::size_t axis, std::size_t bar) {
  const Body& body = scene.body(bar);
  const std::array<float, 3> places = {body.position.x, body.position.y, body.position.z};
  const std::array<float, 3> turns = {body.rotation.x, body.rotation.y, body.rotation.z};
  return axis < 3 ? places[axis] : 2.0f * std::asin(turns[axis - 3]);
}

SixDofJoint OnlyAxis(std::size_t axis, const JointAxis& what) {
  SixDofJoint kind;
  (axis < 3 ? kind.linear[axis] : kind.angular[axis - 3]) = what;
  return kind;
}

TEST_CASE("each axis stops at both limits, where its motor presses, and has its motor's strength") {
  const auto axis = static_cast<std::size_t>(GENERATE(0, 1, 2, 3, 4, 5));
  const float side = GENERATE(-1.0f, 1.0f);
  CAPTURE(axis, side);
  JointScene scene({0, 0, 0});
  const std::size_t wall = scene.AddFixed({0, 0, 0});
  const std::size_t bar = scene.Add(Shape::Box({0.3f, 0.3f, 0.3f}), {0, 0, 0});
  JointAxis limited = Limited(-0.3f, 0.4f);
  limited.motor = AxisMotor{.speed = 2.0f * side, .most = 30.0f};
  const std::size_t joint = scene.Join(wall, bar, {0, 0, 0}, OnlyAxis(axis, limited));
  const Body& body = scene.body(bar);
  const float inertia = axis < 3 ? 1.0f / body.inverse_mass : 1.0f / body.inverse_inertia.x;
  for (int step = 0; step < 6; ++step) scene.Step();
  const float speed = std::min(2.0f, 30.0f * 6.0f * JointScene::kStep / inertia);
  const Vec3 moved = axis < 3 ? body.linear_velocity : body.angular_velocity;
  const std::array<float, 3> speeds = {moved.x, moved.y, moved.z};
  CHECK(speeds[axis % 3] == Approx(speed * side).epsilon(1e-3));
  CHECK(Length(moved) == Approx(speed).epsilon(1e-3));  // the other axes hold
  for (int step = 0; step < 300; ++step) scene.Step();
  CHECK(Gone(scene, axis, bar) == Approx(side < 0.0f ? -0.3f : 0.4f).margin(2e-3));
  const float most = axis < 3 ? scene.joint(joint).force : scene.joint(joint).torque;
  CHECK(most < 1.0f);  // the stop and the motor against each other
}

TEST_CASE("the motor of each axis goes to its place and holds it, as far as its strength goes") {
  const auto axis = static_cast<std::size_t>(GENERATE(0, 1, 2, 3, 4, 5));
  CAPTURE(axis);
  JointScene scene({0, 0, 0});
  const std::size_t wall = scene.AddFixed({0, 0, 0});
  const std::size_t bar = scene.Add(Shape::Box({0.3f, 0.3f, 0.3f}), {0, 0, 0}, 10.0f);
  const JointSpring spring{.hertz = 5.0f, .damping_ratio = 1.0f, .rest = 0.25f};
  const JointAxis pulled{.motion = AxisMotion::kFree,
                         .motor = AxisMotor{.most = 50.0f, .to = spring}};
  scene.Join(wall, bar, {0, 0, 0}, OnlyAxis(axis, pulled));
  const auto push = [&](float size) {
    std::array<float, 3> along{};
    along[axis % 3] = size;
    (axis < 3 ? scene.body(bar).force : scene.body(bar).torque) = {along[0], along[1], along[2]};
  };
  for (int step = 0; step < 400; ++step) scene.Step();
  CHECK(Gone(scene, axis, bar) == Approx(0.25f).margin(1e-3));
  push(-45.0f);
  for (int step = 0; step < 200; ++step) scene.Step();
  const float omega = 2.0f * kPi * spring.hertz;
  const Body& body = scene.body(bar);
  const float inertia = axis < 3 ? 1.0f / body.inverse_mass : 1.0f / body.inverse_inertia.x;
  CHECK(Gone(scene, axis, bar) == Approx(0.25f - 45.0f / (inertia * omega * omega)).margin(2e-3));
  push(-55.0f);  // more than it has
  for (int step = 0; step < (axis < 3 ? 40 : 15); ++step) scene.Step();
  CHECK(Gone(scene, axis, bar) < -0.1f);
}

TEST_CASE("beyond a soft limit a spring of its frequency throws back, and lets go within it") {
  const float side = GENERATE(-1.0f, 1.0f);
  JointScene scene({0, 0, 0});
  const std::size_t wall = scene.AddFixed({0, 0, 0});
  const std::size_t bar = scene.Add(Shape::Box({0.3f, 0.3f, 0.3f}), {0, 0, 0});
  JointAxis soft = Limited(-0.5f, 0.5f);
  soft.spring = LimitSpring{.hertz = 1.0f, .damping_ratio = 0.0f};
  scene.Join(wall, bar, {0, 0, 0}, OnlyAxis(0, soft));
  scene.body(bar).linear_velocity = {2.0f * side, 0, 0};
  float farthest = 0.0f;
  for (int step = 0; step < 60; ++step) {
    scene.Step();
    farthest = std::max(farthest, side * scene.body(bar).position.x);
    if (side * scene.body(bar).position.x < 0.5f && step < 10) {
      CHECK(scene.body(bar).linear_velocity.x == 2.0f * side);
    }
  }
  CHECK(farthest == Approx(0.5f + 2.0f / (2.0f * kPi)).epsilon(0.03));
  CHECK(scene.body(bar).linear_velocity.x == Approx(-2.0f * side).epsilon(0.06));
}

TEST_CASE("one locked angle of three is held while the others swing") {
  for (std::size_t locked = 0; locked < 3; ++locked) {
    CAPTURE(locked);
    JointScene scene({0, -3, 1});
    const std::size_t wall = scene.AddFixed({0, 0, 0});
    const std::size_t bar = scene.Add(Shape::Box({0.5f, 0.1f, 0.1f}), {0.5f, 0, 0});
    SixDofJoint kind{.angular = {kFree, kFree, kFree}};
    kind.angular[locked] = {};
    scene.Join(wall, bar, {0, 0, 0}, kind);
    scene.body(bar).angular_velocity = {3, 1, 1};
    float widest = 0.0f, other = 0.0f;
    for (int step = 0; step < 60; ++step) {
      scene.Step();
      const Turned turned = TurnedBy(scene.body(bar).rotation);
      widest = std::max(widest, std::abs(turned.value[locked]));
      other = std::max(other, std::abs(turned.value[(locked + 2) % 3]));
    }
    CHECK(widest < 0.02f);
    CHECK(other > 0.3f);
  }
}

SixDofJoint Everything() {
  JointAxis axis = Limited(-0.2f, 0.3f);
  axis.motor = AxisMotor{.speed = 1.0f, .most = 40.0f};
  JointAxis soft = axis;
  soft.spring = LimitSpring{};
  soft.motor->to = JointSpring{.hertz = 2.0f};
  return {.linear = {axis, soft, JointAxis{}}, .angular = {soft, axis, soft}};
}

TEST_CASE("a free pair keeps its momentum and its angular momentum, whatever its axes do") {
  JointScene scene({0, 0, 0});
  const std::size_t a = scene.Add(Shape::Sphere(0.4f), {-0.6f, 0, 0});
  const std::size_t b = scene.Add(Shape::Sphere(0.3f), {0.6f, 0, 0});
  scene.Join(a, b, {0, 0, 0}, Everything());
  scene.body(a).linear_velocity = {1, 2, 0};
  scene.body(a).angular_velocity = {0, 1, 2};
  scene.body(b).angular_velocity = {1, -2, -1};
  const Vec3 momentum = scene.Momentum();
  const Vec3 angular = scene.AngularMomentum();
  for (int step = 0; step < 300; ++step) scene.Step();
  CHECK(Length(scene.Momentum() - momentum) < 1e-4f * Length(momentum));
  CHECK(Length(scene.AngularMomentum() - angular) < 0.02f * Length(angular));
}

TEST_CASE("numbers stay numbers, whatever masses its axes move") {
  for (const float density : {0.01f, 1e6f}) {
    CAPTURE(density);
    JointScene scene;
    const std::size_t wall = scene.AddFixed({1e5f, 0, 0});
    const std::size_t fly = scene.Add(Shape::Sphere(0.001f), {0, 0, 0}, 0.01f);
    const std::size_t mountain = scene.Add(Shape::Box({500, 300, 0.01f}), {3, 1, 0}, density);
    scene.Join(wall, fly, {4, 0, 0}, Everything());
    scene.Join(fly, mountain, {5, 2, 1}, Everything());
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

TEST_CASE("a locked twist stays a number at a swing of half a turn") {
  // Of exactly half a turn, and of almost as much.
  for (const Quat swing : {Quat{0, 1, 0, 0}, Quat{0, 0, 1, 0}, FromAxisAngle({0, 1, 0}, 3.13f)}) {
    JointScene scene({0, 0, 0});
    const std::size_t wall = scene.AddFixed({0, 0, 0});
    const std::size_t bar = scene.Add(Shape::Box({0.5f, 0.1f, 0.2f}), {0, 0, 0});
    scene.Join(wall, bar, {0, 0, 0}, SixDofJoint{.angular = {JointAxis{}, kFree, kFree}});
    scene.body(bar).rotation = swing;
    for (int step = 0; step < 60; ++step) scene.Step();
    CHECK(IsFinite(scene.body(bar).position));
    CHECK(Length(scene.body(bar).angular_velocity) < 1.0f);
  }
}

}  // namespace
}  // namespace nowait
