// Layers of the game's own: the definitions that a world refuses, bodies that touch, queries, and
// which trees are rebuilt.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "src/world/world.h"
#include "tests/world/scene.h"

namespace nowait {
namespace {

constexpr Layer kDebris = UserLayer(0);
constexpr Layer kTrigger = UserLayer(1);

LayerSet AllBut(std::initializer_list<Layer> layers) {
  LayerSet set = LayerSet::All();
  for (const Layer layer : layers) set.Drop(layer);
  return set;
}

// Debris touches what is static and nothing else; triggers touch what is dynamic.
WorldDef TwoLayers() {
  WorldDef def;
  def.user_layers = {{.name = "debris", .touches = {Layer::kStatic}},
                     {.name = "trigger", .touches = {Layer::kDynamic}}};
  return def;
}

BodyDef In(Layer layer, BodyDef def) {
  def.layer = layer;
  return def;
}

Error ErrorOf(const WorldDef& def) { return World::Create(def).error(); }

TEST_CASE("layers that cannot be are refused, and the first wrong row is named") {
  WorldDef def = TwoLayers();
  REQUIRE(World::Create(def).has_value());

  def.user_layers[0].touches.Add(kTrigger);
  CHECK(ErrorOf(def).code == ErrorCode::kInvalidArgument);
  CHECK(ErrorOf(def).subject == std::string("user layer 1"));
  CHECK(ErrorOf(def).amount == 0);
  CHECK(ToString(ErrorOf(def)).find("invalid user layer 1: ") == 0);
  def.user_layers[1].touches.Add(kDebris);
  CHECK(World::Create(def).has_value());

  def = TwoLayers();
  def.user_layers[1].name = "";
  CHECK(ErrorOf(def) == Error{ErrorCode::kInvalidArgument, "user layer 1", 1, "it has no name"});
  for (const char* taken : {"debris", "static", "dynamic"}) {
    def.user_layers[1].name = taken;
    CHECK(ErrorOf(def) ==
          Error{ErrorCode::kInvalidArgument, "user layer 1", 1, "its name is another layer's"});
  }

  def.user_layers.clear();
  for (std::size_t i = 0; i < kMaxUserLayers; ++i) {
    def.user_layers.push_back({.name = "layer " + std::to_string(i)});
  }
  CHECK(World::Create(def).has_value());
  def.user_layers.push_back({.name = "one more"});
  CHECK(ErrorOf(def) == Error{ErrorCode::kInvalidArgument, "user_layers", 15, "at most 14"});
}

TEST_CASE("a layer is found by its name") {
  const auto world = MakeWorld(TwoLayers());
  CHECK(world->FindLayer("static") == Layer::kStatic);
  CHECK(world->FindLayer("dynamic") == Layer::kDynamic);
  CHECK(world->FindLayer("debris") == kDebris);
  CHECK(world->FindLayer("trigger") == kTrigger);
  CHECK(world->FindLayer("debri").error() == Error{ErrorCode::kNotFound, "layer"});
}

TEST_CASE("a body names an existing layer, or no layer") {
  const auto world = MakeWorld(TwoLayers());
  WaitTime wait;
  const BodyDef ball = SphereAt(0.5f, {0, 0, 0});
  CHECK(Get(*world, Add(*world, ball)).layer == Layer::kDynamic);
  CHECK(Get(*world, Add(*world, Floor())).layer == Layer::kStatic);
  CHECK(Get(*world, Add(*world, In(kTrigger, ball))).layer == kTrigger);

  const auto refused = [&](Layer layer, const char* why) {
    const Error error{ErrorCode::kInvalidArgument, "layer",
                      static_cast<std::int64_t>(IndexOf(layer)), why};
    const std::vector<BodyDef> defs{ball, In(layer, ball)};
    CHECK(world->CreateBody(defs[1], wait).error() == error);
    CHECK(world->PrepareBatch(defs).error() == error);
  };
  refused(UserLayer(2), "the world has no such layer");
  refused(static_cast<Layer>(255), "the world has no such layer");
  refused(Layer::kStatic, "kStatic and kDynamic go by the body's type");
  CHECK(world->body_count() == 3);
}

// A ball of each layer falls on a floor and on a static trigger that stands on it.
TEST_CASE("bodies touch as the matrix says") {
  const auto world = MakeWorld(TwoLayers());
  Add(*world, Floor());
  BodyDef plate = BoxAt({5, 0.5f, 5}, {0, 2.5f, 0});
  plate.type = BodyType::kStatic;
  Add(*world, In(kTrigger, plate));
  const BodyId plain = Add(*world, SphereAt(0.5f, {-2, 4, 0}));
  const BodyId debris = Add(*world, In(kDebris, SphereAt(0.5f, {0, 4, 0})));
  const BodyId trigger = Add(*world, In(kTrigger, SphereAt(0.5f, {2, 4, 0})));
  PoolHere pool(1);
  REQUIRE(Run(*world, pool, 120));
  CHECK(Get(*world, plain).position.y == Approx(3.5f).margin(0.05));   // on the plate
  CHECK(Get(*world, debris).position.y == Approx(0.5f).margin(0.05));  // on the floor
  CHECK(Get(*world, trigger).position.y < -5.0f);                      // touches neither
}

TEST_CASE("bodies of layers that do not touch pass through each other, and do not wake") {
  const auto world = MakeWorld(TwoLayers());
  Add(*world, Floor());
  BodyDef resting = BoxAt({0.5f, 0.5f, 0.5f}, {0, 0.5f, 0});
  resting.asleep = true;
  const BodyId sleeper = Add(*world, resting);
  const BodyId passer = Add(*world, In(kDebris, SphereAt(0.4f, {0, 2, 0})));
  PoolHere pool(1);
  bool woke = false;
  for (int i = 0; i < 90; ++i) {
    REQUIRE(world->Update(1.0f / 60.0f, pool));
    woke |= !Get(*world, sleeper).asleep;
    for (const ContactEvent& event : world->contact_events()) {
      CHECK_FALSE((event.a == sleeper && event.b == passer));
    }
  }
  CHECK_FALSE(woke);
  CHECK(Get(*world, passer).position.y == Approx(0.4f).margin(0.05));  // inside the sleeper
  // The same ball without a layer does wake it.
  Add(*world, SphereAt(0.4f, {0, 2, 0}));
  for (int i = 0; i < 90 && !woke; ++i) {
    REQUIRE(world->Update(1.0f / 60.0f, pool));
    woke = !Get(*world, sleeper).asleep;
  }
  CHECK(woke);
}

// One ball in each of the four layers, two of them static, in a row along x.
struct Row {
  Row() : world(MakeWorld(TwoLayers())) {
    BodyDef fixed = SphereAt(0.5f, {0, 0, 0});
    fixed.type = BodyType::kStatic;
    ids.push_back(Add(*world, fixed));
    ids.push_back(Add(*world, SphereAt(0.5f, {2, 0, 0})));
    ids.push_back(Add(*world, In(kDebris, SphereAt(0.5f, {4, 0, 0}))));
    fixed.position = {6, 0, 0};
    ids.push_back(Add(*world, In(kTrigger, fixed)));
  }
  std::unique_ptr<World> world;
  std::vector<BodyId> ids;
};

// By every kind of query; the places in the row of the bodies that pass, the nearest first.
void CheckFound(const Row& row, const QueryFilter& filter, std::vector<std::size_t> expected) {
  const WorldView view = row.world->Read();
  WaitTime wait;
  std::vector<BodyId> ids;
  for (const std::size_t i : expected) ids.push_back(row.ids[i]);
  std::vector<BodyId> in_box;
  view.FindInBox(ToBounds({-9, -9, -9}, {9, 9, 9}), filter, in_box, wait);
  CHECK(in_box == ids);
  const RayCast ray{{-9, 0, 0}, {20, 0, 0}};
  for (const QueryArea& area : {QueryArea(ToBounds({-9, -9, -9}, {9, 9, 9})),
                                QueryArea(Ball{{0, 0, 0}, 20}), QueryArea(ray)}) {
    std::vector<BodySnapshot> found;
    view.Collect(area, filter, found, wait);
    std::vector<BodyId> found_ids;
    for (const BodySnapshot& body : found) found_ids.push_back(body.id);
    CHECK(found_ids == ids);
  }
  std::vector<NearSnapshot> near;
  view.CollectNearest({-1, 0, 0}, 20, 9, filter, near, wait);
  std::vector<BodyId> near_ids;
  for (const NearSnapshot& body : near) near_ids.push_back(body.body.id);
  CHECK(near_ids == ids);
  const auto hit = view.CastRay(ray, filter, wait);
  const auto nearest = view.FindNearest({-1, 0, 0}, 20, filter, wait);
  REQUIRE(hit.has_value() == !expected.empty());
  REQUIRE(nearest.has_value() == !expected.empty());
  if (expected.empty()) return;
  CHECK(hit->body == ids.front());
  CHECK(nearest->body == ids.front());
}

TEST_CASE("a query sees the layers, kinds and bodies that its filter lets through") {
  const Row row;
  CheckFound(row, {}, {0, 1, 2, 3});
  CheckFound(row, {.layers = {kDebris, kTrigger}}, {2, 3});
  CheckFound(row, {.layers = AllBut({kDebris})}, {0, 1, 3});
  CheckFound(row, {.layers = {}}, {});
  CheckFound(row, {.layers = {UserLayer(5)}}, {});
  CheckFound(row, {.statics = false}, {1, 2});
  CheckFound(row, {.dynamics = false}, {0, 3});
  CheckFound(row, {.statics = false, .layers = {kTrigger, Layer::kDynamic}}, {1});
  CheckFound(row, {.ignore = row.ids[2], .layers = {kDebris, kTrigger}}, {3});
}

TEST_CASE("a filter's predicate sees a copy of each body that passes the rest, under no lock") {
  Row row;
  CheckFound(row, {.accept = [&](const BodySnapshot& body) { return body.id != row.ids[0]; }},
             {1, 2, 3});
  // It may do what the querying thread may: here, move the very body that it is asked about. With
  // the body's lock still held this would never return.
  std::vector<Layer> asked;
  QueryFilter filter{.layers = {kDebris}};
  filter.accept = [&](const BodySnapshot& body) {
    asked.push_back(body.layer);
    WaitTime wait;
    CHECK(row.world->MoveBody(body.id, body.position + Vec3{0, 1, 0}, body.rotation, wait));
    return body.shape.kind == ShapeKind::kSphere;
  };
  WaitTime wait;
  std::vector<BodySnapshot> found;
  row.world->Read().Collect(Ball{{0, 0, 0}, 20}, filter, found, wait);
  CHECK(asked == std::vector<Layer>{kDebris});
  REQUIRE(found.size() == 1);
  CHECK(found[0].position.y == 0.0f);  // as it was when it was copied
  CHECK(Get(*row.world, row.ids[2]).position.y == 1.0f);
}

TEST_CASE("a collecting query stops when it has enough") {
  const auto world = MakeWorld();
  for (int i = 0; i < 100; ++i) Add(*world, SphereAt(0.4f, {static_cast<float>(i), 0, 0}));
  const WorldView view = world->Read();
  std::vector<BodySnapshot> found;
  for (const std::size_t limit : {0u, 1u, 7u, 100u, 1000u}) {
    WaitTime wait;
    view.Collect(ToBounds({-1, -1, -1}, {101, 1, 1}), {}, found, wait, limit);
    CHECK(found.size() == std::min<std::size_t>(limit, 100));
    CHECK(wait.acquisitions == found.size());
  }
}

// Static: a tenth of it is near the ground that moves. By turns, one tree is rebuilt in each
// update.
TEST_CASE("trees are rebuilt as their policies say, and the statistics say which") {
  WorldDef def = TwoLayers();
  def.gravity = {};
  def.user_layers[0].rebuild = RebuildPolicy::kWhole;
  def.user_layers[1].rebuild = RebuildPolicy::kKeepUnchanged;
  const auto world = MakeWorld(def);
  std::vector<BodyId> of_layer[4];
  for (int i = 0; i < 200; ++i) {
    BodyDef body = SphereAt(0.2f, {static_cast<float>(i % 20), 0, static_cast<float>(i / 20)});
    if (i % 4 >= 2) body.layer = UserLayer(static_cast<std::size_t>(i % 4 - 2));
    if (i % 4 == 0) body.type = BodyType::kStatic;
    body.asleep = body.type == BodyType::kDynamic;
    of_layer[i % 4].push_back(Add(*world, body));
  }
  PoolHere pool(0);
  const auto rebuilds = [&] { return world->stats().rebuilds.rebuilds; };
  const auto move_one = [&](int layer) {
    WaitTime wait;
    const BodyId id = of_layer[layer].front();
    const Vec3 to = Get(*world, id).position + Vec3{0, 0.5f, 0};
    REQUIRE(world->MoveBody(id, to, {}, wait));
  };
  for (int i = 0; i < 4; ++i) REQUIRE(world->Update(1.0f / 60.0f, pool));  // all are built
  REQUIRE(world->Update(1.0f / 60.0f, pool));
  CHECK(world->stats().rebuilds.replaced_nodes == 0);
  CHECK(world->stats().rebuilds.items == 0);
  const std::uint32_t none[4] = {};
  CHECK(std::equal(none, none + 4, rebuilds().begin()));

  // Both of the game's layers in the same update as one of the two that take turns.
  for (int layer = 0; layer < 4; ++layer) move_one(layer);
  REQUIRE(world->Update(1.0f / 60.0f, pool));
  CHECK(rebuilds()[2] == 1);
  CHECK(rebuilds()[3] == 1);
  CHECK(rebuilds()[0] + rebuilds()[1] == 1);
  REQUIRE(world->Update(1.0f / 60.0f, pool));
  CHECK(rebuilds()[0] + rebuilds()[1] == 1);

  // One body of fifty has moved: the whole tree is dealt anew, or little of it.
  REQUIRE(world->Update(1.0f / 60.0f, pool));
  move_one(2);
  REQUIRE(world->Update(1.0f / 60.0f, pool));
  CHECK(rebuilds()[2] == 1);
  CHECK(world->stats().rebuilds.items == 50);
  move_one(3);
  REQUIRE(world->Update(1.0f / 60.0f, pool));
  CHECK(rebuilds()[3] == 1);
  CHECK(world->stats().rebuilds.items < 30);
  CHECK(world->stats().failed_rebuilds == 0);
}

TEST_CASE("a tree that is refitted is rebuilt now and then, and finds its bodies where they are") {
  WorldDef def;
  def.gravity = {};
  def.dynamic_rebuild = RebuildPolicy::kRefit;
  const auto world = MakeWorld(def);
  std::vector<BodyId> ids;
  for (int i = 0; i < 200; ++i) {
    BodyDef body = SphereAt(0.2f, {static_cast<float>(i % 20), 0, static_cast<float>(i / 20)});
    body.asleep = true;
    ids.push_back(Add(*world, body));
  }
  PoolHere pool(0);
  Random random(41);
  std::uint32_t rebuilds = 0, refits = 0;
  for (std::uint32_t i = 0; i < 2 * kUpdatesARebuild; ++i) {
    const BodyId id = ids[random.Below(200)];
    WaitTime wait;
    const Vec3 to = Get(*world, id).position + Vec3{0, 5, 0};
    REQUIRE(world->MoveBody(id, to, {}, wait));
    REQUIRE(world->Update(1.0f / 60.0f, pool));
    rebuilds += world->stats().rebuilds.rebuilds[IndexOf(Layer::kDynamic)];
    refits += world->stats().rebuilds.refits[IndexOf(Layer::kDynamic)];
    const Vec3 half{0.1f, 0.1f, 0.1f};
    std::vector<BodyId> found;
    world->Read().FindInBox(ToBounds(to - half, to + half), {}, found, wait);
    CHECK(found == std::vector<BodyId>{id});
  }
  CHECK(rebuilds == 2);
  CHECK(refits == 2 * (kUpdatesARebuild - 1));
}

}  // namespace
}  // namespace nowait
