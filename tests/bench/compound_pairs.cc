#include "tests/bench/compound_pairs.h"

#include <BulletCollision/CollisionShapes/btCompoundShape.h>
#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "src/collision/closest_points.h"
#include "src/collision/collide.h"
#include "src/collision/compound_shape.h"
#include "tests/bench/bullet_pairs.h"

namespace nowait {
namespace {

using bench::Body;
using bench::BulletNarrowPhase;
using bench::PoseOf;
using bench::ReportPoints;
using bench::ToBullet;

constexpr std::size_t kPairs = 256;
constexpr int kChildren = 8;
constexpr float kMargin = 0.02f;

// Boxes around a middle, as a compound of both engines at the same place.
class Boxes {
 public:
  explicit Boxes(Random& random) : rotation(random.Rotation()) {
    std::vector<CompoundChild> children;
    for (int i = 0; i < kChildren; ++i) {
      children.push_back({.shape = Shape::Box(random.InBox({0.2f, 0.2f, 0.2f}, {0.5f, 0.5f, 0.5f})),
                          .position = random.InBox({-1, -1, -1}, {1, 1, 1}),
                          .rotation = random.Rotation()});
    }
    ours_ = std::move(*CompoundShape::Create({.children = children}));
    shape = Shape::Compound(ours_.get());
    for (const CompoundShape::Child& child : ours_->children()) {
      btBoxShape& box = boxes_.emplace_back(ToBullet(child.shape.half));
      box.initializePolyhedralFeatures();
      bullets_.addChildShape(PoseOf(child.position, child.rotation), &box);
    }
    object.setCollisionShape(&bullets_);
    object.setContactProcessingThreshold(kMargin);
  }

  void Put(Vec3 at) {
    position = at;
    object.setWorldTransform(PoseOf(position, rotation));
  }
  Placed placed() const { return {shape, position, rotation}; }

  // From the part that is closest to `other`.
  ClosestPoints ClosestTo(const Placed& other) const {
    ClosestPoints closest;
    closest.distance = 1e30f;
    VisitParts(shape, position, rotation, [&](const Shape& part, Vec3 at, Quat turned) {
      const auto of = FindClosestPoints(Placed(part, at, turned), other, 1e6f);
      if (of->distance < closest.distance) closest = *of;
    });
    return closest;
  }

  Shape shape;
  Vec3 position;
  Quat rotation;
  btCollisionObject object;

 private:
  std::unique_ptr<const CompoundShape> ours_;
  std::deque<btBoxShape> boxes_;
  btCompoundShape bullets_;
};

// Moves it to where the two overlap, or gape, by the margin at most.
void Approach(Boxes& boxes, const Placed& other, Random& random) {
  boxes.Put(random.Direction() * 6.0f);
  for (int step = 0; step < 3; ++step) {
    const ClosestPoints of = boxes.ClosestTo(other);
    boxes.Put(boxes.position + of.normal * (of.distance - random.Between(-kMargin, kMargin)));
  }
}

struct MixedPair {
  MixedPair(ShapeKind kind, Random& random) : a(random), b(kind, kMargin, random) {
    b.Put({});
    Approach(a, b.placed(), random);
  }
  Boxes a;
  Body b;
};

struct CompoundPair {
  explicit CompoundPair(Random& random) : a(random), b(random) {
    b.Put({});
    Approach(a, b.placed(), random);
  }
  Boxes a, b;
};

template <class Pair, class... Kind>
std::vector<std::unique_ptr<Pair>> PairsOf(Kind... kind) {
  Random random(141);
  std::vector<std::unique_ptr<Pair>> pairs;
  while (pairs.size() < kPairs) pairs.push_back(std::make_unique<Pair>(kind..., random));
  return pairs;
}

template <class Pair>
void Ours(benchmark::State& state, const std::vector<std::unique_ptr<Pair>>& pairs) {
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

template <class Pair>
void Bullets(benchmark::State& state, const std::vector<std::unique_ptr<Pair>>& pairs) {
  BulletNarrowPhase narrow_phase;
  for (const auto& pair : pairs) narrow_phase.Add(pair->a.object, pair->b.object);
  std::int64_t points = 0;
  for (auto _ : state) points += narrow_phase.Pass();
  ReportPoints(state, static_cast<double>(points), kPairs);
}

void OursOf(benchmark::State& state, ShapeKind kind) { Ours(state, PairsOf<MixedPair>(kind)); }
void BulletsOf(benchmark::State& state, ShapeKind kind) {
  Bullets(state, PairsOf<MixedPair>(kind));
}
void OursOfTwo(benchmark::State& state) { Ours(state, PairsOf<CompoundPair>()); }
void BulletsOfTwo(benchmark::State& state) { Bullets(state, PairsOf<CompoundPair>()); }

}  // namespace

void RegisterCompounds() {
  bench::RegisterConvex("compound", OursOf, BulletsOf);
  benchmark::RegisterBenchmark("compound_compound/ours/1", OursOfTwo);
  benchmark::RegisterBenchmark("compound_compound/baseline/1", BulletsOfTwo);
}

}  // namespace nowait
