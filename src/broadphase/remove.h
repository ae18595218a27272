// Removing: turn the slot's box inside out, then free the slot.
//
// Thread safety: by the thread that holds the body for writing; different bodies at once.
// Progress: wait-free; the climb that marks is as long as the tree is deep.
//
// Promise: linearizable; a query that starts after RemoveLeaf has returned does not find the body.
// Linearization point: the first min that turns the box inside out.
//
// Who unlinks nodes that removals have emptied? The removal that takes the last body out of one. No
// insert comes to a node that was built, so that one is sure to be the last: nobody climbs through
// the node any more, for who climbs has a body below, and the slot above it is this thread's alone,
// as a body's slot is its holder's. It is emptied in the same way, and the node waits for the
// readers that may still look at it. What is below an emptied node above it has gone before. So
// batches that come and go without an update leave nothing behind. Open nodes (node.h) stay: their
// slots are used again by inserts, and the rebuild drops what is empty then, because a removal marks
// the way up as changed and the rebuild carries over only what it finds in changed nodes.
//
// Source: the talk, "Quad tree - removing bodies". Model: models/broadphase/remove. Lecture:
// inserting at the root and removing.
#ifndef NOWAIT_SRC_BROADPHASE_REMOVE_H_
#define NOWAIT_SRC_BROADPHASE_REMOVE_H_

#include <atomic>
#include <cstdint>

#include "src/base/assert.h"
#include "src/broadphase/tree_storage.h"
#include "src/broadphase/move.h"

namespace nowait {

// A child has left node `index`: unlinks the node if it was the last one, and so on upwards.
template <class Sync, int Axes, int Fanout>
void UnlinkIfEmpty(TreeStorage<Sync, Axes, Fanout>& storage, std::uint32_t index) {
  for (;;) {
    auto& node = storage.node(index);
    if (node.IsOpen()) return;
    // release: what this thread did here and above, its climb included, happens before the last one
    // unlinks the node; acquire: that last one.
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
  // The box before the child id: in the other order the next owner of the slot could store its box
  // and then have it erased by ours.
  node.ClearBox(slot);
  // release: pairs with the acquire in ClaimSlot. With relaxed, the stores of ClearBox could become
  // visible after it and erase the next owner's box just the same.
  node.child[slot].store(child_id::kNone, std::memory_order::release);
  // relaxed: the location is this thread's until somebody inserts the body again, and that is ordered
  // after us by whatever handed the body over.
  storage.leaf(body).location.store(location::kNone, std::memory_order::relaxed);
  MarkAncestorsChanged(storage, index);
  // Last: the nodes above may be gone after it.
  UnlinkIfEmpty(storage, index);
}

}  // namespace nowait

#endif  // NOWAIT_SRC_BROADPHASE_REMOVE_H_
