// TaskPoolDef: what a task pool is made from. WaitLimits: when a wait in it ends before its task.
//
//   auto pool = TaskPool::Create({.main_threads = {"update", "render"}, .devices = {"disk"}});
//
// Source: [bitsquid2010]: threads for the cores that the main threads leave. Lecture: dependencies,
// helping waits, devices.
#ifndef NOWAIT_SRC_JOBS_TASK_POOL_DEF_H_
#define NOWAIT_SRC_JOBS_TASK_POOL_DEF_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "src/base/result.h"
#include "src/jobs/priority.h"
#include "src/jobs/task_id.h"
#include "src/profile/profile.h"
#include "src/sync/policy.h"

namespace nowait {

struct TaskPoolDef {
  // The names of the threads that the program makes and registers here, at most 255.
  std::vector<std::string> main_threads = {"main"};
  // The devices, which can stall: a thread is made for each.
  std::vector<std::string> devices = {};
  // How long a device may serve one request. If that takes longer, the request is abandoned: its
  // task fails, and its answer is kTimeout. The thread that serves it is left behind, and the
  // device goes on with another one. So a device that hangs holds up waits and Close for this time,
  // once for each request that it begins: after StopDevice, as in Close(kCancel), for one. A lane
  // of such a device has no spans from inside a request. If not given: for ever.
  std::optional<EngineSync::clock::duration> device_patience = {};
  // If not given: cores - main threads, at least zero.
  std::optional<std::uint32_t> workers = {};
  // How many workers, from worker 0 on, can be given tasks that no other thread runs
  // (AffinityToWorker). Each of them has queues of its own for those, about 100 bytes for each task
  // that can be open. With the main threads at most 255.
  std::uint32_t named_workers = 0;
  // How many tasks can be open at the same time. Together with 32 for each thread, and 32 for the
  // threads that answer without being registered, at most 65,534.
  std::uint32_t capacity = 4096;
  // Called with the task and the exception's text, on the thread on which a job, a hand-over, a
  // request or a done() has thrown (a done() has no task: TaskId()). If the report throws,
  // TaskCounts::reports_threw counts that, and nothing else happens.
  std::function<void(TaskId, const char*)> on_throw = {};
  // Called on each worker's thread with its number, from 0: before its first task, and after its
  // last one. The calls of the pool are refused there (kNotOwner). Create returns when all workers
  // have started. If on_worker_start throws, Create fails; if on_worker_stop throws, nothing else
  // happens. Both are reported (on_throw, without a task) and counted.
  std::function<void(std::uint32_t)> on_worker_start = {};
  std::function<void(std::uint32_t)> on_worker_stop = {};
  // For the lanes; outlives the pool. A thread has no lane if this is null or out of lanes.
  Profile* profile = nullptr;

  // The workers, also if they are not given.
  std::uint32_t Workers() const;
  // The users of the graph: workers, main threads, devices, and one more for all unregistered
  // threads that answer.
  std::uint32_t Members() const;
  // The first field that a pool cannot have: TaskPool::Create says the errors.
  Result<void> Check() const;
};

// The limits of a wait.
struct WaitLimits {
  // When it gives up (kTimeout). It returns late by the task, or the jobs of a list, that it helps
  // with at that time.
  std::optional<EngineSync::clock::time_point> until = {};
  // How urgent the tasks are, at least, that it helps with. It helps with less urgent ones only if
  // the awaited task needs them, or if they have the thread's name.
  Priority from = Priority::kLow;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_TASK_POOL_DEF_H_
