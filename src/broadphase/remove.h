// Removing: turn the slot's box inside out, then free the slot.
//
// Thread safety: by the thread that holds the body for writing; different bodies at once.
// Progress: wait-free; the climb that marks is as long as the tree is deep.
//
// Promise: linearizable; a query that starts after RemoveLeaf has returned does not find the body.
// Linearization point: the first min that turns the box inside out.
//
// Who unlinks nodes that removals have emptied? Nobody during the game update: unlinking one takes
// two words, as inserting one in the middle would, and a thread that is climbing through the node
// would have to be waited for. The slots of the root are used again by inserts; every other emptied
// slot or node stays, costs queries one failed test, and is dropped by the next rebuild, because
// removal marks the way up as changed and the rebuild carries over only what it finds in changed
// nodes.
//
// Source: the talk, "Quad tree - removing bodies". Model: models/broadphase/remove. Lecture:
// inserting at the root and removing.
#ifndef NOWAIT_SRC_BROADPHASE_REMOVE_H_
#define NOWAIT_SRC_BROADPHASE_REMOVE_H_

#include <atomic>
#include <cstdint>

#include "src/base/assert.h"
#include "src/broadphase/tree_storage.h"
#include "src/broadphase/widen.h"

namespace nowait {

template <class Sync, int Axes, int Fanout>
void RemoveLeaf(TreeStorage<Sync, Axes, Fanout>& storage, BodyId body) {
  const std::uint32_t at = PlaceOf(storage, body);
  NOWAIT_ASSERT(at != place::kNone, "the body is not in the tree");
  const std::uint32_t index = place::Node<Fanout>(at);
  const int slot = place::Slot<Fanout>(at);
  auto& node = storage.node(index);
  // The box before the child id: in the other order the next owner of the slot could store its box
  // and then have it erased by ours.
  node.ClearBox(slot);
  // release: pairs with the acquire in ClaimSlot. With relaxed, the stores of ClearBox could become
  // visible after it and erase the next owner's box just the same.
  node.child[slot].store(child_id::kNone, std::memory_order::release);
  // relaxed: the place is this thread's until somebody inserts the body again, and that is ordered
  // after us by whatever handed the body over.
  storage.leaf(body).place.store(place::kNone, std::memory_order::relaxed);
  MarkAncestorsChanged(storage, index);
}

}  // namespace nowait

#endif  // NOWAIT_SRC_BROADPHASE_REMOVE_H_
