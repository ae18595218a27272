// StagingTrees: the part of a tree for bodies that are inserted one by one.
//
// Bodies linked at the root (insert.h), one after another, would make a list of roots. The root
// therefore takes bodies only until it is full. After that it takes a staging tree: a subtree that
// is linked like a batch but continues to grow. A body descends through its cells (staging_cell.h)
// and takes the first free slot, or links a new cell with itself in it into a free link:
//
//   root [ old root , staging tree , . , . ]   claim a slot for bodies     (case 2 of insert.h)
//                          |                   or link a new cell          one compare-exchange
//           cell [ body , link , link , . ]    then widen all slots above  (the climb of move.h)
//                          |
//             cell [ body , link , . , . ]
//
// A body far from the staging tree's region starts another one, with a larger region, which takes
// all later bodies. No linked child is ever linked elsewhere. The rebuild drops the cells. There
// are never more of them than bodies may be: enough nodes stay for batches and the rebuild.
//
// Thread safety: Insert by any thread, concurrently with other inserts, moves, removes and queries;
// Forget in the phase of the swap.
// Progress: lock-free. Errors: kCapacity "tree nodes" if there is neither a free slot nor a free
// node.
//
// Promise: linearizable per body. The depth is bounded: kMaxStagingTrees regions and a StagingPath.
//
// Source: [rouwe2022] says to insert batches; we know of no other staging tree in a tree that is
// rebuilt. Model: models/broadphase/staging_tree. Lecture: staging trees and unlinking.
#ifndef NOWAIT_SRC_BROADPHASE_STAGING_TREE_H_
#define NOWAIT_SRC_BROADPHASE_STAGING_TREE_H_

#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

#include "src/base/assert.h"
#include "src/base/result.h"
#include "src/broadphase/insert.h"
#include "src/broadphase/move.h"
#include "src/broadphase/staging_cell.h"
#include "src/broadphase/tree_storage.h"
#include "src/sync/index_pool.h"
#include "src/sync/policy.h"

namespace nowait {

template <class Sync, int Axes, int Fanout>
class StagingTrees {
 public:
  using Storage = TreeStorage<Sync, Axes, Fanout>;
  using Box = Bounds<Axes>;
  using AtomicId = typename Sync::template atomic<std::uint32_t>;

  // The limit between two swaps. A region gives way to one that is four times as long: a row of
  // bodies needs a dozen. Bodies after the last region go to the nearest of its cells.
  static constexpr std::uint32_t kMaxStagingTrees = 32;

  // The nodes that a tree may have for staging between two swaps, beside one cell for each body:
  // the first cell of each staging tree, and a new root above it.
  static constexpr std::uint32_t kMostNodes = 2 * kMaxStagingTrees;

  explicit StagingTrees(Storage& storage) : storage_(storage), starts_(kMaxStagingTrees) {}

  // Links the body into the tree of this root. kCapacity "tree nodes"; then nothing has changed.
  Result<void> Insert(AtomicId& root, ProxyId body, const Box& box) {
    const Result<std::uint32_t> at = Attach(root, body, box);
    if (!at) return std::unexpected(at.error());
    // Everything above is wide enough by now: a thread that finds the location may rely on queries
    // to find the body.
    PublishLocation(storage_, child_id::OfBody(body), *at);
    return {};
  }

  // The staging trees are no longer part of the tree. relaxed: no thread inserts in this phase.
  void Forget() {
    newest_.store(kNone, std::memory_order::relaxed);
    tickets_.store(0, std::memory_order::relaxed);
    cells_.store(0, std::memory_order::relaxed);
  }

 private:
  static constexpr std::uint32_t kNone = IndexPool<Sync>::kNone;
  static constexpr const char* kLinkLeadsToCell = "a link of a cell leads to a cell";

  struct Start {
    typename Sync::template plain<std::uint32_t> top;
    typename Sync::template plain<Box> region;
    typename Sync::template plain<std::uint32_t>
        previous;  // the entry that was the newest, or kNone
  };

  Result<std::uint32_t> Attach(AtomicId& root, ProxyId body, const Box& box) {
    // acquire: pairs with the release in Announce: the start, the staging tree and its parent.
    const std::uint32_t newest = newest_.load(std::memory_order::acquire);
    std::uint32_t at =
        newest == kNone ? AttachFirst(root, body, box) : AttachBelow(root, newest, body, box);
    if (at != location::kNone) return at;
    // There is no node for a cell. A root or any cell may have a free slot: queries find the body
    // there as surely, if not as soon. Otherwise a node for a root may be free by now.
    RootInsert<Sync, Axes, Fanout> at_root(storage_, root, child_id::OfBody(body), box);
    at = at_root.TryOnce();
    if (at == location::kNone) at = TakeAnySlot(newest, body, box);
    if (at != location::kNone) return at;
    return at_root.Run();
  }

  // This function and those that it calls return location::kNone if no node was left; then nothing
  // has changed.
  std::uint32_t AttachFirst(AtomicId& root, ProxyId body, const Box& box) {
    const std::uint32_t at =
        RootInsert<Sync, Axes, Fanout>(storage_, root, child_id::OfBody(body), box).TryOnce();
    if (at != location::kNone) return at;
    return StartStagingTree(root, kNone, staging_region::Around(HullOfRoot(root, box)), body, box);
  }

  std::uint32_t AttachBelow(AtomicId& root, std::uint32_t newest, ProxyId body, const Box& box) {
    const Box region = starts_[newest].region.get();
    // relaxed: it only decides whether to try.
    if (!staging_region::Fits(region, box) &&
        tickets_.load(std::memory_order::relaxed) < kMaxStagingTrees) {
      return StartStagingTree(root, newest, staging_region::GrownTowards(region, box), body, box);
    }
    return Descend(starts_[newest].top.get(), region, body, box);
  }

  std::uint32_t Descend(std::uint32_t index, const Box& region, ProxyId body, const Box& box) {
    StagingPath<Axes, Fanout> path(region, box, body.slot());
    std::uint32_t spare = kNone;
    std::uint32_t at = location::kNone;
    while (at == location::kNone) {
      auto& cell = storage_.node(index);
      for (int slot = 0; slot < path.bodies() && at == location::kNone; ++slot) {
        const std::uint32_t free = location::Of<Fanout>(index, slot);
        if (ClaimSlot(storage_, free, child_id::OfBody(body), box)) at = free;
      }
      if (at != location::kNone) break;
      const int link = path.Descend();
      // acquire, here and in the failure below: pairs with the release of the exchange that linked
      // the cell below.
      std::uint32_t below = cell.child[link].load(std::memory_order::acquire);
      if (below == child_id::kNone) {
        if (spare == kNone) {
          // relaxed: a few cells more, from threads that ask at once, do no harm.
          if (cells_.load(std::memory_order::relaxed) >= storage_.max_bodies()) {
            return location::kNone;
          }
          const Result<std::uint32_t> taken = storage_.TakeNode();
          if (!taken) return location::kNone;
          spare = *taken;
          FillCell(spare, body, box);
        }
        // relaxed: the cell is ours alone until the exchange.
        storage_.node(spare).parent.store(location::Of<Fanout>(index, link),
                                          std::memory_order::relaxed);
        // release: pairs with the acquires above, in Traverse and in ParentOf: the cell.
        if (cell.child[link].compare_exchange_strong(below, child_id::OfNode(spare),
                                                     std::memory_order::release,
                                                     std::memory_order::acquire)) {
          index = std::exchange(spare, kNone);
          at = location::Of<Fanout>(index, 0);
          cells_.fetch_add(1, std::memory_order::relaxed);
          break;
        }
      }
      NOWAIT_ASSERT(child_id::IsNode(below), kLinkLeadsToCell);
      index = below;
    }
    if (spare != kNone) storage_.ReturnNode(spare);
    WidenAbove(index, box);
    return at;
  }

  // Takes a slot for a body in any cell that has one; location::kNone if no cell does. O(cells).
  std::uint32_t TakeAnySlot(std::uint32_t newest, ProxyId body, const Box& box) {
    struct Cell {
      std::uint32_t index;
      int level;
    };
    std::vector<Cell> cells;
    for (std::uint32_t n = newest; n != kNone; n = starts_[n].previous.get()) {
      cells.push_back({starts_[n].top.get(), 0});
    }
    while (!cells.empty()) {
      const Cell cell = cells.back();
      cells.pop_back();
      const int bodies = StagingPath<Axes, Fanout>::BodiesAt(cell.level);
      for (int slot = 0; slot < bodies; ++slot) {
        const std::uint32_t free = location::Of<Fanout>(cell.index, slot);
        if (!ClaimSlot(storage_, free, child_id::OfBody(body), box)) continue;
        WidenAbove(cell.index, box);
        return free;
      }
      for (int link = bodies; link < Fanout; ++link) {
        // acquire: as in Descend.
        const std::uint32_t below =
            storage_.node(cell.index).child[link].load(std::memory_order::acquire);
        if (below == child_id::kNone) continue;
        NOWAIT_ASSERT(child_id::IsNode(below), kLinkLeadsToCell);
        cells.push_back({below, cell.level + 1});
      }
    }
    return location::kNone;
  }

  // Climbs to the root, as a move does and for the same reason: a thread that has not climbed
  // further yet may have widened a slot above.
  void WidenAbove(std::uint32_t cell, const Box& box) {
    ForEachAncestor(storage_, cell,
                    [&](auto& ancestor, int slot) { ancestor.WidenBox(slot, box); });
  }

  std::uint32_t StartStagingTree(AtomicId& root, std::uint32_t newest, const Box& region,
                                 ProxyId body, const Box& box) {
    const Result<std::uint32_t> top = storage_.TakeNode();
    if (!top) return location::kNone;
    FillCell(*top, body, box);
    if (InsertAtRoot(storage_, root, child_id::OfNode(*top), box)) {
      Announce(newest, *top, region);
      return location::Of<Fanout>(*top, 0);
    }
    // There is no node for a new root above it. This node becomes that root, and cannot fail.
    return *RootInsert<Sync, Axes, Fanout>(storage_, root, child_id::OfBody(body), box, *top).Run();
  }

  // Several threads may start a staging tree at once. All of these trees stay, each with a body;
  // one of them continues to grow.
  void Announce(std::uint32_t newest, std::uint32_t top, const Box& region) {
    // relaxed: it makes the entry ours, and an entry is used once between two swaps.
    const std::uint32_t ticket = tickets_.fetch_add(1, std::memory_order::relaxed);
    if (ticket >= kMaxStagingTrees) return;
    starts_[ticket].top.set(top);
    starts_[ticket].region.set(region);
    starts_[ticket].previous.set(newest);
    // release: pairs with the acquire in Attach.
    newest_.compare_exchange_strong(newest, ticket, std::memory_order::release,
                                    std::memory_order::relaxed);
  }

  // Makes an empty node that the caller owns a cell with one body. relaxed: the node is private.
  void FillCell(std::uint32_t index, ProxyId body, const Box& box) {
    auto& cell = storage_.node(index);
    cell.child[0].store(child_id::OfBody(body), std::memory_order::relaxed);
    cell.SetBox(0, box, std::memory_order::relaxed);
    cell.MarkChanged();
  }

  // A hint for the region: the usable boxes in the root, and this one. relaxed: a box may be out of
  // date, or a mixture that never existed.
  Box HullOfRoot(const AtomicId& root, const Box& box) const {
    const auto& node = storage_.node(root.load(std::memory_order::relaxed));
    Box hull = box;
    for (int slot = 0; slot < Fanout; ++slot) {
      const Box other = node.BoxOf(slot, std::memory_order::relaxed);
      if (other.IsUsable()) hull.Include(other);
    }
    return hull;
  }

  Storage& storage_;
  SyncArray<Sync, Start> starts_;
  AtomicId newest_{kNone};  // an entry of starts_
  AtomicId tickets_{0};     // the number of entries that were given out or asked for
  AtomicId cells_{0};       // the number of cells below the staging trees' first ones
};

// Implementation: why this is right
//
// Bodies that wander leave empty cells behind, and the number of cells is bounded. After that, and
// when no node is left, a body takes any free slot in the roots and the cells. Only if there is
// neither such a slot nor a node does Insert fail.
//
// A descent never turns back: the loser of a free slot or link continues down, and finds a free one
// within the bound of staging_cell.h. Only the start of a staging tree, at the root, can fail and
// be repeated, as in insert.h.
//
// Invariants
//   1. A cell's parent is stored before any thread can find the cell, and a staging tree's before
//      it is announced: every climb from a cell reaches the root.
//   2. A link leads to nothing or to one and the same cell, until the rebuild. Its box starts
//      inside out and is only widened, never stored: from the moment that the link leads somewhere,
//      other threads may have come down it and be widening it.
//   3. A cell is born changed, and the root was marked when its slot took the staging tree. A climb
//      from a cell has to mark nothing.
//   4. A slot for bodies changes hands as a slot of the root does (ClaimSlot, RemoveLeaf).
//
// Linearization point: the last widening of the climb that changes anything, or the store of the
// last min of the body's own box if that is later. From there on a walk down from the root passes
// every slot. At the start of a staging tree: as for a subtree in insert.h.

}  // namespace nowait

#endif  // NOWAIT_SRC_BROADPHASE_STAGING_TREE_H_
