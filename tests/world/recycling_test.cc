// Contacts that are recycled (src/dynamics/contact_recycling.h), seen from a world: they save the
// narrow phase, and a game sees no difference between them and contacts that were found.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "src/collision/triangle_mesh.h"
#include "src/dynamics/contact_recycling.h"
#include "tests/world/scene.h"

namespace nowait {
namespace {

TEST_CASE(
    "the contacts of a tower at rest are recycled, all of them, and those of a sensor never") {
  WorldDef def = SmallWorld();
  def.rest.time = 1e4f;  // it stays awake
  const auto world = MakeWorld(def);
  PoolHere pool(0);
  Add(*world, Floor());
  for (int i = 0; i < 6; ++i) {
    Add(*world, BoxAt({0.5f, 0.5f, 0.5f}, {0, 0.5f + static_cast<float>(i), 0}));
  }
  BodyDef sensor = BoxAt({2, 0.5f, 2}, {0, 0.5f, 0});
  sensor.type = BodyType::kStatic;
  sensor.sensor = true;
  Add(*world, sensor);
  REQUIRE(Run(*world, pool, 1));
  CHECK(world->stats().recycled_contacts == 0);
  REQUIRE(Run(*world, pool, 120));
  CHECK(world->stats().awake == 6);
  CHECK(world->stats().contacts == 8);  // two with the sensor
  CHECK(world->stats().recycled_contacts == 6);
}

TEST_CASE("a box that falls or slides is not held by old points") {
  const auto world = MakeWorld();
  PoolHere pool(0);
  Add(*world, Floor(0.0f));
  BodyDef def = BoxAt({0.5f, 0.5f, 0.5f}, {0, 0.5f, 0});
  def.friction = 0.0f;
  def.linear_velocity = {2, 0, 0};
  const BodyId box = Add(*world, def);
  for (int i = 0; i < 60; ++i) {
    REQUIRE(Run(*world, pool, 1));
    CHECK(world->stats().recycled_contacts == 0);
  }
  CHECK(Get(*world, box).position.x > 1.9f);
  CHECK(std::abs(Get(*world, box).position.y - 0.5f) < 0.002f);
}

// A platform that rises at three metres a second, and a box on it.
struct Ride {
  explicit Ride(WorldDef def = SmallWorld()) : world(MakeWorld(def)) {
    BodyDef platform = BoxAt({3, 0.5f, 3}, {0, 0, 0});
    platform.type = BodyType::kKinematic;
    platform.linear_velocity = {1, 3, 0.5f};
    platform.angular_velocity = {0, 0.4f, 0};
    lift = Add(*world, platform);
    box = Add(*world, BoxAt({0.5f, 0.5f, 0.5f}, {0.4f, 1.001f, 0.3f}));
  }

  std::unique_ptr<World> world;
  BodyId lift, box;
};

TEST_CASE("on a platform that goes and turns the points go with it") {
  Ride ride;
  PoolHere pool(0);
  std::uint32_t recycled = 0;
  for (int i = 0; i < 240; ++i) {
    REQUIRE(Run(*ride.world, pool, 1));
    recycled += ride.world->stats().recycled_contacts;
    std::vector<ContactSnapshot> contacts;
    ride.world->SnapshotContacts(contacts);
    REQUIRE(contacts.size() == 1);
    const BodySnapshot box = Get(*ride.world, ride.box);
    for (const ContactPoint& point : contacts[0].manifold.points()) {
      const Vec3 in_box = Rotate(Conjugate(box.rotation), point.position - box.position);
      CHECK(std::abs(in_box.y + 0.5f) < 0.01f);
      CHECK(std::abs(std::abs(in_box.x) - 0.5f) < 0.01f);
      CHECK(std::abs(std::abs(in_box.z) - 0.5f) < 0.01f);
    }
  }
  CHECK(recycled > 120);
  CHECK(Get(*ride.world, ride.box).position.y > 12.0f);
}

TEST_CASE("a hook is asked about recycled contacts, with their points as they are in the step") {
  WorldDef def = SmallWorld();
  float furthest = 0.0f;
  bool refuses = false;
  int asked = 0;
  def.contact_hook = [&](const ContactPair& pair, ContactMaterial&) {
    ++asked;
    const float top = pair.a.position.y + 0.5f;
    for (const ContactPoint& point : pair.points) {
      furthest = std::max(furthest, std::abs(point.position.y - top));
    }
    return !refuses;
  };
  Ride ride(def);
  PoolHere pool(0);
  REQUIRE(Run(*ride.world, pool, 120));
  CHECK(ride.world->stats().recycled_contacts == 1);
  CHECK(asked >= 119);
  CHECK(furthest < 0.01f);
  // A refusal ends the contact, and the next step makes a new one.
  refuses = true;
  REQUIRE(Run(*ride.world, pool, 1));
  CHECK(ride.world->contact_events().size() == 1);
  CHECK(ride.world->contact_events()[0].kind == ContactEvent::Kind::kEnded);
  refuses = false;
  REQUIRE(Run(*ride.world, pool, 1));
  CHECK(ride.world->stats().recycled_contacts == 0);
  REQUIRE(ride.world->contact_events().size() == 1);
  CHECK(ride.world->contact_events()[0].kind == ContactEvent::Kind::kBegan);
}

// A slope of one in ten whose triangles have a fifth of the body's friction; the box on it takes
// the lesser friction of the two.
struct Slope {
  Slope() {
    constexpr std::array<Vec3, 4> kCorners = {Vec3{-20, -2, -20}, Vec3{20, 2, -20}, Vec3{20, 2, 20},
                                              Vec3{-20, -2, 20}};
    constexpr std::array<std::uint32_t, 6> kTriangles = {0, 2, 1, 0, 3, 2};
    constexpr std::array kTable = {SurfaceMaterial{.friction = 0.2f}};
    constexpr std::array<std::uint8_t, 2> kOf = {0, 0};
    mesh = *TriangleMesh::Create(
        {.vertices = kCorners, .indices = kTriangles, .materials = {kTable, kOf}});
    world = MakeWorld();
    BodyDef ground;
    ground.type = BodyType::kStatic;
    ground.shape = Shape::Mesh(mesh.get());
    ground.friction = 1.0f;
    ground.friction_rule = CombineRule::kMinimum;
    Add(*world, ground);
    BodyDef def = BoxAt({0.5f, 0.5f, 0.5f}, {0, 0.503f, 0});
    def.rotation = FromAxisAngle({0, 0, 1}, std::atan(0.1f));
    def.friction = 1.0f;
    def.may_sleep = false;
    box = Add(*world, def);
  }

  std::unique_ptr<const TriangleMesh> mesh;
  std::unique_ptr<World> world;
  BodyId box;
};

// The factor of the slope's material depends on the friction of both bodies: 0.2 of 1 before, and
// all of 0.2 after. With the old factor the box would slide on 0.04.
TEST_CASE("a body whose friction is changed has its contacts looked at anew") {
  Slope slope;
  PoolHere pool(0);
  REQUIRE(Run(*slope.world, pool, 60));
  CHECK(slope.world->stats().recycled_contacts == 1);
  BodyChange change;
  change.friction = 0.2f;
  WaitTime wait;
  REQUIRE(slope.world->SetProperties(slope.box, change, wait));
  const Vec3 before = Get(*slope.world, slope.box).position;
  REQUIRE(Run(*slope.world, pool, 1));
  CHECK(slope.world->stats().recycled_contacts == 0);
  REQUIRE(Run(*slope.world, pool, 120));
  CHECK(Length(Get(*slope.world, slope.box).position - before) < 0.02f);
}

// The least separation of the world's one contact; 1 without a contact.
float SeparationIn(const World& world) {
  std::vector<ContactSnapshot> contacts;
  world.SnapshotContacts(contacts);
  if (contacts.empty()) return 1.0f;
  REQUIRE(contacts.size() == 1);
  return LeastSeparation(contacts[0].manifold.points());
}

// A box at rest that stays awake, with a contact that was recycled, and two layers of the game.
struct AtRest {
  AtRest() {
    WorldDef def = SmallWorld();
    def.user_layers = {{.name = "solid", .touches = {Layer::kStatic}},
                       {.name = "ghost", .touches = {}}};
    world = MakeWorld(def);
    Add(*world, Floor());
    BodyDef body = BoxAt({0.5f, 0.5f, 0.5f}, {0, 0.5f, 0});
    body.may_sleep = false;
    box = Add(*world, body);
    REQUIRE(Run(*world, pool, 60));
    REQUIRE(world->stats().recycled_contacts == 1);
  }

  // The separation that the next step finds; that step keeps no point.
  float After(const BodyChange& change) {
    WaitTime wait;
    REQUIRE(world->SetProperties(box, change, wait));
    REQUIRE(Run(*world, pool, 1));
    CHECK(world->stats().recycled_contacts == 0);
    return SeparationIn(*world);
  }

  PoolHere pool{0};
  std::unique_ptr<World> world;
  BodyId box;
};

TEST_CASE("a body whose shape is changed has its contacts looked at anew") {
  AtRest at;
  BodyChange change;
  change.shape = Shape::Box({0.5f, 0.51f, 0.5f});
  CHECK(at.After(change) == Approx(-0.01f).margin(0.003f));
  REQUIRE(Run(*at.world, at.pool, 60));
  CHECK(at.world->stats().recycled_contacts == 1);
  change.shape = Shape::Box({0.5f, 0.4f, 0.5f});
  CHECK(at.After(change) == 1.0f);
  REQUIRE(at.world->contact_events().size() == 1);
  CHECK(at.world->contact_events()[0].kind == ContactEvent::Kind::kEnded);
}

TEST_CASE("a body whose frame is changed has its contacts looked at anew, where they were") {
  AtRest at;
  BodyChange change;
  // The lower half of the box, in a frame whose origin is its middle.
  change.shape = Shape::Box({0.5f, 0.25f, 0.5f});
  change.frame = ShapeFrame{{0, -0.25f, 0}, {}};
  const float before = SeparationIn(*at.world);
  CHECK(at.After(change) == Approx(before).margin(0.001f));
  CHECK(at.world->contact_events().empty());
  CHECK(Get(*at.world, at.box).position.y == Approx(0.25f).margin(0.01f));
  REQUIRE(Run(*at.world, at.pool, 60));
  CHECK(at.world->stats().recycled_contacts == 1);
  CHECK(Get(*at.world, at.box).position.y == Approx(0.25f).margin(0.01f));
}

TEST_CASE("a body whose layer is changed keeps its contact, or ends it where the layers pass") {
  AtRest at;
  BodyChange change;
  change.layer = UserLayer(0);
  CHECK(at.After(change) < 0.01f);
  CHECK(at.world->contact_events().empty());
  REQUIRE(Run(*at.world, at.pool, 2));
  CHECK(at.world->stats().recycled_contacts == 1);
  change.layer = UserLayer(1);
  CHECK(at.After(change) == 1.0f);
  REQUIRE(at.world->contact_events().size() == 1);
  CHECK(at.world->contact_events()[0].kind == ContactEvent::Kind::kEnded);
}

TEST_CASE("a restored world recycles what the saved one recycles, with the same materials") {
  Slope one, other;
  PoolHere pool(0);
  REQUIRE(Run(*one.world, pool, 60));
  // A second box comes down on the first one, and drags it along: then the friction of the old
  // points matters, while they are still recycled.
  BodyDef def = BoxAt({0.5f, 0.5f, 0.5f}, {-0.3f, 1.7f, 0});
  def.friction = 1.0f;
  def.linear_velocity = {3, 0, 0};
  Add(*one.world, def);
  REQUIRE(Run(*one.world, pool, 1));
  CHECK(one.world->stats().recycled_contacts == 1);
  const std::array shared = {Shape::Mesh(one.mesh.get())};
  const auto saved = one.world->Save(shared);
  REQUIRE(saved);
  const std::array others = {Shape::Mesh(other.mesh.get())};
  REQUIRE(other.world->Restore(*saved, others));
  for (int i = 0; i < 120; ++i) {
    REQUIRE(Run(*one.world, pool, 1));
    REQUIRE(Run(*other.world, pool, 1));
    CHECK(other.world->stats().recycled_contacts == one.world->stats().recycled_contacts);
    REQUIRE(other.world->StateHash() == one.world->StateHash());
  }
}

TEST_CASE("a body that the game puts back where it was is looked at anew") {
  const auto world = MakeWorld();
  PoolHere pool(0);
  Add(*world, Floor());
  BodyDef def = BoxAt({0.5f, 0.5f, 0.5f}, {0, 0.5f, 0});
  def.may_sleep = false;
  const BodyId box = Add(*world, def);
  REQUIRE(Run(*world, pool, 60));
  REQUIRE(world->stats().recycled_contacts == 1);
  WaitTime wait;
  const BodySnapshot now = Get(*world, box);
  REQUIRE(world->MoveBody(box, now.position, now.rotation, wait));
  REQUIRE(Run(*world, pool, 1));
  CHECK(world->stats().recycled_contacts == 0);
  REQUIRE(Run(*world, pool, 1));
  CHECK(world->stats().recycled_contacts == 1);
}

// A kept point of a round body lies behind the place where it touches, and pushes it on.
std::unique_ptr<const TriangleMesh> SlopeOf(float rise) {
  const std::array<Vec3, 4> corners = {Vec3{-40, -40 * rise, -40}, Vec3{40, 40 * rise, -40},
                                       Vec3{40, 40 * rise, 40}, Vec3{-40, -40 * rise, 40}};
  constexpr std::array<std::uint32_t, 6> kTriangles = {0, 2, 1, 0, 3, 2};
  return std::move(*TriangleMesh::Create({.vertices = corners, .indices = kTriangles}));
}

// A body that rolls along x, after two minutes of frames with as many steps each.
BodySnapshot AfterRolling(const BodyDef& floor, const Shape& shape, Quat rotation, float speed,
                          std::uint32_t steps) {
  const auto world = MakeWorld();
  PoolHere pool(0);
  Add(*world, floor);
  BodyDef def;
  def.shape = shape;
  def.position = {0, shape.radius, 0};
  def.rotation = rotation;
  def.linear_velocity = {speed, 0, 0};
  def.angular_velocity = {0, 0, -speed / shape.radius};
  const BodyId id = Add(*world, def);
  for (int i = 0; i < 7200; ++i) REQUIRE(world->Update(1.0f / 60.0f, pool, steps));
  return Get(*world, id);
}

TEST_CASE("round bodies roll out, on triangles as on a box, and no ball rolls uphill") {
  const Quat lying = FromAxisAngle({1, 0, 0}, 1.5707963f);
  const auto flat = SlopeOf(0.0f), slope = SlopeOf(0.004f);
  BodyDef ground;
  ground.type = BodyType::kStatic;
  ground.shape = Shape::Mesh(flat.get());
  CHECK(AfterRolling(ground, Shape::Sphere(0.5f), {}, 0.1f, 1).asleep);
  CHECK(AfterRolling(ground, Shape::Capsule(0.3f, 0.2f), lying, 0.1f, 4).asleep);
  CHECK(AfterRolling(Floor(), Shape::Cylinder(0.1f, 0.5f), lying, 0.1f, 2).asleep);
  ground.shape = Shape::Mesh(slope.get());
  CHECK(AfterRolling(ground, Shape::Sphere(0.03f), {}, 0.02f, 1).position.x < 0.05f);
}

}  // namespace
}  // namespace nowait
