// WorkerRounds: how workers find the lists that others submit, sleep when there are none, and let go
// of a list before whoever submitted it has it back. A worker pool without its threads.
//
//   submitter   Submit, hang the list up, wake the workers; help until nothing is left to fetch;
//               close the slot, sleep until the last visitor has left
//   worker      announce itself; go round the board until nothing is left to fetch; sleep
//
// Thread safety: Run from any thread, several at a time, each with its own list; not from inside a
// job. Work from any number of threads. Close once; a Run that has not returned then does what the
// workers that have gone would have done.
// Progress: blocking. Run needs nobody's help: without workers its caller runs every job. Workers
// sleep; they do not spin while there is nothing to run. Nobody is turned away for ever: a round
// takes the fetch lock of a list once for each job, and once to learn that none is left
// (src/jobs/board_round.h).
//
// Invariants
//   1. A worker announces itself on posted_ before it looks at the board and at closing_, and what it
//      looks for is there before posted_ is notified. Either it finds it or it is woken for it
//      (src/sync/event_count.h).
//   2. A visitor leaves a slot after the last job that it fetched there has returned. So a closed
//      slot that is vacant, whose poster found nothing left to fetch, belongs to a finished list.
//      It runs no other list's job meanwhile, or this list's submitter would wait for that as well.
//   3. Only the last visitor of a closed slot can make it vacant, and it notifies left_ afterwards.
//
// Promise: when Run returns, each job of the list has run once, what the jobs did happens before the
// return, and no worker will look at the list again: it may be destroyed. A list that is posted is
// looked at by every worker that sleeps or is about to. After Close every Work returns.
//
// Source: the review, "How a worker works"; helping while waiting: BitSquid, "Task management".
// Model: models/jobs/worker_rounds. Lecture: hiding stalls.
#ifndef NOWAIT_SRC_JOBS_WORKER_ROUNDS_H_
#define NOWAIT_SRC_JOBS_WORKER_ROUNDS_H_

#include <atomic>
#include <cstdint>

#include "src/base/assert.h"
#include "src/jobs/board_round.h"
#include "src/jobs/job_list.h"
#include "src/jobs/list_board.h"
#include "src/sync/event_count.h"
#include "src/sync/policy.h"

namespace nowait {

template <class Sync = StdSync>
class WorkerRounds {
 public:
  // max_lists: how many lists the workers see at once, at most kMaxRoundSlots (board_round.h); a
  // further one is run by its submitter alone.
  explicit WorkerRounds(std::uint32_t max_lists) : board_(max_lists) {
    NOWAIT_ASSERT(max_lists <= kMaxRoundSlots, "a round takes in the whole board");
  }

  // Submits the list, helps to run it, and returns when every job has returned. The list is then
  // the caller's again.
  void Run(JobList<Sync>& list) {
    list.Submit();
    const std::uint32_t slot = board_.Post(&list);
    if (slot == ListBoard<Sync>::kNone) {
      RunAll(list);
      return;
    }
    posted_.NotifyAll();
    RunAll(list);
    board_.Close(slot);
    left_.Await([&] { return board_.IsVacant(slot); });
    NOWAIT_ASSERT(list.Finished(), "a list that nobody fetches from or runs is finished");
    board_.Vacate(slot);
  }

  // Runs jobs of the lists that are posted, and returns after Close.
  void Work() {
    for (;;) {
      const auto key = posted_.PrepareWait();
      GoRound(board_, [&] { left_.NotifyAll(); });
      // relaxed: if Close's notification came before the announcement, that has made it visible; if
      // it came after, it ends the Wait.
      if (closing_.load(std::memory_order::relaxed)) return;
      posted_.Wait(key);
    }
  }

  // Sends every worker home.
  void Close() {
    // relaxed: NotifyAll publishes it to whoever sleeps or is about to.
    closing_.store(true, std::memory_order::relaxed);
    posted_.NotifyAll();
  }

 private:
  // A stall means that somebody is fetching: a few instructions. On few cores that somebody may have
  // lost its core in the middle, so Yield gives ours away.
  static void RunAll(JobList<Sync>& list) {
    for (;;) {
      switch (list.RunOne()) {
        case RunResult::kProgress:
          break;
        case RunResult::kStalled:
          Sync::Yield();
          break;
        case RunResult::kDone:
          return;
      }
    }
  }

  ListBoard<Sync> board_;
  EventCount<Sync> posted_;  // a list was posted, or closing_ was set
  EventCount<Sync> left_;    // the last visitor of a closed slot left
  typename Sync::template atomic<bool> closing_{false};
};

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_WORKER_ROUNDS_H_
