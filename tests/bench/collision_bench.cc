// The narrow phase of pairs of convex shapes, rays against them and the building of hulls, beside
// Bullet's. mesh_pairs.cc has the same of meshes, and plane_pairs.cc of a plane.
//
// An iteration is a pass over 256 pairs that overlap or gape by two centimetres at most, the same
// ones on both sides. Bullet keeps its manifolds from pass to pass, as in a running world, and its
// polyhedra have their features, so that it clips faces as ours does.
#include <LinearMath/btConvexHullComputer.h>
#include <benchmark/benchmark.h>
#include <btBulletCollisionCommon.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "src/collision/collide.h"
#include "src/collision/convex_hull.h"
#include "src/collision/core_distance.h"
#include "src/collision/ray_cast.h"
#include "src/math/random.h"
#include "tests/bench/bullet_pairs.h"
#include "tests/bench/mesh_pairs.h"
#include "tests/bench/plane_pairs.h"

namespace nowait {
namespace {

using bench::Body;
using bench::BulletNarrowPhase;
using bench::ToBullet;

constexpr std::size_t kPairs = 256;
constexpr float kMargin = 0.02f;

struct Pair {
  Pair(ShapeKind of_a, ShapeKind of_b, Random& random)
      : a(of_a, kMargin, random), b(of_b, kMargin, random) {
    a.Put({});
    b.Put(random.Direction());
    // To where they nearly touch.
    const CoreDistance of = DistanceOf(Core(a.placed(), {}), Core(b.placed(), {}));
    const float by = random.Between(-kMargin, kMargin) - static_cast<float>(of.distance);
    b.Put(b.position + ToFloat(of.normal) * by);
  }
  Body a, b;
};

std::vector<std::unique_ptr<Pair>> PairsOf(ShapeKind a, ShapeKind b) {
  Random random(101);
  std::vector<std::unique_ptr<Pair>> pairs;
  while (pairs.size() < kPairs) pairs.push_back(std::make_unique<Pair>(a, b, random));
  return pairs;
}

void Ours(benchmark::State& state, ShapeKind a, ShapeKind b) {
  const auto pairs = PairsOf(a, b);
  std::uint64_t points = 0;
  for (auto _ : state) {
    for (const auto& pair : pairs) {
      Manifold manifold;
      Collide(pair->a.placed(), pair->b.placed(), kMargin, manifold);
      points += manifold.count();
    }
  }
  benchmark::DoNotOptimize(points);
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kPairs));
}

void Bullets(benchmark::State& state, ShapeKind a, ShapeKind b) {
  const auto pairs = PairsOf(a, b);
  BulletNarrowPhase narrow_phase;
  for (const auto& pair : pairs) narrow_phase.Add(pair->a.object, pair->b.object);
  std::int64_t points = 0;
  for (auto _ : state) points += narrow_phase.Pass();
  benchmark::DoNotOptimize(points);
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kPairs));
}

std::vector<RayCast> RaysAt(Random& random) {
  std::vector<RayCast> rays;
  while (rays.size() < kPairs) {
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
  benchmark::DoNotOptimize(hits);
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kPairs));
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
                                      body.object.getCollisionShape(),
                                      body.object.getWorldTransform(), result);
      hits += result.hasHit() ? 1 : 0;
    }
  }
  benchmark::DoNotOptimize(hits);
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kPairs));
}

std::vector<Vec3> Cloud() {
  Random random(103);
  std::vector<Vec3> points;
  for (int i = 0; i < 1000; ++i) {
    // Inside of a ball, and sixty on it.
    points.push_back(random.Direction() * (i < 60 ? 1.0f : random.Between(0.0f, 0.9f)));
  }
  return points;
}

void OurHull(benchmark::State& state) {
  const auto points = Cloud();
  for (auto _ : state) {
    const auto hull = BuildHull(points);
    benchmark::DoNotOptimize(hull->vertices.data());
  }
}

void BulletHull(benchmark::State& state) {
  const auto points = Cloud();
  for (auto _ : state) {
    btConvexHullComputer computer;
    computer.compute(&points[0].x, sizeof(Vec3), static_cast<int>(points.size()), 0.0f, 0.0f);
    benchmark::DoNotOptimize(computer.vertices.size());
  }
}

void Register() {
  struct Kinds {
    const char* name;
    ShapeKind a, b;
  };
  for (const Kinds& kinds : {Kinds{"box_box", ShapeKind::kBox, ShapeKind::kBox},
                             Kinds{"hull_hull", ShapeKind::kHull, ShapeKind::kHull},
                             Kinds{"hull_box", ShapeKind::kHull, ShapeKind::kBox},
                             Kinds{"hull_sphere", ShapeKind::kHull, ShapeKind::kSphere},
                             Kinds{"cylinder_box", ShapeKind::kCylinder, ShapeKind::kBox},
                             Kinds{"cylinder_hull", ShapeKind::kCylinder, ShapeKind::kHull},
                             Kinds{"cylinders", ShapeKind::kCylinder, ShapeKind::kCylinder}}) {
    const std::string name = kinds.name;
    benchmark::RegisterBenchmark((name + "/ours/1").c_str(), Ours, kinds.a, kinds.b);
    benchmark::RegisterBenchmark((name + "/baseline/1").c_str(), Bullets, kinds.a, kinds.b);
  }
  for (const auto& [name, kind] :
       {std::pair("ray_hull", ShapeKind::kHull), std::pair("ray_cylinder", ShapeKind::kCylinder)}) {
    benchmark::RegisterBenchmark((std::string(name) + "/ours/1").c_str(), OurRays, kind);
    benchmark::RegisterBenchmark((std::string(name) + "/baseline/1").c_str(), BulletRays, kind);
  }
  benchmark::RegisterBenchmark("build_hull/ours/1", OurHull);
  benchmark::RegisterBenchmark("build_hull/baseline/1", BulletHull);
  RegisterMeshes();
  RegisterPlanes();
}

}  // namespace
}  // namespace nowait

int main(int argc, char** argv) {
  nowait::Register();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return EXIT_FAILURE;
  benchmark::RunSpecifiedBenchmarks();
  return EXIT_SUCCESS;
}
