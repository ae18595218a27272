// Records of tasks in the profile of the thread that makes them: which task is below which, and
// which comes after which. Spans and waits are about a task's number (src/profile/profile.h).
//
// Thread safety: any thread; wait-free. A thread without a lane asks RecordsTasks, which is a load
// of a thread-local and a branch, and records nothing. No atomic of the graph is read: a record has
// the arguments of the call.
// Test: tests/jobs/task_records_test.cc.
#ifndef NOWAIT_SRC_JOBS_TASK_RECORDS_H_
#define NOWAIT_SRC_JOBS_TASK_RECORDS_H_

#include <cstdint>

#include "src/jobs/task_def.h"
#include "src/jobs/task_id.h"
#include "src/profile/profile.h"

namespace nowait {

// Of a task: the slot, and half of the generation. A slot is below 65,535: no number is
// TaskRecord::kNoTask.
constexpr std::uint32_t NumberOf(TaskId task) { return task.generation() << 16 | task.slot(); }

namespace task_records_internal {
constexpr std::uint32_t NumberOrNone(TaskId task) {
  return task.IsTask() ? NumberOf(task) : TaskRecord::kNoTask;
}

constexpr TaskRecord::Kind KindOf(const TaskDef& def) {
  switch (def.kind) {
    case TaskKind::kWork:
      return def.work.function == nullptr ? TaskRecord::Kind::kEmpty : TaskRecord::Kind::kWork;
    case TaskKind::kList:
      return TaskRecord::Kind::kList;
    case TaskKind::kIdempotent:
      return TaskRecord::Kind::kIdempotent;
    case TaskKind::kExternal:
    case TaskKind::kRequest:
      break;
  }
  return TaskRecord::Kind::kExternal;
}
}  // namespace task_records_internal

// Whether the calling thread has a lane.
inline bool RecordsTasks() { return profile_internal::CurrentLane() != nullptr; }

// After the task has been made, before it is submitted. pool: Lane::pool.
inline void RecordTask(const void* pool, TaskId task, const TaskDef& def) {
  using task_records_internal::NumberOrNone;
  ProfileTask(pool, {.time = 0,
                     .task = NumberOf(task),
                     .parent = NumberOrNone(def.parent),
                     .dependency = NumberOrNone(def.dependency),
                     .kind = task_records_internal::KindOf(def),
                     .priority = def.priority,
                     .bound = def.affinity != 0});
}

// After a held task was given a parent or a dependency.
[[gnu::noinline]] inline void RecordLink(const void* pool, TaskId task, TaskId parent,
                                         TaskId dependency) {
  using task_records_internal::NumberOrNone;
  ProfileTask(pool, {.time = 0,
                     .task = NumberOf(task),
                     .parent = NumberOrNone(parent),
                     .dependency = NumberOrNone(dependency),
                     .kind = TaskRecord::Kind::kLink});
}

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_TASK_RECORDS_H_
