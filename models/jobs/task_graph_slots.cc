// Model of src/jobs/task_graph.h: walks along slots that go on to other tasks meet no
// stranger.
#include <cstdint>
#include <optional>

#include "models/jobs/task_graph_scenario.h"
#include "models/kit/scenario/model.h"

namespace nowait {
namespace {

using model::ContextBound;
using model::Random;
using model::Scenario;

// A walk meets a slot whose next task leads to strangers. Thread 0 completes a task and makes the
// next one in its slot, or in its child's or dependent's; thread 1 walks by the first task's id.
struct Recycled : TwoThreads {
  Recycled() : TwoThreads(4) {
    top = workers[0].Create({.kind = TaskKind::kExternal});
    workers[0].SubmitAll();
    workers[0].TakeReady();
    stranger = workers[0].Create(work);
  }
  void LookForHelp() {
    Check(!workers[1].FindHelp(top), "help is found only among the needed tasks");
  }

  Work work;
  TaskId top, stranger;
};

// The next task depends on the stranger.
struct NextDepends : Recycled {
  void Thread(int t) {
    if (t == 1) return LookForHelp();
    workers[0].CompleteExternal(top);
    workers[0].Create({.dependency = stranger});
    workers[0].SubmitAll();
  }
};
const Scenario<NextDepends> next_depends({
    .name = "next_depends",
    .promise = "a later task's dependency is not taken for this one's",
    .searches = {ContextBound(2), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// The next task has the stranger as a child.
struct NextHasChild : Recycled {
  void Thread(int t) {
    if (t == 1) return LookForHelp();
    workers[0].CompleteExternal(top);
    const TaskId next = workers[0].Create(TaskDef{});
    workers[0].AddChild(next, stranger);
    workers[0].SubmitAll();
  }
};
const Scenario<NextHasChild> next_has_child({
    .name = "next_has_child",
    .promise = "a later task's child is not taken for this one's",
    .searches = {ContextBound(2), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// The child's slot goes to a child of another task; the stranger follows that one.
struct NextSibling : Recycled {
  NextSibling() {
    other = workers[0].Create({.kind = TaskKind::kExternal});
    const TaskId child = workers[0].Create(TaskDef{});
    workers[0].AddChild(top, child);
    workers[0].AddChild(other, stranger);
    workers[0].Submit(child);
  }
  void Thread(int t) {
    if (t == 1) return LookForHelp();
    workers[0].CompleteExternal(top);
    workers[0].Create(TaskDef{});
    const TaskId next = workers[0].Create({.kind = TaskKind::kExternal});
    workers[0].AddChild(other, next);
    workers[0].SubmitAll();
  }

  TaskId other;
};
const Scenario<NextSibling> next_sibling({
    .name = "next_sibling",
    .promise = "a task that follows a child's successor is not taken for another child",
    .searches = {ContextBound(2), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// The same where the other task is held, too, and no thread but its holder can have come to it.
struct NextPrivateSibling : TwoThreads {
  NextPrivateSibling() : TwoThreads(4) {
    top = workers[0].Create({.kind = TaskKind::kExternal});
    workers[0].Create({.parent = top});
    workers[0].SubmitAll();
    workers[0].TakeReady();
    other = workers[0].Create({.kind = TaskKind::kExternal});
    workers[0].Create({.work = {&RunWork, &work}, .parent = other});
  }
  void Thread(int t) {
    if (t == 1) {
      Check(!workers[1].FindHelp(top), "help is found only among the needed tasks");
      return;
    }
    workers[0].CompleteExternal(top);
    for (int i = 0; i < 2; ++i) workers[0].Create({.parent = other, .kind = TaskKind::kExternal});
    workers[0].SubmitAll();
  }

  Work work;
  TaskId top, other;
};
const Scenario<NextPrivateSibling> next_private_sibling({
    .name = "next_private_sibling",
    .promise = "nor a task that follows it among the children of a held task",
    .searches = {ContextBound(2), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// A child is complete, and its parent is not: the slot is not given to another task yet.
struct ChildGone : Recycled {
  ChildGone() {
    child = workers[0].Create(TaskDef{});
    workers[0].AddChild(top, child);
  }
  void Thread(int t) {
    if (t == 1) return LookForHelp();
    workers[0].Submit(child);
    workers[0].Create(next);
    workers[0].SubmitAll();
  }

  Work next;
  TaskId child;
};
const Scenario<ChildGone> child_gone({
    .name = "child_gone",
    .promise = "a completed child's slot is kept until its parent is complete",
    .searches = {ContextBound(2), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Upward: the next task is the stranger's child, with and without a need of its own.
template <bool kNeeds>
struct NextHasParent : Recycled {
  void Thread(int t) {
    if (t == 1) {
      Check(!workers[1].IsNeeded(stranger, top), "a task is not needed by a later one's parent");
      return;
    }
    workers[0].CompleteExternal(top);
    const TaskId next = workers[0].Create({.kind = TaskKind::kExternal});
    if (kNeeds) workers[0].AddChild(next, workers[0].Create(TaskDef{}));
    workers[0].AddChild(stranger, next);
    workers[0].SubmitAll();
  }
};
const Scenario<NextHasParent<false>> next_has_parent({
    .name = "next_has_parent",
    .promise = "a later task's parent is not taken for this one's",
    .searches = {ContextBound(2), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<NextHasParent<true>> next_has_both({
    .name = "next_has_both",
    .promise =
        "a later task's parent is not taken for this one's, also if an upward search began there",
    .searches = {ContextBound(2), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Upward: the slot of a dependent goes to a dependent of another task, before the stranger.
struct NextDependent : Recycled {
  NextDependent() {
    other = workers[0].Create({.kind = TaskKind::kExternal});
    workers[0].Create({.dependency = top});
    workers[0].DependsOn(stranger, other);
    workers[0].SubmitAll();
    workers[0].TakeReady();
  }
  void Thread(int t) {
    if (t == 1) {
      Check(!workers[1].IsNeeded(stranger, top), "a task is not needed by a task in another list");
      return;
    }
    workers[0].CompleteExternal(top);
    workers[0].Create({.dependency = other});
    workers[0].SubmitAll();
  }

  TaskId other;
};
const Scenario<NextDependent> next_dependent({
    .name = "next_dependent",
    .promise = "a task that follows a dependent's successor is not taken for another dependent",
    .searches = {ContextBound(2), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// The slot of a new child has been a child's before: the old successor does not follow the new
// child.
struct LinkedBefore : TwoThreads {
  LinkedBefore() : TwoThreads(4) {
    const TaskId other = workers[0].Create({.kind = TaskKind::kExternal});
    for (int i = 0; i < 2; ++i) workers[0].Create({.parent = other});
    workers[0].SubmitAll();
    workers[0].TakeReady();
    top = workers[0].Create({.kind = TaskKind::kExternal});
    workers[0].Submit(top);
    workers[0].TakeReady();
    workers[0].CompleteExternal(other);
    workers[0].Create(TaskDef{});
    stranger = workers[0].Create(work);
    workers[0].Submit(stranger);
    child = workers[0].Create({.work = {&RunWork, &childs_work}});
  }
  void Thread(int t) {
    if (t == 0) {
      workers[0].AddChild(top, child);
      workers[0].SubmitAll();
    } else if (const auto found = workers[1].FindHelp(top)) {
      Check(*found == child, "help is found only among the needed tasks");
    }
  }

  Work work, childs_work;
  TaskId top, stranger, child;
};
const Scenario<LinkedBefore> linked_before({
    .name = "linked_before",
    .promise = "a child is linked only when its successor is known",
    .searches = {ContextBound(2), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// A refused child does not point to the next task in its parent's slot.
struct RefusedAndGone : TwoThreads {
  RefusedAndGone() : TwoThreads(3) {
    parent = workers[0].Create({.kind = TaskKind::kExternal});
    workers[0].SubmitAll();
    workers[0].TakeReady();
    child = workers[1].Create({.dependency = parent});
  }
  void Thread(int t) {
    if (t == 1) {
      workers[1].AddChild(parent, child);
      return;
    }
    workers[0].CompleteExternal(parent);
    if (!graph.IsComplete(parent)) return;
    const TaskId next = workers[0].Create(TaskDef{});
    Check(!workers[0].IsNeeded(next, child), "no task has a refused child");
  }
  void After() {
    for (Worker& worker : workers) worker.SubmitAll();
    Check(graph.IsComplete(child), "a refusal leaves nothing behind");
  }

  TaskId parent, child;
};
const Scenario<RefusedAndGone> refused_and_gone({
    .name = "refused_and_gone",
    .promise = "a refused child is taken back before its parent can be complete",
    .searches = {ContextBound(2), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// A new task in the slots of a dependent child that had a child of its own.
struct FreshFields : TwoThreads {
  FreshFields() : TwoThreads(4) {
    first = workers[0].Create({.kind = TaskKind::kExternal});
    top = workers[0].Create(TaskDef{});
    const TaskId child = workers[0].Create({.parent = top, .dependency = first});
    workers[0].Create({.parent = child});
    workers[0].SubmitAll();
    workers[0].TakeReady();
  }
  void Thread(int t) {
    if (t == 1) {
      graph.IsComplete(top);
      return;
    }
    workers[0].CompleteExternal(first);
    Check(graph.IsComplete(top), "a task that waited for the device is complete");
    TaskId tasks[4];
    for (TaskId& task : tasks) task = workers[0].Create(TaskDef{});
    for (int i = 1; i < 4; ++i) workers[0].DependsOn(tasks[i], tasks[i - 1]);
    const TaskId parent = workers[0].Create(TaskDef{});
    Check(workers[0].AddChild(parent, tasks[3]), "a new task has no parent");
    Check(workers[0].AddChild(tasks[0], workers[0].Create(TaskDef{})), "nor a child");
    workers[0].SubmitAll();
  }
  void After() { CheckSlots(*this); }

  TaskId first, top;
};
const Scenario<FreshFields> fresh_fields({
    .name = "fresh_fields",
    .promise = "a new task has nothing of the earlier one in its slot",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Thread 1 cancels a group while thread 0 runs its child; the group completes, and thread 0 makes
// another group, in its slot and its child's.
struct CancelledGroup : TwoThreads {
  CancelledGroup() : TwoThreads(1) {
    group = workers[0].Create(TaskDef{});
    child = workers[0].Create({.work = {&RunWork, &work}, .parent = group});
    workers[0].SubmitAll();
    workers[0].ForgetReady();
  }
  void Thread(int t) {
    if (t == 1) {
      cancelled = workers[1].CancelGroup(group);
      return;
    }
    if (!workers[0].TryStart(child)) return;
    workers[0].Run(child);
    ran = true;
    const TaskId next = workers[0].Create(strangers[0]);
    workers[0].Create({.work = {&RunWork, &strangers[1]}, .parent = next});
    workers[0].SubmitAll();
    workers[0].RunReady();
  }
  void After() {
    Check(cancelled + work.mark.get() == 1, "each task of a group is run or cancelled");
    for (Work& one : strangers) {
      Check(one.mark.get() == (ran ? 1 : 0), "a stranger is not cancelled with a group");
    }
    CheckSlots(*this);
  }

  TaskId group, child;
  Work work, strangers[2];
  std::uint32_t cancelled = 0;  // of thread 1, and of thread 0
  bool ran = false;
};
const Scenario<CancelledGroup> cancelled_group({
    .name = "cancelled_group",
    .promise = "the tasks of a group are cancelled, and no later ones in their slots",
    .searches = {ContextBound(2), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

}  // namespace
}  // namespace nowait
