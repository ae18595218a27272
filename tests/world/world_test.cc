// Bodies, batches, queries, capacities and bad input.
#include "src/world/world.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "tests/world/scene.h"

namespace nowait {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

TEST_CASE("a world refuses definitions out of range and names the field") {
  const auto subject = [](auto change) {
    WorldDef def;
    change(def);
    return std::string(World::Create(def).error().subject);
  };
  CHECK(subject([](WorldDef& d) { d.max_bodies = 0; }) == "max_bodies");
  CHECK(subject([](WorldDef& d) { d.max_bodies = 1u << 30; }) == "max_bodies");
  CHECK(subject([](WorldDef& d) { d.max_contacts = 0; }) == "max_contacts");
  CHECK(subject([](WorldDef& d) { d.body_locks = 0; }) == "body_locks");
  CHECK(subject([](WorldDef& d) { d.body_locks = 1025; }) == "body_locks");
  CHECK(subject([](WorldDef& d) { d.gravity.y = kNaN; }) == "gravity");
  CHECK(subject([](WorldDef& d) { d.solver.substeps = 0; }) == "substeps");
  CHECK(subject([](WorldDef& d) { d.rest.time = -1.0f; }) == "rest time");
  CHECK(subject([](WorldDef& d) { d.now = nullptr; }) == "clock");
}

TEST_CASE("a world refuses bodies out of range and names the field") {
  auto world = MakeWorld();
  const auto subject = [&](auto change) {
    BodyDef def = BoxAt({1, 1, 1}, {});
    change(def);
    WaitTime wait;
    return std::string(world->CreateBody(def, wait).error().subject);
  };
  CHECK(subject([](BodyDef& d) { d.shape.half.y = 0.0f; }) == "half extents");
  CHECK(subject([](BodyDef& d) { d.shape.half.x = kNaN; }) == "half extents");
  CHECK(subject([](BodyDef& d) { d.shape = Shape::Sphere(-1.0f); }) == "radius");
  CHECK(subject([](BodyDef& d) { d.shape = Shape::Ground(nullptr); }) == "type");
  CHECK(subject([](BodyDef& d) {
          d.type = BodyType::kStatic;
          d.shape = Shape::Ground(nullptr);
        }) == "height field");
  CHECK(subject([](BodyDef& d) { d.position.x = kNaN; }) == "position");
  CHECK(subject([](BodyDef& d) { d.position.z = 1e9f; }) == "position");
  CHECK(subject([](BodyDef& d) { d.rotation = {0, 0, 0, 0}; }) == "rotation");
  CHECK(subject([](BodyDef& d) { d.rotation.w = kNaN; }) == "rotation");
  CHECK(subject([](BodyDef& d) { d.linear_velocity.y = kNaN; }) == "velocity");
  CHECK(subject([](BodyDef& d) { d.density = 0.0f; }) == "density");
  CHECK(subject([](BodyDef& d) { d.friction = -0.1f; }) == "friction");
  CHECK(subject([](BodyDef& d) { d.restitution = 1.5f; }) == "restitution");
  CHECK(subject([](BodyDef& d) { d.rolling_resistance = kNaN; }) == "rolling_resistance");
  CHECK(subject([](BodyDef& d) { d.angular_damping = -1.0f; }) == "angular_damping");
  CHECK(world->body_count() == 0);
}

TEST_CASE("places and velocities that are not finite are refused by name, and nothing happens") {
  auto world = MakeWorld();
  WaitTime wait;
  const BodyType type = GENERATE(BodyType::kStatic, BodyType::kDynamic);
  BodyDef def = BoxAt({1, 1, 1}, {2, 3, 4});
  def.type = type;
  const BodyId id = Add(*world, def);
  const std::uint64_t before = world->StateHash();
  const auto subject = [](const auto& result) {
    return result || result.error().code != ErrorCode::kInvalidArgument
               ? std::string("not refused")
               : std::string(result.error().subject);
  };
  for (const float bad : {kNaN, kInfinity, -kInfinity}) {
    for (int at = 0; at < 3; ++at) {
      Vec3 vector{1, 1, 1};
      (at == 0 ? vector.x : at == 1 ? vector.y : vector.z) = bad;
      CHECK(subject(world->MoveBody(id, vector, {}, wait)) == "position");
      CHECK(subject(world->SetVelocity(id, vector, {}, wait)) == "velocity");
      CHECK(subject(world->SetVelocity(id, {}, vector, wait)) == "velocity");
      BodyDef wrong = def;
      wrong.position = vector;
      CHECK(subject(world->CreateBody(wrong, wait)) == "position");
      CHECK(subject(world->PrepareBatch(std::vector{def, wrong})) == "position");
      wrong = def;
      wrong.linear_velocity = vector;
      CHECK(subject(world->CreateBody(wrong, wait)) == "velocity");
      wrong = def;
      wrong.shape.half = vector;
      CHECK(subject(world->CreateBody(wrong, wait)) == "half extents");
    }
    for (int at = 0; at < 4; ++at) {
      Quat rotation;
      (at == 0 ? rotation.x : at == 1 ? rotation.y : at == 2 ? rotation.z : rotation.w) = bad;
      CHECK(subject(world->MoveBody(id, {}, rotation, wait)) == "rotation");
      BodyDef wrong = def;
      wrong.rotation = rotation;
      CHECK(subject(world->CreateBody(wrong, wait)) == "rotation");
      CHECK(subject(world->PrepareBatch(std::vector{wrong, def})) == "rotation");
    }
    BodyDef wrong = def;
    wrong.shape = Shape::Sphere(bad);
    CHECK(subject(world->CreateBody(wrong, wait)) == "radius");
  }
  CHECK(world->StateHash() == before);
  CHECK(world->body_count() == 1);
  std::vector<BodyId> found;
  world->Read().FindInBox(ToBounds({1, 2, 3}, {3, 4, 5}), {}, found, wait);
  CHECK(found == std::vector{id});
}

TEST_CASE("an update refuses bad times") {
  auto world = MakeWorld();
  PoolHere pool(0);
  CHECK(std::string(world->Update(0.0f, pool).error().subject) == "dt");
  CHECK(std::string(world->Update(kNaN, pool).error().subject) == "dt");
  CHECK(std::string(world->Update(0.1f, pool, 0).error().subject) == "steps");
  CHECK(world->Update(0.1f, pool).has_value());  // an empty world
}

TEST_CASE("ids go stale, capacities are named") {
  WorldDef def;
  def.max_bodies = 2;
  auto world = MakeWorld(def);
  WaitTime wait;
  const BodyId a = Add(*world, SphereAt(1, {}));
  Add(*world, SphereAt(1, {5, 0, 0}));
  CHECK(ToString(world->CreateBody(SphereAt(1, {}), wait).error()) ==
        "capacity of bodies reached (2)");
  REQUIRE(world->DestroyBody(a, wait));
  CHECK(world->DestroyBody(a, wait).error().code == ErrorCode::kStaleId);
  CHECK(world->GetBody(a, wait).error().code == ErrorCode::kStaleId);
  CHECK(world->MoveBody(a, {}, {}, wait).error().code == ErrorCode::kStaleId);
  CHECK(world->GetBody(BodyId(), wait).error().code == ErrorCode::kStaleId);
  const BodyId b = Add(*world, SphereAt(1, {}));
  CHECK(b.slot() == a.slot());
  CHECK(world->GetBody(a, wait).error().code == ErrorCode::kStaleId);
}

TEST_CASE("a step without room for its contacts does not happen, and the next does once there is") {
  WorldDef def;
  def.max_contacts = 3;
  auto world = MakeWorld(def);
  PoolHere pool(1);
  WaitTime wait;
  Add(*world, Floor());
  std::vector<BodyId> balls;
  for (int i = 0; i < 4; ++i) {
    BodyDef ball = SphereAt(0.5f, {3.0f * static_cast<float>(i), i == 3 ? 5.0f : 0.5f, 0});
    ball.asleep = i == 3;
    balls.push_back(Add(*world, ball));
  }
  REQUIRE(Run(*world, pool, 2));
  REQUIRE(world->MoveBody(balls[3], {9, 0.5f, 0}, {}, wait));
  const std::uint64_t before = world->StateHash();
  const auto failed = world->Update(1.0f / 60.0f, pool);
  REQUIRE_FALSE(failed);
  CHECK(ToString(failed.error()) == "capacity of contacts reached (3)");
  CHECK(world->stats().steps == 0);
  CHECK(world->StateHash() == before);
  REQUIRE(world->DestroyBody(balls[0], wait));
  CHECK(Run(*world, pool, 10));
  CHECK(world->stats().contacts == 3);
}

TEST_CASE("bodies that rested on something wake when it goes away or is moved") {
  const bool remove = GENERATE(true, false);
  auto world = MakeWorld();
  PoolHere pool(0);
  WaitTime wait;
  Add(*world, Floor());
  BodyDef table = BoxAt({1, 0.5f, 1}, {0, 0.5f, 0});
  table.type = BodyType::kStatic;
  const BodyId support = Add(*world, table);
  const BodyId box = Add(*world, BoxAt({0.5f, 0.5f, 0.5f}, {0, 1.5f, 0}));
  REQUIRE(Run(*world, pool, 120));
  REQUIRE(Get(*world, box).asleep);
  if (remove) {
    REQUIRE(world->DestroyBody(support, wait));
  } else {
    REQUIRE(world->MoveBody(support, {10, 0.5f, 0}, {}, wait));
  }
  REQUIRE(Run(*world, pool, 1));
  CHECK_FALSE(Get(*world, box).asleep);
  REQUIRE(Run(*world, pool, 120));
  CHECK(Get(*world, box).position.y == Approx(0.5f).margin(0.02));
}

TEST_CASE("contact events report when bodies begin and cease to touch") {
  auto world = MakeWorld();
  PoolHere pool(0);
  const BodyId floor = Add(*world, Floor());
  BodyDef def = SphereAt(0.5f, {0, 1, 0});
  def.restitution = 1.0f;
  const BodyId ball = Add(*world, def);
  std::vector<ContactEvent> events;
  for (int i = 0; i < 60; ++i) {
    REQUIRE(Run(*world, pool, 1));
    events.insert(events.end(), world->contact_events().begin(), world->contact_events().end());
  }
  REQUIRE(events.size() >= 2);
  CHECK(events[0] == ContactEvent{ContactEvent::Kind::kBegan, floor, ball});
  CHECK(events[1] == ContactEvent{ContactEvent::Kind::kEnded, floor, ball});
}

TEST_CASE("a batch is invisible until it is finalised, and leaves nothing when it is aborted") {
  WorldDef def;
  def.max_bodies = 10;
  auto world = MakeWorld(def);
  PoolHere pool(0);
  WaitTime wait;
  std::vector<BodyDef> defs = {Floor(), BoxAt({1, 1, 1}, {0, 1, 0}), SphereAt(1, {4, 1, 0})};
  const RayCast down{{4, 10, 0}, {0, -20, 0}};

  WorldBatch batch = std::move(*world->PrepareBatch(defs));
  CHECK(batch.bodies().size() == 3);
  CHECK_FALSE(world->CastRay(down, {}, wait));
  CHECK_FALSE(world->GetBody(batch.bodies()[1], wait));
  REQUIRE(Run(*world, pool, 1));  // a batch may wait through an update
  REQUIRE(world->AbortBatch(batch).has_value());
  CHECK(batch.empty());
  CHECK(world->FinaliseBatch(batch, wait).error().code == ErrorCode::kInvalidArgument);

  batch = std::move(*world->PrepareBatch(defs));
  const std::vector<BodyId> ids = *world->FinaliseBatch(batch, wait);
  CHECK(world->CastRay(down, {}, wait)->body == ids[2]);
  CHECK(world->body_count() == 3);

  defs.resize(8, SphereAt(1, {}));
  CHECK(ToString(world->PrepareBatch(defs).error()) == "capacity of bodies reached (10)");
  defs.resize(7);
  defs[6].density = kNaN;
  CHECK(std::string(world->PrepareBatch(defs).error().subject) == "density");
  defs[6].density = 1.0f;
  batch = std::move(*world->PrepareBatch(defs));  // the failed ones left nothing behind
  REQUIRE(world->AbortBatch(batch).has_value());
  CHECK(world->RemoveBodies(ids, wait) == 3);
  CHECK(world->RemoveBodies(ids, wait) == 0);
  CHECK(world->body_count() == 0);
}

TEST_CASE("a ray finds the nearest body that passes the filter") {
  auto world = MakeWorld();
  WaitTime wait;
  const BodyId floor = Add(*world, Floor());
  const BodyId low = Add(*world, BoxAt({1, 1, 1}, {0, 2, 0}));
  const BodyId high = Add(*world, SphereAt(1, {0, 6, 0}));
  const RayCast down{{0, 10, 0}, {0, -20, 0}};
  const auto hit = world->CastRay(down, {}, wait);
  REQUIRE(hit);
  CHECK(hit->body == high);
  CHECK(hit->fraction == Approx(0.15));
  CHECK(hit->point.y == Approx(7.0));
  CHECK(hit->normal.y == Approx(1.0));
  QueryFilter filter;
  filter.ignore = high;
  CHECK(world->CastRay(down, filter, wait)->body == low);
  filter.dynamics = false;
  CHECK(world->CastRay(down, filter, wait)->body == floor);
  filter.statics = false;
  CHECK_FALSE(world->CastRay(down, filter, wait));
  CHECK_FALSE(world->CastRay({{0, kNaN, 0}, {0, 1, 0}}, {}, wait));
  REQUIRE(world->MoveBody(high, {30, 6, 0}, {}, wait));
  CHECK(world->CastRay(down, {}, wait)->body == low);
  CHECK(world->CastRay({{30, 10, 0}, {0, -20, 0}}, {}, wait)->body == high);
}

TEST_CASE("rays agree with a search through all bodies while a scene falls") {
  HillScene scene = MakeHillScene(120, 17);
  PoolHere pool(1);
  WaitTime wait;
  Random random(23);
  std::vector<BodySnapshot> all;
  std::vector<BodyId> found;
  for (int round = 0; round < 20; ++round) {
    REQUIRE(Run(*scene.world, pool, 10));
    scene.world->Snapshot(all);
    const WorldView view = scene.world->Read();
    for (int i = 0; i < 50; ++i) {
      const RayCast ray{random.InBox({0, 0, 0}, {40, 20, 40}),
                        random.InBox({-30, -30, -30}, {30, 10, 30})};
      std::optional<float> nearest;
      for (const BodySnapshot& body : all) {
        const auto hit = CastAgainstShape(ray, 1.0f, body.shape, body.position, body.rotation);
        if (hit && (!nearest || hit->fraction < *nearest)) nearest = hit->fraction;
      }
      const auto hit = view.CastRay(ray, {}, wait);
      REQUIRE(hit.has_value() == nearest.has_value());
      if (hit) CHECK(hit->fraction == *nearest);
    }
    view.FindInBox(ToBounds({-100, -2000, -100}, {200, 200, 200}), {}, found, wait);
    CHECK(found.size() == all.size());
  }
}

TEST_CASE("a pile comes to rest and all of it sleeps") {
  HillScene scene = MakeHillScene(150, 8);
  PoolHere pool(1);
  REQUIRE(Run(*scene.world, pool, 1500));
  CHECK(scene.world->stats().awake <= 7);  // 95% asleep
  for (const BodyId id : scene.bodies) {
    const BodySnapshot body = Get(*scene.world, id);
    CHECK(body.position.y > scene.field->SurfaceAt(body.position.x, body.position.z));
  }
}

}  // namespace
}  // namespace nowait
