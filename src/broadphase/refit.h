// Refitting: the boxes of a tree are made tight again, and every body stays in its slot.
//
// Boxes only widen while bodies move. A rebuild makes them tight and distributes the bodies anew.
// If the bodies have moved little, the old distribution is nearly as good, and a refit is several
// times cheaper (tests/bench/rebuild_bench.cc). It goes through the changed nodes from below and
// gives each slot the box of its body, or the box around its node's slots.
//
// Thread safety: one thread at a time, in the phase of rebuilds (kCollide): no thread inserts,
// moves or removes. Queries run throughout, and unlike a rebuild this writes what they read.
// Progress: O(changed nodes), no allocation in the steady state.
//
// Source: [rouwe2022] rebuilds only. Refitting is usual for trees over moving things since van den
// Bergen, "Efficient collision detection of complex deformable models using AABB trees", 1997.
// Model: models/broadphase/refit. Lecture: rebuilding, swapping, reclaiming.
#ifndef NOWAIT_SRC_BROADPHASE_REFIT_H_
#define NOWAIT_SRC_BROADPHASE_REFIT_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/broadphase/child_id.h"
#include "src/broadphase/tree_storage.h"
#include "src/math/bounds.h"

namespace nowait {

template <class Sync, int Axes, int Fanout>
class TreeRefit {
 public:
  using Storage = TreeStorage<Sync, Axes, Fanout>;

  explicit TreeRefit(Storage& storage) : storage_(storage) {}

  // Returns the number of nodes that it visited: 0 if nothing has changed.
  std::size_t Run(std::uint32_t root) {
    Collect(root);
    // Every node comes after its parent. In reverse order, boxes are tight before they are added
    // up.
    for (std::size_t i = nodes_.size(); i-- > 0;) Tighten(storage_.node(nodes_[i]));
    return nodes_.size();
  }

 private:
  using Node = typename Storage::Node;

  // The changed nodes, each after its parent.
  void Collect(std::uint32_t root) {
    nodes_.clear();
    const auto add = [&](std::uint32_t index) {
      // relaxed, here and below: no thread changes the tree now, and the phase came after every
      // change.
      if (storage_.node(index).changed.load(std::memory_order::relaxed)) nodes_.push_back(index);
    };
    add(root);
    for (std::size_t next = 0; next < nodes_.size(); ++next) {
      for (const auto& child : storage_.node(nodes_[next]).child) {
        const std::uint32_t id = child.load(std::memory_order::relaxed);
        if (child_id::IsNode(id)) add(id);
      }
    }
  }

  void Tighten(Node& node) {
    for (int slot = 0; slot < Fanout; ++slot) {
      const std::uint32_t id = node.child[slot].load(std::memory_order::relaxed);
      if (child_id::IsBody(id)) {
        node.TightenBox(slot, storage_.leaf(child_id::Body(id)).box.get());
      } else if (child_id::IsNode(id)) {
        const Node& below = storage_.node(id);
        // Invariant 3.
        if (below.parent.load(std::memory_order::relaxed) == location::kNone) continue;
        node.TightenBox(slot, below.BoxOfAll());
      }
    }
  }

  Storage& storage_;
  std::vector<std::uint32_t> nodes_;  // a member: a refit per frame then allocates nothing
};

// Implementation: why this is right
//
// Invariants
//   1. Each side of a box goes from its old value to the tight one with one store. Any mixture of
//      old and new sides that a query reads contains the tight box, on every level: the query finds
//      each body at its last place. (It may or may not find the body at earlier locations: the
//      promise of query.h.)
//   2. A query that reads a side that a refit stored does not read the slot's former owner after
//      that: the stores are releases, as in ClaimSlot, whose release sequence they break.
//   3. The slot of an old root whose parent is not stored yet stays everywhere: climbs end below it
//      (move.h), and inserts recognise it by that (insert.h). The slots above it stay everywhere,
//      too.
//   4. Nothing else changes: no child, location or count. Changed nodes stay changed, and the next
//      rebuild finds the same work as without the refit.

}  // namespace nowait

#endif  // NOWAIT_SRC_BROADPHASE_REFIT_H_
