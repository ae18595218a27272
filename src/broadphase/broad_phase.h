// BroadPhase: finds the bodies near a place. It is the engine's interface to the quad tree.
//
// There is a tree for each layer (src/bodies/layers.h). The large tree of bodies that hardly ever
// move is rebuilt rarely and cheaply, because unchanged parts are kept. The smaller tree of moving
// bodies keeps little. The game's own layers are rebuilt as they change. A policy
// (rebuild_policy.h) decides when. A query visits the layers that it names.
//
//   game update      Insert, Move, ChangeLayer, Remove, Finalise, Abort; Read and queries, from any
//                    thread
//   loading          Prepare, from any thread, at any time
//   physics update   Rebuild, then Swap, from one thread; bodies move again only after Swap (phases
//                    kSolve); queries continue, and a view may be held across frames
//
// Thread safety: the table in src/sync/phase.h, asserted in debug builds. For one body, one thread
// at a time: the thread that may change it. Progress and promises: src/broadphase/quad_tree.h and
// query.h.
//
// Source: [rouwe2022], "Quad tree - rebuilding" (several trees) and "Quad tree - collision query".
// Lecture: rebuilding, swapping, reclaiming.
#ifndef NOWAIT_SRC_BROADPHASE_BROAD_PHASE_H_
#define NOWAIT_SRC_BROADPHASE_BROAD_PHASE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "src/base/assert.h"
#include "src/base/result.h"
#include "src/bodies/layers.h"
#include "src/bodies/proxy_id.h"
#include "src/broadphase/node_reserve.h"
#include "src/broadphase/quad_tree.h"
#include "src/broadphase/rebuild_policy.h"
#include "src/broadphase/staging_tree.h"
#include "src/broadphase/tree_snapshot.h"
#include "src/broadphase/tree_stats.h"
#include "src/math/bounds.h"
#include "src/math/ray.h"
#include "src/sync/phase_monitor.h"

namespace nowait {

struct BroadPhaseDef {
  // Body slots are below this.
  std::uint32_t max_bodies = 4096;
  // The nodes of all trees, of the trees being built beside them, of prepared batches, and of old
  // trees that a reader still holds.
  std::uint32_t max_nodes = 4 * 4096;
  // The game's own layers; together with the two that always exist, at most kMaxLayers.
  std::uint32_t user_layers = 0;
  CollisionMatrix collisions;
  std::array<RebuildPolicy, kMaxLayers> rebuild{};  // by layer; all kByTurns

  // Enough nodes for this many bodies in all layers together while no view is held, however they
  // move from layer to layer between two updates. Prepared batches may need more: each one has
  // nodes of its own, and Prepare is refused where too few are left.
  static BroadPhaseDef ForBodies(std::uint32_t bodies, std::uint32_t user_layers = 0);
};

// Old nodes that wait for views to be released.
struct WaitingNodes {
  std::uint32_t nodes = 0;
  // The number of successive updates, from the second one, in which the same view has been held. A
  // background job holds it for long, or has leaked it. An update that found another thread
  // reclaiming is not counted.
  std::uint32_t updates = 0;
};

class BroadPhase {
 public:
  using Tree = QuadTree<EngineSync, 3, 4>;
  using Staging = StagingTrees<EngineSync, 3, 4>;
  using Box = Bounds<3>;
  using Entry = Tree::Entry;

  // Bodies that were prepared for a layer. It returns everything if it is not finalised.
  class Batch {
   private:
    friend class BroadPhase;
    Batch(Layer layer, Tree::Batch&& bodies) : layer_(layer), bodies_(std::move(bodies)) {}
    Layer layer_;
    Tree::Batch bodies_;
  };

  // A reader of all trees. Each query sees the bodies as they are when it runs. A view protects
  // only memory: nodes that go out of use are not reused during its lifetime. It may outlive
  // frames, but not the broad phase.
  class View {
   public:
    // Calls f(ProxyId) for the bodies of these layers whose boxes the probe hits (probe.h,
    // shape_probes.h), until f returns false. f may tighten the probe as it finds nearer bodies.
    template <class Probe, class F>
    void Query(Probe& probe, F&& f, LayerSet layers = LayerSet::All()) const;

    // Calls f(ProxyId) for the bodies of these layers whose boxes overlap `box`, until it returns
    // false.
    template <class F>
    void QueryBox(const Box& box, F&& f, LayerSet layers = LayerSet::All()) const;

    // Calls f(ProxyId, max_fraction) for the bodies of these layers whose boxes the ray passes
    // through. f returns the new end of the ray: max_fraction after a miss, less after a nearer
    // hit, or a negative value to stop.
    template <class F>
    void QueryRay(const Ray<3>& ray, F&& f, LayerSet layers = LayerSet::All()) const;

   private:
    friend class BroadPhase;
    View(const BroadPhase& broad_phase, Tree::Storage::Pin pin)
        : broad_phase_(&broad_phase), pin_(std::move(pin)) {}
    const BroadPhase* broad_phase_;
    Tree::Storage::Pin pin_;
  };

  // kInvalidArgument "max_bodies", "max_nodes" or "user_layers".
  static Result<std::unique_ptr<BroadPhase>> Create(const BroadPhaseDef& def);

  // The functions below check their arguments, in release builds too. A body that does not exist
  // (no body, another generation of its slot, a second Remove) is refused, and nothing changes.
  // Remove also refuses a body of an unfinalised batch, at a cost of O(depth). A move is checked in
  // O(1), which does not detect that case. The caller orders the calls for one body: if two threads
  // change one body at once, this is not detected.

  // The body must not be in a layer or batch. kInvalidArgument "body", "layer" or "bounds",
  // kCapacity "bodies" or "tree nodes"; after an error nothing has changed.
  Result<void> Insert(ProxyId body, Layer layer, const Box& box);
  // The body must be in this layer, and in no batch. kInvalidArgument "body", "layer" or "bounds";
  // after an error nothing has changed.
  Result<void> Move(ProxyId body, Layer layer, const Box& box);
  // Takes the body, which must be in layer `from` and in no batch, to another layer and a new box.
  // in_both() is called while the trees of both lead to it, and before that of `from` no longer
  // does. A query of one layer that runs meanwhile may find the body or not; one of both may find
  // it twice, or not at all (src/world/layer_changes.h shows it once). kInvalidArgument "body",
  // "layer" or "bounds", kCapacity "tree nodes"; after an error nothing has changed.
  template <class F>
  Result<void> ChangeLayer(ProxyId body, Layer from, Layer to, const Box& box, F&& in_both);
  // Returns whether the body was there. Afterwards it is not.
  bool Remove(ProxyId body, Layer layer);
  // Removes a whole scene. All bodies must be in this layer, and the caller must be allowed to
  // change them. Nodes of a batch's subtree that become empty leave the tree at once (remove.h).
  // Returns the number of bodies that were there.
  std::size_t Remove(std::span<const ProxyId> bodies, Layer layer);
  // Whether this very body, and not a later one in its slot, is in a layer. The bodies of a batch
  // count once it is finalised.
  bool Has(ProxyId body) const;

  // Builds a batch on the calling thread. No body of it may be in a layer or in another batch, or
  // twice in this one. None of them may be moved or removed before Finalise has returned or Has has
  // returned true. Errors: those of Insert.
  Result<Batch> Prepare(Layer layer, std::span<const Entry> entries);
  // Makes the batch's bodies visible to queries. The time does not depend on their number
  // (batch.h). Cannot fail.
  void Finalise(Batch&& batch);
  // Returns everything that the batch holds, as its destruction would.
  void Abort(Batch&& batch);

  std::size_t layer_count() const { return trees_.size(); }
  const CollisionMatrix& collisions() const { return collisions_; }

  View Read() const { return View(*this, storage_.PinReader()); }

  // Builds the next versions of the trees that are due, beside the current ones, or refits those
  // trees (rebuild_policy.h).
  // kCapacity "tree nodes": no node was left for one tree. That tree stays as it is, and the next
  // Rebuild tries again. With the nodes of ForBodies that happens only while a view keeps nodes
  // from being reused: a rebuild has nodes in reserve (node_reserve.h).
  Result<void> Rebuild();
  // Publishes the new versions, and reclaims nodes of earlier versions that no view can reach any
  // more. Called in each physics update, after Rebuild.
  void Swap();

  // The nodes that views keep from being reused, as of the last Swap. A view that is never released
  // does not stop a frame. It costs the nodes counted here, until no "tree nodes" are left and the
  // error names the view. Called from the thread that calls Swap.
  WaitingNodes waiting_nodes() const { return {storage_.waiting_nodes(), updates_held_}; }

  // The work of the last Rebuild. Called from the thread that calls Rebuild.
  const RebuildStats& last_rebuild() const { return last_rebuild_; }

  // Computed by a walk through the tree, while no thread changes it.
  TreeStats Stats(Layer layer) const;
  // Replaces the contents of `out` with the boxes of at most `limit` nodes of each tree
  // (tree_visit.h). Called while no thread changes a tree.
  void Snapshot(std::size_t limit, TreeSnapshot& out) const;

 private:
  explicit BroadPhase(const BroadPhaseDef& def);

  bool HasLayer(Layer layer) const { return IndexOf(layer) < trees_.size(); }
  // Whether a body in this slot, of any generation, is in a layer or in a batch.
  bool IsTaken(ProxyId body) const;
  // Whether this very body is in a layer or in a batch.
  bool Holds(ProxyId body) const;

  Tree& tree(Layer layer) {
    NOWAIT_ASSERT(IndexOf(layer) < trees_.size(), "the layer is one of the definition's");
    return *trees_[IndexOf(layer)];
  }

  // Rebuilds a tree if it has changed.
  Result<void> RebuildTree(std::size_t layer, Keep keep);
  // Refits a tree if it has changed, or rebuilds it once it has been refitted often enough.
  Result<void> RefitTree(std::size_t layer);
  // The layer whose turn it is, among those that take turns; layer_count() if nothing has changed.
  std::size_t NextTurn();

  const CollisionMatrix collisions_;
  const std::array<RebuildPolicy, kMaxLayers> policies_;
  Tree::Storage storage_;
  std::vector<std::unique_ptr<Tree>> trees_;  // by layer
  NodeReserve<Tree::Storage> reserve_;
  // How many times in succession each changed tree was passed over for another one.
  std::vector<std::uint32_t> passed_over_;
  std::vector<std::uint32_t> refits_;  // of each tree since its last rebuild
  RebuildStats last_rebuild_;
  std::uint32_t updates_held_ = 0;  // WaitingNodes::updates
  mutable PhaseMonitor<> phases_;
};

template <class F>
Result<void> BroadPhase::ChangeLayer(ProxyId body, Layer from, Layer to, const Box& box,
                                     F&& in_both) {
  PhaseScope scope(phases_, Op::kModify);
  if (!HasLayer(from) || !HasLayer(to) || from == to) {
    return Fail(ErrorCode::kInvalidArgument, "layer");
  }
  if (!Holds(body)) return Fail(ErrorCode::kInvalidArgument, "body");
  return tree(to).TakeOver(body, box, in_both);
}

template <class Probe, class F>
void BroadPhase::View::Query(Probe& probe, F&& f, LayerSet layers) const {
  PhaseScope scope(broad_phase_->phases_, Op::kQuery);
  bool go_on = true;
  const auto& trees = broad_phase_->trees_;
  for (std::size_t i = 0; i < trees.size() && go_on; ++i) {
    if (!layers.Has(static_cast<Layer>(i))) continue;
    trees[i]->Query(probe, [&](ProxyId body) { return go_on = f(body); });
  }
}

template <class F>
void BroadPhase::View::QueryBox(const Box& box, F&& f, LayerSet layers) const {
  BoxProbe<3> probe(box);
  Query(probe, f, layers);
}

template <class F>
void BroadPhase::View::QueryRay(const Ray<3>& ray, F&& f, LayerSet layers) const {
  PhaseScope scope(broad_phase_->phases_, Op::kQuery);
  Ray<3> rest = ray;
  const auto& trees = broad_phase_->trees_;
  for (std::size_t i = 0; i < trees.size() && rest.max_fraction >= 0.0f; ++i) {
    if (!layers.Has(static_cast<Layer>(i))) continue;
    trees[i]->QueryRay(rest, [&](ProxyId body, float max_fraction) {
      return rest.max_fraction = f(body, max_fraction);
    });
  }
}

}  // namespace nowait

#endif  // NOWAIT_SRC_BROADPHASE_BROAD_PHASE_H_
