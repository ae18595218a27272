// ListWork: job lists as the work of tasks: attaching a list, running its jobs, completing its
// task.
//
//   the thread that starts the task   attach the list, notify all threads, go round beginning with
//                                     it; if there is only one job, run that and notify no thread
//   any thread                        RunJobLists: run jobs; close a list that has nothing left;
//                                     the last visitor to leave it completes the task
//
// So no thread stands still at the end of a list: its poster goes on with something else while
// others run the last jobs, and the thread that returns from the last one completes the task. Nor
// does a thread stand still at a sync point: a thread that gets kWaiting leaves, and the thread
// that ends the section notifies all. If no slot is free, the thread that starts the task runs the
// list alone.
//
// Thread safety: any thread, any time; not from inside a job.
// Progress: as RunJobLists (src/jobs/job_list_runner.h).
//
// Promise: each job of a list is run once. When its task is completed, all jobs have returned,
// their effects happen before that, and no thread will look at the list again: it may be destroyed.
//
// Source: [sanglard2013], "How a worker works". That the thread which ends the last piece of work
// completes the task, whichever thread it is: [bitsquid2010], the count of open work items. Model:
// models/jobs/task_lists. Lecture: hiding stalls.
#ifndef NOWAIT_SRC_JOBS_LIST_WORK_H_
#define NOWAIT_SRC_JOBS_LIST_WORK_H_

#include <bit>
#include <cstdint>

#include "src/base/assert.h"
#include "src/jobs/job.h"
#include "src/jobs/job_list.h"
#include "src/jobs/job_list_registry.h"
#include "src/jobs/job_list_runner.h"
#include "src/jobs/task_counts.h"
#include "src/jobs/task_id.h"
#include "src/sync/event_count.h"
#include "src/sync/policy.h"

namespace nowait {

// Events is an event count: NotifyAll, Epoch. A host is the thread that goes round:
//   auto RunsOf(TaskId list)     an object: runs(job) runs jobs of that list while it lives
//   void Complete(TaskId list)   the task of the list is done
//   void NotifyCompletion()      wakes the threads that sleep because of that task
//   bool ShouldLeave()           the host's wait is over: it leaves in the middle
//   ListRunCounts& counts()
template <class Sync = EngineSync, class Events = EventCount<Sync>>
class ListWork {
 public:
  using Key = typename Events::Key;

  // lists: how many of one priority can be attached at the same time. events: idle threads sleep on
  // it.
  ListWork(std::uint32_t lists, std::uint32_t priorities, Events& events)
      : events_(events), registry_(lists, priorities) {
    NOWAIT_ASSERT(lists <= kMaxListsPerPriority, "a round takes in all lists of a priority");
  }

  // Does the work of a task that the caller has started, or begins it: then others will end it. The
  // list has been submitted. Notifies events before it runs a job.
  template <class Host>
  void Begin(JobList<Sync>& list, TaskId task, std::uint32_t priority, Host&& host) {
    const std::uint32_t slot = registry_.Post(&list, task, priority);
    events_.NotifyAll();
    if (slot == JobListRegistry<Sync>::kNone) return RunAlone(list, task, host);
    Key seen = events_.Epoch();
    RunJobLists(registry_, priority, NotifyingHost<Host>{events_, seen, host}, host.counts(), slot);
  }

  // The same, done by the caller alone.
  template <class Host>
  void RunAlone(JobList<Sync>& list, TaskId task, Host&& host) {
    {
      const auto runs = host.RunsOf(task);
      Job job;
      while (list.Fetch(&job) != RunResult::kDone) {
        runs(job);
        list.CompleteJobs();
        ++host.counts().jobs;
      }
    }
    host.Complete(task);
    host.NotifyCompletion();
  }

  // Whether a list of the priority is attached that may have something left to fetch.
  bool Any(std::uint32_t priority) const { return registry_.Open(priority) != 0; }
  // The same of the priorities whose bits are set.
  bool AnyOf(std::uint32_t priorities) const {
    for (std::uint32_t left = priorities; left != 0; left &= left - 1) {
      if (Any(static_cast<std::uint32_t>(std::countr_zero(left)))) return true;
    }
    return false;
  }

  // Runs jobs of the lists of a priority. *seen: the epoch of events when the caller began to look
  // for something more urgent. True: there was a job, news or a list's end, and another look may
  // find more: the tasks that the list's task has made ready may be more urgent than this priority.
  template <class Host>
  bool Help(std::uint32_t priority, Key* seen, Host&& host) {
    // Most looks find no list: what follows is not in their way.
    return Any(priority) && HelpAttached(priority, seen, host);
  }

 private:
  template <class Host>
  [[gnu::noinline]] bool HelpAttached(std::uint32_t priority, Key* seen, Host& host) {
    bool completed = false;
    NotifyingHost<Host> ears{events_, *seen, host, &completed};
    return RunJobLists(registry_, priority, ears, host.counts()) || completed;
  }

  template <class Host>
  struct NotifyingHost {
    bool HasNews() {
      const Key now = events.Epoch();
      if (now == seen) return host.ShouldLeave();
      seen = now;
      return true;
    }
    void SectionEnded() { events.NotifyAll(); }
    auto RunsOf(TaskId list) { return host.RunsOf(list); }
    void Complete(TaskId list) {
      host.Complete(list);
      host.NotifyCompletion();
      if (completed != nullptr) *completed = true;
    }

    Events& events;
    Key& seen;
    Host& host;
    bool* completed = nullptr;  // set when a list's task is complete
  };

  Events& events_;
  JobListRegistry<Sync> registry_;
};

// Implementation: why this is right
//
// Invariants
//   1. Each begun task is completed once: by the thread that ran it alone, or by the last visitor
//      to leave its slot (src/jobs/job_list_registry.h).
//   2. A visitor leaves a slot after the last job that it fetched there has returned, and the slot
//      is closed only when all jobs have been fetched. So when the last visitor leaves, all have
//      returned.
//   3. events is notified after a list has been attached and after a section has ended. The host is
//      asked to notify of a task after that has been completed.
//
// Why no list is forgotten. While a list is attached, there is a thread of one of three kinds: it
// is inside; or it has had news and looks again; or it got kWaiting and sleeps after a look that
// came after its announcement, as src/sync/event_count.h wants it. In the last case jobs in front
// of the sync point are running, and a notification follows the return of the last of them (3). A
// thread may leave in the middle, because its awaited task is complete or its time is over. It
// leaves the list to the threads that were notified when the list was attached: each of them that
// sleeps has since got kDone there and closed it, or kWaiting. If it is the only thread, it leaves
// the list to its own next look. A thread that waits from a priority upwards looks at less urgent
// lists only if its awaited task needs them: so it counts for those lists alone.

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_LIST_WORK_H_
