// Model of the moment when a body, or a node, passes from one thread to another.
//
// Promise checked: a thread that is notified that a body is in the tree, or asks Has, may move the
// body at once; a subtree of reused nodes shows nothing of their former contents.
#include <utility>
#include <vector>

#include "models/broadphase/tree_scenario.h"

namespace nowait {
namespace {

constexpr Box kFar = At(40, 41);

// Thread 0 links a body, alone or in a batch, and announces it; thread 1 then moves it.
template <bool kBatch>
struct LinkThenTell : TreeScenario {
  static constexpr int kThreads = 2;
  LinkThenTell() : TreeScenario(4) { Insert(kA, kBoxA); }
  void Thread(int t) {
    if (t == 0) {
      if constexpr (kBatch) {
        InsertBatch({{kC, kBoxC}, {kD, kBoxD}});
      } else {
        Insert(kC, kBoxC);
      }
      told.store(true, std::memory_order::release);
    } else if (told.load(std::memory_order::acquire)) {
      Move(kC, kFar);
      Query(kFar);
    }
  }
  void After() { CheckHistory(); }
  ModelSync::atomic<bool> told{false};
};
const Scenario<LinkThenTell<false>> insert_then_tell({
    .name = "insert-then-tell",
    .promise = "a thread that learns that a body's insert has returned may move it",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().DeepHistory()},
});
const Scenario<LinkThenTell<true>> finalise_then_tell({
    .name = "finalise-then-tell",
    .promise = "a thread that learns that a batch's Finalise has returned may move its body",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().DeepHistory()},
});

// Thread 1 asks about a body while its batch is built, attached, and linked.
struct PrepareThenMove : TreeScenario {
  static constexpr int kThreads = 2;
  PrepareThenMove() : TreeScenario(4) { Insert(kA, kBoxA); }
  void Thread(int t) {
    if (t == 0) {
      InsertBatch({{kC, kBoxC}, {kD, kBoxD}});
    } else if (Has(kC)) {
      Move(kC, kFar);
      Query(kFar);
    }
  }
  void After() {
    Query(kBoxD);
    CheckHistory();
  }
};
const Scenario<PrepareThenMove> prepare_then_move({
    .name = "prepare-then-move",
    .promise = "a body of a batch counts as in the tree no earlier than it may be moved",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().DeepHistory()},
});

// A batch is dropped, and its nodes are reused for another batch at once. A query that meets them
// in the tree must not see the first batch's bodies, which never were there. The first batch has
// two nodes: the last node that it returns becomes the second batch's spare, and its root becomes
// the root again.
struct SecondBatch : TreeScenario {
  static constexpr int kThreads = 2;
  SecondBatch() : TreeScenario(4) {
    Insert(kA, kBoxA);
    first.push_back(Prepare({{kB, kBoxB}, {kC, kBoxC}, {kD, kBoxD}}));
  }
  void Thread(int t) {
    if (t == 0) {
      first.clear();
      InsertBatch({{kC, At(5, 6)}, {kE, kFar}});
    } else {
      Query(kBoxB);
    }
  }
  void After() {
    Query(kFar);
    Has(kB);
    Insert(kB, kBoxB);
    Query(kBoxB);
    CheckHistory();
  }

  std::vector<Batch> first;
};
const Scenario<SecondBatch> second_batch({
    .name = "second-batch",
    .promise = "a subtree in nodes that had another life shows nothing of that life",
    .searches = {ContextBound(1).DeepHistory(), Random(50'000).DeferringStores().DeepHistory()},
});

}  // namespace
}  // namespace nowait
