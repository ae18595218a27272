// WorkerPool: threads that run submitted job lists and sleep when there are none.
//
// A minimal pool: every list is equal, the thread that submits a list helps until it is finished. A
// worker goes round the board, runs a job from the first list that gives it one, and hides a stall
// by looking at the next list. When a whole round finds every list done it sleeps on an event count.
//
// Thread safety: Run from any thread outside the pool, several at a time, each with its own list.
// Not from inside a job: a job that waits could wait for itself (asserted in debug builds).
// Blocking: Run returns when the list is finished. Workers sleep; they do not spin while idle.
//
// Source: the review, "How a worker works"; helping while waiting: BitSquid, "Task management".
// Lecture: hiding stalls.
#ifndef NOWAIT_SRC_JOBS_WORKER_POOL_H_
#define NOWAIT_SRC_JOBS_WORKER_POOL_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

#include "src/jobs/job_list.h"
#include "src/jobs/list_board.h"
#include "src/sync/event_count.h"

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
  enum class Round : std::uint8_t { kRan, kStalled, kIdle };

  void Work();
  Round GoRound();
  void RunAll(JobList<>& list);

  ListBoard<> board_{kMaxLists};
  EventCount<> posted_;  // a list was posted, or the pool is closing
  EventCount<> left_;    // a list was finished, or the last visitor of a closed slot left
  std::atomic<bool> closing_{false};
  std::vector<std::jthread> threads_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_WORKER_POOL_H_
