// Fast bodies and triangle meshes: from the front nothing passes, from the back everything does, no
// body is held where it has no contact, and the result is the same for any number of threads.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "src/collision/triangle_mesh.h"
#include "tests/collision/meshes.h"
#include "tests/world/scene.h"

namespace nowait {
namespace {

using test::BoxMesh;
using test::MeshOf;
using test::Sheet;

WorldDef Weightless() {
  WorldDef def = SmallWorld();
  def.gravity = {};
  def.solver.max_linear_speed = 1e4f;
  return def;
}

BodyDef Standing(const TriangleMesh& mesh, Vec3 position, Quat rotation) {
  BodyDef def;
  def.type = BodyType::kStatic;
  def.shape = Shape::Mesh(&mesh);
  def.position = position;
  def.rotation = rotation;
  return def;
}

const std::vector<Shape>& Shapes() {
  static const std::vector<Shape> shapes = {Shape::Sphere(0.1f),
                                            Shape::Sphere(0.02f),
                                            Shape::Box({0.1f, 0.2f, 0.15f}),
                                            Shape::Box({0.02f, 0.6f, 0.02f}),
                                            Shape::Capsule(0.4f, 0.05f),
                                            Shape::Cylinder(0.05f, 0.3f)};
  return shapes;
}

BodyDef Shot(std::size_t number, Random& random) {
  BodyDef def;
  def.shape = Shapes()[number % Shapes().size()];
  def.rotation = random.Rotation();
  def.angular_velocity = random.InBox({-50, -50, -50}, {50, 50, 50});
  def.restitution = number % 3 == 0 ? 0.8f : 0.0f;
  return def;
}

// Turned, and far enough from the origin that a place in the wrong frame would show.
const Vec3 kAt{30, -12, 7};
const Quat kTurned = FromAxisAngle(NormaliseOr({1, 2, -0.5f}, {}), 2.1f);
constexpr float kHalf = 8.0f;  // of the sheet's sides

Vec3 InFrame(Vec3 place) { return Rotate(Conjugate(kTurned), place - kAt); }
Vec3 InWorld(Vec3 place) { return kAt + Rotate(kTurned, place); }

TEST_CASE("no shape passes a turned and moved mesh from its front, at any speed") {
  const float speed = GENERATE(10.0f, 50.0f, 300.0f, 1000.0f, 9900.0f);
  const float bumps = GENERATE(0.0f, 0.2f);
  CAPTURE(speed, bumps);
  const auto mesh = MeshOf(Sheet(20, 0.8f, bumps, 4));
  auto world = MakeWorld(Weightless());
  PoolHere pool(0);
  Add(*world, Standing(*mesh, kAt, kTurned));
  Random random(11);
  std::vector<BodyId> ids;
  for (std::size_t i = 0; i < 36; ++i) {
    BodyDef def = Shot(i, random);
    def.position = InWorld({2.0f * static_cast<float>(i % 6) - 5, random.Between(1.5f, 30.0f),
                            2.0f * static_cast<float>(i / 6) - 5});
    def.linear_velocity = Rotate(kTurned, {0, -speed, 0});
    ids.push_back(Add(*world, def));
  }
  std::uint32_t stopped = 0;
  for (int step = 0; step < 200; ++step) {
    REQUIRE(Run(*world, pool, 1));
    stopped += world->stats().stopped_bodies;
    for (const BodyId id : ids) {
      const Vec3 at = InFrame(Get(*world, id).position);
      if (std::max(std::abs(at.x), std::abs(at.z)) < kHalf) REQUIRE(at.y > -bumps);
    }
  }
  CHECK(stopped >= 30);
}

TEST_CASE("from its back every body passes a mesh, and keeps its way") {
  const float speed = GENERATE(10.0f, 300.0f, 9900.0f);
  CAPTURE(speed);
  const auto mesh = MeshOf(Sheet(20, 0.8f));
  auto world = MakeWorld(Weightless());
  PoolHere pool(0);
  Add(*world, Standing(*mesh, kAt, kTurned));
  Random random(12);
  for (std::size_t i = 0; i < 12; ++i) {
    BodyDef def = Shot(i, random);
    // A body that is in the sheet with its centre in front of it is pushed out, to the front; these
    // do not stop there.
    if (speed < 100.0f) def.angular_velocity = {};
    const Vec3 from{random.Between(-6, 6), -1.5f - 0.4f * static_cast<float>(i), 0};
    def.position = InWorld(from);
    def.linear_velocity = Rotate(kTurned, {0, speed, 0});
    const BodyId id = Add(*world, def);
    REQUIRE(Run(*world, pool, 60));
    const float to = InFrame(Get(*world, id).position).y;
    CHECK(to > from.y + 0.99f * speed - 1.0f);
    WaitTime wait;
    REQUIRE(world->DestroyBody(id, wait));
  }
}

TEST_CASE("nothing gets into a closed mesh, from whichever side it is shot") {
  const float speed = GENERATE(10.0f, 200.0f, 1000.0f, 9900.0f);
  CAPTURE(speed);
  const Vec3 half{1.0f, 0.5f, 0.8f};
  const auto mesh = MeshOf(BoxMesh(half));
  auto world = MakeWorld(Weightless());
  PoolHere pool(0);
  Add(*world, Standing(*mesh, kAt, kTurned));
  Random random(13);
  int met = 0;
  for (std::size_t i = 0; i < 60; ++i) {
    BodyDef def = Shot(i, random);
    const Vec3 way = random.Direction();
    // At its corners, edges and faces.
    const Vec3 aim = random.InBox(-half, half) * (i % 2 == 0 ? 1.0f : 1.2f);
    def.position = InWorld(aim - way * 4.0f);
    def.linear_velocity = Rotate(kTurned, way * speed);
    const BodyId id = Add(*world, def);
    bool stopped = false;
    for (int step = 0; step < 40; ++step) {
      REQUIRE(Run(*world, pool, 1));
      stopped = stopped || world->stats().contacts > 0;
      const Vec3 at = Abs(InFrame(Get(*world, id).position));
      REQUIRE_FALSE((at.x < half.x && at.y < half.y && at.z < half.z));
    }
    met += stopped ? 1 : 0;
    WaitTime wait;
    REQUIRE(world->DestroyBody(id, wait));
  }
  CHECK(met > 20);
}

// A rod whose end is over the border of a sheet, and whose centre is behind it.
TEST_CASE("a body that meets the border of a mesh from behind is not held there") {
  const auto mesh = MeshOf(Sheet(2, 1.0f));
  auto world = MakeWorld(Weightless());
  PoolHere pool(0);
  Add(*world, Standing(*mesh, {}, {}));
  BodyDef rod;
  rod.shape = Shape::Box({0.6f, 0.02f, 0.02f});
  rod.position = {2.3f, -0.2f, 0.1f};
  rod.rotation = FromAxisAngle({0, 0, 1}, 2.35619449f);
  rod.linear_velocity = {-30, 0, 0};
  const BodyId id = Add(*world, rod);
  REQUIRE(Run(*world, pool, 30));
  CHECK(Get(*world, id).position.x < -12.0f);
}

TEST_CASE("what is shot at the border of a mesh does not hang there") {
  const auto mesh = MeshOf(Sheet(4, 0.5f));
  int moving = 0;
  for (std::size_t i = 0; i < 120; ++i) {
    CAPTURE(i);
    Random random(i);
    auto world = MakeWorld(Weightless());
    PoolHere pool(0);
    Add(*world, Standing(*mesh, kAt, kTurned));
    BodyDef def = Shot(i, random);
    const float along = random.Between(-1, 1);
    const Vec3 border = i % 2 == 0 ? Vec3{1, 0, along} : Vec3{along, 0, -1};
    const Vec3 aim = border + random.InBox({-0.05f, -0.05f, -0.05f}, {0.05f, 0.05f, 0.05f});
    Vec3 way = random.Direction();
    if (i % 3 == 0) way = NormaliseOr({way.x, 0.02f * way.y, way.z}, way);  // nearly in its plane
    const float speed = i % 4 == 0 ? 10.0f : i % 4 == 1 ? 50.0f : 400.0f;
    def.position = InWorld(aim - way * 3.0f);
    def.linear_velocity = Rotate(kTurned, way * speed);
    const BodyId id = Add(*world, def);
    int still = 0;
    Vec3 last = def.position;
    for (int step = 0; step < 120; ++step) {
      REQUIRE(Run(*world, pool, 1));
      const BodySnapshot now = Get(*world, id);
      const float supposed = Length(now.linear_velocity) / 60.0f;
      const bool is_held = supposed > 0.01f && Length(now.position - last) < 0.05f * supposed;
      still = is_held ? still + 1 : 0;
      REQUIRE(still < 20);
      last = now.position;
    }
    moving += Get(*world, id).asleep ? 0 : 1;
  }
  CHECK(moving > 100);
}

TEST_CASE("fast bodies on meshes have one hash for 1, 2, 4 and 8 threads") {
  const auto hills = MeshOf(Sheet(30, 0.7f, 0.3f, 3)), block = MeshOf(BoxMesh({1, 0.6f, 1}));
  const auto hash_of = [&](std::uint32_t workers) {
    WorldDef def;
    def.solver.max_linear_speed = 1000.0f;
    // Static and dynamic bodies in one tree, whose boxes change while it is asked.
    def.user_layers.push_back(
        {.name = "both", .touches = {Layer::kStatic, Layer::kDynamic, UserLayer(0)}});
    PoolHere pool(workers);
    const auto world = MakeWorld(def);
    Add(*world, Standing(*hills, {0, 0, 0}, FromAxisAngle({0, 1, 0}, 0.4f)));
    Random random(32);
    for (int i = 0; i < 12; ++i) {
      BodyDef of = Standing(*block, random.InBox({-6, 0, -6}, {6, 3, 6}), random.Rotation());
      of.layer = UserLayer(0);
      Add(*world, of);
    }
    for (std::size_t i = 0; i < 120; ++i) {
      BodyDef body = Shot(i, random);
      body.position = random.InBox({-8, 4, -8}, {8, 30, 8});
      body.linear_velocity = random.InBox({-300, -600, -300}, {300, 0, 300});
      body.continuous = i % 2 == 0 ? Continuous::kAll : Continuous::kStatics;
      if (i % 3 != 0) body.layer = UserLayer(0);
      Add(*world, body);
    }
    std::uint32_t stopped = 0;
    for (int step = 0; step < 40; ++step) {
      if (!Run(*world, pool, 1)) return std::pair{std::uint64_t{0}, stopped};
      stopped += world->stats().stopped_bodies;
    }
    return std::pair{world->StateHash(), stopped};
  };
  const auto one = hash_of(0);
  CHECK(one.second > 50);
  CHECK(hash_of(1) == one);
  CHECK(hash_of(3) == one);
  CHECK(hash_of(7) == one);
}

}  // namespace
}  // namespace nowait
