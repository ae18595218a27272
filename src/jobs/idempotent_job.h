// IdempotentJob: work that two threads may do at the same time, so that no thread has to wait for
// another that has been switched out.
//
//   compute(data, 0)            the thread that has started the task; the system puts it aside
//          compute(data, 1)     a thread that waits for the task and has nothing else to do
//          commit(data, 1)      the first to be done: its result counts; the task is complete
//   release(data)               the last to leave: what they used may be freed
//
// Thread safety: compute(0) and compute(1) at the same time, so each has a buffer of its own;
// commit once, before the task is complete; release once, after all else. A compute that does not
// count may still go on when the task is complete, so its memory belongs to the job and goes with
// release. The three functions neither wait nor create tasks.
// Exceptions are reported like any job's. A compute that is the first to end, and throws, completes
// the task without a commit. A task that is cancelled before it has begun calls none of the three.
//
// Promise: at most one commit, before the completion; exactly one release, after both computes. A
// thread that has waited for the task sees what was committed.
//
// Source: [bitsquid2010], the remark on a critical task that is run twice. The two states of its
// completion (the result is there, the buffers may go) are commit and release. Model:
// models/jobs/task_scheduler, task_state and task_graph. Lecture: hierarchical tasks.
#ifndef NOWAIT_SRC_JOBS_IDEMPOTENT_JOB_H_
#define NOWAIT_SRC_JOBS_IDEMPOTENT_JOB_H_

namespace nowait {

// Belongs to the task until release has been called.
struct IdempotentJob {
  void (*compute)(void* data, int run) = nullptr;  // run: 0 or 1
  void (*commit)(void* data, int run) = nullptr;
  void (*release)(void* data) = nullptr;
  void* data = nullptr;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_IDEMPOTENT_JOB_H_
