// 4,000 bodies of all convex kinds in a block of 80 m. Bullet's tree is rebuilt before the queries.
// Bullet has no query for the closest body: its tree gives the bodies whose boxes are near enough,
// and its GJK the distance of each. Nor does it ask for the bodies at a point: a ball of a
// millimetre stands for the point.
#include "tests/bench/world_queries.h"

#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "src/world/world.h"
#include "tests/bench/bullet_pairs.h"

namespace nowait {
namespace {

using bench::Body;
using bench::PoseOf;
using bench::ReportFound;
using bench::ToBullet;

constexpr std::size_t kBodies = 4000, kQueries = 256;
constexpr float kHalf = 40.0f, kMargin = 0.02f, kReach = 3.0f;

std::vector<std::unique_ptr<Body>> Bodies() {
  Random random(161);
  std::vector<std::unique_ptr<Body>> bodies;
  while (bodies.size() < kBodies) {
    const ShapeKind kind = bench::kConvexKinds[bodies.size() % bench::kConvexKinds.size()].second;
    bodies.push_back(std::make_unique<Body>(kind, kMargin, random));
    bodies.back()->Put(random.InBox({-kHalf, -kHalf, -kHalf}, {kHalf, kHalf, kHalf}));
  }
  return bodies;
}

class OurWorld {
 public:
  OurWorld() {
    WorldDef def;
    def.max_bodies = 2 * kBodies;
    world_ = std::move(*World::Create(def));
    std::vector<BodyDef> defs;
    for (const auto& body : bodies_) {
      BodyDef def_of_body;
      def_of_body.type = BodyType::kStatic;
      def_of_body.shape = body->shape;
      def_of_body.position = body->position;
      def_of_body.rotation = body->rotation;
      defs.push_back(def_of_body);
    }
    auto batch = *world_->PrepareBatch(defs);
    benchmark::DoNotOptimize(world_->FinaliseBatch(batch, wait).has_value());
  }

  WorldView Read() const { return world_->Read(); }

  WaitTime wait;

 private:
  std::vector<std::unique_ptr<Body>> bodies_ = Bodies();
  std::unique_ptr<World> world_;
};

class BulletWorld {
 public:
  BulletWorld() {
    for (const auto& body : bodies_) world.addCollisionObject(&body->object);
    broad_phase_.optimize();
  }
  ~BulletWorld() {
    for (const auto& body : bodies_) world.removeCollisionObject(&body->object);
  }

 private:
  std::vector<std::unique_ptr<Body>> bodies_ = Bodies();
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broad_phase_;

 public:
  btCollisionWorld world{&dispatcher_, &broad_phase_, &configuration_};
};

std::vector<RayCast> Rays() {
  Random random(162);
  std::vector<RayCast> rays;
  const Vec3 half{kHalf, kHalf, kHalf};
  while (rays.size() < kQueries) {
    rays.push_back({random.InBox(-half, half), random.Direction() * 60.0f});
  }
  return rays;
}

// Convex shapes of all kinds at places of the world.
std::vector<std::unique_ptr<Body>> Visitors() {
  Random random(163);
  std::vector<std::unique_ptr<Body>> visitors;
  while (visitors.size() < kQueries) {
    const ShapeKind kind = bench::kConvexKinds[visitors.size() % bench::kConvexKinds.size()].second;
    visitors.push_back(std::make_unique<Body>(kind, kMargin, random));
    visitors.back()->Put(random.InBox({-kHalf, -kHalf, -kHalf}, {kHalf, kHalf, kHalf}));
  }
  return visitors;
}

PlacedShape ShapeOf(const Body& body) { return {body.shape, body.position, body.rotation}; }

void OurRay(benchmark::State& state) {
  OurWorld ours;
  const auto rays = Rays();
  const WorldView view = ours.Read();
  int hits = 0;
  for (auto _ : state) {
    for (const RayCast& ray : rays) hits += view.CastRay(ray, {}, ours.wait) ? 1 : 0;
  }
  ReportFound(state, hits, kQueries);
}

void OurBatch(benchmark::State& state) {
  OurWorld ours;
  const auto rays = Rays();
  const WorldView view = ours.Read();
  std::vector<std::optional<RayHit>> found(rays.size());
  std::int64_t hits = 0;
  for (auto _ : state) {
    view.CastRays(rays, {}, found, ours.wait);
    hits += std::ranges::count_if(found, [](const auto& hit) { return hit.has_value(); });
  }
  ReportFound(state, static_cast<double>(hits), kQueries);
}

void BulletRay(benchmark::State& state) {
  const BulletWorld bullets;
  const auto rays = Rays();
  int hits = 0;
  for (auto _ : state) {
    for (const RayCast& ray : rays) {
      const btVector3 from = ToBullet(ray.origin), to = ToBullet(ray.origin + ray.translation);
      btCollisionWorld::ClosestRayResultCallback result(from, to);
      bullets.world.rayTest(from, to, result);
      hits += result.hasHit() ? 1 : 0;
    }
  }
  ReportFound(state, hits, kQueries);
}

void OurAnyHit(benchmark::State& state) {
  OurWorld ours;
  const auto rays = Rays();
  const WorldView view = ours.Read();
  int hits = 0;
  for (auto _ : state) {
    for (const RayCast& ray : rays) hits += view.IsBlocked(ray, {}, ours.wait) ? 1 : 0;
  }
  ReportFound(state, hits, kQueries);
}

// Ends the walk at the first hit.
struct AnyHit : btCollisionWorld::RayResultCallback {
  btScalar addSingleResult(btCollisionWorld::LocalRayResult& result, bool) override {
    m_collisionObject = result.m_collisionObject;
    m_closestHitFraction = 0;
    return 0;
  }
};

void BulletAnyHit(benchmark::State& state) {
  const BulletWorld bullets;
  const auto rays = Rays();
  int hits = 0;
  for (auto _ : state) {
    for (const RayCast& ray : rays) {
      AnyHit result;
      bullets.world.rayTest(ToBullet(ray.origin), ToBullet(ray.origin + ray.translation), result);
      hits += result.hasHit() ? 1 : 0;
    }
  }
  ReportFound(state, hits, kQueries);
}

void OurAllHits(benchmark::State& state) {
  OurWorld ours;
  const auto rays = Rays();
  const WorldView view = ours.Read();
  std::vector<RayHit> out;
  std::size_t hits = 0;
  for (auto _ : state) {
    for (const RayCast& ray : rays) {
      view.CollectHits(ray, {}, out, ours.wait);
      hits += out.size();
    }
  }
  ReportFound(state, static_cast<double>(hits), kQueries);
}

void BulletAllHits(benchmark::State& state) {
  const BulletWorld bullets;
  const auto rays = Rays();
  std::int64_t hits = 0;
  for (auto _ : state) {
    for (const RayCast& ray : rays) {
      const btVector3 from = ToBullet(ray.origin), to = ToBullet(ray.origin + ray.translation);
      btCollisionWorld::AllHitsRayResultCallback result(from, to);
      bullets.world.rayTest(from, to, result);
      hits += result.m_collisionObjects.size();
    }
  }
  ReportFound(state, static_cast<double>(hits), kQueries);
}

constexpr Vec3 kWay{9.0f, -6.0f, 12.0f};

void OurCast(benchmark::State& state) {
  OurWorld ours;
  const auto visitors = Visitors();
  const WorldView view = ours.Read();
  int hits = 0;
  for (auto _ : state) {
    for (const auto& visitor : visitors) {
      hits += (*view.CastShape(ShapeOf(*visitor), kWay, {}, ours.wait)) ? 1 : 0;
    }
  }
  ReportFound(state, hits, kQueries);
}

void BulletCast(benchmark::State& state) {
  const BulletWorld bullets;
  const auto visitors = Visitors();
  int hits = 0;
  for (auto _ : state) {
    for (const auto& visitor : visitors) {
      const btTransform from = PoseOf(visitor->position, visitor->rotation);
      const btTransform to = PoseOf(visitor->position + kWay, visitor->rotation);
      btCollisionWorld::ClosestConvexResultCallback result(from.getOrigin(), to.getOrigin());
      bullets.world.convexSweepTest(&visitor->bullet(), from, to, result);
      hits += result.hasHit() ? 1 : 0;
    }
  }
  ReportFound(state, hits, kQueries);
}

// reach: zero for the body that the shape overlaps.
void OurClosest(benchmark::State& state, float reach) {
  OurWorld ours;
  const auto visitors = Visitors();
  const WorldView view = ours.Read();
  int found = 0;
  for (auto _ : state) {
    for (const auto& visitor : visitors) {
      found += (*view.FindClosest(ShapeOf(*visitor), reach, {}, ours.wait)) ? 1 : 0;
    }
  }
  ReportFound(state, found, kQueries);
}

// Of the bodies whose box is near enough, the one that is least apart.
class Nearest : public btBroadphaseAabbCallback {
 public:
  Nearest(Body& visitor, float reach) : visitor_(visitor), least(reach) {}

  bool process(const btBroadphaseProxy* proxy) override {
    const auto& object = *static_cast<const btCollisionObject*>(proxy->m_clientObject);
    const auto& shape = *static_cast<const btConvexShape*>(object.getCollisionShape());
    btGjkPairDetector detector(&visitor_.bullet(), &shape, &simplex_, &depth_);
    btDiscreteCollisionDetectorInterface::ClosestPointInput input;
    input.m_transformA = visitor_.object.getWorldTransform();
    input.m_transformB = object.getWorldTransform();
    btPointCollector points;
    detector.getClosestPoints(input, points, nullptr);
    if (points.m_hasResult && points.m_distance <= least) {
      least = points.m_distance;
      has_found = true;
    }
    return true;
  }

 private:
  Body& visitor_;
  btVoronoiSimplexSolver simplex_;
  btGjkEpaPenetrationDepthSolver depth_;

 public:
  float least;
  bool has_found = false;
};

void BulletClosest(benchmark::State& state, float reach) {
  BulletWorld bullets;
  const auto visitors = Visitors();
  int found = 0;
  for (auto _ : state) {
    for (const auto& visitor : visitors) {
      btVector3 least, most;
      visitor->bullet().getAabb(visitor->object.getWorldTransform(), least, most);
      const btVector3 around(reach, reach, reach);
      Nearest nearest(*visitor, reach);
      bullets.world.getBroadphase()->aabbTest(least - around, most + around, nearest);
      found += nearest.has_found ? 1 : 0;
    }
  }
  ReportFound(state, found, kQueries);
}

void OurPoint(benchmark::State& state) {
  OurWorld ours;
  const auto visitors = Visitors();
  const WorldView view = ours.Read();
  std::vector<BodyAt> out;
  std::size_t found = 0;
  for (auto _ : state) {
    for (const auto& visitor : visitors) {
      view.FindAt(visitor->position, {}, out, ours.wait);
      found += out.size();
    }
  }
  ReportFound(state, static_cast<double>(found), kQueries);
}

// Each body once: those whose points come one after another.
struct Count : btCollisionWorld::ContactResultCallback {
  btScalar addSingleResult(btManifoldPoint&, const btCollisionObjectWrapper* a, int, int,
                           const btCollisionObjectWrapper* b, int, int) override {
    const auto* body = a->getCollisionObject() == point ? b : a;
    if (body->getCollisionObject() != last) ++bodies;
    last = body->getCollisionObject();
    return 0;
  }
  const btCollisionObject* point = nullptr;
  const btCollisionObject* last = nullptr;
  int bodies = 0;
};

void BulletPoint(benchmark::State& state) {
  BulletWorld bullets;
  const auto visitors = Visitors();
  btSphereShape ball(0.001f);
  btCollisionObject point;
  point.setCollisionShape(&ball);
  int found = 0;
  for (auto _ : state) {
    for (const auto& visitor : visitors) {
      point.setWorldTransform(PoseOf(visitor->position, {}));
      Count count;
      count.point = &point;
      bullets.world.contactTest(&point, count);
      found += count.bodies;
    }
  }
  ReportFound(state, found, kQueries);
}

template <class Ours, class Bullets>
void Both(const char* ours, const char* bullets, Ours of_ours, Bullets of_bullets) {
  benchmark::RegisterBenchmark(ours, of_ours);
  benchmark::RegisterBenchmark(bullets, of_bullets);
}

}  // namespace

void RegisterWorldQueries() {
  Both("world_ray/ours/1", "world_ray/baseline/1", OurRay, BulletRay);
  Both("world_rays/ours/1", "world_rays/baseline/1", OurBatch, BulletRay);
  Both("world_ray_any/ours/1", "world_ray_any/baseline/1", OurAnyHit, BulletAnyHit);
  Both("world_ray_all/ours/1", "world_ray_all/baseline/1", OurAllHits, BulletAllHits);
  Both("world_cast/ours/1", "world_cast/baseline/1", OurCast, BulletCast);
  for (const auto& [name, reach] :
       {std::pair("world_overlap", 0.0f), std::pair("world_closest", kReach)}) {
    benchmark::RegisterBenchmark((std::string(name) + "/ours/1").c_str(), OurClosest, reach);
    benchmark::RegisterBenchmark((std::string(name) + "/baseline/1").c_str(), BulletClosest, reach);
  }
  Both("world_point/ours/1", "world_point/baseline/1", OurPoint, BulletPoint);
}

}  // namespace nowait
