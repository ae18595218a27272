// Model of src/broadphase/nursery.h.
//
// Promise checked: a body that is inserted by itself is there for every query that follows,
// whatever is inserted, moved, removed or asked at the same time in the cells above and below it.
// It may be moved as soon as Has returns true. A nursery that a rebuild has taken apart gets no
// body.
//
// With two slots a cell has one for a body and one link: the second body below a nursery is linked
// in the second cell, the third one in the third.
#include <string_view>

#include "models/broadphase/tree_scenario.h"

namespace nowait {
namespace {

constexpr Box kFar = At(40, 41);
constexpr Box kEverything = At(-200, 200);

// A and B fill the root, C is in the first cell of a nursery above it.
//
//   root [ . , . ]
//          |   |
//     [ A , B ] [ C , link ]
struct OneNursery : TreeScenario {
  explicit OneNursery(std::uint32_t more_nodes) : TreeScenario(3 + more_nodes) {
    Insert(kA, kBoxA);
    Insert(kB, kBoxB);
    Insert(kC, kBoxC);
  }
};

// Two bodies for one free link. The loser goes down the winner's cell. D is beside C and E on the
// other side of it: neither widens the link for the other one.
struct SameLink : OneNursery {
  static constexpr int kThreads = 2;
  static constexpr Box kBoxE = At(-5, -4);
  SameLink() : OneNursery(3) {}
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
    .name = "nursery/same-link",
    .promise = "two bodies that want the same free link are both there, one below the other",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Two bodies for one slot: the loser goes on to the link.
struct SameSlot : OneNursery {
  static constexpr int kThreads = 2;
  static constexpr Box kBoxE = At(-5, -4);
  SameSlot() : OneNursery(3) { Remove(kC); }
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
    .name = "nursery/same-slot",
    .promise = "two bodies that want the same free slot of a cell are both there",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// A cell's slot changes hands, with a query in between.
struct CellSlotReuse : OneNursery {
  static constexpr int kThreads = 2;
  CellSlotReuse() : OneNursery(1) {}
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
    .name = "nursery/slot-reuse",
    .promise = "a query that meets a change of owners in a cell takes neither for the other",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// One thread frees the slot that the other one comes for.
struct RemoveBesideInsert : OneNursery {
  static constexpr int kThreads = 2;
  RemoveBesideInsert() : OneNursery(2) {}
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
    .name = "nursery/remove-insert",
    .promise = "a body that takes over a cell's slot that is just being freed is wholly there",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// A query beside an insert into a new cell; then a thread that has seen the body moves it.
struct CellInsertThenMove : OneNursery {
  static constexpr int kThreads = 2;
  CellInsertThenMove() : OneNursery(1) {}
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
    .name = "nursery/insert-then-move",
    .promise = "a body in a new cell is found and may be moved the moment it is there",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// A move climbs from the cell above while a body is attached below it: both widen the same slots.
struct MoveAboveInsert : OneNursery {
  static constexpr int kThreads = 2;
  MoveAboveInsert() : OneNursery(1) {}
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
    .name = "nursery/move-insert",
    .promise = "a move in a cell and an insert below it are both there",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Two bodies come down the same cells while the slots above fit one body: both climb.
struct TwoBelow : OneNursery {
  static constexpr int kThreads = 2;
  static constexpr Box kBoxE = At(32, 33);
  TwoBelow() : OneNursery(3) { Insert(kD, kBoxC); }
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
    .name = "nursery/climb",
    .promise = "a body is found after its insert though another climb has widened half of its way",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// A nursery is started while another thread inserts, and asks for the nursery.
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
    .name = "nursery/start",
    .promise = "bodies that come to a nursery while it is started and announced are there",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// D lies so far away that it starts a second nursery, while E comes to the first one or to D's.
struct SecondNursery : OneNursery {
  static constexpr int kThreads = 2;
  static constexpr Box kFarAway = At(5000, 5001);
  SecondNursery() : OneNursery(4) {}
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
const Scenario<SecondNursery> second_nursery({
    .name = "nursery/second",
    .promise =
        "a second nursery is there beside the first, and so is each body that comes to either",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// There are too few nodes for a nursery under a new root: the body itself is linked there.
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
    .name = "nursery/last-node",
    .promise = "the last node is a new root, and its body is there as any other",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// There is no node for a cell, and no root has a slot: a body takes the slot that another has just
// left in a cell, or is refused.
struct NoNode : OneNursery {
  static constexpr int kThreads = 2;
  explicit NoNode(std::uint32_t more_nodes) : OneNursery(more_nodes) {}
  void TryInsert(ProxyId body, const Box& box) {
    const model::Call call("Insert");
    const model::Moment invoked = history.Invoke();
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
    .name = "nursery/any-slot",
    .promise = "without a node a body takes any slot of a cell, and is wholly there",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Two bodies, one node: one of them attaches the last cell, the other one looks for a slot in it.
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
    .name = "nursery/last-cell",
    .promise =
        "a body that looks for any slot while the last cell is attached takes only a free one",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// A rebuild takes the nursery apart; the next body starts another. A query goes on meanwhile.
struct RebuiltNursery : OneNursery {
  static constexpr int kThreads = 2;
  RebuiltNursery() : OneNursery(8) {}
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
const Scenario<RebuiltNursery> rebuilt_nursery({
    .name = "nursery/rebuilt",
    .promise = "the bodies of a nursery are found through its rebuild, and so are later ones",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

}  // namespace
}  // namespace nowait
