// WorkerPool: threads that run submitted job lists and sleep when there are none.
//
// A minimal pool: every list is equal, the thread that submits a list helps until it is finished.
// What the threads do is src/jobs/worker_rounds.h; the pool starts them, sends them home and joins.
//
// Thread safety: Run from any thread outside the pool, several at a time, each with its own list.
// Not from inside a job: a job that waits could wait for itself (asserted in debug builds).
// Blocking: Run returns when the list is finished. Workers sleep; they do not spin while idle.
//
// Source: the review, "How a worker works". Lecture: hiding stalls.
#ifndef NOWAIT_SRC_JOBS_WORKER_POOL_H_
#define NOWAIT_SRC_JOBS_WORKER_POOL_H_

#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

#include "src/jobs/job_list.h"
#include "src/jobs/worker_rounds.h"

namespace nowait {

class WorkerPool {
 public:
  // How many lists can be under way at once; a further Run is done by its caller alone.
  static constexpr std::uint32_t kMaxLists = 16;

  // workers: how many threads to start besides the callers of Run; zero works.
  // on_start: called once on each new thread with its number, 0 .. workers-1; may be empty.
  explicit WorkerPool(std::uint32_t workers, std::function<void(std::uint32_t)> on_start = {});

  // Every Run must have returned.
  ~WorkerPool();

  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  std::uint32_t workers() const { return static_cast<std::uint32_t>(threads_.size()); }

  // Submits the list, helps to run it, and returns when every job has returned. The list is then
  // the caller's again: Clear it or destroy it.
  void Run(JobList<>& list);

 private:
  WorkerRounds<> rounds_{kMaxLists};
  std::vector<std::jthread> threads_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_WORKER_POOL_H_
