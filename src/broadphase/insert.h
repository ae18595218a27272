// Inserting at the root: links a body or a private subtree, in O(roots since the last update). A
// new root is added only when all slots of all roots are taken.
//
// Inserting in the middle of the tree would have to change a child id and a parent together, which
// takes two words. At the root one compare-exchange is enough:
//
//   case 2  a root, this one or an old one below, has a free slot: claim it, then give it its box
//   case 1  no slot is free: a new root above it, with the old root in slot 0, the newcomer in 1
//
// Case 2 is tried first; the numbers are those of [rouwe2022]. A tree that grew only in this way,
// one body at a time, would become a list of roots. A single body goes to a staging tree
// (staging_tree.h); staging trees and batches come here.
//
// Thread safety: any thread, concurrently with other inserts, moves, removes and queries.
// Progress: lock-free; an attempt fails only because another insert or remove succeeded.
//
// Promise: linearizable per child. Linearization point: case 2, the store of the last min of the
// box (until then the slot's box is inside out); case 1, the exchange of the root.
//
// Source: [rouwe2022], "Adding bodies - case 1" and "case 2". Model: models/broadphase/insert.
// Lecture: inserting at the root and removing.
#ifndef NOWAIT_SRC_BROADPHASE_INSERT_H_
#define NOWAIT_SRC_BROADPHASE_INSERT_H_

#include <atomic>
#include <cstdint>

#include "src/base/result.h"
#include "src/broadphase/tree_storage.h"

namespace nowait {

// Publishes the location of a child that has just been linked. It comes last: a thread that finds
// the location may widen the slot at once, and a box that is stored after that would undo the
// widening. The same holds for widening inside a subtree: a climb that cannot reach the root yet
// would end early. release: pairs with the acquires in LocationOf and ParentOf.
template <class Sync, int Axes, int Fanout>
void PublishLocation(TreeStorage<Sync, Axes, Fanout>& storage, std::uint32_t child,
                     std::uint32_t at) {
  if (child_id::IsBody(child)) {
    storage.leaf(child_id::Body(child)).location.store(at, std::memory_order::release);
  } else {
    storage.node(child).parent.store(at, std::memory_order::release);
  }
}

// Takes the slot at a location for a child and gives it its box; false if the slot is not free. The
// caller then widens the slots above.
template <class Sync, int Axes, int Fanout>
bool ClaimSlot(TreeStorage<Sync, Axes, Fanout>& storage, std::uint32_t at, std::uint32_t child,
               const Bounds<Axes>& box) {
  auto& node = storage.node(location::Node<Fanout>(at));
  const int slot = location::Slot<Fanout>(at);
  // relaxed: it only decides whether to try. A slot that is missed here costs a new root or a new
  // cell.
  if (node.child[slot].load(std::memory_order::relaxed) != child_id::kNone) return false;
  std::uint32_t expected = child_id::kNone;
  // acquire: pairs with the release that freed the slot: its box is inside out before ours is
  // stored, and never again after it. release: pairs with the acquire in Traverse, for a subtree's
  // nodes, and also keeps a reader of our id from reading the previous owner's box.
  if (!node.child[slot].compare_exchange_strong(expected, child, std::memory_order::acq_rel,
                                                std::memory_order::relaxed)) {
    return false;
  }
  // release: pairs with the acquire in Traverse's second look. A query that found the slot's
  // previous owner and read any of this box notices.
  node.SetBox(slot, box, std::memory_order::release);
  node.MarkChanged();
  return true;
}

template <class Sync, int Axes, int Fanout>
class RootInsert {
 public:
  using Storage = TreeStorage<Sync, Axes, Fanout>;
  using AtomicId = typename Sync::template atomic<std::uint32_t>;

  static constexpr std::uint32_t kNoNode = IndexPool<Sync>::kNone;

  // child: a child id that is not linked anywhere yet. spare: an empty node of the caller's for a
  // new root, or kNoNode to take one when it is needed. An unused node goes back to the pool.
  RootInsert(Storage& storage, AtomicId& root, std::uint32_t child, const Bounds<Axes>& box,
             std::uint32_t spare = kNoNode)
      : storage_(storage), root_(root), child_(child), box_(box), spare_(spare) {}

  // Takes a free slot of the root and returns its location. Returns location::kNone, and changes
  // nothing, if no slot is free.
  std::uint32_t TryOnce() {
    // acquire: pairs with the release in PushRoot and in Swap: the root's contents.
    return ClaimRootSlot(root_.load(std::memory_order::acquire));
  }

  // Links the child and returns its location. kCapacity "tree nodes" if it needed a new root and no
  // node was left; then nothing has changed.
  Result<std::uint32_t> Run() {
    for (;;) {
      // acquire: as in TryOnce.
      const std::uint32_t root = root_.load(std::memory_order::acquire);
      std::uint32_t at = ClaimRootSlot(root);
      if (at != location::kNone) {
        if (spare_ != kNoNode) storage_.ReturnNode(spare_);
        return at;
      }
      if (spare_ == kNoNode) {
        const Result<std::uint32_t> taken = storage_.TakeNode();
        if (!taken) return taken;
        spare_ = *taken;
      }
      at = PushRoot(root);
      if (at != location::kNone) return at;
      // A failed new root stays with this call for its next attempt, and goes back to the pool if
      // that attempt needs no root. No other thread ever saw it. ([rouwe2022] stores the old root's
      // parent before the exchange. Here that would name a node that may be in use elsewhere by the
      // time a widening climbs into it.)
    }
  }

 private:
  // Case 2: a slot of the root, or of a node that was the root before.
  std::uint32_t ClaimRootSlot(std::uint32_t root) {
    for (;;) {
      for (int slot = 0; slot < Fanout; ++slot) {
        // Nothing to widen above: if there is a root above this one, its slot is everywhere.
        const std::uint32_t at = location::Of<Fanout>(root, slot);
        if (ClaimSlot(storage_, at, child_, box_)) return at;
      }
      // Only an old root has such a box. relaxed, here and below: it was stored before the root was
      // published, and neither changes.
      const auto& node = storage_.node(root);
      if (node.BoxOf(0, std::memory_order::relaxed) != Bounds<Axes>::Everywhere()) {
        return location::kNone;
      }
      root = node.child[0].load(std::memory_order::relaxed);
    }
  }

  // Case 1.
  std::uint32_t PushRoot(std::uint32_t old_root) {
    auto& node = storage_.node(spare_);
    // relaxed: the node is ours alone until the exchange.
    node.child[0].store(child_id::OfNode(old_root), std::memory_order::relaxed);
    // Everywhere, not the box around the old root: other threads may be widening the old root right
    // now. A widening that this thread has not read, and that does not see its new parent yet,
    // would be lost.
    node.SetBox(0, Bounds<Axes>::Everywhere(), std::memory_order::relaxed);
    node.child[1].store(child_, std::memory_order::relaxed);
    node.SetBox(1, box_, std::memory_order::relaxed);
    node.MarkChanged();  // never a good root, and a later climb need not mark it
    std::uint32_t expected = old_root;
    // release: pairs with the acquire of the root in queries and inserts: the new root's contents.
    // The old root's came with the acquire in Run.
    if (!root_.compare_exchange_strong(expected, child_id::OfNode(spare_),
                                       std::memory_order::release, std::memory_order::relaxed)) {
      return location::kNone;
    }
    // The old root's parent is not stored: a climb from below would find nothing to do there, since
    // its slot is everywhere and the new root was born changed. The rebuild stores it.
    return location::Of<Fanout>(spare_, 1);
  }

  Storage& storage_;
  AtomicId& root_;
  const std::uint32_t child_;
  const Bounds<Axes> box_;
  std::uint32_t spare_;
};

// Links a body or a private subtree at the root and publishes its location. kCapacity "tree nodes".
template <class Sync, int Axes, int Fanout>
Result<void> InsertAtRoot(TreeStorage<Sync, Axes, Fanout>& storage,
                          typename Sync::template atomic<std::uint32_t>& root, std::uint32_t child,
                          const Bounds<Axes>& box, std::uint32_t spare = IndexPool<Sync>::kNone) {
  const Result<std::uint32_t> at =
      RootInsert<Sync, Axes, Fanout>(storage, root, child, box, spare).Run();
  if (!at) return std::unexpected(at.error());
  PublishLocation(storage, child, *at);
  return {};
}

// Implementation: why this is right
//
// Invariants
//   1. A root never leaves its tree while inserts may run (phases: src/sync/phase.h). The root that
//      a compare-exchange expects is therefore the one that was looked at: no ABA.
//   2. The location of a body, and the parent of a node, is written by the one thread that links
//      it, after it is linked with its box. A thread that can see the location may widen the slot.

}  // namespace nowait

#endif  // NOWAIT_SRC_BROADPHASE_INSERT_H_
