// Model of src/jobs/task_scheduler.h, with the graph, the queues and the event count under it:
// Close, and what comes after it.
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

// A worker's task waits for one with the closing thread's name, which depends on a list. The worker
// starts the list, sees that it is to cancel, and completes the list without its job. The closing
// thread may have gone to sleep by then; it alone cancels the task with its name.
struct CloseListBeforeNamed : Two<1, 1, One, 3> {
  CloseListBeforeNamed() {
    Check(list.Add(work.job()).has_value(), "there is room for a job");
    outer = members[1].AddAndSubmit({.work = {&RunOuter, this}});
  }
  void Thread(int t) {
    if (t == 0) return members[0].DoWork();
    begun.Await();
    members[1].Close(kCancel);
    Check(IsComplete(outer) && IsComplete(named.get()), kClosed);
    Check(work.mark.get() <= 1 && second.mark.get() == 0, kOnce);
  }
  static void RunOuter(void* data) {
    auto& all = *static_cast<CloseListBeforeNamed*>(data);
    auto& here = all.here();
    const TaskId first = here.AddList(all.list);
    all.named.set(here.Add({.work = all.second.job(), .dependency = first, .affinity = 1}));
    all.begun.Raise();
    here.Wait(all.named.get());
  }

  JobList<ModelSync> list{1};
  Flag begun;
  Work work, second;
  TaskId outer;
  ModelSync::plain<TaskId> named;
};
const Scenario<CloseListBeforeNamed> close_list_before_named({
    .name = "close_list_before_named",
    .promise = "a closing thread that sleeps is woken for a task that depends on a cancelled list",
    .searches = {ContextBound(1).AtMost(50'000),
                 Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
    .bounded = "more than 1,600,000 executions, about 46% of the search",
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
    .bounded = "more than 1,600,000 executions, about 0.1% of the search",
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
