// Compounds as bodies: they stand, sleep and wake, are found with the child that was met, pass no
// wall, are the same for any number of threads, and are refused by name.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "src/collision/compound_shape.h"
#include "src/collision/height_field.h"
#include "src/world/world.h"
#include "tests/collision/compounds.h"
#include "tests/collision/meshes.h"
#include "tests/world/scene.h"

namespace nowait {
namespace {

using test::CompoundOf;

// A metre wide, its top 0.8 m above its feet.
std::unique_ptr<const CompoundShape> Table() {
  std::vector<CompoundChild> children = {
      {.shape = Shape::Box({0.5f, 0.05f, 0.4f}), .position = {0, 0.75f, 0}}};
  for (const float x : {-0.4f, 0.4f}) {
    for (const float z : {-0.3f, 0.3f}) {
      children.push_back({.shape = Shape::Box({0.05f, 0.35f, 0.05f}), .position = {x, 0.35f, z}});
    }
  }
  return CompoundOf(children);
}

std::unique_ptr<const CompoundShape> Hammer() {
  return CompoundOf(std::array{
      CompoundChild{.shape = Shape::Cylinder(0.5f, 0.05f)},
      CompoundChild{
          .shape = Shape::Box({0.25f, 0.1f, 0.1f}), .position = {0, 0.5f, 0}, .density = 5.0f}});
}

// origin: where the origin of the children's definition is to be.
BodyDef BodyOf(const CompoundShape& compound, Vec3 origin, Quat rotation = {}) {
  BodyDef def;
  def.shape = Shape::Compound(&compound);
  def.position = origin + Rotate(rotation, compound.centre());
  def.rotation = rotation * compound.rotation();
  return def;
}

TEST_CASE("a table stands on a floor, a field and a mesh, and a box on it; they sleep and wake") {
  const auto table = Table();
  const std::vector<float> level(100, 0.0f);
  const auto field = std::move(*HeightField::Create({10, 10, 1.0f, level}));
  const auto mesh = test::MeshOf(test::Sheet(10, 1.0f));
  for (int ground = 0; ground < 3; ++ground) {
    CAPTURE(ground);
    const auto world = MakeWorld();
    PoolHere pool(0);
    BodyDef floor = Floor();
    if (ground == 1) floor.shape = Shape::Ground(field.get());
    if (ground == 2) floor.shape = Shape::Mesh(mesh.get());
    if (ground == 1) floor.position = {-4.5f, 0, -4.5f};
    if (ground == 2) floor.position = {};
    Add(*world, floor);
    const BodyId stands = Add(*world, BodyOf(*table, {0, 0.01f, 0}));
    const BodyId on_it = Add(*world, BoxAt({0.1f, 0.1f, 0.1f}, {0.3f, 0.92f, 0.2f}));
    REQUIRE(Run(*world, pool, 240));
    CHECK(Get(*world, stands).asleep);
    CHECK(Get(*world, on_it).asleep);
    CHECK(Get(*world, stands).position.y == Approx(table->centre().y).margin(0.01));
    CHECK(Get(*world, on_it).position.y == Approx(0.9f).margin(0.02));
    // A blow to a leg moves the table away; the box falls to the ground beside it, or stays on it.
    WaitTime wait;
    const float mass = 1.0f / Get(*world, stands).inverse_mass;
    REQUIRE(world->ApplyImpulse(stands, {2 * mass, 0, 0}, {-0.45f, 0.3f, 0.3f}, {}, wait));
    REQUIRE(Run(*world, pool, 30));
    CHECK(Get(*world, stands).position.x > 0.1f);
    CHECK_FALSE(Get(*world, on_it).position == Vec3{0.3f, 0.9f, 0.2f});
  }
}

TEST_CASE("a hammer in free flight turns about its centre of mass, which goes straight") {
  const auto hammer = Hammer();
  WorldDef def;
  def.gravity = {};
  const auto world = MakeWorld(def);
  PoolHere pool(0);
  BodyDef body = BodyOf(*hammer, {0, 10, 0});
  body.linear_velocity = {3, 0, 1};
  body.angular_velocity = {0, 0, 9};  // about its shortest axis of inertia but one
  body.angular_damping = 0.0f;
  const BodyId id = Add(*world, body);
  REQUIRE(Run(*world, pool, 60));
  const BodySnapshot after = Get(*world, id);
  CHECK(Length(after.position - (body.position + Vec3{3, 0, 1})) < 1e-3f);
  CHECK(Length(after.angular_velocity) == Approx(9.0f).epsilon(0.02));
  // By its mass the centre is in the head.
  CHECK(hammer->centre().y > 0.4f);
}

TEST_CASE("queries name the child that they meet, and a compound is no shape of a query") {
  const auto table = Table();
  const auto world = MakeWorld();
  const BodyId id = Add(*world, BodyOf(*table, {5, 0, 5}, FromAxisAngle({0, 1, 0}, 0.5f)));
  const WorldView view = world->Read();
  WaitTime wait;
  const auto top = view.CastRay({{5, 3, 5}, {0, -3, 0}}, {}, wait);
  REQUIRE(top);
  CHECK(top->body == id);
  CHECK(top->child == 0);
  CHECK(top->point.y == Approx(0.8f));
  // Between the legs there is nothing.
  CHECK_FALSE(view.CastRay({{5, 0.3f, 0}, {0, 0, 5}}, {}, wait));
  const Vec3 leg = Vec3{5, 0, 5} + Rotate(FromAxisAngle({0, 1, 0}, 0.5f), {0.4f, 0.3f, 0.3f});
  const PlacedShape ball{Shape::Sphere(0.05f), leg + Vec3{0.4f, 0, 0}, {}};
  const auto hit = view.CastShape(ball, {-3, 0, 0}, {}, wait);
  REQUIRE(hit);
  REQUIRE(*hit);
  CHECK((*hit)->child == 4);  // the last one: x and z positive
  const auto closest = view.FindClosest(ball, 5.0f, {}, wait);
  REQUIRE(closest);
  REQUIRE(*closest);
  CHECK((*closest)->child == 4);
  const auto under = view.FindClosest({Shape::Sphere(0.05f), {5, 0.35f, 5}, {}}, 0.1f, {}, wait);
  REQUIRE(under);
  CHECK_FALSE(*under);  // it fits below the table
  const auto refused = view.CastShape({Shape::Compound(table.get()), {}, {}}, {1, 0, 0}, {}, wait);
  REQUIRE(!refused);
  CHECK(std::string_view(refused.error().subject) == "shape kind");
}

TEST_CASE("a body with the shape of no compound is refused by name") {
  const auto world = MakeWorld();
  BodyDef def;
  def.shape = Shape::Compound(nullptr);
  WaitTime wait;
  const auto made = world->CreateBody(def, wait);
  REQUIRE(!made);
  CHECK(made.error().code == ErrorCode::kInvalidArgument);
  CHECK(std::string_view(made.error().subject) == "compound");
  CHECK(world->body_count() == 0);
}

TEST_CASE("compounds that fly and spin fast pass no thin wall, and stop as bullets do") {
  constexpr std::uint64_t kSeed = 91;
  CAPTURE(kSeed);
  Random random(kSeed);
  const auto hammer = Hammer();
  WorldDef def;
  def.gravity = {};
  const auto world = MakeWorld(def);
  PoolHere pool(0);
  BodyDef wall = Floor();
  wall.shape = Shape::Box({0.01f, 40, 40});
  wall.position = {};
  Add(*world, wall);
  std::vector<BodyId> flying;
  for (int i = 0; i < 60; ++i) {
    const Vec3 at{-4.0f - static_cast<float>(i % 3), 2.5f * static_cast<float>(i % 10) - 12,
                  4.0f * static_cast<float>(i / 10) - 12};
    BodyDef body = BodyOf(*hammer, at, random.Rotation());
    body.linear_velocity = {random.Between(50, 400), 0, 0};
    body.angular_velocity = random.InBox({-20, -20, -20}, {20, 20, 20});
    body.continuous = i % 2 == 0 ? Continuous::kAll : Continuous::kStatics;
    flying.push_back(Add(*world, body));
  }
  std::uint32_t stopped = 0;
  for (int step = 0; step < 40; ++step) {
    REQUIRE(Run(*world, pool, 1));
    stopped += world->stats().stopped_bodies;
    for (const BodyId id : flying) {
      CAPTURE(step, id.slot());
      REQUIRE(Get(*world, id).position.x < 0.3f);
    }
  }
  CHECK(stopped >= 40);
}

// Compounds, and shapes of other kinds, fall on hills.
std::uint64_t HashAfter(std::uint32_t workers, int steps, bool& all_on_ground) {
  HillScene scene = MakeHillScene(60, 17, {}, Falling::kAllKinds);
  const auto table = Table(), hammer = Hammer();
  Random random(18);
  test::Compounds compounds;
  std::vector<BodyId> bodies;
  for (int i = 0; i < 90; ++i) {
    BodyDef def = BodyOf(i % 2 == 0 ? *table : *hammer, random.InBox({8, 4, 8}, {32, 20, 32}),
                         random.Rotation());
    if (i % 3 == 0) def.shape = compounds.Draw(random, 1 + random.Below(5));
    bodies.push_back(Add(*scene.world, def));
  }
  PoolHere pool(workers);
  if (!Run(*scene.world, pool, steps)) return 0;
  all_on_ground = std::ranges::all_of(bodies, [&](BodyId id) {
    const Vec3 at = Get(*scene.world, id).position;
    return at.y > -2.5f && at.y < 12.0f && at.x > 0 && at.x < 40 && at.z > 0 && at.z < 40;
  });
  return scene.world->StateHash();
}

TEST_CASE("a world of compounds has the same state for any number of threads") {
  bool on_ground = false;
  const std::uint64_t alone = HashAfter(0, 150, on_ground);
  CHECK(on_ground);
  CHECK(alone != 0);
  for (const std::uint32_t workers : {1u, 3u}) {
    CAPTURE(workers);
    CHECK(HashAfter(workers, 150, on_ground) == alone);
  }
}

}  // namespace
}  // namespace nowait
