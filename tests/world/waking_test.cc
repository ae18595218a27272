// Which bodies wake, by what, and that each waking is reported once, and of no other body.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "tests/world/scene.h"

namespace nowait {
namespace {

BodyDef Asleep(BodyDef def) {
  def.asleep = true;
  return def;
}

std::vector<BodyId> Woken(const World& world) {
  std::vector<BodyId> ids;
  for (const SleepEvent& event : world.sleep_events()) {
    if (event.kind == SleepEvent::Kind::kWoke) ids.push_back(event.body);
  }
  return ids;
}

TEST_CASE("bodies that fall asleep in one step are reported by id, whatever their islands are") {
  WorldDef def;
  def.gravity = {};
  def.rest.time = 0.05f;
  auto world = MakeWorld(def);
  PoolHere pool(GENERATE(0u, 2u));
  std::vector<SleepEvent> expected;
  for (int i = 0; i < 8; ++i) {  // two rows, whose slots take turns
    const float row = i % 2 == 0 ? 0.0f : 10.0f;
    const BodyId id = Add(*world, BoxAt({0.5f, 0.5f, 0.5f}, {static_cast<float>(i / 2), 0, row}));
    expected.push_back({SleepEvent::Kind::kFellAsleep, id});
  }
  do {
    REQUIRE(Run(*world, pool, 1));
    REQUIRE(world->stats().islands == 2);
  } while (world->sleep_events().empty());
  CHECK(std::ranges::equal(world->sleep_events(), expected));
}

TEST_CASE("a contact of bodies that are gone does not wake the next ones in their slots") {
  WorldDef def;
  def.max_bodies = 3;
  auto world = MakeWorld(def);
  PoolHere pool(0);
  WaitTime wait;
  Add(*world, Floor());
  const BodyId a = Add(*world, BoxAt({0.5f, 0.5f, 0.5f}, {0, 0.5f, 0}));
  const BodyId b = Add(*world, BoxAt({0.5f, 0.5f, 0.5f}, {0, 1.5f, 0}));
  REQUIRE(Run(*world, pool, 1));
  REQUIRE(world->RemoveBodies(std::array{a, b}, wait) == 2);
  const BodyId c = Add(*world, Asleep(SphereAt(0.5f, {-40, 20, 0})));
  const BodyId d = Add(*world, Asleep(SphereAt(0.5f, {40, 20, 0})));
  REQUIRE(c.slot() == a.slot());
  REQUIRE(d.slot() == b.slot());
  REQUIRE(Run(*world, pool, 1));
  CHECK(world->stats().woken == 0);
  CHECK(Woken(*world).empty());
  CHECK(Get(*world, c).asleep);
  CHECK(Get(*world, d).asleep);
}

TEST_CASE(
    "of two bodies that touched, the one that is left wakes when the other's slot is reused") {
  WorldDef def;
  def.max_bodies = 2;
  def.gravity = {};
  auto world = MakeWorld(def);
  PoolHere pool(0);
  WaitTime wait;
  const BodyId left = Add(*world, BoxAt({0.5f, 0.5f, 0.5f}, {0, 0.5f, 0}));
  const BodyId gone = Add(*world, BoxAt({0.5f, 0.5f, 0.5f}, {0, 1.5f, 0}));
  REQUIRE(Run(*world, pool, 1));
  REQUIRE(Run(*world, pool, 120));
  REQUIRE(Get(*world, left).asleep);
  REQUIRE(world->DestroyBody(gone, wait));
  const BodyId next = Add(*world, Asleep(SphereAt(0.5f, {40, 20, 0})));
  REQUIRE(next.slot() == gone.slot());
  REQUIRE(Run(*world, pool, 1));
  CHECK(Woken(*world) == std::vector{left});
  CHECK(Get(*world, next).asleep);
}

TEST_CASE("the next step reports a body that the game wakes, once") {
  auto world = MakeWorld();
  PoolHere pool(0);
  WaitTime wait;
  const auto sleeper = [&](float x) { return Add(*world, Asleep(SphereAt(0.5f, {x, 50, 0}))); };
  const BodyId woken = sleeper(0), pushed = sleeper(10), moved = sleeper(20), left = sleeper(30);
  const BodyId gone = sleeper(40);
  REQUIRE(world->MoveBody(moved, {20, 60, 0}, {}, wait));
  REQUIRE(world->SetVelocity(pushed, {0, 1, 0}, {}, wait));
  REQUIRE(world->WakeBody(woken, wait));
  REQUIRE(world->WakeBody(woken, wait));
  REQUIRE(world->WakeBody(gone, wait));
  REQUIRE(world->DestroyBody(gone, wait));
  CHECK_FALSE(Get(*world, woken).asleep);
  REQUIRE(Run(*world, pool, 1));
  CHECK(Woken(*world) == std::vector{woken, pushed, moved});
  CHECK(world->stats().woken == 3);
  CHECK(Get(*world, left).asleep);
  REQUIRE(Run(*world, pool, 1));
  CHECK(Woken(*world).empty());
  CHECK(world->stats().woken == 0);
}

TEST_CASE(
    "a set velocity wakes the body, and in the next update those it touched and those on them") {
  auto world = MakeWorld();
  PoolHere pool(0);
  WaitTime wait;
  Add(*world, Floor());
  const auto box = [&](float x, float y) {
    return Add(*world, BoxAt({0.5f, 0.5f, 0.5f}, {x, y, 0}));
  };
  const BodyId pushed = box(0, 0.5f), touched = box(0, 1.5f), above = box(0, 2.5f);
  const BodyId apart = box(5, 0.5f);
  REQUIRE(Run(*world, pool, 200));
  for (const BodyId id : {pushed, touched, above, apart}) REQUIRE(Get(*world, id).asleep);
  // It leaves in the very step in which the others are to wake.
  REQUIRE(world->SetVelocity(pushed, {0, 0, 100}, {}, wait));
  CHECK_FALSE(Get(*world, pushed).asleep);
  CHECK(Get(*world, touched).asleep);
  REQUIRE(Run(*world, pool, 1));
  CHECK(Woken(*world) == std::vector{pushed, touched, above});
  CHECK_FALSE(Get(*world, touched).asleep);
  CHECK_FALSE(Get(*world, above).asleep);
  CHECK(Get(*world, apart).asleep);
  CHECK(world->stats().woken == 3);
}

// The contact is the last step's: in it the bodies flew apart, and fell asleep where they no longer
// touch.
TEST_CASE(
    "a set velocity wakes a sleeper that the body touched in the last step, though it is away") {
  WorldDef def;
  def.gravity = {};
  def.rest = {.time = 0.0f, .linear_speed = 1000.0f, .angular_speed = 1000.0f};
  auto world = MakeWorld(def);
  PoolHere pool(0);
  WaitTime wait;
  BodyDef left = SphereAt(0.5f, {0, 0, 0}), right = SphereAt(0.5f, {1, 0, 0});
  left.linear_velocity = {-10, 0, 0};
  right.linear_velocity = {10, 0, 0};
  const BodyId pushed = Add(*world, left), touched = Add(*world, right);
  REQUIRE(Run(*world, pool, 1));
  REQUIRE(world->stats().contacts == 1);
  REQUIRE(Get(*world, pushed).asleep);
  REQUIRE(Get(*world, touched).asleep);
  REQUIRE(Get(*world, touched).position.x - Get(*world, pushed).position.x > 1.3f);
  REQUIRE(world->SetVelocity(pushed, {0, 1, 0}, {}, wait));
  REQUIRE(Run(*world, pool, 1));
  CHECK(Woken(*world) == std::vector{pushed, touched});
}

TEST_CASE("a body that its neighbour has woken sleeps again, and stays asleep") {
  auto world = MakeWorld();
  PoolHere pool(0);
  WaitTime wait;
  Add(*world, Floor());
  const BodyId lower = Add(*world, BoxAt({0.5f, 0.5f, 0.5f}, {0, 0.5f, 0}));
  const BodyId upper = Add(*world, BoxAt({0.5f, 0.5f, 0.5f}, {0, 1.5f, 0}));
  const auto both_sleep = [&] { return Get(*world, lower).asleep && Get(*world, upper).asleep; };
  REQUIRE(Run(*world, pool, 200));
  REQUIRE(both_sleep());
  for (int time = 0; time < 2; ++time) {
    CAPTURE(time);
    REQUIRE(world->SetVelocity(lower, {}, {}, wait));
    REQUIRE(Run(*world, pool, 1));
    REQUIRE(Woken(*world) == std::vector{lower, upper});
    REQUIRE(Run(*world, pool, 100));
    REQUIRE(both_sleep());
    for (int step = 0; step < 3; ++step) {
      REQUIRE(Run(*world, pool, 1));
      CHECK(world->sleep_events().empty());
      CHECK(world->stats().awake == 0);
    }
  }
}

TEST_CASE("the waking of a body that is gone is no news of the next one in its slot") {
  WorldDef def;
  def.max_bodies = 1;
  auto world = MakeWorld(def);
  PoolHere pool(0);
  WaitTime wait;
  const BodyId sleeper = Add(*world, Asleep(SphereAt(0.5f, {0, 5, 0})));
  REQUIRE(Run(*world, pool, 1));
  REQUIRE(world->WakeBody(sleeper, wait));
  REQUIRE(world->DestroyBody(sleeper, wait));
  const BodyId next = Add(*world, SphereAt(0.5f, {0, 5, 0}));
  REQUIRE(next.slot() == sleeper.slot());
  REQUIRE(Run(*world, pool, 1));
  CHECK(world->sleep_events().empty());
  CHECK(world->stats().woken == 0);
}

TEST_CASE("a static body wakes the sleeper that it is moved into, and not one that it misses") {
  auto world = MakeWorld();
  PoolHere pool(0);
  WaitTime wait;
  BodyDef ball = SphereAt(0.5f, {0, 100, 0});
  ball.type = BodyType::kStatic;
  const BodyId wall = Add(*world, ball);
  const BodyId sleeper = Add(*world, Asleep(SphereAt(0.5f, {30, 10, 0})));
  REQUIRE(Run(*world, pool, 1));
  // Their boxes overlap at the corners, the balls do not.
  REQUIRE(world->MoveBody(wall, {30.8f, 10.8f, 0}, {}, wait));
  REQUIRE(Run(*world, pool, 1));
  CHECK(Get(*world, sleeper).asleep);
  REQUIRE(world->MoveBody(wall, {30.9f, 10, 0}, {}, wait));
  REQUIRE(Run(*world, pool, 1));
  CHECK(Woken(*world) == std::vector{sleeper});
  CHECK(world->stats().contacts == 1);
  REQUIRE(world->contact_events().size() == 1);
  CHECK(world->contact_events()[0] == ContactEvent{ContactEvent::Kind::kBegan, wall, sleeper});
}

TEST_CASE("a static body that is moved onto a new sleeper wakes it in the first step of both") {
  auto world = MakeWorld();
  PoolHere pool(0);
  WaitTime wait;
  BodyDef ball = SphereAt(0.5f, {0, 100, 0});
  ball.type = BodyType::kStatic;
  const BodyId wall = Add(*world, ball);
  const BodyId sleeper = Add(*world, Asleep(SphereAt(0.5f, {30, 10, 0})));
  const BodyId missed = Add(*world, Asleep(SphereAt(0.5f, {40, 10, 0})));
  REQUIRE(world->MoveBody(wall, {30.9f, 10, 0}, {}, wait));
  REQUIRE(Run(*world, pool, 1));
  CHECK(Woken(*world) == std::vector{sleeper});
  CHECK_FALSE(Get(*world, sleeper).asleep);
  CHECK(Get(*world, missed).asleep);
}

TEST_CASE(
    "a static body that is moved in a layer which does not touch the sleeper's wakes nobody") {
  WorldDef def;
  def.user_layers.push_back({.name = "ghosts", .touches = {}});
  auto world = MakeWorld(def);
  PoolHere pool(0);
  WaitTime wait;
  BodyDef ghost = SphereAt(0.5f, {0, 100, 0});
  ghost.type = BodyType::kStatic;
  ghost.layer = UserLayer(0);
  const BodyId wall = Add(*world, ghost);
  const BodyId sleeper = Add(*world, Asleep(SphereAt(0.5f, {30, 10, 0})));
  REQUIRE(world->MoveBody(wall, {30, 10, 0}, {}, wait));
  REQUIRE(Run(*world, pool, 1));
  CHECK(Get(*world, sleeper).asleep);
}

// A batch of one body or a single one: both have to be news to the next update.
BodyId AddNew(World& world, const BodyDef& def, bool by_batch) {
  if (!by_batch) return Add(world, def);
  WaitTime wait;
  WorldBatch batch = std::move(*world.PrepareBatch(std::span(&def, 1)));
  return world.FinaliseBatch(batch, wait)->front();
}

TEST_CASE("a body that was created asleep wakes when its floor goes or is moved away") {
  const bool by_batch = GENERATE(false, true);
  const bool is_moved = GENERATE(false, true);
  const bool floor_is_older = GENERATE(false, true);
  CAPTURE(by_batch, is_moved, floor_is_older);
  auto world = MakeWorld();
  PoolHere pool(1);
  WaitTime wait;
  const BodyId floor = AddNew(*world, Floor(), by_batch);
  if (floor_is_older) REQUIRE(Run(*world, pool, 1));
  const BodyId box = AddNew(*world, Asleep(BoxAt({0.5f, 0.5f, 0.5f}, {0, 0.5f, 0})), by_batch);
  // Settles the batches, and must not settle what is new about them.
  std::vector<BodySnapshot> bodies;
  world->Snapshot(bodies);
  REQUIRE(Run(*world, pool, 1));
  CHECK(Woken(*world).empty());
  CHECK(Get(*world, box).asleep);
  REQUIRE(world->contact_events().size() == 1);
  CHECK(world->contact_events()[0] == ContactEvent{ContactEvent::Kind::kBegan, floor, box});
  REQUIRE(Run(*world, pool, 1));
  CHECK(world->contact_events().empty());
  if (is_moved) {
    REQUIRE(world->MoveBody(floor, {0, -50, 0}, {}, wait));
  } else {
    REQUIRE(world->DestroyBody(floor, wait));
  }
  REQUIRE(Run(*world, pool, 1));
  CHECK(Woken(*world) == std::vector{box});
  REQUIRE(Run(*world, pool, 59));
  CHECK(Get(*world, box).position.y < -2);
}

TEST_CASE("a stack that is loaded asleep sleeps on, and wakes from where a body is taken out") {
  const bool by_batch = GENERATE(false, true);
  auto world = MakeWorld();
  PoolHere pool(1);
  WaitTime wait;
  const auto box = [&](float y) {
    return AddNew(*world, Asleep(BoxAt({0.5f, 0.5f, 0.5f}, {0, y, 0})), by_batch);
  };
  const BodyId top = box(2.5f), middle = box(1.5f), bottom = box(0.5f);
  AddNew(*world, Floor(), by_batch);
  REQUIRE(Run(*world, pool, 1));
  CHECK(Woken(*world).empty());
  CHECK(world->stats().contacts == 3);
  CHECK(world->contact_events().size() == 3);
  REQUIRE(Run(*world, pool, 60));
  CHECK(Woken(*world).empty());
  REQUIRE(world->DestroyBody(middle, wait));
  REQUIRE(Run(*world, pool, 1));
  CHECK(Woken(*world) == std::vector{top, bottom});
}

TEST_CASE("a new sleeper does not wake older sleepers, and wakes when they go") {
  auto world = MakeWorld();
  PoolHere pool(0);
  WaitTime wait;
  const auto box = [&](float y) {
    return Add(*world, Asleep(BoxAt({0.5f, 0.5f, 0.5f}, {0, y, 0})));
  };
  const BodyId lower = box(20.5f);
  REQUIRE(Run(*world, pool, 1));
  const BodyId upper = box(21.5f);
  REQUIRE(Run(*world, pool, 1));
  CHECK(Woken(*world).empty());
  CHECK(world->stats().contacts == 1);
  REQUIRE(world->DestroyBody(lower, wait));
  REQUIRE(Run(*world, pool, 1));
  CHECK(Woken(*world) == std::vector{upper});
}

TEST_CASE("a new static body wakes the sleepers that were there before it, and what they touch") {
  const bool by_batch = GENERATE(false, true);
  auto world = MakeWorld();
  PoolHere pool(1);
  const auto ball = [](float x) { return SphereAt(0.5f, {x, 10, 0}); };
  const BodyId older = Add(*world, Asleep(ball(0)));
  REQUIRE(Run(*world, pool, 1));
  BodyDef post = ball(0.9f);
  post.type = BodyType::kStatic;
  const BodyId wall = AddNew(*world, post, by_batch);
  const BodyId beside_older = AddNew(*world, Asleep(ball(-0.9f)), by_batch);
  const BodyId beside_wall = AddNew(*world, Asleep(ball(1.95f)), by_batch);
  const BodyId far = AddNew(*world, Asleep(ball(40)), by_batch);
  REQUIRE(Run(*world, pool, 1));
  CHECK(Woken(*world) == std::vector{older, beside_older});
  CHECK(Get(*world, far).asleep);
  REQUIRE(Get(*world, beside_wall).asleep);
  const std::vector<ContactEvent> began = {{ContactEvent::Kind::kBegan, older, wall},
                                           {ContactEvent::Kind::kBegan, older, beside_older}};
  REQUIRE(world->contact_events().size() == 2);
  CHECK(std::ranges::equal(world->contact_events(), began));
}

TEST_CASE("a new static body in a layer that does not touch the sleeper's wakes nobody") {
  WorldDef def;
  def.user_layers.push_back({.name = "ghosts", .touches = {}});
  auto world = MakeWorld(def);
  PoolHere pool(0);
  const BodyId sleeper = Add(*world, Asleep(SphereAt(0.5f, {30, 10, 0})));
  REQUIRE(Run(*world, pool, 1));
  BodyDef ghost = SphereAt(0.5f, {30, 10, 0});
  ghost.type = BodyType::kStatic;
  ghost.layer = UserLayer(0);
  Add(*world, ghost);
  REQUIRE(Run(*world, pool, 1));
  CHECK(Get(*world, sleeper).asleep);
  CHECK(world->contact_events().empty());
}

TEST_CASE(
    "a step without room for the contacts of new sleepers fails, and the next one still looks") {
  WorldDef def;
  def.max_contacts = 1;
  auto world = MakeWorld(def);
  PoolHere pool(1);
  WaitTime wait;
  const BodyId floor = Add(*world, Floor());
  const auto box = [&](float y) {
    return Add(*world, Asleep(BoxAt({0.5f, 0.5f, 0.5f}, {0, y, 0})));
  };
  const BodyId lower = box(0.5f), upper = box(1.5f);
  for (int i = 0; i < 2; ++i) {
    const auto done = world->Update(1.0f / 60.0f, pool);
    REQUIRE_FALSE(done.has_value());
    CHECK(done.error() == Error{ErrorCode::kCapacity, "contacts", 1});
    CHECK(world->contact_events().empty());
  }
  REQUIRE(world->MoveBody(floor, {0, -50, 0}, {}, wait));
  REQUIRE(Run(*world, pool, 1));
  CHECK(Woken(*world).empty());
  REQUIRE(world->contact_events().size() == 1);
  CHECK(world->contact_events()[0] == ContactEvent{ContactEvent::Kind::kBegan, lower, upper});
  REQUIRE(world->DestroyBody(upper, wait));
  REQUIRE(Run(*world, pool, 1));
  CHECK(Woken(*world) == std::vector{lower});
}

// Each sleeper lies in some others and in the floor; half of them wake, by what is put into them.
TEST_CASE("the contacts of new sleepers and statics are the same for any number of threads") {
  struct Told {
    std::vector<ContactEvent> contacts;
    std::vector<BodyId> woken;
  };
  const auto run = [](std::uint32_t workers) {
    auto world = MakeWorld();
    PoolHere pool(workers);
    Told told;
    const auto step = [&] {
      REQUIRE(Run(*world, pool, 1));
      for (ContactEvent event : world->contact_events()) told.contacts.push_back(event);
      for (const BodyId id : Woken(*world)) told.woken.push_back(id);
    };
    const auto row = [&](float z, BodyType type) {
      for (int i = 0; i < 60; ++i) {
        BodyDef ball = Asleep(SphereAt(0.5f, {0.4f * static_cast<float>(i), 0.4f, z}));
        ball.type = type;
        Add(*world, ball);
      }
    };
    Add(*world, Floor());
    row(0, BodyType::kDynamic);
    row(20, BodyType::kDynamic);
    step();
    CHECK(told.woken.empty());
    row(0.9f, BodyType::kStatic);
    row(20.9f, BodyType::kDynamic);
    step();
    CHECK(told.woken.size() == 60);
    return told;
  };
  const auto slots = [](const Told& told) {
    std::vector<std::uint32_t> numbers;
    for (const ContactEvent& event : told.contacts) {
      numbers.insert(numbers.end(), {event.a.slot(), event.b.slot()});
    }
    for (const BodyId id : told.woken) numbers.push_back(id.slot());
    return numbers;
  };
  const std::vector<std::uint32_t> alone = slots(run(0));
  for (const std::uint32_t workers : {1u, 3u, 7u}) CHECK(slots(run(workers)) == alone);
}

}  // namespace
}  // namespace nowait
