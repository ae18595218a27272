// GoRound: a worker's way round the lists that hang on a board, until nothing is left to fetch.
//
// It enters each list, runs what it gets and leaves. A stall, somebody else fetching from the list
// just then, is hidden behind the next list. Where nothing but stalls is to be had it yields and
// looks again, and it stays inside the stalled lists for that: to leave and to enter again would
// write to the board in each vain turn, on the cache line from which others try to get in and out.
// It is the holder of the fetch lock whom it waits for, and so does whoever wants the list back.
//
// Thread safety: from any thread; not from inside a job.
// Progress: lock-free but for a holder of a fetch lock that is stopped. A round that is turned away
// from a list has met somebody who fetched, or learnt that nothing is left. The jobs and the rounds
// under way bound how often that can happen, since no round asks a list again that said kDone
// (models/jobs/job_list.pml, workers_end).
//
// Invariants
//   1. While it runs a job it is inside of no list but the job's. The others may be finished, and
//      wanted back, long before the job returns.
//   2. It leaves a list after the last job that it fetched there has returned.
//
// Promise: of each list that hung when the round began, and hangs until it has ended, every job has
// been fetched when it ends. A list that is hung up later may be overlooked: whoever hangs it up
// tells the workers (src/jobs/worker_rounds.h).
//
// Source: the review, "Where jobs are run": a worker goes to another list when one is stalled.
// Model: models/jobs/worker_rounds. Lecture: hiding stalls.
#ifndef NOWAIT_SRC_JOBS_BOARD_ROUND_H_
#define NOWAIT_SRC_JOBS_BOARD_ROUND_H_

#include <bitset>
#include <cstddef>
#include <cstdint>

#include "src/base/assert.h"
#include "src/jobs/job.h"
#include "src/jobs/job_list.h"
#include "src/jobs/list_board.h"
#include "src/sync/policy.h"

namespace nowait {

// The most slots that a board may have.
inline constexpr std::size_t kMaxRoundSlots = 64;

// left_last(): called each time that the round has left a closed slot as its last visitor.
template <class Sync, class LeftLast>
void GoRound(ListBoard<Sync>& board, LeftLast left_last) {
  NOWAIT_ASSERT(board.size() <= kMaxRoundSlots, "a round takes in the whole board");
  std::bitset<kMaxRoundSlots> inside;
  std::bitset<kMaxRoundSlots> done;
  const auto leave = [&](std::uint32_t slot) {
    inside.reset(slot);
    if (board.Leave(slot)) left_last();
  };
  const auto leave_others = [&](std::uint32_t slot) {
    for (std::uint32_t other = 0; inside.count() > 1; ++other) {
      if (other != slot && inside[other]) leave(other);
    }
  };
  for (bool stalled = true; stalled;) {
    stalled = false;
    bool ran = false;
    for (std::uint32_t slot = 0; slot < board.size(); ++slot) {
      if (done[slot]) continue;
      JobList<Sync>* list = inside[slot] ? board.Entered(slot) : board.Enter(slot);
      if (list == nullptr) continue;
      inside.set(slot);
      Job job;
      RunResult result;
      while ((result = list->Fetch(&job)) == RunResult::kProgress) {
        leave_others(slot);
        list->Run(job);
        ran = true;
      }
      if (result == RunResult::kDone) {
        leave(slot);
        done.set(slot);
      } else {
        stalled = true;
      }
    }
    // The holder of a fetch lock may have lost its core in the middle: it gets ours.
    if (stalled && !ran) Sync::Yield();
  }
}

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_BOARD_ROUND_H_
