// Model of how emptied nodes leave the tree: UnlinkIfEmpty of src/broadphase/remove.h, Retire and
// Reclaim of src/broadphase/tree_storage.h while bodies come and go, and old roots whose slots are
// reused (src/broadphase/insert.h).
//
// Promise checked: a node leaves the tree when its last body is gone, whichever threads remove the
// bodies. It returns to the pool when its readers have left, and not before; no thread writes to it
// after that. The slot above it belongs to its next owner alone. A concurrent query finds the
// bodies that stay.
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "models/broadphase/tree_scenario.h"

namespace nowait {
namespace {

constexpr Box kFar = At(40, 41);
constexpr Box kEverything = At(-200, 200);

// A is in the root, and beside it a batch of C and D.
//
//   root [ A , . ]
//              |
//         [ C , D ]
struct OneBatch : TreeScenario {
  explicit OneBatch(std::uint32_t max_nodes) : TreeScenario(max_nodes) {
    Insert(kA, kBoxA);
    InsertBatch({{kC, kBoxC}, {kD, kBoxD}});
  }
  // Called last.
  void CheckNodes(std::uint32_t in_tree) {
    Check(StatsOf(storage, tree.Root()).nodes == in_tree, "a node goes with its last body");
    Check(in_tree + CheckPoolIsEmptyNodes() == storage.max_nodes(),
          "a node that has gone is there again when its readers have left");
  }
};

// Two threads remove the two bodies of a node: one of them was the last.
struct BothRemove : OneBatch {
  static constexpr int kThreads = 2;
  BothRemove() : OneBatch(4) {}
  void Thread(int t) {
    Remove(t == 0 ? kC : kD);
    if (t == 1) storage.Reclaim();
    Query(t == 0 ? kBoxC : kBoxD);
  }
  void After() {
    Query(kEverything);
    CheckHistory();
    CheckNodes(1);
  }
};
const Scenario<BothRemove> both_remove({
    .name = "unlink/both",
    .promise = "of two threads that remove a node's bodies one unlinks the node",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// One thread moves its body, and therefore climbs, before it removes the body; the other thread's
// body is removed meanwhile.
struct MoveThenRemove : OneBatch {
  static constexpr int kThreads = 2;
  MoveThenRemove() : OneBatch(4) {}
  void Thread(int t) {
    if (t == 0) {
      Remove(kC);
    } else {
      Move(kD, kFar);
      Query(kFar);
      Remove(kD);
    }
  }
  void After() {
    Query(kEverything);
    CheckHistory();
    CheckNodes(1);
  }
};
const Scenario<MoveThenRemove> move_then_remove({
    .name = "unlink/move",
    .promise = "a node through which a thread climbs stays until the climb is over",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// The slot above an unlinked node is given to another body at once.
struct SlotAbove : OneBatch {
  static constexpr int kThreads = 2;
  SlotAbove() : OneBatch(5) {}
  void Thread(int t) {
    if (t == 0) {
      Remove(kC);
      Remove(kD);
    } else {
      Insert(kE, kFar);
      Query(kFar);
    }
  }
  void After() {
    Query(kFar);
    Query(kEverything);
    CheckHistory();
    CheckPoolIsEmptyNodes();
  }
};
const Scenario<SlotAbove> slot_above({
    .name = "unlink/slot-above",
    .promise = "a body that takes over the slot of a node that is just being unlinked is there",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// The node of a removed batch is needed for the next one while a query may still be in it. That
// next batch is never finalised: no query may find its bodies. The node that is taken and returned
// becomes its spare, and the other one becomes its root.
struct NodeAgain : OneBatch {
  static constexpr int kThreads = 2;
  NodeAgain() : OneBatch(3), spare(*storage.TakeNode()) {}
  void Thread(int t) {
    if (t == 0) {
      Remove(kC);
      Remove(kD);
      storage.ReturnNode(spare);
      const std::array<Tree::Entry, 2> entries = {{{kB, kBoxC}, {kE, kBoxD}}};
      const auto batch = tree.Prepare(entries);
      Check(
          batch.has_value() || batch.error().detail == std::string_view("a reader pins old nodes"),
          "a batch that comes after another gets its nodes, or is informed of a reader");
    } else {
      Query(kEverything);
    }
  }
  void After() {
    Query(kBoxA);
    CheckHistory();
    CheckNodes(1);
  }
  const std::uint32_t spare;
};
const Scenario<NodeAgain> node_again({
    .name = "unlink/node-again",
    .promise = "a query in a node that is unlinked under it sees nothing of the node's next life",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Another thread needs the node at once, for a batch that is never finalised, and queries: while
// the tree still leads to the node, no thread may get it.
struct NodeMeanwhile : OneBatch {
  static constexpr int kThreads = 2;
  NodeMeanwhile() : OneBatch(3) { Remove(kC); }
  void Thread(int t) {
    if (t == 0) {
      Remove(kD);
    } else {
      const std::array<Tree::Entry, 2> entries = {{{kB, kBoxC}, {kE, kBoxD}}};
      const model::Call call("Prepare");
      const auto batch = tree.Prepare(entries);
      Query(kEverything);
    }
  }
  void After() {
    Query(kEverything);
    CheckHistory();
    CheckNodes(1);
  }
};
const Scenario<NodeMeanwhile> node_meanwhile({
    .name = "unlink/node-meanwhile",
    .promise =
        "a thread that wants a node which is just being unlinked gets it when no query comes to it",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Batches come and go, and come again in the nodes that the others left; each thread has one. No
// thread reads.
struct ComeAndGo : TreeScenario {
  static constexpr int kThreads = 2;
  ComeAndGo() : TreeScenario(6) { Insert(kA, kBoxA); }
  void Thread(int t) {
    const ProxyId body = t == 0 ? kB : kC;
    const Box box = t == 0 ? kBoxB : kBoxC;
    const ProxyId other = t == 0 ? kD : kE;
    InsertBatch({{body, box}, {other, box}});
    Remove(body);
    Remove(other);
  }
  void After() {
    Query(kEverything);
    CheckHistory();
    CheckPoolIsEmptyNodes();
  }
};
const Scenario<ComeAndGo> come_and_go({
    .name = "unlink/come-and-go",
    .promise = "batches that come and go at once leave nothing behind",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Two threads run out of nodes at once and reclaim the nodes that the preceding removals retired.
struct BothReclaim : OneBatch {
  static constexpr int kThreads = 2;
  BothReclaim() : OneBatch(3) {
    Remove(kC);
    Remove(kD);
    for (auto node = storage.TakeNode(); node; node = storage.TakeNode()) taken.push_back(*node);
    // All nodes except the root, as if they had just been unlinked.
    storage.Retire(taken);
  }
  void Thread() {
    const auto node = storage.TakeNode();
    if (node) storage.ReturnNode(*node);
  }
  void After() {
    Query(kBoxA);
    CheckHistory();
    CheckNodes(1);
  }
  std::vector<std::uint32_t> taken;
};
const Scenario<BothReclaim> both_reclaim({
    .name = "unlink/both-reclaim",
    .promise = "of two threads that want retired nodes one reclaims them, and each node is kept",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Two threads reclaim while a view is held that predates the last advance: neither may report that
// there is no view. One may report that it does not know.
struct HeldMeanwhile : OneBatch {
  static constexpr int kThreads = 2;
  HeldMeanwhile() : OneBatch(3), held(storage.PinReader()) {
    Check(storage.Reclaim(ReclaimFor::kReport) == ReclaimResult::kAdvanced,
          "the first advance does not wait");
  }
  void Thread(int t) { said[t].set(storage.Reclaim(ReclaimFor::kReport)); }
  void After() {
    const auto is = [this](int t, ReclaimResult result) { return said[t].get() == result; };
    Check(!is(0, ReclaimResult::kAdvanced) && !is(1, ReclaimResult::kAdvanced),
          "a held view is not reported as gone");
    Check(is(0, ReclaimResult::kHeld) || is(1, ReclaimResult::kHeld),
          "a thread that reclaims knows of it");
    Query(kBoxA);
    CheckHistory();
  }
  Tree::Storage::Pin held;
  ModelSync::plain<ReclaimResult> said[2];
};
const Scenario<HeldMeanwhile> held_meanwhile({
    .name = "unlink/held",
    .promise = "of two threads that reclaim while a view is held neither reports its absence",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Two nodes are retired at once: each is put before the other one in the list of waiting nodes.
struct BothRetire : TreeScenario {
  static constexpr int kThreads = 2;
  BothRetire() : TreeScenario(4) {
    InsertBatch({{kA, kBoxA}, {kB, kBoxB}});
    InsertBatch({{kC, kBoxC}, {kD, kBoxD}});
    Remove(kA);
    Remove(kC);
  }
  void Thread(int t) { Remove(t == 0 ? kB : kD); }
  void After() {
    Query(kEverything);
    CheckHistory();
    Check(1 + CheckPoolIsEmptyNodes() == storage.max_nodes(),
          "two nodes that go are both there again");
  }
};
const Scenario<BothRetire> both_retire({
    .name = "unlink/both-retire",
    .promise = "two nodes that are unlinked at once are both kept",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// One thread reclaims after the other: the second one gets the nodes that the first one had to
// leave.
struct ReclaimAfterReclaim : OneBatch {
  static constexpr int kThreads = 3;
  ReclaimAfterReclaim() : OneBatch(4) { Remove(kC); }
  void Thread(int t) {
    if (t == 0) {
      Remove(kD);
      storage.Reclaim();
    } else if (t == 1) {
      storage.Reclaim();
    } else {
      Query(kBoxA);
    }
  }
  void After() {
    Query(kBoxA);
    CheckHistory();
    CheckNodes(1);
  }
};
const Scenario<ReclaimAfterReclaim> reclaim_after_reclaim({
    .name = "unlink/reclaim-again",
    .promise = "nodes that one reclaiming thread leaves to readers are found by the next",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// The root is a built node, and stays when its last body is removed.
struct RebuiltRoot : TreeScenario {
  static constexpr int kThreads = 2;
  RebuiltRoot() : TreeScenario(4) {
    Insert(kA, kBoxA);
    Insert(kB, kBoxB);
    Rebuild();
  }
  void Thread(int t) {
    if (t == 0) {
      Remove(kA);
      Insert(kC, kBoxC);
      Query(kBoxC);
    } else {
      Remove(kB);
    }
  }
  void After() {
    Query(kEverything);
    CheckHistory();
    CheckPoolIsEmptyNodes();
  }
};
const Scenario<RebuiltRoot> rebuilt_root({
    .name = "unlink/root",
    .promise = "a root that a rebuild has built takes bodies when others leave it, and stays",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// The slot of an old root is reused by a thread that looks for one while another root is put above
// it.
//
//   root [ . , E ]
//          |
//        [ A , B ]
struct OldRoot : TreeScenario {
  static constexpr int kThreads = 2;
  OldRoot() : TreeScenario(6) {
    Insert(kA, kBoxA);
    Insert(kB, kBoxB);
    InsertBatch({{kE, kFar}});
  }
  void Thread(int t) {
    if (t == 0) {
      Remove(kB);
      Query(kBoxA);
    } else {
      InsertBatch({{kC, kBoxC}});
      Query(kBoxC);
    }
  }
  void After() {
    Query(kEverything);
    Remove(kA);
    const auto nodes = StatsOf(storage, tree.Root()).nodes;
    InsertBatch({{kD, kBoxD}});
    Check(StatsOf(storage, tree.Root()).nodes == nodes,
          "a freed slot of an old root is used again");
    Query(kBoxD);
    CheckHistory();
  }
};
const Scenario<OldRoot> old_root({
    .name = "unlink/old-root",
    .promise = "a slot that an old root has free is taken before a new root is made",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

}  // namespace
}  // namespace nowait
