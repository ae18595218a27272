// TaskQueue: tasks that may start, in a bounded queue that always has room for one more.
//
// An entry is the 8 bytes of a TaskId. It goes stale when a helper that came through the graph
// starts the task, or when the task is cancelled: it stays in the queue, and whoever takes it out
// finds out by TryStart. So there can be more entries than open tasks, and a queue of any size
// could be full of stale ones. Push makes room by throwing those out:
//
//   Push(x): no room? put x in the place of the oldest; if that is stale, drop it, else push it
//
// Thread safety: Push and Pop from any thread, any time.
// Progress: blocking. Where BoundedQueue says "full" because of a thread that is stopped inside it,
// a Push waits for that thread. Else lock-free.
//
// Invariants
//   1. Of one task there is at most one entry, as a graph hands it out once; entries that are not
//      stale are of different open tasks. So at most most_open entries are not stale, and these
//      take up at most two thirds of the cells.
//   2. What a Push has taken out is dropped if it is stale and pushed if it is not: no entry of a
//      task that may start is lost. A Push has one entry in its hands, its own or another.
//
// Why Push ends. It takes an entry out only when the queue is full just then, and puts one in with
// the same step. At least a third of the entries are stale then (1), and wherever they are, after as
// many steps as there are others, by whatever threads, one is met and a Push has ended. Taking one
// out first and making two calls of it would not do: another producer could take the room, so that
// more and more are in a Push's hands, and two producers could move the same entries round for ever.
//
// Promise: what is pushed is popped once, or is stale. An entry that a Push has taken out to make
// room is not to be had until that Push returns, so that, as with BoundedQueue, a consumer may
// sleep after "nothing" only if each producer wakes it after its Push has returned. What a producer
// did before Push happens before what the consumer does after that Pop.
//
// Source: the blog's queue of work items beside its list of open tasks. Model:
// models/jobs/task_queue. Lecture: hierarchical tasks.
#ifndef NOWAIT_SRC_JOBS_TASK_QUEUE_H_
#define NOWAIT_SRC_JOBS_TASK_QUEUE_H_

#include <cstddef>
#include <cstdint>

#include "src/jobs/bounded_queue.h"
#include "src/jobs/task_id.h"
#include "src/sync/policy.h"

namespace nowait {

template <class Sync = EngineSync>
class TaskQueue {
 public:
  // most_open: how many tasks can be open at the same time (TaskGraph::most_open). Of that it is a little
  // more than a power of two where a pool's capacity is one: with two cells for each, there would be four.
  explicit TaskQueue(std::uint32_t most_open) : entries_((std::size_t{3} * most_open + 1) / 2) {}

  // may_start(TaskId): false for an entry that is stale (TaskGraph::MayStart).
  template <class MayStart>
  void Push(TaskId task, const MayStart& may_start) {
    while (!entries_.TryPush(task)) {
      TaskId oldest;
      if (entries_.TryReplaceOldest(task, &oldest)) {
        if (!may_start(oldest)) return;
        task = oldest;
      } else {
        // There is room now, or another thread is between taking its place and leaving its cell.
        Sync::Yield();
      }
    }
  }

  // False: nothing, as BoundedQueue says it. Otherwise *task may have been started or cancelled by
  // now.
  bool Pop(TaskId* task) { return entries_.TryPop(task); }

  std::size_t capacity() const { return entries_.capacity(); }

 private:
  BoundedQueue<TaskId, Sync> entries_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_TASK_QUEUE_H_
