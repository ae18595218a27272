// ReadyTasks: the way of a task that may start to the place where threads look for it: a queue, the
// queue of a named thread, or a device. A layer of TaskScheduler (task_scheduler.h).
//
// The work of an external task hands the request to a device. The thread that makes the task ready
// does this at once, inside that call; the hand-over must not block, and calls nothing here.
#ifndef NOWAIT_SRC_JOBS_READY_TASKS_H_
#define NOWAIT_SRC_JOBS_READY_TASKS_H_

#include <atomic>
#include <cstdint>
#include <utility>

#include "src/jobs/job.h"
#include "src/jobs/priority.h"
#include "src/jobs/run_job.h"
#include "src/jobs/scheduler_state.h"
#include "src/jobs/task_def.h"
#include "src/jobs/task_id.h"

namespace nowait {

template <class Sync, class Queues, std::uint32_t kStore, std::uint32_t kEvery>
class ReadyTasks : public SchedulerState<Sync, Queues, kStore, kEvery> {
  using Lower = SchedulerState<Sync, Queues, kStore, kEvery>;

 public:
  using Lower::Lower;
  using typename Lower::Thread;

 protected:
  using Lower::Closing;
  using Lower::events_;
  using Lower::external_;
  using Lower::graph_;
  using Lower::kNobody;
  using Lower::main_names_;
  using Lower::named_;
  using Lower::NotifyWaiters;
  using Lower::on_throw_;
  using Lower::queues_;
  using typename Lower::How;

  // The callback for tasks that may start.
  auto ReadyFrom(Thread& by) {
    return [this, &by](const ReadyTask& task) {
      if (task.kind == TaskKind::kWork && task.affinity == 0) [[likely]] {
        queues_.Push(OwnerOf(by), task, MayStart());
      } else {
        PassOn(by, task);
      }
    };
  }
  // Collects a plain task that a thread submits, so that some are pushed at a time. PushBatch has
  // to follow before others are woken for them.
  void Collect(Thread& by, const ReadyTask& task) {
    const bool plain = task.kind == TaskKind::kWork && task.affinity == 0;
    const bool fits = plain && task.priority == by.batch_priority_;
    if (by.batch_count_ == Thread::kBatch || (by.batch_count_ != 0 && !fits)) PushBatch(by);
    if (!plain) return PassOn(by, task);
    by.batch_priority_ = task.priority;
    by.batch_[by.batch_count_++] = task.id;
  }
  [[gnu::noinline]] void PushBatch(Thread& by) {
    queues_.PushMany(OwnerOf(by), by.batch_priority_, by.batch_.data(),
                     std::exchange(by.batch_count_, 0), MayStart());
  }
  [[gnu::noinline]] void PassOn(Thread& by, const ReadyTask& task) {
    if (IsExternal(task.kind) && Closing() != How::kCancel) {
      HandOver(by, task);
    } else if (task.affinity != 0) {
      named_[task.affinity - 1u]->Push(kNobody, task, MayStart());
      // NotifyWork, which follows each push, may wake another worker than the one with this name.
      events_.NotifyAll();
    } else {
      queues_.Push(OwnerOf(by), task, MayStart());
    }
  }
  // The owner of the queue that a thread pushes to. A main thread's tasks are begun in the order of
  // their submission, as a game loop expects; but inside a task it is a worker like others.
  std::uint32_t OwnerOf(const Thread& by) const {
    // A name of a main thread: 1 .. main_names_.
    return by.name_ - 1u < main_names_ && !by.current().IsTask() ? kNobody : by.number_;
  }
  auto MayStart() const {
    return [this](TaskId task) { return graph_.MayStart(task); };
  }

  void HandOver(Thread& by, const ReadyTask& ready) {
    const TaskId task = ready.id;
    if (!graph_.TryStart(task)) return;  // cancelled
    // relaxed: the device's answer comes after this, and Close reads the count after the answer.
    external_.fetch_add(1, std::memory_order::relaxed);
    const Job request = graph_.WorkOf(task);
    if (request.function == nullptr || RunJob(request, task, on_throw_, by.counts_)) {
      // From here on Close may cancel it. Not before: the hand-over uses what its maker then frees.
      if (ready.kind == TaskKind::kExternal) graph_.MarkInFlight(task);
      return;
    }
    // No device will answer, unless the hand-over has reached one before it threw, and that has
    // answered. The completion may make tasks ready whose hand-over throws, too. This loop
    // completes them, not a nested call, so that a row of any length needs no stack.
    if (!graph_.TryFail(by.graph_, task) || std::exchange(by.fails_, true)) return;
    while (graph_.CompleteFailed(by.graph_, ReadyFrom(by))) {
      // relaxed: Close sees a worker's change when the worker leaves (WorkersGone), and that of a
      // thread in CompleteExternal by the call's own release. No other call overlaps with Close.
      external_.fetch_sub(1, std::memory_order::relaxed);
    }
    by.fails_ = false;
  }

  // Takes off the items that the thread keeps back; false if it keeps no items: invariant 5 of
  // scheduler_state.h.
  bool Settle(Thread& by) { return by.graph_.keeps() && SettleKept(by); }
  [[gnu::noinline]] bool SettleKept(Thread& by) {
    bool pushed = false;
    graph_.Settle(by.graph_, [&](const ReadyTask& task) {
      ReadyFrom(by)(task);
      pushed = true;
    });
    NotifyWaiters(pushed);
    return true;
  }

  void PushKept(Thread& by, TaskId kept) {
    graph_.ReleaseKept(by.graph_, kept, ReadyFrom(by));
    events_.NotifyWork();
  }
};

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_READY_TASKS_H_
