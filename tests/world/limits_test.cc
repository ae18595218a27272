// The largest that is accepted, and one more: bodies, contacts, jobs, layers, height fields.
#include <array>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "src/math/random.h"
#include "tests/world/scene.h"

namespace nowait {
namespace {

std::vector<BodyDef> Balls(std::uint32_t count, float distance) {
  std::vector<BodyDef> defs;
  for (std::uint32_t i = 0; i < count; ++i) {
    defs.push_back(SphereAt(0.5f, {distance * static_cast<float>(i), 0, 0}));
  }
  return defs;
}

WorldDef Weightless() {
  WorldDef def;
  def.gravity = {};
  return def;
}

TEST_CASE("in worlds of 3 to 8 slots a batch of as many bodies fits, and one more does not") {
  const auto slots = GENERATE(range(3u, 9u));
  CAPTURE(slots);
  WorldDef def = Weightless();
  def.max_bodies = slots;
  const auto world = MakeWorld(def);
  PoolHere pool(0);
  WaitTime wait;
  const Error full{ErrorCode::kCapacity, "bodies", slots};
  // Each round uses all slots anew. Nothing of a batch that did not fit stays behind.
  for (int round = 0; round < 5; ++round) {
    CAPTURE(round);
    CHECK(world->PrepareBatch(Balls(slots + 1, 3)).error() == full);
    auto batch = world->PrepareBatch(Balls(slots, 3));
    REQUIRE(batch.has_value());
    CHECK(world->CreateBody(SphereAt(1, {}), wait).error() == full);
    if (round % 2 == 0) {
      REQUIRE(world->AbortBatch(*batch));
      CHECK(world->body_count() == 0);
      continue;
    }
    const auto ids = world->FinaliseBatch(*batch, wait);
    REQUIRE(ids.has_value());
    CHECK(world->CreateBody(SphereAt(1, {}), wait).error() == full);
    REQUIRE(Run(*world, pool, 1));
    CHECK(world->stats().bodies == slots);
    CHECK(world->RemoveBodies(*ids, wait) == slots);
  }
}

// A row of n touching balls has n - 1 contacts.
TEST_CASE("contacts fit into a capacity of as many, and not into one less") {
  const std::uint32_t workers = GENERATE(0u, 2u);
  const std::uint32_t balls = GENERATE(2u, 3u, 9u, 100u);
  for (const std::uint32_t missing : {0u, 1u}) {
    WorldDef def = Weightless();
    def.max_contacts = balls - 1 - missing;
    CAPTURE(workers, balls, def.max_contacts);
    if (def.max_contacts == 0) continue;
    const auto world = MakeWorld(def);
    for (const BodyDef& ball : Balls(balls, 1)) Add(*world, ball);
    PoolHere pool(workers);
    const auto done = world->Update(1.0f / 60.0f, pool);
    REQUIRE(done.has_value() == (missing == 0));
    if (!done) CHECK(done.error() == Error{ErrorCode::kCapacity, "contacts", def.max_contacts});
    CHECK(world->contact_events().size() == (missing == 0 ? balls - 1 : 0));
  }
}

// All sleep but the first, so most pairs are found twice, by each of the two. There has to be room
// for twice as many candidates as contacts.
TEST_CASE("pairs that are found twice do not use up the room of others") {
  const std::uint32_t workers = GENERATE(0u, 2u);
  constexpr std::uint32_t kBalls = 16;
  constexpr std::uint32_t kPairs = kBalls * (kBalls - 1) / 2;
  for (const std::uint32_t room : {kPairs, kPairs - 1}) {
    CAPTURE(workers, room);
    WorldDef def = Weightless();
    def.max_contacts = room;
    const auto world = MakeWorld(def);
    for (const BodyDef& ball : Balls(kBalls, 0.01f)) {
      BodyDef sleeper = ball;
      sleeper.asleep = ball.position.x > 0;
      Add(*world, sleeper);
    }
    PoolHere pool(workers);
    REQUIRE(world->Update(1.0f / 60.0f, pool).has_value() == (room == kPairs));
    CHECK(world->contact_events().size() == (room == kPairs ? kPairs : 0));
  }
}

// Each ball touches each other: without an end there would be half a million tests for nothing.
TEST_CASE("a step that has found too many contacts stops looking for more") {
  constexpr std::uint32_t kBalls = 1000;
  const std::uint32_t workers = GENERATE(0u, 2u);
  WorldDef def = Weightless();
  def.max_contacts = 16;
  const auto world = MakeWorld(def);
  for (const BodyDef& ball : Balls(kBalls, 0)) Add(*world, ball);
  PoolHere pool(workers);
  const auto done = world->Update(1.0f / 60.0f, pool);
  REQUIRE_FALSE(done.has_value());
  CHECK(done.error() == Error{ErrorCode::kCapacity, "contacts", def.max_contacts});
  // Twice the room, one, and one more for each piece of the work; two finds each, and few retries.
  CHECK(world->stats().find.finds > 2 * def.max_contacts);
  CHECK(world->stats().find.finds < 1000);
}

TEST_CASE("after a step with too many contacts, the next one finds all of those that are left") {
  constexpr std::uint32_t kBalls = 1000;
  constexpr std::uint32_t kLeft = 4;
  const std::uint32_t workers = GENERATE(0u, 2u);
  WorldDef def = Weightless();
  def.max_contacts = 16;
  const auto world = MakeWorld(def);
  std::vector<BodyId> ids;
  for (const BodyDef& ball : Balls(kBalls, 0)) ids.push_back(Add(*world, ball));
  PoolHere pool(workers);
  for (int i = 0; i < 2; ++i) REQUIRE_FALSE(world->Update(1.0f / 60.0f, pool).has_value());
  WaitTime wait;
  REQUIRE(world->RemoveBodies(std::span(ids).subspan(kLeft), wait) == kBalls - kLeft);
  REQUIRE(world->Update(1.0f / 60.0f, pool).has_value());
  CHECK(world->stats().contacts == kLeft * (kLeft - 1) / 2);
  CHECK(world->contact_events().size() == kLeft * (kLeft - 1) / 2);
}

// A step hands its islands out in a fixed number of jobs (solve_stage.cc). So many lone bodies
// would be more jobs than that, if a job had no more islands than make it worth while.
TEST_CASE("islands are handed out in as many jobs as there is room for, however many they are") {
  constexpr std::uint32_t kBodies = 20000;
  WorldDef def = Weightless();
  def.max_bodies = kBodies;
  const auto world = MakeWorld(def);
  WaitTime wait;
  std::vector<BodyDef> defs = Balls(kBodies, 2);
  for (BodyDef& ball : defs) ball.linear_velocity = {0, 60, 0};
  auto batch = world->PrepareBatch(defs);
  REQUIRE(batch.has_value());
  REQUIRE(world->FinaliseBatch(*batch, wait).has_value());
  PoolHere pool(1);
  REQUIRE(Run(*world, pool, 1));
  std::vector<BodySnapshot> after;
  world->Snapshot(after);
  std::uint32_t moved = 0;
  for (const BodySnapshot& body : after) moved += body.position.y > 0.9f ? 1 : 0;
  CHECK(moved == kBodies);
  CHECK(world->stats().islands == kBodies);
  CHECK(world->stats().awake == kBodies);
}

constexpr std::size_t kAllLayers = kMaxLayers;

// All layers that a world can have, with a ball of each in a row. A user layer touches only itself.
struct AllLayers {
  AllLayers() {
    WorldDef def = Weightless();
    for (std::size_t i = 0; i < kMaxUserLayers; ++i) {
      def.user_layers.push_back({.name = std::to_string(i), .touches = {UserLayer(i)}});
    }
    world = MakeWorld(def);
    for (std::size_t i = 0; i < kAllLayers; ++i) ids[i] = Add(*world, BallIn(i, 3.0f));
  }
  static BodyDef BallIn(std::size_t layer, float distance) {
    BodyDef def = SphereAt(0.5f, {distance * static_cast<float>(layer), 0, 0});
    if (layer == IndexOf(Layer::kStatic)) def.type = BodyType::kStatic;
    if (layer >= kLayerCount) def.layer = static_cast<Layer>(layer);
    return def;
  }
  std::vector<BodyId> Find(const QueryFilter& filter) const {
    std::vector<BodyId> found;
    WaitTime wait;
    world->Read().FindInBox(ToBounds({-9, -9, -9}, {99, 9, 9}), filter, found, wait);
    return found;
  }

  std::unique_ptr<World> world;
  std::array<BodyId, kAllLayers> ids;
};

TEST_CASE("a filter lets each of sixteen layers through, or all but that one, the last one too") {
  const AllLayers row;
  CHECK(row.Find({}) == std::vector<BodyId>(row.ids.begin(), row.ids.end()));
  CHECK(row.Find({.layers = {}}).empty());
  for (std::size_t i = 0; i < kAllLayers; ++i) {
    CAPTURE(i);
    const auto layer = static_cast<Layer>(i);
    CHECK(row.Find({.layers = {layer}}) == std::vector<BodyId>{row.ids[i]});
    LayerSet others = LayerSet::All();
    others.Drop(layer);
    std::vector<BodyId> expected(row.ids.begin(), row.ids.end());
    expected.erase(expected.begin() + static_cast<std::ptrdiff_t>(i));
    CHECK(row.Find({.layers = others}) == expected);
    WaitTime wait;
    const RayCast ray{{-5, 0, 0}, {99, 0, 0}};
    const auto hit = row.world->CastRay(ray, {.layers = {layer}}, wait);
    REQUIRE(hit.has_value());
    CHECK(hit->body == row.ids[i]);
  }
}

TEST_CASE("a body of the last layer touches what its row says, and no other layer's bodies") {
  const AllLayers row;
  PoolHere pool(0);
  for (std::size_t i = 0; i < kAllLayers; ++i) {
    // A second ball in the same place as the last layer's first one.
    BodyDef ball = AllLayers::BallIn(i, 0.0f);
    ball.position = Get(*row.world, row.ids.back()).position;
    const BodyId id = Add(*row.world, ball);
    REQUIRE(Run(*row.world, pool, 1));
    CAPTURE(i);
    const bool touches = i + 1 == kAllLayers;
    CHECK(row.world->stats().contacts == (touches ? 1 : 0));
    WaitTime wait;
    REQUIRE(row.world->DestroyBody(id, wait));
  }
}

struct Ground {
  std::uint32_t columns, rows;
  float spacing;
};

// Whether a ball whose lowest point is 1 cm below the level of a flat field touches it at (x, z).
bool TouchesAt(World& world, TaskPool& pool, float x, float z) {
  const BodyId ball = Add(world, SphereAt(0.5f, {x, 0.49f, z}));
  REQUIRE(Run(world, pool, 1));
  const bool touches = world.stats().contacts == 1;
  WaitTime wait;
  const auto hit = world.CastRay({{x, 5, z}, {0, -9, 0}}, {.dynamics = false}, wait);
  CHECK(hit.has_value() == touches);
  REQUIRE(world.DestroyBody(ball, wait));
  return touches;
}

TEST_CASE("height fields of the fewest and of the most samples are ground up to their borders") {
  const Ground ground = GENERATE(Ground{2, 2, 1.0f}, Ground{2, 3, 10.0f}, Ground{4096, 2, 0.5f},
                                 Ground{2, 4096, 2.0f});
  CAPTURE(ground.columns, ground.rows, ground.spacing);
  const std::vector<float> heights(ground.columns * ground.rows, 0.0f);
  const auto field = HeightField::Create({ground.columns, ground.rows, ground.spacing, heights});
  REQUIRE(field.has_value());
  const auto world = MakeWorld(Weightless());
  BodyDef def;
  def.type = BodyType::kStatic;
  def.shape = Shape::Ground(field->get());
  Add(*world, def);
  PoolHere pool(0);
  const float width = (*field)->width(), depth = (*field)->depth();
  CHECK(width == ground.spacing * static_cast<float>(ground.columns - 1));
  const float quarter = 0.25f * ground.spacing;
  for (const float x : {0.0f, quarter, 0.5f * width, width - quarter, width}) {
    for (const float z : {0.0f, quarter, 0.5f * depth, depth - quarter, depth}) {
      CAPTURE(x, z);
      CHECK(TouchesAt(*world, pool, x, z));
    }
    CAPTURE(x);
    CHECK_FALSE(TouchesAt(*world, pool, x, -0.6f));
    CHECK_FALSE(TouchesAt(*world, pool, x, depth + 0.6f));
  }
  CHECK_FALSE(TouchesAt(*world, pool, -0.6f, 0.5f * depth));
  CHECK_FALSE(TouchesAt(*world, pool, width + 0.6f, 0.5f * depth));
}

TEST_CASE("a height field's limits belong to it, and what is beyond them is refused by name") {
  const auto subject = [](const HeightFieldDef& def) {
    const auto field = HeightField::Create(def);
    return field ? std::string() : std::string(field.error().subject);
  };
  const std::vector<float> level(2 * 4097, 0.0f);
  const auto first = [&](std::size_t count) { return std::span(level).first(count); };
  CHECK(subject({2, 4096, 1, first(2 * 4096)}) == "");
  CHECK(subject({4096, 2, 1, first(2 * 4096)}) == "");
  CHECK(subject({2, 4097, 1, level}) == "height field rows");
  CHECK(subject({4097, 2, 1, level}) == "height field columns");
  CHECK(subject({1, 4, 1, first(4)}) == "height field columns");
  CHECK(subject({4, 1, 1, first(4)}) == "height field rows");
  CHECK(subject({2, 2, 1, first(3)}) == "height field heights");
  CHECK(subject({2, 2, 1, first(5)}) == "height field heights");
  for (const float spacing : {0.001f, 1e4f}) CHECK(subject({2, 2, spacing, first(4)}) == "");
  for (const float spacing : {0.00099f, 1.0001e4f}) {
    CHECK(subject({2, 2, spacing, first(4)}) == "height field spacing");
  }
  for (const float sign : {-1.0f, 1.0f}) {
    CHECK(subject({2, 2, 1, std::vector<float>{0, 0, 0, sign * 1e6f}}) == "");
    const std::vector<float> beyond{0, 0, 0, sign * 1.00001e6f};
    CHECK(subject({2, 2, 1, beyond}) == "height field height");
  }
}

TEST_CASE("a body for which there is no node takes no slot") {
  constexpr std::uint32_t kBodies = 64;
  PoolHere pool(0);
  WorldDef def;
  def.max_bodies = kBodies;
  const auto world = MakeWorld(def);
  WaitTime wait;
  Random random(28);
  std::vector<BodyId> ids;
  const auto create = [&] {
    return world->CreateBody(SphereAt(0.5f, random.InBox({-500, 100, -500}, {500, 900, 500})),
                             wait);
  };
  std::uint32_t refused = 0;
  {
    // A view keeps the nodes that go out of use, until none is left. Most bodies are then in nodes
    // that were built, where no other body takes their slots.
    const WorldView view = world->Read();
    for (int round = 0; round < 2000 && refused < 2 * kBodies; ++round) {
      while (ids.size() < kBodies) {
        const auto id = create();
        if (!id) {
          REQUIRE(id.error().subject == std::string("tree nodes"));
          ++refused;
          break;
        }
        ids.push_back(*id);
      }
      std::swap(ids[random.Below(static_cast<std::uint32_t>(ids.size()))], ids.back());
      REQUIRE(world->DestroyBody(ids.back(), wait));
      ids.pop_back();
      REQUIRE(Run(*world, pool, 1));
      if (ids.empty()) break;
    }
  }
  REQUIRE(refused > 0);
  // The view is gone, and its nodes come back: each slot is there.
  REQUIRE(Run(*world, pool, 3));
  while (ids.size() < kBodies) {
    const auto id = create();
    CAPTURE(refused, ids.size());
    REQUIRE(id.has_value());
    ids.push_back(*id);
  }
  CHECK(world->body_count() == kBodies);
}

}  // namespace
}  // namespace nowait
