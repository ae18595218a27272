// RunJobLists: a thread's way round the attached lists of one priority.
//
// It enters each list, runs the jobs that it gets and leaves. A stall means that another thread is
// fetching from the list at that moment; it is hidden behind another list. Less urgent lists wait:
// a stall lasts for some instructions, a job for thousands. If every list stalls, the round yields
// and looks again. It stays inside the stalled lists meanwhile: to leave and to enter again would
// write to the registry in each vain turn, on the cache line from which other threads try to get in
// and out. A list that waits at a sync point waits for jobs, which last longer. The round leaves it
// and does not stay for it; the thread that ends the section notifies.
//
// A visitor that learns that a list has nothing left to fetch closes its slot by leaving, and the
// last visitor to leave a closed slot completes the list's task (src/jobs/job_list_registry.h). So
// no thread, the list's poster included, waits for the threads that still run its jobs.
//
// Thread safety: from any thread; not from inside a job.
// Progress: lock-free, unless a holder of a fetch lock is stopped: then the round hides that behind
// other lists of the same priority, and yields until there is news.
//
// Promise: a round that returns false has got kDone from each list that was attached when it began,
// or kWaiting while jobs in front of a sync point were running.
//
// Source: [sanglard2013], "How a worker works": the list with the highest priority, and after a
// stall one of equal or higher priority. Model: models/jobs/task_lists. Lecture: hiding stalls.
#ifndef NOWAIT_SRC_JOBS_JOB_LIST_RUNNER_H_
#define NOWAIT_SRC_JOBS_JOB_LIST_RUNNER_H_

#include <algorithm>
#include <bitset>
#include <cstddef>
#include <cstdint>

#include "src/base/assert.h"
#include "src/jobs/job.h"
#include "src/jobs/job_list.h"
#include "src/jobs/job_list_registry.h"
#include "src/jobs/task_counts.h"
#include "src/jobs/task_id.h"
#include "src/sync/policy.h"

namespace nowait {

// The most slots of one priority that a registry may have.
inline constexpr std::size_t kMaxListsPerPriority = 64;
// The most jobs that a round fetches at once, and its share of the jobs that are left: one in so
// many.
inline constexpr std::uint32_t kMaxBatch = 16;
inline constexpr std::uint32_t kBatchShare = 16;

// The host serves the round:
//   bool HasNews()                      whether there was a notification since the last question
//   void SectionEnded()                 the last job in front of a sync point has returned here
//   auto RunsOf(TaskId list)            an object: runs(job) runs jobs of that list while it lives
//   void Complete(TaskId list)          the list is finished, and the caller's alone
// entered: a slot that the caller is inside and where the round begins, or kNone.
// Returns whether there was a job or news: then another look may find more.
template <class Sync, class Host>
bool RunJobLists(JobListRegistry<Sync>& registry, std::uint32_t priority, Host&& host,
                 ListRunCounts& counts, std::uint32_t entered = JobListRegistry<Sync>::kNone) {
  const std::uint32_t used = registry.Used(priority);
  NOWAIT_ASSERT(used <= kMaxListsPerPriority, "a round takes in all lists of a priority");
  const std::uint32_t begin = registry.Begin(priority);
  std::uint32_t first = 0;
  std::bitset<kMaxListsPerPriority> inside;
  std::bitset<kMaxListsPerPriority> done;
  if (entered != JobListRegistry<Sync>::kNone) {
    first = entered - begin;
    inside.set(first);
  }
  const auto leave = [&](std::uint32_t i, bool nothing_left) {
    inside.reset(i);
    const TaskId list = nothing_left ? registry.LeaveDone(begin + i) : registry.Leave(begin + i);
    if (list.IsTask()) host.Complete(list);
  };
  const auto leave_all_but = [&](std::uint32_t slot) {
    for (std::uint32_t i = 0; i < used && inside.any(); ++i) {
      if (i != slot && inside[i]) leave(i, false);
    }
  };
  // Runs jobs of the list in a slot until it gives no more, or there is news (kProgress).
  bool ran = false;
  std::uint32_t most = 1;
  typename JobList<Sync>::Batch batch;
  const auto fetch = [&](JobList<Sync>& list) {
    const RunResult result = list.FetchBatch(most, kBatchShare, &batch);
    if (result == RunResult::kStalled) most = std::min(2 * most, kMaxBatch);
    return result;
  };
  const auto visit = [&](std::uint32_t i, JobList<Sync>& list) {
    RunResult result = fetch(list);
    if (result != RunResult::kProgress) return result;
    leave_all_but(i);
    ran = true;
    const auto runs = host.RunsOf(registry.TaskOf(begin + i));
    std::uint64_t jobs = 0;
    do {
      for (std::uint32_t k = 0; k < batch.count; ++k) runs(list.At(batch.first + k));
      jobs += batch.count;
      if (list.CompleteJobs(batch.count)) host.SectionEnded();
      if (host.HasNews()) break;
      result = fetch(list);
    } while (result == RunResult::kProgress);
    counts.jobs += jobs;
    return result;
  };
  std::uint32_t vain = 0;
  for (;;) {
    std::uint32_t stalled = 0;
    std::uint32_t answered = 0;
    for (std::uint32_t k = 0; k < used; ++k) {
      const std::uint32_t i = first + k < used ? first + k : first + k - used;
      if (done[i]) continue;
      JobList<Sync>* list = inside[i] ? registry.Entered(begin + i) : registry.Enter(begin + i);
      if (list == nullptr) {
        done.set(i);
        continue;
      }
      inside.set(i);
      const RunResult result = visit(i, *list);
      if (result == RunResult::kStalled) {
        ++stalled;
        continue;
      }
      ++answered;
      if (result == RunResult::kProgress) {
        counts.stalls += stalled;
        counts.hidden += stalled;
        leave(i, false);
        return true;
      }
      leave(i, result == RunResult::kDone);
      done.set(i);
    }
    counts.stalls += stalled;
    if (answered != 0) counts.hidden += stalled;
    if (stalled == 0) return ran;
    if (answered == 0) {
      if (vain++ < Sync::kSpins / 16) {
        Sync::Pause();
        continue;
      }
      // The holder of the fetch lock may have lost its core in the middle: it gets this one.
      ++counts.yields;
      Sync::Yield();
      if (host.HasNews()) {
        leave_all_but(used);
        return true;
      }
    }
  }
}

// Implementation: why this is right
//
// Promise: the round may overlook a list that is attached later, and a section that begins later.
// The thread that attaches the list, or ends the section before it, notifies
// (src/jobs/list_work.h). After each fetch's jobs, and each yield, the round asks whether there was
// a notification; if so, it returns true: there may be something more urgent.
//
// Progress: a round that is turned away from a list has met a thread that fetched, or that learnt
// that nothing is left. The jobs and the rounds under way bound how often that can happen, since no
// round asks a list again that returned kDone (models/jobs/job_list.pml, workers_end).
//
// Invariants
//   1. While it runs a job, the round is inside no list but the job's. The other lists may be
//      finished, and complete but for this visitor, long before the job returns.
//   2. It leaves a list after the last job that it fetched there has returned.
//   3. `done` are the slots that were empty or whose list has nothing to fetch now. Their later
//      changes are news, and a notification follows each.
//   4. It is inside no list when it returns.
//
// How many jobs it fetches at once. Two threads with short jobs meet at the fetch lock more often
// than they work, and each meeting moves a cache line from one core to the other. Being turned away
// is the sign of that: a round fetches twice as many from then on. Jobs that last are never fetched
// that often, and are taken one by one. A batch is never more than a sixteenth of the jobs that are
// left, so that no thread has a batch in its hands while all others have come to the end.
//
// Source: the review's workers copy the lists that they know to the stack. `inside` and `done` are
// that copy here, and the news is its version.

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_JOB_LIST_RUNNER_H_
