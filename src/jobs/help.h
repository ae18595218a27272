// Help: a thread that waits runs tasks meanwhile. Outside all tasks it runs anything; in a task it
// runs what the awaited task needs, tasks with its name, and jobs of lists. A layer of
// TaskScheduler (task_scheduler.h).
//
// Both loops have the same four steps: look for work, spin a little, announce the sleep and look
// again, sleep. The second look finds the work that became ready before the announcement; the call
// that makes work ready after it notifies.
#ifndef NOWAIT_SRC_JOBS_HELP_H_
#define NOWAIT_SRC_JOBS_HELP_H_

#include <atomic>
#include <cstdint>
#include <optional>
#include <utility>

#include "src/base/assert.h"
#include "src/base/result.h"
#include "src/jobs/run_job.h"
#include "src/jobs/shutdown.h"
#include "src/jobs/task_counts.h"
#include "src/jobs/task_def.h"
#include "src/jobs/task_id.h"
#include "src/jobs/task_records.h"
#include "src/profile/profile.h"
#include "src/sync/held_locks.h"

namespace nowait {

template <class Sync, class Queues, std::uint32_t kStore, std::uint32_t kEvery>
class Help : public Shutdown<Sync, Queues, kStore, kEvery> {
  using Lower = Shutdown<Sync, Queues, kStore, kEvery>;

 public:
  using Lower::kTurn;
  using Lower::Lower;
  using typename Lower::Graph;
  using typename Lower::Thread;

  // Whether the caller is in no task, or in one that has no affinity.
  Result<void> MayWait(const Thread& by) const {
    if (!by.current().IsTask() || graph_.AffinityOf(by.current()) == 0) return {};
    return Fail(ErrorCode::kWrongPhase, "wait", by.current().bits(),
                "a task with an affinity does not wait");
  }

  // Submits the tasks that the caller holds, and returns when the task is complete; meanwhile the
  // caller helps. After Close, outside tasks, nothing is submitted, and a wait for an incomplete
  // task is refused: no thread would complete it.
  Result<void> Wait(Thread& by, TaskId task) { return WaitHelping<false>(by, task, nullptr); }

  // The same with a bound. kTimeout: the wait has given up, and the task goes on. A later wait for
  // it is like a first one. Tasks that are less urgent than the bound's `least` are left to others,
  // unless the awaited task needs them or they have the caller's name.
  [[gnu::noinline]] Result<void> Wait(Thread& by, TaskId task, const WaitBound& bound) {
    const auto outer = std::exchange(by.bounded_, {task, &bound});
    const Result<void> waited = WaitHelping<true>(by, task, &bound);
    by.bounded_ = outer;
    if (!waited || graph_.IsKnownComplete(task)) return waited;
    return Fail(ErrorCode::kTimeout, "wait", task.bits(), "the task goes on");
  }

  // Submits the tasks that the caller holds, and helps until done() is true. The thread that makes
  // it true calls Wake afterwards. kWrongPhase "done": done() threw, which is reported and ends the
  // help. done() asks and does not wait: the caller keeps the tasks that it has made ready, and a
  // done() that blocks until one of them is run may block for ever.
  template <class Done>
  Result<void> DoWorkWhileWaitingFor(Thread& by, const Done& done) {
    NOWAIT_ASSERT(HoldsNoLock<Sync>(), kNoLock);
    if (by.current().IsTask()) {
      return Fail(ErrorCode::kWrongPhase, "wait", by.current().bits(),
                  "a task waits for what it created");
    }
    if (IsShutFor(by)) return ShutDown(TaskId());
    graph_.SubmitAll(by.graph_, ReadyFrom(by));
    events_.NotifyWork();
    bool threw = false;
    const auto done_or_threw = [&] {
      Settle(by);
      bool answer = false;
      auto ask = [&] { answer = done(); };
      const auto call = [](void* data) { (*static_cast<decltype(ask)*>(data))(); };
      threw = threw || !RunJob({call, &ask}, TaskId(), on_throw_, by.counts_);
      return threw || answer;
    };
    HelpUntil(by, done_or_threw, [] { return false; });
    if (threw) return Fail(ErrorCode::kWrongPhase, "done", 0, "it threw");
    return {};
  }
  void Wake() { events_.NotifyWaiters(); }

 protected:
  using Lower::any_idempotent_;
  using Lower::BeginList;
  using Lower::CancelOneOfAnother;
  using Lower::Collect;
  using Lower::Do;
  using Lower::events_;
  using Lower::graph_;
  using Lower::IsShutFor;
  using Lower::kNoLock;
  using Lower::MayStart;
  using Lower::NotifyWaiters;
  using Lower::on_throw_;
  using Lower::PushBatch;
  using Lower::PushKept;
  using Lower::queues_;
  using Lower::ReadyFrom;
  using Lower::RunIdempotent;
  using Lower::RunJobs;
  using Lower::RunNamed;
  using Lower::RunOldest;
  using Lower::RunOne;
  using Lower::RunStarted;
  using Lower::RunUrgent;
  using Lower::Settle;
  using Lower::ShutDown;
  using Lower::SpinForNotification;
  using typename Lower::Waiter;

 private:
  static constexpr std::uint32_t kAnyPriority = kPriorities - 1;
  static constexpr std::uint32_t kAllLists = (1u << kPriorities) - 1;

  // kBounded: with a bound, which the caller has noted.
  template <bool kBounded>
  [[gnu::always_inline]] Result<void> WaitHelping(Thread& by, TaskId task, const WaitBound* bound) {
    NOWAIT_ASSERT(HoldsNoLock<Sync>(), kNoLock);
    const ProfileScope span("wait", NumberOf(task));
    if (auto may = MayWait(by); !may) return may;
    if (IsShutFor(by)) {
      auto known = graph_.CheckKnown(task);
      return !known || graph_.IsComplete(task) ? known : ShutDown(task);
    }
    // A list that only the caller knows to be ready goes through no queue.
    bool begin = false;
    const auto ready = [&](const ReadyTask& other) {
      if (other.id == task && other.kind == TaskKind::kList) {
        begin = true;
      } else {
        Collect(by, other);
      }
    };
    const bool submits = by.graph_.holds();
    const bool submits_other = by.graph_.HoldsOther(task);
    if (auto begun = graph_.BeginWait(by.graph_, task, ready); !begun) return begun;
    if (by.batch_count_ != 0) PushBatch(by);
    const TaskId outer = std::exchange(by.awaited_, task);
    if (begin && graph_.TryStart(task)) {
      // Before the list: its jobs may last, and a list that is run alone notifies of nothing else.
      NotifyWaiters(submits_other);
      BeginList(by, task);
    } else {
      NotifyWaiters(submits);
    }
    if (by.current().IsTask() || (kBounded && bound->least < kAnyPriority)) {
      HelpFor<kBounded>(by, task, bound);
    } else {
      HelpUntil(
          by,
          [this, task, bound] {
            return graph_.IsKnownComplete(task) || (kBounded && bound->GivesUp());
          },
          [this, &by, task] { return RunAgain(by, task); });
    }
    by.awaited_ = outer;
    graph_.EndWait(by.graph_);
    return {};
  }

  // Sleeps until done(), which it then returns, or until look() has found something.
  template <class Done, class Look>
  bool SleepUntil(Thread& by, const Done& done, const Look& look) {
    for (Waiter waiter(*this, by);; waiter.AnnounceAgain()) {
      if (done()) return true;
      if (look()) return false;
      ++by.counts_.sleeps;
      waiter.Sleep();
    }
  }

  // Helps with anything. last: tried when there is nothing else.
  template <class Done, class Last>
  void HelpUntil(Thread& by, const Done& done, const Last& last) {
    while (!done()) {
      if (RunOne(by) || last() || SpinForNotification(done)) continue;
      if (SleepUntil(by, done, [&] { return RunOne(by) || last(); })) break;
    }
    Settle(by);
    if (by.kept_.IsTask()) PushKept(by, std::exchange(by.kept_, {}));
  }

  // Helps with tasks that `task` needs, and with tasks for the caller's name. bound: of a wait that
  // has one (kBounded), which may be outside tasks. Its `least` is for the jobs of lists, and
  // outside tasks for all else.
  template <bool kBounded>
  void HelpFor(Thread& by, TaskId task, const WaitBound* bound) {
    const bool in_task = !kBounded || by.current().IsTask();
    const std::uint32_t least = kBounded ? bound->least : kAnyPriority;
    const auto done = [this, task, bound] {
      return graph_.IsKnownComplete(task) || (kBounded && bound->GivesUp());
    };
    // Whether this thread's last push could be needed. Not after a look has put it back: another
    // look wakes other threads, which look and wake this one, for ever.
    bool look_at_own = in_task;
    typename Graph::Cursor cursor;
    const auto run_other = [&] {
      if (!in_task && ++by.looks_ % kTurn == 0 && RunNeededOrOldest(by, task, &cursor, least)) {
        return true;  // for urgent tasks may make each other without end
      }
      if (!in_task && RunUrgent(by, least)) return true;
      return RunFound(by, task, &cursor) || RunJobs(by, kBounded ? (2u << least) - 1 : kAllLists) ||
             (kBounded && RunNeededJobs(by, task, least)) || RunAgain(by, task) || Settle(by);
    };
    while (!done()) {
      if (std::exchange(look_at_own, false) && RunOwn(by, task)) {
        look_at_own = true;
        continue;
      }
      if (run_other()) {
        look_at_own = in_task;
        continue;
      }
      if (SpinForNotification(done)) continue;
      if (SleepUntil(by, done, run_other)) break;
    }
    Settle(by);
    if (!in_task && by.kept_.IsTask()) PushKept(by, std::exchange(by.kept_, {}));
  }

  bool RunOwn(Thread& by, TaskId waiting) {
    TaskId task;
    bool put_back = false;
    const auto needed = [&](TaskId own) { return graph_.IsNeeded(by.graph_, waiting, own); };
    const bool found = queues_.PopOwn(by.number_, needed, MayStart(), &task, &put_back);
    if (put_back) events_.NotifyWork();
    if (found) Do(by, task);
    return found;
  }

  bool RunNeeded(Thread& by, TaskId waiting, typename Graph::Cursor* cursor) {
    const std::optional<TaskId> found = graph_.FindHelp(by.graph_, waiting, by.name_, cursor);
    if (found) RunStarted(by, *found);
    return found.has_value();
  }

  [[gnu::noinline]] bool RunNeededOrOldest(Thread& by, TaskId waiting,
                                           typename Graph::Cursor* cursor, std::uint32_t least) {
    if (by.kept_.IsTask()) PushKept(by, std::exchange(by.kept_, {}));
    auto seen = events_.Epoch();
    return RunNeeded(by, waiting, cursor) || RunNeededJobs(by, waiting, least) ||
           RunOldest(by, &seen, least);
  }

  bool RunFound(Thread& by, TaskId waiting, typename Graph::Cursor* cursor) {
    // Tasks with the caller's name may make each other without end: now and then a needed task goes
    // first.
    const bool needed_first = ++by.looks_ % kTurn == 0;
    if (!needed_first && (RunNamed(by) || CancelOneOfAnother(by))) return true;
    return RunNeeded(by, waiting, cursor) ||
           (needed_first && (RunNamed(by) || CancelOneOfAnother(by)));
  }

  // Jobs of a less urgent list that the awaited task needs: the threads that were in it may have
  // left it in the middle.
  bool RunNeededJobs(Thread& by, TaskId waiting, std::uint32_t least) {
    return least < kAnyPriority && RunJobs(by, graph_.PrioritiesOfLists(by.graph_, waiting));
  }

  // Runs a needed idempotent task a second time, which another thread has not finished.
  bool RunAgain(Thread& by, TaskId waiting) {
    // relaxed: see Add. Most pools have no such tasks, and their waiters do not look for any.
    if (!any_idempotent_.load(std::memory_order::relaxed)) return false;
    const std::optional<TaskId> found = graph_.FindToRunAgain(by.graph_, waiting);
    if (found) RunIdempotent(by, *found, 1);
    return found.has_value();
  }
};

// Implementation: why this is right
//
// Why a sleeper is woken when there is something for it (invariants 1 and 2 of
// scheduler_state.h, and src/jobs/work_events.h).
//   - A worker, or a waiter outside tasks, takes anything that is in the queues. A notification
//     follows each push, also the pushes that hide others meanwhile (task_queue.h). It wakes every
//     waiter, so a thread that has seen its task complete and goes its way takes no other thread's
//     notification. Of the idle workers it wakes one, which wakes the next if it leaves anything in
//     the queues (EndAnnouncement, before each run). A task for a name is for one thread:
//     NotifyAll.
//   - Lists: src/jobs/list_work.h. A thread that waits in a task looks at them, too.
//   - Completion: after Finish, Cancel, CompleteExternal and calls that can complete empty tasks.
//     Most tasks are waited for by no thread, and a sleeping worker need not be woken for them. So
//     a thread that has completed tasks asks afterwards whether any thread waits, and a waiter
//     announces itself before its last look. The Close of the items, the question, the announcement
//     and that look are seq_cst: of asker and waiter one sees the other. If the asker sees the
//     waiter, it notifies, and the event count's argument holds.
//     The completion of a parent whose items are kept back comes later. It is not held up by that
//     (invariant 5): while the thread runs another child, the parent needs that very run, too;
//     otherwise the thread is between two tasks. If all items that a parent has left are kept by
//     one thread, that thread takes them off at once: one that waits for the parent begins nothing
//     else before.
//   - A waiter in a task takes what the graph leads to from there. A task that may start can also
//     come into its reach without being pushed, when a way to it is completed. Ways go through
//     children and dependencies, which are given to held tasks only, and through the waits of
//     running tasks. So the last step that completes a way is that a task on it is submitted or
//     begins to wait. A notification follows each of the two, the second only if a waiter is known.
//     A thread that has announced itself and looked just before may miss a chance to help, but no
//     other thread depends on that: the thread that begins to wait finds the same tasks itself.
//
// Why nothing is deadlocked. Without names it is TaskGraph's argument. At the end of each way down
// from the awaited task there is one of three: a task that runs and does not wait, a task that a
// device has, or a task that may start and that the waiter takes. With names the last case fails:
// take two threads, each in a task that waits for a task with the other's name. They would wait for
// ever if each helped only with what it needs. So each waiting thread, also in a task, runs all
// tasks with its name. A task with an affinity may not wait (kWrongPhase), but makes others depend
// on what it creates. So it returns, whatever lies below it on the stack, and the argument holds.
// The same is true of jobs of lists, which any waiting thread may run, and of idempotent work: they
// do not wait, so they return. (A thread that goes on with serial code and never waits delays the
// tasks with its name for as long.)

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_HELP_H_
