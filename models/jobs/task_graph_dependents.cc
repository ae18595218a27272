// Model of src/jobs/task_graph.h: tasks that depend on others are released once, and after them.
#include <cstdint>
#include <optional>

#include "models/jobs/task_graph_scenario.h"
#include "models/kit/scenario/model.h"

namespace nowait {
namespace {

using model::ContextBound;
using model::Random;
using model::Scenario;

constexpr const char* kNeedsSuccess = "a task that needs success is not run after a failure";

// Thread 1 makes a task that depends on the task of thread 0. Thread 0 then makes another task, in
// the slot of the first if that is free again.
struct DependsOnGone : TwoThreads {
  DependsOnGone() {
    first_task = workers[0].Create(first);
    second.before[0] = &first;
    workers[0].SubmitAll();
  }
  void Thread(int t) {
    if (t == 0) {
      workers[0].RunReady();
      workers[0].Create(third);
      workers[0].SubmitAll();
    } else {
      const TaskId task = workers[1].Create(second);
      workers[1].DependsOn(task, first_task);
      workers[1].SubmitAll();
    }
    workers[t].RunReady();
  }
  void After() {
    Check(first.mark.get() == 1 && second.mark.get() == 1 && third.mark.get() == 1, kOnce);
    CheckSlots(*this);
  }

  Work first, second, third;
  TaskId first_task;
};
const Scenario<DependsOnGone> depends_on_gone({
    .name = "depends_on_gone",
    .promise = "a dependency is met if it completes meanwhile and its slot goes on to another task",
    .searches = {ContextBound(2), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Thread 0 submits an empty task with a child, and two tasks in a row that depend on the child. A
// task of thread 1 depends on the empty one or on the first of the row, if that has been submitted.
template <bool kOnEmpty>
struct RowSubmitted : TwoThreads {
  RowSubmitted() : TwoThreads(4) {
    empty = workers[0].Create(TaskDef{});
    const TaskId child = workers[0].Create({.work = {&RunWork, &work[0]}, .parent = empty});
    first = workers[0].Create(work[1]);
    workers[0].DependsOn(first, child);
    const TaskId second = workers[0].Create(work[2]);
    workers[0].DependsOn(second, first);
    for (int i = 0; i < 2; ++i) work[i + 1].before[0] = &work[i];
    other = workers[1].Create(last);
  }
  void Thread(int t) {
    if (t == 1 && workers[1].TryDependsOn(other, kOnEmpty ? empty : first)) {
      last.before[0] = &work[kOnEmpty ? 0 : 1];
    }
    workers[t].SubmitAll();
    workers[t].RunReady();
  }
  void After() {
    for (const Work& done : work) Check(done.mark.get() == 1, kOnce);
    Check(last.mark.get() == 1, kOnce);
    CheckSlots(*this);
  }

  Work last, work[3];
  TaskId empty, first, other;
};
const Scenario<RowSubmitted<true>> empty_submitted({
    .name = "empty_submitted",
    .promise = "a task that depends on one which is just submitted is released",
    .searches = {ContextBound(2), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<RowSubmitted<false>> row_submitted({
    .name = "row_submitted",
    .promise = "the same for one in a row of tasks, and the row is run in order",
    .searches = {ContextBound(2), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Two threads make a task each that depends on a third.
struct TwoDependents : TwoThreads {
  TwoDependents() : TwoThreads(3) {
    first = workers[0].Create({.kind = TaskKind::kExternal});
    workers[0].SubmitAll();
    workers[0].TakeReady();
  }
  void Thread(int t) {
    workers[t].Create({.work = {&RunWork, &work[t]}, .dependency = first});
    workers[t].SubmitAll();
  }
  void After() {
    workers[0].CompleteExternal(first);
    workers[0].RunReady();
    Check(work[0].mark.get() == 1 && work[1].mark.get() == 1, kOnce);
    CheckSlots(*this);
  }

  Work work[2];
  TaskId first;
};
const Scenario<TwoDependents> two_dependents({
    .name = "two_dependents",
    .promise = "tasks that depend on the same one are all released",
    .searches = {ContextBound(2), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// A completed task releases two. Another thread runs the first of them at once; in its slot it
// makes a task that depends on a different one.
struct ReleasedAndGone : TwoThreads {
  ReleasedAndGone() : TwoThreads(4) {
    first = workers[0].Create({.kind = TaskKind::kExternal});
    workers[0].Create({.work = {&RunWork, &work[0]}, .dependency = first});
    released_first = workers[0].Create({.work = {&RunWork, &work[1]}, .dependency = first});
    other = workers[0].Create({.kind = TaskKind::kExternal});
    workers[0].SubmitAll();
    workers[0].TakeReady();
  }
  void Thread(int t) {
    if (t == 0) {
      workers[0].CompleteExternal(first);
      workers[0].RunReady();
    } else if (workers[1].TryStart(released_first)) {
      workers[1].Run(released_first);
      workers[1].Create({.work = {&RunWork, &work[2]}, .dependency = other});
      workers[1].SubmitAll();
    }
  }
  void After() { Check(work[0].mark.get() == 1 && work[1].mark.get() == 1, kOnce); }

  Work work[3];
  TaskId first, released_first, other;
};
const Scenario<ReleasedAndGone> released_and_gone({
    .name = "released_and_gone",
    .promise = "a released task that is already gone does not take the others along",
    .searches = {ContextBound(2), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Empty dependents are completed one after the other, by the thread that releases them.
struct TwoEmpty : TwoThreads {
  TwoEmpty() : TwoThreads(4) {
    first = workers[0].Create({.kind = TaskKind::kExternal});
    for (TaskId& task : empty) task = workers[0].Create({.dependency = first});
    workers[0].SubmitAll();
    workers[0].TakeReady();
  }
  void Thread(int t) {
    if (t == 0) {
      workers[0].CompleteExternal(first);
      Check(graph.IsComplete(empty[0]) && graph.IsComplete(empty[1]),
            "empty tasks complete with their dependency");
    } else {
      workers[1].IsNeeded(empty[0], first);
    }
  }
  void After() { CheckSlots(*this); }

  TaskId first, empty[2];
};
const Scenario<TwoEmpty> two_empty({
    .name = "two_empty",
    .promise = "all empty tasks that are released are completed",
    .searches = {ContextBound(2), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// One dependent registers behind another while both are released.
struct RegisteredMeanwhile : TwoThreads {
  RegisteredMeanwhile() : TwoThreads(3) {
    first = workers[0].Create({.kind = TaskKind::kExternal});
    workers[0].Create({.work = {&RunWork, &work[0]}, .dependency = first});
    workers[0].SubmitAll();
    workers[0].TakeReady();
  }
  void Thread(int t) {
    if (t == 0) {
      workers[0].CompleteExternal(first);
    } else {
      workers[1].Create({.work = {&RunWork, &work[1]}, .dependency = first});
      workers[1].SubmitAll();
    }
    workers[t].RunReady();
  }
  void After() {
    // A task that has been released meanwhile becomes ready on the thread that submits it, not on
    // the thread that released it.
    for (Worker& worker : workers) worker.RunReady();
    Check(work[0].mark.get() == 1 && work[1].mark.get() == 1, kOnce);
    CheckSlots(*this);
  }

  Work work[2];
  TaskId first;
};
const Scenario<RegisteredMeanwhile> registered_meanwhile({
    .name = "registered_meanwhile",
    .promise = "a registration while the others are released takes none of them away",
    .searches = {ContextBound(2), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// A task is cancelled while its dependency completes: its dependent is released once.
struct CancelMeanwhile : TwoThreads {
  CancelMeanwhile() : TwoThreads(3) {
    const TaskId first_task = workers[0].Create(first);
    middle = workers[0].Create({.work = {&RunWork, &cancelled}, .dependency = first_task});
    workers[0].Create({.work = {&RunWork, &last}, .dependency = middle});
    last.before[0] = &first;
    workers[0].SubmitAll();
  }
  void Thread(int t) {
    if (t == 1) did = workers[1].Cancel(middle);
    workers[t].RunReady();
  }
  void After() {
    Check(cancelled.mark.get() == (did ? 0 : 1), "a task is run or cancelled");
    Check(first.mark.get() == 1 && last.mark.get() == 1, kOnce);
  }

  Work first, cancelled, last;
  TaskId middle;
  bool did = false;
};
const Scenario<CancelMeanwhile> cancel_meanwhile({
    .name = "cancel_meanwhile",
    .promise = "a cancelled task keeps its place in the order",
    .searches = {ContextBound(2), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Thread 0 runs a task of a group, which fails; thread 1 runs the other one. A task needs the
// group's success, another one that task's; a third one does not.
struct FailedGroup : TwoThreads {
  FailedGroup() : TwoThreads(5) {
    const TaskId group = workers[0].Create(TaskDef{});
    for (int i = 0; i < 2; ++i) {
      children[i] = workers[0].Create({.work = {&RunWork, &work[i]}, .parent = group});
    }
    const TaskId needs = workers[0].Create(
        {.work = {&RunWork, &never[0]}, .dependency = group, .needs_success = true});
    workers[0].Create({.work = {&RunWork, &never[1]}, .dependency = needs, .needs_success = true});
    workers[0].Create({.work = {&RunWork, &always}, .dependency = needs});
    for (int i = 0; i < 2; ++i) always.before[i] = &work[i];
    workers[0].SubmitAll();
    workers[0].ForgetReady();
  }
  void Thread(int t) {
    if (!workers[t].TryStart(children[t])) return;
    workers[t].RunAndKeep(children[t], t == 0);
    workers[t].Settle();
    workers[t].RunReady();
  }
  void After() {
    Check(never[0].mark.get() == 0 && never[1].mark.get() == 0, kNeedsSuccess);
    Check(work[0].mark.get() == 1 && work[1].mark.get() == 1 && always.mark.get() == 1, kOnce);
    // In each slot of a store, and in the others.
    for (Worker& worker : workers) {
      Work later[2];
      TaskId last;
      for (Work& one : later) {
        last = worker.Create({.work = {&RunWork, &one}, .dependency = last, .needs_success = true});
      }
      worker.SubmitAll();
      worker.RunReady();
      Check(later[0].mark.get() == 1 && later[1].mark.get() == 1,
            "a failure stays out of the next task in the slot");
    }
    CheckSlots(*this);
  }

  Work work[2], never[2], always;
  TaskId children[2];
};
const Scenario<FailedGroup> failed_group({
    .name = "failed_group",
    .promise = "the failure of a child reaches the tasks that need the success of its group",
    .searches = {ContextBound(2), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// The work of a task fails on thread 0, while thread 1 runs the task's child. The later of the two
// completes the task.
struct FailedBesideChild : TwoThreads {
  FailedBesideChild() : TwoThreads(2) {
    tasks[0] = workers[0].Create(work[0]);
    tasks[1] = workers[0].Create({.work = {&RunWork, &work[1]}, .parent = tasks[0]});
    workers[0].Create({.work = {&RunWork, &never}, .dependency = tasks[0], .needs_success = true});
    workers[0].SubmitAll();
    workers[0].ForgetReady();
  }
  void Thread(int t) {
    if (!workers[t].TryStart(tasks[t])) return;
    workers[t].RunAndKeep(tasks[t], t == 0);
    workers[t].Settle();
    workers[t].RunReady();
  }
  void After() {
    Check(never.mark.get() == 0, kNeedsSuccess);
    Check(work[0].mark.get() == 1 && work[1].mark.get() == 1, kOnce);
    CheckSlots(*this);
  }

  Work work[2], never;
  TaskId tasks[2];
};
const Scenario<FailedBesideChild> failed_beside_child({
    .name = "failed_beside_child",
    .promise = "the thread that completes a task knows of its failure on another thread",
    .searches = {ContextBound(2), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

}  // namespace
}  // namespace nowait
