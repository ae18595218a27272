// Model of src/jobs/task_graph.h: a wait finds the tasks that the awaited one needs, and no
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

// Thread 1 looks for help below a task while thread 0 completes it and makes other tasks from its
// slots: a stranger that is ready must not be found.
struct HelpWhileRecycled : TwoThreads {
  HelpWhileRecycled() {
    top = workers[0].Create(TaskDef{});
    child = workers[0].Create({.work = {&RunWork, &needed}, .parent = top});
    workers[0].SubmitAll();
  }
  void Thread(int t) {
    if (t == 0) {
      workers[0].RunReady();
      for (Work& work : strangers) workers[0].Create(work);
      workers[0].SubmitAll();
    } else if (const auto found = workers[1].FindHelp(top)) {
      Check(*found == child, "help is found only among the needed tasks");
      workers[1].Run(*found);
    }
  }
  void After() {
    workers[0].RunReady();
    Check(needed.mark.get() == 1 && strangers[0].mark.get() == 1 && strangers[1].mark.get() == 1,
          kOnce);
  }

  Work needed, strangers[2];
  TaskId top, child;
};
const Scenario<HelpWhileRecycled> help_while_recycled({
    .name = "help_while_recycled",
    .promise = "a stranger in the slot of a needed task is not taken for it",
    .searches = {ContextBound(2), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// The same upward, along a dependency: whether a ready task is needed.
struct NeededWhileRecycled : TwoThreads {
  NeededWhileRecycled() {
    first_task = workers[0].Create(first);
    top = workers[0].Create({.dependency = first_task});
    workers[0].SubmitAll();
  }
  void Thread(int t) {
    if (t == 0) {
      workers[0].RunReady();
      stranger = workers[0].Create(other);
      workers[0].Create({.dependency = stranger});
      workers[0].SubmitAll();
    } else {
      workers[1].IsNeeded(top, first_task);
      // No task needs this one, whichever tasks are in the slots.
      Check(!workers[1].IsNeeded(first_task, top), "a task does not need the task that needs it");
    }
  }

  Work first, other;
  TaskId first_task, top, stranger;
};
const Scenario<NeededWhileRecycled> needed_while_recycled({
    .name = "needed_while_recycled",
    .promise = "upward too, a stranger in a slot is not taken for the earlier task",
    .searches = {ContextBound(2), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// The search meets a task whose dependency is complete; a group now has the dependency's slot. The
// task itself completes meanwhile. The needed task is below the group.
struct HelpBehindCompleted : TwoThreads {
  HelpBehindCompleted() : TwoThreads(4) {
    top = workers[0].Create(TaskDef{});
    const TaskId first = workers[0].Create({.kind = TaskKind::kExternal});
    const TaskId maker = External(first), keeper = External(first);
    open = keeper;
    workers[0].SubmitAll();
    workers[0].TakeReady();
    workers[0].CompleteExternal(first);
    workers[0].TakeReady();
    const TaskId group = workers[0].Create({.parent = maker});
    Check(group.slot() == first.slot(), "the slot is another task's");
    leaf = workers[0].Create({.work = {&RunWork, &needed}, .parent = group});
    workers[0].SubmitAll();
  }
  TaskId External(TaskId dependency) {
    return workers[0].Create(
        {.parent = top, .dependency = dependency, .kind = TaskKind::kExternal});
  }
  void Thread(int t) {
    if (t == 0) return workers[0].CompleteExternal(open);
    const auto found = workers[1].FindHelp(top);
    Check(found.has_value(), "a needed task that may start is found");
    Check(*found == leaf, "help is found only among the needed tasks");
    workers[1].Run(*found);
  }

  Work needed;
  TaskId top, open, leaf;
};
const Scenario<HelpBehindCompleted> help_behind_completed({
    .name = "help_behind_completed",
    .promise = "a completed dependency does not hide the next task in its slot",
    .searches = {ContextBound(2), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// The same for a search that resumes where an earlier one has stopped: among children that are gone
// by then.
struct ResumedWhileRecycled : TwoThreads {
  ResumedWhileRecycled() : TwoThreads(3) {
    top = workers[0].Create({.kind = TaskKind::kExternal});
    child = workers[0].Create({.work = {&RunWork, &needed[0]}, .parent = top});
    newest = workers[0].Create({.work = {&RunWork, &needed[1]}, .parent = top});
    workers[0].Submit(child);
    workers[0].Submit(newest);
    workers[0].Submit(top);
    Check(workers[0].TryStart(top), "the device starts it");
    Check(workers[1].FindHelp(top) == newest, "children are found from the newest on");
    workers[1].Run(newest);
    workers[0].ForgetReady();
  }
  void Thread(int t) {
    if (t == 0) {
      if (workers[0].TryStart(child)) workers[0].Run(child);
      workers[0].CompleteExternal(top);
      // As many as there are free slots, which depends on how far the completion of `top` is.
      for (Work& work : strangers) {
        static_cast<void>(workers[0].TryCreate({.work = {&RunWork, &work}}));
      }
      workers[0].SubmitAll();
    } else if (const auto found = workers[1].FindHelp(top)) {
      Check(*found == child, "help is found only among the needed tasks");
      workers[1].Run(*found);
    }
  }
  void After() { Check(needed[0].mark.get() == 1 && needed[1].mark.get() == 1, kOnce); }

  Work needed[2], strangers[3];
  TaskId top, child, newest;
};
const Scenario<ResumedWhileRecycled> resumed_while_recycled({
    .name = "resumed_while_recycled",
    .promise =
        "a stranger in a slot among whose siblings a search has stopped is not taken for them",
    .searches = {ContextBound(2), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// A child that a helping thread finds while it is added.
struct HelpWhileAdded : TwoThreads {
  HelpWhileAdded() : TwoThreads(3) {
    top = workers[0].Create({.kind = TaskKind::kExternal});
    workers[0].SubmitAll();
    Check(workers[0].TryStart(top), "the device starts it");
  }
  void Thread(int t) {
    if (t == 0) {
      const TaskId child = workers[0].Create(added);
      Check(workers[0].AddChild(top, child), "an open task takes a child");
      added_before.set(1);
      workers[0].SubmitAll();
      workers[0].RunReady();
    } else if (const auto found = workers[1].FindHelp(top)) {
      added_before.get();
      workers[1].Run(*found);
    }
  }
  void After() { Check(added.mark.get() == 1, kOnce); }

  Work added;
  ModelSync::plain<int> added_before;
  TaskId top;
};
const Scenario<HelpWhileAdded> help_while_added({
    .name = "help_while_added",
    .promise = "a child that a helper finds was submitted before",
    .searches = {ContextBound(2), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Two children of a task that was submitted before. One child is to come after the other; a helping
// thread may find each.
struct HeldSiblings : TwoThreads {
  HeldSiblings() : TwoThreads(3) {
    top = workers[0].Create({.kind = TaskKind::kExternal});
    workers[0].SubmitAll();
    Check(workers[0].TryStart(top), "the device starts it");
    second.before[0] = &first;
  }
  void Thread(int t) {
    if (t == 0) {
      const TaskId before = workers[0].Create({.work = {&RunWork, &first}, .parent = top});
      const TaskId after = workers[0].Create({.work = {&RunWork, &second}, .parent = top});
      workers[0].DependsOn(after, before);
      workers[0].SubmitAll();
    } else if (const auto found = workers[1].FindHelp(top)) {
      workers[1].Run(*found);
    }
    workers[t].RunReady();
  }
  void After() { Check(first.mark.get() == 1 && second.mark.get() == 1, kOnce); }

  Work first, second;
  TaskId top;
};
const Scenario<HeldSiblings> held_siblings({
    .name = "held_siblings",
    .promise = "held children of a submitted task are put in order, and found in it",
    .searches = {ContextBound(1), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

}  // namespace
}  // namespace nowait
