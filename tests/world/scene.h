// Worlds for tests.
#ifndef NOWAIT_TESTS_WORLD_SCENE_H_
#define NOWAIT_TESTS_WORLD_SCENE_H_

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "src/collision/height_field.h"
#include "src/jobs/task_pool.h"
#include "src/math/random.h"
#include "src/world/world.h"
#include "tests/jobs/make_pool.h"
#include "tests/world/film.h"

namespace nowait {

// A pool; the thread that makes it is one of its threads.
struct PoolHere {
  explicit PoolHere(std::uint32_t workers)
      : pool(MakePool({.workers = workers})), here(*pool->Register("main")) {}
  operator TaskPool&() const { return *pool; }
  TaskPool* operator->() const { return pool.get(); }

  const std::unique_ptr<TaskPool> pool;
  const TaskPool::Registration here;
};

// Room enough for most tests. A sanitizer takes its time for each page of a world's memory.
inline WorldDef SmallWorld() {
  WorldDef def;
  def.max_bodies = 1024;
  def.max_contacts = 8192;
  return def;
}

inline std::unique_ptr<World> MakeWorld(const WorldDef& def = SmallWorld()) {
  return std::move(*World::Create(def));
}

inline BodyDef Floor(float friction = 0.5f) {
  BodyDef def;
  def.type = BodyType::kStatic;
  def.shape = Shape::Box({50.0f, 1.0f, 50.0f});
  def.position = {0.0f, -1.0f, 0.0f};
  def.friction = friction;
  return def;
}

inline BodyDef BoxAt(Vec3 half, Vec3 position) {
  BodyDef def;
  def.shape = Shape::Box(half);
  def.position = position;
  return def;
}

inline BodyDef SphereAt(float radius, Vec3 position) {
  BodyDef def;
  def.shape = Shape::Sphere(radius);
  def.position = position;
  return def;
}

inline BodyId Add(World& world, const BodyDef& def) {
  WaitTime wait;
  return *world.CreateBody(def, wait);
}

inline BodySnapshot Get(const World& world, BodyId id) {
  WaitTime wait;
  return *world.GetBody(id, wait);
}

// Runs `steps` steps of 1/60 s; false on an error. A test case that fails has a film of them.
inline bool Run(World& world, TaskPool& pool, int steps) {
  for (int i = 0; i < steps; ++i) {
    if (!world.Update(1.0f / 60.0f, pool)) return false;
    Film(world);
  }
  return true;
}

// Hills without libm, so that they are the same with every library: three crossing waves of
// parabolas, and a rim that keeps bodies in.
inline std::vector<float> Hills(std::uint32_t samples) {
  const auto wave = [](std::uint32_t i, std::uint32_t period) {
    const float t = static_cast<float>(i % period) / static_cast<float>(period);
    return t < 0.5f ? 16.0f * t * (0.5f - t) : -16.0f * (t - 0.5f) * (1.0f - t);
  };
  std::vector<float> heights;
  for (std::uint32_t k = 0; k < samples; ++k) {
    for (std::uint32_t i = 0; i < samples; ++i) {
      const bool rim = i == 0 || k == 0 || i + 1 == samples || k + 1 == samples;
      heights.push_back((0.8f * wave(i, 24) + 0.6f * wave(k + i, 19)) + 0.1f * wave(k, 5) +
                        (rim ? 10.0f : 0.0f));
    }
  }
  return heights;
}

// The owner of a field and a world with bodies that fall on it.
struct HillScene {
  std::unique_ptr<const HeightField> field;
  std::unique_ptr<World> world;
  std::vector<BodyId> bodies;
};

// The kinds of shapes that fall.
enum class Falling : std::uint8_t { kSpheresAndBoxes, kAllKinds };

inline Shape FallingShape(Falling falling, Random& random) {
  const std::uint32_t kind = random.Below(falling == Falling::kAllKinds ? 3 : 2);
  if (kind == 0) return Shape::Sphere(random.Between(0.2f, 0.5f));
  if (kind == 1) return Shape::Box(random.InBox({0.2f, 0.2f, 0.2f}, {0.6f, 0.6f, 0.6f}));
  const float half_height = random.Between(0.1f, 0.6f);
  return Shape::Capsule(half_height, random.Between(0.15f, 0.4f));
}

inline HillScene MakeHillScene(std::uint32_t bodies, std::uint64_t seed, WorldDef def = {},
                               Falling falling = Falling::kSpheresAndBoxes) {
  constexpr std::uint32_t kSamples = 40;
  HillScene scene;
  const std::vector<float> heights = Hills(kSamples);
  scene.field = std::move(*HeightField::Create({kSamples, kSamples, 1.0f, heights}));
  scene.world = MakeWorld(def);
  BodyDef ground;
  ground.type = BodyType::kStatic;
  ground.shape = Shape::Ground(scene.field.get());
  ground.friction = 0.7f;
  Add(*scene.world, ground);
  Random random(seed);
  std::vector<BodyDef> defs;
  for (std::uint32_t i = 0; i < bodies; ++i) {
    BodyDef body;
    body.shape = FallingShape(falling, random);
    const bool ball = body.shape.kind == ShapeKind::kSphere;
    body.position = random.InBox({8, 4, 8}, {32, 20, 32});
    body.rotation = random.Rotation();
    body.friction = 0.6f;
    body.restitution = ball ? 0.4f : 0.1f;
    body.rolling_resistance = 0.2f;
    defs.push_back(body);
  }
  WaitTime wait;
  WorldBatch batch = std::move(*scene.world->PrepareBatch(defs));
  scene.bodies = std::move(*scene.world->FinaliseBatch(batch, wait));
  return scene;
}

}  // namespace nowait

#endif  // NOWAIT_TESTS_WORLD_SCENE_H_
