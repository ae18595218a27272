// Model of src/jobs/task_scheduler.h, with the graph, the queues and the event count under it:
// waits that give up, and waits that help only from a priority upwards.
#include <atomic>
#include <cstdint>

#include "models/jobs/scheduler_scenario.h"
#include "models/kit/scenario/model.h"
#include "src/jobs/job_list.h"
#include "src/jobs/scheduler_state.h"

namespace nowait {
namespace {

using model::ContextBound;
using model::Random;
using model::Scenario;

// A clock's stand-in: another thread says that the time is over.
class Over {
 public:
  // relaxed, both: Wake publishes it.
  void Say() { over_.store(true, std::memory_order::relaxed); }
  WaitBound bound() const {
    return {.gives_up = [](const void* over) { return static_cast<const Over*>(over)->Is(); },
            .data = this};
  }

 private:
  bool Is() const { return over_.load(std::memory_order::relaxed); }
  ModelSync::atomic<bool> over_{false};
};

// Thread 0 waits for a device, outside tasks or in one, until its time is over. The device, thread
// 1, answers when thread 0 has given up, or before; then thread 0 waits without a bound.
template <bool kInTask, bool kAnswers>
struct GivenUp : Two<0, -1, One, 2> {
  GivenUp() {
    asked = members[0].AddAndSubmit({.kind = TaskKind::kExternal});
    task = kInTask ? members[0].Add({.work = {&RunOuter, this}}) : asked;
  }
  void Thread(int t) {
    if (t == 1) return Answer();
    if (kInTask) {
      members[0].Wait(task);
    } else {
      WaitTwice(asked);
    }
  }
  void Answer() {
    const TaskId of = kInTask ? inner.Await() : asked;
    if (kAnswers) members[1].CompleteExternal(of);
    over.Say();
    members[1].Wake();
    if (kAnswers) return;
    gave_up.Await();
    members[1].CompleteExternal(of);
  }
  static void RunOuter(void* data) {
    auto& all = *static_cast<GivenUp*>(data);
    const TaskId made = all.members[0].AddAndSubmit({.kind = TaskKind::kExternal});
    all.inner.Tell(made);
    all.WaitTwice(made);
  }
  void WaitTwice(TaskId of) {
    if (!members[0].WaitWithin(of, over.bound())) gave_up.Raise();
    members[0].Wait(of);
  }
  void After() {
    if (kInTask) members[1].CompleteExternal(asked);
  }

  Over over;
  Flag gave_up;
  TaskId asked, task;
  Told inner;
};
const Scenario<GivenUp<false, false>> given_up({
    .name = "given_up",
    .promise = "a wait whose time is over is woken, and gives up; a later one ends",
    .searches = {ContextBound(2), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<GivenUp<true, false>> given_up_in_task({
    .name = "given_up_in_task",
    .promise = "the same in a task",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<GivenUp<false, true>> given_up_or_answered({
    .name = "given_up_or_answered",
    .promise = "a wait returns whether its time is over or its task is complete first",
    .searches = {ContextBound(2), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Thread 0 waits for the second of two tasks of low priority, and helps only with urgent ones. The
// first task, in serial code, waits until thread 0 has returned: thread 1 runs it.
struct UrgentOnly : Two<0, -1, One, 2> {
  UrgentOnly() {
    first = members[0].AddAndSubmit({.work = {&AwaitIt, this}, .priority = 2});
    second = members[0].AddAndSubmit({.work = work.job(), .priority = 2});
  }
  void Thread(int t) {
    if (t == 1) return members[1].Wait(first);
    Check(members[0].WaitWithin(second, {.least = 0}), "it has no time");
    Check(work.mark.get() == 1, kSeen);
    returned.Raise();
  }
  static void AwaitIt(void* all) { static_cast<UrgentOnly*>(all)->returned.Await(); }

  Work work;
  Flag returned;
  TaskId first, second;
};
const Scenario<UrgentOnly> urgent_only({
    .name = "urgent_only",
    .promise =
        "a wait that helps from a priority upwards runs its own task, and no less urgent one",
    .searches = {ContextBound(1), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Thread 1 has made an urgent task, which only thread 0 can run while thread 1 waits for it in
// serial code. Thread 0 waits, from that priority upwards, for a device that answers afterwards.
struct UrgentIsRun : Two<0> {
  UrgentIsRun() { asked = members[0].Ask(request); }
  void Thread(int t) {
    if (t == 0) {
      Check(members[0].WaitWithin(asked, {.least = 0}), "it has no time");
      return;
    }
    const TaskId of = request.Await();
    members[1].AddAndSubmit({.work = done.job()});
    done.Await();
    members[1].CompleteExternal(of);
  }

  Request request;
  Flag done;
  TaskId asked;
};
const Scenario<UrgentIsRun> urgent_is_run({
    .name = "urgent_is_run",
    .promise = "a wait that helps from a priority upwards is woken for a task of that priority",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Thread 1 begins a list of low priority, and leaves it in the middle when its own awaited task is
// complete. Thread 0 needs the list, and helps only with urgent tasks.
struct NeededList : Two<0, 1, One, 3> {
  NeededList() {
    Check(list.Add({&Complete, this}).has_value() && list.Add(work.job()).has_value(),
          "there is room for two jobs");
    asked = members[1].AddAndSubmit({.kind = TaskKind::kExternal});
    whole = members[1].AddList(list, {.priority = 2});
    members[1].Submit(whole);
  }
  void Thread(int t) {
    if (t == 1) return members[1].Wait(asked);
    begun.Await();
    Check(members[0].WaitWithin(whole, {.least = 0}), "it has no time");
    Check(work.mark.get() == 1, kSeen);
  }
  // The first job, on thread 1.
  static void Complete(void* data) {
    auto& all = *static_cast<NeededList*>(data);
    all.members[1].CompleteExternal(all.asked);
    all.begun.Raise();
  }

  JobList<ModelSync> list{2};
  Work work;
  Flag begun;
  TaskId asked, whole;
};
const Scenario<NeededList> needed_list({
    .name = "needed_list",
    .promise = "a wait that helps from a priority upwards runs the jobs of a list that it needs",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// A row of urgent tasks, each of which makes the next. Meanwhile thread 0, outside tasks, waits for
// a less urgent one. Every second look of this wait begins with the needed tasks.
struct TurnBesideUrgent {
  static constexpr int kThreads = 2;
  using Scheduler = TaskScheduler<ModelSync, One, 1, 2>;
  static constexpr int kRow = 6;

  TurnBesideUrgent() {
    awaited = members[1].AddAndSubmit({.work = work.job(), .priority = 2});
    members[1].AddAndSubmit({.work = {&Step, this}});
  }
  void Thread(int t) {
    if (t == 0) Check(members[0].WaitWithin(awaited, {.least = 0}), "it has no time");
  }
  static void Step(void* data) {
    auto& all = *static_cast<TurnBesideUrgent*>(data);
    all.steps.set(all.steps.get() + 1);
    if (all.steps.get() < kRow) {
      all.members[0].Add({.work = {&Step, data}});
    } else {
      Check(all.work.mark.get() == 1,
            "a task that a wait needs is begun beside a row of urgent ones");
    }
  }

  Scheduler scheduler{{.graph = {.capacity = 4, .threads = 2, .tag = 1}, .names = 1}};
  Member<Scheduler> members[2] = {{scheduler, 0, 1}, {scheduler, 1, 0}};
  TaskId awaited;
  Work work;
  ModelSync::plain<int> steps{0};
};
const Scenario<TurnBesideUrgent> turn_beside_urgent({
    .name = "turn_beside_urgent",
    .promise = "a task that a wait needs is begun before the end of a row of urgent tasks",
    .searches = {Random(1'000).DeferringStores().StaleExchanges().DeepHistory()},
});

}  // namespace
}  // namespace nowait
