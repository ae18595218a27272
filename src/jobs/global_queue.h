// GlobalQueue: one queue for all threads, or rather one for each priority. A policy of the task
// pool.
//
//   policy          Push(thread, ready task, ...)       a task that may start waits here
//                   PushMany(thread, priority, ...)     several of a priority, in their order
//                   Pop(thread, priority, &task)        a task, if any is found
//                   PopOldest(turn, priority, &task)    likewise; no place is always the last
//                   PopOwn(thread, wanted, ...)         a wanted task that this thread has pushed
//
// Within a priority the tasks are taken in the order in which they became ready. No thread has a
// queue of its own, so there is nothing to steal: the choice of [bitsquid2010] until there are more
// than 32 cores. src/jobs/work_stealing.h is the other policy.
//
// Thread safety: any thread, any time; `thread` is the caller's number.
// Progress, promise: as TaskQueue, for each priority.
//
// Source: [bitsquid2010], the global task queue. Model: that of its queues, models/jobs/task_queue;
// and models/jobs/task_scheduler runs over it. Lecture: hierarchical tasks.
#ifndef NOWAIT_SRC_JOBS_GLOBAL_QUEUE_H_
#define NOWAIT_SRC_JOBS_GLOBAL_QUEUE_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "src/base/assert.h"
#include "src/jobs/priority.h"
#include "src/jobs/task_def.h"
#include "src/jobs/task_id.h"
#include "src/jobs/task_queue.h"
#include "src/sync/policy.h"

namespace nowait {

template <class Sync = EngineSync>
class GlobalQueue {
 public:
  // Whether a thread's next Pop gives its last push.
  static constexpr bool kNewestFirst = false;

  // owners: only WorkStealing needs it.
  GlobalQueue(std::uint32_t /*owners*/, std::uint32_t most_open)
      : queues_{TaskQueue<Sync>(most_open), TaskQueue<Sync>(most_open),
                TaskQueue<Sync>(most_open)} {}

  template <class MayStart>
  void Push(std::uint32_t /*thread*/, const ReadyTask& task, const MayStart& may_start) {
    NOWAIT_ASSERT(task.priority < kPriorities, "a task's priority is one of priority.h");
    queues_[task.priority].Push(task.id, may_start);
  }

  template <class MayStart>
  void PushMany(std::uint32_t /*thread*/, std::uint32_t priority, const TaskId* tasks,
                std::size_t count, const MayStart& may_start) {
    queues_[priority].PushMany(tasks, count, may_start);
  }

  [[gnu::always_inline]] bool Pop(std::uint32_t /*thread*/, std::uint32_t priority, TaskId* task) {
    return queues_[priority].Pop(task);
  }

  bool PopOldest(std::uint32_t /*turn*/, std::uint32_t priority, TaskId* task) {
    return queues_[priority].Pop(task);
  }

  // Whether any thread could take a task: a hint, which sees what was pushed before.
  bool Any() const {
    for (const TaskQueue<Sync>& queue : queues_) {
      if (queue.Any()) return true;
    }
    return false;
  }

  // No thread has tasks of its own here.
  template <class Wanted, class MayStart>
  bool PopOwn(std::uint32_t /*thread*/, const Wanted& /*wanted*/, const MayStart& /*may_start*/,
              TaskId* /*task*/, bool* /*put_back*/) {
    return false;
  }

 private:
  std::array<TaskQueue<Sync>, kPriorities> queues_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_GLOBAL_QUEUE_H_
