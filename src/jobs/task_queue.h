// TaskQueue: tasks that may start, in a bounded queue that always has room for one more.
//
// An entry is the 8 bytes of a TaskId. It goes stale when a helper that came through the graph
// starts the task, or when the task is cancelled. It stays in the queue, and the thread that takes
// it out finds it stale by TryStart. So there can be more entries than open tasks, and a queue of
// any size could be full of stale ones. Push makes room by dropping those:
//
//   Push(x): no room? put x in the place of the oldest; drop that if it is stale, otherwise push it
//
// Thread safety: Push, PushMany and Pop from any thread, any time.
// Progress: blocking. Where BoundedQueue says "full" because of a thread that is stopped inside it,
// a Push waits for that thread. Otherwise lock-free.
//
// Promise: each pushed entry is popped once, or is stale. An entry that a Push has taken out to
// make room is in no queue until that Push returns. So, as with BoundedQueue, a consumer may sleep
// after "nothing" only if each producer wakes it after its Push has returned. A producer's work
// before Push happens before what the consumer does after that Pop.
//
// Source: [bitsquid2010]: the queue of work items beside the list of open tasks. Model:
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
  // most_open: how many tasks can be open at the same time (TaskGraph::most_open). Three cells for
  // two tasks: where a pool's capacity is a power of two, most_open is a little more, and with two
  // cells for each task the rounding up would make it four.
  explicit TaskQueue(std::uint32_t most_open) : entries_((std::size_t{3} * most_open + 1) / 2) {}

  // may_start(TaskId): false for an entry that is stale (TaskGraph::MayStart).
  template <class MayStart>
  void Push(TaskId task, const MayStart& may_start) {
    if (!entries_.TryPush(task)) [[unlikely]]
      MakeRoom(task, may_start);
  }

  // The same for several tasks, in their order.
  template <class MayStart>
  void PushMany(const TaskId* tasks, std::size_t count, const MayStart& may_start) {
    while (count != 0) {
      std::size_t pushed = entries_.TryPushMany(tasks, count);
      if (pushed == 0) {
        MakeRoom(*tasks, may_start);
        pushed = 1;
      }
      tasks += pushed;
      count -= pushed;
    }
  }

  // False: nothing, as BoundedQueue says it. Otherwise *task may have been started or cancelled by
  // now.
  [[gnu::always_inline]] bool Pop(TaskId* task) { return entries_.TryPop(task); }

  // As BoundedQueue::Any.
  bool Any() const { return entries_.Any(); }

  std::size_t capacity() const { return entries_.capacity(); }

 private:
  template <class MayStart>
  [[gnu::noinline]] void MakeRoom(TaskId task, const MayStart& may_start) {
    do {
      TaskId oldest;
      if (entries_.TryReplaceOldest(task, &oldest)) {
        if (!may_start(oldest)) return;
        task = oldest;
      } else {
        // There is room now, or another thread is between taking its place and leaving its cell.
        Sync::Yield();
      }
    } while (!entries_.TryPush(task));
  }

  BoundedQueue<TaskId, Sync> entries_;
};

// Implementation: why this is right
//
// Invariants
//   1. Of one task there is at most one entry, as a graph passes it on once; entries that are not
//      stale are of different open tasks. So at most most_open entries are not stale, and these
//      take up at most two thirds of the cells.
//   2. An entry that a Push has taken out is dropped if it is stale and pushed if it is not: no
//      entry of a task that may start is lost. A Push has one entry in its hands, its own or
//      another.
//
// Why Push ends. It takes an entry out only when the queue is full at that moment, and puts one in
// with the same step. At least a third of the entries are stale then (1). Wherever they are, after
// as many steps as there are others, by any threads, a stale one is met and a Push has ended. Two
// calls, one to take an entry out and one to push, would not do. Another producer could take the
// room, so that more and more entries are in a Push's hands, and two producers could move the same
// entries round for ever.

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_TASK_QUEUE_H_
