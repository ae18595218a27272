// Fast bodies: nothing passes a thin wall, the result is the same for any number of threads, and a
// body that meets nothing is not slowed down.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <memory>
#include <vector>

#include "src/collision/convex_hull.h"
#include "tests/world/scene.h"

namespace nowait {
namespace {

constexpr float kWall = 0.025f;  // half of its thickness, metres

BodyDef WallAt(Vec3 position, Vec3 half) {
  BodyDef def;
  def.type = BodyType::kStatic;
  def.shape = Shape::Box(half);
  def.position = position;
  return def;
}

WorldDef Weightless(float max_speed = 1e4f) {
  WorldDef def = SmallWorld();
  def.gravity = {};
  def.solver.max_linear_speed = max_speed;
  return def;
}

const ConvexHull& Wedge() {
  static const auto hull =
      std::move(*ConvexHull::Create({std::array<Vec3, 6>{Vec3{-0.3f, -0.1f, -0.1f},
                                                         {0.3f, -0.1f, -0.1f},
                                                         {-0.3f, -0.1f, 0.1f},
                                                         {0.3f, -0.1f, 0.1f},
                                                         {0.0f, 0.2f, -0.1f},
                                                         {0.0f, 0.2f, 0.1f}}}));
  return *hull;
}

TEST_CASE("no shape passes a wall of 5 cm, at any speed and in any rotation") {
  const float speed = GENERATE(10.0f, 50.0f, 300.0f, 1000.0f, 10000.0f);
  CAPTURE(speed);
  auto world = MakeWorld(Weightless());
  PoolHere pool(0);
  Add(*world, WallAt({0, 0, 0}, {kWall, 2000, 2000}));
  const std::vector<Shape> shapes = {Shape::Sphere(0.1f),
                                     Shape::Sphere(0.02f),
                                     Shape::Box({0.1f, 0.2f, 0.15f}),
                                     Shape::Box({0.02f, 0.6f, 0.02f}),
                                     Shape::Box({0.4f, 0.01f, 0.4f}),
                                     Shape::Capsule(0.4f, 0.1f),
                                     Shape::Cylinder(0.05f, 0.3f),
                                     Shape::Hull(&Wedge())};
  Random random(7);
  std::vector<BodyId> ids;
  for (int i = 0; i < 64; ++i) {
    BodyDef def;
    def.shape = shapes[static_cast<std::size_t>(i) % shapes.size()];
    // Far enough from each other that none is pushed by its neighbours.
    def.position = {random.Between(-40.0f, -2.0f), 4.0f * static_cast<float>(i % 8) - 14.0f,
                    4.0f * static_cast<float>(i / 8) - 14.0f};
    def.rotation = random.Rotation();
    def.linear_velocity = {speed * 0.99f, 0, 0};
    def.angular_velocity = random.InBox({-60, -60, -60}, {60, 60, 60});
    def.restitution = i % 3 == 0 ? 0.8f : 0.0f;
    ids.push_back(Add(*world, def));
  }
  std::uint32_t stopped = 0;
  for (int step = 0; step < 90; ++step) {
    REQUIRE(Run(*world, pool, 1));
    stopped += world->stats().stopped_bodies;
    for (const BodyId id : ids) REQUIRE(Get(*world, id).position.x < 0.0f);
  }
  CHECK(stopped > 0);
}

TEST_CASE(
    "a rod that spins in place does not put its ends through a wall, and comes away from it") {
  const float spin = GENERATE(5.0f, 20.0f, 60.0f, 100.0f);
  const Shape rod = GENERATE(Shape::Box({0.02f, 1, 0.02f}), Shape::Capsule(0.9f, 0.1f),
                             Shape::Cylinder(1, 0.02f));
  CAPTURE(spin, rod.kind);
  auto world = MakeWorld(Weightless());
  PoolHere pool(0);
  Add(*world, WallAt({0.5f, 0, 0}, {kWall, 5, 5}));
  BodyDef def;
  def.shape = rod;
  def.angular_velocity = {0, 0, -spin};
  const BodyId id = Add(*world, def);
  for (int step = 0; step < 60; ++step) {
    REQUIRE(Run(*world, pool, 1));
    const BodySnapshot now = Get(*world, id);
    for (const float end : {-1.0f, 1.0f}) {
      REQUIRE((now.position + Rotate(now.rotation, {0, end, 0})).x < 0.5f - kWall);
    }
  }
  CHECK(Get(*world, id).linear_velocity.x < -0.1f);
}

TEST_CASE("a body without continuous collision passes the wall, so the wall is thin enough") {
  auto world = MakeWorld(Weightless());
  PoolHere pool(0);
  Add(*world, WallAt({0, 0, 0}, {kWall, 5, 5}));
  BodyDef def = SphereAt(0.1f, {-5, 0, 0});
  def.linear_velocity = {300, 0, 0};
  def.continuous = Continuous::kOff;
  const BodyId id = Add(*world, def);
  REQUIRE(Run(*world, pool, 5));
  CHECK(Get(*world, id).position.x > 5.0f);
  CHECK(world->stats().fast_bodies == 0);
}

TEST_CASE("in a closed room of thin walls bodies stay inside, whatever they do to each other") {
  const std::uint64_t seed = GENERATE(1u, 2u, 3u);
  CAPTURE(seed);
  Random random(seed);
  auto world = MakeWorld(Weightless(500.0f));
  PoolHere pool(1);
  constexpr float kHalf = 4.0f;
  for (int axis = 0; axis < 3; ++axis) {
    for (const float side : {-1.0f, 1.0f}) {
      Vec3 at, half{kHalf + 0.2f, kHalf + 0.2f, kHalf + 0.2f};
      (axis == 0 ? at.x : axis == 1 ? at.y : at.z) = side * kHalf;
      (axis == 0 ? half.x : axis == 1 ? half.y : half.z) = kWall;
      Add(*world, WallAt(at, half));
    }
  }
  std::vector<BodyId> ids;
  for (int i = 0; i < 60; ++i) {
    BodyDef def;
    def.shape = i % 4 == 0   ? Shape::Sphere(random.Between(0.05f, 0.3f))
                : i % 4 == 1 ? Shape::Box(random.InBox({0.02f, 0.02f, 0.02f}, {0.3f, 0.3f, 0.3f}))
                : i % 4 == 2 ? Shape::Capsule(random.Between(0.05f, 0.4f), 0.05f)
                             : Shape::Hull(&Wedge());
    def.position = random.InBox({-3, -3, -3}, {3, 3, 3});
    def.rotation = random.Rotation();
    def.linear_velocity = random.InBox({-250, -250, -250}, {250, 250, 250});
    def.angular_velocity = random.InBox({-50, -50, -50}, {50, 50, 50});
    def.restitution = 0.9f;
    def.continuous = i % 5 == 0 ? Continuous::kAll : Continuous::kStatics;
    ids.push_back(Add(*world, def));
  }
  WaitTime wait;
  for (int step = 0; step < 150; ++step) {
    if (step % 25 == 0) {  // new speed, for collisions have taken most of it
      for (const BodyId id : ids) {
        const Vec3 velocity = random.InBox({-280, -280, -280}, {280, 280, 280});
        const Vec3 spin = random.InBox({-50, -50, -50}, {50, 50, 50});
        REQUIRE(world->SetVelocity(id, velocity, spin, wait));
      }
    }
    REQUIRE(Run(*world, pool, 1));
    for (const BodyId id : ids) {
      const Vec3 out = Abs(Get(*world, id).position);
      REQUIRE(std::max({out.x, out.y, out.z}) < kHalf);
    }
  }
}

TEST_CASE("a fast body falls onto ground, into corners and against a post, and stays there") {
  HillScene scene = MakeHillScene(0, 1);
  PoolHere pool(0);
  Add(*scene.world, WallAt({20, 4, 20}, {0.03f, 8, 0.03f}));
  Random random(4);
  std::vector<BodyId> ids;
  for (int i = 0; i < 40; ++i) {
    BodyDef def = i % 2 == 0 ? SphereAt(0.1f, {}) : BoxAt({0.3f, 0.05f, 0.1f}, {});
    def.position = random.InBox({5, 30, 5}, {35, 60, 35});
    def.linear_velocity = random.InBox({-100, -480, -100}, {100, -100, 100});
    def.angular_velocity = random.InBox({-50, -50, -50}, {50, 50, 50});
    ids.push_back(Add(*scene.world, def));
  }
  const auto height_at = [&](Vec3 at) {
    const RayCast down{{at.x, 100, at.z}, {0, -200, 0}};
    QueryFilter statics;
    statics.dynamics = false;
    WaitTime wait;
    const auto hit = scene.world->CastRay(down, statics, wait);
    return hit ? hit->point.y : -1e9f;
  };
  for (int step = 0; step < 60; ++step) {
    REQUIRE(Run(*scene.world, pool, 1));
    for (const BodyId id : ids) {
      const Vec3 at = Get(*scene.world, id).position;
      const bool over_ground = at.x > 0 && at.x < 39 && at.z > 0 && at.z < 39;
      const bool at_post = std::abs(at.x - 20) < 0.1f && std::abs(at.z - 20) < 0.1f;
      if (over_ground && !at_post) REQUIRE(at.y > height_at(at) - 0.02f);
    }
  }
}

TEST_CASE("a bullet meets slow, sleeping and fast bodies; others pass the fast ones") {
  auto world = MakeWorld(Weightless());
  PoolHere pool(0);
  const Continuous continuous = GENERATE(Continuous::kStatics, Continuous::kAll);
  const auto shoot = [&](Vec3 from, Vec3 velocity) {
    BodyDef def = SphereAt(0.05f, from);
    def.linear_velocity = velocity;
    def.continuous = continuous;
    return Add(*world, def);
  };
  const bool is_bullet = continuous == Continuous::kAll;
  BodyDef sleeper = BoxAt({kWall, 1, 1}, {0, 0, 0});
  sleeper.asleep = true;
  const BodyId target = Add(*world, sleeper);
  const BodyId at_sleeper = shoot({-8, 0, 0}, {600, 0, 0});
  const BodyId left = shoot({-8, 10, 0}, {500, 0, 0});
  const BodyId right = shoot({8, 10, 0}, {-500, 0, 0});
  REQUIRE(Run(*world, pool, 6));
  CHECK((Get(*world, at_sleeper).position.x < Get(*world, target).position.x) == is_bullet);
  CHECK((Get(*world, target).linear_velocity.x > 0.0f) == is_bullet);
  CHECK((Get(*world, left).position.x < Get(*world, right).position.x) == is_bullet);
}

TEST_CASE("a bullet does not pass a fast body that comes towards it, which is no bullet") {
  const float speed = GENERATE(10.0f, 30.0f, 60.0f, 100.0f, 300.0f);
  CAPTURE(speed);
  for (int i = 0; i < 20; ++i) {  // so that they meet at any time of a step
    auto world = MakeWorld(Weightless());
    PoolHere pool(0);
    BodyDef ball = SphereAt(0.05f, {-8.0f - 0.4f * static_cast<float>(i), 0, 0});
    ball.density = 8000.0f;
    ball.linear_velocity = {600, 0, 0};
    ball.continuous = Continuous::kAll;
    BodyDef crate = BoxAt({0.25f, 0.5f, 0.5f}, {3, 0, 0});
    crate.linear_velocity = {-speed, 0, 0};
    const BodyId bullet = Add(*world, ball), target = Add(*world, crate);
    REQUIRE(Run(*world, pool, 20));
    REQUIRE(Get(*world, bullet).position.x < Get(*world, target).position.x);
    CHECK(Get(*world, bullet).linear_velocity.x < 500.0f);
  }
}

TEST_CASE("several bullets stop one body, and the first of them says where") {
  auto world = MakeWorld(Weightless());
  PoolHere pool(0);
  BodyDef crate = BoxAt({0.25f, 2, 2}, {5, 0, 0});
  crate.linear_velocity = {-240, 0, 0};
  const BodyId target = Add(*world, crate);
  std::vector<BodyId> bullets;
  for (int i = 0; i < 3; ++i) {
    BodyDef ball = SphereAt(0.05f, {-0.5f * static_cast<float>(i), static_cast<float>(i) - 1, 0});
    ball.linear_velocity = {300, 0, 0};
    ball.continuous = Continuous::kAll;
    bullets.push_back(Add(*world, ball));
  }
  REQUIRE(Run(*world, pool, 1));
  // The first meets it after 4.7 of 9 metres.
  CHECK(Get(*world, target).position.x == Approx(5 - 4 * 4.7f / 9).margin(0.02));
  CHECK(world->stats().stopped_bodies == 4);
  for (const BodyId id : bullets) CHECK(Get(*world, id).position.x < 2.9f);
}

TEST_CASE("where a body stops does not depend on the order in which statics are found") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    std::vector<Vec3> places;
    for (const bool reversed : {false, true}) {
      Random random(seed);
      auto world = MakeWorld(Weightless());
      PoolHere pool(0);
      std::vector<BodyDef> walls;
      for (int i = 0; i < 12; ++i) {
        walls.push_back(WallAt(random.InBox({-1, -2, -2}, {1, 2, 2}),
                               random.InBox({0.05f, 0.05f, 0.05f}, {1, 1, 1})));
        walls.back().rotation = random.Rotation();
      }
      BodyDef box = BoxAt({0.1f, 0.6f, 0.3f}, {-6, 0, 0});
      box.rotation = random.Rotation();
      box.linear_velocity = {700, 0, 0};
      box.angular_velocity = random.InBox({-90, -90, -90}, {90, 90, 90});
      if (reversed) std::ranges::reverse(walls);
      for (const BodyDef& wall : walls) Add(*world, wall);
      const BodyId id = Add(*world, box);
      REQUIRE(Run(*world, pool, 1));
      places.push_back(Get(*world, id).position);
    }
    CHECK(places[0] == places[1]);
  }
}

TEST_CASE("what a bullet is joined with, or may not touch, does not stop it") {
  WorldDef def = Weightless();
  def.user_layers.push_back({.name = "ghosts", .touches = {}});
  auto world = MakeWorld(def);
  PoolHere pool(0);
  BodyDef wall = WallAt({0, 0, 0}, {kWall, 5, 5});
  wall.layer = UserLayer(0);
  Add(*world, wall);
  BodyDef ball = SphereAt(0.1f, {-3, 0, 0});
  ball.linear_velocity = {300, 0, 0};
  const BodyId id = Add(*world, ball);
  REQUIRE(Run(*world, pool, 2));
  CHECK(Get(*world, id).position.x == Approx(7.0f));
}

TEST_CASE("a fast body that meets nothing goes as far as its speed says") {
  WorldDef def = Weightless();
  auto world = MakeWorld(def);
  PoolHere pool(0);
  BodyDef plate = WallAt({}, {5, 0.1f, 5});
  for (int i = 0; i < 40; ++i) {  // a floor with seams
    plate.position = {10.0f * static_cast<float>(i), -0.1f, 0};
    plate.friction = 0.0f;
    Add(*world, plate);
  }
  BodyDef flying = SphereAt(0.1f, {0, 3, 0});
  flying.linear_velocity = {200, 0, 0};
  BodyDef sliding = BoxAt({0.2f, 0.1f, 0.2f}, {0, 0.1f, 2});
  sliding.linear_velocity = {100, 0, 0};
  sliding.friction = 0.0f;
  sliding.angular_damping = 0.0f;
  const BodyId flies = Add(*world, flying), slides = Add(*world, sliding);
  REQUIRE(Run(*world, pool, 60));
  CHECK(Get(*world, flies).position.x == Approx(200.0f).epsilon(1e-3));
  CHECK(Get(*world, slides).position.x == Approx(100.0f).epsilon(1e-3));
  CHECK(world->stats().fast_bodies == 2);
}

TEST_CASE("a ball that bounces off a wall keeps its speed") {
  auto world = MakeWorld(Weightless());
  PoolHere pool(0);
  const float speed = GENERATE(20.0f, 120.0f, 480.0f, 3000.0f);
  CAPTURE(speed);
  Add(*world, WallAt({0, 0, 0}, {kWall, 5, 5}));
  BodyDef def = SphereAt(0.1f, {-4, 0, 0});
  def.linear_velocity = {speed, 0, 0};
  def.restitution = 1.0f;
  const BodyId id = Add(*world, def);
  REQUIRE(Run(*world, pool, 40));
  CHECK(Get(*world, id).linear_velocity.x == Approx(-speed).epsilon(1e-3));
}

TEST_CASE("slow bodies are not looked at") {
  auto world = MakeWorld();
  PoolHere pool(0);
  Add(*world, Floor());
  for (int i = 0; i < 5; ++i) Add(*world, BoxAt({0.5f, 0.5f, 0.5f}, {0, 0.5f + float(i), 0}));
  for (int step = 0; step < 60; ++step) {
    REQUIRE(Run(*world, pool, 1));
    REQUIRE(world->stats().fast_bodies == 0);
  }
}

TEST_CASE("fast bodies and bullets have one hash for 1, 2, 4 and 8 threads") {
  const auto hash_of = [](std::uint32_t workers) {
    Random random(99);
    WorldDef def;
    def.solver.max_linear_speed = 1000.0f;
    HillScene scene = MakeHillScene(100, 5, def, Falling::kAllKinds);
    PoolHere pool(workers);
    for (int i = 0; i < 150; ++i) {
      BodyDef body;
      body.shape = i % 3 == 0   ? Shape::Sphere(0.1f)
                   : i % 3 == 1 ? Shape::Box({0.02f, 0.5f, 0.02f})
                                : Shape::Hull(&Wedge());
      body.position = random.InBox({5, 5, 5}, {35, 40, 35});
      body.rotation = random.Rotation();
      body.linear_velocity = random.InBox({-300, -600, -300}, {300, 0, 300});
      body.angular_velocity = random.InBox({-50, -50, -50}, {50, 50, 50});
      body.continuous = i % 2 == 0 ? Continuous::kAll : Continuous::kStatics;
      Add(*scene.world, body);
    }
    std::uint32_t stopped = 0;
    for (int step = 0; step < 40; ++step) {
      if (!Run(*scene.world, pool, 1)) return std::pair{std::uint64_t{0}, stopped};
      stopped += scene.world->stats().stopped_bodies;
    }
    return std::pair{scene.world->StateHash(), stopped};
  };
  const auto one = hash_of(0);
  CHECK(one.second > 50);
  CHECK(hash_of(1) == one);
  CHECK(hash_of(3) == one);
  CHECK(hash_of(7) == one);
}

TEST_CASE("a kind of continuous collision that does not exist is refused") {
  auto world = MakeWorld();
  WaitTime wait;
  BodyDef def = SphereAt(0.1f, {});
  def.continuous = static_cast<Continuous>(3);
  CHECK(std::string(world->CreateBody(def, wait).error().subject) == "continuous");
}

}  // namespace
}  // namespace nowait
