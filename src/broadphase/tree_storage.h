// TreeStorage: the parts that the trees of one broad phase share: nodes, leaves, readers, and old
// nodes that wait for their readers to leave.
//
// Thread safety: all functions from any thread, at any time.
// Progress: all lock-free; no thread waits for a reader. One Reclaim runs at a time: a second one
// returns at once. TakeNode may therefore fail while another thread is about to return nodes.
//
// Invariants
//   1. A node without an owner is empty, as Node's constructor leaves it. A read through a stale
//      index would find nothing there, and the models make that visible.
//   2. leaf(b).location is the location of body b. The thread that may change b (it holds the body
//      for writing) writes it, or the rebuild, which runs when no thread may.
//   3. A retired node is reachable only for readers that pinned before it was unlinked.
//
// Source: [rouwe2022] keeps the old tree until the next physics update and takes a read lock for
// queries that take longer. Here readers are counted by epoch (src/sync/reader_epochs.h), and a
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

// The tree's record of one body.
template <class Sync, int Axes>
struct Leaf {
  typename Sync::template atomic<std::uint32_t> location{location::kNone};
  // The box from its last insert or move. The slot's own box has been widened over all of the
  // body's boxes since the last rebuild; the rebuild resets it to this one.
  typename Sync::template plain<Bounds<Axes>> box;
};

// The state of the readers since the last report.
enum class ReclaimResult : std::uint8_t {
  kAdvanced,  // the readers from before the last advance have left
  kHeld,      // a reader from before the last advance has been there throughout
  kBusy,      // unknown: another thread is reclaiming just now
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

  // Returns an empty node, which the caller then owns. kCapacity "tree nodes": no node is free, not
  // even an unlinked one that has lost its readers.
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

  // Returns a node that only the caller can reach.
  void ReturnNode(std::uint32_t index) {
    nodes_[index].Reset();  // invariant 1; published by the pool
    indices_.Return(index);
  }

  // During the lifetime of a Pin, no node that its owner reached from a root is reused.
  [[nodiscard]] Pin PinReader() const { return readers_.Pin(); }

  // Takes over nodes that have just become unreachable from every root.
  void Retire(std::span<const std::uint32_t> nodes) {
    if (nodes.empty()) return;
    for (std::size_t i = 1; i < nodes.size(); ++i) nodes_[nodes[i - 1]].next_retired.set(nodes[i]);
    std::uint32_t first = retired_.load(std::memory_order::relaxed);
    do {
      nodes_[nodes.back()].next_retired.set(first);
      // release: pairs with the acquire in Reclaim: the links, and that the nodes were unlinked.
      // Failure relaxed: only the next attempt uses it. Reclaim takes all nodes off at once: no
      // ABA.
    } while (!retired_.compare_exchange_retry(first, nodes.front(), std::memory_order::release,
                                              std::memory_order::relaxed));
  }

  // Returns to the pool the retired nodes that no reader can reach any more. Two epochs: `closing_`
  // waits for an advance after the unlinking, so that new readers cannot reach it; `draining_`
  // waits for the readers from before that advance.
  ReclaimResult Reclaim(ReclaimFor why = ReclaimFor::kNodes) {
    // acquire: pairs with the release below: the lists that the last Reclaim left behind.
    if (reclaiming_.exchange(true, std::memory_order::acquire)) return ReclaimResult::kBusy;
    // acquire: pairs with the release in Retire, and with all those that added to the list since.
    std::uint32_t next = retired_.exchange(kEnd, std::memory_order::acquire);
    List closing = closing_.get();
    List draining = draining_.get();
    while (next != kEnd) Push(closing, std::exchange(next, nodes_[next].next_retired.get()));
    // A successful advance means that the epoch before the current one had no readers left:
    // `draining` waited for those readers.
    const bool advanced = readers_.TryAdvance();
    if (advanced) {
      ReturnAll(draining);
      draining = std::exchange(closing, {});
      if (readers_.Drained()) ReturnAll(std::exchange(draining, {}));
    }
    closing_.set(closing);
    draining_.set(draining);
    // Whichever thread has advanced, readers that come and go are not one reader that stays.
    const bool since_report = advanced || advanced_.get();
    advanced_.set(since_report && why != ReclaimFor::kReport);
    waiting_.store(closing.size + draining.size, std::memory_order::relaxed);
    // release: pairs with the acquire above: the lists.
    reclaiming_.store(false, std::memory_order::release);
    return since_report ? ReclaimResult::kAdvanced : ReclaimResult::kHeld;
  }

  // The number of retired nodes that the last Reclaim left to readers. relaxed: for display.
  std::uint32_t waiting_nodes() const { return waiting_.load(std::memory_order::relaxed); }

 private:
  static constexpr std::uint32_t kEnd = IndexPool<Sync>::kNone;

  // Linked by next_retired: Reclaim allocates nothing, because it may run on a game thread.
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
    // The link first: a returned node belongs to the next thread that takes it.
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
  // These three belong to the thread that set reclaiming_.
  typename Sync::template plain<List> closing_;
  typename Sync::template plain<List> draining_;
  typename Sync::template plain<bool> advanced_{false};  // since the last report
  typename Sync::template atomic<std::uint32_t> waiting_{0};
};

}  // namespace nowait

#endif  // NOWAIT_SRC_BROADPHASE_TREE_STORAGE_H_
