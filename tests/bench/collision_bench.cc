// The narrow phase of pairs of convex shapes, rays against them and the building of hulls, beside
// Bullet's.
//
// An iteration is a pass over 256 pairs that overlap or gape by two centimetres at most, the same
// ones on both sides. Bullet keeps its manifolds from pass to pass, as in a running world, and its
// polyhedra have their features, so that it clips faces as ours does.
#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <LinearMath/btConvexHullComputer.h>
#include <benchmark/benchmark.h>
#include <btBulletCollisionCommon.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "src/collision/collide.h"
#include "src/collision/convex_hull.h"
#include "src/collision/core_distance.h"
#include "src/collision/ray_cast.h"
#include "src/math/random.h"

namespace nowait {
namespace {

constexpr std::size_t kPairs = 256;
constexpr float kMargin = 0.02f;
constexpr std::uint32_t kHullPoints = 24;

std::vector<Vec3> PointsOfHull(Random& random) {
  const Vec3 size = random.InBox({0.3f, 0.3f, 0.3f}, {1, 1, 1});
  std::vector<Vec3> points;
  for (std::uint32_t i = 0; i < kHullPoints; ++i) {
    const Vec3 n = random.Direction();
    points.push_back({n.x * size.x, n.y * size.y, n.z * size.z});
  }
  return points;
}

btVector3 ToBullet(Vec3 v) { return {v.x, v.y, v.z}; }

btTransform PoseOf(Vec3 position, Quat q) {
  return btTransform(btQuaternion(q.x, q.y, q.z, q.w), ToBullet(position));
}

// A shape of both engines, at the same place.
class Body {
 public:
  Body(ShapeKind kind, Random& random) {
    const Vec3 size = random.InBox({0.3f, 0.3f, 0.3f}, {1, 1, 1});
    rotation = random.Rotation();
    switch (kind) {
      case ShapeKind::kSphere:
        shape = Shape::Sphere(size.x);
        bullet_ = std::make_unique<btSphereShape>(size.x);
        break;
      case ShapeKind::kCylinder:
        shape = Shape::Cylinder(size.x, size.y);
        bullet_ = std::make_unique<btCylinderShape>(btVector3(size.y, size.x, size.y));
        break;
      case ShapeKind::kHull: {
        hull_ = std::move(*ConvexHull::Create({.points = PointsOfHull(random)}));
        shape = Shape::Hull(hull_.get());
        auto made = std::make_unique<btConvexHullShape>();
        for (const Vec3& vertex : hull_->vertices()) made->addPoint(ToBullet(vertex), false);
        made->recalcLocalAabb();
        made->setMargin(0.001f);
        made->initializePolyhedralFeatures();
        bullet_ = std::move(made);
        break;
      }
      default: {
        shape = Shape::Box(size);
        auto made = std::make_unique<btBoxShape>(ToBullet(size));
        made->initializePolyhedralFeatures();
        bullet_ = std::move(made);
      }
    }
    object.setCollisionShape(bullet_.get());
    object.setContactProcessingThreshold(kMargin);
  }

  void Put(Vec3 at) {
    position = at;
    object.setWorldTransform(PoseOf(position, rotation));
  }

  Placed placed() const { return {shape, position, rotation}; }

  Shape shape;
  Vec3 position;
  Quat rotation;
  btCollisionObject object;

 private:
  std::unique_ptr<const ConvexHull> hull_;
  std::unique_ptr<btConvexShape> bullet_;
};

struct Pair {
  Pair(ShapeKind of_a, ShapeKind of_b, Random& random) : a(of_a, random), b(of_b, random) {
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
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  btDispatcherInfo info;
  struct Task {
    Task(const Pair& pair, btCollisionDispatcher& dispatcher)
        : a(nullptr, pair.a.object.getCollisionShape(), &pair.a.object,
            pair.a.object.getWorldTransform(), -1, -1),
          b(nullptr, pair.b.object.getCollisionShape(), &pair.b.object,
            pair.b.object.getWorldTransform(), -1, -1),
          algorithm(dispatcher.findAlgorithm(&a, &b, nullptr, BT_CONTACT_POINT_ALGORITHMS)) {}
    btCollisionObjectWrapper a, b;
    btCollisionAlgorithm* algorithm;
  };
  std::deque<Task> tasks;
  for (const auto& pair : pairs) tasks.emplace_back(*pair, dispatcher);
  std::int64_t points = 0;
  for (auto _ : state) {
    for (Task& task : tasks) {
      btManifoldResult result(&task.a, &task.b);
      task.algorithm->processCollision(&task.a, &task.b, info, &result);
      if (const btPersistentManifold* manifold = result.getPersistentManifold()) {
        points += manifold->getNumContacts();
      }
    }
  }
  benchmark::DoNotOptimize(points);
  for (Task& task : tasks) {
    task.algorithm->~btCollisionAlgorithm();
    dispatcher.freeCollisionAlgorithm(task.algorithm);
  }
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
  Body body(kind, random);
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
  Body body(kind, random);
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
