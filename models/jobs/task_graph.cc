// Model of src/jobs/task_graph.h, task_slots.h and task_walk.h.
//
// Promise checked: every submitted task is handed out once, when its dependency is complete, and
// sees the dependency's work (each task's work is plain data). A complete task's children are all
// complete. Help is found only among the tasks that the waiting task needs, also while that
// completes and its slots go on to other tasks. Of calls that together close a cycle at least one
// is refused, whichever threads make them.
//
// Examined: every execution of two threads, and of three where one thread's work is to be
// found. The words of a slot have models of their own (task_completion, task_state), with more
// threads.
#include "src/jobs/task_graph.h"

#include <cstdint>
#include <optional>

#include "models/kit/program/call.h"
#include "models/kit/scenario/model.h"

namespace nowait {
namespace {

using model::Call;
using model::Check;
using model::ContextBound;
using model::Random;
using model::Scenario;

using Graph = TaskGraph<ModelSync, 1>;

constexpr const char* kOnce = "each task is run exactly once";

// A task's work: it reads the marks of the works before it, and leaves a mark.
struct Work {
  void Run() {
    for (Work* work : before) {
      if (work != nullptr) Check(work->mark.get() == 1, "a dependency is done before");
    }
    mark.set(mark.get() + 1);
  }
  Work* before[2] = {};
  ModelSync::plain<int> mark{0};
};
void RunWork(void* data) { static_cast<Work*>(data)->Run(); }

// A thread with the tasks that have become ready on it.
class Worker {
 public:
  Worker(Graph& graph, std::uint16_t number) : graph_(graph), thread_(graph, number) {}

  TaskId Create(const TaskDef& def) {
    const Call call("Create");
    const auto task = graph_.Create(thread_, def, *this);
    Check(task.has_value(), "there is room for a task");
    return *task;
  }
  TaskId Create(Work& work) { return Create({.work = {&RunWork, &work}}); }
  Result<TaskId> TryCreate(const TaskDef& def) {
    const Call call("Create");
    return graph_.Create(thread_, def, *this);
  }
  void DependsOn(TaskId task, TaskId dependency) {
    const Call call("SetDependency");
    Check(graph_.SetDependency(thread_, task, dependency).has_value(),
          "no cycle is reported where there is no cycle");
  }
  bool TryDependsOn(TaskId task, TaskId dependency) {
    const Call call("SetDependency");
    return graph_.SetDependency(thread_, task, dependency).has_value();
  }
  bool AddChild(TaskId parent, TaskId child) {
    const Call call("AddChild");
    return graph_.AddChild(thread_, parent, child, *this).has_value();
  }
  void SubmitAll() {
    const Call call("SubmitAll");
    graph_.SubmitAll(thread_, *this);
  }
  bool Cancel(TaskId task) {
    const Call call("Cancel");
    return *graph_.Cancel(thread_, task, *this);
  }
  bool BeginWait(TaskId task) {
    const Call call("BeginWait");
    return graph_.BeginWait(thread_, task, *this).has_value();
  }
  std::optional<TaskId> FindHelp(TaskId task) {
    const Call call("FindHelp");
    return graph_.FindHelp(thread_, task, 0, &cursor_);
  }
  bool IsNeeded(TaskId waiting, TaskId task) {
    const Call call("IsNeeded");
    return graph_.IsNeeded(thread_, waiting, task);
  }
  void EndWait() {
    const Call call("EndWait");
    graph_.EndWait(thread_);
  }

  void Submit(TaskId task) {
    const Call call("Submit");
    Check(graph_.Submit(thread_, task, *this).has_value(), "its holder submits it");
  }
  void CompleteExternal(TaskId task) {
    const Call call("CompleteExternal");
    Check(graph_.CompleteExternal(thread_, task, *this).has_value(), "the device is done once");
  }
  // Starts all tasks that are ready here, as devices do.
  void TakeReady() {
    while (count_ != 0) Check(graph_.TryStart(ready_[--count_]), "a ready task starts");
  }

  // Others find the ready tasks by themselves.
  void ForgetReady() { count_ = 0; }

  void operator()(const ReadyTask& task) {
    Check(count_ < 4, "no task is ready twice");
    ready_[count_++] = task.id;
  }
  // Runs the tasks that have become ready here.
  void RunReady() {
    while (count_ != 0) {
      const TaskId task = ready_[--count_];
      if (TryStart(task)) Run(task);
    }
  }
  bool TryStart(TaskId task) {
    const Call call("TryStart");
    return graph_.TryStart(task);
  }
  Graph::Place Enter(TaskId task) { return graph_.Enter(thread_, task); }
  void Finish(const Graph::Place& outer) {
    const Call call("Finish");
    graph_.Finish(thread_, outer, *this);
  }
  bool TryStartAgain(TaskId task) {
    const Call call("TryStartAgain");
    return graph_.TryStartAgain(task);
  }
  // One of two runs; returns whether it was the last.
  bool RunIdempotent(TaskId task, Work& result) {
    const Graph::Place outer = Enter(task);
    const bool won = graph_.TryCommit(thread_);
    if (won) result.Run();
    const Call call("Finish");
    return graph_.Finish(thread_, outer, *this, won);
  }
  void Run(TaskId task) {
    const Graph::Place outer = Enter(task);
    const Job work = graph_.WorkOf(task);
    work.function(work.data);
    Finish(outer);
  }
  // The same, and keeps the parent's item back if that helps.
  void RunAndKeep(TaskId task) {
    if (graph_.KeepsOther(thread_, task)) Settle();
    const Graph::Place outer = Enter(task);
    const Job work = graph_.WorkOf(task);
    work.function(work.data);
    const Call call("FinishAndKeep");
    graph_.FinishAndKeep(thread_, outer, *this);
  }
  void Settle() {
    const Call call("Settle");
    graph_.Settle(thread_, *this);
  }

 private:
  Graph& graph_;
  Graph::Thread thread_;
  Graph::Cursor cursor_;
  TaskId ready_[4];
  int count_ = 0;
};

struct TwoThreads {
  static constexpr int kThreads = 2;

  explicit TwoThreads(std::uint32_t capacity = 2)
      : slots(capacity + kThreads), graph({capacity, kThreads, 1}) {}

  const std::uint32_t slots;  // a thread's store holds one
  Graph graph;
  Worker workers[2] = {{graph, 0}, {graph, 1}};
};

// When all tasks are complete, each slot can be had once, from either thread's store.
void CheckSlots(TwoThreads& all) {
  std::uint32_t had = 0, count = 0;
  for (Worker& worker : all.workers) {
    for (auto task = worker.TryCreate({}); task; task = worker.TryCreate({})) {
      had |= 1u << task->slot();
      ++count;
    }
  }
  Check(count == all.slots && had == (1u << all.slots) - 1, "every slot is given back once");
}

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

// A parent with two children, which two threads run; a task depends on the parent.
struct FanIn : TwoThreads {
  FanIn() : TwoThreads(4) {
    const TaskId parent = workers[0].Create(TaskDef{});
    for (int i = 0; i < 2; ++i) {
      children[i] = workers[0].Create({.work = {&RunWork, &work[i]}, .parent = parent});
    }
    const TaskId then = workers[0].Create(last);
    for (int i = 0; i < 2; ++i) last.before[i] = &work[i];
    workers[0].DependsOn(then, parent);
    workers[0].SubmitAll();
  }
  void Thread(int t) {
    if (workers[t].TryStart(children[t])) workers[t].Run(children[t]);
    workers[t].RunReady();
  }
  void After() {
    Check(work[0].mark.get() == 1 && work[1].mark.get() == 1 && last.mark.get() == 1, kOnce);
    CheckSlots(*this);
  }

  Work last, work[2];
  TaskId children[2];
};
const Scenario<FanIn> fan_in({
    .name = "fan_in",
    .promise = "a parent is complete after both children, and releases its dependent once",
    .searches = {ContextBound(2), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Three children of one parent, on which a task depends, and one of another. Thread 0 runs two of
// the three and then the one; thread 1 runs the third. Both keep the items of parents back.
struct KeptItems : TwoThreads {
  KeptItems() : TwoThreads(6) {
    const TaskId parent = workers[0].Create(TaskDef{});
    for (int i = 0; i < 3; ++i) {
      children[i] = workers[0].Create({.work = {&RunWork, &work[i]}, .parent = parent});
    }
    const TaskId other = workers[0].Create(TaskDef{});
    children[3] = workers[0].Create({.work = {&RunWork, &work[3]}, .parent = other});
    const TaskId then = workers[0].Create(last);
    last.before[0] = &work[0];
    last.before[1] = &work[2];
    workers[0].DependsOn(then, parent);
    workers[0].SubmitAll();
    workers[0].ForgetReady();
  }
  void Thread(int t) {
    for (const int i : {0, 1, 3}) Take(t, t == 0 ? i : 2);
    workers[t].Settle();
    workers[t].RunReady();
  }
  void Take(int t, int child) {
    if (workers[t].TryStart(children[child])) workers[t].RunAndKeep(children[child]);
  }
  void After() {
    for (const Work& done : work) Check(done.mark.get() == 1, kOnce);
    Check(last.mark.get() == 1, kOnce);
    CheckSlots(*this);
  }

  Work last, work[4];
  TaskId children[4];
};
const Scenario<KeptItems> kept_items({
    .name = "kept_items",
    .promise = "a parent is complete when the items that threads keep back have been taken off",
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

// Slots go from one thread's store to the other's in chains of two. Each thread writes the work of
// the slots that it owns.
struct Chains {
  static constexpr int kThreads = 2;
  using Slots = TaskSlots<ModelSync, 4>;
  using Slot = std::uint16_t;

  Chains() {
    for (Slot& slot : kept) slot = Take(0);
    // With the first four the store is full; the fifth returns a chain.
    for (int i = 0; i < 6; ++i) slots.Give(stores[0], kept[i]);
  }
  Slot Take(int t) {
    const Call call("Take");
    const Slot slot = slots.Take(stores[t]);
    if (slot != Slots::kNone) slots[slot].work.set({});
    return slot;
  }
  void Thread(int t) {
    if (t == 0) {
      // Returns another chain.
      const Call call("Give");
      for (int i = 6; i < 8; ++i) slots.Give(stores[0], kept[i]);
    } else {
      // For the third one there may be no chain yet.
      for (Slot& slot : taken) slot = Take(1);
    }
  }
  void After() {
    for (const Slot slot : taken) {
      if (slot != Slots::kNone) slots.Give(stores[1], slot);
    }
    for (auto& store : stores) slots.GiveAll(store);
    std::uint32_t had = 0;
    Slots::Store store;
    for (Slot slot = slots.Take(store); slot != Slots::kNone; slot = slots.Take(store)) {
      had |= 1u << slot;
    }
    Check(had == (1u << slots.size()) - 1, "every slot is given back once");
  }

  Slots slots{0, kThreads};
  Slots::Store stores[kThreads];
  Slot kept[8] = {}, taken[3] = {};
};
const Scenario<Chains> chains({
    .name = "chains",
    .promise = "slots that go in chains have one owner at a time",
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

// A held parent gets a second child while its first one, which is submitted, completes.
struct SecondChild : TwoThreads {
  SecondChild() : TwoThreads(4) {
    parent = workers[0].Create(TaskDef{});
    child = workers[0].Create({.work = {&RunWork, &work[0]}, .parent = parent});
    workers[0].Submit(child);
    workers[0].ForgetReady();
  }
  void Thread(int t) {
    if (t == 0) {
      workers[0].Create({.work = {&RunWork, &work[1]}, .parent = parent});
      workers[0].SubmitAll();
      workers[0].RunReady();
    } else {
      Check(workers[1].TryStart(child), "a ready task starts");
      workers[1].Run(child);
    }
  }
  void After() {
    Check(work[0].mark.get() == 1 && work[1].mark.get() == 1, kOnce);
    Check(graph.IsComplete(parent), "a parent is complete after its children");
    CheckSlots(*this);
  }

  Work work[2];
  TaskId parent, child;
};
const Scenario<SecondChild> second_child({
    .name = "second_child",
    .promise = "a held parent gets a child while another completes, and counts both",
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
// (NeedsNothing in task_graph.h).
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

// Two runs of an idempotent task: its dependent comes after the run that counts, and is run once.
// The task's slot is given back once.
struct RunTwice : TwoThreads {
  RunTwice() {
    twice = workers[0].Create({.work = {&RunWork, &ignored}, .kind = TaskKind::kIdempotent});
    workers[0].Create({.work = {&RunWork, &after}, .dependency = twice});
    after.before[0] = &result;
    workers[0].SubmitAll();
    Check(workers[0].TryStart(twice), "a ready task starts");
  }
  void Thread(int t) {
    if (t == 0 || workers[1].TryStartAgain(twice))
      last[t] = workers[t].RunIdempotent(twice, result);
    workers[t].RunReady();
  }
  void After() {
    Check(result.mark.get() == 1 && after.mark.get() == 1, kOnce);
    Check(last[0] != last[1], "one run is the last");
    CheckSlots(*this);
  }

  Work ignored, result, after;
  TaskId twice;
  bool last[2] = {};
};
const Scenario<RunTwice> run_twice({
    .name = "run_twice",
    .promise = "of two runs the first counts, and the last gives the slot back",
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

// Two threads give one task a child each.
struct TwoAdders : TwoThreads {
  TwoAdders() : TwoThreads(3) {
    top = workers[0].Create({.kind = TaskKind::kExternal});
    workers[0].SubmitAll();
    workers[0].TakeReady();
    for (int t = 0; t < 2; ++t) child[t] = workers[t].Create(work[t]);
  }
  void Thread(int t) { Check(workers[t].AddChild(top, child[t]), "an open task takes a child"); }
  void After() {
    for (Worker& worker : workers) {
      worker.SubmitAll();
      worker.RunReady();
    }
    workers[0].CompleteExternal(top);
    Check(work[0].mark.get() == 1 && work[1].mark.get() == 1, kOnce);
    CheckSlots(*this);
  }

  Work work[2];
  TaskId top, child[2];
};
const Scenario<TwoAdders> two_adders({
    .name = "two_adders",
    .promise = "children that are added at the same time are all linked",
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

}  // namespace
}  // namespace nowait
