// Removing: turns the slot's box inside out, then frees the slot.
//
// Thread safety: by the thread that holds the body for writing; different bodies at once.
// Progress: wait-free; the climb that marks is as long as the tree is deep.
//
// Promise: linearizable; a query that starts after RemoveLeaf has returned does not find the body.
// Linearization point: the first min that turns the box inside out.
//
// The removal that takes the last body out of a node unlinks the node; nodes below it are already
// gone. Batches that come and go without an update leave nothing behind. Open nodes (node.h) stay:
// inserts use their slots again, and the rebuild drops the empty ones.
//
// Source: [rouwe2022], "Quad tree - removing bodies". Model: models/broadphase/remove. Lecture:
// inserting at the root and removing; staging trees and unlinking.
#ifndef NOWAIT_SRC_BROADPHASE_REMOVE_H_
#define NOWAIT_SRC_BROADPHASE_REMOVE_H_

#include <atomic>
#include <cstdint>

#include "src/base/assert.h"
#include "src/broadphase/move.h"
#include "src/broadphase/tree_storage.h"

namespace nowait {

// Unlinks node `index` if the child that has just left it was its last, and so on upwards.
template <class Sync, int Axes, int Fanout>
void UnlinkIfEmpty(TreeStorage<Sync, Axes, Fanout>& storage, std::uint32_t index) {
  for (;;) {
    auto& node = storage.node(index);
    if (node.IsOpen()) return;
    // release: this thread's work here and above, its climb included, happens before the last
    // removal unlinks the node; acquire: for that last removal.
    if (node.occupied.fetch_sub(1, std::memory_order::acq_rel) != 1) return;
    const std::uint32_t at = ParentOf(storage, index);
    auto& above = storage.node(location::Node<Fanout>(at));
    above.ClearBox(location::Slot<Fanout>(at));
    // release: as in RemoveLeaf, if the node above is open.
    above.child[location::Slot<Fanout>(at)].store(child_id::kNone, std::memory_order::release);
    storage.Retire({&index, 1});
    index = location::Node<Fanout>(at);
  }
}

template <class Sync, int Axes, int Fanout>
void RemoveLeaf(TreeStorage<Sync, Axes, Fanout>& storage, ProxyId body) {
  const std::uint32_t at = LocationOf(storage, body);
  NOWAIT_ASSERT(at != location::kNone, "the body is not in the tree");
  const std::uint32_t index = location::Node<Fanout>(at);
  const int slot = location::Slot<Fanout>(at);
  auto& node = storage.node(index);
  // The box before the child id: in the other order the next owner of the slot could store its box,
  // and ours would then erase it.
  node.ClearBox(slot);
  // release: pairs with the acquire in ClaimSlot. With relaxed, the stores of ClearBox could become
  // visible after it and erase the next owner's box in the same way.
  node.child[slot].store(child_id::kNone, std::memory_order::release);
  // relaxed: the location is this thread's until a thread inserts the body again. The hand-over of
  // the body orders that insert after this removal.
  storage.leaf(body).location.store(location::kNone, std::memory_order::relaxed);
  MarkAncestorsChanged(storage, index);
  // This comes last: the nodes above may be gone after it.
  UnlinkIfEmpty(storage, index);
}

// Implementation: why this is right
//
// No insert uses a built node, and the removal of its last body is certainly the last one there. No
// other thread climbs through the node any more, because a climbing thread has a body below. The
// slot above it belongs to this thread alone, as a body's slot belongs to its holder. It is emptied
// in the same way, and the node waits for the readers that may still look at it.
//
// The rebuild drops empty open nodes: a removal marks the way up as changed, and the rebuild opens
// the nodes that it finds changed instead of carrying them over.

}  // namespace nowait

#endif  // NOWAIT_SRC_BROADPHASE_REMOVE_H_
