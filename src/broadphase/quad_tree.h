// QuadTree: boxes of bodies that many threads query and change at once.
//
//   game update      Insert, Move, Remove, Finalise and queries, from any thread
//   loading          Prepare, from any thread, at any time
//   physics update   Rebuild, then Swap, from one thread; queries go on
//
// (src/sync/phase.h has the whole table.) The engine's tree has three axes and four children; the
// models check this same source with one axis and two children.
//
// Thread safety: as above. Of one body, one thread at a time: the one that may change it (holds its
// lock for writing). Query needs a pin of the storage.
// Progress: Insert and Finalise are lock-free, Move and Remove are wait-free but for the loops of
// AtomicMin and AtomicMax, queries are wait-free; nobody ever waits for anybody.
//
// Promise: Insert, Move and Remove are linearizable per body over happens-before
// (models/kit/linearizability.h), see staging_tree.h, insert.h, move.h, remove.h; and what queries,
// each thread's own and others', tell of a body that lives once fits into the same order. There is
// no such order of several bodies: a query is not linearizable as a whole, and what it returns is
// in query.h.
//
// Source: the talk, "Quad tree". Models: models/broadphase. Lectures: conservative bounds
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
#include "src/broadphase/staging_tree.h"
#include "src/broadphase/probe.h"
#include "src/broadphase/query.h"
#include "src/broadphase/rebuild.h"
#include "src/broadphase/refit.h"
#include "src/broadphase/remove.h"
#include "src/broadphase/tree_storage.h"
#include "src/broadphase/move.h"

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
  // that may change the body may move or remove it as soon as this says so. "No" may be said until
  // the insert has returned, though a query has found the body already. Not while a batch that
  // holds the body is being let go. O(depth).
  bool Has(ProxyId body) const { return IsInTree(storage_, body); }

  // kInvalidArgument "bounds", kCapacity "bodies" or "tree nodes"; then nothing has happened.
  // O(depth), which stays small (staging_tree.h); O(cells) once there may be no more cells.
  Result<void> Insert(ProxyId body, const Box& box) {
    NOWAIT_ASSERT(body.slot() >= storage_.max_bodies() || LocationOf(storage_, body) == location::kNone,
                  "the body is in a tree or a batch already");
    if (Result<void> checked = CheckEntry(storage_, body, box); !checked) return checked;
    storage_.leaf(body).box.set(box);
    return staging_trees_.Insert(root_, body, box);
  }

  // body: in the tree. kInvalidArgument "bounds"; then nothing has happened. O(depth).
  Result<void> Move(ProxyId body, const Box& box) {
    if (!box.IsUsable()) return Fail(ErrorCode::kInvalidArgument, "bounds");
    MoveLeaf(storage_, body, box);
    return {};
  }

  // body: in the tree. O(depth).
  void Remove(ProxyId body) { RemoveLeaf(storage_, body); }

  // See batch.h.
  Result<Batch> Prepare(std::span<const Entry> entries) {
    return Batch::Prepare(storage_, entries);
  }
  void Finalise(Batch&& batch) { batch.LinkInto(root_); }

  // Calls f(ProxyId) for the bodies whose boxes the probe hits (probe.h, shape_probes.h), nearer nodes
  // first if it orders them, until f returns false. f may tighten the probe. The caller holds a pin
  // of the storage.
  template <class Probe, class F>
  void Query(Probe& probe, F&& f) const {
    Traverse(storage_, Root(), probe, f);
  }

  // Calls f(ProxyId) for the bodies whose boxes overlap `box`, until it returns false. The caller
  // holds a pin of the storage.
  template <class F>
  void QueryBox(const Box& box, F&& f) const {
    BoxProbe<Axes> probe(box);
    Traverse(storage_, Root(), probe, f);
  }

  // Calls f(ProxyId, max_fraction) for the bodies whose boxes the ray passes through, nearer nodes
  // first. f returns where the ray ends from now on: max_fraction if it hit nothing, less if it hit
  // something nearer, a negative value to stop. The caller holds a pin of the storage.
  template <class F>
  void QueryRay(const Ray<Axes>& ray, F&& f) const {
    RayProbe<Axes> probe(ray);
    Traverse(storage_, Root(), probe, [&](ProxyId body) {
      probe.set_max_fraction(f(body, probe.max_fraction()));
      return probe.max_fraction() >= 0.0f;
    });
  }

  // How many nodes a rebuild would replace now. Phase kCollide, like Rebuild.
  std::size_t CountChanges() { return rebuild_.Collect(Root()); }

  // Builds the next tree beside the current one. Does nothing when nothing has changed. kCapacity
  // "tree nodes"; then the current tree stays.
  Result<RebuiltTree> Rebuild(Keep keep = Keep::kUnchanged) {
    NOWAIT_ASSERT(!has_next_, "the last rebuild was not swapped in");
    RebuiltTree rebuilt;
    rebuilt.replaced_nodes = rebuild_.Collect(Root(), keep);
    if (rebuilt.replaced_nodes == 0) return rebuilt;
    rebuilt.items = rebuild_.items();
    const Result<std::uint32_t> next = rebuild_.Build();
    if (!next) return std::unexpected(next.error());
    next_root_ = *next;
    has_next_ = true;
    return rebuilt;
  }

  // Makes the boxes of the current tree tight again and leaves every body where it hangs, which wants no
  // Swap. Returns how many nodes have changed since the last rebuild. Phase kCollide, like Rebuild.
  std::size_t Refit() { return refit_.Run(Root()); }

  // Publishes what Rebuild built, if it did. O(replaced nodes) for handing them over to wait for
  // their readers; call Reclaim of the storage to have them back.
  void Swap() {
    if (!has_next_) return;
    has_next_ = false;
    // release: pairs with the acquires of the root: the new nodes. It is a store, not an exchange:
    // nobody inserts in this phase.
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
