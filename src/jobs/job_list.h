// JobList: jobs that one thread adds and any number of workers run, each job exactly once.
//
// Life: Add (one thread, no synchronisation) ... Submit ... RunOne (any threads) until kDone ...
// Finished ... Clear, and again. The list is handed to the workers after Submit by something that
// orders it (src/jobs/list_board.h), as any object would be.
//
// Thread safety: Add, Submit and Clear belong to the filling thread, while no worker has the list.
// RunOne, or its halves Fetch and Run, and Finished from any thread between Submit and Clear.
// Progress: RunOne never waits. It is not lock-free: the fetch lock is a try-lock, and while a
// worker is stopped inside it every other RunOne returns kStalled. The caller then does something
// else (that is the point of kStalled: the review's workers hide a stall with another list).
//
// Invariants
//   1. fetch_lock_ is 1 exactly while one thread is between taking and releasing it. A failed
//      attempt changes nothing. (The review's increment-and-look leaves its failed increments in the
//      count for a while: a list can then look locked with nobody holding it.)
//   2. next_job_, size_ and the jobs are plain data. The first is touched only under the fetch lock;
//      the others are written by the filling thread alone, before it hands the list over.
//   3. unfinished_ is the number of jobs that have not returned yet.
//
// Promise: linearizable over happens-before (models/kit/linearizability.h) as a queue of jobs with
// a count of those that have not returned. A RunOne that runs a job is two operations: it has
// fetched the job when the job begins, and it returns from it. Jobs are fetched in the order in
// which they were added, each exactly once; kDone means that none is left to fetch (some may still
// be running); kStalled means that another call which took the fetch lock overlaps this one,
// neither being known to come before the other. Finished() is true only after every job has
// returned, and what the jobs did happens before that.
// Linearization points: of a fetch, of kDone and of kStalled, the compare-exchange on fetch_lock_;
// of a return, the decrement; of Finished, its load.
//
// Source: the review, "Where jobs are run" (idParallelJobList::RunJobs), with the bounds check
// before the job is run. Model: models/jobs/job_list. Lecture: the job list and its fetch lock.
#ifndef NOWAIT_SRC_JOBS_JOB_LIST_H_
#define NOWAIT_SRC_JOBS_JOB_LIST_H_

#include <atomic>
#include <cstdint>

#include "src/base/result.h"
#include "src/jobs/job.h"
#include "src/sync/policy.h"

namespace nowait {

enum class RunResult : std::uint8_t {
  kProgress,  // the review's RUN_PROGRESS: a job was run
  kStalled,   // RUN_STALLED: another thread is fetching right now
  kDone,      // RUN_DONE: nothing is left to fetch
};

template <class Sync = StdSync>
class JobList {
 public:
  // capacity: how many jobs can be added between two Clears.
  explicit JobList(std::uint32_t capacity) : jobs_(capacity) {}

  std::uint32_t capacity() const { return static_cast<std::uint32_t>(jobs_.size()); }

  // kCapacity when the list is full; the list is then unchanged.
  Result<void> Add(Job job) {
    const std::uint32_t size = size_.get();
    if (size == capacity()) return Fail(ErrorCode::kCapacity, "job list", capacity());
    jobs_[size].set(job);
    size_.set(size + 1);
    return {};
  }

  // Makes the jobs added so far ready to be run.
  void Submit() {
    next_job_.set(0);
    // relaxed: whoever hands the list over publishes this together with the jobs.
    unfinished_.store(size_.get(), std::memory_order::relaxed);
  }

  // Fetches one job and runs it.
  RunResult RunOne() {
    Job job;
    const RunResult result = Fetch(&job);
    if (result == RunResult::kProgress) Run(job);
    return result;
  }

  // The first half of RunOne. With kProgress, *job is the caller's to Run; else it is left alone.
  RunResult Fetch(Job* job) {
    std::uint32_t unlocked = 0;
    // acquire: pairs with the release below: next_job_ as the last holder left it.
    // Failure relaxed: nothing is read on the strength of it.
    if (!fetch_lock_.compare_exchange_strong(unlocked, 1, std::memory_order::acquire,
                                             std::memory_order::relaxed)) {
      return RunResult::kStalled;
    }
    const std::uint32_t index = next_job_.get();
    // The check belongs here, before the job is run and before the counter moves.
    const bool fetched = index < size_.get();
    if (fetched) next_job_.set(index + 1);
    fetch_lock_.store(0, std::memory_order::release);  // pairs with the acquire above
    if (!fetched) return RunResult::kDone;
    *job = jobs_[index].get();
    return RunResult::kProgress;
  }

  // The second half.
  void Run(const Job& job) {
    job.function(job.data);
    // release: pairs with the acquire in Finished. The decrements are read-modify-writes, so the
    // zero that Finished reads ends the release sequence of every one of them.
    unfinished_.fetch_sub(1, std::memory_order::release);
  }

  // Whether every job has returned.
  bool Finished() const { return unfinished_.load(std::memory_order::acquire) == 0; }

  // Empties the list. Only when it is finished and no worker has it any more.
  void Clear() { size_.set(0); }

 private:
  SyncArray<Sync, typename Sync::template plain<Job>> jobs_;
  typename Sync::template plain<std::uint32_t> size_{0};
  typename Sync::template plain<std::uint32_t> next_job_{0};
  // On lines of their own: every fetch writes the one, every finished job the other.
  alignas(64) typename Sync::template atomic<std::uint32_t> fetch_lock_{0};
  alignas(64) typename Sync::template atomic<std::uint32_t> unfinished_{0};
};

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_JOB_LIST_H_
