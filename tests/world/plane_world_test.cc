// Worlds with planes: every shape comes to rest on one, nothing falls through, queries find it, and
// it is saved and refused by name.
#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "src/resource/blob.h"
#include "tests/collision/compounds.h"
#include "tests/collision/convex_shapes.h"
#include "tests/world/scene.h"

namespace nowait {
namespace {

using Bytes = std::vector<std::byte>;

BodyDef PlaneBody(Vec3 normal, float distance, float friction = 0.6f) {
  BodyDef def;
  def.type = BodyType::kStatic;
  def.shape = Shape::Plane(normal, distance);
  def.friction = friction;
  return def;
}

// A floor and four walls, and bodies of every kind that fall between them.
struct Pit {
  explicit Pit(std::uint64_t seed) {
    hammer = test::CompoundOf(
        std::array{CompoundChild{.shape = Shape::Sphere(0.25f), .position = {0.35f, 0, 0}},
                   CompoundChild{.shape = Shape::Box({0.4f, 0.08f, 0.08f})}});
    WorldDef def;
    def.max_bodies = 200;
    def.max_contacts = 4096;
    world = MakeWorld(def);
    Add(*world, PlaneBody({0, 1, 0}, 0));
    Add(*world, PlaneBody({1, 0.1f, 0}, -5));
    Add(*world, PlaneBody({-1, 0, 0}, -5));
    Add(*world, PlaneBody({0, 0, 1}, -5));
    Add(*world, PlaneBody({0, 0, -1}, -5));
    Random random(seed);
    for (int i = 0; i < 60; ++i) {
      const auto kind = static_cast<std::size_t>(i) % (test::kConvex.size() + 1);
      BodyDef body;
      body.shape = kind < test::kConvex.size() ? shapes.Draw(test::kConvex[kind], random, 0.6f)
                                               : Shape::Compound(hammer.get());
      body.position = random.InBox({-3, 1, -3}, {3, 12, 3});
      body.rotation = random.Rotation();
      body.rolling_resistance = 0.1f;
      bodies.push_back(Add(*world, body));
    }
  }
  test::Shapes shapes;
  std::unique_ptr<const CompoundShape> hammer;
  std::unique_ptr<World> world;
  std::vector<BodyId> bodies;
};

TEST_CASE("bodies of every kind come to rest in a pit of planes, and none is outside of it") {
  PoolHere pool(0);
  Pit pit(GENERATE(1u, 2u));
  REQUIRE(Run(*pit.world, pool, 1200));
  std::size_t asleep = 0;
  for (const BodyId id : pit.bodies) {
    const BodySnapshot body = Get(*pit.world, id);
    CHECK(body.position.y > 0.0f);
    CHECK(std::max(std::abs(body.position.x), std::abs(body.position.z)) < 5.6f);
    asleep += body.asleep ? 1 : 0;
  }
  CHECK(asleep > pit.bodies.size() / 2);
}

TEST_CASE("a pit of planes has one hash for any number of threads") {
  std::uint64_t alone = 0;
  for (const std::uint32_t workers : {0u, 3u}) {
    PoolHere pool(workers);
    Pit pit(7);
    REQUIRE(Run(*pit.world, pool, 200));
    if (workers == 0) alone = pit.world->StateHash();
    CHECK(pit.world->StateHash() == alone);
  }
}

// How fast a box gets in a second on a tilted floor, after half a second in which it settles.
float SpeedGainedOn(BodyDef floor, float friction) {
  const Vec3 normal{0.6f, 0.8f, 0}, down{0.8f, -0.6f, 0};
  const Quat turn = FromAxisAngle({0, 0, 1}, -0.6435011f);
  if (floor.shape.kind == ShapeKind::kBox) {
    floor.rotation = turn;
    floor.position = normal * -floor.shape.half.y;
  }
  PoolHere pool(0);
  const auto world = MakeWorld();
  Add(*world, floor);
  BodyDef def = BoxAt({0.5f, 0.5f, 0.5f}, normal * 0.5f);
  def.rotation = turn;
  def.friction = friction;
  const BodyId id = Add(*world, def);
  REQUIRE(Run(*world, pool, 30));
  const float before = Dot(Get(*world, id).linear_velocity, down);
  REQUIRE(Run(*world, pool, 60));
  const BodySnapshot after = Get(*world, id);
  CHECK(Dot(after.position, normal) == Approx(0.5f).margin(0.01));
  return Dot(after.linear_velocity, down) - before;
}

TEST_CASE("a box slides down a plane as down a tilted box, and as friction lets it") {
  const float friction = GENERATE(0.0f, 0.4f, 0.9f);
  const float on_plane = SpeedGainedOn(PlaneBody({0.6f, 0.8f, 0}, 0, friction), friction);
  CHECK(on_plane == Approx(SpeedGainedOn(Floor(friction), friction)).epsilon(0.01).margin(0.01));
  const float by_coulomb = std::max(9.81f * (0.6f - 0.8f * friction), 0.0f);
  CHECK(on_plane == Approx(by_coulomb).epsilon(0.05).margin(0.01));
}

TEST_CASE("a plane is static, and one without a direction or with an end nowhere is refused") {
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  const auto world = MakeWorld();
  WaitTime wait;
  const auto subject = [&](BodyDef def) {
    const auto made = world->CreateBody(def, wait);
    return made ? std::string() : std::string(made.error().subject);
  };
  for (const BodyType type : {BodyType::kDynamic, BodyType::kKinematic}) {
    BodyDef moving = PlaneBody({0, 1, 0}, 0);
    moving.type = type;
    const auto made = world->CreateBody(moving, wait);
    REQUIRE_FALSE(made);
    CHECK(ToString(made.error()).find("type") != std::string::npos);
    CHECK(made.error().detail ==
          std::string("a plane is static: a floor that moves is a wide box"));
  }
  CHECK(subject(PlaneBody({}, 0)) == "plane normal");
  CHECK(subject(PlaneBody({0, kNaN, 0}, 0)) == "plane normal");
  CHECK(subject(PlaneBody({0, 1, 0}, kNaN)) == "plane distance");
  CHECK(subject(PlaneBody({0, 1, 0}, -std::numeric_limits<float>::infinity())) == "plane distance");
  CHECK(subject(PlaneBody({0, 1, 0}, 0)).empty());
}

TEST_CASE("a fast ball does not pass a plane, whatever its speed and the side that it starts on") {
  PoolHere pool(0);
  const auto world = MakeWorld();
  Add(*world, PlaneBody({0, 1, 0}, 0));
  std::vector<BodyId> balls;
  for (const float speed : {20.0f, 300.0f, 5000.0f}) {
    BodyDef def = SphereAt(0.05f, {0.5f * static_cast<float>(balls.size()), 8.0f, 0});
    def.linear_velocity = {0.3f * speed, -speed, 0};
    balls.push_back(Add(*world, def));
  }
  for (int step = 0; step < 90; ++step) {
    REQUIRE(Run(*world, pool, 1));
    for (const BodyId ball : balls) REQUIRE(Get(*world, ball).position.y > 0.0f);
  }
  // From behind it is inside of the solid, which pushes it out.
  BodyDef below = SphereAt(0.5f, {50, -0.3f, 0});
  const BodyId id = Add(*world, below);
  REQUIRE(Run(*world, pool, 240));
  CHECK(Get(*world, id).position.y == Approx(0.5f).margin(0.02));
}

TEST_CASE("queries find a plane as far as one asks, and nothing above it") {
  const auto world = MakeWorld();
  const BodyId floor = Add(*world, PlaneBody({0, 1, 0}, -2));
  for (int i = 0; i < 40; ++i) {
    BodyDef post = BoxAt({0.2f, 1, 0.2f}, {3.0f * static_cast<float>(i), 40, 0});
    post.type = BodyType::kStatic;
    Add(*world, post);
  }
  PoolHere pool(0);
  REQUIRE(Run(*world, pool, 2));  // the tree is rebuilt
  WaitTime wait;
  const auto ray = world->CastRay({{9000, 50, -9000}, {0, -104, 0}}, {}, wait);
  REQUIRE(ray);
  CHECK(ray->body == floor);
  CHECK(ray->fraction == Approx(0.5f));
  CHECK(ray->normal == Vec3{0, 1, 0});
  CHECK_FALSE(world->CastRay({{9000, 50, -9000}, {0, -51, 0}}, {}, wait));
  const auto far = world->CastRay({{0, 1e9f, 1e9f}, {0, -2e9f, 0}}, {}, wait);
  REQUIRE(far);
  CHECK(far->point.y == Approx(-2.0f));
  const WorldView view = world->Read();
  const PlacedShape ball{Shape::Sphere(1), {-70, 10, 4}, {}};
  const auto cast = view.CastShape(ball, {5, -22, 0}, {}, wait);
  REQUIRE(cast);
  REQUIRE(*cast);
  CHECK((*cast)->body == floor);
  CHECK((*cast)->fraction == Approx(0.5f));
  CHECK((*cast)->point.y == Approx(-2.0f));
  const auto closest = view.FindClosest(ball, 50.0f, {}, wait);
  REQUIRE(closest);
  REQUIRE(*closest);
  CHECK((*closest)->body == floor);
  CHECK((*closest)->distance == Approx(11.0f));
  CHECK_FALSE(*view.FindClosest(ball, 10.9f, {}, wait));
  std::vector<BodySnapshot> found;
  view.Collect(ToBounds({-500, -3, -500}, {-490, 0, -490}), {}, found, wait);
  REQUIRE(found.size() == 1);
  CHECK(found[0].id == floor);
  found.clear();
  view.Collect(ToBounds({-500, 0, -500}, {-490, 9, -490}), {}, found, wait);
  CHECK(found.empty());
  CHECK_FALSE(view.CastShape({Shape::Plane({0, 1, 0}, 0), {}, {}}, {0, 1, 0}, {}, wait));
}

TEST_CASE("a floor that is lowered wakes what stands on it, and one that goes lets it fall") {
  PoolHere pool(0);
  const auto world = MakeWorld();
  const BodyId floor = Add(*world, PlaneBody({0, 1, 0}, 0));
  const BodyId box = Add(*world, BoxAt({0.5f, 0.5f, 0.5f}, {100, 0.5f, -80}));
  REQUIRE(Run(*world, pool, 120));
  REQUIRE(Get(*world, box).asleep);
  WaitTime wait;
  REQUIRE(world->MoveBody(floor, {0, -1, 0}, {}, wait));
  REQUIRE(Run(*world, pool, 120));
  CHECK(Get(*world, box).position.y == Approx(-0.5f).margin(0.01));
  REQUIRE(world->DestroyBody(floor, wait));
  REQUIRE(Run(*world, pool, 60));
  CHECK(Get(*world, box).position.y < -3.0f);
}

TEST_CASE("a plane that is a sensor notices what goes below it, and holds nothing") {
  PoolHere pool(0);
  const auto world = MakeWorld();
  BodyDef line = PlaneBody({0, 1, 0}, 0);
  line.sensor = true;
  const BodyId goal = Add(*world, line);
  const BodyId ball = Add(*world, SphereAt(0.5f, {0, 2, 0}));
  bool begun = false;
  for (int step = 0; step < 90; ++step) {
    REQUIRE(Run(*world, pool, 1));
    for (const ContactEvent& event : world->contact_events()) {
      begun |= event.kind == ContactEvent::Kind::kBegan && event.a == goal && event.b == ball;
    }
  }
  CHECK(begun);
  CHECK(Get(*world, ball).position.y < -1.0f);
}

TEST_CASE("a saved pit goes on as before, and a saved plane without a direction is refused") {
  PoolHere pool(0);
  Pit pit(9);
  REQUIRE(Run(*pit.world, pool, 60));
  const std::vector<Shape> shared = [&] {
    std::vector<Shape> all;
    for (const BodyId id : pit.bodies) {
      const Shape shape = Get(*pit.world, id).shape;
      if (HasSharedData(shape)) all.push_back(shape);
    }
    return all;
  }();
  const Bytes saved = *pit.world->Save(shared);
  REQUIRE(Run(*pit.world, pool, 60));
  const std::uint64_t hash = pit.world->StateHash();
  REQUIRE(pit.world->Restore(saved, shared));
  REQUIRE(Run(*pit.world, pool, 60));
  CHECK(pit.world->StateHash() == hash);

  // The floor's normal, with its distance and half height before it.
  const std::array<float, 5> floor = {0, 0, 0, 1, 0};
  Bytes broken = saved;
  std::array<std::byte, sizeof floor> as_bytes;
  std::memcpy(as_bytes.data(), floor.data(), sizeof floor);
  const auto at = std::ranges::search(broken, as_bytes).begin();
  REQUIRE(at != broken.end());
  const float shorter = 0.5f;
  std::memcpy(&at[12], &shorter, sizeof shorter);
  const auto checksum = static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(broken.data()) + 16, broken.size() - 16));
  std::memcpy(broken.data() + offsetof(BlobHeader, checksum), &checksum, sizeof checksum);
  const Result<void> restored = pit.world->Restore(broken, shared);
  REQUIRE_FALSE(restored);
  CHECK(ToString(restored.error()).find("plane normal") != std::string::npos);
  CHECK(pit.world->StateHash() == hash);
}

}  // namespace
}  // namespace nowait
