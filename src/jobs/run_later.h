// RunLater: instead of waiting: the rest of the current task, to be run when another task is
// complete.
//
//   void Update(void* data) {                                   a task's work
//     if (!pool.IsComplete(path)) {
//       if (RunLater(pool, {&Update, data}, path)) return;      the thread goes on to other tasks
//     }
//     ...
//
// A started task may find that something it needs is not there. It would stall its thread by
// waiting, and may not wait at all for a task that another has made. It returns instead, and the
// rest of its work becomes its child, with `needed` as dependency. So it is complete, and its
// dependents start, only when the rest has been done, too.
//
// Two tasks that each come later than the other would never be run. One of them is refused with
// kCycle (both may be, when they ask at the same time). It goes on with what there is, like a task
// that reads data of the last frame, or puts itself off (src/jobs/frame_loop.h).
//
// Thread safety: in a task. Errors, besides those of TaskPool::Add: kWrongPhase (outside all
// tasks).
//
// Source: [cbloom2011]: objects whose dependencies are not done are rescheduled for later in the
// tick, rather than stalling. Lecture: dependencies, helping waits, devices.
#ifndef NOWAIT_SRC_JOBS_RUN_LATER_H_
#define NOWAIT_SRC_JOBS_RUN_LATER_H_

#include "src/base/result.h"
#include "src/jobs/job.h"
#include "src/jobs/priority.h"
#include "src/jobs/task_id.h"
#include "src/jobs/task_pool.h"

namespace nowait {

template <class Queues>
Result<TaskId> RunLater(BasicTaskPool<Queues>& pool, const Job& rest, TaskId needed,
                        Priority priority = Priority::kHigh) {
  const auto current = pool.Current();
  if (!current) return current;
  if (!current->IsTask()) {
    return Fail(ErrorCode::kWrongPhase, "later work", 0, "it is the rest of a task");
  }
  return pool.Add({.work = rest,
                   .parent = *current,
                   .dependency = needed,
                   .priority = static_cast<std::uint8_t>(priority)});
}

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_RUN_LATER_H_
