// Model of src/jobs/task_scheduler.h, with the graph, the queues and the event count under it:
// tasks for workers with names, while the scheduler is closed.
#include <cstdint>

#include "models/jobs/scheduler_scenario.h"
#include "models/kit/scenario/model.h"
#include "src/jobs/task_def.h"
#include "src/jobs/task_scheduler.h"

namespace nowait {
namespace {

using model::ContextBound;
using model::Random;
using model::Scenario;

// Threads 0 .. kWorkers-1 are the workers, each with a name; member 2 closes.
template <std::uint32_t kWorkers>
struct NamedWorkers {
  using Scheduler = TaskScheduler<ModelSync, One, 1>;
  static constexpr std::uint8_t NameOf(int worker) { return static_cast<std::uint8_t>(worker + 1); }

  bool IsComplete(TaskId task) const { return scheduler.graph().IsComplete(task); }
  void Close() {
    begun.Await();
    members[2].Close(TaskShutdown::kFinish);
  }
  // A task's work: it makes a task for a worker, and waits for it.
  void MakeAndAwait(int worker) {
    auto& here = members[ModelSync::ThreadSlot()];
    inner.set(here.Add({.work = work.job(), .affinity = NameOf(worker)}));
    begun.Raise();
    here.Wait(inner.get());
  }

  Scheduler scheduler{{.graph = {.capacity = 2, .threads = 3, .tag = 1},
                       .workers = kWorkers,
                       .named_workers = static_cast<std::uint8_t>(kWorkers)}};
  Member<Scheduler> members[3] = {
      {scheduler, 0, NameOf(0)}, {scheduler, 1, kWorkers == 2 ? NameOf(1) : 0}, {scheduler, 2, 0}};
  Flag begun;
  Work work;
  TaskId outer;
  ModelSync::plain<TaskId> inner;
};

// The closing thread holds a task for the worker, which may see the closing before that task.
struct CloseForWorker : NamedWorkers<1> {
  static constexpr int kThreads = 2;

  CloseForWorker() { outer = members[2].Add({.work = work.job(), .affinity = NameOf(0)}); }
  void Thread(int t) {
    if (t == 0) return members[0].DoWork();
    members[2].Close(TaskShutdown::kFinish);
    Check(IsComplete(outer), kClosed);
    Check(work.mark.get() == 1, "a task that was ready for a worker before Close is run");
  }
};
const Scenario<CloseForWorker> close_for_worker({
    .name = "close_for_worker",
    .promise = "a task that a worker alone may run, and that Close submits, is run by it",
    .searches = {ContextBound(1), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// A worker's task waits for a task of the second worker, which is gone.
struct CloseAfterWorker : NamedWorkers<2> {
  static constexpr int kThreads = 2;

  CloseAfterWorker() {
    scheduler.WorkersGone(1);
    outer = members[2].AddAndSubmit({.work = {&RunOuter, this}});
  }
  void Thread(int t) {
    if (t == 0) return members[0].DoWork();
    Close();
    Check(IsComplete(outer) && IsComplete(inner.get()), kClosed);
    Check(work.mark.get() == 0, kOnce);
  }
  static void RunOuter(void* data) { static_cast<CloseAfterWorker*>(data)->MakeAndAwait(1); }
};
const Scenario<CloseAfterWorker> close_after_worker({
    .name = "close_after_worker",
    .promise = "a thread that waits for a gone worker's task is woken when that is cancelled",
    .searches = {ContextBound(1).AtMost(20'000),
                 Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// The task of one of two workers waits for a task of the other one, which finds nothing to do and
// sees that the scheduler closes.
struct CloseBesideWorker : NamedWorkers<2> {
  static constexpr int kThreads = 3;

  CloseBesideWorker() { outer = members[2].AddAndSubmit({.work = {&RunOuter, this}}); }
  void Thread(int t) {
    if (t < 2) return members[t].DoWork();
    Close();
    Check(IsComplete(outer) && IsComplete(inner.get()), kClosed);
    Check(work.mark.get() <= 1, kOnce);
  }
  static void RunOuter(void* data) {
    static_cast<CloseBesideWorker*>(data)->begun.Raise();
    static_cast<CloseBesideWorker*>(data)->MakeAndAwait(1 - ModelSync::ThreadSlot());
  }
};
const Scenario<CloseBesideWorker> close_beside_worker({
    .name = "close_beside_worker",
    .promise = "a worker that leaves while another one's task needs it leaves that to Close",
    .searches = {ContextBound(1).AtMost(20'000),
                 Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
    .bounded = "more than 830,000 executions, about 0.9% of the search",
});

}  // namespace
}  // namespace nowait
