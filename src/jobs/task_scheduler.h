// TaskScheduler: how threads find the tasks of a graph and the jobs of lists, help while they wait,
// and sleep. A task pool without its threads.
//
//   worker          take the most urgent task and run it; otherwise announce itself,
//                   look again, sleep
//   outside tasks   Wait: the same, until the awaited task is complete
//   in a task       Wait: likewise, but take only a task that the awaited one needs (from this
//                   thread's own pushes, or found by the graph), tasks with the caller's name, and
//                   jobs of lists
//
// Thread safety: each thread with its Thread. Create these after the scheduler and destroy them
// before, not while they hold tasks (Leave). Close once, by a thread outside all tasks, when no
// other such thread is inside a call but CompleteExternal. Wait, DoWorkWhileWaitingFor, Close and
// Leave may run other tasks and sleep: their caller holds none of the engine's locks (asserted).
// Progress: blocking. A thread that waits outside all tasks depends on other threads only for tasks
// with another thread's name and for devices: without workers it runs everything. No thread spins
// while there is nothing to do.
//
// Promise: each submitted task is run once or cancelled; after Wait it is complete, and all that it
// did happens before the return. Stated in full behind the class.
// Errors, besides TaskGraph's: kWrongPhase (shut down; a call that is not for tasks),
// kInvalidArgument (priority, affinity).
//
// Source: [bitsquid2010]: the worker loop, wait and do_work_while_waiting_for. Models:
// models/jobs/task_scheduler, wait_help_sleep. Lecture: dependencies, helping waits, devices.
#ifndef NOWAIT_SRC_JOBS_TASK_SCHEDULER_H_
#define NOWAIT_SRC_JOBS_TASK_SCHEDULER_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>

#include "src/base/result.h"
#include "src/jobs/global_queue.h"
#include "src/jobs/help.h"
#include "src/jobs/idempotent_job.h"
#include "src/jobs/job_list.h"
#include "src/jobs/priority.h"
#include "src/jobs/task_def.h"
#include "src/jobs/task_id.h"
#include "src/jobs/task_records.h"
#include "src/sync/policy.h"

namespace nowait {

// The layers, from below, each in terms of the ones before it:
//
//   scheduler_state.h  where threads look for work, each thread's own part; the invariants
//   ready_tasks.h      a task that may start goes to a queue, a named thread or a device
//   started_tasks.h    the run of a task, by its kind; kept tasks
//   worker_loop.h      Work: take, run, sleep; the bounds
//   shutdown.h         Close, Leave
//   help.h             Wait, DoWorkWhileWaitingFor; why sleepers are woken, no deadlock
template <class Sync = EngineSync, class Queues = GlobalQueue<Sync>, std::uint32_t kStore = 32,
          std::uint32_t kEvery = 64>
class TaskScheduler : public Help<Sync, Queues, kStore, kEvery> {
  using Lower = Help<Sync, Queues, kStore, kEvery>;

 public:
  using Lower::Lower;
  using typename Lower::Thread;

  // A task, held by the caller.
  Result<TaskId> Add(Thread& by, const TaskDef& def) {
    if (Closing() != How::kOpen && (Closing() == How::kCancel || IsShutFor(by))) [[unlikely]] {
      return ShutDown(TaskId());
    }
    if ((def.priority | def.affinity | static_cast<unsigned>(def.kind)) != 0) {
      if (auto checked = CheckDef(def); !checked) return std::unexpected(checked.error());
    }
    if (RecordsTasks()) [[unlikely]]
      return AddRecorded(by, def);
    return Create(by, def);
  }

  // A task whose work is the jobs that have been added to a list. The list is not the caller's
  // until the task is complete. def: without work.
  Result<TaskId> AddList(Thread& by, JobList<Sync>& list, TaskDef def) {
    if (def.kind != TaskKind::kWork || def.work.function != nullptr) {
      return Fail(ErrorCode::kInvalidArgument, "list", 0, "its jobs are all its work");
    }
    list.Submit();
    def.kind = TaskKind::kList;
    def.work = {nullptr, &list};
    return Add(by, def);
  }

  // A task whose work is the idempotent job, done by one thread or by two. The job belongs to the
  // task until its release has been called, or the task has been cancelled. def: without work.
  Result<TaskId> AddIdempotent(Thread& by, IdempotentJob& job, TaskDef def) {
    if (def.kind != TaskKind::kWork || def.work.function != nullptr) {
      return Fail(ErrorCode::kInvalidArgument, "task", 0, "the idempotent job is all its work");
    }
    if (job.compute == nullptr || job.commit == nullptr || job.release == nullptr) {
      return Fail(ErrorCode::kInvalidArgument, "task", 0, "an idempotent job has three functions");
    }
    def.kind = TaskKind::kIdempotent;
    def.work = {nullptr, &job};
    return Add(by, def);
  }

  // A task whose work is function, called with a copy of `bytes` that lives as long as the task.
  // def: without work.
  Result<TaskId> AddCopied(Thread& by, void (*function)(void* copy),
                           std::span<const std::byte> bytes, TaskDef def) {
    if (def.kind != TaskKind::kWork || def.work.function != nullptr) {
      return Fail(ErrorCode::kInvalidArgument, "task", 0, "the callable is all its work");
    }
    def.work = {function, nullptr};
    const auto task = Add(by, def);
    if (task) graph_.CopyForWork(*task, bytes);
    return task;
  }

  Result<void> DependsOn(Thread& by, TaskId task, TaskId dependency) {
    const auto set = graph_.SetDependency(by.graph_, task, dependency);
    if (set && RecordsTasks()) RecordLink(&queues_, task, TaskId(), dependency);
    return set;
  }

  // A submitted task that is complete when all of these are, and fails if one of them does. It is
  // empty, and has an empty child for each of them but the first. Those of `tasks` that are still
  // held get no dependency of their own afterwards (kWrongPhase). After an error the tasks that
  // were made are complete by themselves.
  Result<TaskId> WhenAll(Thread& by, std::span<const TaskId> tasks) {
    for (const TaskId task : tasks) {
      if (auto known = graph_.CheckKnown(task); !known) return std::unexpected(known.error());
    }
    const auto all =
        Add(by, {.dependency = tasks.empty() ? TaskId() : tasks.front(), .needs_success = true});
    if (!all) return all;
    Result<void> result;
    for (const TaskId task : tasks.subspan(tasks.empty() ? 0 : 1)) {
      const auto one = Add(by, {.parent = *all, .dependency = task, .needs_success = true});
      result = one ? Submit(by, *one) : std::unexpected(one.error());
      if (!result) break;
    }
    if (auto submitted = Submit(by, *all); result && !submitted) result = submitted;
    if (!result) return std::unexpected(result.error());
    return all;
  }

  Result<void> AddChild(Thread& by, TaskId parent, TaskId child) {
    auto added = graph_.AddChild(by.graph_, parent, child, ReadyFrom(by));
    if (!added) events_.NotifyWork();  // as in Add
    if (added && RecordsTasks()) RecordLink(&queues_, child, parent, TaskId());
    return added;
  }

  Result<void> Submit(Thread& by, TaskId task) {
    if (IsShutFor(by)) return ShutDown(task);
    return graph_.Submit(by.graph_, task, ReadyFrom(by), [this] { events_.NotifyWork(); });
  }

  // As TaskGraph::Cancel.
  Result<bool> Cancel(Thread& by, TaskId task) {
    auto cancelled = graph_.Cancel(by.graph_, task, ReadyFrom(by));
    events_.NotifyWork();
    return cancelled;
  }

  // As TaskGraph::CancelGroup.
  Result<std::uint32_t> CancelGroup(Thread& by, TaskId task) {
    auto cancelled = graph_.CancelGroup(by.graph_, task, ReadyFrom(by));
    events_.NotifyWork();
    return cancelled;
  }

  // The device has done the work of an external task, or failed. by_device: see TaskGraph.
  Result<void> CompleteExternal(Thread& by, TaskId task, bool by_device = false,
                                bool failed = false) {
    auto completed = graph_.CompleteExternal(by.graph_, task, ReadyFrom(by), by_device, failed);
    // release: pairs with the acquire in Close: what this has made ready is in the queues.
    if (completed) external_.fetch_sub(1, std::memory_order::release);
    events_.NotifyWork();
    return completed;
  }

 private:
  using Lower::any_idempotent_;
  using Lower::Closing;
  using Lower::events_;
  using Lower::external_;
  using Lower::graph_;
  using Lower::IsShutFor;
  using Lower::names_;
  using Lower::queues_;
  using Lower::ReadyFrom;
  using Lower::ShutDown;
  using typename Lower::How;

  [[gnu::always_inline]] Result<TaskId> Create(Thread& by, const TaskDef& def) {
    return graph_.Create(by.graph_, def, ReadyFrom(by), [this] { events_.NotifyWork(); });
  }
  [[gnu::noinline]] Result<TaskId> AddRecorded(Thread& by, const TaskDef& def) {
    const auto task = Create(by, def);
    if (task) RecordTask(&queues_, *task, def);
    return task;
  }

  // All that a task of the highest priority for any thread needs not be asked.
  [[gnu::noinline]] Result<void> CheckDef(const TaskDef& def) {
    if (def.affinity > names_) {
      return Fail(ErrorCode::kInvalidArgument, "affinity", def.affinity, "no thread has this name");
    }
    if (def.priority >= kPriorities) {
      return Fail(ErrorCode::kInvalidArgument, "priority", def.priority, "there are three");
    }
    if (def.kind == TaskKind::kList && (def.affinity != 0 || def.work.data == nullptr)) {
      return Fail(ErrorCode::kInvalidArgument, "list", def.affinity,
                  "it has an affinity or no jobs: any thread runs its jobs");
    }
    if (def.kind == TaskKind::kIdempotent) {
      if (def.affinity != 0 || def.work.data == nullptr) {
        return Fail(ErrorCode::kInvalidArgument, "task", def.affinity,
                    "an idempotent one has a job, and no affinity: any thread may run it again");
      }
      // relaxed: a thread that reaches the task through the graph, or is woken for it, sees this.
      any_idempotent_.store(true, std::memory_order::relaxed);
    }
    return {};
  }
};

// Implementation: why this is right
//
// The work comes from three places: queues for each named thread, with the tasks that only this
// thread may run; the attached lists (src/jobs/list_work.h); and a policy's queues
// (src/jobs/global_queue.h, src/jobs/work_stealing.h). Each place has its part for each priority.
//
// Promise: each submitted task is run once or cancelled, before or by Close. When Wait returns
// without an error, the task is complete. The effects of its work, of its children and of the tasks
// that they waited for happen before the return. Idempotent work is committed once before that, and
// released once, perhaps after it. A job that throws is caught, counted and reported; its task
// counts as done. An external task whose hand-over throws also counts as done, unless its device
// answers nevertheless. After Close has returned, each Work has returned or will, without another
// task. All submitted tasks are then complete, and no task can be added. One case is later: a task
// with a child that another thread outside tasks holds is complete when that thread leaves, which
// cancels the tasks that it holds.

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_TASK_SCHEDULER_H_
