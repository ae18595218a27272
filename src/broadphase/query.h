// Querying: walk down from the root through every box that the probe hits.
//
// Thread safety: any thread, concurrently with everything else, as long as the reader holds a Pin.
// Progress: wait-free, except for an allocation if a tree is too deep for the room of NodeStack. A
// node is visited at most once, and a node that is linked behind the walk is not visited at all.
//
// Promise: a query calls f once for every body whose box the probe hits throughout the query, and
// for no body whose box it hits at no time of the query. The box of a body that moves meanwhile is
// the box around its boxes since the last swap whose rebuild found its node changed. The box of a
// body that is removed and inserted again in the same slot is the box around both of its lives. A
// body is reported at most once for each of its lives: twice only if it was removed and inserted
// again meanwhile. The order of the reports depends on the shape of the tree; sort them where it
// matters. A query is not a snapshot: each body's report has a linearization point of its own, the
// read of its slot.
//
// Source: [rouwe2022], "Quad tree - collision query". Models: models/broadphase, with this promise
// as a checker in query_promise.h. Lecture: body locks and what a query promises.
#ifndef NOWAIT_SRC_BROADPHASE_QUERY_H_
#define NOWAIT_SRC_BROADPHASE_QUERY_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

#include "src/broadphase/probe.h"
#include "src/broadphase/tree_storage.h"

namespace nowait {

// The nodes still to be visited. Batches of one body make a list of roots (insert.h), so no fixed
// size is always enough: the rest goes to the heap.
class NodeStack {
 public:
  struct Entry {
    std::uint32_t node;
    float nearest;
  };

  bool empty() const { return size_ == 0; }
  void Push(Entry entry) {
    if (size_ < kInline) {
      inline_[size_] = entry;
    } else {
      spilled_.push_back(entry);
    }
    ++size_;
  }
  Entry Pop() {
    --size_;
    if (size_ < kInline) return inline_[size_];
    const Entry entry = spilled_.back();
    spilled_.pop_back();
    return entry;
  }

 private:
  static constexpr std::size_t kInline = 64;

  std::size_t size_ = 0;
  std::array<Entry, kInline> inline_;  // uninitialised on purpose
  std::vector<Entry> spilled_;
};

// Whether `body`, a child id, is in the slot now. relaxed: each caller says why that is enough.
template <class Node>
bool IsStillIn(const Node& node, int slot, std::uint32_t body) {
  return node.child[slot].load(std::memory_order::relaxed) == body;
}

// Whether `body` is in the slot with a box that the probe hits.
//
// The id was read once and the boxes of the whole node after it. That is enough to walk on, but not
// to report. In between, the slot may have been freed and taken by another body: then the boxes are
// the newcomer's, or a mixture of both. The box is therefore read again with acquire, and then the
// id. acquire: pairs with the release in ClaimSlot that stores the newcomer's box (a later widening
// is a read-modify-write and belongs to its release sequence). If any side was the newcomer's, its
// claim of the slot happens before the second look at the id, which then cannot see the old id.
// Sides from between the two owners are inside out and hit nothing.
template <class Node, class Probe>
bool IsHit(const Node& node, int slot, std::uint32_t body, const Probe& probe) {
  constexpr int kAxes = static_cast<int>(std::extent_v<decltype(node.min), 0>);
  std::array<float, 1> nearest;
  const BoxRows<kAxes, 1> box(node.BoxOf(slot, std::memory_order::acquire));
  if (probe.Hits(box, nearest) == 0) return false;
  return IsStillIn(node, slot, body);
}

// Calls on_body(ProxyId) for every hit, until it returns false.
template <class Sync, int Axes, int Fanout, class Probe, class OnBody>
void Traverse(const TreeStorage<Sync, Axes, Fanout>& storage, std::uint32_t root, Probe& probe,
              OnBody&& on_body) {
  NodeStack stack;
  stack.Push({root, 0.0f});
  while (!stack.empty()) {
    const NodeStack::Entry entry = stack.Pop();
    if (probe.IsBeyond(entry.nearest)) continue;
    const auto& node = storage.node(entry.node);
    std::uint32_t ids[Fanout];
    // acquire: pairs with the release in ClaimSlot; invariant 1. An id that was written before its
    // node became visible (a new root, a subtree, a rebuilt tree) came with that node.
    for (int i = 0; i < Fanout; ++i) ids[i] = node.child[i].load(std::memory_order::acquire);
    std::array<float, Fanout> nearest{};
    const BoxRows<Axes, Fanout> rows(node.min, node.max);
    LaneBits hits = probe.Hits(rows, nearest);

    std::array<NodeStack::Entry, Fanout> below;
    int below_count = 0;
    for (int i = 0; hits != 0; ++i, hits >>= 1) {
      if (i == Fanout) break;
      if ((hits & 1) == 0) continue;
      if (child_id::IsNode(ids[i])) {
        below[below_count++] = {ids[i], nearest[i]};
        storage.node(ids[i]).Prefetch();
      } else if (child_id::IsBody(ids[i]) && IsHit(node, i, ids[i], probe)) {
        if (!on_body(child_id::Body(ids[i]))) return;
      }
    }
    if constexpr (Probe::kOrdered) {
      // The farthest first, so that the nearest is then on top of the stack.
      for (int i = 1; i < below_count; ++i) {
        for (int k = i; k > 0 && below[k - 1].nearest < below[k].nearest; --k) {
          std::swap(below[k - 1], below[k]);
        }
      }
    }
    for (int i = 0; i < below_count; ++i) stack.Push(below[i]);
  }
}

// Implementation: why this is right
//
// Invariants
//   1. A child id is read before the node it names, with acquire: the walk never enters a node that
//      is not initialised.
//   2. A body is reported only when its slot still held it after the box that was hit was read.
//
// The words of the promise. "Throughout": in each state of the body from the last change that
// happens before the query's call to the first change that its return happens before. "At no time":
// in none of these states. "Meanwhile": in between.
//
// A walk that began before a swap continues in the old tree and keeps the promise. The boxes above
// a body in old nodes are those of the moment of the swap and never shrink: the walk finds the body
// at least where its box was then. The slots in nodes that the new tree took over continue to
// widen. Bodies inserted since the swap were not there throughout.

}  // namespace nowait

#endif  // NOWAIT_SRC_BROADPHASE_QUERY_H_
