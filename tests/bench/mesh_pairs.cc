#include "tests/bench/mesh_pairs.h"

#include <BulletCollision/CollisionShapes/btOptimizedBvh.h>
#include <BulletCollision/NarrowPhaseCollision/btRaycastCallback.h>
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "src/collision/closest_points.h"
#include "src/collision/collide.h"
#include "src/collision/ray_cast.h"
#include "src/collision/triangle_mesh.h"
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
constexpr std::uint32_t kHillCells = 100, kMillionCells = 708;  // 2 * 708 * 708 triangles
constexpr float kSpacing = 0.5f;

// Hills of triangles, for both engines.
class Hills {
 public:
  explicit Hills(std::uint32_t cells) : half_width(0.5f * kSpacing * static_cast<float>(cells)) {
    Random random(111);
    for (std::uint32_t k = 0; k <= cells; ++k) {
      for (std::uint32_t i = 0; i <= cells; ++i) {
        const float x = kSpacing * static_cast<float>(i) - half_width;
        const float z = kSpacing * static_cast<float>(k) - half_width;
        const float y = 2.0f * std::sin(0.21f * x) * std::cos(0.17f * z);
        vertices_.push_back({x, y + random.Between(-0.05f, 0.05f), z});
        if (i == cells || k == cells) continue;
        const auto at = k * (cells + 1) + i, across = at + cells + 2;
        indices_.insert(indices_.end(), {at, across - 1, across, at, across, at + 1});
      }
    }
  }

  std::unique_ptr<const TriangleMesh> MakeOurs() const {
    return std::move(*TriangleMesh::Create({.vertices = vertices_, .indices = indices_}));
  }
  // Of Bullet's shape, which refers to the lists.
  std::unique_ptr<btTriangleIndexVertexArray> MakeLists() {
    return std::make_unique<btTriangleIndexVertexArray>(
        static_cast<int>(indices_.size() / 3), reinterpret_cast<int*>(indices_.data()),
        static_cast<int>(3 * sizeof(int)), static_cast<int>(vertices_.size()), &vertices_[0].x,
        static_cast<int>(sizeof(Vec3)));
  }
  std::size_t triangles() const { return indices_.size() / 3; }
  std::size_t bytes_of_lists() const {
    return indices_.size() * sizeof(int) + vertices_.size() * sizeof(Vec3);
  }

  const float half_width;

 private:
  std::vector<Vec3> vertices_;
  std::vector<std::uint32_t> indices_;
};

// Both engines' hills, and bodies on them that overlap them or gape by the margin at most.
struct Ground {
  explicit Ground(std::uint32_t cells)
      : hills(cells),
        ours(hills.MakeOurs()),
        shape(Shape::Mesh(ours.get())),
        lists(hills.MakeLists()),
        bullets(std::make_unique<btBvhTriangleMeshShape>(lists.get(), true)) {
    bullets->setMargin(0.001f);
    object.setCollisionShape(bullets.get());
    object.setWorldTransform(PoseOf({}, {}));
    object.setContactProcessingThreshold(kMargin);
  }

  std::vector<std::unique_ptr<Body>> BodiesOf(ShapeKind kind) const {
    Random random(112);
    std::vector<std::unique_ptr<Body>> bodies;
    while (bodies.size() < kBodies) {
      auto body = std::make_unique<Body>(kind, kMargin, random);
      body->Put(random.InBox({-20, 8, -20}, {20, 8, 20}));
      for (int step = 0; step < 3; ++step) {
        const auto of = FindClosestPoints(body->placed(), Placed(shape, {}, {}), 100.0f);
        const float by = of->distance - random.Between(-kMargin, kMargin);
        body->Put(body->position + of->normal * by);
      }
      bodies.push_back(std::move(body));
    }
    return bodies;
  }

  Hills hills;
  std::unique_ptr<const TriangleMesh> ours;
  Shape shape;
  std::unique_ptr<btTriangleIndexVertexArray> lists;
  std::unique_ptr<btBvhTriangleMeshShape> bullets;
  btCollisionObject object;
};

void Ours(benchmark::State& state, ShapeKind kind) {
  const Ground ground(kHillCells);
  const auto bodies = ground.BodiesOf(kind);
  std::uint64_t points = 0;
  for (auto _ : state) {
    for (const auto& body : bodies) {
      Manifold manifold;
      Collide(Placed(ground.shape, {}, {}), body->placed(), kMargin, manifold);
      points += manifold.count();
    }
  }
  ReportPoints(state, static_cast<double>(points), kBodies);
}

void Bullets(benchmark::State& state, ShapeKind kind) {
  const Ground ground(kHillCells);
  const auto bodies = ground.BodiesOf(kind);
  BulletNarrowPhase narrow_phase;
  for (const auto& body : bodies) narrow_phase.Add(body->object, ground.object);
  std::int64_t points = 0;
  for (auto _ : state) points += narrow_phase.Pass();
  ReportPoints(state, static_cast<double>(points), kBodies);
}

// Made once: that takes seconds.
const Ground& MillionTriangles() {
  static const Ground ground(kMillionCells);
  return ground;
}

// From above the hills to places on the other side of them, in all directions.
std::vector<RayCast> RaysInto(const Ground& ground) {
  Random random(113);
  std::vector<RayCast> rays;
  const float half = ground.hills.half_width;
  while (rays.size() < kRays) {
    const Vec3 from = random.InBox({-half, 5, -half}, {half, 30, half});
    const Vec3 to = random.InBox({-half, -5, -half}, {half, -2, half});
    rays.push_back({from, to - from});
  }
  return rays;
}

void OurRays(benchmark::State& state) {
  const Ground& ground = MillionTriangles();
  const auto rays = RaysInto(ground);
  int hits = 0;
  for (auto _ : state) {
    for (const RayCast& ray : rays) {
      hits += CastAgainstShape(ray, 1.0f, ground.shape, {}, {}) ? 1 : 0;
    }
  }
  ReportFound(state, hits, kRays);
}

struct ClosestHit : btTriangleRaycastCallback {
  using btTriangleRaycastCallback::btTriangleRaycastCallback;
  btScalar reportHit(const btVector3&, btScalar fraction, int, int) override { return fraction; }
};

void BulletRays(benchmark::State& state) {
  const Ground& ground = MillionTriangles();
  const auto rays = RaysInto(ground);
  int hits = 0;
  for (auto _ : state) {
    for (const RayCast& ray : rays) {
      const btVector3 from = ToBullet(ray.origin), to = ToBullet(ray.origin + ray.translation);
      ClosestHit hit(from, to, btTriangleRaycastCallback::kF_FilterBackfaces);
      ground.bullets->performRaycast(&hit, from, to);
      hits += hit.m_hitFraction < 1.0f ? 1 : 0;
    }
  }
  ReportFound(state, hits, kRays);
}

void OurBuild(benchmark::State& state) {
  const Hills hills(kHillCells);
  std::size_t bytes = 0;
  for (auto _ : state) bytes = hills.MakeOurs()->bytes();
  state.counters["bytes_of_triangle"] =
      static_cast<double>(bytes) / static_cast<double>(hills.triangles());
}

void BulletBuild(benchmark::State& state) {
  Hills hills(kHillCells);
  const auto lists = hills.MakeLists();
  std::size_t bytes = 0;
  for (auto _ : state) {
    btBvhTriangleMeshShape made(lists.get(), true);
    bytes = made.getOptimizedBvh()->calculateSerializeBufferSize();
  }
  state.counters["bytes_of_triangle"] =
      static_cast<double>(bytes + hills.bytes_of_lists()) / static_cast<double>(hills.triangles());
}

}  // namespace

void RegisterMeshes() {
  bench::RegisterConvex("mesh", Ours, Bullets);
  benchmark::RegisterBenchmark("ray_mesh/ours/1", OurRays);
  benchmark::RegisterBenchmark("ray_mesh/baseline/1", BulletRays);
  benchmark::RegisterBenchmark("build_mesh/ours/1", OurBuild);
  benchmark::RegisterBenchmark("build_mesh/baseline/1", BulletBuild);
}

}  // namespace nowait
