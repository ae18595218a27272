// Model of src/broadphase/staging_tree.h with cells that have two slots for bodies.
//
// Promise checked: two bodies of one cell are inserted, moved, removed and found concurrently as if
// each had a separate cell. A slot of a full cell that is freed belongs to its next owner alone. A
// new cell is attached only when both slots are taken.
//
// With two children (staging_tree.cc) a cell has one slot for a body and one link, so a wrong
// number of a slot or a link names nothing. Here a node has four children, and the staging tree has
// one upper level instead of eight. Below its first cell, which has one body and three links, all
// cells have two bodies and two links.
#include <cstdint>
#include <string_view>

#include "models/broadphase/tree_scenario.h"

namespace nowait {

template <>
inline constexpr int kStagingUpperLevels<1, 4> = 1;

namespace {

using WideTree = QuadTree<ModelSync, 1, 4>;

constexpr Box kEverything = At(-200, 1000);  // except the filling bodies
constexpr std::uint32_t kNodes = 4;

// All links on the way to B and C are the last ones of their cells. F: bodies that fill the roots,
// at a place that no query visits.
//
//            root [ . , . , F , F ]
//                   |   |
//     [ A , F , F , F ] [ E , . , . , . ]
//                                     |
//                             [ B , C , . , . ]
struct FullCell : TreeScenarioOf<WideTree> {
  static constexpr Box kOfB = At(40, 41);
  static constexpr Box kOfC = At(50, 51);
  static constexpr Box kOfE = At(20, 21);
  // For newcomers: the last and the first link below the full cell.
  static constexpr Box kOfD = At(900, 901);
  static constexpr Box kNearD = At(70, 71);
  static constexpr Box kFar = At(60, 61);

  explicit FullCell(std::uint32_t more_nodes)
      : TreeScenarioOf(kNodes + more_nodes, kTreeBodies + 5) {
    Insert(kA, kBoxA);
    for (std::uint32_t slot = kTreeBodies; slot < kTreeBodies + 3; ++slot) {
      Check(tree.Insert(ProxyId(slot, 0), kFill).has_value(), "the root has four slots");
    }
    Insert(kE, kOfE);
    // Batches of one body are linked at the root itself.
    for (std::uint32_t slot = kTreeBodies + 3; slot < kTreeBodies + 5; ++slot) {
      const WideTree::Entry filling{ProxyId(slot, 0), kFill};
      tree.Finalise(*tree.Prepare({&filling, 1}));
    }
    Insert(kB, kOfB);
    Insert(kC, kOfC);
  }
  // Removes the bodies that filled the cell, as if B and C had not been there yet.
  void FreeCell() {
    tree.Remove(kB);
    tree.Remove(kC);
    history = history.Select(
        [](const TreeOp& op) { return !op.Concerns(kB.slot()) && !op.Concerns(kC.slot()); });
  }
  void CheckNodes(std::uint32_t nodes) const {
    Check(StatsOf(storage, tree.Root()).nodes == nodes,
          "a cell is attached when both slots of the one above are taken, and not before");
  }

  static constexpr Box kFill = At(-1001, -1000);
};

// Two bodies compete for the two slots of a cell; one of them moves at once.
struct BothFree : FullCell {
  static constexpr int kThreads = 2;
  BothFree() : FullCell(1) { FreeCell(); }
  void Thread(int t) {
    if (t == 0) {
      Insert(kB, kOfB);
      Move(kB, kFar);
      Query(kFar);
    } else {
      Insert(kC, kOfC);
      Query(kOfC);
    }
  }
  void After() {
    Query(kEverything);
    Remove(kB);
    Query(kEverything);
    CheckHistory();
    CheckNodes(kNodes);
  }
};
const Scenario<BothFree> both_free({
    .name = "cells/both-free",
    .promise = "two bodies that come to a cell with two free slots have one each",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// The second slot of a full cell is freed while a body comes for it, or continues to the link.
struct SecondSlot : FullCell {
  static constexpr int kThreads = 2;
  SecondSlot() : FullCell(1) {}
  void Thread(int t) {
    if (t == 0) {
      Remove(kC);
      Query(kOfC);
    } else {
      Insert(kD, kOfD);
      Query(kOfD);
    }
  }
  void After() {
    Query(kOfB);
    Query(kEverything);
    // Wherever D is, there is a slot beside it or below it.
    Remove(kB);
    Query(kEverything);
    CheckHistory();
    CheckPoolIsEmptyNodes();
  }
};
const Scenario<SecondSlot> second_slot({
    .name = "cells/second-slot",
    .promise =
        "a body that takes the second slot of a full cell is wholly there, and the first stays",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// A slot of a full cell changes hands, with queries in between. kFirst: the first slot does.
template <bool kFirst>
struct SlotReuse : FullCell {
  static constexpr int kThreads = 2;
  SlotReuse() : FullCell(0) {}
  void Thread(int t) {
    if (t == 0) {
      Remove(kFirst ? kB : kC);
      Insert(kD, kOfD);
    } else {
      Query(kOfD);
      Query(kFirst ? kOfC : kOfB);
      Query(kFirst ? kOfB : kOfC);
    }
  }
  void After() {
    Query(kEverything);
    CheckHistory();
    CheckNodes(kNodes);
  }
};
const Scenario<SlotReuse<true>> first_reused({
    .name = "cells/slot-reuse",
    .promise =
        "beside a change of owners in a full cell a query finds the neighbour, mixing up no owners",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<SlotReuse<false>> second_reused({
    .name = "cells/slot-reuse/second",
    .promise = "the same when the second slot changes hands",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// The two bodies of a cell move, each to its own side, and one is removed.
struct Neighbours : FullCell {
  static constexpr int kThreads = 2;
  static constexpr Box kBelow = At(-41, -40);
  Neighbours() : FullCell(0) {}
  void Thread(int t) {
    if (t == 0) {
      Move(kB, kBelow);
      Query(kBelow);
    } else {
      Move(kC, kFar);
      Remove(kC);
      Query(kOfC);
    }
  }
  void After() {
    Query(kBelow);
    Query(kEverything);
    CheckHistory();
  }
};
const Scenario<Neighbours> neighbours({
    .name = "cells/neighbours",
    .promise = "two bodies of one cell move at once, and the one that stays is found",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// A cell is attached to a link of a full cell while a body of the full cell moves.
template <bool kLast>
struct BelowFull : FullCell {
  static constexpr int kThreads = 2;
  static constexpr Box kOfNew = kLast ? kOfD : kNearD;
  BelowFull() : FullCell(1) {}
  void Thread(int t) {
    if (t == 0) {
      Insert(kD, kOfNew);
      Query(kOfNew);
    } else {
      Move(kC, kFar);
      Query(kFar);
    }
  }
  void After() {
    Query(kEverything);
    CheckHistory();
    CheckNodes(kNodes + 1);
  }
};
const Scenario<BelowFull<true>> below_full({
    .name = "cells/below-full",
    .promise = "a body that comes to a full cell is linked below it, and all three are found",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<BelowFull<false>> below_full_first({
    .name = "cells/below-full/first",
    .promise = "the same when its link is the one behind the two bodies",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// There is no node for a cell, and the roots are full: a body takes the slot that another one
// vacates in a cell, or is refused.
struct AnySlot : FullCell {
  static constexpr int kThreads = 2;
  AnySlot() : FullCell(0) {}
  void Thread(int t) {
    if (t == 0) {
      Remove(kC);
      Query(kOfC);
      return;
    }
    const model::Call call("Insert");
    const model::VectorClock invoked = history.Invoke();
    const Result<void> inserted = tree.Insert(kD, kOfD);
    if (!inserted) {
      return Check(inserted.error().subject == std::string_view("tree nodes"),
                   "an insert reports when there is no node");
    }
    history.Add(invoked, OpOn(TreeOp::Kind::kInsert, kD, kOfD));
    Move(kD, kFar);
    Query(kFar);
  }
  void After() {
    Query(kOfB);
    Query(kEverything);
    CheckHistory();
  }
};
const Scenario<AnySlot> any_slot({
    .name = "cells/any-slot",
    .promise =
        "without a node a body takes the slot that another has left in a full cell, or is refused",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// A rebuild takes the cell apart, with concurrent queries.
struct Rebuilt : FullCell {
  static constexpr int kThreads = 2;
  Rebuilt() : FullCell(8) {}
  void Thread(int t) {
    if (t == 0) {
      Move(kC, kFar);
      Rebuild();
      Query(kFar);
    } else {
      Query(kOfB);
      Query(kOfC);
    }
  }
  void After() {
    Query(kOfC);
    Query(kEverything);
    CheckHistory();
  }
};
const Scenario<Rebuilt> rebuilt({
    .name = "cells/rebuilt",
    .promise = "both bodies of a cell are found through its rebuild, at their places",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

}  // namespace
}  // namespace nowait
