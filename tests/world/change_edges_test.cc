// Changes of shape, frame and type at their edges: places and velocities out of range, forces and
// belts in another frame; and that the world can be saved. Those of mass: mass_change_test.cc.
#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>
#include <string>
#include <vector>

#include "src/world/world.h"
#include "tests/world/scene.h"

namespace nowait {
namespace {

constexpr Quat kQuarterAboutY{0, 0.70710678f, 0, 0.70710678f};

WorldDef Weightless() {
  WorldDef def = SmallWorld();
  def.gravity = {};
  return def;
}

BodyChange Reframed(const Shape& shape, Vec3 centre, Quat rotation = {}) {
  BodyChange change;
  change.shape = shape;
  change.frame = ShapeFrame{centre, rotation};
  return change;
}

// Whether the world's save is one that a world takes.
bool IsRestorable(const World& world) {
  const auto saved = world.Save();
  REQUIRE(saved);
  return MakeWorld(world.def())->Restore(*saved).has_value();
}

TEST_CASE("a frame that makes a body too fast, or puts it too far out, is refused by name") {
  auto world = MakeWorld(Weightless());
  WaitTime wait;
  const Shape cube = Shape::Box({1, 1, 1});
  const auto refused = [&](BodyId id, const BodyChange& change) {
    const std::uint64_t before = world->StateHash();
    const Result<void> done = world->SetProperties(id, change, wait);
    REQUIRE_FALSE(done);
    CHECK(done.error().code == ErrorCode::kInvalidArgument);
    CHECK(world->StateHash() == before);
    CHECK(IsRestorable(*world));
    return std::string(done.error().subject);
  };
  for (const BodyType type : {BodyType::kDynamic, BodyType::kKinematic}) {
    BodyDef spins = BoxAt({1, 1, 1}, {0, 0, 0});
    spins.type = type;
    spins.angular_velocity = {0, 0, 90};
    CHECK(refused(Add(*world, spins), Reframed(cube, {1000, 0, 0})) == "velocity");
  }
  BodyDef goes = BoxAt({1, 1, 1}, {999'990, 0, 0});
  goes.type = BodyType::kKinematic;
  const BodyId target = Add(*world, goes);
  REQUIRE(world->SetTarget(target, {1e6f, 0, 0}, {}, wait));
  CHECK(refused(target, Reframed(cube, {5, 0, 0})) == "position");
  BodyDef stands = BoxAt({1, 1, 1}, {1e6f, 0, 0});
  stands.type = BodyType::kStatic;
  const BodyId wall = Add(*world, stands);
  CHECK(refused(wall, Reframed(cube, {10'000, 0, 0})) == "position");
  CHECK(world->SetProperties(wall, Reframed(cube, {-10'000, 0, 0}), wait));
  BodyDef belt = BoxAt({1, 1, 1}, {0, 0, 0});
  belt.surface_velocity = {1e4f, 0, 1e4f};
  const Quat eighth{0, 0.38268343f, 0, 0.92387953f};
  CHECK(refused(Add(*world, belt), Reframed(cube, {}, eighth)) == "surface_velocity");
}

TEST_CASE("a force acts at its point of the world, whichever frame the body gets meanwhile") {
  Vec3 linear[2], angular[2];
  for (const bool force_first : {false, true}) {
    auto world = MakeWorld(Weightless());
    PoolHere pool(0);
    WaitTime wait;
    const BodyId id = Add(*world, BoxAt({1, 1, 1}, {0, 0, 0}));
    const auto push = [&] {
      REQUIRE(world->ApplyForce(id, {0, 8000, 100}, {2, 1, 0}, {10, 20, 30}, wait));
    };
    if (force_first) push();
    const auto frame = Reframed(Shape::Box({1, 1, 1}), {1.5f, 0.5f, -1}, kQuarterAboutY);
    REQUIRE(world->SetProperties(id, frame, wait));
    if (!force_first) push();
    REQUIRE(Run(*world, pool, 1));
    linear[force_first] = Get(*world, id).linear_velocity;
    angular[force_first] = Get(*world, id).angular_velocity;
  }
  CHECK(Length(angular[0]) > 0.01f);
  CHECK(Length(linear[0] - linear[1]) < 1e-5f);
  CHECK(Length(angular[0] - angular[1]) < 1e-5f);
}

TEST_CASE("a belt goes on in its direction of the world when its body's frame turns") {
  Vec3 way[2];
  for (const bool turned : {false, true}) {
    auto world = MakeWorld();
    PoolHere pool(0);
    WaitTime wait;
    BodyDef def = Floor();
    def.surface_velocity = {1, 0, 0};
    const BodyId belt = Add(*world, def);
    const BodyId box = Add(*world, BoxAt({0.5f, 0.5f, 0.5f}, {0, 0.5f, 0}));
    REQUIRE(Run(*world, pool, 30));
    if (turned) {
      const auto frame = Reframed(Shape::Box({50, 1, 50}), {}, kQuarterAboutY);
      REQUIRE(world->SetProperties(belt, frame, wait));
    }
    const Vec3 from = Get(*world, box).position;
    REQUIRE(Run(*world, pool, 60));
    way[turned] = Get(*world, box).position - from;
  }
  CHECK(way[0].x > 0.9f);
  CHECK(Length(way[0] - way[1]) < 0.05f);
}

TEST_CASE("a gear whose wheel becomes kinematic is saved and restored, and goes on") {
  auto world = MakeWorld(Weightless());
  PoolHere pool(0);
  WaitTime wait;
  BodyDef still = BoxAt({1, 1, 1}, {0, 0, 0});
  still.type = BodyType::kStatic;
  const BodyId ground = Add(*world, still);
  const BodyId first = Add(*world, BoxAt({1, 1, 1}, {5, 0, 0}));
  const BodyId second = Add(*world, BoxAt({1, 1, 1}, {9, 0, 0}));
  const auto hinge = [&](BodyId wheel, Vec3 at) {
    JointDef def;
    def.a = ground;
    def.b = wheel;
    def.frame_a.position = at;
    def.kind = HingeJoint{};
    return *world->CreateJoint(def, wait);
  };
  GearJoint kind;
  kind.first = hinge(first, {5, 0, 0});
  kind.second = hinge(second, {9, 0, 0});
  kind.ratio = 1;
  JointDef gear;
  gear.a = first;
  gear.b = second;
  gear.kind = kind;
  REQUIRE(world->CreateJoint(gear, wait));
  REQUIRE(Run(*world, pool, 2));
  for (const BodyId wheel : {first, second}) {
    BodyChange change;
    change.type = BodyType::kKinematic;
    REQUIRE(world->SetProperties(wheel, change, wait));
    auto again = MakeWorld(Weightless());
    REQUIRE(again->Restore(*world->Save()));
    for (int i = 0; i < 30; ++i) {
      REQUIRE(Run(*world, pool, 1));
      REQUIRE(Run(*again, pool, 1));
      REQUIRE(world->StateHash() == again->StateHash());
    }
    CHECK(world->joint_count() == 3);
    CHECK(IsRestorable(*world));
    const BodySnapshot now = Get(*world, second);
    CHECK((IsFinite(now.position) && IsFinite(now.angular_velocity)));
  }
}

TEST_CASE("contact points stay where they are while their body has another frame") {
  auto world = MakeWorld();
  PoolHere pool(0);
  WaitTime wait;
  Add(*world, Floor());
  const BodyId box = Add(*world, BoxAt({0.5f, 0.5f, 0.5f}, {0, 0.5f, 0}));
  REQUIRE(Run(*world, pool, 20));
  std::vector<ContactSnapshot> before, after;
  world->SnapshotContacts(before);
  const auto lower_half = Reframed(Shape::Box({0.5f, 0.25f, 0.5f}), {0, -0.25f, 0});
  REQUIRE(world->SetProperties(box, lower_half, wait));
  world->SnapshotContacts(after);
  REQUIRE(before.size() == 1);
  REQUIRE(after.size() == 1);
  REQUIRE(after[0].manifold.count() == before[0].manifold.count());
  for (std::uint32_t i = 0; i < after[0].manifold.count(); ++i) {
    const ContactPoint& was = before[0].manifold.points()[i];
    const ContactPoint& is = after[0].manifold.points()[i];
    CHECK(Length(is.position - was.position) < 0.01f);
    CHECK(is.separation == Approx(was.separation).margin(0.01));
  }
}

TEST_CASE("a shape's fields that are not of its kind have no effect") {
  const float junk = GENERATE(2.0f, 1e30f, -1.0f, std::numeric_limits<float>::quiet_NaN());
  Shape odd = Shape::Box({0.5f, 0.5f, 0.5f});
  odd.radius = odd.half_height = odd.distance = junk;
  odd.normal = {junk, junk, junk};
  std::uint64_t hash[2];
  for (const bool is_odd : {false, true}) {
    auto world = MakeWorld();
    PoolHere pool(0);
    WaitTime wait;
    Add(*world, Floor());
    BodyDef def = BoxAt({0.5f, 0.5f, 0.5f}, {0, 0.5f, 0});
    def.rolling_resistance = 0.5f;
    def.angular_velocity = {0.1f, 0.2f, 0.1f};
    if (is_odd) def.shape = odd;
    const BodyId id = Add(*world, def);
    REQUIRE(Run(*world, pool, 5));
    BodyChange change;
    change.shape = is_odd ? odd : def.shape;
    REQUIRE(world->SetProperties(id, change, wait));
    CHECK(Get(*world, id).shape == Shape::Box({0.5f, 0.5f, 0.5f}));
    REQUIRE(Run(*world, pool, 5));
    CHECK(IsRestorable(*world));
    hash[is_odd] = world->StateHash();
  }
  CHECK(hash[0] == hash[1]);
}

}  // namespace
}  // namespace nowait
