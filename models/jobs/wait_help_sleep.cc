// Model of how waiting, helping and sleeping work together in src/jobs/task_scheduler.h: each
// scenario goes through several of the ways in which one thread wakes another.
//
// Promise checked: a thread that sleeps in a wait, outside tasks or in one, is woken for every task
// that its neighbour submits by waiting, by leaving or by closing, or makes ready by the end of a
// task or by a device's answer, and for every event that it announces by Wake. Only the sleeper can
// do the work that it is woken for, or the other thread waits for the sleeper in turn. A lost
// wake-up, or work that the sleeper does not find, is therefore a deadlock.
//
// Here the parts come together that task_scheduler examines one by one (a task, a device, a name, a
// child, a list, Wake, Leave, Close).
//
// Examined: every execution of two threads with up to seven tasks, except those of a worker
// beside a thread that closes, of which there are too many. The tasks that may start lie in one
// word (models/jobs/tray.h): over the engine's queues there would be far more executions of the
// same steps.
#include <atomic>
#include <cstdint>

#include "models/jobs/scheduler_scenario.h"
#include "models/jobs/tray.h"
#include "models/kit/program/call.h"
#include "models/kit/scenario/model.h"
#include "src/jobs/job_list.h"
#include "src/jobs/task_def.h"
#include "src/jobs/task_id.h"
#include "src/jobs/task_scheduler.h"

namespace nowait {
namespace {

using model::ContextBound;
using model::Random;
using model::Scenario;

// Two threads, of which the first kWorkers are workers. kNamed: the thread with a name, if any.
// kRoom: the number of tasks, besides one in each thread's store.
template <int kWorkers, int kNamed, std::uint32_t kRoom>
using Pair = Two<kWorkers, kNamed, Tray, kRoom>;

// ---- A wait beside another wait ----

// Thread 0's task waits for a device. By that it submits a second task, which it does not need for
// the wait. Thread 1 waits for the second task, and answers as the device while it runs that.
struct WaitBesideWait : Pair<0, -1, 2> {
  WaitBesideWait() { outer = members[0].Add({.work = {&RunOuter, this}}); }
  void Thread(int t) {
    members[t].Wait(t == 0 ? outer : second.Await());
    Check(work.mark.get() == 1, kSeen);
  }
  static void RunOuter(void* data) {
    auto& all = *static_cast<WaitBesideWait*>(data);
    auto& here = all.members[0];
    const TaskId asked = here.Add({.kind = TaskKind::kExternal});
    all.asked.set(asked);
    all.second.Tell(here.Add({.work = {&Answer, data}}));
    here.Wait(asked);
    Check(all.work.mark.get() == 1, kSeen);
  }
  static void Answer(void* data) {
    auto& all = *static_cast<WaitBesideWait*>(data);
    Work::Run(&all.work);
    all.members[1].CompleteExternal(all.asked.get());
  }

  TaskId outer;
  Told second;
  ModelSync::plain<TaskId> asked;
  Work work;
};
const Scenario<WaitBesideWait> wait_beside_wait({
    .name = "wait_beside_wait",
    .promise =
        "of two waiting threads one is woken for the other's submission, and the other by its end",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// ---- A list beside a wait ----

// Thread 1's task waits for a list of one job. It runs the job itself, and submits another task by
// it. The job goes on, in serial code, when thread 0 has done the other task, for which it waits.
struct BesideListInTask : Pair<0, -1, 3> {
  BesideListInTask() {
    Check(list.Add({&AwaitIt, this}).has_value(), "there is room for a job");
    outer = members[1].Add({.work = {&RunOuter, this}});
  }
  void Thread(int t) { members[t].Wait(t == 0 ? beside.Await() : outer); }
  static void RunOuter(void* data) {
    auto& all = *static_cast<BesideListInTask*>(data);
    auto& here = all.here();
    all.beside.Tell(here.Add({.work = all.done.job()}));
    here.Wait(here.AddList(all.list));
  }
  static void AwaitIt(void* all) { static_cast<BesideListInTask*>(all)->done.Await(); }

  JobList<ModelSync> list{1};
  Flag done;
  TaskId outer;
  Told beside;
};
const Scenario<BesideListInTask> beside_list_in_task({
    .name = "beside_list_in_task",
    .promise = "a sleeper is woken for a task that a task's wait for a list of one job submits",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// ---- Work that a sleeper in a task finds through the graph ----

// Thread 0's task waits for a task on which two others depend: a device's, and one that makes a
// group with a last task in it. The group has the slot of the first awaited task. Then thread 0's
// task waits for the parent of those two. Only thread 0 can run the last task; the device, thread
// 1, answers after it.
struct SlotIsReused : Pair<0, -1, 4> {
  SlotIsReused() { outer = members[0].Add({.work = {&RunOuter, this}}); }
  void Thread(int t) {
    if (t == 0) return members[0].Wait(outer);
    last.Await();
    members[1].CompleteExternal(request.Await());
  }
  static void RunOuter(void* data) {
    auto& all = *static_cast<SlotIsReused*>(data);
    auto& here = all.members[0];
    const TaskId whole = here.Add({});
    const TaskId first = here.Add({.work = all.work.job()});
    all.first.set(first);
    here.Add({.work = {&Make, data}, .parent = whole, .dependency = first});
    TaskDef def = all.request.def();
    def.parent = whole;
    def.dependency = first;
    all.request.Is(here.Add(def));
    here.Wait(first);
    here.Wait(whole);
  }
  static void Make(void* data) {
    auto& all = *static_cast<SlotIsReused*>(data);
    auto& here = all.members[0];
    const TaskId group = here.Add({.parent = here.current()});
    Check(group.slot() == all.first.get().slot(), "a completed task's slot is used again");
    here.Add({.work = all.last.job(), .parent = group});
  }

  TaskId outer;
  ModelSync::plain<TaskId> first;
  Request request;
  Work work;
  Flag last;
};
const Scenario<SlotIsReused> slot_is_reused({
    .name = "slot_is_reused",
    .promise =
        "a thread that waits in a task finds work below a group in a completed dependency's slot",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Thread 0 falls asleep in a task's wait for a task that depends on a device; thread 1 is the
// device.
struct AnswerInTask : Pair<0, -1, 2> {
  AnswerInTask() { outer = members[0].Add({.work = {&RunOuter, this}}); }
  void Thread(int t) {
    if (t == 0) return members[0].Wait(outer);
    const TaskId asked = request.Await();
    read.set(1);
    members[1].CompleteExternal(asked);
  }
  static void RunOuter(void* data) {
    auto& all = *static_cast<AnswerInTask*>(data);
    auto& here = all.members[0];
    const TaskId asked = here.Ask(all.request);
    here.Wait(here.Add({.work = {&Use, data}, .dependency = asked}));
    Check(all.used.get() == 1, kSeen);
  }
  static void Use(void* data) {
    auto& all = *static_cast<AnswerInTask*>(data);
    all.used.set(all.used.get() + all.read.get());
  }

  TaskId outer;
  Request request;
  ModelSync::plain<int> read{0}, used{0};
};
const Scenario<AnswerInTask> answer_in_task({
    .name = "answer_in_task",
    .promise =
        "a thread that falls asleep in a task is woken to run a task that an answer makes ready",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// ---- Names ----

// Thread 0, which has a name, waits in a task for a device. The end of a task that thread 1 runs
// makes a task with that name ready, which answers for the device.
struct NamedByEnd : Pair<0, 0, 3> {
  NamedByEnd() {
    outer = members[0].Add({.work = {&RunOuter, this}});
    first = members[1].Add({.work = work.job()});
    members[1].Add({.work = {&Answer, this}, .dependency = first, .affinity = 1});
  }
  void Thread(int t) {
    if (t == 0) return members[0].Wait(outer);
    asked.set(request.Await());
    members[1].Wait(first);
  }
  static void RunOuter(void* data) {
    auto& all = *static_cast<NamedByEnd*>(data);
    all.members[0].Wait(all.members[0].Ask(all.request));
  }
  static void Answer(void* data) {
    auto& all = *static_cast<NamedByEnd*>(data);
    Check(ModelSync::ThreadSlot() == 0, "a task with a thread's name runs on that thread");
    all.members[0].CompleteExternal(all.asked.get());
  }

  TaskId outer, first;
  Request request;
  ModelSync::plain<TaskId> asked;
  Work work;
};
const Scenario<NamedByEnd> named_by_end({
    .name = "named_by_end",
    .promise =
        "a sleeper in a task is woken for a task with its name that a task's end makes ready",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// ---- Events ----

// Each thread helps until the other one has raised an event, first one thread and then the other.
struct EventsInTurn : Pair<0, -1, 1> {
  void Thread(int t) {
    // relaxed, all: Wake publishes it.
    const auto happen = [this](int which) {
      it[which].store(true, std::memory_order::relaxed);
      const Call call("Wake");
      scheduler.Wake();
    };
    if (t == 0) happen(0);
    members[t].DoWorkWhileWaitingFor(
        [this, t] { return it[1 - t].load(std::memory_order::relaxed); });
    if (t == 1) happen(1);
  }

  ModelSync::atomic<bool> it[2];
};
const Scenario<EventsInTurn> events_in_turn({
    .name = "events_in_turn",
    .promise = "of two threads that wait for each other's event each is woken",
    .searches = {ContextBound(2), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Thread 1 helps until thread 0 has raised an event.
struct OneEvent : Pair<0, -1, 1> {
  void Thread(int t) {
    if (t == 1) {
      // relaxed, both: Wake publishes it.
      members[1].DoWorkWhileWaitingFor([this] { return it.load(std::memory_order::relaxed); });
      return;
    }
    it.store(true, std::memory_order::relaxed);
    members[0].Wake();
  }

  ModelSync::atomic<bool> it{false};
};
const Scenario<OneEvent> one_event({
    .name = "one_event",
    .promise = "a thread that helps until an event is woken by it",
    .searches = {ContextBound(2), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Thread 0 helps until an event has happened, and submits by that a task with the name of thread 1,
// which waits for the task. The task raises the event.
struct LetGoByHelping : Pair<0, 1, 1> {
  LetGoByHelping() { task = members[0].Add({.work = {&Happen, this}, .affinity = 1}); }
  void Thread(int t) {
    if (t == 1) return members[1].Wait(task);
    // relaxed: Wake publishes it.
    members[0].DoWorkWhileWaitingFor([this] { return it.load(std::memory_order::relaxed); });
  }
  static void Happen(void* data) {
    auto& all = *static_cast<LetGoByHelping*>(data);
    all.it.store(true, std::memory_order::relaxed);
    all.scheduler.Wake();
  }

  TaskId task;
  ModelSync::atomic<bool> it{false};
};
const Scenario<LetGoByHelping> let_go_by_helping({
    .name = "let_go_by_helping",
    .promise =
        "a thread that helps until an event submits its held tasks, and their event wakes it",
    .searches = {ContextBound(1), Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// Thread 0 submits two tasks by helping. The first waits for the second in serial code: thread 1,
// which waits and may be asleep, has to be woken for one of them.
struct SubmittedByHelping : Pair<0, -1, 2> {
  SubmittedByHelping() {
    first = members[0].Add({.work = {&AwaitSecond, this}});
    members[0].Add({.work = second.job()});
  }
  void Thread(int t) {
    if (t == 1) return members[1].Wait(first);
    // relaxed: Wake publishes it.
    members[0].DoWorkWhileWaitingFor([this] { return it.load(std::memory_order::relaxed); });
  }
  static void AwaitSecond(void* data) {
    auto& all = *static_cast<SubmittedByHelping*>(data);
    all.second.Await();
    all.it.store(true, std::memory_order::relaxed);
    all.scheduler.Wake();
  }

  TaskId first;
  Flag second;
  ModelSync::atomic<bool> it{false};
};
const Scenario<SubmittedByHelping> submitted_by_helping({
    .name = "submitted_by_helping",
    .promise = "a waiter is woken for a task that a thread submits by helping until an event",
    .searches = {ContextBound(1), Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
});

// ---- A child of an awaited task ----

// Thread 0's task waits for a device, thread 1. Thread 1 gives the device's task a child, which
// answers for the device. It lets go of the child: by leaving, or by closing the scheduler, of
// which thread 0 is a worker then.
template <bool kCloses>
struct ChildLetGo : Pair<kCloses, -1, 2> {
  ChildLetGo() {
    outer = this->members[kCloses].Add({.work = {&RunOuter, this}});
    if (kCloses) this->members[1].Submit(outer);
  }
  void Thread(int t) {
    auto& here = this->members[t];
    if (t == 0) return kCloses ? here.DoWork() : here.Wait(outer);
    asked.set(request.Await());
    here.Add({.work = {&Answer, this}, .parent = asked.get()});
    if (!kCloses) return here.Leave();
    here.Close(TaskShutdown::kFinish);
    Check(this->IsComplete(outer), kClosed);
  }
  void After() { Check(child.mark.get() == 1, kOnce); }

  static void RunOuter(void* data) {
    auto& all = *static_cast<ChildLetGo*>(data);
    all.members[0].Wait(all.members[0].Ask(all.request));
    Check(all.child.mark.get() == 1, kSeen);
  }
  static void Answer(void* data) {
    auto& all = *static_cast<ChildLetGo*>(data);
    Work::Run(&all.child);
    all.here().CompleteExternal(all.asked.get());
  }

  TaskId outer;
  Request request;
  ModelSync::plain<TaskId> asked;
  Work child;
};
const Scenario<ChildLetGo<false>> child_by_leaving({
    .name = "child_by_leaving",
    .promise = "a thread that sleeps in a task is woken for a task that another submits by leaving",
    .searches = {Random(10'000).DeferringStores().StaleExchanges().DeepHistory()},
});
const Scenario<ChildLetGo<true>> child_by_closing({
    .name = "child_by_closing",
    .promise =
        "a worker that sleeps in a task is woken for a task that Close submits, and ends its work",
    .searches = {ContextBound(1).AtMost(50'000),
                 Random(20'000).DeferringStores().StaleExchanges().DeepHistory()},
    .bounded = "more than 1,200,000 executions, about 15% of the search",
});

}  // namespace
}  // namespace nowait
