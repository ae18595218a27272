#include "tests/bench/field_pairs.h"

#include <BulletCollision/CollisionShapes/btHeightfieldTerrainShape.h>
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "src/collision/closest_points.h"
#include "src/collision/collide.h"
#include "src/collision/height_field.h"
#include "src/collision/ray_cast.h"
#include "tests/bench/bullet_pairs.h"

namespace nowait {
namespace {

using bench::Body;
using bench::BulletNarrowPhase;
using bench::PoseOf;
using bench::ReportFound;
using bench::ReportPoints;
using bench::ToBullet;

constexpr std::size_t kBodies = 256, kRays = 256;
constexpr float kMargin = 0.02f;
constexpr std::uint32_t kSide = 101;  // samples, a metre apart

// Hills of heights, for both engines, with the same diagonals.
struct Ground {
  Ground() {
    Random random(131);
    for (std::uint32_t k = 0; k < kSide; ++k) {
      for (std::uint32_t i = 0; i < kSide; ++i) {
        const float x = static_cast<float>(i), z = static_cast<float>(k);
        heights.push_back(2.0f * std::sin(0.21f * x) * std::cos(0.17f * z) +
                          random.Between(-0.05f, 0.05f));
      }
    }
    ours = std::move(*HeightField::Create({.columns = kSide, .rows = kSide, .heights = heights}));
    shape = Shape::Ground(ours.get());
    const auto [low, high] = std::ranges::minmax(heights);
    constexpr int kUpwards = 1;
    bullets = std::make_unique<btHeightfieldTerrainShape>(int{kSide}, int{kSide}, heights.data(),
                                                          low, high, kUpwards, true);
    bullets->buildAccelerator();
    bullets->setMargin(0.001f);
    object.setCollisionShape(bullets.get());
    // Bullet's origin is in the middle.
    constexpr float kMiddle = 0.5f * (kSide - 1);
    object.setWorldTransform(PoseOf({kMiddle, 0.5f * (low + high), kMiddle}, {}));
    object.setContactProcessingThreshold(kMargin);
  }

  Placed placed() const { return {shape, {}, {}}; }

  std::vector<std::unique_ptr<Body>> BodiesOf(ShapeKind kind) const {
    Random random(132);
    std::vector<std::unique_ptr<Body>> bodies;
    while (bodies.size() < kBodies) {
      auto body = std::make_unique<Body>(kind, kMargin, random);
      body->Put(random.InBox({10, 8, 10}, {90, 8, 90}));
      for (int step = 0; step < 3; ++step) {
        const auto of = FindClosestPoints(body->placed(), placed(), 100.0f);
        const float by = of->distance - random.Between(-kMargin, kMargin);
        body->Put(body->position + of->normal * by);
      }
      bodies.push_back(std::move(body));
    }
    return bodies;
  }

  std::vector<float> heights;
  std::unique_ptr<const HeightField> ours;
  Shape shape;
  std::unique_ptr<btHeightfieldTerrainShape> bullets;
  btCollisionObject object;
};

void Ours(benchmark::State& state, ShapeKind kind) {
  const Ground ground;
  const auto bodies = ground.BodiesOf(kind);
  std::uint64_t points = 0;
  for (auto _ : state) {
    for (const auto& body : bodies) {
      Manifold manifold;
      Collide(ground.placed(), body->placed(), kMargin, manifold);
      points += manifold.count();
    }
  }
  ReportPoints(state, static_cast<double>(points), kBodies);
}

void Bullets(benchmark::State& state, ShapeKind kind) {
  const Ground ground;
  const auto bodies = ground.BodiesOf(kind);
  BulletNarrowPhase narrow_phase;
  for (const auto& body : bodies) narrow_phase.Add(body->object, ground.object);
  std::int64_t points = 0;
  for (auto _ : state) points += narrow_phase.Pass();
  ReportPoints(state, static_cast<double>(points), kBodies);
}

// Down through the hills, in all directions.
std::vector<RayCast> Rays() {
  Random random(133);
  std::vector<RayCast> rays;
  while (rays.size() < kRays) {
    const Vec3 from = random.InBox({0, 5, 0}, {100, 20, 100});
    const Vec3 to = random.InBox({0, -5, 0}, {100, -3, 100});
    rays.push_back({from, to - from});
  }
  return rays;
}

void OurRays(benchmark::State& state) {
  const Ground ground;
  const auto rays = Rays();
  int hits = 0;
  for (auto _ : state) {
    for (const RayCast& ray : rays) {
      hits += CastAgainstShape(ray, 1.0f, ground.shape, {}, {}) ? 1 : 0;
    }
  }
  ReportFound(state, hits, rays.size());
}

void BulletRays(benchmark::State& state) {
  Ground ground;
  const auto rays = Rays();
  int hits = 0;
  for (auto _ : state) {
    for (const RayCast& ray : rays) {
      const btVector3 from = ToBullet(ray.origin), to = ToBullet(ray.origin + ray.translation);
      btCollisionWorld::ClosestRayResultCallback result(from, to);
      btCollisionWorld::rayTestSingle(btTransform(btQuaternion::getIdentity(), from),
                                      btTransform(btQuaternion::getIdentity(), to), &ground.object,
                                      ground.bullets.get(), ground.object.getWorldTransform(),
                                      result);
      hits += result.hasHit() ? 1 : 0;
    }
  }
  ReportFound(state, hits, rays.size());
}

}  // namespace

void RegisterFields() {
  bench::RegisterConvex("field", Ours, Bullets);
  benchmark::RegisterBenchmark("ray_field/ours/1", OurRays);
  benchmark::RegisterBenchmark("ray_field/baseline/1", BulletRays);
}

}  // namespace nowait
