// Model of src/jobs/task_scheduler.h, with the graph, the queues and the event count under it:
// waits outside tasks, and calls that are refused.
#include <atomic>
#include <cstdint>

#include "models/jobs/scheduler_scenario.h"
#include "models/kit/scenario/model.h"
#include "src/jobs/job_list.h"

namespace nowait {
namespace {

using model::ContextBound;
using model::Random;
using model::Scenario;

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
template <bool kGroup>
struct CancelledWhileWaiting : Two<0> {
  CancelledWhileWaiting() { task = members[0].AddAndSubmit({.work = work.job(), .affinity = 1}); }
  void Thread(int t) {
    if (t == 0) return members[0].Wait(task);
    const bool cancelled = kGroup ? members[1].CancelGroup(task) == 1 : members[1].Cancel(task);
    Check(cancelled, "no thread could start it");
  }
  void After() { Check(work.mark.get() == 0, kOnce); }

  Work work;
  TaskId task;
};
const Scenario<CancelledWhileWaiting<false>> cancelled_while_waiting({
    .name = "cancelled_while_waiting",
    .promise = "a thread that waits for a cancelled task is woken",
    .searches = {ContextBound(2), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<CancelledWhileWaiting<true>> group_cancelled_while_waiting({
    .name = "group_cancelled_while_waiting",
    .promise = "a thread that waits for a task of a cancelled group is woken",
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

}  // namespace
}  // namespace nowait
