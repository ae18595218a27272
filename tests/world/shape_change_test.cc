// A body's shape changed while the body is there: the properties that follow it, the bodies that
// wake, errors, saved worlds.
#include <array>
#include <catch2/catch.hpp>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "src/collision/compound_shape.h"
#include "src/collision/convex_hull.h"
#include "src/collision/height_field.h"
#include "src/collision/scaled_shape.h"
#include "src/collision/shape_geometry.h"
#include "src/collision/triangle_mesh.h"
#include "src/world/world.h"
#include "tests/world/scene.h"

namespace nowait {
namespace {

BodyChange To(const Shape& shape) {
  BodyChange change;
  change.shape = shape;
  return change;
}

std::unique_ptr<const ConvexHull> Wedge() {
  constexpr std::array<Vec3, 5> kCorners = {Vec3{-0.5f, -0.4f, -0.5f}, Vec3{0.5f, -0.4f, -0.5f},
                                            Vec3{0.5f, -0.4f, 0.5f}, Vec3{-0.5f, -0.4f, 0.5f},
                                            Vec3{0, 0.6f, 0}};
  return std::move(*ConvexHull::Create({.points = kCorners}));
}

std::unique_ptr<const CompoundShape> Hammer() {
  const std::array<CompoundChild, 2> children = {
      CompoundChild{.shape = Shape::Sphere(0.25f), .position = {0.35f, 0, 0}},
      CompoundChild{.shape = Shape::Box({0.4f, 0.08f, 0.08f})}};
  return std::move(*CompoundShape::Create({.children = children}));
}

std::unique_ptr<const TriangleMesh> Square(float half) {
  const std::array<Vec3, 4> corners = {Vec3{-half, 0, -half}, Vec3{-half, 0, half},
                                       Vec3{half, 0, half}, Vec3{half, 0, -half}};
  constexpr std::array<std::uint32_t, 6> kIndices = {0, 1, 2, 0, 2, 3};
  return std::move(*TriangleMesh::Create({.vertices = corners, .indices = kIndices}));
}

// Of a world with a floor and a body: its hash after each of some steps.
std::vector<std::uint64_t> Hashes(World& world, TaskPool& pool) {
  std::vector<std::uint64_t> hashes;
  for (int i = 0; i < 120; ++i) {
    REQUIRE(Run(world, pool, 1));
    hashes.push_back(world.StateHash());
  }
  return hashes;
}

TEST_CASE("a body that gets a shape at once is the body that is created with it") {
  const auto wedge = Wedge();
  const auto hammer = Hammer();
  const std::vector<Shape> shapes = {
      Shape::Sphere(0.3f),         Shape::Capsule(0.3f, 0.2f), Shape::Box({0.3f, 0.5f, 0.2f}),
      Shape::Cylinder(0.2f, 0.5f), Shape::Hull(wedge.get()),   Shape::Compound(hammer.get())};
  const std::size_t to = GENERATE(range(0, 6));
  PoolHere pool(1);
  WaitTime wait;
  for (const Shape& from : shapes) {
    BodyDef def;
    def.position = {0, 2, 0};
    def.rotation = Normalise({0.1f, 0.2f, -0.3f, 1});
    def.angular_velocity = {1, -2, 0.5f};
    def.shape = shapes[to];
    auto made = MakeWorld();
    Add(*made, Floor());
    const BodyId made_id = Add(*made, def);
    def.shape = from;
    auto changed = MakeWorld();
    Add(*changed, Floor());
    const BodyId id = Add(*changed, def);
    REQUIRE(changed->SetProperties(id, To(shapes[to]), wait));
    CHECK(Get(*changed, id).shape == shapes[to]);
    CHECK(Get(*changed, id).inverse_mass == Get(*made, made_id).inverse_mass);
    CHECK(Hashes(*changed, pool) == Hashes(*made, pool));
  }
}

TEST_CASE("a mass that is given beside a shape is the body's mass") {
  auto world = MakeWorld();
  WaitTime wait;
  BodyDef def = SphereAt(0.5f, {});
  def.mass = BodyMass{.mass = 3.0f};
  const BodyId ball = Add(*world, def);
  BodyChange change = To(Shape::Box({1, 1, 1}));
  change.mass = BodyMass{.mass = 8.0f};
  REQUIRE(world->SetProperties(ball, change, wait));
  CHECK(Get(*world, ball).inverse_mass == 1.0f / 8.0f);
  // Without one it is that of the shape.
  REQUIRE(world->SetProperties(ball, To(Shape::Box({0.5f, 0.5f, 0.5f})), wait));
  CHECK(Get(*world, ball).inverse_mass == 1.0f / 1000.0f);
}

TEST_CASE("a kinematic body with a new shape that becomes dynamic has the mass of that shape") {
  auto world = MakeWorld();
  WaitTime wait;
  BodyDef def = SphereAt(0.5f, {});
  def.type = BodyType::kKinematic;
  const BodyId ball = Add(*world, def);
  REQUIRE(world->SetProperties(ball, To(Shape::Box({0.5f, 0.5f, 0.5f})), wait));
  CHECK(Get(*world, ball).inverse_mass == 0.0f);
  BodyChange freed;
  freed.type = BodyType::kDynamic;
  REQUIRE(world->SetProperties(ball, freed, wait));
  CHECK(Get(*world, ball).inverse_mass == 1.0f / 1000.0f);
}

TEST_CASE("queries see the new shape, before and after the next update") {
  const BodyType type = GENERATE(BodyType::kStatic, BodyType::kKinematic, BodyType::kDynamic);
  WorldDef weightless = SmallWorld();
  weightless.gravity = {};
  auto world = MakeWorld(weightless);
  PoolHere pool(1);
  WaitTime wait;
  BodyDef def = SphereAt(0.5f, {});
  def.type = type;
  const BodyId id = Add(*world, def);
  REQUIRE(Run(*world, pool, 1));
  const RayCast ray{{0, 10, 0}, {0, -20, 0}};
  // Larger, smaller, and a third one.
  for (const float half : {3.0f, 0.25f, 1.0f}) {
    REQUIRE(world->SetProperties(id, To(Shape::Box({half, half, half})), wait));
    for (int i = 0; i < 2; ++i) {
      const auto hit = world->CastRay(ray, {}, wait);
      REQUIRE(hit);
      CHECK(hit->point.y == Approx(half).margin(1e-5));
      const RayCast aside{{0.9f * half, 10, 0}, {0, -20, 0}};
      CHECK(world->CastRay(aside, {}, wait));
      const RayCast past{{1.1f * half, 10, 0}, {0, -20, 0}};
      CHECK_FALSE(world->CastRay(past, {}, wait));
      const auto near = world->Read().FindNearest({0, 10, 0}, 100, {}, wait);
      REQUIRE(near);
      CHECK(near->distance == Approx(10.0f - half));
      REQUIRE(Run(*world, pool, 1));
    }
  }
}

TEST_CASE("a body that grows wakes what it touches then, one that shrinks what rested on it") {
  const BodyType type = GENERATE(BodyType::kStatic, BodyType::kKinematic, BodyType::kDynamic);
  auto world = MakeWorld();
  PoolHere pool(0);
  WaitTime wait;
  Add(*world, Floor());
  BodyDef table = BoxAt({0.5f, 0.5f, 0.5f}, {0, 0.5f, 0});
  table.type = type;
  const BodyId under = Add(*world, table);
  const BodyId on_it = Add(*world, BoxAt({0.3f, 0.3f, 0.3f}, {0, 1.3f, 0}));
  const BodyId beside = Add(*world, BoxAt({0.3f, 0.3f, 0.3f}, {1.0f, 0.3f, 0}));
  REQUIRE(Run(*world, pool, 200));
  REQUIRE(Get(*world, on_it).asleep);
  REQUIRE(Get(*world, beside).asleep);
  SECTION("shrinks") {
    REQUIRE(world->SetProperties(under, To(Shape::Box({0.1f, 0.5f, 0.1f})), wait));
    REQUIRE(Run(*world, pool, 1));
    CHECK_FALSE(Get(*world, on_it).asleep);
    CHECK(Get(*world, beside).asleep);
    REQUIRE(world->SetProperties(under, To(Shape::Box({0.1f, 0.1f, 0.1f})), wait));
    REQUIRE(Run(*world, pool, 90));
    CHECK(Get(*world, on_it).position.y < 1.2f);
  }
  SECTION("grows") {
    REQUIRE(world->SetProperties(under, To(Shape::Box({0.8f, 0.5f, 0.5f})), wait));
    REQUIRE(Run(*world, pool, 1));
    CHECK_FALSE(Get(*world, beside).asleep);
    REQUIRE(Run(*world, pool, 60));
    CHECK(Get(*world, beside).position.x > Get(*world, under).position.x + 1.0f);
  }
}

TEST_CASE("a static body becomes ground, and a mesh") {
  const std::vector<float> heights(9, 0.25f);
  const auto field = std::move(*HeightField::Create({3, 3, 1.0f, heights}));
  const auto mesh = Square(5);
  auto world = MakeWorld();
  PoolHere pool(0);
  WaitTime wait;
  BodyDef block = BoxAt({5, 1, 5}, {-1, 0, -1});
  block.type = BodyType::kStatic;
  const BodyId ground = Add(*world, block);
  const BodyId ball = Add(*world, SphereAt(0.25f, {0, 1.25f, 0}));
  REQUIRE(Run(*world, pool, 100));
  REQUIRE(world->SetProperties(ground, To(Shape::Ground(field.get())), wait));
  REQUIRE(Run(*world, pool, 100));
  CHECK(Get(*world, ball).position.y == Approx(0.5f).margin(0.01));
  REQUIRE(world->SetProperties(ground, To(Shape::Mesh(mesh.get())), wait));
  REQUIRE(Run(*world, pool, 100));
  CHECK(Get(*world, ball).position.y == Approx(0.25f).margin(0.01));
}

TEST_CASE("a shape that a body cannot have is refused by name, and nothing changes") {
  auto world = MakeWorld();
  PoolHere pool(0);
  WaitTime wait;
  const std::vector<float> heights(4, 0.0f);
  const auto field = std::move(*HeightField::Create({2, 2, 1.0f, heights}));
  const auto mesh = Square(1);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinite = std::numeric_limits<float>::infinity();
  const BodyId ball = Add(*world, SphereAt(0.5f, {0, 5, 0}));
  BodyDef driven = SphereAt(0.5f, {0, 10, 0});
  driven.type = BodyType::kKinematic;
  const BodyId lift = Add(*world, driven);
  BodyDef turned = Floor();
  turned.rotation = Normalise({0, 0.3f, 0, 1});
  const BodyId floor = Add(*world, turned);
  REQUIRE(world->ApplyForce(ball, {3e8f, 0, 0}, {0, 5, 0}, {}, wait));
  const auto saved = *world->Save();
  const auto refused = [&](BodyId id, const Shape& shape) {
    BodyChange change = To(shape);
    change.friction = 0.9f;  // a right one beside it is not taken either
    const Result<void> done = world->SetProperties(id, change, wait);
    CHECK(done.error().code == ErrorCode::kInvalidArgument);
    return std::string(done.error().subject);
  };
  CHECK(refused(ball, Shape::Mesh(mesh.get())) == "shape");
  CHECK(refused(ball, Shape::Ground(field.get())) == "shape");
  CHECK(refused(lift, Shape::Plane({0, 1, 0}, 0)) == "shape");
  CHECK(refused(floor, Shape::Ground(field.get())) == "rotation");
  CHECK(refused(ball, Shape::Sphere(nan)) == "radius");
  CHECK(refused(ball, Shape::Sphere(0)) == "radius");
  CHECK(refused(ball, Shape::Sphere(-1)) == "radius");
  CHECK(refused(floor, Shape::Sphere(infinite)) == "radius");
  CHECK(refused(floor, Shape::Box({1, nan, 1})) == "half extents");
  CHECK(refused(floor, Shape::Mesh(nullptr)) == "mesh");
  // So light that the force on it is too strong.
  CHECK(refused(ball, Shape::Sphere(0.01f)) == "shape");
  CHECK(*world->Save() == saved);
  CHECK(world->SetProperties(BodyId(), To(Shape::Sphere(1)), wait).error().subject ==
        std::string("body id"));
}

// The part that stays of a turning body goes on as it went.
TEST_CASE("a body that loses a part keeps the places and velocities of the rest") {
  const BodyType type = GENERATE(BodyType::kStatic, BodyType::kKinematic, BodyType::kDynamic);
  const std::array children = {
      CompoundChild{.shape = Shape::Box({0.5f, 0.5f, 0.5f}), .position = {-2, 0, 0}},
      CompoundChild{.shape = Shape::Sphere(0.4f), .position = {1, 0.5f, 0}},
      CompoundChild{.shape = Shape::Sphere(0.6f), .position = {3, 0, 1}}};
  const auto whole = std::move(*CompoundShape::Create({.children = children}));
  const std::array box = {0u};
  const auto rest = std::move(*whole->Edited({.removed = box}));
  WorldDef def = SmallWorld();
  def.gravity = {};
  auto world = MakeWorld(def);
  PoolHere pool(0);
  WaitTime wait;
  BodyDef body;
  body.type = type;
  body.shape = Shape::Compound(whole.get());
  body.position = {1, 2, 3};
  body.rotation = Normalise({0.2f, -0.1f, 0.4f, 1});
  body.linear_velocity = {1, 0, -1};
  body.angular_velocity = {0.5f, 2, 0};
  body.linear_damping = body.angular_damping = 0.0f;
  const BodyId id = Add(*world, body);
  // Of the last ball.
  const auto ball = [&](const BodySnapshot& of) {
    for (const CompoundShape::Child& child : of.shape.compound->children()) {
      if (child.number == 2) return of.position + Rotate(of.rotation, child.position);
    }
    return Vec3{};
  };
  const auto velocity = [&](const BodySnapshot& of) {
    return of.linear_velocity + Cross(of.angular_velocity, ball(of) - of.position);
  };
  const BodySnapshot before = Get(*world, id);
  BodyChange change = To(Shape::Compound(rest.get()));
  change.frame = ShapeFrame{rest->centre(), rest->rotation()};
  REQUIRE(world->SetProperties(id, change, wait));
  const BodySnapshot after = Get(*world, id);
  CHECK(after.position != before.position);
  CHECK(Length(ball(after) - ball(before)) < 1e-5f);
  CHECK(Length(velocity(after) - velocity(before)) < 1e-5f);
  CHECK(after.angular_velocity == before.angular_velocity);
  const Vec3 from = ball(before);
  const auto hit = world->CastRay({from + Vec3{0, 0, 5}, {0, 0, -5}}, {}, wait);
  REQUIRE(hit);
  CHECK(hit->child == 2);
  // Its frame goes straight on.
  REQUIRE(world->Update(0.1f, pool, 2));
  if (type == BodyType::kKinematic) {
    CHECK(Length(Get(*world, id).position - after.position - after.linear_velocity * 0.1f) < 1e-4f);
  }
}

TEST_CASE("a kinematic body on its way goes on to where its parts were to go") {
  const std::array children = {
      CompoundChild{.shape = Shape::Box({0.5f, 0.5f, 0.5f}), .position = {-2, 0, 0}},
      CompoundChild{.shape = Shape::Sphere(0.5f), .position = {2, 0, 0}}};
  const auto whole = std::move(*CompoundShape::Create({.children = children}));
  const std::array box = {0u};
  const auto rest = std::move(*whole->Edited({.removed = box}));
  auto world = MakeWorld();
  PoolHere pool(0);
  WaitTime wait;
  BodyDef body;
  body.type = BodyType::kKinematic;
  body.shape = Shape::Compound(whole.get());
  const BodyId id = Add(*world, body);
  REQUIRE(world->SetTarget(id, {0, 1, 0}, {}, wait));
  BodyChange change = To(Shape::Compound(rest.get()));
  change.frame = ShapeFrame{rest->centre(), rest->rotation()};
  REQUIRE(world->SetProperties(id, change, wait));
  REQUIRE(Run(*world, pool, 2));
  const auto hit = world->CastRay({rest->centre() + Vec3{0, 5, 0}, {0, -10, 0}}, {}, wait);
  REQUIRE(hit);
  CHECK(hit->point.y == Approx(1.5f).margin(1e-4));
}

TEST_CASE("a frame without a shape, or one that is no frame, is refused") {
  auto world = MakeWorld();
  WaitTime wait;
  const BodyId ball = Add(*world, SphereAt(0.5f, {}));
  const std::uint64_t before = world->StateHash();
  BodyChange change;
  change.frame = ShapeFrame{{1, 0, 0}, {}};
  CHECK(world->SetProperties(ball, change, wait).error().subject == std::string("frame"));
  change.shape = Shape::Sphere(1);
  for (const ShapeFrame& bad :
       {ShapeFrame{{std::numeric_limits<float>::quiet_NaN(), 0, 0}, {}},
        ShapeFrame{{0, 2e4f, 0}, {}}, ShapeFrame{{}, {0, 0, 0, 0}}, ShapeFrame{{}, {1, 1, 0, 1}}}) {
    change.frame = bad;
    CHECK(world->SetProperties(ball, change, wait).error().subject == std::string("frame"));
  }
  CHECK(world->StateHash() == before);
}

// The world names it as any other shared shape.
TEST_CASE("a scaled hull is a body's shape like any other, in a saved world as well") {
  const auto wedge = Wedge();
  const auto large = Scaled(Shape::Hull(wedge.get()), {2, -1.5f, 2});
  REQUIRE(large);
  auto world = MakeWorld();
  PoolHere pool(0);
  WaitTime wait;
  Add(*world, Floor());
  BodyDef def;
  def.shape = Shape::Hull(wedge.get());
  def.position = {0, 3, 0};
  const BodyId body = Add(*world, def);
  BodyChange change = To(large->shape);
  change.frame = large->frame;
  REQUIRE(world->SetProperties(body, change, wait));
  CHECK(1.0f / Get(*world, body).inverse_mass ==
        Approx(1000.0f * wedge->volume() * 6.0f).epsilon(1e-4));
  const std::vector<Shape> shared = {Shape::Hull(wedge.get()), large->shape};
  const auto saved = *world->Save(shared);
  auto again = MakeWorld();
  REQUIRE(again->Restore(saved, shared));
  CHECK(Hashes(*again, pool) == Hashes(*world, pool));
}

TEST_CASE("a saved world has the new shape, which it names as any shared one") {
  const auto hammer = Hammer();
  const std::vector<Shape> shared = {Shape::Compound(hammer.get())};
  auto world = MakeWorld();
  PoolHere pool(0);
  WaitTime wait;
  Add(*world, Floor());
  const BodyId body = Add(*world, SphereAt(0.5f, {0, 0.5f, 0}));
  Add(*world, BoxAt({0.2f, 0.2f, 0.2f}, {0.1f, 1.3f, 0}));
  REQUIRE(Run(*world, pool, 40));
  REQUIRE(world->SetProperties(body, To(shared[0]), wait));
  CHECK(world->Save().error() ==
        Error{ErrorCode::kNotFound, "shape", 0, "it is not among the shared"});
  const auto saved = *world->Save(shared);
  auto again = MakeWorld();
  REQUIRE(again->Restore(saved, shared));
  CHECK(Hashes(*again, pool) == Hashes(*world, pool));
}

TEST_CASE("a body that has left the places where one is put gets a shape there") {
  WorldDef def = SmallWorld();
  def.gravity = {};
  auto world = MakeWorld(def);
  PoolHere pool(0);
  WaitTime wait;
  BodyDef far = SphereAt(0.5f, {1e6f, 0, 0});
  far.linear_velocity = {5000, 0, 0};
  const BodyId ball = Add(*world, far);
  REQUIRE(Run(*world, pool, 10));
  REQUIRE(Get(*world, ball).position.x > 1e6f);
  CHECK(world->SetProperties(ball, To(Shape::Box({1, 1, 1})), wait));
  REQUIRE(Run(*world, pool, 1));
}

}  // namespace
}  // namespace nowait
