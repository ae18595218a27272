// Model of src/broadphase/refit.h.
//
// Promise checked: a query that meets a refit finds every body that stays, at its last place, and
// reports no body with a box that the refit stored for the next owner of its slot. A body that
// moves after the refit is found. A climb that ends at an old root ends below a slot that is still
// everywhere.
#include "models/broadphase/tree_scenario.h"

namespace nowait {
namespace {

constexpr Box kFar = At(40, 41);

// A, in the deepest of three levels, goes far away and comes to rest near its first place. Every
// box above it is far too wide, and shrinks on both sides while it is read.
struct RefitQuery : TreeScenario {
  static constexpr int kThreads = 2;
  RefitQuery() : TreeScenario(4) {
    InsertBatch({{kA, kBoxA}, {kB, kBoxB}, {kC, kBoxAway}});
    Move(kA, At(-200, 200));
    Move(kA, At(2, 3));
  }
  void Thread(int t) {
    if (t == 0) {
      Refit();
      Query(kFar);
      Move(kA, kFar);
      Query(kFar);
    } else {
      Query(At(2, 3));
      Query(kBoxB);
    }
  }
  void After() {
    Query(At(2, 3));
    Query(kFar);
    Query(At(60, 70));
    Query(kBoxAway);
    CheckHistory();
  }
};
const Scenario<RefitQuery> refit_query({
    .name = "refit/query",
    .promise =
        "a query that meets a refit finds the bodies that stay, and a body that moves afterwards",
    .searches = {Random(10'000).DeferringStores().DeepHistory()},
});

// C has A's slot and has moved about. The refit stores both sides of its box anew, so no thread
// reads them from C's insert any more. A query that took the slot for A's must notice nevertheless.
// If C rests above A's place, the box that must not be formed has A's min and the refit's max; if
// below, the reverse.
template <bool kUp>
struct SlotReuse : TreeScenario {
  static constexpr int kThreads = 2;
  static constexpr Box kOld = kUp ? kBoxA : At(60, 61);
  static constexpr Box kRest = At(30, 31);
  SlotReuse() : TreeScenario(5) {
    Insert(kA, kOld);
    Insert(kB, kBoxB);
  }
  void Thread(int t) {
    if (t == 0) {
      Remove(kA);
      Insert(kC, kBoxC);
      Move(kC, At(15, 50));
      Move(kC, kRest);
      Refit();
    } else {
      Query(kRest);
    }
  }
  void After() {
    Query(kOld);
    Query(kBoxB);
    Query(kBoxC);
    Query(kRest);
    CheckHistory();
  }
};
const Scenario<SlotReuse<true>> slot_reuse({
    .name = "refit/slot-reuse",
    .promise = "a refit does not hide that a slot has changed hands",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().DeepHistory()},
});
const Scenario<SlotReuse<false>> slot_reuse_down({
    .name = "refit/slot-reuse-down",
    .promise = "the same when the new owner rests below the old one",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().DeepHistory()},
});

// A batch has put a root above the one that holds A and B: the old root does not know its
// parent.
struct OldRoot : TreeScenario {
  static constexpr int kThreads = 2;
  OldRoot() : TreeScenario(6) {
    InsertBatch({{kA, kBoxA}, {kB, kBoxB}});
    InsertBatch({{kC, kBoxC}});
    InsertBatch({{kD, kBoxD}});
  }
  void Thread(int t) {
    if (t == 0) {
      Refit();
      Move(kA, kFar);
      Query(kFar);
    } else {
      Query(kBoxA);
      Query(kBoxD);
    }
  }
  void After() {
    Query(kFar);
    Query(kBoxB);
    Rebuild();
    Query(kBoxA);
    Query(kFar);
    CheckHistory();
  }
};
const Scenario<OldRoot> old_root({
    .name = "refit/old-root",
    .promise =
        "a body below a root that does not know its parent is found at its new place after a refit",
    .searches = {ContextBound(1), Random(10'000).DeferringStores().DeepHistory()},
});

}  // namespace
}  // namespace nowait
