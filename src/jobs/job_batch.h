// JobBatch: jobs from lambdas, and loops, on a job list of its own that is used again.
//
//   auto ok = batch.Add(rebuild);                    // a callable, taken by reference
//   if (ok) ok = batch.AddEach(islands, solve);      // solve(i) for 0 .. islands-1, a job each
//   if (ok) ok = batch.AddLoop(pairs, 64, collide);  // collide(begin, end), pieces of 0 .. pairs-1
//   if (ok) ok = batch.AddSyncPoint();               // what follows begins when that has returned
//   if (ok) ok = batch.Run(pool);                    // all of it; returns when all have returned
//   return ok;
//
//   auto node = batch.AddTo(pool, {.dependency = walk});   // instead of Run: a task
//   ...
//   ok = batch.Collect(pool);                              // after a wait for it
//
// A loop is as many jobs as the pool has threads, which take its pieces from ranges of their own
// (src/jobs/stealable_ranges.h). Pieces that lie together are done by one thread, and a piece may
// be short. Use jobs (AddEach, begun in order) for long work, and where the order of beginning
// matters.
//
// Thread safety: one thread. The callables run on any thread, at the same time; they must live
// until Run has returned, or the task is complete, and their writes are visible then. They neither
// create tasks nor wait for any.
// Blocking: Run helps, as TaskPool::Wait; its caller holds none of the engine's locks.
// The pieces of a loop depend on its length and grain alone, not on the number of threads, so that
// results kept by piece are the same with any number.
#ifndef NOWAIT_SRC_JOBS_JOB_BATCH_H_
#define NOWAIT_SRC_JOBS_JOB_BATCH_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <expected>
#include <new>
#include <vector>

#include "src/base/assert.h"
#include "src/base/result.h"
#include "src/jobs/job.h"
#include "src/jobs/job_list.h"
#include "src/jobs/priority.h"
#include "src/jobs/stealable_ranges.h"
#include "src/jobs/task_id.h"
#include "src/jobs/task_pool.h"
#include "src/profile/profile.h"
#include "src/sync/held_locks.h"
#include "src/sync/policy.h"

namespace nowait {

class JobBatch {
 public:
  // How many threads can run one loop at the same time.
  static constexpr std::uint32_t kMostHands = 64;

  // capacity: how many jobs a batch can have. A loop is at least one, and more as far as there is
  // room. sync_points: how many sync points it can have.
  explicit JobBatch(std::uint32_t capacity = 256, std::uint32_t sync_points = 0)
      : list_(capacity, sync_points), sync_points_left_(sync_points) {
    shares_.reserve(capacity);
    parts_.reserve(std::size_t{capacity} + sync_points);  // a part has a job, or is a sync point
  }

  // A job that calls `body()`. kCapacity when the batch is full.
  template <class F>
  Result<void> Add(F& body) {
    return AddPart(1, {&body, &CallOnce<F>, 1, 0});
  }

  // Jobs that call `body(i)`, one for each i of 0 .. count-1, begun in this order. kCapacity when
  // the batch has no room for all of them; it is unchanged then.
  template <class F>
  Result<void> AddEach(std::uint32_t count, F& body) {
    return AddPart(count, {&body, &CallFor<F>, count, 0});
  }

  // Calls `body(begin, end)` for consecutive pieces of 0 .. count-1 of `grain` elements, at least
  // one (the last may be shorter). kCapacity when the batch is full.
  template <class F>
  Result<void> AddLoop(std::uint32_t count, std::uint32_t grain, F& body) {
    return AddPart(count == 0 ? 0 : 1, {&body, &CallOn<F>, count, std::max(grain, 1u)});
  }

  // The jobs added from here on begin when everything in front of them has returned; the writes of
  // that are visible. kCapacity when the batch has no room for it.
  Result<void> AddSyncPoint() {
    if (task_.IsTask()) return IsATask();
    if (parts_.empty() || parts_.back().call == nullptr) return {};
    if (sync_points_left_ == 0) {
      return Fail(ErrorCode::kCapacity, "job batch's sync points", list_.sync_points());
    }
    --sync_points_left_;
    parts_.push_back({nullptr, nullptr, 0, 0});
    return {};
  }

  // Everything added since the last Run as a task of the graph, held by the caller; the call does
  // not block. The batch is the task's until Collect, and takes nothing new. def: without work and
  // affinity. kWrongPhase (job batch): it is a task already. Other errors are those of Run and
  // TaskPool::Add; the batch is unchanged then.
  template <class Queues>
  Result<TaskId> AddTo(BasicTaskPool<Queues>& pool, const TaskDef& def = {}) {
    if (task_.IsTask()) return IsATask();
    if (!Prepare(pool)) return Fail(ErrorCode::kCapacity, "memory", 0, kForLoops);
    const auto task = pool.AddList(list_, def);
    if (task) {
      task_ = *task;
    } else {
      list_.Clear();
      shares_.clear();
    }
    return task;
  }

  // After a wait for the task of AddTo, on any thread: empties the batch. kWrongPhase (job batch):
  // the task is not complete, and nothing has changed; `amount` jobs and pieces threw; or the task
  // was cancelled before it ran them.
  template <class Queues>
  Result<void> Collect(const BasicTaskPool<Queues>& pool) {
    if (!task_.IsTask() || !pool.IsComplete(task_)) {
      return Fail(ErrorCode::kWrongPhase, "job batch", 0, "it is no task that is complete");
    }
    if (list_.Finished()) return End();
    Clear();
    return Fail(ErrorCode::kWrongPhase, "job batch", 0, "it was cancelled");
  }

  // Runs everything added since the last Run, and empties the batch. It is a list and a task. If
  // the pool makes no task, because it is full, has been shut down, or the caller is itself a job,
  // the caller runs all jobs. kNotOwner, or kWrongPhase (wait): the caller may not wait, and no job
  // was run; the batch is unchanged. kCapacity "memory": no job was run; the batch is empty,
  // because the callables that it refers to may be gone when it is used again. kWrongPhase (job
  // batch): `amount` jobs and pieces of loops threw; all others were run.
  template <class Queues>
  Result<void> Run(BasicTaskPool<Queues>& pool, Priority priority = Priority::kNormal) {
    NOWAIT_ASSERT(HoldsNoLock<EngineSync>(), "no lock is held across jobs");
    if (task_.IsTask()) return IsATask();
    if (auto may = pool.MayWait(); !may) return may;
    if (!Prepare(pool)) {
      Clear();
      return Fail(ErrorCode::kCapacity, "memory", 0, kForLoops);
    }
    const auto task = pool.AddList(list_, {.priority = static_cast<std::uint8_t>(priority)});
    if (task) {
      const auto waited = pool.Wait(*task);
      NOWAIT_ASSERT(waited, "the creator of a task may wait for it");
    }
    if (!list_.Finished()) RunAlone();
    return End();
  }

  // Forgets what was added since the last Run. Not while the batch is a task that is not complete.
  void Clear() {
    task_ = {};
    list_.Clear();
    shares_.clear();
    parts_.clear();
    jobs_ = 0;
    sync_points_left_ = list_.sync_points();
  }

 private:
  static constexpr const char* kForLoops = "for the loops of a job batch";

  // The jobs, loop or sync point that one call has added.
  struct Part {
    void* body;
    void (*call)(void* body, std::uint32_t begin, std::uint32_t end);  // null: a sync point
    std::uint32_t count;  // of jobs; of a loop: elements
    std::uint32_t grain;  // of a loop; 0: jobs

    std::uint32_t Pieces() const { return count / grain + (count % grain != 0 ? 1 : 0); }
  };
  // How to report an exception that does not end its job.
  struct Report {
    void (*function)(void* pool);
    void* pool;
  };
  // One job's share of a part: one call, or a hand in a loop.
  struct Share {
    const Part* part;
    StealableRanges<>* ranges;  // null: a call
    const Report* report;
    std::uint32_t number;  // the call's; the hand's
    std::uint32_t threw = 0;
  };

  template <class F>
  static void CallOnce(void* body, std::uint32_t, std::uint32_t) {
    (*static_cast<F*>(body))();
  }
  template <class F>
  static void CallFor(void* body, std::uint32_t begin, std::uint32_t) {
    (*static_cast<F*>(body))(begin);
  }
  template <class F>
  static void CallOn(void* body, std::uint32_t begin, std::uint32_t end) {
    (*static_cast<F*>(body))(begin, end);
  }

  static std::unexpected<Error> IsATask() {
    return Fail(ErrorCode::kWrongPhase, "job batch", 0, "it is a task already");
  }

  Result<void> AddPart(std::uint32_t jobs, const Part& part) {
    if (task_.IsTask()) return IsATask();
    if (jobs > list_.capacity() - jobs_) {
      return Fail(ErrorCode::kCapacity, "job batch", list_.capacity());
    }
    if (jobs != 0) parts_.push_back(part);
    jobs_ += jobs;
    return {};
  }

  // The job of a single call: an exception ends it.
  static void RunCall(void* data) {
    Share& share = *static_cast<Share*>(data);
    try {
      share.part->call(share.part->body, share.number, share.number + 1);
    } catch (...) {
      share.threw = 1;
      throw;
    }
  }
  // The job of a hand: pieces, until no piece is left. An exception in one must not keep it from
  // the others: there may be no other hand.
  static void RunLoop(void* data) {
    Share& share = *static_cast<Share*>(data);
    const Part& part = *share.part;
    std::uint32_t from = share.number;
    while (const auto piece = share.ranges->Take(share.number, &from)) {
      // Of the hand alone: no thread knows which other thread has which hand.
      if (from != share.number) ProfileMark("steal pieces", from);
      const std::uint32_t begin = *piece * part.grain;
      try {
        part.call(part.body, begin, begin + std::min(part.grain, part.count - begin));
      } catch (...) {
        ++share.threw;
        share.report->function(share.report->pool);
      }
    }
  }

  // Fills the list; false if there is no memory for it.
  template <class Queues>
  bool Prepare(BasicTaskPool<Queues>& pool) {
    report_ = {[](void* to) { static_cast<BasicTaskPool<Queues>*>(to)->ReportThrown(); }, &pool};
    if (!ReserveRanges(pool.threads())) return false;
    FillList(pool.threads());
    return true;
  }
  // All jobs have returned.
  Result<void> End() {
    std::uint32_t threw = 0;
    for (const Share& share : shares_) threw += share.threw;
    Clear();
    if (threw != 0) return Fail(ErrorCode::kWrongPhase, "job batch", threw, "jobs threw");
    return {};
  }

  // Ranges for each loop. Before the first job is in the list: only this can fail.
  bool ReserveRanges(std::uint32_t threads) {
    if (ranges_hands_ < std::min(threads, kMostHands)) {
      ranges_.clear();
      ranges_hands_ = std::min(threads, kMostHands);
    }
    const auto loops = static_cast<std::size_t>(std::count_if(
        parts_.begin(), parts_.end(), [](const Part& part) { return part.grain != 0; }));
    try {
      while (ranges_.size() < loops) ranges_.emplace_back(ranges_hands_);
    } catch (const std::bad_alloc&) {
      return false;
    }
    return true;
  }

  // The jobs of all parts, in the order in which they were added.
  void FillList(std::uint32_t threads) {
    std::uint32_t spare = list_.capacity() - jobs_;
    std::size_t loops = 0;
    for (const Part& part : parts_) {
      if (part.call == nullptr) {
        const auto added = list_.AddSyncPoint();
        NOWAIT_ASSERT(added, "each sync point was counted when it was added");
        continue;
      }
      if (part.grain == 0) {
        for (std::uint32_t i = 0; i < part.count; ++i) AddShare({&part, nullptr, &report_, i});
        continue;
      }
      const std::uint32_t hands = std::min({threads, kMostHands, part.Pieces(), 1 + spare});
      spare -= hands - 1;
      StealableRanges<>& ranges = ranges_[loops++];
      ranges.Distribute(part.Pieces(), hands);
      for (std::uint32_t i = 0; i < hands; ++i) AddShare({&part, &ranges, &report_, i});
    }
  }
  void AddShare(const Share& share) {
    shares_.push_back(share);  // never moves: reserved at creation
    const auto added = list_.Add({share.ranges == nullptr ? &RunCall : &RunLoop, &shares_.back()});
    NOWAIT_ASSERT(added, "each job was counted when its part was added");
  }

  void RunAlone() {
    list_.Submit();
    Job job;
    while (list_.Fetch(&job) == RunResult::kProgress) {  // never kWaiting: all have returned
      try {
        job.function(job.data);
      } catch (...) {
        report_.function(report_.pool);
      }
      list_.CompleteJobs();
    }
  }

  JobList<> list_;
  std::uint32_t jobs_ = 0;  // the least that the parts need
  std::uint32_t sync_points_left_;
  TaskId task_;      // of AddTo, until Collect
  Report report_{};  // to the pool that runs the jobs
  std::vector<Part> parts_;
  std::vector<Share> shares_;             // of the list that is running
  std::deque<StealableRanges<>> ranges_;  // of its loops; kept, because they are allocated
  std::uint32_t ranges_hands_ = 0;        // for which each of them has room
};

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_JOB_BATCH_H_
