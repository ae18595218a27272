// Materials of contacts: surfaces that move, and the hook that refuses and changes contacts.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string_view>
#include <vector>

#include "src/world/world.h"
#include "tests/world/scene.h"

namespace nowait {
namespace {

TEST_CASE("a conveyor carries a box with its own velocity, in the direction that it is turned to") {
  for (const float angle : {0.0f, 1.0f}) {
    CAPTURE(angle);
    const auto world = MakeWorld();
    PoolHere pool(0);
    BodyDef belt = Floor(1.0f);
    belt.rotation = FromAxisAngle({0, 1, 0}, angle);
    belt.surface_velocity = {2, 0, 0};
    Add(*world, belt);
    const BodyId box = Add(*world, BoxAt({0.3f, 0.2f, 0.3f}, {0, 0.21f, 0}));
    REQUIRE(Run(*world, pool, 120));
    const BodySnapshot carried = Get(*world, box);
    CHECK(Length(carried.linear_velocity - Rotate(belt.rotation, {2, 0, 0})) < 0.02f);
    CHECK(Length(carried.angular_velocity) < 0.02f);
    CHECK_FALSE(carried.asleep);
  }
}

TEST_CASE(
    "a body whose own surface goes round drives the other way, and two equal ones lie still") {
  const auto world = MakeWorld();
  PoolHere pool(0);
  Add(*world, Floor(1.0f));
  BodyDef tracked = BoxAt({0.5f, 0.2f, 0.3f}, {0, 0.21f, 0});
  tracked.surface_velocity = {0, 0, 1.5f};
  tracked.friction = 1.0f;
  const BodyId drives = Add(*world, tracked);
  BodyDef belt = BoxAt({2, 0.1f, 2}, {10, 0.1f, 0});
  belt.type = BodyType::kStatic;
  belt.surface_velocity = {0, 0, 1.5f};
  Add(*world, belt);
  tracked.position = {10, 0.41f, 0};
  const BodyId on_belt = Add(*world, tracked);
  REQUIRE(Run(*world, pool, 60));
  const BodySnapshot driven = Get(*world, drives);
  CHECK(Length(driven.linear_velocity - Rotate(driven.rotation, {0, 0, -1.5f})) < 0.02f);
  CHECK(Rotate(driven.rotation, {0, 0, 1}).z > 0.99f);
  CHECK(Length(Get(*world, on_belt).linear_velocity) < 0.01f);
}

TEST_CASE("a surface velocity that is no number or too large is refused by name") {
  const auto world = MakeWorld();
  WaitTime wait;
  for (const float value :
       {std::numeric_limits<float>::quiet_NaN(), 2e4f, -std::numeric_limits<float>::infinity()}) {
    BodyDef def = SphereAt(0.5f, {});
    def.surface_velocity.y = value;
    const auto made = world->CreateBody(def, wait);
    REQUIRE(!made);
    CHECK(std::string_view(made.error().subject) == "surface_velocity");
  }
}

TEST_CASE("a material is possible if each of its numbers is within its range") {
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  CHECK(IsPossible({}));
  CHECK(IsPossible({100, 1, 2, {1e4f, -1e4f, 0}}));
  for (const float value : {kNaN, -1.0f, 1e30f}) {
    CHECK_FALSE(IsPossible({value, 0, 0, {}}));
    CHECK_FALSE(IsPossible({0, value, 0, {}}));
    CHECK_FALSE(IsPossible({0, 0, value, {}}));
  }
  CHECK_FALSE(IsPossible({0, 0, 0, {0, kNaN, 0}}));
  CHECK_FALSE(IsPossible({0, 0, 0, {0, 0, -1e30f}}));
}

TEST_CASE("the contacts of a box at rest hold its weight") {
  const auto world = MakeWorld();
  PoolHere pool(0);
  const BodyId floor = Add(*world, Floor());
  BodyDef def = BoxAt({0.5f, 0.5f, 0.5f}, {0, 0.5f, 0});
  def.may_sleep = false;
  const BodyId box = Add(*world, def);
  REQUIRE(Run(*world, pool, 120));
  std::vector<ContactSnapshot> contacts;
  world->SnapshotContacts(contacts);
  REQUIRE(contacts.size() == 1);
  CHECK(contacts[0].a == floor);
  CHECK(contacts[0].b == box);
  CHECK_FALSE(contacts[0].sensor);
  REQUIRE(contacts[0].manifold.count() == 4);
  float impulse = 0.0f;
  for (const float of_point : contacts[0].impulses) impulse += of_point;
  const float substep = 1.0f / 60.0f / static_cast<float>(world->def().solver.substeps);
  CHECK(impulse == Approx(1000.0f * 9.81f * substep).epsilon(0.01));
}

TEST_CASE("a contact that the hook refuses does not happen, and one that goes on ends") {
  bool refuses = false;  // changed between updates alone
  WorldDef def;
  def.contact_hook = [&](const ContactPair& pair, ContactMaterial&) {
    return !(refuses && (pair.a.user == 7 || pair.b.user == 7));
  };
  const auto world = MakeWorld(def);
  PoolHere pool(0);
  Add(*world, Floor());
  BodyDef ghost = BoxAt({0.5f, 0.5f, 0.5f}, {0, 0.5f, 0});
  ghost.user = 7;
  ghost.may_sleep = false;
  const BodyId falls = Add(*world, ghost);
  const BodyId stays = Add(*world, BoxAt({0.5f, 0.5f, 0.5f}, {3, 0.5f, 0}));
  REQUIRE(Run(*world, pool, 30));
  CHECK(Get(*world, falls).position.y > 0.45f);
  refuses = true;
  REQUIRE(Run(*world, pool, 1));
  REQUIRE(world->contact_events().size() == 1);
  CHECK(world->contact_events()[0].kind == ContactEvent::Kind::kEnded);
  REQUIRE(Run(*world, pool, 60));
  CHECK(Get(*world, falls).position.y < -3.0f);
  CHECK(Get(*world, stays).position.y > 0.45f);
}

// Two pairs of boxes that overlap, one pair on the other. Each pair is a group; `user` numbers it.
struct TwoGroups {
  explicit TwoGroups(const WorldDef& def) : world(MakeWorld(def)) {
    Add(*world, Floor());
    for (std::uint64_t group = 1; group <= 2; ++group) {
      BodyDef limb = BoxAt({0.5f, 0.5f, 0.5f}, {0, static_cast<float>(group) - 0.5f, 0});
      limb.user = group;
      limbs.push_back(Add(*world, limb));
      limb.position.x = 0.4f;
      limbs.push_back(Add(*world, limb));
    }
  }
  std::unique_ptr<World> world;
  std::vector<BodyId> limbs;
};

TEST_CASE(
    "with a hook, bodies of one group do not touch each other, and do touch those of others") {
  PoolHere pool(0);
  WorldDef def;
  const auto apart = [](const TwoGroups& groups) {
    const float x = Get(*groups.world, groups.limbs[0]).position.x;
    return std::abs(Get(*groups.world, groups.limbs[1]).position.x - x);
  };
  TwoGroups without(def);
  REQUIRE(Run(*without.world, pool, 60));
  CHECK(apart(without) > 0.9f);
  def.contact_hook = [](const ContactPair& pair, ContactMaterial&) {
    return pair.a.user == 0 || pair.a.user != pair.b.user;
  };
  TwoGroups with(def);
  REQUIRE(Run(*with.world, pool, 60));
  CHECK(apart(with) == Approx(0.4f).margin(0.01));
  for (std::size_t i = 0; i < with.limbs.size(); ++i) {
    CAPTURE(i);
    CHECK(Get(*with.world, with.limbs[i]).position.y == Approx(i < 2 ? 0.5f : 1.5f).margin(0.03));
  }
}

TEST_CASE("the hook changes friction, restitution and the surface velocity of single contacts") {
  WorldDef def;
  def.contact_hook = [](const ContactPair& pair, ContactMaterial& material) {
    const std::uint64_t what = pair.a.user + pair.b.user;  // the floor's is zero
    CHECK(pair.a.id < pair.b.id);
    CHECK(pair.points[0].normal.y > 0.9f);  // from the floor, which is a
    if (what == 1) material.friction = 0.0f;
    if (what == 2) material.restitution = 1.0f;
    if (what == 3) material.surface_velocity = {0, 0, 1};
    return true;
  };
  const auto world = MakeWorld(def);
  PoolHere pool(0);
  Add(*world, Floor(1.0f));
  std::vector<BodyId> boxes;
  for (std::uint64_t user = 0; user < 4; ++user) {
    BodyDef box = BoxAt({0.5f, 0.5f, 0.5f}, {3.0f * static_cast<float>(user), 0.5f, 0});
    if (user == 2) box.shape = Shape::Sphere(0.5f);
    if (user == 2) box.position.y = 2.5f;
    if (user < 2) box.linear_velocity = {0, 0, 2};
    box.user = user;
    box.may_sleep = false;
    boxes.push_back(Add(*world, box));
  }
  float highest = 0.0f;
  for (int step = 0; step < 90; ++step) {
    REQUIRE(Run(*world, pool, 1));
    if (step > 45) highest = std::max(highest, Get(*world, boxes[2]).position.y);
  }
  CHECK(Length(Get(*world, boxes[0]).linear_velocity) < 0.01f);
  CHECK(Get(*world, boxes[1]).linear_velocity.z == Approx(2.0f).epsilon(0.01));
  CHECK(highest == Approx(2.5f).margin(0.15));
  // The surface of b goes by +z against that of a: b is driven the other way.
  CHECK(Get(*world, boxes[3]).linear_velocity.z == Approx(-1.0f).epsilon(0.02));
}

// A platform that bodies pass from below, and land on from above: it refuses what moves up through
// it, and what is still more than a little inside.
bool OneWay(const ContactPair& pair, ContactMaterial&) {
  constexpr std::uint64_t kPlatform = 1;
  constexpr float kInside = -0.1f;
  if (pair.a.user != kPlatform && pair.b.user != kPlatform) return true;
  const bool is_a = pair.a.user == kPlatform;
  const Vec3 velocity = is_a ? pair.b.linear_velocity : pair.a.linear_velocity;
  for (const ContactPoint& point : pair.points) {
    const Vec3 up = is_a ? point.normal : -point.normal;
    if (up.y < 0.5f || velocity.y > 0.5f || point.separation < kInside) return false;
  }
  return true;
}

TEST_CASE("a one-way platform lets bodies pass from below, slow and fast, and holds them above") {
  for (const float speed : {9.0f, 40.0f}) {
    CAPTURE(speed);
    WorldDef def;
    def.contact_hook = &OneWay;
    if (speed > 20.0f) def.gravity = {0, -150, 0};
    const auto world = MakeWorld(def);
    PoolHere pool(0);
    Add(*world, Floor());
    BodyDef platform = BoxAt({3, 0.05f, 3}, {0, 2, 0});
    platform.type = BodyType::kStatic;
    platform.user = 1;
    Add(*world, platform);
    BodyDef ball = SphereAt(0.25f, {0, 0.3f, 0});
    ball.linear_velocity = {0, speed, 0};
    const BodyId jumps = Add(*world, ball);
    float highest = 0.0f;
    for (int step = 0; step < 240; ++step) {
      REQUIRE(Run(*world, pool, 1));
      highest = std::max(highest, Get(*world, jumps).position.y);
    }
    CHECK(highest > 3.0f);
    CHECK(Get(*world, jumps).position.y == Approx(2.3f).margin(0.03));
  }
}

TEST_CASE("a world with a hook has the same state for any number of threads") {
  const auto run = [](std::uint32_t workers, bool with_hook) {
    WorldDef def;
    if (with_hook) {
      def.contact_hook = [](const ContactPair& pair, ContactMaterial& material) {
        const std::uint32_t sum = pair.a.id.slot() + pair.b.id.slot();
        if (sum % 11 == 0) return false;
        if (sum % 3 == 0) material.friction *= 0.25f;
        if (sum % 5 == 0) material.restitution = 0.5f;
        if (sum % 7 == 0) material.surface_velocity = {1, 0, 0.5f};
        return true;
      };
    }
    HillScene scene = MakeHillScene(150, 31, def, Falling::kAllKinds);
    PoolHere pool(workers);
    REQUIRE(Run(*scene.world, pool, 150));
    return scene.world->StateHash();
  };
  const std::uint64_t alone = run(0, true);
  CHECK(run(1, true) == alone);
  CHECK(run(3, true) == alone);
  CHECK(run(0, false) != alone);
}

TEST_CASE(
    "a refused body is passed in its sleep, and the hook sees how fast a target is approached") {
  WorldDef def;
  def.gravity = {};
  float seen = 0.0f;
  def.contact_hook = [&](const ContactPair& pair, ContactMaterial&) {
    seen = pair.b.linear_velocity.x;
    return false;
  };
  const auto world = MakeWorld(def);
  PoolHere pool(0);
  WaitTime wait;
  BodyDef resting = BoxAt({0.5f, 0.5f, 0.5f}, {});
  resting.asleep = true;
  const BodyId box = Add(*world, resting);
  BodyDef passing = BoxAt({0.5f, 0.5f, 0.5f}, {-3, 0, 0});
  passing.type = BodyType::kKinematic;
  const BodyId bar = Add(*world, passing);
  REQUIRE(world->SetTarget(bar, {3, 0, 0}, {}, wait));
  REQUIRE(Run(*world, pool, 1));
  CHECK(seen == Approx(360.0f));
  CHECK(Get(*world, box).asleep);
  CHECK(Get(*world, bar).position == Vec3{3, 0, 0});
}

}  // namespace
}  // namespace nowait
