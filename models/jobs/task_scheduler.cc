// Model of src/jobs/task_scheduler.h, with the graph, the queues and the event count under it.
//
// Promise checked: each submitted task is run once or cancelled. When Wait returns, the task is
// complete, and its work (plain data) is seen. After Close has returned, all tasks are complete,
// whichever thread ran them and whatever devices still had; a thread that goes on after Close never
// waits for a task that no thread will do. Idempotent work in which one thread stalls is done by a
// thread that waits for it. It is committed once, and released once after both runs.
//
// No wake-up is lost: not a worker's for a task or for the end; not a waiter's for the completion,
// for help it can give or for a task with its name; not the closing thread's for the last worker or
// device. Each lost one would be a deadlock, for no other thread is left to wake the sleeper.
//
// A missed wake-up for a task shows only where no other thread can run the task. Therefore some
// threads and tasks here wait for a flag without helping, as serial code does.
//
// Examined: every execution of two threads with one or two tasks: a worker and a thread
// that submits, waits or closes; two threads that wait, outside tasks and in one; a device. As many
// executions as a search reaches: of a child that is made while its parent's waiter goes to sleep;
// of a task that is put back (over work stealing; the others are over the global queue); of a wait
// that Close ends; of two workers. That a wait does not starve is examined as an order: in a row of
// a fixed number of steps the needed task is begun. The graph, the queues and the event count have
// models of their own.
#include "src/jobs/task_scheduler.h"

#include <atomic>
#include <cstdint>

#include "models/jobs/scheduler_scenario.h"
#include "models/kit/program/call.h"
#include "models/kit/scenario/model.h"
#include "src/jobs/job_list.h"
#include "src/jobs/work_stealing.h"

namespace nowait {
namespace {

using model::ContextBound;
using model::Random;
using model::Scenario;

using Stealing = WorkStealing<ModelSync, 2>;

constexpr char kTooMany[] = "tens of millions of executions";

// ---- Workers ----

struct JustClose : Two<1> {
  void Thread(int t) {
    if (t == 0) return members[0].DoWork();
    members[1].Close(TaskShutdown::kFinish);
  }
};
const Scenario<JustClose> just_close({
    .name = "just_close",
    .promise = "a worker that sleeps, or is about to, ends its work when the scheduler is closed",
    .searches = {ContextBound(2), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// The same with two workers.
struct CloseTwo {
  static constexpr int kThreads = 3;
  using Scheduler = TaskScheduler<ModelSync, One, 1>;

  void Thread(int t) {
    if (t < 2) return members[t].DoWork();
    members[2].Close(TaskShutdown::kFinish);
  }

  Scheduler scheduler{{.graph = {.capacity = 1, .threads = 3, .tag = 1}, .workers = 2}};
  Member<Scheduler> members[3] = {{scheduler, 0, 0}, {scheduler, 1, 0}, {scheduler, 2, 0}};
};
const Scenario<CloseTwo> close_two({
    .name = "close_two",
    .promise =
        "two workers that sleep, or are about to, end their work when the scheduler is closed",
    .searches = {ContextBound(1), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
    .bounded = "four million executions",
});

// A task that only the worker can run.
struct WokenForTask : Two<1> {
  void Thread(int t) {
    if (t == 0) return members[0].DoWork();
    members[1].AddAndSubmit({.work = done.job()});
    done.Await();
    members[1].Close(TaskShutdown::kFinish);
  }

  Flag done;
};
const Scenario<WokenForTask> woken_for_task({
    .name = "woken_for_task",
    .promise = "a worker that sleeps, or is about to, takes a submitted task",
    .searches = {Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Two workers and two tasks that wait for each other in serial code: both workers have to be woken.
struct NeedsBoth {
  static constexpr int kThreads = 3;
  using Scheduler = TaskScheduler<ModelSync, One, 1>;

  void Thread(int t) {
    if (t < 2) return members[t].DoWork();
    members[2].AddAndSubmit({.work = {&First, this}});
    members[2].AddAndSubmit({.work = {&Second, this}});
    first.Await();
    second.Await();
    members[2].Close(TaskShutdown::kFinish);
  }
  static void First(void* data) {
    static_cast<NeedsBoth*>(data)->first.Raise();
    static_cast<NeedsBoth*>(data)->second.Await();
  }
  static void Second(void* data) {
    static_cast<NeedsBoth*>(data)->second.Raise();
    static_cast<NeedsBoth*>(data)->first.Await();
  }

  Scheduler scheduler{{.graph = {.capacity = 1, .threads = 3, .tag = 1}, .workers = 2}};
  Member<Scheduler> members[3] = {{scheduler, 0, 0}, {scheduler, 1, 0}, {scheduler, 2, 0}};
  Flag first, second;
};
const Scenario<NeedsBoth> needs_both({
    .name = "needs_both",
    .promise = "two workers that sleep, or are about to, take two tasks",
    .searches = {ContextBound(1).AtMost(50'000),
                 Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
    .bounded = kTooMany,
});

// ---- Idempotent tasks ----

// Both threads wait for a task whose first run stalls until a second run has been committed: only
// the second run can complete it. kApart: thread 1 begins to wait when the first run is under way.
// The first run goes on when thread 1's wait has returned.
template <bool kApart>
struct Idempotent : Two<0> {
  Idempotent() {
    task = members[0].AddIdempotent(job);
    members[0].Submit(task);
  }
  void Thread(int t) {
    if (kApart && t == 1) started.Await();
    members[t].Wait(task);
    Check(result.get() == 1, "an idempotent task is committed once, before it is complete");
    if (kApart && t == 1) go_on.Raise();
  }
  void After() { Check(released.get() == 1, "the data of an idempotent task is released once"); }

  static void Compute(void* data, int run) {
    auto& of = *static_cast<Idempotent*>(data);
    of.buffers[run].set(1);
    if (run == 0) {
      if (kApart) of.started.Raise();
      of.go_on.Await();
    }
    of.buffers[run].set(of.buffers[run].get() + 1);
  }
  static void Commit(void* data, int run) {
    auto& of = *static_cast<Idempotent*>(data);
    of.result.set(of.result.get() + of.buffers[run].get() - 1);
    if (!kApart) of.go_on.Raise();
  }
  // Reads the data of both runs: a race if one of them has not left.
  static void Release(void* data) {
    auto& of = *static_cast<Idempotent*>(data);
    Check(of.buffers[0].get() == 2 && of.buffers[1].get() == 2, "both runs have left");
    of.released.set(of.released.get() + 1);
  }

  IdempotentJob job{&Compute, &Commit, &Release, this};
  ModelSync::plain<int> buffers[2];
  ModelSync::plain<int> result{0}, released{0};
  Flag started, go_on;
  TaskId task;
};
const Scenario<Idempotent<true>> idempotent({
    .name = "idempotent",
    .promise =
        "idempotent work in which a thread stalls is done by a thread that begins to wait for it",
    .searches = {ContextBound(1), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<Idempotent<false>> idempotent_woken({
    .name = "idempotent_woken",
    .promise =
        "a thread that sleeps, or is about to, is woken for idempotent work that stalls another",
    .searches = {ContextBound(1), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// ---- Waits outside tasks ----

// Two threads wait for one task, which one of them runs.
struct WaitBoth : Two<0> {
  WaitBoth() { task = members[0].AddAndSubmit({.work = work.job()}); }
  void Thread(int t) {
    members[t].Wait(task);
    Check(work.mark.get() == 1, kSeen);
  }

  Work work;
  TaskId task;
};
const Scenario<WaitBoth> wait_both({
    .name = "wait_both",
    .promise = "a thread that waits for a task that another runs is woken when it is complete",
    .searches = {ContextBound(1), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Thread 0 waits for a task that another one depends on. Only thread 1 can run the dependent one:
// thread 0 waits for it in serial code when its first wait has returned.
struct Kept : Two<1, -1, One, 2> {
  Kept() {
    first = members[1].Add({.work = work.job()});
    second = members[1].Add({.work = done.job(), .dependency = first});
    members[1].Submit(second);
  }
  void Thread(int t) {
    if (t == 0) return members[0].DoWork();
    members[1].Wait(first);
    Check(work.mark.get() == 1, kSeen);
    done.Await();
    members[1].Close(TaskShutdown::kFinish);
  }

  Work work;
  Flag done;
  TaskId first, second;
};
const Scenario<Kept> kept({
    .name = "kept",
    .promise =
        "a task that a waiter's task has made ready is run by others when the waiter returns",
    .searches = {ContextBound(1).AtMost(50'000),
                 Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// The thread that runs the first of two tasks has made a third one ready. The second task waits for
// the third in serial code; the third has to be given to the other thread before.
struct KeptBehind : Two<1, -1, One, 3> {
  KeptBehind() {
    first = members[1].Add({.work = work.job()});
    second = members[1].Add({.work = {&AwaitIt, this}});
    const TaskId third = members[1].Add({.work = done.job(), .dependency = first});
    members[1].Submit(third);
    members[1].Submit(first);
    members[1].Submit(second);
  }
  void Thread(int t) {
    if (t == 0) return members[0].DoWork();
    members[1].Wait(second);
    members[1].Close(TaskShutdown::kFinish);
    Check(work.mark.get() == 1, kOnce);
  }
  static void AwaitIt(void* all) { static_cast<KeptBehind*>(all)->done.Await(); }

  Work work;
  Flag done;
  TaskId first, second;
};
const Scenario<KeptBehind> kept_behind({
    .name = "kept_behind",
    .promise = "a task that has become ready is given to others before an older one is run",
    .searches = {ContextBound(1).AtMost(50'000),
                 Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
    .bounded = kTooMany,
});

// Two tasks that a wait submits together. The first waits for the second in serial code: the
// worker, which may be asleep, has to be woken for one of them.
struct SubmittedByWaiting : Two<1, -1, One, 2> {
  SubmittedByWaiting() {
    first = members[1].Add({.work = {&AwaitIt, this}});
    members[1].Add({.work = done.job()});
  }
  static void AwaitIt(void* all) { static_cast<SubmittedByWaiting*>(all)->done.Await(); }
  void Thread(int t) {
    if (t == 0) return members[0].DoWork();
    members[1].Wait(first);
    members[1].Close(TaskShutdown::kFinish);
  }

  Flag done;
  TaskId first;
};
const Scenario<SubmittedByWaiting> submitted_by_waiting({
    .name = "submitted_by_waiting",
    .promise = "tasks that a wait submits together can be taken by a worker that it wakes",
    .searches = {ContextBound(1).AtMost(10'000),
                 Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
    .bounded = kTooMany,
});

// A parent with two children, of which each thread may run one and keep the item back. Both threads
// wait for the parent, or one of them does, in a task.
template <bool kInTask>
struct KeptItems : Two<0, -1, One, 4> {
  KeptItems() {
    if (kInTask) {
      awaited = members[0].AddAndSubmit({.work = {&RunFan, this}});
    } else {
      awaited = MakeFan(members[0]);
      members[0].Leave();
    }
  }
  TaskId MakeFan(Member<Scheduler>& by) {
    const TaskId parent = by.Add({});
    for (Work& of : work) by.Add({.work = of.job(), .parent = parent});
    return parent;
  }
  static void RunFan(void* data) {
    auto& all = *static_cast<KeptItems*>(data);
    all.here().Wait(all.MakeFan(all.here()));
  }
  void Thread(int t) {
    members[t].Wait(awaited);
    for (const Work& of : work) Check(of.mark.get() == 1, kSeen);
  }

  Work work[2];
  TaskId awaited;
};
const Scenario<KeptItems<false>> kept_items({
    .name = "kept_items",
    .promise = "a thread that has nothing to do takes off the items that it keeps back",
    .searches = {ContextBound(1).AtMost(10'000),
                 Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
    .bounded = kTooMany,
});
const Scenario<KeptItems<true>> kept_items_in_task({
    .name = "kept_items_in_task",
    .promise = "the same in a task",
    .searches = {ContextBound(1).AtMost(10'000),
                 Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
    .bounded = kTooMany,
});

// The same parent. Its first child makes a task that only thread 1 can run, and that waits, in
// serial code, until thread 0 has seen the parent complete.
struct KeptItemsBehind : Two<0, 1, One, 4> {
  KeptItemsBehind() {
    parent = members[0].Add({});
    members[0].Add({.work = {&MakeNamed, this}, .parent = parent});
    members[0].Add({.work = work.job(), .parent = parent});
    members[0].Leave();
  }
  static void MakeNamed(void* data) {
    auto& all = *static_cast<KeptItemsBehind*>(data);
    all.here().AddAndSubmit({.work = {&AwaitIt, data}, .affinity = 1});
  }
  static void AwaitIt(void* data) { static_cast<KeptItemsBehind*>(data)->seen.Await(); }
  void Thread(int t) {
    members[t].Wait(parent);
    if (t == 0) seen.Raise();
  }

  Work work;
  Flag seen;
  TaskId parent;
};
const Scenario<KeptItemsBehind> kept_items_behind({
    .name = "kept_items_behind",
    .promise = "a thread takes off the items that it keeps back before it runs another's child",
    .searches = {ContextBound(1).AtMost(10'000),
                 Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
    .bounded = kTooMany,
});

// The same parent, whose first child only thread 1 can run. Thread 1 waits for another task, which
// is complete after that child, and then, in serial code, until thread 0 has seen the parent
// complete. kInTask: thread 1 does that in a task.
template <bool kInTask>
struct KeptItemsAtEnd : Two<0, 1, One, 5> {
  KeptItemsAtEnd() {
    if (kInTask) {
      task = members[1].AddAndSubmit({.work = {&Run, this}});
    } else {
      task = Make();
    }
  }
  TaskId Make() {
    const TaskId awaited = members[1].AddAndSubmit({.work = {&AwaitFirst, this}});
    const TaskId all = members[1].Add({});
    const TaskId named = members[1].Add({.work = first.job(), .parent = all, .affinity = 1});
    const TaskId second = members[1].Add({.work = work.job(), .parent = all});
    for (const TaskId made : {all, named, second}) members[1].Submit(made);
    parent.Tell(all);
    return awaited;
  }
  static void AwaitFirst(void* data) { static_cast<KeptItemsAtEnd*>(data)->first.Await(); }
  static void Run(void* data) {
    auto& all = *static_cast<KeptItemsAtEnd*>(data);
    all.members[1].Wait(all.Make());
    all.seen.Await();
  }
  void Thread(int t) {
    if (t == 0) {
      members[0].Wait(parent.Await());
      seen.Raise();
    } else {
      members[1].Wait(task);
      if (!kInTask) seen.Await();
    }
  }

  Work work;
  Flag first, seen;
  Told parent;
  TaskId task;
};
const Scenario<KeptItemsAtEnd<false>> kept_items_at_end({
    .name = "kept_items_at_end",
    .promise = "a thread takes off the items that it keeps back before its wait returns",
    .searches = {ContextBound(1).AtMost(10'000),
                 Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
    .bounded = kTooMany,
});
const Scenario<KeptItemsAtEnd<true>> kept_items_at_end_in_task({
    .name = "kept_items_at_end_in_task",
    .promise = "the same in a task",
    .searches = {ContextBound(1).AtMost(10'000),
                 Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
    .bounded = kTooMany,
});

// The same parent, whose second child is idempotent: its first run lasts until a thread has seen
// the parent complete.
struct KeptItemsBesideRun : Two<0, -1, One, 4> {
  KeptItemsBesideRun() {
    parent = members[0].Add({});
    members[0].Add({.work = work.job(), .parent = parent});
    members[0].AddIdempotent(job, {.parent = parent});
    members[0].Leave();
  }
  void Thread(int t) {
    members[t].Wait(parent);
    seen.Raise();
  }

  static void Compute(void* data, int run) {
    if (run == 0) static_cast<KeptItemsBesideRun*>(data)->seen.Await();
  }
  IdempotentJob job{&Compute, [](void*, int) {}, [](void*) {}, this};
  Work work;
  Flag seen;
  TaskId parent;
};
const Scenario<KeptItemsBesideRun> kept_items_beside_run({
    .name = "kept_items_beside_run",
    .promise = "a thread takes off the items that it keeps back before it runs an idempotent child",
    .searches = {ContextBound(1).AtMost(10'000),
                 Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
    .bounded = kTooMany,
});

// The same parent, whose first child only thread 1 can run. After that the condition that thread 1
// helps for waits, in serial code, until thread 0 has seen the parent complete.
struct KeptItemsBesideDone : Two<0, 1, One, 4> {
  KeptItemsBesideDone() {
    parent = members[0].Add({});
    members[0].Add({.work = first.job(), .parent = parent, .affinity = 1});
    members[0].Add({.work = work.job(), .parent = parent});
    members[0].Leave();
  }
  void Thread(int t) {
    if (t == 0) {
      members[0].Wait(parent);
      return seen.Raise();
    }
    members[1].DoWorkWhileWaitingFor([this] {
      // relaxed: this thread raises it.
      const bool ran = first.raised_.load(std::memory_order::relaxed);
      if (ran) seen.Await();
      return ran;
    });
  }

  Work work;
  Flag first, seen;
  TaskId parent;
};
const Scenario<KeptItemsBesideDone> kept_items_beside_done({
    .name = "kept_items_beside_done",
    .promise = "a thread takes off the items that it keeps back before it asks its condition",
    .searches = {ContextBound(1).AtMost(10'000),
                 Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
    .bounded = kTooMany,
});

// A row of tasks, each of which the worker keeps when its predecessor is done, and a task from
// outside: the worker begins with the row. Every second look is for the task that has waited
// longest.
struct Turn {
  static constexpr int kThreads = 2;
  using Scheduler = TaskScheduler<ModelSync, Stealing, 1, 2>;
  static constexpr int kRow = 6;

  Turn() {
    for (int i = 0; i < kRow; ++i) {
      row[i] =
          members[0].Add({.work = {&Step, this}, .dependency = i == 0 ? TaskId() : row[i - 1]});
    }
    for (const TaskId task : row) members[0].Submit(task);
    members[1].AddAndSubmit({.work = other.job()});
  }
  void Thread(int t) {
    if (t == 0) members[0].Wait(row[kRow - 1]);
  }
  static void Step(void* data) {
    auto& all = *static_cast<Turn*>(data);
    all.steps.set(all.steps.get() + 1);
    Check(all.steps.get() < kRow || all.other.mark.get() == 1,
          "the task that has waited longest is begun beside a row of kept tasks");
  }

  Scheduler scheduler{{.graph = {.capacity = 6, .threads = 2, .tag = 1}, .workers = 1, .names = 1}};
  Member<Scheduler> members[2] = {{scheduler, 0, 0}, {scheduler, 1, 1}};
  TaskId row[kRow];
  Work other;
  ModelSync::plain<int> steps{0};
};
const Scenario<Turn> turn({
    .name = "turn",
    .promise = "a task from outside is begun before the end of a row of kept ones",
    .searches = {ContextBound(1), Random(1'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Thread 1 waits for a list of one job. It runs the job itself, and submits another task by it. The
// job goes on, in serial code, when that task has been done: by the worker, which may be asleep.
struct BesideList : Two<1, -1, One, 2> {
  BesideList() {
    Check(list.Add({&AwaitIt, this}).has_value(), "there is room for a job");
    members[1].Add({.work = done.job()});
    task = members[1].AddList(list);
  }
  void Thread(int t) {
    if (t == 0) return members[0].DoWork();
    members[1].Wait(task);
    members[1].Close(TaskShutdown::kFinish);
  }
  static void AwaitIt(void* all) { static_cast<BesideList*>(all)->done.Await(); }

  JobList<ModelSync> list{1};
  Flag done;
  TaskId task;
};
const Scenario<BesideList> beside_list({
    .name = "beside_list",
    .promise = "a worker that sleeps is woken for a task that a wait for a list of one job submits",
    .searches = {Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Thread 0 waits for a task that only thread 1 can run, and meanwhile helps with a list. The list's
// first job lasts until the task is complete. Its second job is run when thread 0 waits for the
// list.
struct ListIsLeft : Two<0, 1, One, 2> {
  ListIsLeft() {
    Check(list.Add({&AwaitEnd, this}).has_value() && list.Add({&Second, this}).has_value(),
          "there is room for two jobs");
    whole = members[0].AddList(list);
    members[0].Submit(whole);
    awaited = members[0].AddAndSubmit({.work = work.job(), .affinity = 1});
  }
  void Thread(int t) {
    members[t].Wait(awaited);
    if (t == 1) return ended.Tell(awaited);
    has_returned.set(true);
    members[0].Wait(whole);
    Check(second.mark.get() == 1, kOnce);
  }
  static void AwaitEnd(void* all) {
    static_cast<void>(static_cast<ListIsLeft*>(all)->ended.Await());
  }
  static void Second(void* data) {
    auto& all = *static_cast<ListIsLeft*>(data);
    Check(all.has_returned.get(), "a list is left when the awaited task of the helper is complete");
    Work::Run(&all.second);
  }

  JobList<ModelSync> list{2};
  Work work, second;
  Told ended;  // raised by the other thread, which has seen that the task is complete
  TaskId whole, awaited;
  ModelSync::plain<bool> has_returned{false};
};
const Scenario<ListIsLeft> list_is_left({
    .name = "list_is_left",
    .promise = "a thread that helps with a list leaves it when its awaited task is complete",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Thread 1 lets go of a task that only thread 0 can run, by waiting too or by leaving. Thread 0
// waits for the task.
template <bool kLeaves>
struct LetGo : Two<0, 0> {
  LetGo() { task = members[1].Add({.work = work.job(), .affinity = 1}); }
  void Thread(int t) {
    if (t == 1 && kLeaves) return members[1].Leave();
    members[t].Wait(task);
    Check(work.mark.get() == 1, kSeen);
  }

  Work work;
  TaskId task;
};
const Scenario<LetGo<false>> let_go_by_waiting({
    .name = "let_go_by_waiting",
    .promise = "a thread that begins to wait submits its held tasks, and others are woken for them",
    .searches = {ContextBound(1), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<LetGo<true>> let_go_by_leaving({
    .name = "let_go_by_leaving",
    .promise = "a thread that leaves submits its held tasks, and others are woken for them",
    .searches = {ContextBound(1), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Thread 0 helps until an event that is no task has happened.
struct WorkWhileWaiting : Two<0> {
  void Thread(int t) {
    if (t == 0) {
      // relaxed, both: Wake publishes it.
      members[0].DoWorkWhileWaitingFor([this] { return it.load(std::memory_order::relaxed); });
      return;
    }
    it.store(true, std::memory_order::relaxed);
    const Call call("Wake");
    scheduler.Wake();
  }

  ModelSync::atomic<bool> it{false};
};
const Scenario<WorkWhileWaiting> work_while_waiting({
    .name = "work_while_waiting",
    .promise = "a thread that waits for an event is woken by Wake",
    .searches = {ContextBound(3), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// The task that thread 0 waits for bears the name of a thread that does not exist; thread 1 cancels
// it.
struct CancelledWhileWaiting : Two<0> {
  CancelledWhileWaiting() { task = members[0].AddAndSubmit({.work = work.job(), .affinity = 1}); }
  void Thread(int t) {
    if (t == 0) return members[0].Wait(task);
    Check(members[1].Cancel(task), "no thread could start it");
  }
  void After() { Check(work.mark.get() == 0, kOnce); }

  Work work;
  TaskId task;
};
const Scenario<CancelledWhileWaiting> cancelled_while_waiting({
    .name = "cancelled_while_waiting",
    .promise = "a thread that waits for a cancelled task is woken",
    .searches = {ContextBound(2), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// One thread cancels a task, the other one takes it.
struct CancelOrStart : Two<0> {
  CancelOrStart() { task = members[0].AddAndSubmit({.work = work.job()}); }
  void Thread(int t) {
    if (t == 0) {
      members[0].Wait(task);
    } else {
      cancelled = members[1].Cancel(task);
    }
  }
  void After() { Check(work.mark.get() == (cancelled ? 0 : 1), kOnce); }

  Work work;
  TaskId task;
  bool cancelled = false;
};
const Scenario<CancelOrStart> cancel_or_start({
    .name = "cancel_or_start",
    .promise = "a task is either cancelled or run, and complete in both cases",
    .searches = {ContextBound(2), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// ---- Devices ----

// Thread 1 is a device. kThen: thread 0 waits for a task that depends on the device's.
template <bool kThen>
struct Device : Two<0> {
  Device() {
    external = members[0].AddAndSubmit({.kind = TaskKind::kExternal});
    task = external;
    if (kThen) task = members[0].AddAndSubmit({.work = then.job(), .dependency = external});
  }
  void Thread(int t) {
    if (t == 0) {
      members[0].Wait(task);
      Check(read.get() == 1 && then.mark.get() == (kThen ? 1 : 0), kSeen);
    } else {
      read.set(1);
      members[1].CompleteExternal(external);
    }
  }

  Work then;
  TaskId external, task;
  ModelSync::plain<int> read{0};
};
const Scenario<Device<false>> device({
    .name = "device",
    .promise = "a thread that waits for a device's task is woken when that task is complete",
    .searches = {ContextBound(2), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<Device<true>> device_then({
    .name = "device_then",
    .promise = "a thread that waits for a dependent of a device's task is woken to run it",
    .searches = {ContextBound(1), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// The hand-over has reached the device, thread 1, and throws then. kAnswers: the device answers
// nevertheless, and either of the two completes the task.
template <bool kAnswers>
struct BadHandOver : Two<0> {
  BadHandOver() {
    task = members[0].Add({.work = {&AskAndThrow, this}, .kind = TaskKind::kExternal});
    request.Is(task);
  }
  void Thread(int t) {
    if (t == 0) {
      members[0].Wait(task);
      return members[0].Close(TaskShutdown::kFinish);
    }
    if (kAnswers) members[1].TryCompleteExternal(request.Await());
  }
  void After() { Check(IsComplete(task), "a hand-over that throws leaves no task open"); }
  static void AskAndThrow(void* data) {
    Request::Ask(&static_cast<BadHandOver*>(data)->request);
    throw 1;
  }

  Request request;
  TaskId task;
};
const Scenario<BadHandOver<false>> bad_hand_over({
    .name = "bad_hand_over",
    .promise =
        "a task whose hand-over throws is completed by the pool, and Close waits for no device",
    .searches = {ContextBound(2), Random(1'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<BadHandOver<true>> bad_hand_over_answered({
    .name = "bad_hand_over_answered",
    .promise = "a task whose hand-over throws is completed by the device or by the pool, once",
    .searches = {ContextBound(2), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// One hand-over throws while a device, thread 1, answers another task: both are counted off.
struct BadHandOverBeside : Two<0> {
  BadHandOverBeside() {
    answered = members[0].AddAndSubmit({.kind = TaskKind::kExternal});
    task = members[0].Add({.work = {&Throw, nullptr}, .kind = TaskKind::kExternal});
  }
  void Thread(int t) {
    if (t == 1) return members[1].CompleteExternal(answered);
    members[0].Wait(task);
    members[0].Close(TaskShutdown::kFinish);
    Check(IsComplete(answered) && IsComplete(task), kClosed);
  }
  static void Throw(void*) { throw 1; }

  TaskId answered, task;
};
const Scenario<BadHandOverBeside> bad_hand_over_beside({
    .name = "bad_hand_over_beside",
    .promise =
        "Close returns when one task has been answered and another one's hand-over has thrown",
    .searches = {ContextBound(1), Random(1'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// ---- Waits inside a task ----

// Thread 0's task makes another one and waits for it; thread 1 waits for that one too, outside
// tasks.
struct Nested : Two<0> {
  Nested() { outer = members[0].Add({.work = {&RunOuter, this}}); }
  void Thread(int t) {
    if (t == 0) {
      members[0].Wait(outer);
      Check(seen.get() == 1, kSeen);
    } else {
      members[1].Wait(inner.Await());
      Check(work.mark.get() == 1, kSeen);
    }
  }
  static void RunOuter(void* data) {
    auto& all = *static_cast<Nested*>(data);
    auto& here = all.here();
    const TaskId task = here.Add({.work = all.work.job()});
    all.inner.Tell(task);
    here.Wait(task);
    all.seen.set(all.work.mark.get());
  }

  Work work;
  ModelSync::plain<int> seen{0};
  TaskId outer;
  Told inner;
};
const Scenario<Nested> nested({
    .name = "nested",
    .promise =
        "a task that waits helps with its needed tasks, or is woken when others have done them",
    .searches = {Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// The same, with an inner task that is thread 1's. The inner task makes a child, and goes on with
// serial code until the child is done. Only thread 0 can do it: the outer task's wait finds it
// through the graph.
struct ChildMeanwhile : Two<0, 1, One, 2> {
  ChildMeanwhile() { outer = members[0].Add({.work = {&RunOuter, this}}); }
  void Thread(int t) { members[t].Wait(t == 0 ? outer : inner.Await()); }
  static void RunOuter(void* data) {
    auto& all = *static_cast<ChildMeanwhile*>(data);
    auto& here = all.here();
    const TaskId task = here.Add({.work = {&RunInner, data}, .affinity = 1});
    all.inner.Tell(task);
    here.Wait(task);
  }
  static void RunInner(void* data) {
    auto& all = *static_cast<ChildMeanwhile*>(data);
    auto& here = all.members[1];
    here.AddAndSubmit({.work = all.done.job(), .parent = here.current()});
    all.done.Await();
  }

  TaskId outer;
  Told inner;
  Flag done;
};
const Scenario<ChildMeanwhile> child_meanwhile({
    .name = "child_meanwhile",
    .promise = "a task that waits is woken for a child of its awaited task",
    .searches = {ContextBound(1).AtMost(50'000),
                 Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
    .bounded = kTooMany,
});

// Thread 0 waits for a device, outside all tasks or in one. Before the device answers, a task with
// thread 0's name has to be done.
template <bool kInTask>
struct Named : Two<0, 0, One, 2> {
  Named() {
    task = kInTask ? members[0].Add({.work = {&RunOuter, this}}) : members[0].Ask(request);
  }
  void Thread(int t) {
    if (t == 0) return members[0].Wait(task);
    const TaskId asked = request.Await();
    members[1].AddAndSubmit({.work = done.job(), .affinity = 1});
    done.Await();
    members[1].CompleteExternal(asked);
  }
  static void RunOuter(void* data) {
    auto& all = *static_cast<Named*>(data);
    all.members[0].Wait(all.members[0].Ask(all.request));
  }

  TaskId task;
  Request request;
  Flag done;
};
const Scenario<Named<false>> named({
    .name = "named",
    .promise = "a thread that waits is woken for a task with its name",
    .searches = {Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<Named<true>> named_in_task({
    .name = "named_in_task",
    .promise = "a thread that waits in a task is woken for a task with its name",
    .searches = {ContextBound(1).AtMost(50'000),
                 Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// A row of tasks with thread 0's name, each of which makes the next. Meanwhile a task of thread 0
// waits for another task. Every second look of this wait begins with the needed tasks.
struct TurnInTask {
  static constexpr int kThreads = 2;
  using Scheduler = TaskScheduler<ModelSync, One, 1, 2>;
  static constexpr int kRow = 6;

  TurnInTask() { outer = members[1].AddAndSubmit({.work = {&RunOuter, this}}); }
  void Thread(int t) {
    if (t == 0) members[0].Wait(outer);
  }
  static void RunOuter(void* data) {
    auto& all = *static_cast<TurnInTask*>(data);
    auto& here = all.members[0];
    const TaskId first = here.Add({.work = {&Step, data}, .affinity = 1});
    here.Wait(here.Add({.work = all.needed.job(), .dependency = first}));
  }
  static void Step(void* data) {
    auto& all = *static_cast<TurnInTask*>(data);
    all.steps.set(all.steps.get() + 1);
    if (all.steps.get() < kRow) {
      all.members[0].Add({.work = {&Step, data}, .affinity = 1});
    } else {
      Check(all.needed.mark.get() == 1,
            "a task that a wait needs is begun beside a row of named tasks");
    }
  }

  Scheduler scheduler{{.graph = {.capacity = 4, .threads = 2, .tag = 1}, .names = 1}};
  Member<Scheduler> members[2] = {{scheduler, 0, 1}, {scheduler, 1, 0}};
  TaskId outer;
  Work needed;
  ModelSync::plain<int> steps{0};
};
const Scenario<TurnInTask> turn_in_task({
    .name = "turn_in_task",
    .promise =
        "a task that a wait needs is begun before the end of a row of tasks with the thread's name",
    .searches = {Random(1'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Thread 1 has made two tasks with thread 0's name ready, the less urgent one first. A third one,
// for any thread, is between them.
struct NamedUrgent : Two<0, 0, One, 3> {
  NamedUrgent() {
    last = members[1].AddAndSubmit({.work = {&RunLast, this}, .priority = 2, .affinity = 1});
    members[1].AddAndSubmit({.work = between.job(), .priority = 1});
    members[1].AddAndSubmit({.work = urgent.job(), .priority = 0, .affinity = 1});
  }
  void Thread(int t) {
    if (t == 0) members[0].Wait(last);
  }
  static void RunLast(void* data) {
    auto& all = *static_cast<NamedUrgent*>(data);
    Check(all.urgent.mark.get() == 1,
          "of two tasks with a name the more urgent one is begun first");
    Check(all.between.mark.get() == 1, "a name makes no task more urgent than others");
  }

  Work urgent, between;
  TaskId last;
};
const Scenario<NamedUrgent> named_urgent({
    .name = "named_urgent",
    .promise = "tasks with a thread's name are begun by priority",
    .searches = {ContextBound(1), Random(100).DeferringStores().StaleExchanges().DeepHistory()},
});

// A task of the worker, thread 0, has made another task that it does not need, and waits for a
// device. The device looks for the other task before it answers; the worker may hold it at that
// moment.
struct PutBack : Two<1, -1, Stealing, 2> {
  PutBack() { outer = members[0].Add({.work = {&RunOuter, this}}); }
  void Thread(int t) {
    if (t == 0) return members[0].Wait(outer);
    const TaskId asked = request.Await();
    // relaxed: thread 1 has run the task itself.
    members[1].DoWorkWhileWaitingFor([this] { return done.load(std::memory_order::relaxed); });
    members[1].CompleteExternal(asked);
  }
  static void RunOuter(void* data) {
    auto& all = *static_cast<PutBack*>(data);
    auto& here = all.members[0];
    const TaskId asked = here.Ask(all.request);
    here.AddAndSubmit({.work = {&RunOther, data}});
    here.Wait(asked);
  }
  static void RunOther(void* data) {
    static_cast<PutBack*>(data)->done.store(true, std::memory_order::relaxed);
  }

  TaskId outer;
  Request request;
  ModelSync::atomic<bool> done{false};
};
const Scenario<PutBack> put_back({
    .name = "put_back",
    .promise =
        "a thread that looks for a task while its owner holds it is woken when it is put back",
    .searches = {ContextBound(1).AtMost(50'000),
                 Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
    .bounded = kTooMany,
});

// ---- Calls that are refused ----

// Thread 1 is refused a child of the device's task; meanwhile the device has done the task. Taking
// the child back completes it, and the task that thread 0 waits for may start. kLater: the child is
// made before.
template <bool kLater>
struct Refused : Two<0, -1, One, 2> {
  Refused() {
    parent = members[0].AddAndSubmit({.kind = TaskKind::kExternal});
    then = members[0].AddAndSubmit({.work = work.job(), .dependency = parent});
    if (kLater) child = members[1].Add({.dependency = then});
  }
  void Thread(int t) {
    if (t == 0) {
      members[0].CompleteExternal(parent);
      return members[0].Wait(then);
    }
    // kCycle, or the parent is complete.
    if (kLater) {
      Check(!members[1].AddChild(parent, child), "a cycle is refused");
    } else {
      Check(!members[1].TryAdd({.parent = parent, .dependency = then}), "a cycle is refused");
    }
  }
  void After() {
    members[1].Leave();
    Check(work.mark.get() == 1, kOnce);
  }

  Work work;
  TaskId parent, then, child;
};
const Scenario<Refused<false>> refused({
    .name = "refused",
    .promise = "the refusal of a new child notifies the waiters of the tasks that it completes",
    .searches = {ContextBound(1), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<Refused<true>> refused_later({
    .name = "refused_later",
    .promise = "the refusal of a child notifies the waiters of the tasks that it completes",
    .searches = {ContextBound(1), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// ---- Close ----

constexpr TaskShutdown kFinish = TaskShutdown::kFinish;
constexpr TaskShutdown kCancel = TaskShutdown::kCancel;

// A task is submitted; a worker and the closing thread find it.
template <TaskShutdown kHow>
struct CloseWithTask : Two<1> {
  CloseWithTask() { task = members[1].AddAndSubmit({.work = work.job()}); }
  void Thread(int t) {
    if (t == 0) return members[0].DoWork();
    members[1].Close(kHow);
    Check(IsComplete(task), kClosed);
    const int runs = work.mark.get();
    Check(runs == 1 || (runs == 0 && kHow == kCancel), kOnce);
  }

  Work work;
  TaskId task;
};
const Scenario<CloseWithTask<kFinish>> close_finish({
    .name = "close_finish",
    .promise = "a task that is still there is run before Close returns",
    .searches = {ContextBound(1), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<CloseWithTask<kCancel>> close_cancel({
    .name = "close_cancel",
    .promise = "a task that is still there is run or cancelled before Close returns",
    .searches = {ContextBound(1), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// The rounds are closed while a worker's task makes another one.
enum class Makes {
  kTask,    // for any thread
  kNamed,   // for a thread that does not exist
  kWaited,  // likewise, and its maker waits for it
};
template <Makes kMakes>
struct CloseMeanwhile : Two<1> {
  CloseMeanwhile() { outer = members[1].AddAndSubmit({.work = {&RunOuter, this}}); }
  void Thread(int t) {
    if (t == 0) return members[0].DoWork();
    begun.Await();
    members[1].Close(kFinish);
    Check(IsComplete(outer) && IsComplete(inner.get()), kClosed);
    Check(work.mark.get() == (kMakes == Makes::kTask ? 1 : 0), kOnce);
  }
  static void RunOuter(void* data) {
    auto& all = *static_cast<CloseMeanwhile*>(data);
    auto& here = all.here();
    const std::uint8_t affinity = kMakes == Makes::kTask ? 0 : 1;
    all.inner.set(here.Add({.work = all.work.job(), .affinity = affinity}));
    all.begun.Raise();
    if (kMakes == Makes::kWaited) here.Wait(all.inner.get());
  }

  Flag begun;
  Work work;
  TaskId outer;
  ModelSync::plain<TaskId> inner;
};
const Scenario<CloseMeanwhile<Makes::kTask>> close_meanwhile({
    .name = "close_meanwhile",
    .promise = "a task that a worker's last task has made is run before Close returns",
    .searches = {ContextBound(1).AtMost(50'000),
                 Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<CloseMeanwhile<Makes::kNamed>> close_named({
    .name = "close_named",
    .promise =
        "a task that a worker has made for an absent thread is cancelled before Close returns",
    .searches = {ContextBound(1).AtMost(50'000),
                 Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<CloseMeanwhile<Makes::kWaited>> close_waited({
    .name = "close_waited",
    .promise = "a thread that waits for an absent thread's task is woken when that is cancelled",
    .searches = {ContextBound(1).AtMost(50'000),
                 Random(50'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// A worker's last task makes a device's task ready. Thread 0 is the device, too, when its work as a
// worker has ended.
struct CloseWorkerDevice : Two<1> {
  CloseWorkerDevice() {
    const TaskId task = members[1].Add({.work = begun.job()});
    TaskDef def = request.def();
    def.dependency = task;
    asked = members[1].Add(def);
    request.Is(asked);
    members[1].Submit(task);
    members[1].Submit(asked);
  }
  void Thread(int t) {
    if (t == 0) {
      members[0].DoWork();
      members[0].CompleteExternal(request.Await());
      return;
    }
    begun.Await();
    members[1].Close(kFinish);
    Check(IsComplete(asked), kClosed);
  }

  Flag begun;
  Request request;
  TaskId asked;
};
const Scenario<CloseWorkerDevice> close_worker_device({
    .name = "close_worker_device",
    .promise = "Close waits for a device that a worker's last task has asked",
    .searches = {Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// A device has a task on which another task depends.
template <TaskShutdown kHow>
struct CloseDevice : Two<0> {
  CloseDevice() {
    external = members[0].AddAndSubmit({.kind = kKind});
    then = members[0].AddAndSubmit({.work = work.job(), .dependency = external});
  }
  void Thread(int t) {
    if (t == 1) {
      read.set(1);
      return members[1].Answer(external);
    }
    members[0].Close(kHow);
    Check(IsComplete(external) && IsComplete(then), kClosed);
    Check(read.get() == 1 && work.mark.get() == (kHow == kFinish ? 1 : 0), kOnce);
  }
  // kCancel waits for the pool's own devices alone.
  static constexpr TaskKind kKind = kHow == kFinish ? TaskKind::kExternal : TaskKind::kRequest;

  Work work;
  TaskId external, then;
  ModelSync::plain<int> read{0};
};
const Scenario<CloseDevice<kFinish>> close_device_finish({
    .name = "close_device_finish",
    .promise = "Close waits for a device, and runs the tasks that depend on it",
    .searches = {ContextBound(1), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<CloseDevice<kCancel>> close_device_cancel({
    .name = "close_device_cancel",
    .promise = "Close waits for a device, and cancels the tasks that depend on it",
    .searches = {ContextBound(1), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// A device that is not the pool's has a task on which another one depends. kAnswers: the device
// answers, perhaps too late; otherwise it never answers.
template <bool kAnswers>
struct CloseOut : Two<0> {
  CloseOut() {
    external = members[0].AddAndSubmit({.kind = TaskKind::kExternal});
    then = members[0].AddAndSubmit({.work = work.job(), .dependency = external});
  }
  void Thread(int t) {
    if (t == 1) {
      if (kAnswers) members[1].TryCompleteExternal(external);
      return;
    }
    members[0].Close(kCancel);
    Check(IsComplete(external) && IsComplete(then), kClosed);
    Check(work.mark.get() == 0, kOnce);
  }
  void After() {
    Check(!members[1].TryCompleteExternal(external), "an answer that comes after Close is stale");
  }

  Work work;
  TaskId external, then;
};
const Scenario<CloseOut<false>> close_out({
    .name = "close_out",
    .promise = "Close cancels the tasks of a device that never answers",
    .searches = {ContextBound(1), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<CloseOut<true>> close_answered({
    .name = "close_answered",
    .promise = "either Close or an answering device completes the task, not both",
    .searches = {ContextBound(1), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// A worker's task waits for an external task that is never answered. It may hand that task over
// after the closing thread has looked for such tasks.
struct CloseOutWaited : Two<1> {
  CloseOutWaited() { outer = members[1].AddAndSubmit({.work = {&RunOuter, this}}); }
  void Thread(int t) {
    if (t == 0) return members[0].DoWork();
    begun.Await();
    members[1].Close(kCancel);
    Check(IsComplete(outer) && IsComplete(external.get()), kClosed);
  }
  static void RunOuter(void* data) {
    auto& all = *static_cast<CloseOutWaited*>(data);
    auto& here = all.here();
    all.external.set(here.Add({.kind = TaskKind::kExternal}));
    all.begun.Raise();
    here.Wait(all.external.get());
  }

  Flag begun;
  TaskId outer;
  ModelSync::plain<TaskId> external;
};
const Scenario<CloseOutWaited> close_out_waited({
    .name = "close_out_waited",
    .promise = "Close cancels a task that a running task waits for and a device never answers",
    .searches = {ContextBound(1).AtMost(50'000),
                 Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// A worker hands over a task that another worker's task waits for. When it is complete, the waiting
// task uses the same data again.
struct CloseOutHandedOver {
  static constexpr int kThreads = 3;
  using Scheduler = TaskScheduler<ModelSync, One, 1>;

  CloseOutHandedOver() { outer = members[2].AddAndSubmit({.work = {&RunOuter, this}}); }
  void Thread(int t) {
    if (t < 2) return members[t].DoWork();
    begun.Await();
    members[2].Close(kCancel);
    Check(scheduler.graph().IsComplete(outer), kClosed);
  }
  static void RunOuter(void* data) {
    auto& all = *static_cast<CloseOutHandedOver*>(data);
    auto& here = all.members[ModelSync::ThreadSlot()];
    const TaskId first = here.Add({.work = all.begun.job()});
    const TaskId external =
        here.Add({.work = {&HandOver, data}, .dependency = first, .kind = TaskKind::kExternal});
    here.Submit(first);
    here.Submit(external);
    all.begun.Await();  // on the other worker
    here.Wait(external);
    all.used.set(2);
  }
  static void HandOver(void* data) { static_cast<CloseOutHandedOver*>(data)->used.set(1); }

  Scheduler scheduler{{.graph = {.capacity = 2, .threads = 3, .tag = 1}, .workers = 2}};
  Member<Scheduler> members[3] = {{scheduler, 0, 0}, {scheduler, 1, 0}, {scheduler, 2, 0}};
  Flag begun;
  TaskId outer;
  ModelSync::plain<int> used{0};
};
const Scenario<CloseOutHandedOver> close_out_handed_over({
    .name = "close_out_handed_over",
    .promise = "Close cancels no external task whose hand-over is still running",
    .searches = {ContextBound(1).AtMost(20'000),
                 Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
    .bounded = kTooMany,
});

// Of two tasks that devices have, one is answered while Close cancels the other: both are counted
// off.
struct CloseOneAnswered : Two<0> {
  CloseOneAnswered() {
    for (TaskId& task : out) task = members[0].AddAndSubmit({.kind = TaskKind::kExternal});
  }
  void Thread(int t) {
    if (t == 1) {
      members[1].TryCompleteExternal(out[0]);
      return;
    }
    members[0].Close(kCancel);
    Check(IsComplete(out[0]) && IsComplete(out[1]), kClosed);
  }

  TaskId out[2];
};
const Scenario<CloseOneAnswered> close_one_answered({
    .name = "close_one_answered",
    .promise = "Close returns when a device has answered one task and Close has cancelled another",
    .searches = {ContextBound(1), Random(1'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// One device completes its task. Meanwhile another thread submits a second device's task, completes
// it as that device, and closes the scheduler.
struct TwoDevices : Two<0> {
  TwoDevices() {
    tasks[0] = members[0].Add({.kind = TaskKind::kExternal});
    tasks[1] = members[1].AddAndSubmit({.kind = TaskKind::kExternal});
  }
  void Thread(int t) {
    if (t == 0) members[0].Submit(tasks[0]);
    members[t].CompleteExternal(tasks[t]);
    if (t == 1) return;
    members[0].Close(kFinish);
    Check(IsComplete(tasks[0]) && IsComplete(tasks[1]), kClosed);
  }

  TaskId tasks[2];
};
const Scenario<TwoDevices> two_devices({
    .name = "two_devices",
    .promise = "Close waits for each of two devices",
    .searches = {ContextBound(2), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Thread 0 shuts down while thread 1 holds a task with thread 0's name, a child of another task on
// which a third depends. Only thread 1 is left to complete any of them.
struct AfterClose : Two<0, 0, One, 3> {
  AfterClose() {
    parent = members[0].AddAndSubmit({.work = ran.job()});
    then = members[0].AddAndSubmit({.work = work.job(), .dependency = parent});
    held = members[1].Add({.work = work.job(), .parent = parent, .affinity = 1});
  }
  void Thread(int t) {
    if (t == 0) {
      members[0].Close(kFinish);
      return closed.Tell(parent);
    }
    static_cast<void>(closed.Await());
    Check(!members[1].TryWait(held), kRefused);
    Check(!members[1].TryWait(then), kRefused);
    members[1].Leave();
    Check(
        IsComplete(held) && IsComplete(parent) && IsComplete(then),
        "a thread that leaves after Close completes its held tasks and those that waited for them");
    Check(ran.mark.get() == 1 && work.mark.get() == 0, kOnce);
    Check(members[1].TryWait(then), "a wait for a complete task is not refused");
  }
  static constexpr const char* kRefused = "a wait after Close is refused";

  Work ran, work;
  TaskId parent, then, held;
  Told closed;
};
const Scenario<AfterClose> after_close({
    .name = "after_close",
    .promise =
        "after Close no wait is for a task that stays undone, and leaving cancels such tasks",
    .searches = {ContextBound(2), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

}  // namespace
}  // namespace nowait
