// World: each allocation of an operation fails once.
#include <catch2/catch.hpp>
#include <memory>
#include <utility>
#include <vector>

#include "src/jobs/task_pool.h"
#include "src/world/world.h"
#include "tests/whole/faults/sweep.h"
#include "tests/world/scene.h"

namespace nowait::whole {
namespace {

constexpr std::uint32_t kBodies = 24;

WorldDef SmallDef() {
  WorldDef def;
  def.max_bodies = kBodies;
  def.max_contacts = 256;
  def.user_layers.push_back({.name = "debris"});
  return def;
}

// A heap of spheres on a floor, and room for eight more bodies.
struct Scene {
  std::unique_ptr<World> world = MakeWorld(SmallDef());
  WorldBatch batch;
  WaitTime wait;

  Scene() {
    Add(*world, Floor());
    for (int i = 0; i < 15; ++i) Add(*world, SphereAt(0.5f, PlaceOf(i)));
  }
  Scene(Scene&&) = default;
  ~Scene() {
    if (world) static_cast<void>(world->AbortBatch(batch));  // cannot fail: this world's, or empty
  }

  static Vec3 PlaceOf(int i) {
    return {0.6f * static_cast<float>(i % 4), 0.4f + 0.7f * static_cast<float>(i / 4), 0.0f};
  }
  static std::vector<BodyDef> Defs(int count) {
    std::vector<BodyDef> defs;
    for (int i = 0; i < count; ++i) {
      defs.push_back(SphereAt(0.3f, {5.0f + static_cast<float>(i), 2.0f, 0.0f}));
      if (i % 2 == 1) defs.back().layer = UserLayer(0);
    }
    return defs;
  }
  // All slots can be had: nothing holds one that should not.
  void CheckRoomFor(int count) {
    auto all = world->PrepareBatch(Defs(count));
    REQUIRE(all.has_value());
    REQUIRE(world->AbortBatch(*all).has_value());
    CHECK_FALSE(world->PrepareBatch(Defs(count + 1)).has_value());
  }
  std::size_t Found() {
    std::vector<BodyId> ids;
    world->Read().FindInBox(ToBounds({-1e4f, -1e4f, -1e4f}, {1e4f, 1e4f, 1e4f}), {}, ids, wait);
    return ids.size();
  }
};

TEST_CASE("World::Create returns an error for each allocation that fails") {
  const WorldDef def = SmallDef();
  const auto swept = Sweep([] { return std::unique_ptr<World>(); },
                           [&def](std::unique_ptr<World>& world) -> Result<void> {
                             auto made = World::Create(def);
                             if (!made) return std::unexpected(made.error());
                             world = std::move(*made);
                             return {};
                           },
                           [](const std::unique_ptr<World>& world, const Result<void>& done) {
                             CHECK((world != nullptr) == done.has_value());
                           });
  CHECK(swept.faults > 10);
  CHECK(swept.refused > 10);
}

TEST_CASE("CreateBody leaves nothing behind when an allocation fails") {
  const BodyDef def = Scene::Defs(2).back();
  Sweep([] { return Scene(); },
        [&def](Scene& scene) -> Result<void> {
          const auto id = scene.world->CreateBody(def, scene.wait);
          return id ? Result<void>() : std::unexpected(id.error());
        },
        [](Scene& scene, const Result<void>& done) {
          CHECK(scene.world->body_count() == (done ? 17u : 16u));
          CHECK(scene.Found() == scene.world->body_count());
          scene.CheckRoomFor(done ? 7 : 8);
        });
}

TEST_CASE("PrepareBatch leaves nothing behind when an allocation fails") {
  const auto swept =
      Sweep([] { return std::pair<Scene, std::vector<BodyDef>>(Scene(), Scene::Defs(8)); },
            [](auto& state) -> Result<void> {
              auto batch = state.first.world->PrepareBatch(state.second);
              if (!batch) return std::unexpected(batch.error());
              state.first.batch = std::move(*batch);
              return {};
            },
            [](auto& state, const Result<void>& done) {
              Scene& scene = state.first;
              CHECK(scene.batch.empty() == !done.has_value());
              CHECK(scene.world->body_count() == 16);
              REQUIRE(scene.world->AbortBatch(scene.batch).has_value());
              scene.CheckRoomFor(8);
            });
  CHECK(swept.refused > 5);
}

// Into a world that has never stepped: nothing that a step makes is there yet.
TEST_CASE("Restore makes the saved world or leaves this one as it is, where any allocation fails") {
  Scene other;
  PoolHere pool(0);
  REQUIRE(Run(*other.world, pool, 30));
  REQUIRE(other.world->stats().contacts > 0);
  const auto saved = other.world->Save();
  REQUIRE(saved.has_value());
  const std::uint64_t of_saved = other.world->StateHash(), of_new = Scene().world->StateHash();
  REQUIRE(of_saved != of_new);
  const auto swept =
      Sweep([] { return Scene(); }, [&](Scene& scene) { return scene.world->Restore(*saved); },
            [&](Scene& scene, const Result<void>& done) {
              CHECK(scene.world->StateHash() == (done ? of_saved : of_new));
              CHECK(scene.Found() == 16);
              scene.CheckRoomFor(8);
            });
  CHECK(swept.refused > 20);
}

TEST_CASE("a change of layer and shape is made or not, where any allocation fails") {
  const auto body_of = [](Scene& scene) {
    std::vector<BodyId> ids;
    scene.world->Read().FindInBox(ToBounds({-1e4f, -1e4f, -1e4f}, {1e4f, 1e4f, 1e4f}), {}, ids,
                                  scene.wait);
    return ids.at(5);
  };
  BodyChange change;
  change.layer = UserLayer(0);
  change.shape = Shape::Box({0.4f, 0.3f, 0.2f});
  Sweep(
      [&] {
        Scene scene;
        const BodyId body = body_of(scene);
        return std::pair(std::move(scene), body);
      },
      [&](auto& state) {
        return state.first.world->SetProperties(state.second, change, state.first.wait);
      },
      [&](auto& state, const Result<void>& done) {
        const BodySnapshot now = Get(*state.first.world, state.second);
        CHECK((now.layer == UserLayer(0)) == done.has_value());
        CHECK((now.shape.kind == ShapeKind::kBox) == done.has_value());
        CHECK(state.first.Found() == 16);
        state.first.CheckRoomFor(8);
      });
}

TEST_CASE("FinaliseBatch makes all of a batch's bodies part of the world, or leaves it a batch") {
  Sweep(
      [] {
        Scene scene;
        scene.batch = std::move(*scene.world->PrepareBatch(Scene::Defs(8)));
        return scene;
      },
      [](Scene& scene) -> Result<void> {
        const auto ids = scene.world->FinaliseBatch(scene.batch, scene.wait);
        return ids ? Result<void>() : std::unexpected(ids.error());
      },
      [](Scene& scene, const Result<void>& done) {
        CHECK(scene.batch.empty() == done.has_value());
        CHECK(scene.world->body_count() == (done ? 24u : 16u));
        CHECK(scene.Found() == scene.world->body_count());
        REQUIRE(scene.world->AbortBatch(scene.batch).has_value());
        scene.CheckRoomFor(done ? 0 : 8);
      });
}

TEST_CASE("AbortBatch needs no memory: a batch is given back where every allocation fails") {
  const auto swept = Sweep(
      [] {
        Scene scene;
        scene.batch = std::move(*scene.world->PrepareBatch(Scene::Defs(8)));
        return scene;
      },
      [](Scene& scene) -> Result<void> { return scene.world->AbortBatch(scene.batch); },
      [](Scene& scene, const Result<void>& done) {
        CHECK(done.has_value());
        scene.CheckRoomFor(8);
      });
  CHECK(swept.faults == 0);
}

// The hash of the scene after so many updates without any fault.
std::uint64_t HashAfter(int updates) {
  PoolHere pool(0);
  Scene scene;
  REQUIRE(Run(*scene.world, pool, updates));
  return scene.world->StateHash();
}

void SweepUpdate(std::uint32_t workers) {
  PoolHere pool(workers);
  const std::uint64_t before = HashAfter(0);
  const std::uint64_t one = HashAfter(1);
  const std::uint64_t two = HashAfter(2);
  const auto swept = Sweep([] { return Scene(); },
                           [&](Scene& scene) { return scene.world->Update(1.0f / 60.0f, pool); },
                           [&](Scene& scene, const Result<void>& done) {
                             CHECK(scene.world->StateHash() == (done ? one : before));
                             CHECK(Run(*scene.world, pool, done ? 1 : 2));
                             CHECK(scene.world->StateHash() == two);
                           });
  CHECK(swept.faults > 5);
}

TEST_CASE("An update in which an allocation fails did all of the step or nothing") {
  SweepUpdate(0);
}

TEST_CASE("An update on several threads in which an allocation fails did all or nothing") {
  SweepUpdate(2);
}

// A body that sleeps on a platform, as of an update.
struct Sleeper {
  std::unique_ptr<World> world = MakeWorld(SmallDef());
  BodyId platform, body;

  explicit Sleeper(TaskPool& pool) {
    BodyDef box = BoxAt({1, 1, 1}, {0, 4, 0});
    box.type = BodyType::kStatic;
    platform = Add(*world, box);
    BodyDef ball = SphereAt(0.5f, {0, 5.5f, 0});
    ball.asleep = true;
    body = Add(*world, ball);
    REQUIRE(Run(*world, pool, 1));
    REQUIRE(Get(*world, body).asleep);
  }
};

// That the sleeper wakes after a change, also when a step has found no memory in between.
template <class Change>
void SweepWaking(const Change& change) {
  PoolHere pool(0);
  Sleeper undisturbed(pool);
  change(undisturbed);
  REQUIRE(Run(*undisturbed.world, pool, 1));
  const std::uint64_t expected = undisturbed.world->StateHash();
  const auto swept = Sweep(
      [&] {
        Sleeper scene(pool);
        change(scene);
        return scene;
      },
      [&](Sleeper& scene) { return scene.world->Update(1.0f / 60.0f, pool); },
      [&](Sleeper& scene, const Result<void>& done) {
        CHECK((done || Run(*scene.world, pool, 1)));
        CHECK_FALSE(Get(*scene.world, scene.body).asleep);
        CHECK(scene.world->StateHash() == expected);
      });
  CHECK(swept.refused > 5);
}

TEST_CASE("a step without memory leaves a kinematic body where queries found it before") {
  const auto swept = Sweep(
      [] {
        Scene scene;
        BodyDef cart = SphereAt(0.5f, {-40, 3, 0});
        cart.type = BodyType::kKinematic;
        const BodyId id = Add(*scene.world, cart);
        REQUIRE(scene.world->SetTarget(id, {-36, 3, 0}, {}, scene.wait));
        return scene;
      },
      [pool = PoolHere(0)](Scene& scene) { return scene.world->Update(1.0f / 60, pool, 1); },
      [](Scene& scene, const Result<void>& done) {
        std::vector<BodyId> ids;
        scene.world->Read().FindInBox(ToBounds({-37, 2, -1}, {-35, 4, 1}), {}, ids, scene.wait);
        CHECK(ids.size() == (done ? 1u : 0u));
      });
  CHECK(swept.refused > 10);
}

TEST_CASE("a sleeper wakes when what it rests on has gone, after a step without memory, too") {
  SweepWaking([](Sleeper& scene) {
    WaitTime wait;
    REQUIRE(scene.world->DestroyBody(scene.platform, wait));
  });
}

TEST_CASE("a sleeper wakes when what it rests on has moved, after a step without memory, too") {
  SweepWaking([](Sleeper& scene) {
    WaitTime wait;
    REQUIRE(scene.world->MoveBody(scene.platform, {0, -50, 0}, {}, wait));
  });
}

TEST_CASE("a sleeper wakes when an awake body comes, after a step without memory, too") {
  SweepWaking([](Sleeper& scene) { Add(*scene.world, SphereAt(0.5f, {0.9f, 5.6f, 0})); });
}

}  // namespace
}  // namespace nowait::whole
