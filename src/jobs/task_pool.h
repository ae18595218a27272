// TaskPool: threads that run tasks, and the calls with which tasks are made. The blog's task
// manager.
//
//   auto pool = TaskPool::Create({.main_threads = {"update", "render"}});
//   if (!pool) return std::unexpected(pool.error());
//   auto here = (*pool)->Register("update");                    // on the thread that is called so
//   if (!here) return std::unexpected(here.error());
//
//   auto animation = (*pool)->Add({.work = {&Animate, world}});
//   if (!animation) return std::unexpected(animation.error());
//   auto scene = (*pool)->Add({.work = {&UpdateScene, world}, .dependency = *animation});
//   if (!scene) return std::unexpected(scene.error());
//   return (*pool)->Wait(*scene);                               // helps meanwhile
//
// workers + main threads = cores, so that there are neither more threads than cores nor fewer.
// There may be no workers at all: then whoever waits does everything.
//
// How frames, tasks, lists and devices fit together. All are tasks of one pool:
//
//   frame    FrameLoop, the root: a task that makes the next frame, and below itself
//     │
//     └─ task    the graph: parents, dependencies, priorities, names
//          ├─ list      AddList, the data-parallel leaf: one task, whose jobs many threads run
//          └─ request   AddRequest, the leaf that stalls: one task, which a device's thread completes
//
//   ready tasks ──> one policy's queues ──> workers, and whoever waits
//   lists that hang (list_board.h) ───────> the same threads, before the queue of their priority
//   requests ─────> each device's queue ──> its thread, which runs nothing else
//
// One event count wakes all who sleep but the devices' threads, and one profile has a lane for each.
//
// What the threads do is src/jobs/task_rounds.h, what tasks are and which calls are refused
// src/jobs/task_graph.h. How a pool chooses among tasks is its policy: TaskPool has queues for each
// thread, and idle threads steal; OneQueueTaskPool has one queue for all. src/jobs/work_stealing.h
// says why the former is the rule.
//
// Devices have a thread each, which the pool makes and ends, and which is not counted among the
// cores' threads because it only stalls: src/jobs/device.h.
//
// Calls are made by workers, that is by tasks, and by main threads while they are registered. A
// call from any other thread, a device's too, is an error (kNotOwner). The exceptions are the answers of a
// user's devices (CompleteExternal), Wake and StopDevice, which are for any thread.
//
// With a Profile, each worker, main thread and device has a lane, with a span "task" for each task
// that it runs, also while it helps inside a "wait", or the requests' own; and what a worker did
// before it slept as counts.
//
// Thread safety: all but Close and the destructor from any of these threads, any time. A
// registration ends on its thread, before the pool does.
// Blocking: Wait, DoWorkWhileWaitingFor and Close sleep when there is nothing to help with. They, and what
// waits by them (JobBatch, ParallelFor, FrameLoop), are called by a thread that holds none of the engine's
// locks: the one that it helps may need it. Builds with assertions assert that (src/sync/held_locks.h).
// A wait helps on the stack of its thread. Tasks that each wait for a child which waits in turn take about
// 1.2 kB for each level: 7,000 levels overflow a stack of 8 MiB, and nothing refuses them. A chain of
// thousands is made of dependencies instead.
//
// Promise: as TaskRounds.
//
// Source: the blog on task management. Lecture: dependencies, helping waits, devices.
#ifndef NOWAIT_SRC_JOBS_TASK_POOL_H_
#define NOWAIT_SRC_JOBS_TASK_POOL_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "src/base/result.h"
#include "src/jobs/device.h"
#include "src/jobs/global_queue.h"
#include "src/jobs/idempotent_job.h"
#include "src/jobs/job_list.h"
#include "src/jobs/shared_part.h"
#include "src/jobs/task_counts.h"
#include "src/jobs/task_def.h"
#include "src/jobs/task_id.h"
#include "src/jobs/task_rounds.h"
#include "src/jobs/work_stealing.h"
#include "src/profile/profile.h"
#include "src/sync/policy.h"

namespace nowait {

struct TaskPoolDef {
  // The threads that others make and that register here, at most 255.
  std::vector<std::string> main_threads = {"main"};
  // What can stall: a thread is made for each.
  std::vector<std::string> devices = {};
  // If not given: cores - main threads, at least zero.
  std::optional<std::uint32_t> workers = {};
  // How many tasks can be open at the same time: with 32 more for each thread, and 32 for the
  // threads that answer without being registered, at most 65,534.
  std::uint32_t capacity = 4096;
  // Called with the task and the exception's text, on the thread on which a job, a hand-over, a
  // request or a done() has thrown (a done() has no task: TaskId()). A report that throws ends there,
  // and TaskCounts::reports_threw counts it.
  std::function<void(TaskId, const char*)> on_throw = {};
  // For the lanes; outlives the pool. None if null or out of lanes.
  Profile* profile = nullptr;
};

template <class Queues>
class BasicTaskPool {
  using Rounds = TaskRounds<EngineSync, Queues>;
  struct Presence;
  // What only Create has.
  class Key {
    friend class BasicTaskPool;
    Key() {}
  };

 public:
  // How many lists of one priority many threads can be at; a further one is run by one thread
  // alone.
  static constexpr std::uint32_t kMaxLists = 16;

  // Makes the thread that holds it one of the pool's.
  class [[nodiscard]] Registration {
   public:
    Registration(Registration&&) noexcept;
    Registration& operator=(Registration&&) = delete;
    ~Registration();  // submits what the thread holds

   private:
    friend class BasicTaskPool;
    Registration(BasicTaskPool& pool, std::uint32_t member);
    std::unique_ptr<Presence> presence_;
  };

  // kInvalidArgument: too many open tasks or threads, no main thread, or two of one name. kCapacity
  // "threads" or "memory": the system refuses one, or some. Threads that were made have ended then.
  static Result<std::unique_ptr<BasicTaskPool>> Create(TaskPoolDef def);
  // For Create, which alone can say that the system has refused a thread.
  BasicTaskPool(Key, TaskPoolDef def);
  // As Close(kCancel), if that has not been called. All registrations must have ended, and with them every
  // call: an answer for an external task that comes after this is an answer to a pool that is gone.
  ~BasicTaskPool();
  BasicTaskPool(const BasicTaskPool&) = delete;
  BasicTaskPool& operator=(const BasicTaskPool&) = delete;

  std::uint32_t workers() const { return workers_; }
  // Workers and main threads.
  std::uint32_t threads() const {
    return workers_ + static_cast<std::uint32_t>(def_.main_threads.size());
  }

  // kNotFound: no main thread is called so. kWrongPhase: one that is has registered and not left, or the
  // caller is a thread of this pool already.
  // kCapacity: no memory.
  Result<Registration> Register(std::string_view main_thread);
  // The TaskDef::affinity for what only this thread may run.
  Result<std::uint8_t> AffinityTo(std::string_view main_thread) const;

  // A task, held by its creator until Submit or a wait.
  Result<TaskId> Add(const TaskDef& def);
  // One that is complete when its children are.
  Result<TaskId> AddEmpty() { return Add({}); }
  // One whose work are the jobs that have been added to a list, which any number of threads run.
  // The list is not the caller's until the task is complete. def: without work and affinity. The
  // jobs create no tasks and wait for none (kWrongPhase).
  Result<TaskId> AddList(JobList<>& list, const TaskDef& def = {});
  // One that a thread which waits for it may run a second time; see src/jobs/idempotent_job.h. def:
  // without work.
  Result<TaskId> AddIdempotent(IdempotentJob& job, const TaskDef& def = {});
  Result<void> AddChild(TaskId parent, TaskId child);
  Result<void> DependsOn(TaskId task, TaskId dependency);
  Result<void> Submit(TaskId task);
  // Not in a task that has an affinity (kWrongPhase).
  Result<void> Wait(TaskId task);
  // Whether the calling thread may wait here: kWrongPhase in a task that has an affinity. An idempotent task
  // and a list's job make no tasks, and are refused when they wait for one that is not complete.
  Result<void> MayWait() const;
  // Whether its work will not be done because of this call.
  Result<bool> Cancel(TaskId task);
  // The device has done the work of an external task. kNotOwner: it is a request (AddRequest), which its
  // device alone answers. kStaleId: it has done so before, or the pool has been shut down with kCancel and
  // cancelled what was out. Any thread may call this, registered or not, and returns before the pool is
  // destroyed. When the call returns, what the answer makes ready is ready; the caller runs nothing of it but
  // hand-overs. Threads that have not registered come one at a time: a lock is held during the completion,
  // which waits for nothing. Inside it hand-overs and reports (on_throw) may answer for other tasks of this
  // pool, not of another one; their other calls are refused (kNotOwner). A hand-over that answers at once nests
  // this call in itself.
  Result<void> CompleteExternal(TaskId task);

  // A request as a task, held as others are; see src/jobs/device.h. kNotFound: no such device.
  Result<TaskId> AddRequest(std::string_view device, DeviceRequest& request, TaskId parent = {},
                            TaskId dependency = {});
  // From now on it refuses what it has not begun. Any thread may call this.
  Result<void> StopDevice(std::string_view device);

  // The task that the calling thread is in.
  Result<TaskId> Current() const;
  bool IsComplete(TaskId task) const { return rounds_.graph().IsComplete(task); }

  // Helps until done() is true; for main threads, outside tasks. The thread that makes it true, which
  // may be any, calls Wake afterwards. kWrongPhase "done": it threw. That is reported as a job's, and
  // ends the help; what the caller submitted goes on.
  Result<void> DoWorkWhileWaitingFor(const std::function<bool()>& done);
  void Wake() { rounds_.Wake(); }

  // For a job that goes on after something in it has thrown: in a handler, reports and counts what is
  // being handled as if the job had ended by it. On a thread of the pool (else nobody is told).
  void ReportThrown();

  // Ends the workers, and after them the devices: with kFinish they answer what they have, with
  // kCancel they stop first. By a registered thread; no other one may be inside a call but
  // CompleteExternal.
  Result<void> Close(TaskShutdown how);

  // What the workers, main threads and devices did. After Close: all of it, but what the main threads that
  // are still registered ran.
  TaskCounts Counts() const;

 private:
  using Thread = typename Rounds::Thread;

  // That a thread is one of a pool's: found through the calling thread's list of them.
  struct Presence {
    Presence(BasicTaskPool& in, std::uint32_t as);
    ~Presence();
    BasicTaskPool& pool;
    const std::uint32_t member;
    Thread& thread;
    Presence* outer;
    const LaneScope lane;
  };
  static Presence*& Innermost();
  static Result<void> Check(const TaskPoolDef& def);

  // The calling thread's part in this pool, if it has one: also a device's, or that of a thread which answers.
  const Presence* Present() const;
  // Of a worker or a main thread, or kNotOwner.
  Result<Thread*> Here() const;
  // What call(its Thread) gives, on a thread that has one.
  template <class Call>
  std::invoke_result_t<Call, Thread&> WithHere(const Call& call) const;
  static void Tell(void* pool, TaskId task, const char* what);
  void AddLanes();
  void StartThreads();
  template <class Function>
  void StartThread(const std::string& name, Function function);
  void Work(std::uint32_t worker);
  DeviceQueue<DeviceRequest>* Find(std::string_view device);
  void Serve(std::uint32_t device);
  void Count(Thread& thread);

  const TaskPoolDef def_;
  const std::uint32_t workers_;
  Rounds rounds_;
  std::deque<DeviceQueue<DeviceRequest>> devices_;
  // Workers first, then main threads, then devices; last, one for all that have not registered.
  std::deque<Thread> members_;
  std::vector<Lane*> lanes_;  // likewise
  SharedPart<> guests_;       // its part is the last member

  mutable EngineSync::mutex mutex_;  // what follows
  std::vector<bool> registered_;
  TaskCounts counts_;

  bool closed_ = false;   // who calls Close or destroys the pool orders these
  Result<void> refused_;  // why a thread could not be started
  std::vector<EngineSync::thread> threads_;
};

extern template class BasicTaskPool<GlobalQueue<>>;
extern template class BasicTaskPool<WorkStealing<>>;

using TaskPool = BasicTaskPool<WorkStealing<>>;
using OneQueueTaskPool = BasicTaskPool<GlobalQueue<>>;

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_TASK_POOL_H_
