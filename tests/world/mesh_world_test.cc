// Worlds with meshes: bodies do not catch on inner edges, rest on hills of triangles, and move
// alike for any number of threads.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "src/collision/convex_hull.h"
#include "src/collision/triangle_mesh.h"
#include "tests/collision/meshes.h"
#include "tests/world/scene.h"

namespace nowait {
namespace {

using test::MeshData;
using test::MeshOf;
using test::Sheet;

BodyDef Standing(const TriangleMesh& mesh, float friction = 0.5f) {
  BodyDef def;
  def.type = BodyType::kStatic;
  def.shape = Shape::Mesh(&mesh);
  def.friction = friction;
  return def;
}

struct Ride {
  Vec3 end;
  Vec3 velocity;
  float highest = -1e30f, lowest = 1e30f;
};

// How a body moves on a floor for a second.
Ride Slide(const BodyDef& floor, const BodyDef& body) {
  PoolHere pool(0);
  const auto world = MakeWorld();
  Add(*world, floor);
  const BodyId id = Add(*world, body);
  Ride run;
  for (int step = 0; step < 60; ++step) {
    REQUIRE(Run(*world, pool, 1));
    const float y = Get(*world, id).position.y;
    run.highest = std::max(run.highest, y);
    run.lowest = std::min(run.lowest, y);
  }
  const BodySnapshot after = Get(*world, id);
  run.end = after.position;
  run.velocity = after.linear_velocity;
  return run;
}

std::unique_ptr<const ConvexHull> Brick() {
  std::vector<Vec3> corners;
  for (int i = 0; i < 8; ++i) {
    corners.push_back({i & 1 ? 0.5f : -0.5f, i & 2 ? 0.3f : -0.3f, i & 4 ? 0.4f : -0.4f});
  }
  return std::move(*ConvexHull::Create({.points = corners}));
}

// A pipe along x of strips that are far longer than wide.
MeshData Pipe(float half_length, float radius, int sides) {
  MeshData data;
  Vec3 out{0, 1, 0};  // the first ridge is the highest
  const Mat3 turn = ToMatrix(FromAxisAngle({1, 0, 0}, 6.28318531f / static_cast<float>(sides)));
  for (int i = 0; i < sides; ++i, out = turn * out) {
    data.vertices.push_back(out * radius + Vec3{-half_length, 0, 0});
    data.vertices.push_back(out * radius + Vec3{half_length, 0, 0});
  }
  const auto count = static_cast<std::uint32_t>(data.vertices.size());
  for (std::uint32_t at = 0; at < count; at += 2) {
    const std::uint32_t next = (at + 2) % count;
    data.AddTriangle(at, next, next + 1);
    data.AddTriangle(at, next + 1, at + 1);
  }
  return data;
}

TEST_CASE("bodies lie on the ridges of strips that are far longer than wide") {
  const auto pipe = MeshOf(Pipe(200.0f, 0.5f, 48));
  const auto hull = Brick();
  for (const Shape& shape : {Shape::Sphere(0.3f), Shape::Box({0.3f, 0.3f, 0.3f}),
                             Shape::Cylinder(0.3f, 0.4f), Shape::Hull(hull.get())}) {
    CAPTURE(static_cast<int>(shape.kind));
    BodyDef body;
    body.shape = shape;
    body.position = {1.3f, 0.81f, 0};
    const Ride ride = Slide(Standing(*pipe, 1.0f), body);
    CHECK(ride.lowest > 0.78f);
    CHECK(ride.highest < 0.82f);
  }
}

TEST_CASE("a body keeps its speed over the inner edges of a flat mesh") {
  const auto hull = Brick();
  const Quat lying = FromAxisAngle({1, 0, 0}, 1.57079633f);
  struct Case {
    const char* name;
    Shape shape;
    float height;
    Quat rotation;
  };
  const std::vector<Case> cases = {
      {"box", Shape::Box({0.5f, 0.3f, 0.4f}), 0.3f, {}},
      {"hull", Shape::Hull(hull.get()), 0.3f, {}},
      {"ball", Shape::Sphere(0.4f), 0.4f, {}},
      {"capsule", Shape::Capsule(0.3f, 0.4f), 0.4f, lying},
      {"cylinder on its end", Shape::Cylinder(0.3f, 0.5f), 0.3f, {}},
  };
  // Cells smaller and larger than the bodies; the way crosses rows, diagonals and vertices.
  for (const float spacing : {0.23f, 1.1f}) {
    const auto mesh = MeshOf(Sheet(spacing < 1.0f ? 120 : 25, spacing));
    for (const Case& of : cases) {
      BodyDef body;
      body.shape = of.shape;
      body.rotation = of.rotation;
      body.position = {-6, of.height, 0.01f};
      body.linear_velocity = {9, 0, 0.7f};
      body.friction = 0.0f;
      body.linear_damping = body.angular_damping = 0.0f;
      BodyDef floor = Floor(0.0f);
      const Ride on_box = Slide(floor, body), on_mesh = Slide(Standing(*mesh, 0.0f), body);
      CAPTURE(of.name, spacing, on_mesh.velocity.x, on_mesh.end.x);
      CHECK(on_mesh.velocity.x == Approx(9.0).margin(0.005));
      CHECK(on_mesh.velocity.z == Approx(0.7).margin(0.005));
      CHECK(std::abs(on_mesh.velocity.y) < 0.02f);
      CHECK(on_mesh.highest < of.height + 0.004f);
      CHECK(on_mesh.lowest > of.height - 0.012f);
      CHECK(Length(on_mesh.end - on_box.end) < 0.02f);
    }
  }
}

TEST_CASE("a ball rolls over a flat mesh as over a box") {
  const auto mesh = MeshOf(Sheet(120, 0.23f));
  BodyDef ball = SphereAt(0.4f, {-6, 0.4f, 0.01f});
  ball.linear_velocity = {6, 0, 0.5f};
  ball.angular_velocity = {0.5f / 0.4f, 0, -6.0f / 0.4f};
  ball.angular_damping = 0.0f;
  const Ride on_mesh = Slide(Standing(*mesh), ball);
  CHECK(on_mesh.velocity.x == Approx(6.0).margin(0.02));
  CHECK(on_mesh.velocity.z == Approx(0.5).margin(0.02));
  CHECK(on_mesh.highest < 0.404f);
}

TEST_CASE("bodies of every kind come to rest on hills of triangles, and none falls through") {
  const auto hull = Brick();
  const auto mesh = MeshOf(Sheet(24, 0.8f, 0.25f, 9));
  PoolHere pool(1);
  const auto world = MakeWorld();
  BodyDef hills = Standing(*mesh, 0.8f);
  hills.position = {3, 2, -1};
  hills.rotation = FromAxisAngle({0, 1, 0}, 0.7f);
  Add(*world, hills);
  Random random(31);
  std::vector<BodyId> bodies;
  for (int i = 0; i < 60; ++i) {
    BodyDef body;
    const std::vector<Shape> shapes = {Shape::Sphere(0.3f), Shape::Capsule(0.3f, 0.2f),
                                       Shape::Box({0.3f, 0.2f, 0.4f}), Shape::Cylinder(0.25f, 0.3f),
                                       Shape::Hull(hull.get())};
    body.shape = shapes[static_cast<std::size_t>(i) % shapes.size()];
    body.position = hills.position + random.InBox({-5, 1.5f, -5}, {5, 6, 5});
    body.rotation = random.Rotation();
    body.friction = 0.8f;
    body.rolling_resistance = 0.3f;
    bodies.push_back(Add(*world, body));
  }
  REQUIRE(Run(*world, pool, 600));
  int slow = 0;
  for (const BodyId id : bodies) {
    const BodySnapshot body = Get(*world, id);
    CHECK(body.position.y > hills.position.y - 0.3f);
    CHECK(Length(body.linear_velocity) < 2.0f);
    slow += Length(body.linear_velocity) < 0.1f ? 1 : 0;
  }
  CHECK(slow >= 54);
}

TEST_CASE("a world with a mesh is the same for any number of threads") {
  const auto mesh = MeshOf(Sheet(30, 0.7f, 0.3f, 3));
  std::vector<std::uint64_t> hashes;
  for (const std::uint32_t workers : {0u, 1u, 3u}) {
    PoolHere pool(workers);
    const auto world = MakeWorld();
    Add(*world, Standing(*mesh));
    Random random(32);
    for (int i = 0; i < 80; ++i) {
      BodyDef body;
      body.shape = FallingShape(Falling::kAllKinds, random);
      body.position = random.InBox({-6, 1, -6}, {6, 8, 6});
      body.rotation = random.Rotation();
      Add(*world, body);
    }
    REQUIRE(Run(*world, pool, 120));
    hashes.push_back(world->StateHash());
  }
  CHECK(hashes[1] == hashes[0]);
  CHECK(hashes[2] == hashes[0]);
}

TEST_CASE("a mesh that moves, or is not there, is refused") {
  const auto mesh = MeshOf(Sheet(2, 1.0f));
  const auto world = MakeWorld();
  WaitTime wait;
  BodyDef def = Standing(*mesh);
  def.type = BodyType::kDynamic;
  const auto dynamic = world->CreateBody(def, wait);
  REQUIRE(!dynamic);
  CHECK(dynamic.error().code == ErrorCode::kInvalidArgument);
  CHECK(std::string_view(dynamic.error().subject) == "type");
  def = Standing(*mesh);
  def.shape = Shape::Mesh(nullptr);
  const auto nothing = world->CreateBody(def, wait);
  REQUIRE(!nothing);
  CHECK(std::string_view(nothing.error().subject) == "mesh");
}

TEST_CASE("the queries of a world find a mesh") {
  const auto mesh = MeshOf(Sheet(10, 1.0f));
  const auto world = MakeWorld();
  BodyDef def = Standing(*mesh);
  def.position = {10, 5, 0};
  def.rotation = FromAxisAngle({0, 0, 1}, 1.57079633f);  // upright; its front towards minus x
  const BodyId id = Add(*world, def);
  WaitTime wait;
  const auto hit = world->CastRay({{0, 6, 1}, {20, 0, 0}}, {}, wait);
  REQUIRE(hit);
  CHECK(hit->body == id);
  CHECK(hit->fraction == Approx(0.5).margin(1e-5));
  CHECK(hit->normal.x == Approx(-1.0).margin(1e-5));
  CHECK(!world->CastRay({{20, 6, 1}, {-20, 0, 0}}, {}, wait));
}

}  // namespace
}  // namespace nowait
