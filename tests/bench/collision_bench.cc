// The narrow phase of pairs of convex shapes and the building of hulls, beside Bullet's. Pairs with
// a mesh, a height field, a plane and compounds: mesh_pairs.cc, field_pairs.cc, plane_pairs.cc,
// compound_pairs.cc. Queries of one shape: shape_queries.cc; of a world: world_queries.cc.
//
// An iteration is a pass over 256 pairs that overlap or gape by two centimetres at most, the same
// ones on both sides. Bullet keeps its manifolds from pass to pass, as in a running world, and its
// polyhedra have their features, so that it clips faces as ours does. The two do not find the same:
// the counter points_of_pair says how many contact points either has.
#include <LinearMath/btConvexHullComputer.h>
#include <benchmark/benchmark.h>
#include <btBulletCollisionCommon.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "src/collision/collide.h"
#include "src/collision/convex_hull.h"
#include "src/collision/core_distance.h"
#include "src/math/random.h"
#include "tests/bench/bullet_pairs.h"
#include "tests/bench/compound_pairs.h"
#include "tests/bench/field_pairs.h"
#include "tests/bench/mesh_pairs.h"
#include "tests/bench/plane_pairs.h"
#include "tests/bench/shape_queries.h"
#include "tests/bench/world_queries.h"

namespace nowait {
namespace {

using bench::Body;
using bench::BulletNarrowPhase;
using bench::kConvexKinds;
using bench::ReportPoints;

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
  ReportPoints(state, static_cast<double>(points), kPairs);
}

void Bullets(benchmark::State& state, ShapeKind a, ShapeKind b) {
  const auto pairs = PairsOf(a, b);
  BulletNarrowPhase narrow_phase;
  for (const auto& pair : pairs) narrow_phase.Add(pair->a.object, pair->b.object);
  std::int64_t points = 0;
  for (auto _ : state) points += narrow_phase.Pass();
  ReportPoints(state, static_cast<double>(points), kPairs);
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
  for (std::size_t i = 0; i < kConvexKinds.size(); ++i) {
    for (std::size_t j = i; j < kConvexKinds.size(); ++j) {
      const auto& [of_a, a] = kConvexKinds[i];
      const auto& [of_b, b] = kConvexKinds[j];
      const std::string name = std::string(of_a) + "_" + of_b;
      benchmark::RegisterBenchmark((name + "/ours/1").c_str(), Ours, a, b);
      benchmark::RegisterBenchmark((name + "/baseline/1").c_str(), Bullets, a, b);
    }
  }
  RegisterMeshes();
  RegisterFields();
  RegisterPlanes();
  RegisterCompounds();
  RegisterShapeQueries();
  RegisterWorldQueries();
  benchmark::RegisterBenchmark("build_hull/ours/1", OurHull);
  benchmark::RegisterBenchmark("build_hull/baseline/1", BulletHull);
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
