// Model of src/jobs/task_scheduler.h, with the graph, the queues and the event count under it:
// workers are woken for tasks, for idempotent ones and for the end.
#include <atomic>
#include <cstdint>

#include "models/jobs/scheduler_scenario.h"
#include "models/kit/scenario/model.h"
#include "src/jobs/idempotent_job.h"

namespace nowait {
namespace {

using model::ContextBound;
using model::Random;
using model::Scenario;

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
    .bounded = "more than 1,100,000 executions, about 0.8% of the search",
});

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

}  // namespace
}  // namespace nowait
