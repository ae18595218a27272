// The reports of a state: each field of a snapshot, each part of the hash, and the definition.
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "tests/world/scene.h"

namespace nowait {
namespace {

WorldDef Weightless() {
  WorldDef def;
  def.gravity = {};
  return def;
}

TEST_CASE("a snapshot has all that the body was made with, by id and in the whole state") {
  WorldDef def = Weightless();
  def.user_layers = {{.name = "own"}};
  auto world = MakeWorld(def);
  BodyDef made = BoxAt({1, 2, 3}, {4, 5, 6});
  made.layer = UserLayer(0);
  made.rotation = Normalise({0.3f, -0.5f, 0.2f, 0.7f});
  made.linear_velocity = {7, 8, 9};
  made.angular_velocity = {-1, -2, -3};
  made.user = ~std::uint64_t{0} - 5;
  const BodyId id = Add(*world, made);
  std::vector<BodySnapshot> all;
  world->Snapshot(all);
  REQUIRE(all.size() == 1);
  for (const BodySnapshot& body : {Get(*world, id), all[0]}) {
    CHECK(body.id == id);
    CHECK(body.type == BodyType::kDynamic);
    CHECK_FALSE(body.asleep);
    CHECK(body.layer == UserLayer(0));
    CHECK(body.shape == made.shape);
    CHECK(body.position == made.position);
    CHECK(Length(Rotate(body.rotation, {1, 2, 3}) - Rotate(made.rotation, {1, 2, 3})) < 1e-5f);
    CHECK(body.linear_velocity == made.linear_velocity);
    CHECK(body.angular_velocity == made.angular_velocity);
    CHECK(body.island == BodySnapshot::kNoIsland);
    CHECK(body.user == made.user);
  }
}

TEST_CASE(
    "the whole state is the bodies by ascending slot, without those that are gone or prepared") {
  auto world = MakeWorld();
  WaitTime wait;
  std::vector<BodyId> ids;
  for (int i = 0; i < 5; ++i)
    ids.push_back(Add(*world, SphereAt(1, {static_cast<float>(5 * i), 0, 0})));
  REQUIRE(world->DestroyBody(ids[2], wait));
  const BodyDef ball = SphereAt(1, {0, 50, 0});
  WorldBatch batch = std::move(*world->PrepareBatch(std::span(&ball, 1)));
  std::vector<BodySnapshot> all(3);  // its contents are replaced
  world->Snapshot(all);
  REQUIRE(all.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) CHECK(all[i].id == ids[i < 2 ? i : i + 1]);
  REQUIRE(world->AbortBatch(batch));
}

TEST_CASE("a body's island is the lowest slot in it, of the last step in which it was awake") {
  WorldDef def = Weightless();
  auto world = MakeWorld(def);
  PoolHere pool(0);
  WaitTime wait;
  const BodyId floor = Add(*world, Floor());
  const auto box = [&](float x, float y) {
    return Add(*world, BoxAt({0.5f, 0.5f, 0.5f}, {x, y, 0}));
  };
  const BodyId alone = box(9, 0.5f), lower = box(0, 0.5f), upper = box(0, 1.5f);
  BodyDef asleep = BoxAt({0.5f, 0.5f, 0.5f}, {-9, 0.5f, 0});
  asleep.asleep = true;
  const BodyId sleeper = Add(*world, asleep);
  const auto island = [&](BodyId id) { return Get(*world, id).island; };
  CHECK(island(lower) == BodySnapshot::kNoIsland);
  REQUIRE(Run(*world, pool, 1));
  CHECK(island(floor) == BodySnapshot::kNoIsland);
  CHECK(island(alone) == alone.slot());
  CHECK(island(lower) == lower.slot());
  CHECK(island(upper) == lower.slot());
  CHECK(island(sleeper) == BodySnapshot::kNoIsland);
  REQUIRE(Run(*world, pool, 200));
  REQUIRE(Get(*world, upper).asleep);
  CHECK(island(upper) == lower.slot());
  REQUIRE(world->MoveBody(upper, {20, 20, 0}, {}, wait));
  REQUIRE(Run(*world, pool, 1));
  CHECK(island(upper) == upper.slot());
}

TEST_CASE("the hash changes with each part of a body's state, and with the id of its slot") {
  WaitTime wait;
  std::set<std::uint64_t> hashes;
  const auto hash_after = [&](auto change) {
    auto world = MakeWorld(Weightless());
    BodyDef def = BoxAt({1, 1, 1}, {1, 2, 3});
    def.asleep = true;
    const BodyId id = Add(*world, def);
    REQUIRE(world->WakeBody(id, wait));
    change(*world, id);
    return world->StateHash();
  };
  const auto is_new = [&](auto change) { return hashes.insert(hash_after(change)).second; };
  const Quat turn = Normalise({0, 0, 0.1f, 1});
  CHECK(is_new([](World&, BodyId) {}));
  CHECK_FALSE(is_new([&](World& world, BodyId id) { REQUIRE(world.WakeBody(id, wait)); }));
  for (int axis = 0; axis < 3; ++axis) {
    Vec3 place{1, 2, 3}, speed;
    place.Set(axis, 9);
    speed.Set(axis, 1);
    CHECK(is_new([&](World& w, BodyId id) { REQUIRE(w.MoveBody(id, place, {}, wait)); }));
    CHECK(is_new([&](World& w, BodyId id) { REQUIRE(w.SetVelocity(id, speed, {}, wait)); }));
    CHECK(is_new([&](World& w, BodyId id) { REQUIRE(w.SetVelocity(id, {}, speed, wait)); }));
  }
  CHECK(is_new([&](World& w, BodyId id) { REQUIRE(w.MoveBody(id, {1, 2, 3}, turn, wait)); }));
  CHECK(is_new([&](World& w, BodyId id) { REQUIRE(w.DestroyBody(id, wait)); }));
  CHECK(is_new([&](World& w, BodyId) {
    BodyDef another = BoxAt({1, 1, 1}, {1, 2, 3});
    another.type = BodyType::kStatic;
    Add(w, another);
  }));
  auto asleep = MakeWorld(Weightless());
  BodyDef def = BoxAt({1, 1, 1}, {1, 2, 3});
  def.asleep = true;
  Add(*asleep, def);
  CHECK(hashes.insert(asleep->StateHash()).second);
  // The next body of a slot is another one, in the same place.
  WorldDef one = Weightless();
  one.max_bodies = 1;
  auto reused = MakeWorld(one);
  const BodyId first = Add(*reused, def);
  CHECK(reused->StateHash() == asleep->StateHash());
  REQUIRE(reused->DestroyBody(first, wait));
  Add(*reused, def);
  CHECK(reused->StateHash() != asleep->StateHash());
}

TEST_CASE("a world keeps its definition, and what it has by default is what world_def.h says") {
  WorldDef def;
  CHECK(def.max_bodies == 4096);
  CHECK(def.max_contacts == 32768);
  CHECK(def.body_locks == 32);
  CHECK(def.user_layers.empty());
  CHECK(def.gravity == Vec3{0, -9.81f, 0});
  CHECK(def.static_rebuild == RebuildPolicy::kByTurns);
  CHECK(def.dynamic_rebuild == RebuildPolicy::kByTurns);
  CHECK(LayerDef().touches == LayerSet::All());
  CHECK(LayerDef().rebuild == RebuildPolicy::kByTurns);
  def.max_contacts = 77;
  def.gravity = {1, 2, 3};
  def.rest.time = 0.75f;
  def.solver.substeps = 7;
  def.user_layers = {{.name = "mine"}};
  const auto world = MakeWorld(def);
  CHECK(world->def().max_contacts == 77);
  CHECK(world->def().gravity == Vec3{1, 2, 3});
  CHECK(world->def().rest.time == 0.75f);
  CHECK(world->def().solver.substeps == 7);
  CHECK(world->def().user_layers[0].name == "mine");
}

}  // namespace
}  // namespace nowait
