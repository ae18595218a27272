// The calls of a pool that make, change and await tasks: each is that of the scheduler, with the
// calling thread's part. Members of BasicTaskPool, for task_pool.cc alone.
#ifndef NOWAIT_SRC_JOBS_TASK_POOL_CALLS_H_
#define NOWAIT_SRC_JOBS_TASK_POOL_CALLS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <type_traits>

#include "src/base/assert.h"
#include "src/base/result.h"
#include "src/jobs/alarm.h"
#include "src/jobs/idempotent_job.h"
#include "src/jobs/job_list.h"
#include "src/jobs/priority.h"
#include "src/jobs/task_def.h"
#include "src/jobs/task_id.h"
#include "src/jobs/task_pool.h"
#include "src/sync/held_locks.h"
#include "src/sync/policy.h"

namespace nowait {

template <class Queues>
template <class Call>
std::invoke_result_t<Call, typename BasicTaskPool<Queues>::Thread&> BasicTaskPool<Queues>::WithHere(
    const Call& call) const {
  const Presence* const present = Present();
  if (present != nullptr && present->calls) [[likely]]
    return call(present->thread);
  return NotHere(present);
}
template <class Queues>
template <class Call>
std::invoke_result_t<Call, typename BasicTaskPool<Queues>::Thread&>
BasicTaskPool<Queues>::ChangeHere(const Call& call) const {
  NOWAIT_ASSERT(!InUpdate<EngineSync>(), "an update of game objects makes no task: its effects do");
  return WithHere(call);
}

template <class Queues>
Result<TaskId> BasicTaskPool<Queues>::Add(const TaskDef& def) {
  return ChangeHere([&](Thread& here) { return scheduler_.Add(here, def); });
}
template <class Queues>
Result<TaskId> BasicTaskPool<Queues>::AddCopied(void (*function)(void*),
                                                std::span<const std::byte> bytes,
                                                const TaskDef& def) {
  return ChangeHere([&](Thread& here) { return scheduler_.AddCopied(here, function, bytes, def); });
}
template <class Queues>
Result<TaskId> BasicTaskPool<Queues>::AddList(JobList<>& list, const TaskDef& def) {
  return ChangeHere([&](Thread& here) { return scheduler_.AddList(here, list, def); });
}
template <class Queues>
Result<TaskId> BasicTaskPool<Queues>::AddIdempotent(IdempotentJob& job, const TaskDef& def) {
  return ChangeHere([&](Thread& here) { return scheduler_.AddIdempotent(here, job, def); });
}
template <class Queues>
Result<void> BasicTaskPool<Queues>::AddChild(TaskId parent, TaskId child) {
  return ChangeHere([&](Thread& here) { return scheduler_.AddChild(here, parent, child); });
}
template <class Queues>
Result<void> BasicTaskPool<Queues>::DependsOn(TaskId task, TaskId dependency) {
  return ChangeHere([&](Thread& here) { return scheduler_.DependsOn(here, task, dependency); });
}
template <class Queues>
Result<TaskId> BasicTaskPool<Queues>::WhenAll(std::span<const TaskId> tasks) {
  return ChangeHere([&](Thread& here) { return scheduler_.WhenAll(here, tasks); });
}
template <class Queues>
Result<void> BasicTaskPool<Queues>::Submit(TaskId task) {
  return ChangeHere([&](Thread& here) { return scheduler_.Submit(here, task); });
}
template <class Queues>
Result<void> BasicTaskPool<Queues>::Wait(TaskId task) {
  return WithHere([&](Thread& here) { return scheduler_.Wait(here, task); });
}
template <class Queues>
Result<void> BasicTaskPool<Queues>::Wait(TaskId task, const WaitLimits& limits) {
  return WithHere([&](Thread& here) -> Result<void> {
    WaitBound bound{.least = static_cast<std::uint32_t>(limits.from)};
    if (bound.least >= kPriorities) {
      return Fail(ErrorCode::kInvalidArgument, "priority", bound.least, "there are three");
    }
    if (!limits.until) return scheduler_.Wait(here, task, bound);
    if (auto ready = alarm_.Start(); !ready) return ready;
    const Alarm::Time until = *limits.until;
    bound.gives_up = [](const void* time) {
      return EngineSync::clock::now() >= *static_cast<const Alarm::Time*>(time);
    };
    bound.data = &until;
    const auto wake = [](void* scheduler) { static_cast<Scheduler*>(scheduler)->Wake(); };
    const Alarm::Setting setting(alarm_, until, {wake, &scheduler_});
    return scheduler_.Wait(here, task, bound);
  });
}
template <class Queues>
Result<void> BasicTaskPool<Queues>::MayWait() const {
  return WithHere([&](Thread& here) { return scheduler_.MayWait(here); });
}
template <class Queues>
Result<bool> BasicTaskPool<Queues>::Cancel(TaskId task) {
  return ChangeHere([&](Thread& here) { return scheduler_.Cancel(here, task); });
}
template <class Queues>
Result<std::uint32_t> BasicTaskPool<Queues>::CancelGroup(TaskId task) {
  return ChangeHere([&](Thread& here) { return scheduler_.CancelGroup(here, task); });
}
template <class Queues>
Result<void> BasicTaskPool<Queues>::CompleteExternal(TaskId task) {
  return guests_.Run(
      Present(),
      [this] { return Presence(*this, static_cast<std::uint32_t>(members_.size() - 1)); },
      [&](Thread& thread) { return scheduler_.CompleteExternal(thread, task); });
}

template <class Queues>
Result<TaskId> BasicTaskPool<Queues>::Current() const {
  return WithHere([](Thread& here) { return Result<TaskId>(here.current()); });
}
template <class Queues>
Result<void> BasicTaskPool<Queues>::DoWorkWhileWaitingFor(const std::function<bool()>& done) {
  return WithHere([&](Thread& here) { return scheduler_.DoWorkWhileWaitingFor(here, done); });
}

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_TASK_POOL_CALLS_H_
