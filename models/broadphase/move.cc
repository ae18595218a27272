// Model of src/broadphase/move.h.
//
// Promise checked: once a move has returned, a query finds the body at its new box, whichever
// threads meanwhile widen the same ancestors, insert, or put a new root above them. During the
// move, queries find the body at its old box.
#include "models/broadphase/tree_scenario.h"

namespace nowait {
namespace {

constexpr Box kFar = At(40, 41);
// Beyond kFar: widening for it is wide enough for both, and a query misses a lost one.
constexpr Box kFarther = At(50, 51);

// The lower and the upper side of a box are different atomics, so each check that goes up also goes
// down.
template <bool kUp>
constexpr Box Side(const Box& box) {
  return kUp ? box : At(-box.max[0], -box.min[0]);
}

// A and B share every ancestor: the root, a node below it, and a node below that.
//
//   root [ . , . ]          C is the other child of the middle node
//          |
//        [ . , C ]
//          |
//        [ A , B ]
template <bool kUp = true>
struct ThreeLevels : TreeScenario {
  ThreeLevels() : TreeScenario(4) {
    InsertBatch({{kA, Side<kUp>(kBoxA)}, {kB, Side<kUp>(kBoxB)}, {kC, Side<kUp>(kBoxAway)}});
  }
};

template <bool kUp>
struct MoveMove : ThreeLevels<kUp> {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) {
      this->Move(kA, Side<kUp>(kFarther));
    } else {
      this->Move(kB, Side<kUp>(kFar));
      this->Query(Side<kUp>(kFar));
    }
  }
  void After() {
    this->Query(Side<kUp>(kFarther));
    this->Query(Side<kUp>(kFar));
    this->Query(Side<kUp>(kBoxA));  // widened, not moved, until the next rebuild
    this->CheckHistory();
  }
};
const Scenario<MoveMove<true>> move_move({
    .name = "move-then-own-query",
    .promise = "a thread finds its body after its move though another widened the same ancestors",
    .searches = {ContextBound(1), Random(20'000).DeferringStores().StaleExchanges()},
});
const Scenario<MoveMove<false>> move_move_down({
    .name = "move-then-own-query/down",
    .promise = "the same when the boxes grow downwards",
    .searches = {Random(20'000).DeferringStores().StaleExchanges()},
});

// B has already moved; its holder moves it again within its slot's box, and queries.
struct MoveInside : ThreeLevels<> {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) {
      Move(kA, kFarther);
    } else {
      Move(kB, kFar);
      Move(kB, kFar);
      Query(kFar);
      Query(kBoxB);
    }
  }
  void After() { CheckHistory(); }
};
const Scenario<MoveInside> move_inside({
    .name = "move-inside-own-box",
    .promise = "a move that its slot is wide enough for has nothing left to do",
    .searches = {ContextBound(1), Random(20'000).DeferringStores().StaleExchanges()},
});

// A query meets a move: the body is found where it was.
struct MoveQuery : ThreeLevels<> {
  static constexpr int kThreads = 2;
  void Thread(int t) {
    if (t == 0) {
      Move(kA, kFar);
    } else {
      Query(kBoxA);
      Query(kBoxB);
      Query(At(60, 70));
    }
  }
  void After() {
    Query(kFar);
    CheckHistory();
  }
};
const Scenario<MoveQuery> move_query({
    .name = "move-query",
    .promise = "a query during a move finds the body where it was",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().DeepHistory()},
});

// The root is widened while a body is inserted: into its free slot, or above it when it is full.
template <bool kFullRoot>
struct MoveInsert : TreeScenario {
  static constexpr int kThreads = 2;
  MoveInsert() : TreeScenario(4) {
    InsertBatch({{kA, kBoxA}, {kB, kBoxB}});
    if constexpr (kFullRoot) Insert(kD, kBoxD);
  }
  void Thread(int t) {
    if (t == 0) {
      Move(kA, kFar);
      Query(kFar);
    } else {
      Insert(kC, kBoxC);
      Query(kBoxC);
    }
  }
  void After() {
    Query(kFar);
    Query(kBoxB);
    Query(kBoxC);
    if constexpr (kFullRoot) Query(kBoxD);
    CheckHistory();
  }
};
const Scenario<MoveInsert<false>> move_insert({
    .name = "move-insert",
    .promise = "a move and an insert into the same root are both there",
    .searches = {ContextBound(2), Random(10'000).DeferringStores().StaleExchanges()},
});
const Scenario<MoveInsert<true>> move_new_root({
    .name = "move-new-root",
    .promise = "a move is not lost to a new root that is put above it meanwhile",
    .searches = {ContextBound(1), Random(10'000).DeferringStores().StaleExchanges()},
});

}  // namespace
}  // namespace nowait
