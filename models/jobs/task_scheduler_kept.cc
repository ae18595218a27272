// Model of src/jobs/task_scheduler.h, with the graph, the queues and the event count under it:
// tasks and items that a thread keeps, and tasks that it pushes together.
#include <atomic>
#include <cstdint>

#include "models/jobs/scheduler_scenario.h"
#include "models/kit/scenario/model.h"
#include "src/jobs/work_stealing.h"

namespace nowait {
namespace {

using model::ContextBound;
using model::Random;
using model::Scenario;

using Stealing = WorkStealing<ModelSync, 2>;

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

// The second task may be cancelled while the thread that has run the first one keeps it: then it is
// that thread that completes it.
struct KeptCancelled : Two<0, -1, One, 2> {
  KeptCancelled() {
    first = members[0].Add({.work = work[0].job()});
    second = members[0].Add({.work = work[1].job(), .dependency = first});
    members[0].Leave();
  }
  void Thread(int t) {
    if (t == 0) return members[0].Wait(second);
    cancelled.set(members[1].Cancel(second) ? 1 : 0);
  }
  void After() { Check(work[1].mark.get() == 1 - cancelled.get(), kOnce); }

  Work work[2];
  ModelSync::plain<int> cancelled{0};
  TaskId first, second;
};
const Scenario<KeptCancelled> kept_cancelled({
    .name = "kept_cancelled",
    .promise = "a task that is cancelled while a thread keeps it is completed",
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
});
const Scenario<KeptItems<true>> kept_items_in_task({
    .name = "kept_items_in_task",
    .promise = "the same in a task",
    .searches = {ContextBound(1).AtMost(10'000),
                 Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
    .bounded = "more than 770,000 executions, about 14% of the search",
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
});
const Scenario<KeptItemsAtEnd<true>> kept_items_at_end_in_task({
    .name = "kept_items_at_end_in_task",
    .promise = "the same in a task",
    .searches = {ContextBound(1).AtMost(10'000),
                 Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
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
    .bounded = "474,376 executions, each of which a mutation would examine again",
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

}  // namespace
}  // namespace nowait
