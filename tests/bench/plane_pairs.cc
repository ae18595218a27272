#include "tests/bench/plane_pairs.h"

#include <BulletCollision/CollisionShapes/btStaticPlaneShape.h>
#include <benchmark/benchmark.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "src/collision/closest_points.h"
#include "src/collision/collide.h"
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

constexpr std::size_t kBodies = 256;
constexpr float kMargin = 0.02f;

// The two engines do not do the same work: Bullet finds the deepest point of a pair alone, and
// keeps up to four of the passes before; ours finds all of them in each pass.

// A tilted plane of both engines, and bodies that overlap it or gape by the margin at most.
struct Ground {
  Ground() {
    object.setCollisionShape(&bullets);
    object.setWorldTransform(PoseOf({}, {}));
    object.setContactProcessingThreshold(kMargin);
  }

  Placed placed() const { return {shape, {}, {}}; }

  std::vector<std::unique_ptr<Body>> BodiesOf(ShapeKind kind) const {
    Random random(121);
    std::vector<std::unique_ptr<Body>> bodies;
    while (bodies.size() < kBodies) {
      auto body = std::make_unique<Body>(kind, kMargin, random);
      body->Put(random.InBox({-20, 8, -20}, {20, 8, 20}));
      const auto of = FindClosestPoints(body->placed(), placed(), 100.0f);
      body->Put(body->position + of->normal * (of->distance - random.Between(-kMargin, kMargin)));
      bodies.push_back(std::move(body));
    }
    return bodies;
  }

  Shape shape = Shape::Plane({0.2f, 1.0f, 0.1f}, 0.5f);
  btStaticPlaneShape bullets{ToBullet(shape.normal), shape.distance};
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
  for (const auto& body : bodies) narrow_phase.Add(ground.object, body->object);
  std::int64_t points = 0;
  for (auto _ : state) points += narrow_phase.Pass();
  ReportPoints(state, static_cast<double>(points), kBodies);
}

std::vector<RayCast> Rays() {
  Random random(122);
  std::vector<RayCast> rays;
  while (rays.size() < kBodies) {
    rays.push_back({random.InBox({-9, 6, -9}, {9, 9, 9}), random.InBox({-9, -20, -9}, {9, -4, 9})});
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

// Bullet casts against a concave shape triangle by triangle: a plane gives two to each ray.
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
                                      &ground.bullets, ground.object.getWorldTransform(), result);
      hits += result.hasHit() ? 1 : 0;
    }
  }
  ReportFound(state, hits, rays.size());
}

}  // namespace

void RegisterPlanes() {
  bench::RegisterConvex("plane", Ours, Bullets);
  benchmark::RegisterBenchmark("ray_plane/ours/1", OurRays);
  benchmark::RegisterBenchmark("ray_plane/baseline/1", BulletRays);
}

}  // namespace nowait
