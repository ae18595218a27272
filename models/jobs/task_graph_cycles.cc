// Model of src/jobs/task_graph.h: of the calls that together close a cycle one is refused.
#include <cstdint>
#include <optional>

#include "models/jobs/task_graph_scenario.h"
#include "models/kit/scenario/model.h"

namespace nowait {
namespace {

using model::ContextBound;
using model::Random;
using model::Scenario;

// Two threads that run one task each.
struct TwoRunning : TwoThreads {
  TwoRunning() : TwoThreads(4) {
    for (int t = 0; t < 2; ++t) {
      running[t] = workers[t].Create(work[t]);
      workers[t].SubmitAll();
      Check(workers[t].TryStart(running[t]), "a ready task starts");
      outer[t] = workers[t].Enter(running[t]);
    }
  }
  void FinishBoth() {
    for (int t = 0; t < 2; ++t) workers[t].Finish(outer[t]);
    for (int t = 0; t < 2; ++t) workers[t].RunReady();
    Check(graph.IsComplete(running[0]) && graph.IsComplete(running[1]),
          "without a cycle every task is completed");
  }

  Work work[2];
  TaskId running[2];
  Graph::Place outer[2];
};

// Each gives its task a child that depends on the other's.
struct CrossedChildren : TwoRunning {
  CrossedChildren() {
    for (int t = 0; t < 2; ++t) {
      children[t] =
          workers[t].Create({.work = {&RunWork, &childs_work[t]}, .dependency = running[1 - t]});
    }
  }
  void Thread(int t) { added[t] = workers[t].AddChild(running[t], children[t]); }
  void After() {
    Check(!added[0] || !added[1], "of two children that close a cycle one is refused");
    FinishBoth();
    Check(childs_work[0].mark.get() == 1 && childs_work[1].mark.get() == 1, kOnce);
  }

  Work childs_work[2];
  TaskId children[2];
  bool added[2] = {};
};
const Scenario<CrossedChildren> crossed_children({
    .name = "crossed_children",
    .promise = "of two threads that would close a cycle with children one is refused",
    .searches = {ContextBound(2), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Each waits for a task of its own that depends on the other thread's.
struct CrossedWaits : TwoRunning {
  CrossedWaits() {
    for (int t = 0; t < 2; ++t) later[t] = workers[t].Create({.dependency = running[1 - t]});
  }
  void Thread(int t) {
    waits[t] = workers[t].BeginWait(later[t]);
    if (!waits[t]) {
      Check(!workers[t].IsNeeded(running[t], later[t]), "a refused wait leaves nothing behind");
    }
  }
  void After() {
    Check(!waits[0] || !waits[1], "of two waits that close a cycle one is refused");
    FinishBoth();
    Check(graph.IsComplete(later[0]) && graph.IsComplete(later[1]), "every wait would have ended");
  }

  TaskId later[2];
  bool waits[2] = {};
};
const Scenario<CrossedWaits> crossed_waits({
    .name = "crossed_waits",
    .promise = "of two threads that would close a cycle by waiting one is refused",
    .searches = {ContextBound(2), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// One thread waits, the other adds a child: a cycle of two kinds of edges.
struct WaitAndChild : TwoRunning {
  WaitAndChild() { later = workers[0].Create({.dependency = running[1]}); }
  void Thread(int t) {
    if (t == 0) {
      done[0] = workers[0].BeginWait(later);
    } else {
      done[1] = workers[1].TryCreate({.parent = running[1], .dependency = running[0]}).has_value();
    }
  }
  void After() {
    Check(!done[0] || !done[1], "of a wait and a child that close a cycle one is refused");
    if (done[0]) workers[0].EndWait();
    FinishBoth();
  }

  TaskId later;
  bool done[2] = {};
};
const Scenario<WaitAndChild> wait_and_child({
    .name = "wait_and_child",
    .promise = "of a wait and a child that would close a cycle one is refused",
    .searches = {ContextBound(2), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// A running task waits for a task of its own, which needs nothing yet. Another thread gives that
// task a need that depends on the waiting task. The wait's upward search then has nowhere to begin
// (NeedsNothing in task_waits.h).
struct WaitForOwn : TwoThreads {
  WaitForOwn() : TwoThreads(4) {
    waiting = workers[0].Create(waiting_work);
    workers[0].SubmitAll();
    Check(workers[0].TryStart(waiting), "a ready task starts");
    outer = workers[0].Enter(waiting);
    own = workers[0].Create(own_work);
    workers[0].SubmitAll();
  }
  void Wait() { waits = workers[0].BeginWait(own); }
  // closed: whether the other thread's half of the cycle was accepted.
  void CheckOneRefused(bool closed) {
    Check(!waits || !closed, "of a wait and an edge that makes it wait for itself one is refused");
  }
  void End() {
    workers[0].RunReady();
    if (waits) Check(graph.IsComplete(own), "a wait that was accepted ends");
    workers[0].EndWait();
    workers[0].Finish(outer);
    for (Worker& worker : workers) worker.RunReady();
  }
  void CheckComplete() {
    Check(graph.IsComplete(waiting) && graph.IsComplete(own),
          "without a cycle every task is completed");
  }

  Work waiting_work, own_work;
  TaskId waiting, own;
  Graph::Place outer;
  bool waits = false;
};

struct OwnGetsChild : WaitForOwn {
  void Thread(int t) {
    if (t == 0) {
      Wait();
    } else {
      added = workers[1].TryCreate({.parent = own, .dependency = waiting}).has_value();
    }
  }
  void After() {
    CheckOneRefused(added);
    workers[1].SubmitAll();
    End();
    CheckComplete();
  }

  bool added = false;
};
const Scenario<OwnGetsChild> own_gets_child({
    .name = "own_gets_child",
    .promise = "a wait for a task without needs is refused, or a child of it that needs the "
               "waiting task is",
    .searches = {ContextBound(2), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// The work of that task has begun on the other thread; it ends, and leaves such a child: there is
// one item again.
struct OwnLeavesChild : WaitForOwn {
  OwnLeavesChild() {
    Check(workers[1].TryStart(own), "a ready task starts");
    outer_of_own = workers[1].Enter(own);
  }
  void Thread(int t) {
    if (t == 0) {
      Wait();
    } else {
      added = workers[1].TryCreate({.parent = own, .dependency = waiting}).has_value();
      workers[1].Finish(outer_of_own);
    }
  }
  void After() {
    CheckOneRefused(added);
    End();
    CheckComplete();
  }

  Graph::Place outer_of_own;
  bool added = false;
};
const Scenario<OwnLeavesChild> own_leaves_child({
    .name = "own_leaves_child",
    .promise = "the same if the task has begun, and ends with such a child",
    .searches = {ContextBound(2), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// The work of that task begins on the other thread, and waits for a task that depends on the
// waiting one.
struct OwnWaits : WaitForOwn {
  void Thread(int t) {
    if (t == 0) {
      Wait();
    } else {
      started = workers[1].TryStart(own);
      if (!started) return;
      outer_of_own = workers[1].Enter(own);
      own_waits = workers[1].BeginWait(workers[1].Create({.dependency = waiting}));
    }
  }
  void After() {
    CheckOneRefused(own_waits);
    if (started && !own_waits) FinishOwn();
    End();
    if (own_waits) FinishOwn();
    CheckComplete();
  }
  void FinishOwn() {
    workers[1].EndWait();
    workers[1].SubmitAll();
    workers[1].Finish(outer_of_own);
  }

  Graph::Place outer_of_own;
  bool started = false;
  bool own_waits = false;
};
const Scenario<OwnWaits> own_waits({
    .name = "own_waits",
    .promise =
        "of two waits one is refused, if the awaited task begins meanwhile and waits for the other",
    .searches = {ContextBound(2), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// A child that depends on its parent is refused while the parent completes.
struct RefusedChild : TwoThreads {
  RefusedChild() : TwoThreads(3) {
    parent = workers[0].Create(work);
    workers[0].SubmitAll();
    child = workers[1].Create({.work = {&RunWork, &childs_work}, .dependency = parent});
    childs_work.before[0] = &work;
  }
  void Thread(int t) {
    if (t == 1) {
      Check(!workers[1].AddChild(parent, child), "a task does not wait for its own child");
      workers[1].SubmitAll();
    }
    workers[t].RunReady();
  }
  void After() {
    Check(graph.IsComplete(parent) && graph.IsComplete(child), "a refusal leaves nothing behind");
    Check(work.mark.get() == 1 && childs_work.mark.get() == 1, kOnce);
    CheckSlots(*this);
  }

  Work work, childs_work;
  TaskId parent, child;
};
const Scenario<RefusedChild> refused_child({
    .name = "refused_child",
    .promise = "a parent is complete once if a refused child is taken off again",
    .searches = {ContextBound(2), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// One thread adds a child that it made before; the other makes a child meanwhile.
struct CrossedCreation : TwoRunning {
  CrossedCreation() { child = workers[0].Create({.dependency = running[1]}); }
  void Thread(int t) {
    if (t == 0) {
      added[0] = workers[0].AddChild(running[0], child);
    } else {
      added[1] = workers[1].TryCreate({.parent = running[1], .dependency = running[0]}).has_value();
    }
  }
  void After() {
    Check(!added[0] || !added[1], "of two children that close a cycle one is refused");
    FinishBoth();
  }

  TaskId child;
  bool added[2] = {};
};
const Scenario<CrossedCreation> crossed_creation({
    .name = "crossed_creation",
    .promise =
        "a thread that registers and adds a child sees one that adds a child meanwhile, or is seen",
    .searches = {ContextBound(2), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// A wait that ends before the awaited task is complete; after it there is no cycle.
struct WaitEnded : TwoRunning {
  WaitEnded() { later = workers[0].Create({.dependency = running[1]}); }
  void Thread(int t) {
    if (t == 0) {
      if (!workers[0].BeginWait(later)) return;
      workers[0].EndWait();
      Check(!workers[0].IsNeeded(running[0], later), "a wait that is over leaves nothing behind");
    } else {
      workers[1].IsNeeded(running[0], running[1]);
    }
  }
  void After() { FinishBoth(); }

  TaskId later;
};
const Scenario<WaitEnded> wait_ended({
    .name = "wait_ended",
    .promise = "a task that is no longer waited for is no longer needed",
    .searches = {ContextBound(2), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

}  // namespace
}  // namespace nowait
