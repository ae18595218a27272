// WorkerLoop: a thread takes the most urgent work and runs it. When there is no work, it
// announces itself, looks again, and sleeps. A layer of TaskScheduler (task_scheduler.h).
//
// A thread looks from the most urgent priority down. In each priority it looks first for its name,
// which no other thread serves, then at the lists, and then at the queues: started work is finished
// first.
#ifndef NOWAIT_SRC_JOBS_WORKER_LOOP_H_
#define NOWAIT_SRC_JOBS_WORKER_LOOP_H_

#include <atomic>
#include <cstdint>
#include <optional>
#include <utility>

#include "src/jobs/priority.h"
#include "src/jobs/started_tasks.h"
#include "src/jobs/task_counts.h"
#include "src/jobs/task_id.h"
#include "src/jobs/work_events.h"

namespace nowait {

template <class Sync, class Queues, std::uint32_t kStore, std::uint32_t kEvery>
class WorkerLoop : public StartedTasks<Sync, Queues, kStore, kEvery> {
  using Lower = StartedTasks<Sync, Queues, kStore, kEvery>;

 public:
  using Lower::kTurn;
  using Lower::Lower;
  using typename Lower::Thread;

  // Runs tasks, and returns after Close. before_sleep(): called when there is nothing to do.
  template <class BeforeSleep>
  void Work(Thread& by, const BeforeSleep& before_sleep) {
    for (;;) {
      if (RunOne(by) || SpinForNotification([] { return false; })) continue;
      before_sleep();
      if (SleepUntilWork(by)) break;
    }
    WorkersGone(1);
  }

  // `count` workers have left Work, or will never enter it, because the system refuses their
  // threads.
  void WorkersGone(std::uint32_t count) {
    // release: pairs with the acquire in Close: a worker's last pushes.
    workers_.fetch_sub(count, std::memory_order::release);
    events_.NotifyAll();
  }

 protected:
  using Lower::Begin;
  using Lower::Closing;
  using Lower::closing_;
  using Lower::Do;
  using Lower::events_;
  using Lower::graph_;
  using Lower::lists_;
  using Lower::main_names_;
  using Lower::named_;
  using Lower::PushKept;
  using Lower::queues_;
  using Lower::RunStartedHere;
  using Lower::Settle;
  using Lower::SpinForNotification;
  using Lower::workers_;
  using typename Lower::Begun;
  using typename Lower::Host;
  using typename Lower::How;
  using typename Lower::IdleWorker;

  // Runs jobs of lists, or takes tasks from the queues until one of them is run or cancelled; false
  // when there is nothing.
  bool RunOne(Thread& by) {
    if (++by.looks_ % kTurn == 0) [[unlikely]] {
      auto seen = events_.Epoch();
      if (RunOldest(by, &seen)) return true;
    }
    return RunUrgent(by, kPriorities - 1) || Settle(by);
  }
  // The task that has waited longest, of the most urgent priority that has any, from `least` up.
  [[gnu::noinline]] bool RunOldest(Thread& by, typename WorkEvents<Sync>::Key* seen,
                                   std::uint32_t least = kPriorities - 1) {
    if (by.kept_.IsTask()) PushKept(by, std::exchange(by.kept_, {}));
    for (std::uint32_t priority = 0; priority <= least; ++priority) {
      TaskId task;
      while (queues_.PopOldest(by.looks_ / kTurn, priority, &task)) {
        if (Do(by, task)) return true;
      }
      if (lists_.Help(priority, seen, Host{*this, by})) return true;
    }
    return false;
  }
  // As RunOne, for tasks and lists that are at least as urgent as `least`, and without the turn of
  // the oldest work.
  [[gnu::always_inline]] bool RunUrgent(Thread& by, std::uint32_t least) {
    std::optional<typename WorkEvents<Sync>::Key> seen;
    TaskId task;
    for (;;) {
      switch (Look(by, least, &seen, &task)) {
        case Found::kNothing:
          return false;
        case Found::kList:
          // The look begins again, as the epoch has to be older than it. Most looks find no list,
          // and do not touch the line that each notification writes.
          seen = events_.Epoch();
          continue;
        case Found::kRan:
          return true;
        case Found::kEntry: {
          const Begun begun = Begin(by, task);
          if (begun == Begun::kNo) continue;
          if (begun == Begun::kCancelled) return true;
        }
          [[fallthrough]];
        case Found::kStarted:
          RunStartedHere(by, task);
          return true;
      }
    }
  }
  // Only jobs of lists: of the priorities whose bits are set.
  bool RunJobs(Thread& by, std::uint32_t priorities) {
    if (!lists_.AnyOf(priorities)) return false;
    auto seen = events_.Epoch();
    for (std::uint32_t priority = 0; priority < kPriorities; ++priority) {
      const bool chosen = (priorities >> priority & 1u) != 0;
      if (chosen && lists_.Help(priority, &seen, Host{*this, by})) return true;
    }
    return false;
  }
  // Only tasks for the caller's name.
  [[gnu::always_inline]] bool PopNamed(const Thread& by, std::uint32_t priority, TaskId* task) {
    return by.name_ != 0 && named_[by.name_ - 1u]->Pop(by.number_, priority, task);
  }
  [[gnu::always_inline]] bool RunNamed(Thread& by, std::uint32_t priority) {
    TaskId task;
    while (PopNamed(by, priority, &task)) {
      if (Do(by, task)) return true;
    }
    return false;
  }
  // A task for the caller's name, the most urgent first.
  bool RunNamed(Thread& by) {
    for (std::uint32_t priority = 0; priority < kPriorities; ++priority) {
      if (RunNamed(by, priority)) return true;
    }
    return false;
  }

 private:
  // Announces the sleep, and returns after the thread has run something. True: the scheduler
  // closes, and the worker leaves.
  [[gnu::noinline]] bool SleepUntilWork(Thread& by) {
    for (IdleWorker idle(*this, by);; idle.AnnounceAgain()) {
      // A notification by Close before the announcement is visible through that; one after it ends
      // the sleep. acquire: pairs with the release in Close. The look that follows finds the tasks
      // that were ready for this worker before, which no other thread runs.
      const bool closing = closing_.load(std::memory_order::acquire) != How::kOpen;
      if (RunOne(by)) return false;
      if (closing && MayLeave(by)) return true;
      ++by.counts_.sleeps;
      idle.Sleep();
    }
  }
  // Whether a worker that has found nothing leaves a scheduler that closes: see Names of workers.
  bool MayLeave(const Thread& by) const {
    // relaxed: as for Close in Work; here it is WorkersGone that notifies.
    return by.name_ <= main_names_ || workers_.load(std::memory_order::relaxed) <= by.number_ + 1u;
  }

  enum class Found : std::uint8_t {
    kNothing,
    kRan,      // jobs of lists have been run
    kList,     // a list is attached, and the epoch before the look is not known
    kEntry,    // *task is from a queue
    kStarted,  // *task has been started
  };
  // Looks for the most urgent work down to `least`. *seen: the epoch before this look, if it is
  // known.
  [[gnu::always_inline]] Found Look(Thread& by, std::uint32_t least,
                                    std::optional<typename WorkEvents<Sync>::Key>* seen,
                                    TaskId* task) {
    if (by.kept_.IsTask()) {
      // The kept task, or one that was ready before it.
      const TaskId kept = std::exchange(by.kept_, {});
      const bool other =
          PopNamed(by, 0, task) || (!Queues::kNewestFirst && queues_.Pop(by.number_, 0, task));
      if (!other && Closing() != How::kCancel && graph_.StartKept(kept)) [[likely]] {
        *task = kept;
        return Found::kStarted;
      }
      PushKept(by, kept);
      if (other) return Found::kEntry;
    }
    for (std::uint32_t priority = 0; priority <= least; ++priority) {
      if (PopNamed(by, priority, task)) return Found::kEntry;
      if (lists_.Any(priority)) [[unlikely]] {
        if (!*seen) return Found::kList;
        if (lists_.Help(priority, &**seen, Host{*this, by})) return Found::kRan;
      }
      if (queues_.Pop(by.number_, priority, task)) return Found::kEntry;
    }
    return Found::kNothing;
  }
};

// Implementation: why this is right
//
// Bounds. No task that may start waits for ever beside endless others of its priority. Of kTurn
// looks of a thread outside tasks, one takes the oldest work: before the thread's kept
// task, the tasks with its name and the ones that it has made ready last. In that look each place
// where tasks wait is the first by turns. So a task with k older ones in its place is begun after
// at most kTurn * places * (k + 1) looks of any one thread (places: 1, or with work stealing the
// threads and the entry queue). A less urgent task waits as long as there are more urgent ones, and
// a task with an affinity waits for its own thread. In a task, and in a wait from a priority
// upwards, one of kTurn looks looks first for the tasks that the wait needs, before those with the
// thread's name and the urgent ones; then for the oldest among those. A thread that helps with
// a list asks after each batch of jobs whether its awaited task is complete.
//
// Names of workers. A task on one worker may wait for a task with the name of another one. If that
// worker has left, the closing thread has to cancel the awaited task (shutdown.h). So the workers
// with names, 0 to n-1, leave from n-1 down: worker k only when there are at most k+1 workers. Then
// the number of workers says which names no thread serves any longer, and a name below it has its
// worker. No worker stays for ever: the one with the highest number of those that are there, k, may
// always leave, because there are at most k+1.

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_WORKER_LOOP_H_
