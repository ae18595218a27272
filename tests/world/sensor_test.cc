// Sensors notice what touches them, wake nobody, stop nothing, and are left out of queries.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <utility>
#include <vector>

#include "src/world/world.h"
#include "tests/world/scene.h"

namespace nowait {
namespace {

using Kind = ContactEvent::Kind;

BodyDef SensorAt(Vec3 half, Vec3 position) {
  BodyDef def = BoxAt(half, position);
  def.type = BodyType::kStatic;
  def.sensor = true;
  return def;
}

// The events of the pair in the last Update, as a list of kinds.
std::vector<Kind> EventsOf(const World& world, BodyId a, BodyId b) {
  std::vector<Kind> kinds;
  for (const ContactEvent& event : world.contact_events()) {
    if ((event.a == a && event.b == b) || (event.a == b && event.b == a)) {
      kinds.push_back(event.kind);
    }
  }
  return kinds;
}

TEST_CASE("a ball falls through a sensor as if it were not there, with a begin and an end") {
  const auto fall = [](bool with_sensor) {
    const auto world = MakeWorld();
    PoolHere pool(0);
    const BodyId ball = Add(*world, SphereAt(0.5f, {0, 10, 0}));
    if (with_sensor) Add(*world, SensorAt({2, 0.5f, 2}, {0, 6, 0}));
    const BodyId sensor(ball.world(), 1, 0);
    std::vector<Kind> seen;
    for (int step = 0; step < 90; ++step) {
      REQUIRE(Run(*world, pool, 1));
      for (const Kind kind : EventsOf(*world, ball, sensor)) {
        seen.push_back(kind);
        const float y = Get(*world, ball).position.y;
        // Within two steps of the places where it comes and goes.
        CHECK(y == Approx(kind == Kind::kBegan ? 7.0f : 5.0f).margin(0.35));
      }
    }
    CHECK(seen.size() == (with_sensor ? 2u : 0u));
    return Get(*world, ball).position;
  };
  CHECK(fall(true) == fall(false));
}

TEST_CASE("a sensor notices a sleeping body when it comes, is moved and goes, and wakes it never") {
  const auto world = MakeWorld();
  PoolHere pool(0);
  WaitTime wait;
  Add(*world, Floor());
  BodyDef def = BoxAt({0.5f, 0.5f, 0.5f}, {0, 0.5f, 0});
  def.asleep = true;
  const BodyId box = Add(*world, def);
  REQUIRE(Run(*world, pool, 2));
  const auto step = [&] {
    REQUIRE(Run(*world, pool, 1));
    CHECK(Get(*world, box).asleep);
  };
  const BodyId sensor = Add(*world, SensorAt({1, 1, 1}, {0, 1, 0}));
  step();
  CHECK(EventsOf(*world, box, sensor) == std::vector{Kind::kBegan});
  for (int i = 0; i < 3; ++i) {
    step();
    CHECK(world->contact_events().empty());
  }
  REQUIRE(world->MoveBody(sensor, {9, 1, 0}, {}, wait));
  step();
  CHECK(EventsOf(*world, box, sensor) == std::vector{Kind::kEnded});
  REQUIRE(world->MoveBody(sensor, {1, 1, 0}, {}, wait));
  step();
  CHECK(EventsOf(*world, box, sensor) == std::vector{Kind::kBegan});
  REQUIRE(world->MoveBody(sensor, {1.2f, 1, 0}, {}, wait));
  step();
  CHECK(world->contact_events().empty());  // it goes on
  std::vector<ContactSnapshot> contacts;
  world->SnapshotContacts(contacts);
  REQUIRE(contacts.size() == 2);
  CHECK(contacts[1].sensor);
  CHECK(contacts[1].manifold.count() > 0);
  REQUIRE(world->DestroyBody(sensor, wait));
  step();
  CHECK(EventsOf(*world, box, sensor) == std::vector{Kind::kEnded});
}

TEST_CASE("a sensor that moves passes over a sleeping body, and sleeps and wakes like a body") {
  const auto world = MakeWorld();
  PoolHere pool(0);
  Add(*world, Floor());
  BodyDef def = BoxAt({0.5f, 0.5f, 0.5f}, {0, 0.5f, 0});
  def.asleep = true;
  const BodyId box = Add(*world, def);
  BodyDef moving = BoxAt({0.5f, 0.5f, 0.5f}, {-3, 0.75f, 0});
  moving.sensor = true;
  moving.gravity_scale = 0.0f;
  moving.linear_velocity = {3, 0, 0};
  const BodyId sensor = Add(*world, moving);
  std::vector<Kind> seen;
  for (int i = 0; i < 120; ++i) {
    REQUIRE(Run(*world, pool, 1));
    for (const Kind kind : EventsOf(*world, box, sensor)) seen.push_back(kind);
    CHECK(Get(*world, box).asleep);
  }
  CHECK(seen == std::vector{Kind::kBegan, Kind::kEnded});
  CHECK(Get(*world, sensor).position.x == Approx(3.0f).margin(0.02));
  // At rest in the box, both sleep, and the contact lasts.
  WaitTime wait;
  REQUIRE(world->MoveBody(sensor, {0.2f, 0.75f, 0}, {}, wait));
  REQUIRE(world->SetVelocity(sensor, {}, {}, wait));
  REQUIRE(Run(*world, pool, 1));
  CHECK(EventsOf(*world, box, sensor) == std::vector{Kind::kBegan});
  REQUIRE(Run(*world, pool, 120));
  CHECK(Get(*world, sensor).asleep);
  REQUIRE(world->DestroyBody(box, wait));
  REQUIRE(Run(*world, pool, 1));
  CHECK(EventsOf(*world, box, sensor) == std::vector{Kind::kEnded});
  CHECK(Get(*world, sensor).asleep);
}

TEST_CASE("sensors make no island, do not notice each other, and stop no bullet") {
  const auto world = MakeWorld();
  PoolHere pool(0);
  Add(*world, SensorAt({20, 20, 0.1f}, {0, 0, 0}));
  Add(*world, SensorAt({20, 0.1f, 20}, {0, 0, 0}));
  BodyDef moving = BoxAt({5, 5, 5}, {0, 0, 0});
  moving.sensor = true;
  const BodyId sensor = Add(*world, moving);
  BodyDef bullet = SphereAt(0.1f, {1, 0, -3});
  bullet.linear_velocity = {0, 0, 400};
  bullet.continuous = Continuous::kAll;
  const BodyId shot = Add(*world, bullet);
  const BodyId beside = Add(*world, SphereAt(0.3f, {3, 0.5f, 0}));
  REQUIRE(Run(*world, pool, 1));
  CHECK(world->stats().islands == 3);
  CHECK(world->stats().stopped_bodies == 0);
  CHECK(Get(*world, shot).position.z > 3.0f);
  std::vector<ContactSnapshot> contacts;
  world->SnapshotContacts(contacts);
  for (const ContactSnapshot& contact : contacts) {
    CHECK(contact.sensor);
    const bool has_ball =
        contact.a == shot || contact.b == shot || contact.a == beside || contact.b == beside;
    CHECK(has_ball);
  }
  LinkSnapshot links;
  world->SnapshotLinks(100, links);
  CHECK(links.links.empty());
  CHECK(EventsOf(*world, sensor, beside) == std::vector{Kind::kBegan});
}

TEST_CASE("queries pass through sensors, unless their filter asks for them") {
  const auto world = MakeWorld();
  Add(*world, Floor());
  const BodyId sensor = Add(*world, SensorAt({1, 1, 1}, {0, 2, 0}));
  const WorldView view = world->Read();
  WaitTime wait;
  QueryFilter with;
  with.sensors = true;
  const RayCast down{{0, 9, 0}, {0, -18, 0}};
  CHECK(view.CastRay(down, {}, wait)->point.y == Approx(0.0f).margin(1e-4));
  CHECK(view.CastRay(down, with, wait)->body == sensor);
  const PlacedShape ball{Shape::Sphere(0.5f), {0, 2, 0}, {}};
  CHECK((**view.FindClosest(ball, 9.0f, with, wait)).body == sensor);
  CHECK((**view.FindClosest(ball, 9.0f, {}, wait)).body != sensor);
  CHECK((**view.CastShape(ball, {0, -9, 0}, {}, wait)).body != sensor);
  std::vector<BodyId> found;
  view.FindInBox(ToBounds({-1, 1.5f, -1}, {1, 2, 1}), {}, found, wait);
  CHECK(found.empty());
  view.FindInBox(ToBounds({-1, 1.5f, -1}, {1, 2, 1}), with, found, wait);
  CHECK(found == std::vector{sensor});
  CHECK(Get(*world, sensor).sensor);
}

TEST_CASE("events of sensors are the same, in the same order, for any number of threads") {
  const auto run = [](std::uint32_t workers) {
    HillScene scene = MakeHillScene(120, 23);
    for (int i = 0; i < 12; ++i) {
      Add(*scene.world, SensorAt({3, 1.5f, 3}, {8.0f + 2.0f * static_cast<float>(i), 3, 20}));
    }
    PoolHere pool(workers);
    std::vector<ContactEvent> events;
    for (int step = 0; step < 120; ++step) {
      REQUIRE(Run(*scene.world, pool, 1));
      for (ContactEvent event : scene.world->contact_events()) {
        // A world has a number of its own in its ids.
        event.a = BodyId(0, event.a.slot(), event.a.generation());
        event.b = BodyId(0, event.b.slot(), event.b.generation());
        events.push_back(event);
      }
    }
    return std::pair(events, scene.world->StateHash());
  };
  const auto alone = run(0);
  CHECK(alone.first.size() > 200);
  CHECK(run(1) == alone);
  CHECK(run(3) == alone);
}

TEST_CASE(
    "a kinematic sensor notices sleepers where it comes to a stand, and nothing is fast by it") {
  const bool to_target = GENERATE(false, true);
  const auto world = MakeWorld();
  PoolHere pool(0);
  WaitTime wait;
  Add(*world, Floor());
  BodyDef def = BoxAt({0.5f, 0.5f, 0.5f}, {0, 0.5f, 0});
  def.asleep = true;
  const BodyId box = Add(*world, def);
  def.position = {0.5f, 4, 0};
  def.asleep = false;
  Add(*world, def);  // falls past it
  BodyDef moving = SensorAt({0.5f, 0.5f, 0.5f}, {1.2f, 1, 0});
  moving.type = BodyType::kKinematic;
  const BodyId sensor = Add(*world, moving);
  REQUIRE(Run(*world, pool, 1));
  const auto go_to = [&](float x) {
    const float way = x - Get(*world, sensor).position.x;
    REQUIRE((to_target ? world->SetTarget(sensor, {x, 1, 0}, {}, wait)
                       : world->SetVelocity(sensor, {way * 60.0f, 0, 0}, {}, wait)));
    REQUIRE(Run(*world, pool, 1));
    CHECK(EventsOf(*world, box, sensor).empty());  // it is found in its place by the next step
    CHECK(world->stats().fast_bodies == 0);
    if (!to_target) REQUIRE(world->SetVelocity(sensor, {}, {}, wait));
    REQUIRE(Run(*world, pool, 1));
    CHECK(Get(*world, box).asleep);
  };
  go_to(0.8f);
  CHECK(EventsOf(*world, box, sensor) == std::vector{Kind::kBegan});
  go_to(1.2f);
  CHECK(EventsOf(*world, box, sensor) == std::vector{Kind::kEnded});
}

}  // namespace
}  // namespace nowait
