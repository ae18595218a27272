// QuadTree: boxes of bodies, queried and changed by many threads at once.
//
//   game update      Insert, Move, Remove, Finalise and queries, from any thread
//   loading          Prepare, from any thread, at any time
//   physics update   Rebuild, then Swap, from one thread; queries continue
//
// (src/sync/phase.h has the whole table.) The engine's tree has three axes and four children; the
// models check this same source with one axis and two children.
//
// Thread safety: as above. For one body, one thread at a time: the thread that may change it (holds
// its lock for writing). Query needs a pin of the storage.
// Progress: Insert and Finalise are lock-free. Move and Remove are wait-free except for the loops
// of AtomicMin and AtomicMax. Queries are wait-free. No thread ever waits for another.
//
// Promise: Insert, Move and Remove are linearizable per body over happens-before
// (models/kit/scenario/linearizability.h); see staging_tree.h, insert.h, move.h, remove.h. The
// answers of queries, the thread's own and others', about a body that lives once fit into the same
// order. Several bodies have no such order: a query is not linearizable as a whole. query.h says
// what it returns.
//
// Source: [rouwe2022], "Quad tree". Models: models/broadphase. Lectures: conservative bounds
// and the quad tree; inserting at the root and removing; rebuilding, swapping, reclaiming.
#ifndef NOWAIT_SRC_BROADPHASE_QUAD_TREE_H_
#define NOWAIT_SRC_BROADPHASE_QUAD_TREE_H_

#include <atomic>
#include <cstdint>
#include <span>
#include <utility>

#include "src/base/assert.h"
#include "src/base/result.h"
#include "src/broadphase/batch.h"
#include "src/broadphase/move.h"
#include "src/broadphase/node_reserve.h"
#include "src/broadphase/probe.h"
#include "src/broadphase/query.h"
#include "src/broadphase/rebuild.h"
#include "src/broadphase/refit.h"
#include "src/broadphase/remove.h"
#include "src/broadphase/staging_tree.h"
#include "src/broadphase/take_over.h"
#include "src/broadphase/tree_storage.h"

namespace nowait {

template <class Sync = EngineSync, int Axes = 3, int Fanout = 4>
class QuadTree {
 public:
  using Storage = TreeStorage<Sync, Axes, Fanout>;
  using Box = Bounds<Axes>;
  using Entry = TreeEntry<Axes>;
  using Batch = TreeBatch<Sync, Axes, Fanout>;

  // Takes one node of the storage, which must have one left.
  explicit QuadTree(Storage& storage)
      : storage_(storage),
        root_(FirstRoot(storage)),
        staging_trees_(storage),
        rebuild_(storage),
        refit_(storage) {}

  Storage& storage() const { return storage_; }

  // Whether the body is in a tree of this storage; a batch counts once it is finalised. A thread
  // that may change the body may move or remove it as soon as this returns true. The answer may be
  // false until the insert has returned, even if a query has already found the body. Must not be
  // called while a batch that holds the body is being destroyed. O(depth).
  bool Has(ProxyId body) const { return IsInTree(storage_, body); }

  // kInvalidArgument "bounds", kCapacity "bodies" or "tree nodes"; after an error nothing has
  // changed. O(depth), which stays small (staging_tree.h); O(cells) once no more cells can be
  // added.
  Result<void> Insert(ProxyId body, const Box& box) {
    NOWAIT_ASSERT(
        body.slot() >= storage_.max_bodies() || LocationOf(storage_, body) == location::kNone,
        "the body is in a tree or a batch already");
    if (Result<void> checked = CheckEntry(storage_, body, box); !checked) return checked;
    storage_.leaf(body).box.set(box);
    return staging_trees_.Insert(root_, body, box);
  }

  // body: in the tree. kInvalidArgument "bounds"; after an error nothing has changed. O(depth).
  Result<void> Move(ProxyId body, const Box& box) {
    if (!box.IsUsable()) return Fail(ErrorCode::kInvalidArgument, "bounds");
    MoveLeaf(storage_, body, box);
    return {};
  }

  // body: in the tree. O(depth).
  void Remove(ProxyId body) { RemoveLeaf(storage_, body); }

  // Takes a body over that is in another tree of the same storage. in_both() is called while both
  // trees lead to the body; afterwards this one alone does. Errors and complexity: those of Insert;
  // then in_both has not been called.
  template <class F>
  Result<void> TakeOver(ProxyId body, const Box& box, F&& in_both) {
    if (Result<void> checked = CheckEntry(storage_, body, box); !checked) return checked;
    const std::uint32_t there = LocationOf(storage_, body);
    if (Result<void> linked = staging_trees_.Insert(root_, body, box); !linked) return linked;
    storage_.leaf(body).box.set(box);
    in_both();
    RemoveFromOldTree(storage_, body, there);
    return {};
  }

  // See batch.h.
  Result<Batch> Prepare(std::span<const Entry> entries) {
    return Batch::Prepare(storage_, entries);
  }
  void Finalise(Batch&& batch) { batch.LinkInto(root_); }

  // Calls f(ProxyId) for the bodies whose boxes the probe hits (probe.h, shape_probes.h), until f
  // returns false. Nearer nodes come first if the probe orders them. f may tighten the probe. The
  // caller must hold a pin of the storage.
  template <class Probe, class F>
  void Query(Probe& probe, F&& f) const {
    Traverse(storage_, Root(), probe, f);
  }

  // Calls f(ProxyId) for the bodies whose boxes overlap `box`, until f returns false. The caller
  // must hold a pin of the storage.
  template <class F>
  void QueryBox(const Box& box, F&& f) const {
    BoxProbe<Axes> probe(box);
    Traverse(storage_, Root(), probe, f);
  }

  // Calls f(ProxyId, max_fraction) for the bodies whose boxes the ray passes through, nearer nodes
  // first. f returns the new end of the ray: max_fraction after a miss, less after a nearer hit, or
  // a negative value to stop. The caller must hold a pin of the storage.
  template <class F>
  void QueryRay(const Ray<Axes>& ray, F&& f) const {
    RayProbe<Axes> probe(ray);
    Traverse(storage_, Root(), probe, [&](ProxyId body) {
      probe.set_max_fraction(f(body, probe.max_fraction()));
      return probe.max_fraction() >= 0.0f;
    });
  }

  // The number of nodes that a rebuild would replace now. Phase kCollide, like Rebuild.
  std::size_t CountChanges() { return rebuild_.Collect(Root()); }

  // Builds the next tree beside the current one, if anything has changed. reserve: as TreeBuilder
  // has it. kCapacity "tree nodes": the current tree stays.
  Result<RebuiltTree> Rebuild(Keep keep = Keep::kUnchanged,
                              NodeReserve<Storage>* reserve = nullptr) {
    NOWAIT_ASSERT(!has_next_, "the last rebuild was not swapped in");
    RebuiltTree rebuilt;
    rebuilt.replaced_nodes = rebuild_.Collect(Root(), keep);
    if (rebuilt.replaced_nodes == 0) return rebuilt;
    rebuilt.items = rebuild_.items();
    const Result<std::uint32_t> next = rebuild_.Build(reserve);
    if (!next) return std::unexpected(next.error());
    next_root_ = *next;
    has_next_ = true;
    return rebuilt;
  }

  // Makes the boxes of the current tree tight again and leaves every body in its slot, which needs
  // no Swap. Returns the number of nodes that have changed since the last rebuild. Phase kCollide,
  // like Rebuild.
  std::size_t Refit() { return refit_.Run(Root()); }

  // Publishes the tree that Rebuild built, if there is one. O(replaced nodes), to retire them.
  // Reclaim of the storage returns them to the pool once their readers have left.
  void Swap() {
    if (!has_next_) return;
    has_next_ = false;
    // release: pairs with the acquires of the root: the new nodes. A store is enough, without an
    // exchange: no thread inserts in this phase.
    root_.store(next_root_, std::memory_order::release);
    staging_trees_.Forget();
    storage_.Retire(rebuild_.replaced());
  }

  // The current root, for tests and statistics.
  // acquire: pairs with the release in PushRoot and in Swap.
  std::uint32_t Root() const { return root_.load(std::memory_order::acquire); }

 private:
  static std::uint32_t FirstRoot(Storage& storage) {
    const Result<std::uint32_t> root = storage.TakeNode();
    NOWAIT_ASSERT(root.has_value(), "the storage has no node for a root");
    return *root;
  }

  Storage& storage_;
  typename Sync::template atomic<std::uint32_t> root_;
  StagingTrees<Sync, Axes, Fanout> staging_trees_;
  TreeRebuild<Sync, Axes, Fanout> rebuild_;
  TreeRefit<Sync, Axes, Fanout> refit_;
  std::uint32_t next_root_ = 0;
  bool has_next_ = false;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_BROADPHASE_QUAD_TREE_H_
