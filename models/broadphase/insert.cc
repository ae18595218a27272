// Model of src/broadphase/insert.h, with concurrent widening and queries.
//
// Promise checked: every query that follows finds an inserted body or a finalised batch, whatever
// else is inserted, moved or queried concurrently. A body may be moved as soon as Has returns true.
// No thread writes to a node that was returned.
#include "models/broadphase/tree_scenario.h"

namespace nowait {
namespace {

// Two threads insert at once; each then queries its own body. The root already contains kBefore
// bodies.
template <int kBefore>
struct InsertInsert : TreeScenario {
  static constexpr int kThreads = 2;
  InsertInsert() : TreeScenario(5) {
    if constexpr (kBefore > 0) Insert(kA, kBoxA);
    if constexpr (kBefore > 1) Insert(kB, kBoxB);
  }
  void Thread(int t) {
    const ProxyId body = t == 0 ? kC : kD;
    const Box box = t == 0 ? kBoxC : kBoxD;
    Insert(body, box);
    Query(box);
  }
  void After() {
    if constexpr (kBefore > 0) Query(kBoxA);
    if constexpr (kBefore > 1) Query(kBoxB);
    Query(kBoxC);
    Query(kBoxD);
    CheckHistory();
    CheckPoolIsEmptyNodes();
  }
};
const Scenario<InsertInsert<0>> insert_insert_2({
    .name = "insert-insert/case-2",
    .promise = "two bodies inserted into two free slots of the root are both there",
    .searches = {ContextBound(1), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<InsertInsert<2>> insert_insert_1({
    .name = "insert-insert/case-1",
    .promise = "two bodies that start staging trees above a full root are there, and so are the "
               "earlier ones",
    .searches = {ContextBound(1), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<InsertInsert<1>> insert_insert_both({
    .name = "insert-insert/both",
    .promise =
        "of two bodies one takes the last free slot and one starts a staging tree; both are there",
    .searches = {ContextBound(1), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// A query meets an insert. The earlier bodies are found throughout, and the newcomer from the
// moment when Has reports it.
template <int kBefore>
struct InsertQuery : TreeScenario {
  static constexpr int kThreads = 2;
  InsertQuery() : TreeScenario(3) {
    Insert(kA, kBoxA);
    if constexpr (kBefore > 1) Insert(kB, kBoxB);
  }
  void Thread(int t) {
    if (t == 0) {
      Insert(kC, kBoxC);
    } else {
      Has(kC);
      Query(kBoxA);
      Query(kBoxB);
      Query(kBoxC);
    }
  }
  void After() { CheckHistory(); }
};
const Scenario<InsertQuery<1>> insert_query_2({
    .name = "insert-query/case-2",
    .promise = "a query during an insert into a free slot finds the earlier bodies",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().DeepHistory()},
});
const Scenario<InsertQuery<2>> insert_query_1({
    .name = "insert-query/case-1",
    .promise = "a query during an insert above a full root finds the earlier bodies",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().DeepHistory()},
});

// A thread moves a body as soon as the body is there.
template <int kBefore>
struct InsertThenMove : TreeScenario {
  static constexpr int kThreads = 2;
  static constexpr Box kFar = At(40, 41);
  InsertThenMove() : TreeScenario(3) {
    Insert(kA, kBoxA);
    if constexpr (kBefore > 1) Insert(kB, kBoxB);
  }
  void Thread(int t) {
    if (t == 0) {
      Insert(kC, kBoxC);
    } else if (Has(kC)) {
      Move(kC, kFar);
      Query(kFar);
    }
  }
  void After() {
    Query(kBoxC);
    Query(kFar);
    CheckHistory();
  }
};
const Scenario<InsertThenMove<1>> insert_move_2({
    .name = "insert-then-move/case-2",
    .promise = "a body that is moved the moment it is there is found where it moved",
    .searches = {ContextBound(3), Random(20'000).DeferringStores().DeepHistory()},
});
const Scenario<InsertThenMove<2>> insert_move_1({
    .name = "insert-then-move/case-1",
    .promise = "a body that is moved the moment its new root is there is found where it moved",
    .searches = {ContextBound(3), Random(20'000).DeferringStores().DeepHistory()},
});

// The same for a body of a batch.
struct FinaliseThenMove : TreeScenario {
  static constexpr int kThreads = 2;
  static constexpr Box kFar = At(40, 41);
  FinaliseThenMove() : TreeScenario(4) {
    Insert(kA, kBoxA);
    batch.push_back(Prepare({{kC, kBoxC}, {kD, kBoxD}}));
  }
  void Thread(int t) {
    if (t == 0) {
      Finalise(std::move(batch[0]));
      Query(kBoxD);
    } else if (Has(kC)) {
      Move(kC, kFar);
      Query(kFar);
    }
  }
  void After() {
    Query(kBoxC);
    Query(kBoxD);
    CheckHistory();
  }
  std::vector<Batch> batch;
};
const Scenario<FinaliseThenMove> finalise_move({
    .name = "finalise-then-move",
    .promise = "a body of a batch that is moved the moment it is there is found where it moved",
    .searches = {ContextBound(2), Random(20'000).DeferringStores().DeepHistory()},
});

// A new root that failed returns to the pool while other threads climb. A batch of one body is
// linked at the root itself: D leaves a slot there.
struct FailedNewRoot : TreeScenario {
  static constexpr int kThreads = 2;
  static constexpr Box kFar = At(40, 41);
  FailedNewRoot() : TreeScenario(5) {
    Insert(kA, kBoxA);
    Insert(kB, kBoxB);
  }
  void Thread(int t) {
    if (t == 0) {
      InsertBatch({{kC, kBoxC}});
    } else {
      InsertBatch({{kD, kBoxD}});
      Remove(kD);
      Move(kA, kFar);
      Query(kFar);
    }
  }
  void After() {
    Query(kFar);
    Query(kBoxC);
    Query(kBoxD);
    CheckHistory();
    CheckPoolIsEmptyNodes();
  }
};
const Scenario<FailedNewRoot> failed_new_root({
    .name = "failed-new-root",
    .promise = "a new root that lost against another one is forgotten by all when it goes back",
    .searches = {ContextBound(1), ContextBound(2).AtMost(40'000), Random(20'000).DeferringStores()},
});

}  // namespace
}  // namespace nowait
