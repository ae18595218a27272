// TaskPool: threads that run tasks, and the calls with which tasks are made.
//
//   auto pool = TaskPool::Create({.main_threads = {"update", "render"}});
//   if (!pool) return std::unexpected(pool.error());
//   auto here = (*pool)->Register("update");                    // on the thread of that name
//   if (!here) return std::unexpected(here.error());
//
//   auto animation = (*pool)->Add({.work = {&Animate, world}});
//   if (!animation) return std::unexpected(animation.error());
//   auto scene = (*pool)->Add({.work = {&UpdateScene, world}, .dependency = *animation});
//   if (!scene) return std::unexpected(scene.error());
//   return (*pool)->Wait(*scene);                               // helps meanwhile
//
// Thread safety: workers, that is their tasks, and registered main threads call everything but
// Close and the destructor, at any time. Any other thread, a device's too, gets kNotOwner, except
// from CompleteExternal, Wake and StopDevice. A registration ends on its thread, before the pool
// does.
// Blocking: Wait, DoWorkWhileWaitingFor and Close sleep when there is nothing to help with. Their
// caller holds none of the engine's locks, because the job that it helps with may need one. The
// same holds for the calls that wait by them (JobBatch, ParallelFor, FrameLoop). An update of game
// objects makes no tasks either. Builds with assertions assert both (src/sync/held_locks.h).
//
// Promise: as TaskScheduler. src/jobs/task_graph.h names the calls that are refused.
// Source: [bitsquid2010], the task manager. Lecture: dependencies, helping waits, devices.
#ifndef NOWAIT_SRC_JOBS_TASK_POOL_H_
#define NOWAIT_SRC_JOBS_TASK_POOL_H_

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <source_location>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "src/base/or_end.h"
#include "src/base/result.h"
#include "src/jobs/alarm.h"
#include "src/jobs/captured_work.h"
#include "src/jobs/device.h"
#include "src/jobs/device_hand.h"
#include "src/jobs/global_queue.h"
#include "src/jobs/idempotent_job.h"
#include "src/jobs/job_list.h"
#include "src/jobs/shared_part.h"
#include "src/jobs/task_counts.h"
#include "src/jobs/task_def.h"
#include "src/jobs/task_id.h"
#include "src/jobs/task_pool_def.h"
#include "src/jobs/task_scheduler.h"
#include "src/jobs/work_stealing.h"
#include "src/profile/profile.h"
#include "src/sync/policy.h"

namespace nowait {

template <class Queues>
class BasicTaskPool {
  using Scheduler = TaskScheduler<EngineSync, Queues>;
  struct Presence;
  struct Device;
  // Only Create has one.
  class Key {
    friend class BasicTaskPool;
    Key() {}
  };

 public:
  // How many lists of one priority can be attached for many threads; a further one is run by one
  // thread alone.
  static constexpr std::uint32_t kMaxLists = 16;

  // While it lives, its thread is one of the pool's.
  class [[nodiscard]] Registration {
   public:
    Registration(Registration&&) noexcept;
    Registration& operator=(Registration&&) = delete;
    ~Registration();  // submits the tasks that the thread holds

   private:
    friend class BasicTaskPool;
    Registration(BasicTaskPool& pool, std::uint32_t member);
    std::unique_ptr<Presence> presence_;
  };

  // kInvalidArgument: too many open tasks or threads, no main thread, or two of one name; more
  // named_workers than workers or names; a device_patience that is not above zero. kCapacity
  // "threads" or "memory": the system refuses a thread, or memory. kWrongPhase "worker start hook":
  // that of worker `amount` threw. Threads that were made have ended then.
  static Result<std::unique_ptr<BasicTaskPool>> Create(TaskPoolDef def);
  // For Create, which alone can report that the system has refused a thread.
  BasicTaskPool(Key, TaskPoolDef def);
  // As Close(kCancel), if Close has not been called. All registrations and every call must have
  // ended: a later answer for an external task is an answer to a pool that is gone.
  ~BasicTaskPool();
  BasicTaskPool(const BasicTaskPool&) = delete;
  BasicTaskPool& operator=(const BasicTaskPool&) = delete;

  std::uint32_t workers() const { return workers_; }
  // Workers and main threads.
  std::uint32_t threads() const {
    return workers_ + static_cast<std::uint32_t>(def_.main_threads.size());
  }

  // kNotFound: no main thread has this name. kWrongPhase: a thread with this name is registered, or
  // the caller is a thread of this pool already. kCapacity: no memory.
  Result<Registration> Register(std::string_view main_thread);
  // The TaskDef::affinity of tasks that only this thread may run.
  Result<std::uint8_t> AffinityTo(std::string_view main_thread) const;
  // The same for a worker, numbered from 0 as in the hooks. kNotFound: it is none of the
  // named_workers. Close(kFinish) waits for its tasks that are ready before it has ended, and
  // cancels later ones, as it does those of other main threads.
  Result<std::uint8_t> AffinityToWorker(std::uint32_t worker) const;

  // A task, held by its creator until Submit or a wait.
  Result<TaskId> Add(const TaskDef& def);
  // A task whose work is a copy of the callable: see src/jobs/captured_work.h. def: without work.
  template <std::invocable F>
  Result<TaskId> Add(const F& work, const TaskDef& def = {}, const TaskNotes& notes = {}) {
    const CapturedWork<F> captured(work, notes);
    return AddCopied(&CapturedWork<F>::Run, captured.Bytes(), def);
  }
  // The same where no error is expected: one is printed, with the place of the call, and ends the
  // program.
  TaskId AddOrEnd(const TaskDef& def,
                  const std::source_location& at = std::source_location::current()) {
    return OrEnd(Add(def), at);
  }
  template <std::invocable F>
  TaskId AddOrEnd(const F& work, const TaskDef& def = {}, const TaskNotes& notes = {},
                  const std::source_location& at = std::source_location::current()) {
    return OrEnd(Add(work, def, notes), at);
  }
  // A task that is complete when its children are.
  Result<TaskId> AddEmpty() { return Add(TaskDef()); }
  // A task whose work is the jobs that have been added to a list; any number of threads run them.
  // The list is not the caller's until the task is complete. def: without work and affinity. The
  // jobs neither create tasks nor wait for any (kWrongPhase).
  Result<TaskId> AddList(JobList<>& list, const TaskDef& def = {});
  // A task that a waiting thread may run a second time; see src/jobs/idempotent_job.h. def: without
  // work.
  Result<TaskId> AddIdempotent(IdempotentJob& job, const TaskDef& def = {});
  Result<void> AddChild(TaskId parent, TaskId child);
  Result<void> DependsOn(TaskId task, TaskId dependency);
  // A submitted task that is complete when all of these are, and fails if one of them does: the
  // dependency of a task that comes after several others. Those of `tasks` that are still held get
  // no dependency of their own afterwards (kWrongPhase). Takes an open task for each, until it is
  // complete.
  Result<TaskId> WhenAll(std::span<const TaskId> tasks);
  Result<void> Submit(TaskId task);
  // Not in a task that has an affinity (kWrongPhase).
  Result<void> Wait(TaskId task);
  // The same with limits. kTimeout: the time is over, and the task goes on; it can be waited for
  // again. kCapacity "threads": the first wait with a time starts the thread of an alarm, and the
  // system refuses that; nothing has been submitted then. kInvalidArgument: no such priority.
  Result<void> Wait(TaskId task, const WaitLimits& limits);
  // Whether the calling thread may wait here: kWrongPhase in a task that has an affinity. An
  // idempotent task and a list's job make no tasks; their wait for an incomplete task is refused.
  Result<void> MayWait() const;
  // True if this call is the reason that the task's work will not be done.
  Result<bool> Cancel(TaskId task);
  // The same for a task and all that are below it now; returns how many will not be done. Children
  // that another task or thread still holds are left to it.
  Result<std::uint32_t> CancelGroup(TaskId task);
  // The device has done the work of an external task. kNotOwner: it is a request (AddRequest),
  // which its device alone answers. kStaleId: the task has been answered before, or a shutdown with
  // kCancel has cancelled it. Any thread may call this, registered or not; the call must return
  // before the pool is destroyed. When the call returns, the tasks that the answer makes ready are
  // ready; the caller runs none of them, only hand-overs. Threads that have not registered come one
  // at a time: a lock is held during the completion, which waits for nothing. Inside it, hand-overs
  // and reports (on_throw) may answer for other tasks of this pool, not of another one; their other
  // calls are refused (kNotOwner). A hand-over that answers at once nests this call in itself.
  Result<void> CompleteExternal(TaskId task);

  // A request as a task, held like other tasks; see src/jobs/device.h. kNotFound: no such device.
  Result<TaskId> AddRequest(std::string_view device, DeviceRequest& request, TaskId parent = {},
                            TaskId dependency = {});
  // From now on the device refuses requests that it has not begun. Any thread may call this.
  Result<void> StopDevice(std::string_view device);

  // The task that the calling thread is in.
  Result<TaskId> Current() const;
  bool IsComplete(TaskId task) const { return scheduler_.graph().IsComplete(task); }

  // Helps until done() is true; for main threads, outside tasks. The thread that makes it true,
  // which may be any, calls Wake afterwards. done() must not block until a task has been run: this
  // thread may keep that one as its next. kWrongPhase "done": done() threw. The exception is
  // reported like a job's and ends the help; the tasks that the caller submitted go on.
  Result<void> DoWorkWhileWaitingFor(const std::function<bool()>& done);
  void Wake() { scheduler_.Wake(); }

  // For a job that goes on after something in it has thrown. Called in a handler, it reports and
  // counts the exception as if the job had ended by it. On a thread of the pool (otherwise nothing
  // is reported).
  void ReportThrown();

  // Ends the workers, and after them the devices: with kFinish they answer the requests that they
  // have, with kCancel they stop first. By a registered thread; no other thread may be inside a
  // call but CompleteExternal.
  Result<void> Close(TaskShutdown how);

  // The work of workers, main threads and devices. After Close it is complete, but for the tasks
  // of main threads that are still registered.
  TaskCounts Counts() const;

 private:
  using Thread = typename Scheduler::Thread;

  Result<TaskId> AddCopied(void (*function)(void*), std::span<const std::byte> bytes,
                           const TaskDef& def);

  // Marks a thread as one of a pool's; found through the calling thread's list of its presences.
  struct Presence {
    Presence(BasicTaskPool& in, std::uint32_t as);
    ~Presence();
    bool left_behind = false;  // the pool may be gone, and is not touched any more
    BasicTaskPool& pool;
    const std::uint32_t member;
    const bool calls;  // of a worker or a main thread: others only answer
    Thread& thread;
    Presence* outer;
    const LaneScope lane;
  };
  static Presence*& Innermost();

  // The calling thread's part in this pool, if it has one: also a device's, or an answering
  // thread's.
  const Presence* Present() const;
  static std::unexpected<Error> NotHere(const Presence* present);
  // Returns call(the calling thread's Thread), or kNotOwner.
  template <class Call>
  std::invoke_result_t<Call, Thread&> WithHere(const Call& call) const;
  // The same, for a call that makes or changes tasks.
  template <class Call>
  std::invoke_result_t<Call, Thread&> ChangeHere(const Call& call) const;
  static void OnThrow(void* pool, TaskId task, const char* what);
  void AddLanes();
  void StartThreads();
  void StartWorker(std::uint32_t worker);
  // A device's thread, which waits at its hand's gate.
  Result<EngineSync::thread> StartDevice(Device& device, std::shared_ptr<DeviceHand> hand);
  void Work(std::uint32_t worker);
  void AwaitStarts(std::uint32_t workers);
  bool CallHook(const std::function<void(std::uint32_t)>& hook, std::uint32_t worker);
  // A device: its requests, and the thread that serves them now.
  struct Device {
    Device(BasicTaskPool& in, std::uint32_t as, std::size_t most)
        : pool(in), number(as), requests(most) {}
    // The alarm's call when a request lasts for too long.
    Job Watch() {
      const auto call = [](void* data) {
        auto& device = *static_cast<Device*>(data);
        device.pool.LeaveBehind(device);
      };
      return {call, this};
    }

    BasicTaskPool& pool;
    const std::uint32_t number;
    DeviceQueue<DeviceRequest> requests;
    EngineSync::mutex mutex;  // guards all below
    std::shared_ptr<DeviceHand> hand;
    EngineSync::thread thread;
    bool ended = false;
  };
  DeviceQueue<DeviceRequest>* Find(std::string_view device);
  void Serve(Device& device, DeviceHand& hand);
  static bool ServeOne(Device& device, DeviceHand& hand, DeviceRequest& request,
                       Presence& presence);
  void LeaveBehind(Device& device);
  void EndDevices();
  void Count(Thread& thread);

  const TaskPoolDef def_;
  const std::uint32_t workers_;
  Scheduler scheduler_;
  std::deque<Device> devices_;
  // Workers first, then main threads, then devices; last, one part for all unregistered threads.
  std::deque<Thread> members_;
  std::vector<Lane*> lanes_;  // likewise
  SharedPart<> guests_;       // its part is the last member

  mutable EngineSync::mutex mutex_;  // guards the next five
  std::vector<bool> registered_;
  TaskCounts counts_;
  EngineSync::condition_variable one_started_;
  std::uint32_t started_ = 0;  // the workers whose start hook has returned or thrown
  Result<void> start_hooks_;   // the first that threw

  bool closed_ = false;   // these belong to the thread that calls Close or destroys the pool
  Result<void> refused_;  // why a thread could not be started
  std::vector<EngineSync::thread> threads_;  // of the workers
  // Wakes the threads whose wait gives up, and watches the devices: its calls use all of the above.
  Alarm alarm_;
};

extern template class BasicTaskPool<GlobalQueue<>>;
extern template class BasicTaskPool<WorkStealing<>>;

using TaskPool = BasicTaskPool<WorkStealing<>>;
using OneQueueTaskPool = BasicTaskPool<GlobalQueue<>>;

// Implementation: how it fits together
//
// Frames, tasks, lists and devices are all tasks of one pool:
//
//   frame    FrameLoop, the root: a task that makes the next frame, and below itself
//     │
//     └─ task    the graph: parents, dependencies, priorities, names
//          ├─ list      AddList, the data-parallel leaf: one task, whose jobs many threads run
//          └─ request   AddRequest, the leaf that stalls: one task; a device's thread completes it
//
//   ready tasks ──> one policy's queues ──> workers, and waiting threads
//   attached lists (job_list_registry.h) ────────> the same threads, before their priority's queue
//   requests ──────────────> each device's queue ──> its thread, which runs nothing else
//
// One event count wakes all sleeping threads but the devices', and one profile has a lane for each
// thread. A thread whose wait gives up at some time is woken by that event count, too: an alarm's
// thread notifies it then (alarm.h). It is made for the first such wait.
//
// By default workers and main threads together are as many as the cores, neither more nor fewer. A
// pool may have no workers at all: then the waiting thread does everything. Each device has a
// thread, which the pool makes and ends. It is not counted among the cores' threads because it only
// stalls (src/jobs/device.h).
//
// The threads' loops are in src/jobs/worker_loop.h and help.h; tasks, and the calls that are
// refused, are in src/jobs/task_links.h. The policy of a pool chooses among tasks. TaskPool has
// queues for each thread, and idle threads steal; OneQueueTaskPool has one queue for all.
// src/jobs/work_stealing.h gives the reason for the default.
//
// With a Profile, each worker, main thread and device has a lane. The lane has a span "task" for
// each task that the thread runs, also while it helps inside a "wait", or the requests' own spans.
// A worker adds counts of what it did before it slept.
//
// A wait helps on the stack of its thread. Where each task waits for a child which waits in turn, a
// level takes about 1.2 kB: 7,000 levels overflow a stack of 8 MiB, and nothing refuses them. A
// chain of thousands is made of dependencies instead.

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_TASK_POOL_H_
