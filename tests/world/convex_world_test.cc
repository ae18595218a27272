// Hulls and cylinders as bodies: they stand, lie, roll and stack, are found, are the same for any
// number of threads, and are refused by name.
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "src/collision/convex_hull.h"
#include "src/world/world.h"
#include "tests/world/scene.h"

namespace nowait {
namespace {

const Quat kLying = FromAxisAngle({1, 0, 0}, 1.57079633f);

std::unique_ptr<const ConvexHull> HullOf(const std::vector<Vec3>& points) {
  return std::move(*ConvexHull::Create({.points = points}));
}

std::unique_ptr<const ConvexHull> BoxHull(Vec3 half) {
  std::vector<Vec3> points;
  for (int i = 0; i < 8; ++i) {
    points.push_back(
        {i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z});
  }
  return HullOf(points);
}

// A stone: points on a ball, squeezed.
std::unique_ptr<const ConvexHull> Stone(Random& random) {
  std::vector<Vec3> points;
  const Vec3 size = random.InBox({0.25f, 0.25f, 0.25f}, {0.6f, 0.6f, 0.6f});
  for (int i = 0; i < 16; ++i) {
    const Vec3 n = random.Direction();
    points.push_back({n.x * size.x, n.y * size.y, n.z * size.z});
  }
  return HullOf(points);
}

BodyDef BodyAt(const Shape& shape, Vec3 position, Quat rotation = {}) {
  BodyDef def;
  def.shape = shape;
  def.position = position;
  def.rotation = rotation;
  return def;
}

TEST_CASE("a tower of hulls and cylinders stands, and sleeps where it stands") {
  const auto cube = BoxHull({0.5f, 0.5f, 0.5f});
  const auto world = MakeWorld();
  PoolHere pool(0);
  Add(*world, Floor());
  std::vector<BodyId> tower;
  float height = 0.0f;
  for (int i = 0; i < 6; ++i) {
    const Shape shape = i % 2 == 0 ? Shape::Hull(cube.get()) : Shape::Cylinder(0.3f, 0.5f);
    const float half = i % 2 == 0 ? 0.5f : 0.3f;
    tower.push_back(Add(*world, BodyAt(shape, {0, height + half, 0})));
    height += 2 * half;
  }
  REQUIRE(Run(*world, pool, 300));
  height = 0.0f;
  for (std::size_t i = 0; i < tower.size(); ++i) {
    const BodySnapshot body = Get(*world, tower[i]);
    const float half = i % 2 == 0 ? 0.5f : 0.3f;
    CAPTURE(i);
    CHECK(body.asleep);
    CHECK(body.position.y == Approx(height + half).margin(0.03));
    CHECK(Length(Vec3{body.position.x, 0, body.position.z}) < 0.02f);
    CHECK(Rotate(body.rotation, {0, 1, 0}).y > 0.9999f);
    height += 2 * half;
  }
}

TEST_CASE("a hull of a box slides as far as the box, on a floor of a hull and on a box") {
  const auto cube = BoxHull({0.5f, 0.25f, 0.5f}), floor = BoxHull({50, 1, 50});
  const auto slide = [&](const Shape& shape, const Shape& on) {
    const auto world = MakeWorld();
    PoolHere pool(0);
    BodyDef ground = Floor(0.4f);
    ground.shape = on;
    Add(*world, ground);
    BodyDef def = BodyAt(shape, {0, 0.25f, 0});
    def.friction = 0.4f;
    def.linear_velocity = {4, 0, 0};
    const BodyId id = Add(*world, def);
    REQUIRE(Run(*world, pool, 180));
    return Get(*world, id).position;
  };
  const Vec3 box = slide(Shape::Box({0.5f, 0.25f, 0.5f}), Shape::Box({50, 1, 50}));
  // v^2 / (2 * friction * g)
  CHECK(box.x == Approx(16.0f / (2 * 0.4f * 9.81f)).epsilon(0.05));
  for (const Shape& on : {Shape::Box({50, 1, 50}), Shape::Hull(floor.get())}) {
    const Vec3 hull = slide(Shape::Hull(cube.get()), on);
    CHECK(Length(hull - box) < 0.02f);
  }
}

TEST_CASE("a lying cylinder rolls down a slope without slipping, and a standing one stays") {
  const auto world = MakeWorld();
  PoolHere pool(0);
  BodyDef slope = BoxAt({20, 0.5f, 20}, {0, 0, 0});
  slope.type = BodyType::kStatic;
  slope.rotation = FromAxisAngle({0, 0, 1}, 0.2f);
  Add(*world, slope);
  const Vec3 up = Rotate(slope.rotation, {0, 1, 0});
  const BodyId roller =
      Add(*world, BodyAt(Shape::Cylinder(0.6f, 0.25f), up * 0.75f, slope.rotation * kLying));
  BodyDef standing = BodyAt(Shape::Cylinder(0.3f, 0.5f), up * 0.8f + Vec3{0, 0, 5}, slope.rotation);
  const Vec3 before = standing.position;
  const BodyId stays = Add(*world, standing);
  REQUIRE(Run(*world, pool, 90));
  // A solid cylinder has two thirds of the sliding acceleration: g * sin(0.2) * 2 / 3 for 1.5 s.
  const BodySnapshot body = Get(*world, roller);
  const float speed = Length(body.linear_velocity);
  CHECK(speed == Approx(9.81f * 0.19867f * 2 / 3 * 1.5f).epsilon(0.05));
  CHECK(Length(body.angular_velocity) == Approx(speed / 0.25f).epsilon(0.05));
  CHECK(Length(Get(*world, stays).position - before) < 0.02f);
}

// Stones, cylinders and the older shapes fall on hills.
struct StoneScene {
  std::vector<std::unique_ptr<const ConvexHull>> hulls;
  HillScene hills = MakeHillScene(30, 77, {}, Falling::kAllKinds);

  explicit StoneScene(int bodies) {
    Random random(78);
    for (int i = 0; i < 8; ++i) hulls.push_back(Stone(random));
    for (int i = 0; i < bodies; ++i) {
      const Shape shape =
          i % 3 == 0 ? Shape::Cylinder(random.Between(0.1f, 0.5f), random.Between(0.15f, 0.4f))
                     : Shape::Hull(hulls[random.Below(8)].get());
      BodyDef def = BodyAt(shape, random.InBox({8, 4, 8}, {32, 20, 32}), random.Rotation());
      def.friction = 0.6f;
      def.rolling_resistance = 0.2f;
      hills.bodies.push_back(Add(*hills.world, def));
    }
  }
};

TEST_CASE("a world of hulls, cylinders and the rest has one hash for 1, 2 and 4 threads") {
  const auto run = [](std::uint32_t workers) {
    const StoneScene scene(90);
    PoolHere pool(workers);
    std::array<std::uint64_t, 2> hashes{};
    for (std::uint64_t& hash : hashes) {
      REQUIRE(Run(*scene.hills.world, pool, 120));
      hash = scene.hills.world->StateHash();
    }
    // It comes to rest on the ground, and not below it.
    for (const BodyId id : scene.hills.bodies) {
      const BodySnapshot body = Get(*scene.hills.world, id);
      const Vec3 p = body.position;
      CHECK(p.y > scene.hills.field->SurfaceAt(p.x, p.z) - 0.1f);
      CHECK(Length(body.linear_velocity) < 5.0f);
    }
    return hashes;
  };
  const auto alone = run(0);
  CHECK(run(1) == alone);
  CHECK(run(3) == alone);
}

TEST_CASE("queries of the world find hulls and cylinders, and cast them") {
  const auto cube = BoxHull({0.5f, 0.5f, 0.5f});
  const auto world = MakeWorld();
  WaitTime wait;
  const BodyId hull = Add(*world, BodyAt(Shape::Hull(cube.get()), {3, 0, 0}));
  const BodyId cylinder = Add(*world, BodyAt(Shape::Cylinder(1.0f, 0.5f), {-3, 0, 0}));
  const auto ray = world->CastRay({{3.2f, 9, 0.1f}, {0, -18, 0}}, {}, wait);
  REQUIRE(ray);
  CHECK(ray->body == hull);
  CHECK(ray->point.y == Approx(0.5f));
  CHECK(ray->normal.y == Approx(1.0f));
  const auto other = world->CastRay({{-9, 0.9f, 0}, {18, 0, 0}}, {}, wait);
  REQUIRE(other);
  CHECK(other->body == cylinder);
  CHECK(other->point.x == Approx(-3.5f));
  const WorldView view = world->Read();
  const auto cast =
      view.CastShape({Shape::Hull(cube.get()), {-3, 5, 0}, {}}, {0, -10, 0}, {}, wait);
  REQUIRE(cast);
  REQUIRE(*cast);
  CHECK((*cast)->body == cylinder);
  CHECK((*cast)->fraction == Approx(0.35f).margin(1e-4));
  const auto closest =
      view.FindClosest({Shape::Cylinder(0.5f, 0.5f), {3, 2, 0}, {}}, 5.0f, {}, wait);
  REQUIRE(closest);
  REQUIRE(*closest);
  CHECK((*closest)->body == hull);
  CHECK((*closest)->distance == Approx(1.0f).margin(1e-4));
}

TEST_CASE(
    "a hull that is missing and a cylinder of no size are refused by name, alone and in batches") {
  const auto world = MakeWorld();
  WaitTime wait;
  const auto refused = [&](const Shape& shape) {
    const auto id = world->CreateBody(BodyAt(shape, {}), wait);
    REQUIRE(!id);
    const std::array<BodyDef, 2> defs = {BodyDef{}, BodyAt(shape, {})};
    CHECK(!world->PrepareBatch(defs));
    return std::string_view(id.error().subject);
  };
  CHECK(refused(Shape::Hull(nullptr)) == "hull");
  CHECK(refused(Shape::Cylinder(0, 1)) == "half height");
  CHECK(refused(Shape::Cylinder(1, -1)) == "radius");
  CHECK(refused(Shape::Cylinder(std::nanf(""), 1)) == "half height");
}

}  // namespace
}  // namespace nowait
