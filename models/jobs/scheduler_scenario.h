// Shared by the scenarios of task_scheduler and those of other models over the same source: tasks'
// work, devices, and threads with their part of the scheduler, whose calls are checked and named.
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
#ifndef NOWAIT_MODELS_JOBS_SCHEDULER_SCENARIO_H_
#define NOWAIT_MODELS_JOBS_SCHEDULER_SCENARIO_H_

#include <atomic>
#include <cstdint>

#include "models/kit/program/call.h"
#include "models/kit/scenario/model.h"
#include "src/base/result.h"
#include "src/jobs/global_queue.h"
#include "src/jobs/idempotent_job.h"
#include "src/jobs/job.h"
#include "src/jobs/job_list.h"
#include "src/jobs/task_def.h"
#include "src/jobs/task_id.h"
#include "src/jobs/task_scheduler.h"

namespace nowait {

using model::Call;
using model::Check;

using One = GlobalQueue<ModelSync>;

inline constexpr const char* kOnce = "each task is run once or cancelled";
inline constexpr const char* kSeen = "a task's work is seen after the wait";
inline constexpr const char* kClosed = "after Close all tasks are complete";

// A task's work leaves a mark.
struct Work {
  static void Run(void* data) {
    auto& mark = static_cast<Work*>(data)->mark;
    mark.set(mark.get() + 1);
  }
  Job job() { return {&Run, this}; }
  ModelSync::plain<int> mark{0};
};

// An event that serial code waits for without helping.
class Flag {
 public:
  // relaxed, both: a thread that has waited learns nothing else by it.
  void Raise() {
    raised_.store(true, std::memory_order::relaxed);
    raised_.notify_all();
  }
  void Await() { raised_.wait(false, std::memory_order::relaxed); }
  // A task's work.
  static void RaiseIt(void* flag) { static_cast<Flag*>(flag)->Raise(); }
  Job job() { return {&RaiseIt, this}; }

  ModelSync::atomic<bool> raised_{false};
};

// A task's id, for a thread that waits for it without helping.
class Told {
 public:
  // release and acquire: pair with each other.
  void Tell(TaskId task) {
    bits_.store(task.bits(), std::memory_order::release);
    bits_.notify_all();
  }
  TaskId Await() {
    bits_.wait(0, std::memory_order::acquire);
    return TaskId::FromBits(bits_.load(std::memory_order::acquire));
  }

 private:
  ModelSync::atomic<std::uint64_t> bits_{0};
};

// A device that takes one request and passes its task to another thread.
class Request {
 public:
  TaskDef def() { return {.work = {&Ask, this}, .kind = TaskKind::kExternal}; }
  void Is(TaskId task) { task_.set(task); }
  TaskId Await() { return asked_.Await(); }
  static void Ask(void* data) {
    auto& request = *static_cast<Request*>(data);
    request.asked_.Tell(request.task_.get());
  }

 private:
  ModelSync::plain<TaskId> task_;
  Told asked_;
};

// A thread with its part of the scheduler.
template <class Scheduler>
class Member {
 public:
  Member(Scheduler& scheduler, int number, std::uint8_t name)
      : scheduler_(scheduler), thread_(scheduler, static_cast<std::uint16_t>(number), name) {}

  Result<TaskId> TryAdd(const TaskDef& def) {
    const Call call("Add");
    return scheduler_.Add(thread_, def);
  }
  TaskId Add(const TaskDef& def) {
    const auto task = TryAdd(def);
    Check(task.has_value(), "there is room for a task");
    return *task;
  }
  bool AddChild(TaskId parent, TaskId child) {
    const Call call("AddChild");
    return scheduler_.AddChild(thread_, parent, child).has_value();
  }
  void Submit(TaskId task) {
    const Call call("Submit");
    Check(scheduler_.Submit(thread_, task).has_value(), "its holder submits it");
  }
  TaskId AddAndSubmit(const TaskDef& def) {
    const TaskId task = Add(def);
    Submit(task);
    return task;
  }
  TaskId Ask(Request& request) {
    const TaskId task = Add(request.def());
    request.Is(task);
    return task;
  }
  void Wait(TaskId task) {
    const Call call("Wait");
    Check(scheduler_.Wait(thread_, task).has_value(), "it may wait for this");
    Check(scheduler_.graph().IsComplete(task), "an awaited task is complete");
  }
  bool TryWait(TaskId task) {
    const Call call("Wait");
    return scheduler_.Wait(thread_, task).has_value();
  }
  // Whether the task is complete: otherwise the wait has given up.
  bool WaitWithin(TaskId task, const WaitBound& bound) {
    const Call call("Wait");
    const auto waited = scheduler_.Wait(thread_, task, bound);
    Check(waited || waited.error().code == ErrorCode::kTimeout, "it may wait for this");
    Check(!waited || scheduler_.graph().IsComplete(task), "an awaited task is complete");
    return waited.has_value();
  }
  void Wake() {
    const Call call("Wake");
    scheduler_.Wake();
  }
  template <class Done>
  void DoWorkWhileWaitingFor(const Done& done) {
    const Call call("DoWorkWhileWaitingFor");
    Check(scheduler_.DoWorkWhileWaitingFor(thread_, done).has_value(), "it may wait");
  }
  bool Cancel(TaskId task) {
    const Call call("Cancel");
    return *scheduler_.Cancel(thread_, task);
  }
  std::uint32_t CancelGroup(TaskId task) {
    const Call call("CancelGroup");
    return *scheduler_.CancelGroup(thread_, task);
  }
  void CompleteExternal(TaskId task) {
    const Call call("CompleteExternal");
    Check(scheduler_.CompleteExternal(thread_, task).has_value(), "the device is done once");
  }
  // As a device of the pool's own.
  void Answer(TaskId task) {
    const Call call("CompleteExternal");
    Check(scheduler_.CompleteExternal(thread_, task, true).has_value(), "the device is done once");
  }
  bool TryCompleteExternal(TaskId task) {
    const Call call("CompleteExternal");
    return scheduler_.CompleteExternal(thread_, task).has_value();
  }
  void DoWork() {
    const Call call("Work");
    scheduler_.Work(thread_, [] {});
  }
  void Close(TaskShutdown how) {
    const Call call("Close");
    Check(scheduler_.Close(thread_, how).has_value(), "it is closed once");
  }
  void Leave() {
    const Call call("Leave");
    scheduler_.Leave(thread_);
  }
  TaskId AddIdempotent(IdempotentJob& job, const TaskDef& def = {}) {
    const Call call("AddIdempotent");
    return *scheduler_.AddIdempotent(thread_, job, def);
  }
  TaskId AddList(JobList<ModelSync>& list, const TaskDef& def = {}) {
    const Call call("AddList");
    return *scheduler_.AddList(thread_, list, def);
  }
  TaskId current() const { return thread_.current(); }

 private:
  Scheduler& scheduler_;
  typename Scheduler::Thread thread_;
};

// A scheduler of two threads, of which the first kWorkers are workers. kNamed: the thread with a
// name, if any. kRoom: the number of tasks, besides one in each thread's store.
template <int kWorkers, int kNamed = -1, class Queues = One, std::uint32_t kRoom = 1>
struct Two {
  static constexpr int kThreads = 2;
  using Scheduler = TaskScheduler<ModelSync, Queues, 1>;

  // The member that a task's work runs on.
  Member<Scheduler>& here() { return members[ModelSync::ThreadSlot()]; }
  bool IsComplete(TaskId task) const { return scheduler.graph().IsComplete(task); }

  Scheduler scheduler{{.graph = {.capacity = kRoom, .threads = kThreads, .tag = 1},
                       .workers = kWorkers,
                       .names = 1}};
  Member<Scheduler> members[2] = {{scheduler, 0, kNamed == 0}, {scheduler, 1, kNamed == 1}};
};

}  // namespace nowait

#endif  // NOWAIT_MODELS_JOBS_SCHEDULER_SCENARIO_H_
