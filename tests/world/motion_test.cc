// The motion of bodies, against the laws of mechanics.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/world/scene.h"

namespace nowait {
namespace {

constexpr float kGravity = 9.81f;

TEST_CASE("free fall is symplectic Euler to the last bit of arithmetic, and near the parabola") {
  auto world = MakeWorld();
  PoolHere pool(0);
  const BodyId ball = Add(*world, SphereAt(0.5f, {0, 100, 0}));
  REQUIRE(Run(*world, pool, 60));
  const BodySnapshot after = Get(*world, ball);
  REQUIRE(after.linear_velocity.y == Approx(-kGravity).epsilon(1e-4));
  // After n sub-steps of h: g h^2 n (n + 1) / 2.
  const float n = 240.0f, h = 1.0f / 240.0f;
  REQUIRE(after.position.y == Approx(100.0f - kGravity * h * h * n * (n + 1) / 2).epsilon(1e-5));
}

TEST_CASE("without gravity a collision of free bodies conserves momentum") {
  WorldDef def;
  def.gravity = {};
  auto world = MakeWorld(def);
  PoolHere pool(0);
  Random random(11);
  std::vector<BodyId> ids;
  for (int i = 0; i < 24; ++i) {
    const Vec3 at = random.InBox({-3, -3, -3}, {3, 3, 3});
    BodyDef body = i % 2 == 0 ? SphereAt(0.6f, at) : BoxAt({0.4f, 0.5f, 0.6f}, at);
    body.linear_velocity = -2.0f * at;
    body.angular_damping = 0.0f;
    body.restitution = 0.5f;
    body.may_sleep = false;
    ids.push_back(Add(*world, body));
  }
  // All have the same density; mass by volume.
  const auto momentum = [&] {
    Vec3 sum;
    for (const BodyId id : ids) {
      const BodySnapshot body = Get(*world, id);
      const float mass = body.shape.kind == ShapeKind::kSphere ? 4.0f / 3.0f * 3.14159265f * 0.216f
                                                               : 8.0f * 0.4f * 0.5f * 0.6f;
      sum += mass * body.linear_velocity;
    }
    return sum;
  };
  const Vec3 before = momentum();
  std::size_t events = 0;
  for (int i = 0; i < 120; ++i) {
    REQUIRE(Run(*world, pool, 1));
    events += world->contact_events().size();
  }
  REQUIRE(events > 10);
  REQUIRE(Length(momentum() - before) < 1e-3f);
}

TEST_CASE("a free body that spins about its middle axis tumbles and keeps its energy") {
  WorldDef def;
  def.gravity = {};
  auto world = MakeWorld(def);
  PoolHere pool(0);
  BodyDef body = BoxAt({0.1f, 0.5f, 1.0f}, {});
  body.angular_velocity = {0.01f, 5.0f, 0.0f};
  body.angular_damping = 0.0f;
  body.may_sleep = false;
  const BodyId id = Add(*world, body);
  float least = 5.0f;
  for (int i = 0; i < 600; ++i) {
    REQUIRE(Run(*world, pool, 1));
    const BodySnapshot now = Get(*world, id);
    least = std::min(least, TransposeTimes(ToMatrix(now.rotation), now.angular_velocity).y);
    // The implicit step loses a little energy; it must never gain any.
    REQUIRE(Length(now.angular_velocity) < 10.0f);
  }
  REQUIRE(least < -2.0f);  // it flipped over, as the intermediate axis theorem says
}

TEST_CASE("a ball bounces to restitution squared of its height") {
  const float restitution = GENERATE(0.0f, 0.5f, 0.8f);
  auto world = MakeWorld();
  PoolHere pool(0);
  Add(*world, Floor());
  BodyDef def = SphereAt(0.5f, {0, 4.5f, 0});  // falls 4 m
  def.restitution = restitution;
  const BodyId ball = Add(*world, def);
  float highest = 0.0f;
  bool landed = false;
  for (int i = 0; i < 200; ++i) {
    REQUIRE(Run(*world, pool, 1));
    const BodySnapshot now = Get(*world, ball);
    landed = landed || now.position.y < 0.6f;
    if (landed) highest = std::max(highest, now.position.y - 0.5f);
  }
  REQUIRE(landed);
  REQUIRE(highest == Approx(4.0f * restitution * restitution).margin(0.25));
}

TEST_CASE("a box slides on a slope steeper than its friction angle and stays on a flatter one") {
  // The slope is made by turning gravity.
  const float slope = GENERATE(0.3f, 0.45f, 0.55f, 0.8f);
  const float norm = std::sqrt(1.0f + slope * slope);
  WorldDef def;
  def.gravity = {kGravity * slope / norm, -kGravity / norm, 0.0f};
  auto world = MakeWorld(def);
  PoolHere pool(0);
  Add(*world, Floor(0.5f));
  const BodyId box = Add(*world, BoxAt({0.5f, 0.25f, 0.5f}, {0, 0.25f, 0}));
  REQUIRE(Run(*world, pool, 120));
  const BodySnapshot after = Get(*world, box);
  if (slope < 0.5f) {
    REQUIRE(std::abs(after.position.x) < 0.02f);
    REQUIRE(Length(after.linear_velocity) < 0.02f);
  } else {
    // a = g (sin - mu cos) for two seconds.
    const float acceleration = kGravity * (slope - 0.5f) / norm;
    // 3% of the friction: its cone follows the normal impulse of one pass before.
    REQUIRE(after.linear_velocity.x == Approx(2.0f * acceleration).margin(0.3));
  }
}

TEST_CASE("a rolling ball stops where its rolling resistance says") {
  auto world = MakeWorld();
  PoolHere pool(0);
  Add(*world, Floor());
  BodyDef def = SphereAt(0.5f, {-20, 0.5f, 0});
  def.linear_velocity = {4.0f, 0, 0};
  def.angular_velocity = {0, 0, -8.0f};  // rolling without slip
  def.rolling_resistance = 0.05f;
  def.angular_damping = 0.0f;
  const BodyId ball = Add(*world, def);
  REQUIRE(Run(*world, pool, 900));
  const BodySnapshot after = Get(*world, ball);
  REQUIRE(after.asleep);
  // The moment mu r N against the inertia about the contact, 7/5 m r^2: a = 5/7 mu g.
  const float expected = 16.0f / (2.0f * (5.0f / 7.0f) * 0.05f * kGravity);
  REQUIRE(after.position.x + 20.0f == Approx(expected).epsilon(0.05));
}

TEST_CASE("a ball without rolling resistance rolls on") {
  auto world = MakeWorld();
  PoolHere pool(0);
  Add(*world, Floor());
  BodyDef def = SphereAt(0.5f, {-20, 0.5f, 0});
  def.linear_velocity = {2.0f, 0, 0};
  def.angular_velocity = {0, 0, -4.0f};
  def.angular_damping = 0.0f;
  const BodyId ball = Add(*world, def);
  REQUIRE(Run(*world, pool, 600));
  REQUIRE(Get(*world, ball).linear_velocity.x == Approx(2.0f).epsilon(0.02));
}

TEST_CASE("a ball rolls over level ground of a height field as over a floor") {
  const std::vector<float> heights(60 * 20, 0.0f);
  const auto field = std::move(*HeightField::Create({60, 20, 0.7f, heights}));
  auto world = MakeWorld();
  PoolHere pool(0);
  BodyDef ground;
  ground.type = BodyType::kStatic;
  ground.shape = Shape::Ground(field.get());
  Add(*world, ground);
  BodyDef def = SphereAt(0.5f, {2, 0.5f, 5.3f});
  def.linear_velocity = {3.0f, 0, 0.4f};
  def.angular_velocity = {0.8f, 0, -6.0f};
  def.angular_damping = 0.0f;
  const BodyId ball = Add(*world, def);
  for (int i = 0; i < 600; ++i) {
    REQUIRE(Run(*world, pool, 1));
    REQUIRE(std::abs(Get(*world, ball).position.y - 0.5f) < 0.01f);  // no edge lifts it
  }
  REQUIRE(Get(*world, ball).linear_velocity.x == Approx(3.0f).epsilon(0.02));
}

TEST_CASE("a box slides over level ground of a height field without tripping") {
  const std::vector<float> heights(100 * 20, 0.0f);
  const auto field = std::move(*HeightField::Create({100, 20, 0.3f, heights}));
  auto world = MakeWorld();
  PoolHere pool(0);
  BodyDef ground;
  ground.type = BodyType::kStatic;
  ground.shape = Shape::Ground(field.get());
  ground.friction = 0.0f;
  Add(*world, ground);
  BodyDef def = BoxAt({0.5f, 0.2f, 0.3f}, {2, 0.2f, 3});
  def.linear_velocity = {5.0f, 0, 0.1f};
  def.friction = 0.0f;
  const BodyId box = Add(*world, def);
  for (int i = 0; i < 240; ++i) {
    REQUIRE(Run(*world, pool, 1));
    const BodySnapshot now = Get(*world, box);
    REQUIRE(std::abs(now.position.y - 0.2f) < 0.02f);
    REQUIRE(Length(now.angular_velocity) < 0.1f);
  }
  REQUIRE(Get(*world, box).linear_velocity.x == Approx(5.0f).epsilon(0.01));
}

TEST_CASE("a stack of ten boxes stands and falls asleep, on a floor and on a height field") {
  const bool on_field = GENERATE(false, true);
  const std::vector<float> heights(20 * 20, 0.0f);
  const auto field = std::move(*HeightField::Create({20, 20, 1.3f, heights}));
  auto world = MakeWorld();
  PoolHere pool(0);
  BodyDef ground = Floor();
  if (on_field) {
    ground.shape = Shape::Ground(field.get());
    ground.position = {-10, 0, -10};
  }
  Add(*world, ground);
  std::vector<BodyId> boxes;
  for (int i = 0; i < 10; ++i) {
    boxes.push_back(Add(*world, BoxAt({0.5f, 0.5f, 0.5f}, {0, 0.5f + static_cast<float>(i), 0})));
  }
  REQUIRE(Run(*world, pool, 300));
  for (int i = 0; i < 10; ++i) {
    const BodySnapshot box = Get(*world, boxes[static_cast<std::size_t>(i)]);
    CHECK(box.asleep);
    CHECK(std::abs(box.position.x) < 0.05f);
    CHECK(std::abs(box.position.z) < 0.05f);
    CHECK(box.position.y == Approx(0.5f + static_cast<float>(i)).margin(0.06));
  }
}

TEST_CASE("a heavy box on a light one does not crush it") {
  auto world = MakeWorld();
  PoolHere pool(0);
  Add(*world, Floor());
  const BodyId light = Add(*world, BoxAt({0.5f, 0.5f, 0.5f}, {0, 0.5f, 0}));
  BodyDef heavy = BoxAt({0.5f, 0.5f, 0.5f}, {0, 1.5f, 0});
  heavy.density = 20000.0f;
  const BodyId top = Add(*world, heavy);
  REQUIRE(Run(*world, pool, 300));
  REQUIRE(Get(*world, light).position.y > 0.4f);
  REQUIRE(Get(*world, top).position.y > 1.3f);
}

// The slopes of the peak are steeper than the lower side of the box is level: no side of the box
// that faces them is over the peak.
TEST_CASE("a box that falls on a steep peak is held by it") {
  const float slope = GENERATE(0.5f, 1.0f, 2.0f, 8.0f);
  CAPTURE(slope);
  constexpr std::uint32_t kSamples = 17;
  std::vector<float> heights;
  for (std::uint32_t k = 0; k < kSamples; ++k) {
    for (std::uint32_t i = 0; i < kSamples; ++i) {
      const float away = std::abs(static_cast<float>(i) - 8) + std::abs(static_cast<float>(k) - 8);
      heights.push_back(-slope * away);
    }
  }
  const auto field = std::move(*HeightField::Create({kSamples, kSamples, 1.0f, heights}));
  auto world = MakeWorld();
  PoolHere pool(0);
  BodyDef ground;
  ground.type = BodyType::kStatic;
  ground.shape = Shape::Ground(field.get());
  ground.friction = 1.0f;
  Add(*world, ground);
  BodyDef box = BoxAt({2.5f, 0.5f, 2.5f}, {8, 1, 8});
  box.friction = 1.0f;
  const BodyId id = Add(*world, box);
  REQUIRE(Run(*world, pool, 60));
  CHECK(Get(*world, id).position.y == Approx(0.5f).margin(0.05));
}

TEST_CASE("nothing falls through the ground, however fast") {
  const std::vector<float> heights = Hills(120);
  const auto field = std::move(*HeightField::Create({120, 120, 4.0f, heights}));
  auto world = MakeWorld();
  PoolHere pool(0);
  BodyDef ground;
  ground.type = BodyType::kStatic;
  ground.shape = Shape::Ground(field.get());
  Add(*world, ground);
  Random random(5);
  std::vector<BodyId> ids;
  for (int i = 0; i < 40; ++i) {
    const Vec3 at = random.InBox({200, 20, 200}, {280, 60, 280});
    BodyDef def = i % 2 == 0 ? SphereAt(0.2f, at) : BoxAt({0.1f, 0.2f, 0.3f}, at);
    def.linear_velocity = {0, -200.0f, 0};
    def.rolling_resistance = 0.3f;
    ids.push_back(Add(*world, def));
  }
  REQUIRE(Run(*world, pool, 300));
  for (const BodyId id : ids) {
    const BodySnapshot body = Get(*world, id);
    CHECK(body.position.y > field->SurfaceAt(body.position.x, body.position.z));
  }
}

}  // namespace
}  // namespace nowait
