// StartedTasks: the run of a task that a thread has taken, each kind in its way: plain work, a list
// of jobs, an idempotent job. A layer of TaskScheduler (task_scheduler.h).
//
// A task whose work is a list goes through the queues like other tasks. The thread that starts it
// attaches the list, and the last thread to leave the list completes the task. To its jobs the
// graph is closed: they neither create tasks nor wait for any.
// A running idempotent task is run a second time by a thread that waits for it and has nothing else
// to do. The waiting thread cannot know whether the first one has been switched out; if it has not,
// only an idle core has worked.
#ifndef NOWAIT_SRC_JOBS_STARTED_TASKS_H_
#define NOWAIT_SRC_JOBS_STARTED_TASKS_H_

#include <cstdint>
#include <utility>

#include "src/jobs/idempotent_job.h"
#include "src/jobs/job.h"
#include "src/jobs/job_list.h"
#include "src/jobs/ready_tasks.h"
#include "src/jobs/run_job.h"
#include "src/jobs/task_counts.h"
#include "src/jobs/task_def.h"
#include "src/jobs/task_id.h"
#include "src/jobs/task_records.h"
#include "src/jobs/task_state.h"
#include "src/profile/profile.h"

namespace nowait {

template <class Sync, class Queues, std::uint32_t kStore, std::uint32_t kEvery>
class StartedTasks : public ReadyTasks<Sync, Queues, kStore, kEvery> {
  using Lower = ReadyTasks<Sync, Queues, kStore, kEvery>;

 public:
  using Lower::Lower;
  using typename Lower::Graph;
  using typename Lower::Thread;

 protected:
  using Lower::Closing;
  using Lower::EndAnnouncement;
  using Lower::events_;
  using Lower::graph_;
  using Lower::lists_;
  using Lower::NotifyWaiters;
  using Lower::on_throw_;
  using Lower::ReadyFrom;
  using Lower::Settle;
  using Lower::SettleKept;
  using typename Lower::How;

  // A thread that goes round the lists.
  struct Host {
    // In the list's task, whose jobs make no tasks.
    struct Runs {
      Runs(StartedTasks& in, Thread& thread, TaskId of)
          : scheduler(in),
            by(thread),
            list(of),
            outer(in.graph_.EnterList(thread.graph_, of)),
            span("jobs", NumberOf(of)) {}
      ~Runs() { scheduler.graph_.LeaveList(by.graph_, outer); }
      Runs(const Runs&) = delete;
      Runs& operator=(const Runs&) = delete;
      void operator()(const Job& job) const {
        if (!RunJob(job, list, scheduler.on_throw_, by.counts_)) scheduler.graph_.MarkFailed(list);
      }
      StartedTasks& scheduler;
      Thread& by;
      const TaskId list;
      const typename Graph::Place outer;
      const ProfileScope span;
    };
    Runs RunsOf(TaskId list) {
      scheduler.Settle(by);
      scheduler.EndAnnouncement(by);
      return {scheduler, by, list};
    }
    void Complete(TaskId list) {
      const auto ready = [this](const ReadyTask& task) {
        scheduler.ReadyFrom(by)(task);
        pushed = true;
      };
      scheduler.graph_.CompleteList(by.graph_, list, ready);
    }
    void NotifyCompletion() { scheduler.NotifyWaiters(std::exchange(pushed, false)); }
    bool ShouldLeave() const {
      if (!by.awaited_.IsTask()) return false;
      const bool bounded = by.bounded_.bound != nullptr && by.bounded_.awaited == by.awaited_;
      return scheduler.graph_.IsComplete(by.awaited_) || (bounded && by.bounded_.bound->GivesUp());
    }
    ListRunCounts& counts() { return by.counts_.lists; }

    StartedTasks& scheduler;
    Thread& by;
    bool pushed = false;
  };

  enum class Begun : std::uint8_t { kNo, kCancelled, kStarted };
  // Starts a task from a queue. kNo: another thread runs it, or it is done.
  [[gnu::always_inline]] Begun Begin(Thread& by, TaskId task) {
    if (Closing() == How::kCancel) [[unlikely]]
      return CancelReady(by, task) ? Begun::kCancelled : Begun::kNo;
    if (graph_.TryStartKnown(task)) [[likely]]
      return Begun::kStarted;
    ++by.counts_.stale;
    return Begun::kNo;
  }
  // Starts and runs it, or cancels it; false as kNo.
  bool Do(Thread& by, TaskId task) {
    const Begun begun = Begin(by, task);
    if (begun == Begun::kStarted) RunStarted(by, task);
    return begun != Begun::kNo;
  }

  [[gnu::noinline]] bool CancelReady(Thread& by, TaskId task) {
    const auto cancelled = graph_.Cancel(by.graph_, task, ReadyFrom(by));
    events_.NotifyWork();
    if (!cancelled || !*cancelled) {
      ++by.counts_.stale;
      return false;
    }
    ++by.counts_.cancelled;
    return true;
  }

  [[gnu::noinline]] void RunStarted(Thread& by, TaskId task) { RunStartedHere(by, task); }
  [[gnu::always_inline]] void RunStartedHere(Thread& by, TaskId task) {
    EndAnnouncement(by);
    if (graph_.KeepsOther(by.graph_, task)) SettleKept(by);
    if (const TaskKind kind = graph_.KindOf(task); kind != TaskKind::kWork) [[unlikely]] {
      if (kind == TaskKind::kList) return BeginList(by, task);
      if (kind == TaskKind::kIdempotent) {
        events_.NotifyWaiters();  // scheduler_state.h, 2: a thread that waits for it may sleep
        return RunIdempotent(by, task, 0);
      }
    }
    const auto outer = graph_.EnterPlain(by.graph_, task);
    if (Closing() == How::kCancel) [[unlikely]] {
      ++by.counts_.cancelled;
      graph_.MarkFailed(task);
    } else {
      const ProfileScope span("task", NumberOf(task));
      ++by.counts_.ran;
      if (!RunJob(graph_.WorkOf(task), task, on_throw_, by.counts_)) graph_.MarkFailed(task);
    }
    After after{*this, by, by.graph_.holds()};  // FinishAndKeep submits these
    graph_.FinishAndKeep(by.graph_, outer, after);
    NotifyWaiters(after.pushed);
  }

  [[gnu::noinline]] void RunIdempotent(Thread& by, TaskId task, int run) {
    // Items of its own parent, too: another run may complete it long before this one ends.
    Settle(by);
    const auto outer = graph_.Enter(by.graph_, task);
    const auto& job = *static_cast<const IdempotentJob*>(graph_.WorkOf(task).data);
    const auto call = [&](auto part) {
      const auto call_part = [](void* data) { (*static_cast<decltype(part)*>(data))(); };
      return RunJob({call_part, &part}, task, on_throw_, by.counts_);
    };
    bool computed = false;
    if (Closing() == How::kCancel) {
      ++by.counts_.cancelled;
    } else {
      const ProfileScope span("task", NumberOf(task));
      ++(run == 0 ? by.counts_.ran : by.counts_.again);
      computed = call([&] { job.compute(job.data, run); });
    }
    const bool won = graph_.TryCommit(by.graph_);
    if (won && !(computed && call([&] { job.commit(job.data, run); }))) graph_.MarkFailed(task);
    if (graph_.Finish(by.graph_, outer, ReadyFrom(by), won)) call([&] { job.release(job.data); });
    events_.NotifyWork();
  }

  [[gnu::noinline]] void BeginList(Thread& by, TaskId task) {
    Host host{*this, by};
    if (Closing() == How::kCancel) {
      ++by.counts_.cancelled;
      graph_.MarkFailed(task);
      host.Complete(task);
      host.NotifyCompletion();
      return;
    }
    ++by.counts_.ran;
    auto& list = *static_cast<JobList<Sync>*>(graph_.WorkOf(task).data);
    if (list.size() <= 1) return lists_.RunAlone(list, task, host);
    lists_.Begin(list, task, graph_.PriorityOf(task), host);
  }

 private:
  // The ready callback of the end of a plain task.
  struct After {
    void operator()(const ReadyTask& next) {
      scheduler.ReadyFrom(by)(next);
      pushed = true;
    }
    bool Keeps(TaskStateWord blocked) const {
      return blocked.IsMostUrgentPlain() && !blocked.Has(kNotKept) && !by.current().IsTask() &&
             !by.kept_.IsTask() && !scheduler.lists_.Any(0);
    }
    void Keep(TaskId next) { by.kept_ = next; }

    static constexpr std::uint32_t kNotKept =
        TaskStateWord::kHeld | TaskStateWord::kEmpty | TaskStateWord::kCancelled;
    StartedTasks& scheduler;
    Thread& by;
    bool pushed;  // whether tasks have been submitted or passed on
  };
};

// Implementation: why this is right
//
// Kept tasks. The task that a completed one has made ready is usually the next of a chain. Its data
// are in this thread's cache; to push it, wake another thread and pop it again costs more than a
// short task. So the first task that becomes ready in this way is kept, if it is for any thread, of
// the most urgent priority, and no list of that priority is attached. It is run as if it were the
// last of its queue: if anything was ready before, that goes first, and the kept task goes to the
// queues. (Not where a thread's newest task is its next one anyway, as with work stealing.) This
// holds only outside tasks: a thread that waits in a task takes only what that task needs. A kept
// task is not released from its dependency before it is started or given to the queues: no other
// thread starts it meanwhile, and release and start are one step. A call that cancels it then marks
// it alone, and the keeping thread, which the start refuses, completes it.

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_STARTED_TASKS_H_
