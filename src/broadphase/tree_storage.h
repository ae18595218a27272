// TreeStorage: what the trees of one broad phase share: nodes, leaves, readers, and old nodes that
// wait for their readers to leave.
//
// Thread safety: all from any thread, at any time.
// Progress: all lock-free; nobody waits for a reader, not even Reclaim, of which one runs at a time:
// a second one returns at once. So TakeNode may fail while another thread is about to return nodes.
//
// Invariants
//   1. A node that nobody owns is empty, as Node's constructor leaves it. A read through an index
//      that is out of date would find nothing there, which the models make visible.
//   2. leaf(b).location is where body b hangs, and is written by the thread that may change b (the one
//      that holds the body for writing) or by the rebuild, which runs when nobody may.
//   3. A retired node is reachable only for readers that pinned before it was unlinked.
//
// Source: the talk keeps the old tree until the next physics update and takes a read lock for
// queries that take longer; here readers are counted by epoch (src/sync/reader_epochs.h), so a
// query may take as long as it likes. Model: models/broadphase/swap. Lecture: rebuilding, swapping,
// reclaiming.
#ifndef NOWAIT_SRC_BROADPHASE_TREE_STORAGE_H_
#define NOWAIT_SRC_BROADPHASE_TREE_STORAGE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "src/base/result.h"
#include "src/bodies/proxy_id.h"
#include "src/broadphase/child_id.h"
#include "src/broadphase/node.h"
#include "src/math/bounds.h"
#include "src/sync/index_pool.h"
#include "src/sync/policy.h"
#include "src/sync/reader_epochs.h"

namespace nowait {

// What a tree knows of one body.
template <class Sync, int Axes>
struct Leaf {
  typename Sync::template atomic<std::uint32_t> location{location::kNone};
  // The box that the last insert or move gave it. The slot's own box has been widened over all of
  // the body's boxes since the last rebuild; the rebuild makes it this one again.
  typename Sync::template plain<Bounds<Axes>> box;
};

// What is known of the readers since the last report.
enum class ReclaimResult : std::uint8_t {
  kAdvanced,  // those from before the last advance have left
  kHeld,      // one from before the last advance has been there throughout
  kBusy,      // nothing: another thread is reclaiming just now
};
enum class ReclaimFor : std::uint8_t { kNodes, kReport };

template <class Sync = EngineSync, int Axes = 3, int Fanout = 4>
class TreeStorage {
 public:
  using Node = nowait::Node<Sync, Axes, Fanout>;
  using Leaf = nowait::Leaf<Sync, Axes>;
  using Pin = typename ReaderEpochs<Sync>::Guard;

  // max_nodes: at most location::kMaxNodes<Fanout>. max_bodies: body slots are below it.
  TreeStorage(std::uint32_t max_nodes, std::uint32_t max_bodies)
      : indices_(max_nodes), nodes_(max_nodes), leaves_(max_bodies) {}

  std::uint32_t max_nodes() const { return indices_.capacity(); }
  std::uint32_t max_bodies() const { return static_cast<std::uint32_t>(leaves_.size()); }

  Node& node(std::uint32_t index) { return nodes_[index]; }
  const Node& node(std::uint32_t index) const { return nodes_[index]; }
  Leaf& leaf(ProxyId body) { return leaves_[body.slot()]; }
  const Leaf& leaf(ProxyId body) const { return leaves_[body.slot()]; }

  // An empty node of the caller's own. kCapacity "tree nodes": also none that was unlinked and has
  // lost its readers.
  Result<std::uint32_t> TakeNode() {
    std::uint32_t index = indices_.Take();
    if (index == IndexPool<Sync>::kNone) {
      Reclaim();
      index = indices_.Take();
    }
    if (index != IndexPool<Sync>::kNone) return index;
    return Fail(ErrorCode::kCapacity, "tree nodes", max_nodes(),
                waiting_nodes() != 0 ? "a reader pins old nodes" : "");
  }

  // Gives back a node that nobody but the caller can reach.
  void ReturnNode(std::uint32_t index) {
    nodes_[index].Reset();  // invariant 1; published by the pool
    indices_.Return(index);
  }

  // While a Pin lives, no node that its owner reached from a root is reused.
  [[nodiscard]] Pin PinReader() const { return readers_.Pin(); }

  // Takes over nodes that have just become unreachable from every root.
  void Retire(std::span<const std::uint32_t> nodes) {
    if (nodes.empty()) return;
    for (std::size_t i = 1; i < nodes.size(); ++i) nodes_[nodes[i - 1]].next_retired.set(nodes[i]);
    std::uint32_t first = retired_.load(std::memory_order::relaxed);
    do {
      nodes_[nodes.back()].next_retired.set(first);
      // release: pairs with the acquire in Reclaim: the links, and that the nodes were unlinked.
      // Failure relaxed: only the next attempt uses it. All are taken off at once: no ABA.
    } while (!retired_.compare_exchange_weak(first, nodes.front(), std::memory_order::release,
                                             std::memory_order::relaxed));
  }

  // Returns to the pool the retired nodes that no reader can reach any more. Two epochs: `closing_`
  // waits for an advance after the unlinking, so that new readers cannot reach it; `draining_`
  // waits for the readers from before that advance.
  ReclaimResult Reclaim(ReclaimFor why = ReclaimFor::kNodes) {
    // acquire: pairs with the release below: what the last one that reclaimed left behind.
    if (reclaiming_.exchange(true, std::memory_order::acquire)) return ReclaimResult::kBusy;
    // acquire: pairs with the release in Retire, and all those that added to it since.
    std::uint32_t next = retired_.exchange(kEnd, std::memory_order::acquire);
    List closing = closing_.get();
    List draining = draining_.get();
    while (next != kEnd) Push(closing, std::exchange(next, nodes_[next].next_retired.get()));
    // A successful advance means that the epoch before the current one had no readers left: those
    // are the ones that `draining` waited for.
    const bool advanced = readers_.TryAdvance();
    if (advanced) {
      ReturnAll(draining);
      draining = std::exchange(closing, {});
      if (readers_.Drained()) ReturnAll(std::exchange(draining, {}));
    }
    closing_.set(closing);
    draining_.set(draining);
    // Whoever has advanced, readers that come and go are not one that stays.
    const bool since_report = advanced || advanced_.get();
    advanced_.set(since_report && why != ReclaimFor::kReport);
    waiting_.store(closing.size + draining.size, std::memory_order::relaxed);
    // release: pairs with the acquire above: the lists.
    reclaiming_.store(false, std::memory_order::release);
    return since_report ? ReclaimResult::kAdvanced : ReclaimResult::kHeld;
  }

  // How many retired nodes the last Reclaim had to leave to readers. relaxed: a number for a person.
  std::uint32_t waiting_nodes() const { return waiting_.load(std::memory_order::relaxed); }

 private:
  static constexpr std::uint32_t kEnd = IndexPool<Sync>::kNone;

  // Linked by next_retired, so that Reclaim allocates nothing: it may run on a game thread.
  struct List {
    std::uint32_t first = kEnd;
    std::uint32_t size = 0;
  };

  void Push(List& list, std::uint32_t index) {
    nodes_[index].next_retired.set(list.first);
    list.first = index;
    ++list.size;
  }

  void ReturnAll(const List& list) {
    // The link first: a node that has been returned is the next taker's.
    for (std::uint32_t next = list.first; next != kEnd;) {
      ReturnNode(std::exchange(next, nodes_[next].next_retired.get()));
    }
  }

  IndexPool<Sync> indices_;
  SyncArray<Sync, Node> nodes_;
  SyncArray<Sync, Leaf> leaves_;
  mutable ReaderEpochs<Sync> readers_;
  typename Sync::template atomic<std::uint32_t> retired_{kEnd};  // the first of a list
  typename Sync::template atomic<bool> reclaiming_{false};
  // These three belong to who set reclaiming_.
  typename Sync::template plain<List> closing_;
  typename Sync::template plain<List> draining_;
  typename Sync::template plain<bool> advanced_{false};  // since the last report
  typename Sync::template atomic<std::uint32_t> waiting_{0};
};

}  // namespace nowait

#endif  // NOWAIT_SRC_BROADPHASE_TREE_STORAGE_H_
