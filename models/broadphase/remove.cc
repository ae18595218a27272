// Model of src/broadphase/remove.h, and of the second look of src/broadphase/query.h.
//
// Promise checked: no query that follows finds a removed body. A body that takes over its slot is
// completely there, however late the removal's stores are. A query that meets the change of owners
// reports neither body with the other's box, and loses no third body. Also covered is the way out
// of an unfinalised batch (src/broadphase/batch.h).
#include "models/broadphase/tree_scenario.h"

namespace nowait {
namespace {

struct FullRoot : TreeScenario {
  explicit FullRoot(const Box& box_of_a = kBoxA) : TreeScenario(5) {
    Insert(kA, box_of_a);
    Insert(kB, kBoxB);
  }
};

struct RemoveInsert : FullRoot {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) {
      Remove(kA);
      Query(kBoxA);
    } else {
      Insert(kC, kBoxC);
      Query(kBoxC);
    }
  }
  void After() {
    Query(kBoxA);
    Query(kBoxB);
    Query(kBoxC);
    Has(kA);
    // Wherever C was inserted, in the root or in a staging tree.
    Remove(kC);
    const auto nodes = StatsOf(storage, tree.Root()).nodes;
    Insert(kD, kBoxD);
    Check(StatsOf(storage, tree.Root()).nodes == nodes, "a freed slot is used again");
    CheckHistory();
  }
};
const Scenario<RemoveInsert> remove_insert({
    .name = "remove-insert",
    .promise = "a body that takes over a slot that is just being freed is wholly there",
    .searches = {ContextBound(2), Random(50'000).DeferringStores().DeepHistory()},
});

struct RemoveInsertMove : FullRoot {
  static constexpr int kThreads = 3;
  static constexpr Box kFar = At(40, 41);
  void Thread(int t) {
    if (t == 0) Remove(kA);
    if (t == 1) Insert(kC, kBoxC);
    if (t == 2) Move(kB, kFar);
  }
  void After() {
    Query(kBoxA);
    Query(kFar);
    Query(kBoxC);
    CheckHistory();
  }
};
const Scenario<RemoveInsertMove> remove_insert_move({
    .name = "remove-insert-move",
    .promise = "a removal, an insert and a move in one root do not disturb each other",
    .searches = {ContextBound(1), Random(20'000).DeferringStores()},
});

// The removed body is inserted elsewhere; the inserted one is moved.
struct AllAgain : FullRoot {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) {
      Remove(kA);
      Insert(kA, kBoxD);
    } else {
      Insert(kC, kBoxC);
      Move(kC, kBoxAway);
    }
  }
  void After() {
    Query(kBoxD);
    Query(kBoxAway);
    CheckHistory();
  }
};
const Scenario<AllAgain> all_again({
    .name = "remove-insert-move/again",
    .promise = "the same when the removed body is inserted elsewhere and the inserted one is moved",
    .searches = {},  // a sample adds nothing to all executions
});

// Three threads with two operations each: each looks for a body that another one is changing.
struct EachLooks : FullRoot {
  static constexpr int kThreads = 3;
  static constexpr Box kFar = At(40, 41);
  void Thread(int t) {
    if (t == 0) {
      Remove(kA);
      Query(kBoxC);
    } else if (t == 1) {
      Insert(kC, kBoxC);
      Has(kA);
    } else {
      Move(kB, kFar);
      Has(kC);
    }
  }
  void After() {
    Query(At(-200, 200));
    CheckHistory();
  }
};
const Scenario<EachLooks> each_looks({
    .name = "remove-insert-move/each-looks",
    .promise =
        "a thread that removes, inserts or moves a body finds others at their old or new places",
    .searches = {Random(20'000).DeferringStores().DeepHistory()},
});

// Four threads with one operation each.
struct AndALook : FullRoot {
  static constexpr int kThreads = 4;
  static constexpr Box kFar = At(40, 41);
  void Thread(int t) {
    if (t == 0) Remove(kA);
    if (t == 1) Insert(kC, kBoxC);
    if (t == 2) Move(kB, kFar);
    if (t == 3) Query(At(-200, 200));
  }
  void After() {
    Query(At(-200, 200));
    CheckHistory();
  }
};
const Scenario<AndALook> and_a_look({
    .name = "remove-insert-move/and-a-look",
    .promise = "a query beside all three finds the bodies that stay, and each body at most once",
    .searches = {Random(20'000).DeferringStores().DeepHistory()},
});

// A slot changes hands while a query looks at it. The query asks for a place where only the new
// owner is, so it must not report the old one there. If the new owner is above the old one, the box
// that must not be formed has the old min and the new max; if it is below, the reverse.
template <bool kUp>
struct SlotReuse : FullRoot {
  static constexpr int kThreads = 2;
  static constexpr Box kOld = kUp ? kBoxA : kBoxC;
  static constexpr Box kNew = kUp ? kBoxC : kBoxA;
  SlotReuse() : FullRoot(kOld) {}
  void Thread(int t) {
    if (t == 0) {
      Remove(kA);
      Insert(kC, kNew);
    } else {
      Query(kNew);
      Query(kBoxB);
      Query(kOld);
    }
  }
  void After() { CheckHistory(); }
};
const Scenario<SlotReuse<true>> slot_reuse({
    .name = "slot-reuse",
    .promise =
        "a query that meets a change of a slot's owners reports neither with the other's box",
    .searches = {ContextBound(2), Random(50'000).DeferringStores().DeepHistory()},
});
const Scenario<SlotReuse<false>> slot_reuse_down({
    .name = "slot-reuse/down",
    .promise = "the same when the new owner is below the old one",
    .searches = {ContextBound(2), Random(50'000).DeferringStores().DeepHistory()},
});

// The same with a new owner that moves at once: its widening must not be taken for the old owner's
// either.
struct SlotReuseMove : FullRoot {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) {
      Remove(kA);
      Insert(kC, kBoxC);
      Move(kC, At(40, 41));
    } else {
      Query(At(40, 41));
    }
  }
  void After() { CheckHistory(); }
};
const Scenario<SlotReuseMove> slot_reuse_move({
    .name = "slot-reuse-move",
    .promise = "the new owner's move is not taken for the old owner's",
    .searches = {ContextBound(2), Random(50'000).DeferringStores().DeepHistory()},
});

// A body that is removed and inserted again elsewhere, while a query looks everywhere.
struct RemoveAndInsertAgain : FullRoot {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) {
      Remove(kA);
      Insert(kA, kBoxC);
    } else {
      Query(At(-200, 200));
      Query(At(2, 9));
    }
  }
  void After() {
    Query(kBoxC);
    CheckHistory();
  }
};
const Scenario<RemoveAndInsertAgain> remove_and_insert_again({
    .name = "remove-and-insert-again",
    .promise = "a query finds a body at most once for each of its lives",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().DeepHistory()},
});

// A batch is dropped beside an insert that may get one of its nodes; then one of its bodies is
// inserted alone.
struct AbortInsert : TreeScenario {
  static constexpr int kThreads = 2;
  AbortInsert() : TreeScenario(5) {
    Insert(kA, kBoxA);
    Insert(kB, kBoxB);
  }
  void Thread(int t) {
    if (t == 0) {
      const std::array<Tree::Entry, 2> entries = {{{kC, kBoxC}, {kD, kBoxD}}};
      Check(tree.Prepare(entries).has_value(), "there is a node for every subtree");
      Check(!Has(kC) && !Has(kD), "a body of a batch that was given up is in no tree");
    } else {
      Insert(kE, kBoxAway);
    }
  }
  void After() {
    Insert(kC, kBoxC);
    Query(At(-200, 200));
    CheckHistory();
    CheckPoolIsEmptyNodes();
  }
};
const Scenario<AbortInsert> abort_insert({
    .name = "abort-insert",
    .promise =
        "a batch that is given up leaves nothing behind: its nodes and bodies are free again",
    .searches = {ContextBound(1), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

}  // namespace
}  // namespace nowait
