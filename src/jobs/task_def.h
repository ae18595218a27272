// TaskDef: what a task is made from, as plain data. ReadyTask: what a queue needs to know of it.
//
// One dependency, as in [bitsquid2010]: a task that needs several tasks depends on an empty one,
// which has these as its children, or which WhenAll has made.
//
// Source: [bitsquid2010], the task structure (work, parent, dependency, priority, affinity).
#ifndef NOWAIT_SRC_JOBS_TASK_DEF_H_
#define NOWAIT_SRC_JOBS_TASK_DEF_H_

#include <cstddef>
#include <cstdint>

#include "src/jobs/job.h"
#include "src/jobs/task_id.h"

namespace nowait {

enum class TaskKind : std::uint8_t {
  kWork,  // a job; without a function the task is complete with its children
  // Done by a device: `work` hands it over, and then the device calls CompleteExternal. If the work
  // throws, the pool reports that, and completes the task, unless the device has.
  kExternal,
  kRequest,  // external, for a device of the pool, which always answers: Close waits for it
  kList,     // the jobs of a JobList, to which work.data points; any number of threads run them
  // The IdempotentJob to which work.data points. Two threads may be in it at the same time; it
  // creates no tasks and does not wait.
  kIdempotent,
};

// Whether a device does the work.
constexpr bool IsExternal(TaskKind kind) {
  return kind == TaskKind::kExternal || kind == TaskKind::kRequest;
}

struct TaskDef {
  Job work = {};
  TaskId parent = {};         // complete only when this one is
  TaskId dependency = {};     // has to be complete before this one starts
  std::uint8_t priority = 0;  // for the queues; the graph passes it on
  std::uint8_t affinity = 0;  // 0: any thread; otherwise the one thread of this name
  TaskKind kind = TaskKind::kWork;
  // Cancelled if its dependency fails. A task fails when its work throws, when it is cancelled, if
  // it is a request, when its answer is an error, and, if it is empty, when one of its children
  // fails. A dependency that was complete before this task was made is no failure: an outcome
  // (captured_work.h) is known for longer.
  bool needs_success = false;
};

// A task that may start. The thread that takes it from a queue still has to start it: another
// thread may have been faster, or the task has been cancelled.
struct ReadyTask {
  TaskId id;
  std::uint8_t priority = 0;
  std::uint8_t affinity = 0;
  TaskKind kind = TaskKind::kWork;
};

// The bytes of a callable that is the work of a task (src/jobs/captured_work.h), in a cache line of
// their own: a task without captures does not touch it.
struct alignas(64) TaskCapture {
  std::byte bytes[64];
};

struct TaskGraphDef {
  // How many tasks can be open at the same time, at least: threads keep free slots for themselves.
  std::uint32_t capacity = 4096;
  // How many threads use the graph, numbered from 0.
  std::uint32_t threads = 1;
  // Different for graphs whose ids could be mixed up.
  std::uint16_t tag = 0;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_TASK_DEF_H_
