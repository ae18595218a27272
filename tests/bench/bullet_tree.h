// BulletTree: an open world in Bullet's dynamic trees under one reader-writer lock: the peer.
//
// btDbvt is made for one thread, but its queries change nothing, so readers share the lock: that is
// kinder to it than a plain mutex. It has no batches: a scene goes in body by body, with the lock
// held, by the thread that wants it there. The update does what Bullet's own broad phase does
// between steps: some passes of incremental optimisation.
//
// Thread safety: any thread. Blocking.
#ifndef NOWAIT_TESTS_BENCH_BULLET_TREE_H_
#define NOWAIT_TESTS_BENCH_BULLET_TREE_H_

#include <BulletCollision/BroadphaseCollision/btDbvt.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "src/base/result.h"
#include "src/math/bounds.h"
#include "src/math/vec3.h"
#include "src/sync/rw_lock.h"
#include "tests/bench/open_world.h"

namespace nowait {

class BulletTree {
 public:
  using Prepared = std::vector<std::uint32_t>;

  BulletTree(std::vector<OpenBody> bodies, std::uint32_t /*locks*/)
      : bodies_(std::move(bodies)), leaves_(bodies_.size(), nullptr) {}

  Vec3 PositionOf(std::uint32_t body) const { return bodies_[body].placed.position; }

  std::optional<std::uint32_t> CastRay(const RayCast& ray, WaitTime& wait) {
    Visitor visitor(*this, ray);
    const btVector3 from = ToBullet(ray.origin);
    const btVector3 along = ToBullet(ray.translation);
    const btVector3 to = from + along;
    // As Bullet's broad phase prepares a ray: lambda_max is a length along a direction of length 1.
    const btScalar length = along.length();
    const btVector3 direction = along / length;
    btVector3 inverse;
    unsigned signs[3];
    for (int axis = 0; axis < 3; ++axis) {
      inverse[axis] = direction[axis] == 0 ? btScalar(BT_LARGE_FLOAT) : 1 / direction[axis];
      signs[axis] = inverse[axis] < 0 ? 1 : 0;
    }
    const btVector3 none(0, 0, 0);
    thread_local btAlignedObjectArray<const btDbvtNode*> stack;
    const ReadScope<> scope(lock_, wait);
    for (const btDbvt& tree : trees_) {
      tree.rayTestInternal(tree.m_root, from, to, inverse, signs, length, none, none, stack,
                           visitor);
    }
    return visitor.hit.body();
  }

  template <class Work>
  void Area(const Bounds<3>& box, Work&& work, WaitTime& wait) {
    const ReadScope<> scope(lock_, wait);
    Collector collector(*this);
    for (const btDbvt& tree : trees_) tree.collideTV(tree.m_root, VolumeOf(box), collector);
    work(std::span<const PlacedShape>(collector.found));
  }

  void Move(std::uint32_t body, Vec3 to, WaitTime& wait) {
    const WriteScope<> scope(lock_, wait);
    bodies_[body].placed.position = to;
    btDbvtVolume volume = VolumeOf(OpenBoxAt(to));
    TreeOf(body).update(leaves_[body], volume);
  }

  Result<void> Add(std::uint32_t body, WaitTime& wait) {
    const WriteScope<> scope(lock_, wait);
    Insert(body);
    return {};
  }

  void Remove(std::span<const std::uint32_t> bodies, WaitTime& wait) {
    const WriteScope<> scope(lock_, wait);
    for (const std::uint32_t body : bodies) {
      TreeOf(body).remove(leaves_[body]);
      leaves_[body] = nullptr;
    }
  }

  Result<Prepared> Prepare(std::span<const std::uint32_t> bodies) {
    return Prepared(bodies.begin(), bodies.end());
  }

  void Finalise(Prepared& prepared, WaitTime& wait) {
    const WriteScope<> scope(lock_, wait);
    for (const std::uint32_t body : prepared) Insert(body);
    prepared.clear();
  }

  void Update(WaitTime& wait) {
    const WriteScope<> scope(lock_, wait);
    for (btDbvt& tree : trees_) tree.optimizeIncremental(1 + tree.m_leaves / 100);
  }

 private:
  // Bullet hands out leaves; a leaf knows its body's number.
  static std::uint32_t BodyOf(const btDbvtNode* leaf) {
    return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(leaf->data));
  }

  struct Visitor : btDbvt::ICollide {
    Visitor(BulletTree& of, const RayCast& ray) : owner(of), hit(ray) {}
    void Process(const btDbvtNode* leaf) override {
      const std::uint32_t body = BodyOf(leaf);
      hit.Try(body, owner.bodies_[body].placed);
    }
    BulletTree& owner;
    ClosestHit hit;
  };

  struct Collector : btDbvt::ICollide {
    explicit Collector(BulletTree& of) : owner(of) {}
    void Process(const btDbvtNode* leaf) override {
      found.push_back(owner.bodies_[BodyOf(leaf)].placed);
    }
    BulletTree& owner;
    std::vector<PlacedShape> found;
  };

  static btVector3 ToBullet(Vec3 v) { return {v.x, v.y, v.z}; }
  static btDbvtVolume VolumeOf(const Bounds<3>& box) {
    return btDbvtVolume::FromMM({box.min[0], box.min[1], box.min[2]},
                                {box.max[0], box.max[1], box.max[2]});
  }
  btDbvt& TreeOf(std::uint32_t body) { return trees_[bodies_[body].dynamic ? 1 : 0]; }
  void Insert(std::uint32_t body) {
    leaves_[body] = TreeOf(body).insert(VolumeOf(OpenBoxAt(PositionOf(body))),
                                        reinterpret_cast<void*>(static_cast<std::uintptr_t>(body)));
  }

  std::vector<OpenBody> bodies_;
  std::vector<btDbvtNode*> leaves_;  // by body
  std::array<btDbvt, 2> trees_;      // static, dynamic
  RwLock<> lock_;
};

}  // namespace nowait

#endif  // NOWAIT_TESTS_BENCH_BULLET_TREE_H_
