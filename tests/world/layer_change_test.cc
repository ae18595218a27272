// A body's layer changed while the body is there: queries, contacts, sleep, errors, saved worlds,
// and queries that run while other threads change layers.
#include <algorithm>
#include <array>
#include <atomic>
#include <catch2/catch.hpp>
#include <string>
#include <thread>
#include <vector>

#include "src/world/world.h"
#include "tests/world/scene.h"

namespace nowait {
namespace {

constexpr Layer kDebris = UserLayer(0);
constexpr Layer kOther = UserLayer(1);

// Debris touches what is static and nothing else; the other layer touches all but debris.
WorldDef TwoLayers() {
  WorldDef def = SmallWorld();
  LayerSet others = LayerSet::All();
  others.Drop(kDebris);
  def.user_layers = {{.name = "debris", .touches = {Layer::kStatic}},
                     {.name = "other", .touches = others}};
  return def;
}

BodyChange To(Layer layer) {
  BodyChange change;
  change.layer = layer;
  return change;
}

std::vector<BodyId> FoundIn(const World& world, LayerSet layers) {
  WaitTime wait;
  std::vector<BodyId> found;
  QueryFilter filter;
  filter.layers = layers;
  world.Read().FindInBox(ToBounds({-100, -100, -100}, {100, 100, 100}), filter, found, wait);
  return found;
}

bool Began(const World& world, BodyId a, BodyId b) {
  const ContactEvent event{ContactEvent::Kind::kBegan, std::min(a, b), std::max(a, b)};
  return std::ranges::count(world.contact_events(), event) == 1;
}
bool Ended(const World& world, BodyId a, BodyId b) {
  const ContactEvent event{ContactEvent::Kind::kEnded, std::min(a, b), std::max(a, b)};
  return std::ranges::count(world.contact_events(), event) == 1;
}

TEST_CASE("queries find a body in the layer that it has now, before and after an update") {
  const BodyType type = GENERATE(BodyType::kStatic, BodyType::kKinematic, BodyType::kDynamic);
  const Layer usual = type == BodyType::kStatic ? Layer::kStatic : Layer::kDynamic;
  auto world = MakeWorld(TwoLayers());
  PoolHere pool(1);
  WaitTime wait;
  BodyDef def = SphereAt(0.5f, {0, 0, 0});
  def.type = type;
  const BodyId id = Add(*world, def);
  const std::vector<BodyId> only = {id};
  for (const Layer layer : {kDebris, kOther, kDebris, usual, kOther, usual}) {
    REQUIRE(world->SetProperties(id, To(layer), wait));
    for (int i = 0; i < 2; ++i) {
      CHECK(Get(*world, id).layer == layer);
      CHECK(FoundIn(*world, {layer}) == only);
      CHECK(FoundIn(*world, LayerSet::All()) == only);
      LayerSet others = LayerSet::All();
      others.Drop(layer);
      CHECK(FoundIn(*world, others).empty());
      REQUIRE(Run(*world, pool, 1));
    }
  }
  REQUIRE(world->SetProperties(id, To(kDebris), wait));
  REQUIRE(world->DestroyBody(id, wait));
  CHECK(FoundIn(*world, LayerSet::All()).empty());
}

TEST_CASE("a body changes its layer again and again between two updates, with nodes to spare") {
  WorldDef def = TwoLayers();
  def.max_bodies = 8;
  auto world = MakeWorld(def);
  PoolHere pool(0);
  WaitTime wait;
  std::vector<BodyId> ids;
  for (int i = 0; i < 8; ++i) {
    ids.push_back(Add(*world, SphereAt(0.4f, {static_cast<float>(i), 0, 0})));
  }
  for (int update = 0; update < 3; ++update) {
    for (int round = 0; round < 500; ++round) {
      for (const BodyId id : ids) {
        const std::array layers = {Layer::kDynamic, kDebris, kOther};
        REQUIRE(world->SetProperties(id, To(layers[static_cast<std::size_t>(round % 3)]), wait));
      }
    }
    CHECK(FoundIn(*world, LayerSet::All()) == ids);
    REQUIRE(Run(*world, pool, 1));
    CHECK(world->stats().failed_rebuilds == 0);
  }
}

TEST_CASE("a body of a batch changes its layer before the update that settles it") {
  auto world = MakeWorld(TwoLayers());
  PoolHere pool(0);
  WaitTime wait;
  const std::vector<BodyDef> defs = {SphereAt(0.5f, {}), SphereAt(0.5f, {3, 0, 0})};
  WorldBatch batch = std::move(*world->PrepareBatch(defs));
  const std::vector<BodyId> prepared(batch.bodies().begin(), batch.bodies().end());
  CHECK(world->SetProperties(prepared[0], To(kDebris), wait).error().code == ErrorCode::kStaleId);
  const std::vector<BodyId> ids = *world->FinaliseBatch(batch, wait);
  REQUIRE(world->SetProperties(ids[0], To(kDebris), wait));
  CHECK(FoundIn(*world, {kDebris}) == std::vector<BodyId>{ids[0]});
  CHECK(FoundIn(*world, {Layer::kDynamic}) == std::vector<BodyId>{ids[1]});
  REQUIRE(Run(*world, pool, 2));
  CHECK(FoundIn(*world, LayerSet::All()) == ids);
}

TEST_CASE("contacts begin and end with the layers of their bodies") {
  auto world = MakeWorld(TwoLayers());
  PoolHere pool(0);
  WaitTime wait;
  const BodyId floor = Add(*world, Floor());
  const BodyId lower = Add(*world, BoxAt({0.5f, 0.5f, 0.5f}, {0, 0.5f, 0}));
  const BodyId upper = Add(*world, BoxAt({0.4f, 0.4f, 0.4f}, {0, 1.4f, 0}));
  REQUIRE(Run(*world, pool, 200));
  REQUIRE(Get(*world, upper).asleep);
  REQUIRE(world->SetProperties(upper, To(kDebris), wait));
  CHECK_FALSE(Get(*world, upper).asleep);
  REQUIRE(Run(*world, pool, 1));
  CHECK(Ended(*world, lower, upper));
  REQUIRE(Run(*world, pool, 200));
  // Through the lower one, and onto the floor.
  CHECK(Get(*world, upper).position.y == Approx(0.4f).margin(0.01));
  REQUIRE(Get(*world, lower).asleep);
  REQUIRE(world->SetProperties(upper, To(kOther), wait));
  REQUIRE(Run(*world, pool, 1));
  CHECK(Began(*world, lower, upper));
  CHECK_FALSE(Get(*world, lower).asleep);
  CHECK_FALSE(Ended(*world, floor, upper));
}

TEST_CASE("what sleeps on a static or kinematic body falls when the layers no longer touch") {
  const BodyType type = GENERATE(BodyType::kStatic, BodyType::kKinematic);
  WorldDef def = SmallWorld();
  def.user_layers = {{.name = "ghost", .touches = {}}};
  auto world = MakeWorld(def);
  PoolHere pool(1);
  WaitTime wait;
  BodyDef table = Floor();
  table.type = type;
  const BodyId under = Add(*world, table);
  const BodyId box = Add(*world, BoxAt({0.5f, 0.5f, 0.5f}, {0, 0.5f, 0}));
  REQUIRE(Run(*world, pool, 200));
  REQUIRE(Get(*world, box).asleep);
  REQUIRE(world->SetProperties(under, To(UserLayer(0)), wait));
  REQUIRE(Run(*world, pool, 1));
  CHECK_FALSE(Get(*world, box).asleep);
  CHECK(Ended(*world, under, box));
  REQUIRE(Run(*world, pool, 30));
  CHECK(Get(*world, box).position.y < 0.0f);
}

TEST_CASE("a body asleep where another one comes into its layer wakes") {
  const BodyType type = GENERATE(BodyType::kStatic, BodyType::kKinematic);
  WorldDef def = SmallWorld();
  def.user_layers = {{.name = "ghost", .touches = {}}};
  auto world = MakeWorld(def);
  PoolHere pool(0);
  WaitTime wait;
  Add(*world, Floor());
  BodyDef ghost = BoxAt({0.5f, 0.5f, 0.5f}, {0.4f, 0.5f, 0});
  ghost.type = type;
  ghost.layer = UserLayer(0);
  const BodyId in_it = Add(*world, ghost);
  const BodyId box = Add(*world, BoxAt({0.5f, 0.5f, 0.5f}, {0, 0.5f, 0}));
  REQUIRE(Run(*world, pool, 200));
  REQUIRE(Get(*world, box).asleep);
  const Layer usual = type == BodyType::kStatic ? Layer::kStatic : Layer::kDynamic;
  REQUIRE(world->SetProperties(in_it, To(usual), wait));
  REQUIRE(Run(*world, pool, 1));
  CHECK(Began(*world, in_it, box));
  CHECK_FALSE(Get(*world, box).asleep);
}

TEST_CASE("a sensor that leaves the layers of a sleeping body no longer notices it") {
  WorldDef def = SmallWorld();
  def.user_layers = {{.name = "ghost", .touches = {}}};
  auto world = MakeWorld(def);
  PoolHere pool(0);
  WaitTime wait;
  Add(*world, Floor());
  BodyDef sensor = BoxAt({1, 1, 1}, {0, 1, 0});
  sensor.type = BodyType::kStatic;
  sensor.sensor = true;
  const BodyId eye = Add(*world, sensor);
  const BodyId box = Add(*world, BoxAt({0.5f, 0.5f, 0.5f}, {0, 0.5f, 0}));
  REQUIRE(Run(*world, pool, 200));
  REQUIRE(Get(*world, box).asleep);
  REQUIRE(world->SetProperties(eye, To(UserLayer(0)), wait));
  REQUIRE(Run(*world, pool, 1));
  CHECK(Ended(*world, eye, box));
  CHECK(Get(*world, box).asleep);
  REQUIRE(world->SetProperties(eye, To(Layer::kStatic), wait));
  REQUIRE(Run(*world, pool, 1));
  CHECK(Began(*world, eye, box));
  CHECK(Get(*world, box).asleep);
}

TEST_CASE("a layer that a body cannot have is refused, and nothing changes") {
  auto world = MakeWorld(TwoLayers());
  WaitTime wait;
  const BodyId floor = Add(*world, Floor());
  const BodyId ball = Add(*world, SphereAt(0.5f, {0, 5, 0}));
  const std::uint64_t before = world->StateHash();
  const auto refused = [&](BodyId id, Layer layer) {
    BodyChange change = To(layer);
    change.shape = Shape::Sphere(0.7f);
    change.friction = 0.9f;
    const Error error = world->SetProperties(id, change, wait).error();
    return error.code == ErrorCode::kInvalidArgument && error.subject == std::string("layer") &&
           error.amount == static_cast<std::int64_t>(layer);
  };
  CHECK(refused(floor, Layer::kDynamic));
  CHECK(refused(ball, Layer::kStatic));
  CHECK(refused(ball, UserLayer(2)));
  CHECK(refused(ball, static_cast<Layer>(255)));
  CHECK(Get(*world, ball).layer == Layer::kDynamic);
  CHECK(Get(*world, ball).shape == Shape::Sphere(0.5f));
  CHECK(Get(*world, floor).layer == Layer::kStatic);
  CHECK(world->StateHash() == before);
  CHECK(FoundIn(*world, {Layer::kDynamic}) == std::vector<BodyId>{ball});
}

TEST_CASE("a saved world has the layers as they were changed, and goes on in the same way") {
  const auto make = [] { return MakeWorld(TwoLayers()); };
  auto world = make();
  PoolHere pool(0);
  WaitTime wait;
  Add(*world, Floor());
  const BodyId lower = Add(*world, BoxAt({0.5f, 0.5f, 0.5f}, {0, 0.5f, 0}));
  const BodyId upper = Add(*world, BoxAt({0.5f, 0.5f, 0.5f}, {0, 1.5f, 0}));
  REQUIRE(Run(*world, pool, 200));
  REQUIRE(world->SetProperties(lower, To(kDebris), wait));
  REQUIRE(world->SetProperties(upper, To(kOther), wait));
  const auto saved = *world->Save();
  auto again = make();
  REQUIRE(again->Restore(saved));
  CHECK(FoundIn(*again, {kDebris}).size() == 1);
  CHECK(FoundIn(*again, {kOther}).size() == 1);
  for (int i = 0; i < 60; ++i) {
    REQUIRE(Run(*world, pool, 1));
    REQUIRE(Run(*again, pool, 1));
    REQUIRE(again->StateHash() == world->StateHash());
  }
}

// Two threads change the layers of their bodies. A query of all these layers sees each body once,
// whatever way it takes through the trees.
//
// Neither side gets far ahead. For each round of queries that is done, all threads together make at
// least kFewest changes before the next round, and a thread makes at most kMost. Not all can wait:
// if both changing threads do, there are 2 kMost changes for each round and more, and if both
// querying threads do, there are fewer than kFewest.
TEST_CASE("queries of several layers see each body once while threads change layers") {
  constexpr int kBodies = 8;
  constexpr int kQueries = 600;
  constexpr int kFewest = 4;
  constexpr int kMost = 8;
  auto world = MakeWorld(TwoLayers());
  std::vector<BodyId> ids;
  for (int i = 0; i < kBodies; ++i) {
    ids.push_back(Add(*world, SphereAt(0.4f, {static_cast<float>(2 * i), 0, 0})));
  }
  std::atomic<bool> stop{false};
  std::atomic<int> readers{2};
  std::atomic<int> refused{0};
  std::atomic<int> changes{0};
  std::atomic<int> rounds{0};
  const auto change = [&](std::size_t first) {
    WaitTime wait;
    constexpr std::array kLayers = {kOther,          Layer::kDynamic, kDebris,
                                    Layer::kDynamic, kOther,          kDebris};
    for (std::size_t i = 0; !stop; ++i) {
      while (!stop && static_cast<int>(i) >= kMost * (rounds + 1)) std::this_thread::yield();
      const BodyId id = ids[first + 2 * (i % (kBodies / 2))];
      if (!world->SetProperties(id, To(kLayers[i / 4 % kLayers.size()]), wait)) ++refused;
      ++changes;
    }
  };
  std::atomic<int> wrong_box{0}, wrong_copies{0}, wrong_near{0}, wrong_rays{0}, wrong_hits{0},
      wrong_nearest{0}, wrong_blocked{0};
  const auto query = [&] {
    WaitTime wait;
    const WorldView view = world->Read();
    const QueryFilter all;
    std::vector<BodyId> found;
    std::vector<BodySnapshot> copies;
    std::vector<NearSnapshot> near;
    std::vector<RayHit> hits;
    const auto everywhere = ToBounds({-100, -100, -100}, {100, 100, 100});
    for (int i = 0; i < kQueries; ++i) {
      while (changes < kFewest * rounds) std::this_thread::yield();
      view.FindInBox(everywhere, all, found, wait);
      wrong_box += found != ids;
      // With room for each body once.
      view.Collect(everywhere, all, copies, wait, kBodies);
      wrong_copies += copies.size() != kBodies;
      view.CollectNearest({}, 1000, 2 * kBodies, all, near, wait);
      wrong_near += near.size() != kBodies;
      const auto k = static_cast<std::size_t>(i % kBodies);
      const Vec3 above{static_cast<float>(2 * k), 10, 0};
      const RayCast down{above, {0, -20, 0}};
      const auto hit = world->CastRay(down, all, wait);
      wrong_rays += !hit || hit->body != ids[k];
      wrong_blocked += !view.IsBlocked(down, all, wait);
      view.CollectHits({{-10, 0, 0}, {100, 0, 0}}, all, hits, wait, kBodies);
      wrong_hits += hits.size() != kBodies;
      const auto nearest = view.FindNearest(above, 100, all, wait);
      wrong_nearest += !nearest || nearest->body != ids[k];
      ++rounds;
    }
    if (--readers == 0) stop = true;
  };
  {
    std::vector<std::jthread> threads;
    threads.emplace_back(change, 0u);
    threads.emplace_back(change, 1u);
    threads.emplace_back(query);
    threads.emplace_back(query);
  }
  CHECK(refused == 0);
  CHECK(wrong_box == 0);
  CHECK(wrong_copies == 0);
  CHECK(wrong_near == 0);
  CHECK(wrong_rays == 0);
  CHECK(wrong_blocked == 0);
  CHECK(wrong_hits == 0);
  CHECK(wrong_nearest == 0);
}

}  // namespace
}  // namespace nowait
