// Each query is asked 256 times. Bullet has no test whether a point is inside, but for boxes.
#include "tests/bench/shape_queries.h"

#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>
#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "src/collision/closest_points.h"
#include "src/collision/core_distance.h"
#include "src/collision/ray_cast.h"
#include "src/collision/shape_cast.h"
#include "tests/bench/bullet_pairs.h"

namespace nowait {
namespace {

using bench::Body;
using bench::PoseOf;
using bench::ReportFound;
using bench::ToBullet;

constexpr std::size_t kQueries = 256;
constexpr float kMargin = 0.02f;

// From outside towards the body, which some of them miss.
std::vector<RayCast> RaysAt(Random& random) {
  std::vector<RayCast> rays;
  while (rays.size() < kQueries) {
    const Vec3 from = random.Direction() * 4.0f;
    rays.push_back({from, (random.Direction() * 0.6f - from) * 1.5f});
  }
  return rays;
}

void OurRays(benchmark::State& state, ShapeKind kind) {
  Random random(102);
  Body body(kind, kMargin, random);
  body.Put({});
  const auto rays = RaysAt(random);
  int hits = 0;
  for (auto _ : state) {
    for (const RayCast& ray : rays) {
      hits += CastAgainstShape(ray, 1.0f, body.shape, {}, body.rotation) ? 1 : 0;
    }
  }
  ReportFound(state, hits, kQueries);
}

void BulletRays(benchmark::State& state, ShapeKind kind) {
  Random random(102);
  Body body(kind, kMargin, random);
  body.Put({});
  const auto rays = RaysAt(random);
  int hits = 0;
  for (auto _ : state) {
    for (const RayCast& ray : rays) {
      const btVector3 from = ToBullet(ray.origin), to = ToBullet(ray.origin + ray.translation);
      btCollisionWorld::ClosestRayResultCallback result(from, to);
      btCollisionWorld::rayTestSingle(btTransform(btQuaternion::getIdentity(), from),
                                      btTransform(btQuaternion::getIdentity(), to), &body.object,
                                      &body.bullet(), body.object.getWorldTransform(), result);
      hits += result.hasHit() ? 1 : 0;
    }
  }
  ReportFound(state, hits, kQueries);
}

// Bodies of a kind around a hull, up to two metres from it.
struct Scene {
  explicit Scene(ShapeKind kind) : random(151), hull(ShapeKind::kHull, kMargin, random) {
    hull.Put({});
    while (bodies.size() < kQueries) {
      auto body = std::make_unique<Body>(kind, kMargin, random);
      body->Put(random.Direction() * 6.0f);
      const CoreDistance of = DistanceOf(Core(body->placed(), {}), Core(hull.placed(), {}));
      const float by = static_cast<float>(of.distance) - random.Between(0.05f, 2.0f);
      body->Put(body->position + ToFloat(of.normal) * by);
      // Past the hull's middle, so that some pass it.
      ways.push_back((random.Direction() - body->position) * 1.5f);
      bodies.push_back(std::move(body));
    }
  }

  Random random;
  Body hull;
  std::vector<std::unique_ptr<Body>> bodies;
  std::vector<Vec3> ways;
};

void OurCasts(benchmark::State& state, ShapeKind kind) {
  const Scene scene(kind);
  int hits = 0;
  for (auto _ : state) {
    for (std::size_t i = 0; i < kQueries; ++i) {
      const Placed moving = scene.bodies[i]->placed();
      hits += CastShapeAgainst(moving, scene.ways[i], 1.0f, scene.hull.placed()) ? 1 : 0;
    }
  }
  ReportFound(state, hits, kQueries);
}

void BulletCasts(benchmark::State& state, ShapeKind kind) {
  Scene scene(kind);
  int hits = 0;
  for (auto _ : state) {
    for (std::size_t i = 0; i < kQueries; ++i) {
      Body& body = *scene.bodies[i];
      const btTransform from = PoseOf(body.position, body.rotation);
      const btTransform to = PoseOf(body.position + scene.ways[i], body.rotation);
      btCollisionWorld::ClosestConvexResultCallback result(from.getOrigin(), to.getOrigin());
      btCollisionWorld::objectQuerySingle(&body.bullet(), from, to, &scene.hull.object,
                                          &scene.hull.bullet(),
                                          scene.hull.object.getWorldTransform(), result, 0.0f);
      hits += result.hasHit() ? 1 : 0;
    }
  }
  ReportFound(state, hits, kQueries);
}

void OurClosest(benchmark::State& state, ShapeKind kind) {
  const Scene scene(kind);
  int found = 0;
  for (auto _ : state) {
    for (const auto& body : scene.bodies) {
      found += FindClosestPoints(body->placed(), scene.hull.placed(), 10.0f) ? 1 : 0;
    }
  }
  ReportFound(state, found, kQueries);
}

void BulletClosest(benchmark::State& state, ShapeKind kind) {
  Scene scene(kind);
  btVoronoiSimplexSolver simplex;
  btGjkEpaPenetrationDepthSolver depth;
  int found = 0;
  for (auto _ : state) {
    for (const auto& body : scene.bodies) {
      btGjkPairDetector detector(&body->bullet(), &scene.hull.bullet(), &simplex, &depth);
      btDiscreteCollisionDetectorInterface::ClosestPointInput input;
      input.m_transformA = body->object.getWorldTransform();
      input.m_transformB = scene.hull.object.getWorldTransform();
      btPointCollector points;
      detector.getClosestPoints(input, points, nullptr);
      found += points.m_hasResult ? 1 : 0;
    }
  }
  ReportFound(state, found, kQueries);
}

std::vector<Vec3> Points(Random& random) {
  std::vector<Vec3> points;
  while (points.size() < kQueries) points.push_back(random.InBox({-1, -1, -1}, {1, 1, 1}));
  return points;
}

void OurPoints(benchmark::State& state) {
  Random random(152);
  Body box(ShapeKind::kBox, kMargin, random);
  box.Put({});
  const auto points = Points(random);
  int found = 0;
  for (auto _ : state) {
    for (const Vec3& point : points) {
      found += IsInside(point, box.shape, box.position, box.rotation) ? 1 : 0;
    }
  }
  ReportFound(state, found, kQueries);
}

void BulletPoints(benchmark::State& state) {
  Random random(152);
  Body box(ShapeKind::kBox, kMargin, random);
  box.Put({});
  const auto points = Points(random);
  const auto& shape = static_cast<const btBoxShape&>(box.bullet());
  int found = 0;
  for (auto _ : state) {
    for (const Vec3& point : points) {
      const btVector3 local = box.object.getWorldTransform().invXform(ToBullet(point));
      found += shape.isInside(local, 0.0f) ? 1 : 0;
    }
  }
  ReportFound(state, found, kQueries);
}

}  // namespace

void RegisterShapeQueries() {
  bench::RegisterConvex("ray", OurRays, BulletRays);
  bench::RegisterConvex("cast_at_hull", OurCasts, BulletCasts);
  bench::RegisterConvex("closest_to_hull", OurClosest, BulletClosest);
  benchmark::RegisterBenchmark("point_box/ours/1", OurPoints);
  benchmark::RegisterBenchmark("point_box/baseline/1", BulletPoints);
}

}  // namespace nowait
