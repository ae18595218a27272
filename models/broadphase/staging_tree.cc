// Model of src/broadphase/staging_tree.h.
//
// Promise checked: every query that follows finds a body that is inserted alone, whatever is
// inserted, moved, removed or queried concurrently in the cells above and below it. The body may
// be moved as soon as Has returns true. A staging tree that a rebuild has taken apart gets no
// body.
//
// With two slots, a cell has one for a body and one link: the second body below a staging tree is
// linked in the second cell, and the third one in the third cell.
#include <string_view>

#include "models/broadphase/tree_scenario.h"

namespace nowait {
namespace {

constexpr Box kFar = At(40, 41);
constexpr Box kEverything = At(-200, 200);

// A and B fill the root, C is in the first cell of a staging tree above it.
//
//   root [ . , . ]
//          |   |
//     [ A , B ] [ C , link ]
struct OneStagingTree : TreeScenario {
  explicit OneStagingTree(std::uint32_t more_nodes) : TreeScenario(3 + more_nodes) {
    Insert(kA, kBoxA);
    Insert(kB, kBoxB);
    Insert(kC, kBoxC);
  }
};

// Two bodies compete for one free link. The loser descends into the winner's cell. D is beside C,
// and E is on its other side: neither widens the link for the other one.
struct SameLink : OneStagingTree {
  static constexpr int kThreads = 2;
  static constexpr Box kBoxE = At(-5, -4);
  SameLink() : OneStagingTree(3) {}
  void Thread(int t) { Insert(t == 0 ? kD : kE, t == 0 ? kBoxD : kBoxE); }
  void After() {
    Query(kBoxD);
    Query(kBoxE);
    Query(kEverything);
    CheckHistory();
    CheckPoolIsEmptyNodes();
  }
};
const Scenario<SameLink> same_link({
    .name = "staging-tree/same-link",
    .promise = "two bodies that want the same free link are both there, one below the other",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Two bodies compete for one slot: the loser continues to the link.
struct SameSlot : OneStagingTree {
  static constexpr int kThreads = 2;
  static constexpr Box kBoxE = At(-5, -4);
  SameSlot() : OneStagingTree(3) { Remove(kC); }
  void Thread(int t) {
    const Box box = t == 0 ? kBoxD : kBoxE;
    Insert(t == 0 ? kD : kE, box);
    Query(box);
  }
  void After() {
    Query(kEverything);
    CheckHistory();
  }
};
const Scenario<SameSlot> same_slot({
    .name = "staging-tree/same-slot",
    .promise = "two bodies that want the same free slot of a cell are both there",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// A cell's slot changes hands, with a query in between.
struct CellSlotReuse : OneStagingTree {
  static constexpr int kThreads = 2;
  CellSlotReuse() : OneStagingTree(1) {}
  void Thread(int t) {
    if (t == 0) {
      Remove(kC);
      Insert(kD, kBoxD);
    } else {
      Query(kBoxD);
      Query(kBoxC);
      Query(kBoxA);
    }
  }
  void After() {
    Query(kEverything);
    CheckHistory();
  }
};
const Scenario<CellSlotReuse> cell_slot_reuse({
    .name = "staging-tree/slot-reuse",
    .promise = "a query that meets a change of owners in a cell takes neither for the other",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// One thread frees the slot that the other one comes for.
struct RemoveBesideInsert : OneStagingTree {
  static constexpr int kThreads = 2;
  RemoveBesideInsert() : OneStagingTree(2) {}
  void Thread(int t) {
    if (t == 0) {
      Remove(kC);
      Query(kBoxC);
    } else {
      Insert(kD, kBoxD);
      Query(kBoxD);
    }
  }
  void After() {
    Query(kEverything);
    CheckHistory();
    CheckPoolIsEmptyNodes();
  }
};
const Scenario<RemoveBesideInsert> remove_beside_insert({
    .name = "staging-tree/remove-insert",
    .promise = "a body that takes over a cell's slot that is just being freed is wholly there",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// A query beside an insert into a new cell; then a thread that has seen the body moves it.
struct CellInsertThenMove : OneStagingTree {
  static constexpr int kThreads = 2;
  CellInsertThenMove() : OneStagingTree(1) {}
  void Thread(int t) {
    if (t == 0) {
      Insert(kD, kBoxD);
    } else if (Has(kD)) {
      Query(kBoxD);
      Move(kD, kFar);
      Query(kFar);
    } else {
      Query(kBoxC);
      Query(kBoxD);
    }
  }
  void After() {
    Query(kFar);
    CheckHistory();
  }
};
const Scenario<CellInsertThenMove> cell_insert_then_move({
    .name = "staging-tree/insert-then-move",
    .promise = "a body in a new cell is found and may be moved the moment it is there",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// A move climbs from the cell above while a body is attached below it: both widen the same slots.
struct MoveAboveInsert : OneStagingTree {
  static constexpr int kThreads = 2;
  MoveAboveInsert() : OneStagingTree(1) {}
  void Thread(int t) {
    if (t == 0) {
      Move(kC, kFar);
      Query(kFar);
    } else {
      Insert(kD, kBoxD);
      Query(kBoxD);
    }
  }
  void After() {
    Query(kEverything);
    Query(kFar);
    CheckHistory();
  }
};
const Scenario<MoveAboveInsert> move_above_insert({
    .name = "staging-tree/move-insert",
    .promise = "a move in a cell and an insert below it are both there",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Two bodies descend through the same cells while the slots above fit one body: both climb.
struct TwoBelow : OneStagingTree {
  static constexpr int kThreads = 2;
  static constexpr Box kBoxE = At(32, 33);
  TwoBelow() : OneStagingTree(3) { Insert(kD, kBoxC); }
  void Thread(int t) {
    const Box box = t == 0 ? At(36, 37) : kBoxE;  // the first one is wide enough for the second
    if (t == 0) {
      Move(kD, box);
    } else {
      Insert(kE, box);
      Query(box);
    }
  }
  void After() {
    Query(kEverything);
    CheckHistory();
  }
};
const Scenario<TwoBelow> two_below({
    .name = "staging-tree/climb",
    .promise = "a body is found after its insert though another climb has widened half of its way",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// A staging tree is started while another thread inserts, and asks for the staging tree.
struct StartBesideInsert : TreeScenario {
  static constexpr int kThreads = 2;
  StartBesideInsert() : TreeScenario(5) {
    Insert(kA, kBoxA);
    Insert(kB, kBoxB);
  }
  void Thread(int t) {
    if (t == 0) {
      Insert(kC, kBoxC);
    } else {
      Insert(kD, kBoxD);
      Query(kBoxD);
    }
  }
  void After() {
    Query(kEverything);
    CheckHistory();
  }
};
const Scenario<StartBesideInsert> start_beside_insert({
    .name = "staging-tree/start",
    .promise = "bodies that come to a staging tree while it is started and announced are there",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// D lies so far away that it starts a second staging tree, while E comes to the first one or to
// D's.
struct SecondStagingTree : OneStagingTree {
  static constexpr int kThreads = 2;
  static constexpr Box kFarAway = At(5000, 5001);
  SecondStagingTree() : OneStagingTree(4) {}
  void Thread(int t) {
    if (t == 0) {
      Insert(kD, kFarAway);
      Query(kFarAway);
    } else {
      Insert(kE, kBoxD);
      Query(kBoxD);
    }
  }
  void After() {
    Query(At(-200, 6000));
    CheckHistory();
    CheckPoolIsEmptyNodes();
  }
};
const Scenario<SecondStagingTree> second_staging_tree({
    .name = "staging-tree/second",
    .promise =
        "a second staging tree is there beside the first, and so is each body that comes to either",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// There are too few nodes for a staging tree under a new root: the body itself is linked there.
struct LastNode : TreeScenario {
  static constexpr int kThreads = 2;
  LastNode() : TreeScenario(2) {
    Insert(kA, kBoxA);
    Insert(kB, kBoxB);
  }
  void Thread(int t) {
    if (t == 0) {
      Insert(kC, kBoxC);
      Query(kBoxC);
    } else {
      Query(kBoxA);
      Move(kA, kFar);
      Query(kFar);
    }
  }
  void After() {
    Query(kEverything);
    Check(tree.Insert(kD, kBoxD).error().subject == std::string_view("tree nodes"),
          "an insert reports when there is no node");
    CheckHistory();
  }
};
const Scenario<LastNode> last_node({
    .name = "staging-tree/last-node",
    .promise = "the last node is a new root, and its body is there as any other",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// There is no node for a cell, and no root has a slot: a body takes the slot that another one has
// just vacated in a cell, or is refused.
struct NoNode : OneStagingTree {
  static constexpr int kThreads = 2;
  explicit NoNode(std::uint32_t more_nodes) : OneStagingTree(more_nodes) {}
  void TryInsert(ProxyId body, const Box& box) {
    const model::Call call("Insert");
    const model::VectorClock invoked = history.Invoke();
    const Result<void> inserted = tree.Insert(body, box);
    if (inserted) {
      history.Add(invoked, OpOn(TreeOp::Kind::kInsert, body, box));
      Query(box);
    } else {
      Check(inserted.error().subject == std::string_view("tree nodes"),
            "an insert reports when there is no node");
    }
  }
  void After() {
    Query(kEverything);
    CheckHistory();
  }
};
struct AnySlot : NoNode {
  AnySlot() : NoNode(0) {}
  void Thread(int t) {
    if (t == 0) {
      Remove(kC);
      Query(kBoxC);
    } else {
      TryInsert(kE, kFar);
    }
  }
};
const Scenario<AnySlot> any_slot({
    .name = "staging-tree/any-slot",
    .promise = "without a node a body takes any slot of a cell, and is wholly there",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Two bodies, one node: one of them attaches the last cell, and the other looks for a slot in it.
struct LastCell : NoNode {
  LastCell() : NoNode(1) {}
  void Thread(int t) {
    if (t == 0) {
      TryInsert(kD, kBoxD);
    } else {
      TryInsert(kE, kFar);
    }
  }
};
const Scenario<LastCell> last_cell({
    .name = "staging-tree/last-cell",
    .promise =
        "a body that looks for any slot while the last cell is attached takes only a free one",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// A rebuild takes the staging tree apart; the next body starts another. A query runs meanwhile.
struct RebuiltStagingTree : OneStagingTree {
  static constexpr int kThreads = 2;
  RebuiltStagingTree() : OneStagingTree(8) {}
  void Thread(int t) {
    if (t == 0) {
      Rebuild();
      Insert(kD, kBoxD);
      Query(kBoxD);
    } else {
      Query(kBoxA);
      Query(kBoxC);
    }
  }
  void After() {
    Query(kBoxD);
    Query(kEverything);
    CheckHistory();
  }
};
const Scenario<RebuiltStagingTree> rebuilt_staging_tree({
    .name = "staging-tree/rebuilt",
    .promise = "the bodies of a staging tree are found through its rebuild, and so are later ones",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

}  // namespace
}  // namespace nowait
