// OpenWorldTree: an open world in our broad phase, locked in one of the ways of open_world_locks.h.
//
// Thread safety: as src/sync/phase.h has it; Update in the physics update, by one thread. A body is
// changed by one thread at a time.
#ifndef NOWAIT_TESTS_BENCH_OPEN_WORLD_TREE_H_
#define NOWAIT_TESTS_BENCH_OPEN_WORLD_TREE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "src/base/result.h"
#include "src/bodies/proxy_id.h"
#include "src/broadphase/broad_phase.h"
#include "src/math/bounds.h"
#include "src/math/vec3.h"
#include "src/sync/rw_lock.h"
#include "tests/bench/open_world.h"

namespace nowait {

enum class BodyLocking { kEach, kNone };

template <class Locks>
class OpenWorldTree {
 public:
  using Prepared = std::optional<BroadPhase::Batch>;

  OpenWorldTree(std::vector<OpenBody> bodies, std::uint32_t locks)
      : bodies_(std::move(bodies)),
        locks_(locks),
        tree_(*BroadPhase::Create(
            BroadPhaseDef::ForBodies(static_cast<std::uint32_t>(bodies_.size())))) {}

  Vec3 PositionOf(std::uint32_t body) const { return bodies_[body].placed.position; }

  // locking: kNone while nobody changes a body, to see what the locks cost. Not a template: with
  // another layout of the code the same instructions take another time, by more than the locks do.
  std::optional<std::uint32_t> CastRay(const RayCast& ray, WaitTime& wait,
                                       BodyLocking locking = BodyLocking::kEach) {
    ClosestHit hit(ray);
    [[maybe_unused]] const auto scope = locks_.ReadTree(wait);
    tree_->Read().QueryRay(
        {{ray.origin.x, ray.origin.y, ray.origin.z},
         {ray.translation.x, ray.translation.y, ray.translation.z},
         1.0f},
        [&](ProxyId id, float) { return hit.Try(id.slot(), Copy(id, wait, locking)); });
    return hit.body();
  }

  // Calls work with what is in the box: as long as it likes, on a view that lasts as long.
  template <class Work>
  void Area(const Bounds<3>& box, Work&& work, WaitTime& wait,
            BodyLocking locking = BodyLocking::kEach) {
    [[maybe_unused]] const auto scope = locks_.ReadTree(wait);
    const BroadPhase::View view = tree_->Read();
    std::vector<PlacedShape> found;
    view.QueryBox(box, [&](ProxyId id) {
      found.push_back(Copy(id, wait, locking));
      return true;
    });
    work(std::span<const PlacedShape>(found));
  }

  void Move(std::uint32_t body, Vec3 to, WaitTime& wait) {
    [[maybe_unused]] const auto scope = locks_.WriteTree(wait);
    [[maybe_unused]] const auto lock = locks_.WriteBody(IdOf(body), wait);
    bodies_[body].placed.position = to;
    static_cast<void>(tree_->Move(IdOf(body), LayerOfBody(body), OpenBoxAt(to)));  // it is there
  }

  Result<void> Add(std::uint32_t body, WaitTime& wait) {
    [[maybe_unused]] const auto scope = locks_.WriteTree(wait);
    [[maybe_unused]] const auto lock = locks_.WriteBody(IdOf(body), wait);
    return tree_->Insert(IdOf(body), LayerOfBody(body), OpenBoxAt(PositionOf(body)));
  }

  void Remove(std::span<const std::uint32_t> bodies, WaitTime& wait) {
    [[maybe_unused]] const auto scope = locks_.WriteTree(wait);
    for (const std::uint32_t body : bodies) {
      [[maybe_unused]] const auto lock = locks_.WriteBody(IdOf(body), wait);
      tree_->Remove(IdOf(body), LayerOfBody(body));
    }
  }

  // Bodies of one layer. Nobody sees what is prepared, so it takes no lock.
  Result<Prepared> Prepare(std::span<const std::uint32_t> bodies) {
    std::vector<BroadPhase::Entry> entries;
    entries.reserve(bodies.size());
    for (const std::uint32_t body : bodies) {
      entries.push_back({IdOf(body), OpenBoxAt(PositionOf(body))});
    }
    Result<BroadPhase::Batch> batch = tree_->Prepare(LayerOfBody(bodies.front()), entries);
    if (!batch) return std::unexpected(batch.error());
    return Prepared(std::move(*batch));
  }

  void Finalise(Prepared& prepared, WaitTime& wait) {
    [[maybe_unused]] const auto scope = locks_.WriteTree(wait);
    tree_->Finalise(std::move(*prepared));
    prepared.reset();
  }

  // The physics update as far as it is the broad phase's. A rebuild for which there are no nodes,
  // because a reader holds on to them, is left for the next time, as the engine does.
  void Update(WaitTime& wait) {
    [[maybe_unused]] const auto scope = locks_.WriteAll(wait);
    static_cast<void>(tree_->Rebuild());
    tree_->Swap();
  }

 private:
  static ProxyId IdOf(std::uint32_t body) { return ProxyId(body, 0); }
  Layer LayerOfBody(std::uint32_t body) const {
    return bodies_[body].dynamic ? Layer::kDynamic : Layer::kStatic;
  }
  PlacedShape Copy(ProxyId id, WaitTime& wait, BodyLocking locking) {
    if (locking == BodyLocking::kNone) return bodies_[id.slot()].placed;
    [[maybe_unused]] const auto lock = locks_.ReadBody(id, wait);
    return bodies_[id.slot()].placed;
  }

  std::vector<OpenBody> bodies_;
  Locks locks_;
  std::unique_ptr<BroadPhase> tree_;
};

}  // namespace nowait

#endif  // NOWAIT_TESTS_BENCH_OPEN_WORLD_TREE_H_
