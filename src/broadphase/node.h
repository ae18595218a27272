// Node: up to Fanout children with their boxes, laid out in rows so that one instruction can test
// the same side of all children.
//
// Thread safety: every member is an atomic, except plain data of one thread at a time (height: the
// builder, the rebuild; next_retired: the thread that retires the node, the thread that reclaims
// it). insert.h, move.h, remove.h and query.h say which thread may do what to a slot, and in which
// order.
//
// Invariants
//   1. A slot whose child id is kNone has an inside-out box (min > max on every axis), except while
//      the thread that owns the slot is between the two steps of filling or emptying it.
//   2. Between two rebuilds or refits the box of an occupied slot only grows: min falls, max rises.
//   3. A node that was built counts its occupied slots, and only removals change the count: no
//      insert uses it. A node that inserts may use (a root, a staging tree's cell) is open instead:
//      it counts nothing, and its count stays 0.
//   4. A node is `changed` from the first change in it or below it since it was built. An unchanged
//      node has the very boxes and children that it was built with, and so have all nodes below it.
//
// Source: [rouwe2022], "Quad tree - node". Lecture: conservative bounds and the quad tree.
#ifndef NOWAIT_SRC_BROADPHASE_NODE_H_
#define NOWAIT_SRC_BROADPHASE_NODE_H_

#include <atomic>
#include <cstdint>

#include "src/broadphase/child_id.h"
#include "src/math/bounds.h"
#include "src/sync/atomic_min_max.h"
#include "src/sync/policy.h"

namespace nowait {

template <class Sync, int Axes, int Fanout>
struct alignas(64) Node {
  static_assert(Fanout >= 2 && (Fanout & (Fanout - 1)) == 0, "the splitter halves the slots");

  using AtomicFloat = typename Sync::template atomic<float>;
  using AtomicId = typename Sync::template atomic<std::uint32_t>;

  AtomicFloat min[Axes][Fanout];
  AtomicFloat max[Axes][Fanout];
  AtomicId child[Fanout];  // child_id
  AtomicId parent;         // location; kNone for a root, until a rebuild
  AtomicId occupied;       // how many slots; 0 in an open node
  typename Sync::template atomic<bool> changed;
  // The longest path down to a body, as built: 0 for a body, 1 for a node of bodies. Valid as long
  // as the node is unchanged; rebuild.h uses it.
  typename Sync::template plain<std::uint8_t> height;
  // The next node in a list of nodes that wait for their readers.
  typename Sync::template plain<std::uint32_t> next_retired;

  Node() { Reset(); }

  // Makes the node empty. relaxed: only while the node is private to the caller.
  void Reset() {
    for (int slot = 0; slot < Fanout; ++slot) {
      ClearBox(slot);
      child[slot].store(child_id::kNone, std::memory_order::relaxed);
    }
    parent.store(location::kNone, std::memory_order::relaxed);
    occupied.store(0, std::memory_order::relaxed);
    changed.store(false, std::memory_order::relaxed);
    height.set(1);
  }

  Bounds<Axes> BoxOf(int slot, std::memory_order order) const {
    Bounds<Axes> box;
    for (int axis = 0; axis < Axes; ++axis) {
      box.min[axis] = min[axis][slot].load(order);
      box.max[axis] = max[axis][slot].load(order);
    }
    return box;
  }

  // The box around all slots. relaxed: for callers that know that no thread changes it now.
  Bounds<Axes> BoxOfAll() const {
    Bounds<Axes> box = Bounds<Axes>::Empty();
    for (int slot = 0; slot < Fanout; ++slot) box.Include(BoxOf(slot, std::memory_order::relaxed));
    return box;
  }

  // Starts to fetch the parts that a query reads, for a query that looks at another node first.
  void Prefetch() const {
    __builtin_prefetch(&min);
    __builtin_prefetch(&child);
  }

  // Fills an inside-out box, max first: the box stays inside out until its last min is there. A
  // query that sees the stores in this order finds the child with its whole box or not at all. A
  // query that sees another order sees inside-out axes as well, and does not find the child either.
  void SetBox(int slot, const Bounds<Axes>& box, std::memory_order order) {
    for (int axis = 0; axis < Axes; ++axis) max[axis][slot].store(box.max[axis], order);
    for (int axis = 0; axis < Axes; ++axis) min[axis][slot].store(box.min[axis], order);
  }

  // Turns the box inside out, min first.
  void ClearBox(int slot) {
    for (auto& row : min) row[slot].store(kLargeFloat, std::memory_order::relaxed);
    for (auto& row : max) row[slot].store(-kLargeFloat, std::memory_order::relaxed);
  }

  // Makes the box contain `box` and returns whether it had to grow. Threads that widen the same
  // slot at the same time end up with the box around all of theirs.
  bool WidenBox(int slot, const Bounds<Axes>& box) {
    bool grew = false;
    for (int axis = 0; axis < Axes; ++axis) {
      grew |= AtomicMin<Sync>(min[axis][slot], box.min[axis], std::memory_order::relaxed);
      grew |= AtomicMax<Sync>(max[axis][slot], box.max[axis], std::memory_order::relaxed);
    }
    return grew;
  }

  // Shrinks the box, which contains `box`, to exactly that; see refit.h. Most sides are already
  // right and are left alone.
  void TightenBox(int slot, const Bounds<Axes>& box) {
    for (int axis = 0; axis < Axes; ++axis) {
      // release: pairs with the acquire in Traverse's second look, as in ClaimSlot: the slot's
      // owner. relaxed loads: no other thread writes these now.
      if (min[axis][slot].load(std::memory_order::relaxed) != box.min[axis]) {
        min[axis][slot].store(box.min[axis], std::memory_order::release);
      }
      if (max[axis][slot].load(std::memory_order::relaxed) != box.max[axis]) {
        max[axis][slot].store(box.max[axis], std::memory_order::release);
      }
    }
  }

  // Opens a built node to inserts. relaxed: only while the node is private to the caller.
  void Open() { occupied.store(0, std::memory_order::relaxed); }
  // For a thread that takes a child out of the node and has not counted that yet. relaxed: an open
  // node's count was 0 when the caller found it, and stays 0. In a counted node the caller's child
  // is still counted, whatever the other removals do.
  bool IsOpen() const { return occupied.load(std::memory_order::relaxed) == 0; }

  // relaxed: the rebuild reads the flag in another phase, whose start orders it after every mark.
  // The flag is read first, because a store to a line that others read costs them a cache miss.
  void MarkChanged() {
    if (!changed.load(std::memory_order::relaxed)) {
      changed.store(true, std::memory_order::relaxed);
    }
  }
};

// A query loads two cache lines per node.
static_assert(sizeof(Node<StdSync, 3, 4>) == 128 && alignof(Node<StdSync, 3, 4>) == 64);

// Implementation: why this is right
//
// Relaxed is enough for the boxes, except where a comment says otherwise: a box is a hint that must
// not be too small. A thread that must see a box (its insert or move happens before the query) sees
// it by coherence. Afterwards the box only grows (invariant 2), or is refitted round the body's
// location at that time (refit.h). A thread that need not see it may see a part of it: each axis is
// then inside out or inside the full box, never too large.

}  // namespace nowait

#endif  // NOWAIT_SRC_BROADPHASE_NODE_H_
