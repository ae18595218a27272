// Shapes of both engines at the same places, and Bullet's narrow phase over many pairs of them.
#ifndef NOWAIT_TESTS_BENCH_BULLET_PAIRS_H_
#define NOWAIT_TESTS_BENCH_BULLET_PAIRS_H_

#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <benchmark/benchmark.h>
#include <btBulletCollisionCommon.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "src/collision/convex_hull.h"
#include "src/collision/placed.h"
#include "src/math/random.h"

namespace nowait::bench {

inline constexpr std::uint32_t kHullPoints = 24;

inline constexpr std::array<std::pair<const char*, ShapeKind>, 5> kConvexKinds = {
    {{"sphere", ShapeKind::kSphere},
     {"capsule", ShapeKind::kCapsule},
     {"box", ShapeKind::kBox},
     {"cylinder", ShapeKind::kCylinder},
     {"hull", ShapeKind::kHull}}};

// PREFIX_KIND for each convex kind, by both engines. Each is a benchmark of (state, kind).
template <class Benchmark>
void RegisterConvex(const std::string& prefix, Benchmark ours, Benchmark bullets) {
  for (const auto& [name, kind] : kConvexKinds) {
    const std::string whole = prefix + "_" + name;
    benchmark::RegisterBenchmark((whole + "/ours/1").c_str(), ours, kind);
    benchmark::RegisterBenchmark((whole + "/baseline/1").c_str(), bullets, kind);
  }
}

// points: of all passes over so many pairs.
inline void ReportPoints(benchmark::State& state, double points, std::size_t pairs) {
  const double of_all = static_cast<double>(state.iterations()) * static_cast<double>(pairs);
  state.counters["points_of_pair"] = points / of_all;
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(pairs));
}

// found: the queries of all passes that found something, or the number of all that they found.
inline void ReportFound(benchmark::State& state, double found, std::size_t queries) {
  const double of_all = static_cast<double>(state.iterations()) * static_cast<double>(queries);
  state.counters["found_of_query"] = found / of_all;
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(queries));
}

inline btVector3 ToBullet(Vec3 v) { return {v.x, v.y, v.z}; }
inline btTransform PoseOf(Vec3 position, Quat q) {
  return btTransform(btQuaternion(q.x, q.y, q.z, q.w), ToBullet(position));
}

inline std::vector<Vec3> PointsOfHull(Random& random) {
  const Vec3 size = random.InBox({0.3f, 0.3f, 0.3f}, {1, 1, 1});
  std::vector<Vec3> points;
  for (std::uint32_t i = 0; i < kHullPoints; ++i) {
    const Vec3 n = random.Direction();
    points.push_back({n.x * size.x, n.y * size.y, n.z * size.z});
  }
  return points;
}

// A convex shape of both engines, at the same place.
class Body {
 public:
  Body(ShapeKind kind, float margin, Random& random) {
    const Vec3 size = random.InBox({0.3f, 0.3f, 0.3f}, {1, 1, 1});
    rotation = random.Rotation();
    switch (kind) {
      case ShapeKind::kSphere:
        shape = Shape::Sphere(size.x);
        bullet_ = std::make_unique<btSphereShape>(size.x);
        break;
      case ShapeKind::kCapsule:
        shape = Shape::Capsule(size.x, size.y);
        bullet_ = std::make_unique<btCapsuleShape>(size.y, 2.0f * size.x);
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
    object.setContactProcessingThreshold(margin);
  }

  void Put(Vec3 at) {
    position = at;
    object.setWorldTransform(PoseOf(position, rotation));
  }

  Placed placed() const { return {shape, position, rotation}; }
  btConvexShape& bullet() { return *bullet_; }

  Shape shape;
  Vec3 position;
  Quat rotation;
  btCollisionObject object;

 private:
  std::unique_ptr<const ConvexHull> hull_;
  std::unique_ptr<btConvexShape> bullet_;
};

// Bullet's manifolds of pairs of objects, kept from pass to pass as in a running world.
class BulletNarrowPhase {
 public:
  ~BulletNarrowPhase() {
    for (Task& task : tasks_) {
      task.algorithm->~btCollisionAlgorithm();
      dispatcher_.freeCollisionAlgorithm(task.algorithm);
    }
  }

  void Add(const btCollisionObject& a, const btCollisionObject& b) {
    tasks_.emplace_back(a, b, dispatcher_);
  }

  // The contact points of all pairs.
  std::int64_t Pass() {
    std::int64_t points = 0;
    for (Task& task : tasks_) {
      btManifoldResult result(&task.a, &task.b);
      task.algorithm->processCollision(&task.a, &task.b, info_, &result);
      if (const btPersistentManifold* manifold = result.getPersistentManifold()) {
        points += manifold->getNumContacts();
      }
    }
    return points;
  }

 private:
  struct Task {
    Task(const btCollisionObject& of_a, const btCollisionObject& of_b,
         btCollisionDispatcher& dispatcher)
        : a(nullptr, of_a.getCollisionShape(), &of_a, of_a.getWorldTransform(), -1, -1),
          b(nullptr, of_b.getCollisionShape(), &of_b, of_b.getWorldTransform(), -1, -1),
          algorithm(dispatcher.findAlgorithm(&a, &b, nullptr, BT_CONTACT_POINT_ALGORITHMS)) {}
    btCollisionObjectWrapper a, b;
    btCollisionAlgorithm* algorithm;
  };

  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDispatcherInfo info_;
  std::deque<Task> tasks_;
};

}  // namespace nowait::bench

#endif  // NOWAIT_TESTS_BENCH_BULLET_PAIRS_H_
