// Shutdown: the end of a scheduler. Its tasks are run or cancelled, and its workers leave. A layer
// of TaskScheduler (task_scheduler.h).
//
// Close(kFinish) runs the tasks that are left, and those that they make. Close(kCancel) completes
// without their work all tasks that it finds not started, and refuses new ones. Tasks for a name
// whose thread is gone are cancelled in both cases. Both wait for work that has begun and for
// requests that the pool's own devices have: they return if jobs return and those devices answer.
// kFinish waits also for an external task that a device of the user's has. kCancel cancels it
// when its hand-over has returned, also while a running task waits for it. The answer then comes
// too late (kStaleId, as long as there is a scheduler to ask), and the device may no longer use
// the memory that the hand-over gave it.
#ifndef NOWAIT_SRC_JOBS_SHUTDOWN_H_
#define NOWAIT_SRC_JOBS_SHUTDOWN_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "src/base/assert.h"
#include "src/base/result.h"
#include "src/jobs/priority.h"
#include "src/jobs/task_counts.h"
#include "src/jobs/task_id.h"
#include "src/jobs/worker_loop.h"
#include "src/sync/held_locks.h"

namespace nowait {

template <class Sync, class Queues, std::uint32_t kStore, std::uint32_t kEvery>
class Shutdown : public WorkerLoop<Sync, Queues, kStore, kEvery> {
  using Lower = WorkerLoop<Sync, Queues, kStore, kEvery>;

 public:
  using Lower::Lower;
  using typename Lower::Thread;

  // A thread outside all tasks leaves: it submits the tasks that it holds, or cancels them after
  // Close.
  void Leave(Thread& by) {
    NOWAIT_ASSERT(HoldsNoLock<Sync>(), kNoLock);
    const bool shut = IsShutFor(by);
    if (shut) graph_.CancelHeld(by.graph_);
    graph_.SubmitAll(by.graph_, ReadyFrom(by));
    events_.NotifyWork();
    if (!shut) return;
    // Tasks that have waited for those: no other thread would cancel them.
    by.closes_ = true;
    while (RunOne(by) || CancelOneOfAnother(by)) {
    }
  }

  Result<void> Close(Thread& by, TaskShutdown shutdown) {
    NOWAIT_ASSERT(HoldsNoLock<Sync>(), kNoLock);
    if (by.current().IsTask()) {
      return Fail(ErrorCode::kWrongPhase, "shutdown", by.current().bits(), "inside a task");
    }
    if (Closing() != How::kOpen) return Fail(ErrorCode::kWrongPhase, "shutdown", 0, "a second one");
    // Before a worker looks for the last time for what it alone runs.
    if (shutdown == TaskShutdown::kFinish) graph_.SubmitAll(by.graph_, ReadyFrom(by));
    // release: pairs with the acquire in Work. NotifyAll publishes it to each thread that sleeps or
    // is about to; others may see it later.
    closing_.store(shutdown == TaskShutdown::kFinish ? How::kFinish : How::kCancel,
                   std::memory_order::release);
    by.closes_ = true;
    graph_.SubmitAll(by.graph_, ReadyFrom(by));
    events_.NotifyAll();
    while (SleepUntilWorkOrAlone(by, shutdown)) {
    }
    // relaxed: for threads that leave after this call.
    closing_.store(How::kCancel, std::memory_order::relaxed);
    return {};
  }

 protected:
  using Lower::CancelReady;
  using Lower::Closing;
  using Lower::closing_;
  using Lower::events_;
  using Lower::external_;
  using Lower::graph_;
  using Lower::IsShutFor;
  using Lower::kNoLock;
  using Lower::main_names_;
  using Lower::named_;
  using Lower::ReadyFrom;
  using Lower::RunOne;
  using Lower::workers_;
  using typename Lower::How;
  using typename Lower::Sleeper;

  // For the closing thread: cancels a task for a name that is not its own; the thread of that name
  // is gone. Also in waits of the tasks that it runs meanwhile, which may need just that task.
  bool CancelOneOfAnother(Thread& by) {
    if (!by.closes_) return false;
    // The workers that are there run the tasks with their names (worker_loop.h, Names of workers).
    // relaxed: a worker that goes notifies, and Close looks again when it has seen all of them go.
    const std::size_t there = workers_.load(std::memory_order::relaxed);
    for (std::size_t i = 0; i < named_.size(); ++i) {
      const bool served = i >= main_names_ && i - main_names_ < there;
      if (served || i + 1 == by.name_) continue;
      for (std::uint32_t priority = 0; priority < kPriorities; ++priority) {
        TaskId task;
        while (named_[i]->Pop(by.number_, priority, &task)) {
          if (CancelReady(by, task)) return true;
        }
      }
    }
    return false;
  }

 private:
  // For the closing thread, which announces itself. False: no other thread is left, and no work.
  bool SleepUntilWorkOrAlone(Thread& by, TaskShutdown shutdown) {
    for (Sleeper sleeper(*this, by);; sleeper.AnnounceAgain()) {
      // acquire, both: pair with the releases in Work and CompleteExternal. A worker that has gone
      // leaves its pushes in the queues, and no thread hides them. An entry that this thread does
      // not find then is not there.
      const bool gone = workers_.load(std::memory_order::acquire) == 0;
      const bool alone = gone && external_.load(std::memory_order::acquire) == 0;
      if (RunOne(by) || CancelOneOfAnother(by)) return true;
      if (alone) return false;
      if (shutdown == TaskShutdown::kCancel && CancelInFlight(by)) return true;
      sleeper.Sleep();
    }
  }
  // For the closing thread: cancels what the user's devices have, which may never answer.
  bool CancelInFlight(Thread& by) {
    // relaxed: a call that puts a task out notifies, and this thread looks again.
    if (external_.load(std::memory_order::relaxed) == 0) return false;
    const std::uint32_t count = graph_.CompleteInFlight(by.graph_, ReadyFrom(by));
    if (count == 0) return false;
    by.counts_.cancelled += count;
    // relaxed: this thread's own change; Close looks again.
    external_.fetch_sub(count, std::memory_order::relaxed);
    events_.NotifyWork();
    return true;
  }
};

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_SHUTDOWN_H_
