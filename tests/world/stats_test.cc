// The reports of an update: each number of stats(), its times and events, over one step or several.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tests/world/scene.h"

namespace nowait {
namespace {

constexpr float kStep = 1.0f / 60.0f;

WorldDef Weightless() {
  WorldDef def;
  def.gravity = {};
  return def;
}

TEST_CASE("the counts of an update are those of its last step: two touch, one flies, one sleeps") {
  auto world = MakeWorld(Weightless());
  PoolHere pool(GENERATE(0u, 2u));
  Add(*world, Floor());
  const auto box = [](float x, float y) { return BoxAt({0.5f, 0.5f, 0.5f}, {x, y, 0}); };
  Add(*world, box(0, 0.5f));
  Add(*world, box(0, 1.5f));
  Add(*world, box(5, 9));
  BodyDef sleeper = box(9, 9);
  sleeper.asleep = true;
  Add(*world, sleeper);
  for (int step = 0; step < 3; ++step) {  // each step counts anew
    CAPTURE(step);
    REQUIRE(Run(*world, pool, 1));
    const UpdateStats& stats = world->stats();
    CHECK(stats.steps == 1);
    CHECK(stats.bodies == 5);
    CHECK(stats.awake == 3);
    CHECK(stats.pairs == 2);
    CHECK(stats.contacts == 2);
    CHECK(stats.contact_points == 8);
    CHECK(stats.islands == 2);
    CHECK(stats.largest_island == 2);
    CHECK(stats.large_islands == 0);
    CHECK(stats.woken == 0);
    CHECK(stats.fell_asleep == 0);
    CHECK(stats.find.unions == 1);
    CHECK(stats.body_locks.acquisitions == 3);  // of the bodies that the step writes
  }
}

TEST_CASE("pairs whose boxes overlap and that do not touch count as pairs alone") {
  auto world = MakeWorld(Weightless());
  PoolHere pool(0);
  Add(*world, SphereAt(1, {0, 0, 0}));
  Add(*world, SphereAt(1, {1.9f, 1.9f, 0}));
  REQUIRE(Run(*world, pool, 1));
  CHECK(world->stats().pairs == 1);
  CHECK(world->stats().contacts == 0);
  CHECK(world->stats().contact_points == 0);
  CHECK(world->stats().islands == 2);
}

TEST_CASE("a contact of sleepers counts in the step that finds it, and in none that skips them") {
  auto world = MakeWorld(Weightless());
  PoolHere pool(0);
  Add(*world, Floor());
  BodyDef sleeper = BoxAt({0.5f, 0.5f, 0.5f}, {0, 0.5f, 0});
  sleeper.asleep = true;
  Add(*world, sleeper);
  Add(*world, BoxAt({0.5f, 0.5f, 0.5f}, {5, 0.5f, 0}));
  for (const std::uint32_t found : {2u, 1u, 1u}) {
    REQUIRE(Run(*world, pool, 1));
    CHECK(world->stats().pairs == found);
    CHECK(world->stats().contacts == found);
  }
}

TEST_CASE("bodies that fall asleep are counted in that step, as awake no longer, and not again") {
  WorldDef def = Weightless();
  def.rest.time = 0.05f;
  auto world = MakeWorld(def);
  PoolHere pool(0);
  for (int i = 0; i < 3; ++i)
    Add(*world, SphereAt(0.5f, {5.0f + 5.0f * static_cast<float>(i), 0, 0}));
  do {
    REQUIRE(Run(*world, pool, 1));
    CHECK(world->stats().fell_asleep == world->sleep_events().size());
    CHECK(world->stats().awake == 3 - world->stats().fell_asleep);
  } while (world->stats().fell_asleep == 0);
  CHECK(world->stats().fell_asleep == 3);
  REQUIRE(Run(*world, pool, 1));
  CHECK(world->stats().fell_asleep == 0);
  CHECK(world->stats().awake == 0);
  CHECK(world->stats().islands == 0);
  CHECK(world->stats().largest_island == 0);
}

TEST_CASE("each update counts anew, and a failed one says how many steps it has done") {
  WorldDef def = Weightless();
  def.max_contacts = 1;
  auto world = MakeWorld(def);
  PoolHere pool(0);
  Add(*world, SphereAt(0.5f, {0, 0, 0}));
  BodyDef flying = SphereAt(0.5f, {3, 0, 0});
  flying.linear_velocity = {-60, 0, 0};  // a metre a step
  Add(*world, flying);
  Add(*world, SphereAt(0.5f, {0, 0.9f, 0}));
  // One contact at first; after two steps the third ball has come to both.
  const auto done = world->Update(4 * kStep, pool, 4);
  REQUIRE_FALSE(done);
  CHECK(ToString(done.error()) == "capacity of contacts reached (1)");
  CHECK(world->stats().steps == 2);
  CHECK(world->contact_events().size() == 1);
  REQUIRE_FALSE(world->Update(kStep, pool));
  CHECK(world->stats().steps == 0);
  CHECK(world->contact_events().empty());
}

// Ticks at each reading, so each time counts the readings between its two.
std::chrono::nanoseconds Ticking() {
  static thread_local std::int64_t readings = 0;
  return std::chrono::nanoseconds(++readings);
}

TEST_CASE("the times are of the world's own clock, of each part, and add up over the steps") {
  WorldDef def;
  def.now = &Ticking;
  auto world = MakeWorld(def);
  PoolHere pool(0);
  Add(*world, SphereAt(0.5f, {}));
  for (const std::uint32_t steps : {1u, 3u}) {
    REQUIRE(world->Update(kStep, pool, steps));
    const PhaseTimes& times = world->stats().times;
    for (const auto time :
         {times.begin, times.collide, times.finalise, times.solve, times.finish}) {
      CHECK(time.count() == steps);
    }
    // Two readings a part, and the last one.
    CHECK(times.total.count() == 10 * steps + 1);
  }
}

TEST_CASE("an update of several steps is as several updates, in its state and in its events") {
  const auto make = [] {
    auto world = MakeWorld();
    Add(*world, Floor());
    BodyDef ball = SphereAt(0.5f, {0, 0.52f, 0});
    ball.restitution = 1.0f;
    ball.linear_velocity = {0, -5, 0};
    Add(*world, ball);
    BodyDef sleeper = BoxAt({0.5f, 0.5f, 0.5f}, {0.6f, 0.5f, 0});
    sleeper.asleep = true;
    Add(*world, sleeper);
    return world;
  };
  PoolHere pool(0);
  const auto whole = make(), parts = make();
  REQUIRE(whole->Update(6 * kStep, pool, 6));
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs, slept;
  for (int i = 0; i < 6; ++i) {
    REQUIRE(parts->Update(6 * kStep / 6, pool));
    for (const ContactEvent& event : parts->contact_events()) {
      pairs.emplace_back(event.a.slot(), event.b.slot());
    }
    for (const SleepEvent& event : parts->sleep_events()) {
      slept.emplace_back(static_cast<std::uint32_t>(event.kind), event.body.slot());
    }
  }
  CHECK(whole->StateHash() == parts->StateHash());
  CHECK(whole->stats().steps == 6);
  REQUIRE(whole->contact_events().size() == pairs.size());
  REQUIRE(whole->sleep_events().size() == slept.size());
  CHECK(pairs.size() > 3);
  CHECK_FALSE(slept.empty());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const ContactEvent& event = whole->contact_events()[i];
    CHECK(std::pair(event.a.slot(), event.b.slot()) == pairs[i]);
  }
}

TEST_CASE("of several steps the counts are those of the last one, and the events those of all") {
  WorldDef def = Weightless();
  def.rest.time = 0.1f;
  auto world = MakeWorld(def);
  PoolHere pool(0);
  WaitTime wait;
  const BodyId ball = Add(*world, SphereAt(1, {5, 5, 5}));
  REQUIRE(world->Update(20 * kStep, pool, 20));
  CHECK(world->stats().steps == 20);
  CHECK(world->stats().fell_asleep == 0);
  CHECK(world->stats().awake == 0);
  CHECK(world->stats().islands == 0);
  const SleepEvent slept{SleepEvent::Kind::kFellAsleep, ball}, woke{SleepEvent::Kind::kWoke, ball};
  CHECK(std::ranges::equal(world->sleep_events(), std::array{slept}));
  REQUIRE(world->WakeBody(ball, wait));
  REQUIRE(world->Update(20 * kStep, pool, 20));
  CHECK(world->stats().woken == 0);
  CHECK(std::ranges::equal(world->sleep_events(), std::array{woke, slept}));
  REQUIRE(world->WakeBody(ball, wait));
  REQUIRE(world->Update(kStep, pool));
  CHECK(world->stats().woken == 1);
  CHECK(world->stats().awake == 1);
}

TEST_CASE("rebuilds and refits of several updates are added up, each number to its like") {
  RebuildStats sum, other;
  for (std::uint32_t i = 0; i < kMaxLayers; ++i) {
    sum.rebuilds[i] = i;
    sum.refits[i] = 100 + i;
    other.rebuilds[i] = 1000;
    other.refits[i] = 2000;
  }
  sum.replaced_nodes = 1;
  sum.items = 2;
  sum.refitted_nodes = 3;
  other.replaced_nodes = 10;
  other.items = 20;
  other.refitted_nodes = 30;
  sum += other;
  for (std::uint32_t i = 0; i < kMaxLayers; ++i) {
    CHECK(sum.rebuilds[i] == 1000 + i);
    CHECK(sum.refits[i] == 2100 + i);
  }
  CHECK(sum.replaced_nodes == 11);
  CHECK(sum.items == 22);
  CHECK(sum.refitted_nodes == 33);
}

TEST_CASE("each of the two layers that are always there is rebuilt by its own policy") {
  const bool of_static = GENERATE(false, true);
  WorldDef def = Weightless();
  (of_static ? def.static_rebuild : def.dynamic_rebuild) = RebuildPolicy::kRefit;
  auto world = MakeWorld(def);
  PoolHere pool(0);
  WaitTime wait;
  BodyDef ball = SphereAt(1, {});
  ball.asleep = true;
  const BodyId moving = Add(*world, ball);
  ball.type = BodyType::kStatic;
  ball.position = {9, 0, 0};
  const BodyId fixed = Add(*world, ball);
  std::array<std::uint32_t, 2> refits{}, rebuilds{};
  for (int i = 1; i < 6; ++i) {
    REQUIRE(world->MoveBody(moving, {0, static_cast<float>(i), 0}, {}, wait));
    REQUIRE(world->MoveBody(fixed, {90, static_cast<float>(i), 0}, {}, wait));
    REQUIRE(Run(*world, pool, 1));
    for (std::size_t layer = 0; layer < 2; ++layer) {
      refits[layer] += world->stats().rebuilds.refits[layer];
      rebuilds[layer] += world->stats().rebuilds.rebuilds[layer];
    }
    CHECK(world->stats().rebuilds.refitted_nodes == 1);
  }
  const std::size_t refitted = IndexOf(of_static ? Layer::kStatic : Layer::kDynamic);
  CHECK(refits[refitted] == 5);
  CHECK(rebuilds[refitted] == 0);
  CHECK(refits[1 - refitted] == 0);
  CHECK(rebuilds[1 - refitted] == 5);
}

TEST_CASE("steps that fail for their contacts lose no node of the tree") {
  WorldDef def = Weightless();
  def.max_bodies = 8;
  def.max_contacts = 1;
  auto world = MakeWorld(def);
  PoolHere pool(0);
  WaitTime wait;
  std::vector<BodyId> balls;
  for (int i = 0; i < 8; ++i)
    balls.push_back(Add(*world, SphereAt(1, {0.1f * static_cast<float>(i), 0, 0})));
  for (int i = 0; i < 300; ++i) {
    REQUIRE(world->MoveBody(balls[7], {0, 0, i % 2 == 0 ? 0.5f : -0.5f}, {}, wait));
    REQUIRE(world->Update(kStep, pool).error().subject == std::string("contacts"));
    CHECK(world->stats().failed_rebuilds == 0);
  }
  REQUIRE(world->RemoveBodies(std::span(balls).first(7), wait) == 7);
  REQUIRE(Run(*world, pool, 3));
  CHECK(world->stats().waiting_nodes == 0);
  for (int i = 0; i < 7; ++i) CHECK(world->CreateBody(SphereAt(1, {}), wait));
}

// The view keeps each root that a rebuild has replaced; there are a few dozen nodes.
TEST_CASE("a rebuild that finds no node is counted, the update goes on, and a later one rebuilds") {
  WorldDef def = Weightless();
  def.max_bodies = 4;
  auto world = MakeWorld(def);
  PoolHere pool(0);
  WaitTime wait;
  const BodyId ball = Add(*world, SphereAt(1, {}));
  REQUIRE(Run(*world, pool, 3));
  std::uint64_t replaced = 0;
  std::uint32_t updates = 0;
  {
    const WorldView view = world->Read();
    while (world->stats().failed_rebuilds == 0) {
      ++updates;
      REQUIRE(updates < 1000);
      REQUIRE(world->MoveBody(ball, {10 * static_cast<float>(updates), 0, 0}, {}, wait));
      REQUIRE(Run(*world, pool, 1));
      replaced += world->stats().rebuilds.replaced_nodes;
      CHECK(world->stats().waiting_nodes == replaced);
      CHECK(world->stats().steps_held == updates - 1);
      CHECK(view.FindNearest({10 * static_cast<float>(updates), 0, 0}, 2, {}, wait)->body == ball);
    }
    REQUIRE(Run(*world, pool, 1));
    CHECK(world->stats().failed_rebuilds == 1);
    CHECK(world->stats().rebuilds.replaced_nodes == 0);
    REQUIRE(world->Update(3 * kStep, pool, 3));
    CHECK(world->stats().failed_rebuilds == 3);
  }
  REQUIRE(Run(*world, pool, 3));
  CHECK(world->stats().failed_rebuilds == 0);
  CHECK(world->stats().waiting_nodes == 0);
  CHECK(world->stats().steps_held == 0);
}

TEST_CASE("each call counts the body lock that it takes in its caller's own count") {
  auto world = MakeWorld();
  WaitTime before;
  const BodyId id = *world->CreateBody(SphereAt(1, {}), before);
  CHECK(before.acquisitions == 1);
  const auto counts_one = [](auto call) {
    WaitTime wait;
    call(wait);
    return wait.acquisitions == 1;
  };
  CHECK(counts_one([&](WaitTime& wait) { REQUIRE(world->GetBody(id, wait)); }));
  CHECK(counts_one([&](WaitTime& wait) { REQUIRE(world->WakeBody(id, wait)); }));
  CHECK(counts_one([&](WaitTime& wait) { REQUIRE(world->SetVelocity(id, {}, {}, wait)); }));
  CHECK(counts_one([&](WaitTime& wait) { REQUIRE(world->MoveBody(id, {1, 0, 0}, {}, wait)); }));
  const WorldView view = world->Read();
  const RayCast ray{{-9, 0, 0}, {20, 0, 0}}, far{{-9e8f, 0, 0}, {2e9f, 0, 0}};
  CHECK(counts_one([&](WaitTime& wait) { REQUIRE(world->CastRay(ray, {}, wait)); }));
  CHECK(counts_one([&](WaitTime& wait) { REQUIRE(view.CastRay(far, {}, wait)); }));
  CHECK(counts_one([&](WaitTime& wait) { REQUIRE(view.FindNearest({}, 9, {}, wait)); }));
  CHECK(counts_one([&](WaitTime& wait) {
    std::vector<NearSnapshot> near;
    view.CollectNearest({}, 9, 9, {}, near, wait);
  }));
  CHECK(counts_one([&](WaitTime& wait) {
    std::vector<BodyId> found;
    view.FindInBox(ToBounds({-9, -9, -9}, {9, 9, 9}), {}, found, wait);
  }));
  CHECK(counts_one([&](WaitTime& wait) {
    std::vector<std::optional<RayHit>> hits(1);
    view.CastRays(std::span(&ray, 1), {}, hits, wait);
  }));
  CHECK(counts_one([&](WaitTime& wait) { REQUIRE(world->DestroyBody(id, wait)); }));
  CHECK(before.acquisitions == 1);
}

}  // namespace
}  // namespace nowait
