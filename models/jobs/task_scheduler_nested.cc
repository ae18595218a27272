// Model of src/jobs/task_scheduler.h, with the graph, the queues and the event count under it:
// waits inside a task.
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
    .bounded = "more than 820,000 executions, about 68% of the search",
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
});

}  // namespace
}  // namespace nowait
