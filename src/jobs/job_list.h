// JobList: jobs that one thread adds and any number of workers run, each job exactly once.
//
// Life: Add, AddSyncPoint (one thread, no synchronisation) ... Submit ... RunOne (any threads)
// until kDone ... Finished ... Clear, and again. After Submit the list is published to the workers
// by something that orders it (src/jobs/job_list_registry.h), as any object would be.
//
// Sync points divide the jobs into sections. A section begins when every job before it has
// returned, and what those jobs did happens before it. So the passes of an algorithm are one list,
// and its owner does not wait between them.
//
// Thread safety: Add, AddSyncPoint, Submit and Clear belong to the filling thread, while no worker
// has the list. RunOne, its parts Fetch, Run and Returned, and Finished: any thread, between Submit
// and Clear.
// Progress: RunOne never waits. It is not lock-free: the fetch lock is a try-lock, and while a
// worker is stopped inside it, every other RunOne returns kStalled. The caller then does something
// else: the review's workers hide a stall behind another list. kWaiting asks for the same, and
// lasts as long as a job.
//
// Promise: linearizable as a queue of jobs with a count of those that have not returned; stated in
// full behind the class.
//
// Source: [sanglard2013], "Where jobs are run" (idParallelJobList::RunJobs), with the bounds check
// before the job is run. Sync points: InsertSyncPoint of the code that it reviews, of which only
// the waiting kind is here. Model: models/jobs/job_list. Lecture: the job list and its fetch lock.
#ifndef NOWAIT_SRC_JOBS_JOB_LIST_H_
#define NOWAIT_SRC_JOBS_JOB_LIST_H_

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <ranges>

#include "src/base/result.h"
#include "src/jobs/job.h"
#include "src/sync/policy.h"

namespace nowait {

enum class RunResult : std::uint8_t {
  kProgress,  // the review's RUN_PROGRESS: a job was run
  kStalled,   // RUN_STALLED: another thread is fetching right now
  kWaiting,   // the next job is behind a sync point, and jobs in front of it are running
  kDone,      // RUN_DONE: nothing is left to fetch
};

template <class Sync = EngineSync>
class JobList {
 public:
  // Jobs one after another, in the order of adding.
  struct Batch {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
  };

  // How many jobs, and how many sync points, can be added between two Clears.
  explicit JobList(std::uint32_t capacity, std::uint32_t sync_points = 0)
      : jobs_(capacity), sync_points_(sync_points) {}

  std::uint32_t capacity() const { return static_cast<std::uint32_t>(jobs_.size()); }
  std::uint32_t sync_points() const { return static_cast<std::uint32_t>(sync_points_.size()); }

  // How many jobs have been added; for the filling thread, or a thread that has the submitted list.
  std::uint32_t size() const { return size_.get(); }

  // kCapacity when the list is full; the list is then unchanged.
  Result<void> Add(Job job) {
    const std::uint32_t size = size_.get();
    if (size == capacity()) return Fail(ErrorCode::kCapacity, "job list", capacity());
    jobs_[size].set(job);
    size_.set(size + 1);
    return {};
  }

  // The jobs added from here on begin when all jobs added so far have returned. A sync point before
  // the first job, or a second one at the same place, changes nothing. kCapacity when the list has
  // no room for it; the list is then unchanged.
  Result<void> AddSyncPoint() {
    const std::uint32_t count = sync_count_.get();
    const std::uint32_t place = size_.get();
    if (place == (count == 0 ? 0 : sync_points_[count - 1].get())) return {};
    if (count == sync_points_.size()) {
      return Fail(ErrorCode::kCapacity, "job list's sync points", count);
    }
    sync_points_[count].set(place);
    sync_count_.set(count + 1);
    return {};
  }

  // Makes the jobs added so far ready to be run.
  void Submit() {
    next_job_.set(0);
    section_.set(0);
    section_end_.set(SectionEnd(0));
    // relaxed: the thread that publishes the list publishes this together with the jobs.
    unfinished_.store(size_.get(), std::memory_order::relaxed);
  }

  // Fetches one job and runs it.
  RunResult RunOne() {
    Job job;
    const RunResult result = Fetch(&job);
    if (result == RunResult::kProgress) Run(job);
    return result;
  }

  // The first half of RunOne. With kProgress, *job is the caller's to Run; otherwise it is left
  // alone.
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
    const RunResult result =
        index < section_end_.get() ? RunResult::kProgress : BeginSection(index);
    if (result == RunResult::kProgress) next_job_.set(index + 1);
    fetch_lock_.store(0, std::memory_order::release);  // pairs with the acquire above
    if (result == RunResult::kProgress) *job = jobs_[index].get();
    return result;
  }

  // The second half of RunOne. The result is that of Returned.
  bool Run(const Job& job) {
    job.function(job.data);
    return CompleteJobs();
  }

  // Jobs that were fetched have been run. Returns whether the last job of a section was among them,
  // with another section behind it: a thread that got kWaiting may be asleep.
  bool CompleteJobs(std::uint32_t jobs = 1) {
    // release: pairs with the acquires in Finished and BeginSection. The decrements are
    // read-modify-writes, so the number read there belongs to the release sequence of every one of
    // them.
    const std::uint32_t left = unfinished_.fetch_sub(jobs, std::memory_order::release) - jobs;
    return left != 0 && EndsSection(left);
  }

  // Fetches several jobs at one moment: at most `most`, and at most one in `share` of those that
  // are left in front of the next sync point, but at least one. With kProgress the caller runs them
  // and returns them together. The answer is that of Fetch.
  RunResult FetchBatch(std::uint32_t most, std::uint32_t share, Batch* batch) {
    std::uint32_t unlocked = 0;
    // acquire, and relaxed at failure: as in Fetch. Pairs with the releases there and below.
    if (!fetch_lock_.compare_exchange_strong(unlocked, 1, std::memory_order::acquire,
                                             std::memory_order::relaxed)) {
      return RunResult::kStalled;
    }
    const std::uint32_t index = next_job_.get();
    const RunResult result =
        index < section_end_.get() ? RunResult::kProgress : BeginSection(index);
    if (result == RunResult::kProgress) {
      const std::uint32_t left = section_end_.get() - index;
      *batch = {index, std::clamp(left / share, 1u, most)};
      next_job_.set(index + batch->count);
    }
    fetch_lock_.store(0, std::memory_order::release);  // pairs with the acquires above and in Fetch
    return result;
  }
  // A job of a batch, as it was added.
  Job At(std::uint32_t index) const { return jobs_[index].get(); }

  // Whether every job has returned.
  bool Finished() const { return unfinished_.load(std::memory_order::acquire) == 0; }

  // Empties the list: only when it is finished and no worker has it any more.
  void Clear() {
    size_.set(0);
    sync_count_.set(0);
  }

 private:
  // Under the fetch lock, when every job of a section has been fetched: kProgress if the next
  // section may begin with the job `index`.
  RunResult BeginSection(std::uint32_t index) {
    if (index == size_.get()) return RunResult::kDone;
    // acquire: pairs with the release in Returned: what the jobs of the section did. A thread that
    // fetches later has it from the fetch lock.
    if (unfinished_.load(std::memory_order::acquire) != size_.get() - index) {
      return RunResult::kWaiting;
    }
    const std::uint32_t section = section_.get() + 1;
    section_.set(section);
    section_end_.set(SectionEnd(section));
    return RunResult::kProgress;
  }

  std::uint32_t SectionEnd(std::uint32_t section) const {
    return section < sync_count_.get() ? sync_points_[section].get() : size_.get();
  }

  // Whether a section ends, with another left, at this number of jobs that have not returned.
  bool EndsSection(std::uint32_t left) const {
    if (sync_points_.size() == 0) return false;
    return std::ranges::binary_search(std::views::iota(0u, sync_count_.get()), size_.get() - left,
                                      {},
                                      [this](std::uint32_t i) { return sync_points_[i].get(); });
  }

  SyncArray<Sync, typename Sync::template plain<Job>> jobs_;
  SyncArray<Sync, typename Sync::template plain<std::uint32_t>> sync_points_;  // ascending
  typename Sync::template plain<std::uint32_t> size_{0};
  typename Sync::template plain<std::uint32_t> sync_count_{0};
  typename Sync::template plain<std::uint32_t> next_job_{0};
  typename Sync::template plain<std::uint32_t> section_{0};
  typename Sync::template plain<std::uint32_t> section_end_{0};
  // Each on a cache line of its own: every fetch writes the one, every finished job the other.
  alignas(64) typename Sync::template atomic<std::uint32_t> fetch_lock_{0};
  alignas(64) typename Sync::template atomic<std::uint32_t> unfinished_{0};
};

// Implementation: why this is right
//
// Promise: linearizable over happens-before (models/kit/scenario/linearizability.h) as a queue of
// jobs with a count of those that have not returned.
//   - A RunOne that runs a job is two operations: the fetch is complete when the job begins, and
//     the return follows the job. A FetchBatch fetches its jobs one after another at one moment;
//     the Returned for them returns them likewise.
//   - Jobs are fetched in the order in which they were added, each exactly once. No job behind a
//     sync point is fetched before every job in front of that point has returned.
//   - kDone: no job is left to fetch; some may still be running.
//   - kWaiting: the next job is behind a sync point, and some job in front of that has not
//     returned.
//   - kStalled: another call which took the fetch lock overlaps this one; neither is known to come
//     before the other.
//   - Finished() is true only after every job has returned, and what the jobs did happens before
//     that.
// Linearization points: the compare-exchange on fetch_lock_ for a fetch, for kDone and for
// kStalled; the load of unfinished_ for kWaiting and for a fetch that begins a section; the
// decrement for a return; the load for Finished.
//
// Invariants
//   1. fetch_lock_ is 1 exactly while one thread is between taking and releasing it. A failed
//      attempt changes nothing. (The review's increment-and-look leaves its failed increments in
//      the count for a while: a list can then look locked although no thread holds the lock.)
//   2. next_job_, section_ and section_end_ are touched only under the fetch lock. size_, the jobs
//      and the sync points are written by the filling thread alone, before it publishes the list.
//      All of it is plain data.
//   3. unfinished_ is the number of jobs that have not returned yet.
//   4. No job at or behind section_end_ has been fetched. So while section_end_ is s, the jobs
//      before s have all returned exactly when unfinished_ is size_ - s. The count of the whole
//      list thus shows the end of each section, and one return brings it there.

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_JOB_LIST_H_
