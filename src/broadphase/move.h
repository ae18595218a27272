// Moving: widen the body's slot, then every slot above it, up to the root.
//
// Thread safety: MoveLeaf by the thread that holds the body for writing; different bodies at once.
// Progress: wait-free except for AtomicMin and AtomicMax, whose loops another widening of the same
// side can repeat; the climb is as long as the tree is deep.
//
// Promise: a query that starts after MoveLeaf has returned finds the body anywhere in the new box.
// While it runs, queries find it anywhere in the old box. Linearization point: the last widening of
// its climb that changes anything; from there on a walk down from the root passes every slot.
//
// Source: [rouwe2022], "Quad tree - moving body". Model: models/broadphase/move. Lecture:
// conservative bounds and the quad tree.
#ifndef NOWAIT_SRC_BROADPHASE_MOVE_H_
#define NOWAIT_SRC_BROADPHASE_MOVE_H_

#include <atomic>
#include <cstdint>

#include "src/base/assert.h"
#include "src/broadphase/tree_storage.h"

namespace nowait {

// The location of a body, location::kNone, or location::kUnlinked for the only body of a batch that
// is not finalised. acquire: pairs with the release that publishes it at the end of the body's
// insert: a thread that finds the location sees the slot as the insert left it, and may widen or
// clear it.
template <class Sync, int Axes, int Fanout>
std::uint32_t LocationOf(const TreeStorage<Sync, Axes, Fanout>& storage, ProxyId body) {
  return storage.leaf(body).location.load(std::memory_order::acquire);
}

// The location of a node's slot, location::kNone for a root, location::kUnlinked for the root of a
// batch that is not finalised. acquire: pairs with the release in InsertAtRoot: the first widening
// of a slot above comes after its initialisation.
template <class Sync, int Axes, int Fanout>
std::uint32_t ParentOf(const TreeStorage<Sync, Axes, Fanout>& storage, std::uint32_t node) {
  return storage.node(node).parent.load(std::memory_order::acquire);
}

// Whether a body is in a tree, and may therefore be moved and removed.
template <class Sync, int Axes, int Fanout>
bool IsInTree(const TreeStorage<Sync, Axes, Fanout>& storage, ProxyId body) {
  std::uint32_t at = LocationOf(storage, body);
  if (at == location::kNone) return false;
  while (at < location::kUnlinked) at = ParentOf(storage, location::Node<Fanout>(at));
  return at == location::kNone;
}

// Calls f(node, slot) for the slot of node `index`, the slot above that, and so on.
template <class Sync, int Axes, int Fanout, class F>
void ForEachAncestor(TreeStorage<Sync, Axes, Fanout>& storage, std::uint32_t index, F&& f) {
  for (;;) {
    // An old root does not know its parent before the next rebuild, and the climb ends there. That
    // is right: every slot above it is everywhere, and every root above it was born changed.
    const std::uint32_t at = ParentOf(storage, index);
    // Inside a subtree that is not linked yet, the climb would end at the subtree's root, and the
    // insert would then store the box from before the move.
    NOWAIT_ASSERT(at != location::kUnlinked,
                  "a batch's body may not be moved or removed before its subtree is linked");
    if (at >= location::kUnlinked) return;
    index = location::Node<Fanout>(at);
    f(storage.node(index), location::Slot<Fanout>(at));
  }
}

template <class Sync, int Axes, int Fanout>
void MoveLeaf(TreeStorage<Sync, Axes, Fanout>& storage, ProxyId body, const Bounds<Axes>& box) {
  const std::uint32_t at = LocationOf(storage, body);
  NOWAIT_ASSERT(at != location::kNone, "the body is not in the tree");
  storage.leaf(body).box.set(box);
  const std::uint32_t index = location::Node<Fanout>(at);
  auto& node = storage.node(index);
  // Only here does "already wide enough" mean that there is nothing to do: only the body's holder
  // widens the slot of a body, and the move or insert that made it so wide climbed all the way
  // before it returned.
  if (!node.WidenBox(location::Slot<Fanout>(at), box)) return;
  node.MarkChanged();
  // From here on the climb never ends early. A thread that has not climbed further yet may have
  // widened a slot above. Stopping there would let this thread return before a query from the root
  // can find its body.
  ForEachAncestor(storage, index, [&](auto& ancestor, int slot) {
    ancestor.WidenBox(slot, box);
    ancestor.MarkChanged();
  });
}

// Marks a node and all above it.
template <class Sync, int Axes, int Fanout>
void MarkAncestorsChanged(TreeStorage<Sync, Axes, Fanout>& storage, std::uint32_t index) {
  storage.node(index).MarkChanged();
  ForEachAncestor(storage, index, [](auto& ancestor, int) { ancestor.MarkChanged(); });
}

}  // namespace nowait

#endif  // NOWAIT_SRC_BROADPHASE_MOVE_H_
