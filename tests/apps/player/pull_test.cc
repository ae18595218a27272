// A viewer's hand drags a body, and can end neither the program nor the scene.
#include "src/apps/player/pull.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "src/jobs/task_pool.h"
#include "tests/whole/faults/allocations.h"

namespace nowait {
namespace {

constexpr float kFrame = 1.0f / 30.0f;

struct Scene {
  Scene() {
    pool = std::move(*TaskPool::Create({.workers = 0}));
    here.emplace(std::move(*pool->Register("main")));
    WorldDef def;
    def.max_bodies = 64;
    world = std::move(*World::Create(def));
    BodyDef floor;
    floor.type = BodyType::kStatic;
    floor.shape = Shape::Box({50, 0.5f, 50});
    floor.position = {0, -0.5f, 0};
    ground = *world->CreateBody(floor, wait);
  }

  BodyId Add(const Shape& shape, Vec3 position) {
    BodyDef def;
    def.shape = shape;
    def.position = position;
    return *world->CreateBody(def, wait);
  }

  static LiveCommand To(BodyId id, Vec3 grip, Vec3 place) {
    LiveCommand command;
    command.kind = LiveCommand::Kind::kPull;
    command.slot = id.slot();
    command.generation = id.generation();
    command.grip = grip;
    command.position = place;
    return command;
  }

  void Run(Pull& pull, int frames, float dt = kFrame) {
    for (int i = 0; i < frames; ++i) {
      REQUIRE(pull.Apply(*world, dt));
      REQUIRE(world->Update(dt, *pool, 2));
    }
  }

  std::unique_ptr<TaskPool> pool;
  std::optional<TaskPool::Registration> here;
  std::unique_ptr<World> world;
  WaitTime wait;
  BodyId ground;
};

TEST_CASE("the grip of a pulled body comes to the place, and stays there without a swing") {
  for (const float dt : {kFrame, kFrame / 16}) {
    for (const Shape& shape :
         {Shape::Sphere(0.5f), Shape::Box({0.1f, 1.0f, 0.3f}), Shape::Capsule(0.2f, 0.8f)}) {
      Scene scene;
      const BodyId id = scene.Add(shape, {0, 2, 0});
      const Vec3 grip{0, 0.45f, 0};
      const Vec3 place{4, 6, -3};
      Pull pull;
      pull.Take(Scene::To(id, grip, place), *scene.world);
      scene.Run(pull, static_cast<int>(std::lround(6.0f / dt)), dt);
      const auto body = *scene.world->GetBody(id, scene.wait);
      CHECK(Length(body.position + Rotate(body.rotation, grip) - place) < 0.06f);
      CHECK(Length(body.linear_velocity) < 0.2f);  // gravity of half a frame
      CHECK(Length(body.angular_velocity) < 0.2f);
    }
  }
}

TEST_CASE("a body that is let go falls, and one that is gone is let go") {
  Scene scene;
  const BodyId id = scene.Add(Shape::Sphere(0.5f), {0, 2, 0});
  Pull pull;
  pull.Take(Scene::To(id, {}, {0, 8, 0}), *scene.world);
  scene.Run(pull, 60);
  CHECK(scene.world->GetBody(id, scene.wait)->position.y > 7.5f);
  pull.LetGo();
  scene.Run(pull, 90);
  CHECK(scene.world->GetBody(id, scene.wait)->position.y < 0.6f);
  pull.Take(Scene::To(id, {}, {0, 8, 0}), *scene.world);
  CHECK(pull.IsHolding());
  REQUIRE(scene.world->DestroyBody(id, scene.wait));
  scene.Run(pull, 1);
  CHECK(!pull.IsHolding());
}

TEST_CASE("a fixed body, one of an earlier generation and no body are not held") {
  Scene scene;
  const BodyId id = scene.Add(Shape::Sphere(0.5f), {0, 2, 0});
  Pull pull;
  pull.Take(Scene::To(scene.ground, {}, {0, 8, 0}), *scene.world);
  CHECK(!pull.IsHolding());
  pull.Take(Scene::To(BodyId(0, id.slot(), id.generation() + 1), {}, {}), *scene.world);
  CHECK(!pull.IsHolding());
  pull.Take(Scene::To(BodyId(0, 60, 0), {}, {}), *scene.world);
  CHECK(!pull.IsHolding());
  // Another body replaces the one that is held, also when it cannot be held.
  pull.Take(Scene::To(id, {}, {0, 8, 0}), *scene.world);
  CHECK(pull.IsHolding());
  pull.Take(Scene::To(scene.ground, {}, {0, 8, 0}), *scene.world);
  CHECK(!pull.IsHolding());
}

TEST_CASE("pulling now this body and now that one makes no copy of the world each time") {
  Scene scene;
  const BodyId ids[] = {scene.Add(Shape::Sphere(0.5f), {0, 2, 0}),
                        scene.Add(Shape::Sphere(0.5f), {3, 2, 0})};
  Pull pull;
  pull.Take(Scene::To(ids[0], {}, {}), *scene.world);
  int held = 0;
  bool allocates = false;
  {
    const whole::AllocationFault fault(1);
    for (int i = 0; i < 64; ++i) {
      pull.Take(Scene::To(ids[i % 2], {}, {}), *scene.world);
      held += pull.IsHolding() ? 1 : 0;
      pull.Take(Scene::To(BodyId(0, BodyId::kMaxBodies - 1, 7), {}, {}), *scene.world);
      held += pull.IsHolding() ? 1 : 0;
    }
    allocates = fault.has_struck();
  }
  CHECK(held == 64);
  CHECK_FALSE(allocates);
  // In another world a body in the same slot is another one.
  const auto other = std::move(*World::Create({}));
  pull.LetGo();
  pull.Take(Scene::To(ids[0], {}, {}), *other);
  CHECK(!pull.IsHolding());
  BodyDef def;
  def.shape = Shape::Sphere(0.5f);
  const BodyId id = *other->CreateBody(def, scene.wait);
  pull.Take(Scene::To(id, {}, {5, 0, 0}), *other);
  REQUIRE(pull.IsHolding());
  REQUIRE(pull.Apply(*other, kFrame));
  CHECK(other->GetBody(id, scene.wait)->linear_velocity.x > 0.0f);
}

TEST_CASE("the hand is no stronger than it says, wherever the viewer grips and pulls") {
  Scene scene;
  const BodyId id = scene.Add(Shape::Box({0.001f, 5.0f, 0.001f}), {0, 6, 0});
  Pull pull;
  pull.Take(Scene::To(id, {1e5f, -1e5f, 1e5f}, {1e5f, 1e5f, -1e5f}), *scene.world);
  Vec3 before;
  for (int i = 0; i < 60; ++i) {
    REQUIRE(pull.Apply(*scene.world, kFrame));
    const auto body = *scene.world->GetBody(id, scene.wait);
    CHECK(Length(body.linear_velocity - before) <= 1.01f * kPullAcceleration * kFrame);
    REQUIRE(scene.world->Update(kFrame, *scene.pool, 2));
    before = scene.world->GetBody(id, scene.wait)->linear_velocity;
    CHECK(std::isfinite(Length(before)));
  }
}

}  // namespace
}  // namespace nowait
