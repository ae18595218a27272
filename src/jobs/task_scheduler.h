// TaskScheduler: how threads find the tasks of a graph and the jobs of lists, help while they wait,
// and sleep. A task pool without its threads.
//
//   worker          take the most urgent task and run it; otherwise announce itself,
//                   look again, sleep
//   outside tasks   Wait: the same, until the awaited task is complete
//   in a task       Wait: likewise, but take only a task that the awaited one needs (from this
//                   thread's own pushes, or found by the graph), tasks with the caller's name, and
//                   jobs of lists
//
// Thread safety: each thread with its Thread. Create these after the scheduler and destroy them
// before, not while they hold tasks (Leave). Close once, by a thread outside all tasks, when no
// other such thread is inside a call but CompleteExternal. Wait, DoWorkWhileWaitingFor, Close and
// Leave may run other tasks and sleep: their caller holds none of the engine's locks (asserted).
// Progress: blocking. A thread that waits outside all tasks depends on other threads only for tasks
// with another thread's name and for devices: without workers it runs everything. No thread spins
// while there is nothing to do.
//
// Promise: each submitted task is run once or cancelled; after Wait it is complete, and all that it
// did happens before the return. Stated in full behind the class.
// Errors, besides TaskGraph's: kWrongPhase (shut down; a call that is not for tasks),
// kInvalidArgument (priority, affinity).
//
// Source: [bitsquid2010]: the worker loop, wait and do_work_while_waiting_for. Models:
// models/jobs/task_scheduler, wait_help_sleep. Lecture: dependencies, helping waits, devices.
#ifndef NOWAIT_SRC_JOBS_TASK_SCHEDULER_H_
#define NOWAIT_SRC_JOBS_TASK_SCHEDULER_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "src/base/assert.h"
#include "src/base/result.h"
#include "src/jobs/global_queue.h"
#include "src/jobs/idempotent_job.h"
#include "src/jobs/job.h"
#include "src/jobs/job_list.h"
#include "src/jobs/list_work.h"
#include "src/jobs/priority.h"
#include "src/jobs/run_job.h"
#include "src/jobs/task_counts.h"
#include "src/jobs/task_def.h"
#include "src/jobs/task_graph.h"
#include "src/jobs/task_id.h"
#include "src/profile/profile.h"
#include "src/sync/event_count.h"
#include "src/sync/held_locks.h"
#include "src/sync/policy.h"

namespace nowait {

enum class TaskShutdown : std::uint8_t { kFinish, kCancel };

struct TaskSchedulerDef {
  TaskGraphDef graph;
  // Threads 0 .. workers-1 of the graph call Work.
  std::uint32_t workers = 0;
  // The names are 1 .. names (TaskDef::affinity); threads workers .. workers+names-1 have them.
  std::uint8_t names = 0;
  // How many lists of one priority can be attached at the same time, at most kMaxListsPerPriority;
  // a further one is run by one thread alone.
  std::uint32_t lists = 1;
  // Called on the thread on which a job has thrown.
  ThrownReport on_throw = {};
};

// kEvery: see kTurn.
template <class Sync = EngineSync, class Queues = GlobalQueue<Sync>, std::uint32_t kStore = 32,
          std::uint32_t kEvery = 64>
class TaskScheduler {
 public:
  // Outside tasks, one look in so many is for the task that has waited longest: see Bounds.
  static constexpr std::uint32_t kTurn = kEvery;

  using Graph = TaskGraph<Sync, kStore>;

  // The thread's own part, an argument of each call.
  class Thread {
   public:
    // name: which tasks with an affinity are this thread's, or 0. A name is one thread's at a time.
    Thread(TaskScheduler& scheduler, std::uint16_t number, std::uint8_t name = 0)
        : graph_(scheduler.graph_, number), number_(number), name_(name) {}

    // The task whose work runs here, or TaskId::Outside.
    TaskId current() const { return graph_.current(); }
    TaskCounts& counts() { return counts_; }

   private:
    friend class TaskScheduler;
    typename Graph::Thread graph_;
    const std::uint16_t number_;
    const std::uint8_t name_;
    bool closes_ = false;  // it is in Close
    bool fails_ = false;   // it completes external tasks whose hand-over has thrown
    TaskId kept_;          // the task that it has made ready and runs next, if any
    TaskId awaited_;       // the task that its innermost Wait waits for, if any
    std::uint32_t looks_ = 0;
    // Tasks that it has submitted and not pushed yet: Collect.
    static constexpr std::uint32_t kBatch = 16;
    std::array<TaskId, kBatch> batch_;
    std::uint32_t batch_count_ = 0;
    std::uint8_t batch_priority_ = 0;
    TaskCounts counts_;
  };

  explicit TaskScheduler(const TaskSchedulerDef& def)
      : on_throw_(def.on_throw),
        graph_(def.graph),
        queues_(def.workers + def.names, graph_.most_open()),
        lists_(def.lists, kPriorities, events_),
        workers_(def.workers) {
    for (std::uint8_t i = 0; i < def.names; ++i) {
      named_.push_back(std::make_unique<GlobalQueue<Sync>>(0, graph_.most_open()));
    }
  }

  const Graph& graph() const { return graph_; }

  // A task, held by the caller.
  Result<TaskId> Add(Thread& by, const TaskDef& def) {
    if (Closing() != How::kOpen && (Closing() == How::kCancel || IsShutFor(by))) [[unlikely]] {
      return ShutDown(TaskId());
    }
    if (def.affinity > named_.size()) {
      return Fail(ErrorCode::kInvalidArgument, "affinity", def.affinity, "no thread has this name");
    }
    if (def.priority >= kPriorities) {
      return Fail(ErrorCode::kInvalidArgument, "priority", def.priority, "there are three");
    }
    if (def.kind != TaskKind::kWork) [[unlikely]] {
      if (auto checked = CheckKind(def); !checked) return std::unexpected(checked.error());
    }
    return graph_.Create(by.graph_, def, ReadyFrom(by), [this] { events_.NotifyAll(); });
  }

  // A task whose work is the jobs that have been added to a list. The list is not the caller's
  // until the task is complete. def: without work.
  Result<TaskId> AddList(Thread& by, JobList<Sync>& list, TaskDef def) {
    if (def.kind != TaskKind::kWork || def.work.function != nullptr) {
      return Fail(ErrorCode::kInvalidArgument, "list", 0, "its jobs are all its work");
    }
    list.Submit();
    def.kind = TaskKind::kList;
    def.work = {nullptr, &list};
    return Add(by, def);
  }

  // A task whose work is the idempotent job, done by one thread or by two. The job belongs to the
  // task until its release has been called, or the task has been cancelled. def: without work.
  Result<TaskId> AddIdempotent(Thread& by, IdempotentJob& job, TaskDef def) {
    if (def.kind != TaskKind::kWork || def.work.function != nullptr) {
      return Fail(ErrorCode::kInvalidArgument, "task", 0, "the idempotent job is all its work");
    }
    if (job.compute == nullptr || job.commit == nullptr || job.release == nullptr) {
      return Fail(ErrorCode::kInvalidArgument, "task", 0, "an idempotent job has three functions");
    }
    def.kind = TaskKind::kIdempotent;
    def.work = {nullptr, &job};
    return Add(by, def);
  }

  Result<void> DependsOn(Thread& by, TaskId task, TaskId dependency) {
    return graph_.SetDependency(by.graph_, task, dependency);
  }

  Result<void> AddChild(Thread& by, TaskId parent, TaskId child) {
    auto added = graph_.AddChild(by.graph_, parent, child, ReadyFrom(by));
    if (!added) events_.NotifyAll();  // as in Add
    return added;
  }

  Result<void> Submit(Thread& by, TaskId task) {
    if (IsShutFor(by)) return ShutDown(task);
    return graph_.Submit(by.graph_, task, ReadyFrom(by), [this] { events_.NotifyAll(); });
  }

  // As TaskGraph::Cancel.
  Result<bool> Cancel(Thread& by, TaskId task) {
    auto cancelled = graph_.Cancel(by.graph_, task, ReadyFrom(by));
    events_.NotifyAll();
    return cancelled;
  }

  // The device has done the work of an external task. by_device: see TaskGraph.
  Result<void> CompleteExternal(Thread& by, TaskId task, bool by_device = false) {
    auto completed = graph_.CompleteExternal(by.graph_, task, ReadyFrom(by), by_device);
    // release: pairs with the acquire in Close: what this has made ready is in the queues.
    if (completed) external_.fetch_sub(1, std::memory_order::release);
    events_.NotifyAll();
    return completed;
  }

  // Whether the caller is in no task, or in one that has no affinity.
  Result<void> MayWait(const Thread& by) const {
    if (!by.current().IsTask() || graph_.AffinityOf(by.current()) == 0) return {};
    return Fail(ErrorCode::kWrongPhase, "wait", by.current().bits(),
                "a task with an affinity does not wait");
  }

  // Submits the tasks that the caller holds, and returns when the task is complete; meanwhile the
  // caller helps. After Close, outside tasks, nothing is submitted, and a wait for an incomplete
  // task is refused: no thread would complete it.
  Result<void> Wait(Thread& by, TaskId task) {
    NOWAIT_ASSERT(HoldsNoLock<Sync>(), kNoLock);
    const ProfileScope span("wait");
    if (auto may = MayWait(by); !may) return may;
    if (IsShutFor(by)) {
      auto known = graph_.CheckKnown(task);
      return !known || graph_.IsComplete(task) ? known : ShutDown(task);
    }
    // A list that only the caller knows to be ready goes through no queue.
    bool begin = false;
    const auto ready = [&](const ReadyTask& other) {
      if (other.id == task && other.kind == TaskKind::kList) {
        begin = true;
      } else {
        Collect(by, other);
      }
    };
    const bool submits = by.graph_.holds();
    const bool submits_other = by.graph_.HoldsOther(task);
    if (auto begun = graph_.BeginWait(by.graph_, task, ready); !begun) return begun;
    if (by.batch_count_ != 0) PushBatch(by);
    const TaskId outer = std::exchange(by.awaited_, task);
    if (begin && graph_.TryStart(task)) {
      // Before the list: its jobs may last, and a list that is run alone notifies of nothing else.
      NotifyWaiters(submits_other);
      BeginList(by, task);
    } else {
      NotifyWaiters(submits);
    }
    if (by.current().IsTask()) {
      HelpFor(by, task);
    } else {
      HelpUntil(
          by, [this, task] { return graph_.IsKnownComplete(task); },
          [this, &by, task] { return RunAgain(by, task); });
    }
    by.awaited_ = outer;
    graph_.EndWait(by.graph_);
    return {};
  }

  // Submits the tasks that the caller holds, and helps until done() is true. The thread that makes
  // it true calls Wake afterwards. kWrongPhase "done": done() threw, which is reported and ends the
  // help.
  template <class Done>
  Result<void> DoWorkWhileWaitingFor(Thread& by, const Done& done) {
    NOWAIT_ASSERT(HoldsNoLock<Sync>(), kNoLock);
    if (by.current().IsTask()) {
      return Fail(ErrorCode::kWrongPhase, "wait", by.current().bits(),
                  "a task waits for what it created");
    }
    if (IsShutFor(by)) return ShutDown(TaskId());
    graph_.SubmitAll(by.graph_, ReadyFrom(by));
    events_.NotifyAll();
    bool threw = false;
    const auto done_or_threw = [&] {
      Settle(by);
      bool answer = false;
      auto ask = [&] { answer = done(); };
      const auto call = [](void* data) { (*static_cast<decltype(ask)*>(data))(); };
      threw = threw || !RunJob({call, &ask}, TaskId(), on_throw_, by.counts_);
      return threw || answer;
    };
    HelpUntil(by, done_or_threw, [] { return false; });
    if (threw) return Fail(ErrorCode::kWrongPhase, "done", 0, "it threw");
    return {};
  }
  void Wake() { events_.NotifyAll(); }

  // Runs tasks, and returns after Close. before_sleep(): called when there is nothing to do.
  template <class BeforeSleep>
  void Work(Thread& by, const BeforeSleep& before_sleep) {
    for (;;) {
      const auto seen = events_.Epoch();
      if (RunOne(by) || SpinForNotification(seen, [] { return false; })) continue;
      before_sleep();
      const auto key = events_.PrepareWait();
      if (RunOne(by)) continue;
      // relaxed in Closing: a notification by Close before the announcement is visible through
      // that; one after it ends the sleep.
      if (Closing() != How::kOpen) break;
      ++by.counts_.sleeps;
      events_.Wait(key);
    }
    WorkersGone(1);
  }

  // `count` workers have left Work, or will never enter it, because the system refuses their
  // threads.
  void WorkersGone(std::uint32_t count) {
    // release: pairs with the acquire in Close: a worker's last pushes.
    workers_.fetch_sub(count, std::memory_order::release);
    events_.NotifyAll();
  }

  // A thread outside all tasks leaves: it submits the tasks that it holds, or cancels them after
  // Close.
  void Leave(Thread& by) {
    NOWAIT_ASSERT(HoldsNoLock<Sync>(), kNoLock);
    const bool shut = IsShutFor(by);
    if (shut) graph_.CancelHeld(by.graph_);
    graph_.SubmitAll(by.graph_, ReadyFrom(by));
    events_.NotifyAll();
    if (!shut) return;
    // Tasks that have waited for those: no other thread would cancel them.
    by.closes_ = true;
    while (RunOne(by) || CancelOneOfAnother(by)) {
    }
  }

  Result<void> Close(Thread& by, TaskShutdown shutdown) {
    NOWAIT_ASSERT(HoldsNoLock<Sync>(), kNoLock);
    if (by.current().IsTask()) {
      return Fail(ErrorCode::kWrongPhase, "shutdown", by.current().bits(), "inside a task");
    }
    if (Closing() != How::kOpen) return Fail(ErrorCode::kWrongPhase, "shutdown", 0, "a second one");
    // relaxed: NotifyAll publishes it to each thread that sleeps or is about to; others may see it
    // later.
    closing_.store(shutdown == TaskShutdown::kFinish ? How::kFinish : How::kCancel,
                   std::memory_order::relaxed);
    by.closes_ = true;
    graph_.SubmitAll(by.graph_, ReadyFrom(by));
    events_.NotifyAll();
    for (;;) {
      const auto key = events_.PrepareWait();
      // acquire, both: pair with the releases in Work and CompleteExternal. A worker that has gone
      // leaves its pushes in the queues, and no thread hides them. An entry that this thread does
      // not find then is not there.
      const bool gone = workers_.load(std::memory_order::acquire) == 0;
      const bool alone = gone && external_.load(std::memory_order::acquire) == 0;
      if (RunOne(by) || CancelOneOfAnother(by)) continue;
      if (alone) break;
      if (shutdown == TaskShutdown::kCancel && CancelInFlight(by)) continue;
      events_.Wait(key);
    }
    // relaxed: for threads that leave after this call.
    closing_.store(How::kCancel, std::memory_order::relaxed);
    return {};
  }

 private:
  Result<void> CheckKind(const TaskDef& def) {
    if (def.kind == TaskKind::kList && (def.affinity != 0 || def.work.data == nullptr)) {
      return Fail(ErrorCode::kInvalidArgument, "list", def.affinity,
                  "it has an affinity or no jobs: any thread runs its jobs");
    }
    if (def.kind == TaskKind::kIdempotent) {
      if (def.affinity != 0 || def.work.data == nullptr) {
        return Fail(ErrorCode::kInvalidArgument, "task", def.affinity,
                    "an idempotent one has a job, and no affinity: any thread may run it again");
      }
      // relaxed: a thread that reaches the task through the graph, or is woken for it, sees this.
      any_idempotent_.store(true, std::memory_order::relaxed);
    }
    return {};
  }

  enum class How : std::uint8_t { kOpen, kFinish, kCancel };
  static constexpr std::uint32_t kNobody = ~std::uint32_t{0};
  static constexpr const char* kNoLock = "no lock is held across what waits or helps";
  using Count = typename Sync::template atomic<std::uint32_t>;

  // While it lives, its thread may sleep until a task is complete.
  class Waiter {
   public:
    // seq_cst: see Why a sleeper is woken.
    explicit Waiter(Count& waiters) : waiters_(waiters) {
      waiters_.fetch_add(1, std::memory_order::seq_cst);
    }
    // relaxed: a thread that still sees it wakes no thread by it.
    ~Waiter() { waiters_.fetch_sub(1, std::memory_order::relaxed); }
    Waiter(const Waiter&) = delete;
    Waiter& operator=(const Waiter&) = delete;

   private:
    Count& waiters_;
  };

  // A thread that goes round the lists.
  struct Host {
    // In the list's task, whose jobs make no tasks.
    struct Runs {
      Runs(TaskScheduler& in, Thread& thread, TaskId of)
          : scheduler(in), by(thread), list(of), outer(in.graph_.EnterList(thread.graph_, of)) {}
      ~Runs() { scheduler.graph_.LeaveList(by.graph_, outer); }
      Runs(const Runs&) = delete;
      Runs& operator=(const Runs&) = delete;
      void operator()(const Job& job) const { RunJob(job, list, scheduler.on_throw_, by.counts_); }
      TaskScheduler& scheduler;
      Thread& by;
      const TaskId list;
      const typename Graph::Place outer;
    };
    Runs RunsOf(TaskId list) {
      scheduler.Settle(by);
      return {scheduler, by, list};
    }
    void Complete(TaskId list) {
      const auto ready = [this](const ReadyTask& task) {
        scheduler.ReadyFrom(by)(task);
        pushed = true;
      };
      scheduler.graph_.CompleteList(by.graph_, list, ready);
    }
    void NotifyCompletion() { scheduler.NotifyWaiters(std::exchange(pushed, false)); }
    bool ShouldLeave() const {
      return by.awaited_.IsTask() && scheduler.graph_.IsComplete(by.awaited_);
    }
    ListRunCounts& counts() { return by.counts_.lists; }

    TaskScheduler& scheduler;
    Thread& by;
    bool pushed = false;
  };

  // Whether a call for new work comes too late. Running tasks may go on with their work.
  bool IsShutFor(const Thread& by) const {
    return Closing() != How::kOpen && !by.current().IsTask();
  }
  static std::unexpected<Error> ShutDown(TaskId task) {
    return Fail(ErrorCode::kWrongPhase, "task", task.bits(), "the pool has been shut down");
  }

  // relaxed: see Close.
  How Closing() const { return closing_.load(std::memory_order::relaxed); }

  // The callback for tasks that may start.
  auto ReadyFrom(Thread& by) {
    return [this, &by](const ReadyTask& task) {
      if (task.kind == TaskKind::kWork && task.affinity == 0) [[likely]] {
        queues_.Push(OwnerOf(by), task, MayStart());
      } else {
        PassOn(by, task);
      }
    };
  }
  // Collects a plain task that a thread submits, so that some are pushed at a time. PushBatch has
  // to follow before others are woken for them.
  void Collect(Thread& by, const ReadyTask& task) {
    const bool plain = task.kind == TaskKind::kWork && task.affinity == 0;
    const bool fits = plain && task.priority == by.batch_priority_;
    if (by.batch_count_ == Thread::kBatch || (by.batch_count_ != 0 && !fits)) PushBatch(by);
    if (!plain) return PassOn(by, task);
    by.batch_priority_ = task.priority;
    by.batch_[by.batch_count_++] = task.id;
  }
  [[gnu::noinline]] void PushBatch(Thread& by) {
    queues_.PushMany(OwnerOf(by), by.batch_priority_, by.batch_.data(),
                     std::exchange(by.batch_count_, 0), MayStart());
  }
  [[gnu::noinline]] void PassOn(Thread& by, const ReadyTask& task) {
    if (IsExternal(task.kind) && Closing() != How::kCancel) {
      HandOver(by, task);
    } else if (task.affinity != 0) {
      named_[task.affinity - 1u]->Push(kNobody, task, MayStart());
    } else {
      queues_.Push(OwnerOf(by), task, MayStart());
    }
  }
  // The owner of the queue that a thread pushes to. A main thread's tasks are begun in the order of
  // their submission, as a game loop expects; but inside a task it is a worker like others.
  static std::uint32_t OwnerOf(const Thread& by) {
    return by.name_ != 0 && !by.current().IsTask() ? kNobody : by.number_;
  }
  auto MayStart() const {
    return [this](TaskId task) { return graph_.MayStart(task); };
  }

  void HandOver(Thread& by, const ReadyTask& ready) {
    const TaskId task = ready.id;
    if (!graph_.TryStart(task)) return;  // cancelled
    // relaxed: the device's answer comes after this, and Close reads the count after the answer.
    external_.fetch_add(1, std::memory_order::relaxed);
    const Job request = graph_.WorkOf(task);
    if (request.function == nullptr || RunJob(request, task, on_throw_, by.counts_)) {
      // From here on Close may cancel it. Not before: the hand-over uses what its maker then frees.
      if (ready.kind == TaskKind::kExternal) graph_.MarkInFlight(task);
      return;
    }
    // No device will answer, unless the hand-over has reached one before it threw, and that has
    // answered. The completion may make tasks ready whose hand-over throws, too. This loop
    // completes them, not a nested call, so that a row of any length needs no stack.
    if (!graph_.TryFail(by.graph_, task) || std::exchange(by.fails_, true)) return;
    while (graph_.CompleteFailed(by.graph_, ReadyFrom(by))) {
      // relaxed: Close sees a worker's change when the worker leaves (WorkersGone), and that of a
      // thread in CompleteExternal by the call's own release. No other call overlaps with Close.
      external_.fetch_sub(1, std::memory_order::relaxed);
    }
    by.fails_ = false;
  }

  // After tasks have been completed, or a wait has begun. all: whether threads that do not wait are
  // concerned, too, because tasks have become ready or have been submitted.
  void NotifyWaiters(bool all) {
    // seq_cst: see Why a sleeper is woken.
    if (all || waiters_.load(std::memory_order::seq_cst) != 0) events_.NotifyAll();
  }

  // Takes off the items that the thread keeps back; false if it keeps no items. Invariant 5.
  bool Settle(Thread& by) { return by.graph_.keeps() && SettleKept(by); }
  [[gnu::noinline]] bool SettleKept(Thread& by) {
    bool pushed = false;
    graph_.Settle(by.graph_, [&](const ReadyTask& task) {
      ReadyFrom(by)(task);
      pushed = true;
    });
    NotifyWaiters(pushed);
    return true;
  }

  // Whether this thread keeps a task that a completed one has made ready.
  bool Keeps(const Thread& by, const ReadyTask& task) const {
    return !by.current().IsTask() && !by.kept_.IsTask() && task.kind == TaskKind::kWork &&
           task.affinity == 0 && task.priority == 0 && !lists_.Any(0);
  }
  // Runs the kept task, or one that was ready before it.
  bool RunKept(Thread& by) { return by.kept_.IsTask() && RunTheKept(by); }
  [[gnu::noinline]] bool RunTheKept(Thread& by) {
    const TaskId kept = std::exchange(by.kept_, {});
    TaskId task = kept;
    if (PopNamed(by, 0, &task) || (!Queues::kNewestFirst && queues_.Pop(by.number_, 0, &task))) {
      PushKept(by, kept);
    }
    return Do(by, task);
  }
  void PushKept(Thread& by, TaskId kept) {
    queues_.Push(OwnerOf(by), {.id = kept}, MayStart());
    events_.NotifyAll();
  }

  // Runs jobs of lists, or takes tasks from the queues until one of them is run or cancelled; false
  // when there is nothing.
  bool RunOne(Thread& by) {
    auto seen = events_.Epoch();
    if (++by.looks_ % kTurn == 0 && RunOldest(by, &seen)) return true;
    if (RunKept(by)) return true;
    TaskId task;
    for (std::uint32_t priority = 0; priority < kPriorities; ++priority) {
      if (RunNamed(by, priority) || lists_.Help(priority, &seen, Host{*this, by})) return true;
      while (queues_.Pop(by.number_, priority, &task)) {
        if (Do(by, task)) return true;
      }
    }
    return Settle(by);
  }
  // The task that has waited longest, of the most urgent priority that has any.
  [[gnu::noinline]] bool RunOldest(Thread& by, typename EventCount<Sync>::Key* seen) {
    if (by.kept_.IsTask()) PushKept(by, std::exchange(by.kept_, {}));
    for (std::uint32_t priority = 0; priority < kPriorities; ++priority) {
      TaskId task;
      while (queues_.PopOldest(by.looks_ / kTurn, priority, &task)) {
        if (Do(by, task)) return true;
      }
      if (lists_.Help(priority, seen, Host{*this, by})) return true;
    }
    return false;
  }
  // Only jobs of lists.
  bool RunJobs(Thread& by) {
    auto seen = events_.Epoch();
    for (std::uint32_t priority = 0; priority < kPriorities; ++priority) {
      if (lists_.Help(priority, &seen, Host{*this, by})) return true;
    }
    return false;
  }
  // Only tasks for the caller's name.
  [[gnu::always_inline]] bool PopNamed(const Thread& by, std::uint32_t priority, TaskId* task) {
    return by.name_ != 0 && named_[by.name_ - 1u]->Pop(by.number_, priority, task);
  }
  [[gnu::always_inline]] bool RunNamed(Thread& by, std::uint32_t priority) {
    TaskId task;
    while (PopNamed(by, priority, &task)) {
      if (Do(by, task)) return true;
    }
    return false;
  }
  // A task for the caller's name, the most urgent first.
  bool RunNamed(Thread& by) {
    for (std::uint32_t priority = 0; priority < kPriorities; ++priority) {
      if (RunNamed(by, priority)) return true;
    }
    return false;
  }

  // False: another thread runs the task, or it is done.
  bool Do(Thread& by, TaskId task) {
    if (Closing() == How::kCancel) return CancelReady(by, task);
    if (!graph_.TryStart(task)) {
      ++by.counts_.stale;
      return false;
    }
    RunStarted(by, task);
    return true;
  }

  [[gnu::noinline]] bool CancelReady(Thread& by, TaskId task) {
    const auto cancelled = graph_.Cancel(by.graph_, task, ReadyFrom(by));
    events_.NotifyAll();
    if (!cancelled || !*cancelled) {
      ++by.counts_.stale;
      return false;
    }
    ++by.counts_.cancelled;
    return true;
  }

  void RunStarted(Thread& by, TaskId task) {
    if (graph_.KeepsOther(by.graph_, task)) SettleKept(by);
    if (const TaskKind kind = graph_.KindOf(task); kind != TaskKind::kWork) [[unlikely]] {
      if (kind == TaskKind::kList) return BeginList(by, task);
      if (kind == TaskKind::kIdempotent) {
        events_.NotifyAll();  // invariant 2: a thread that waits for it may sleep
        return RunIdempotent(by, task, 0);
      }
    }
    const auto outer = graph_.Enter(by.graph_, task);
    if (Closing() == How::kCancel) {
      ++by.counts_.cancelled;
    } else {
      const ProfileScope span("task");
      ++by.counts_.ran;
      RunJob(graph_.WorkOf(task), task, on_throw_, by.counts_);
    }
    bool pushed = by.graph_.holds();  // Finish submits these
    const auto ready = [&](const ReadyTask& next) {
      if (Keeps(by, next)) {
        by.kept_ = next.id;
      } else {
        ReadyFrom(by)(next);
        pushed = true;
      }
    };
    graph_.FinishAndKeep(by.graph_, outer, ready);
    NotifyWaiters(pushed);
  }

  [[gnu::noinline]] void RunIdempotent(Thread& by, TaskId task, int run) {
    // Items of its own parent, too: another run may complete it long before this one ends.
    Settle(by);
    const auto outer = graph_.Enter(by.graph_, task);
    const auto& job = *static_cast<const IdempotentJob*>(graph_.WorkOf(task).data);
    const auto call = [&](auto part) {
      const auto call_part = [](void* data) { (*static_cast<decltype(part)*>(data))(); };
      return RunJob({call_part, &part}, task, on_throw_, by.counts_);
    };
    bool computed = false;
    if (Closing() == How::kCancel) {
      ++by.counts_.cancelled;
    } else {
      const ProfileScope span("task");
      ++(run == 0 ? by.counts_.ran : by.counts_.again);
      computed = call([&] { job.compute(job.data, run); });
    }
    const bool won = graph_.TryCommit(by.graph_);
    if (won && computed) call([&] { job.commit(job.data, run); });
    if (graph_.Finish(by.graph_, outer, ReadyFrom(by), won)) call([&] { job.release(job.data); });
    events_.NotifyAll();
  }

  [[gnu::noinline]] void BeginList(Thread& by, TaskId task) {
    if (Closing() == How::kCancel) {
      ++by.counts_.cancelled;
      graph_.CompleteList(by.graph_, task, ReadyFrom(by));
      events_.NotifyAll();
      return;
    }
    ++by.counts_.ran;
    auto& list = *static_cast<JobList<Sync>*>(graph_.WorkOf(task).data);
    if (list.size() <= 1) return lists_.RunAlone(list, task, Host{*this, by});
    lists_.Begin(list, task, graph_.PriorityOf(task), Host{*this, by});
  }

  // For the closing thread: cancels a task for a name that is not its own; the thread of that name
  // is gone. Also in waits of the tasks that it runs meanwhile, which may need just that task.
  bool CancelOneOfAnother(Thread& by) {
    if (!by.closes_) return false;
    for (std::size_t i = 0; i < named_.size(); ++i) {
      if (i + 1 == by.name_) continue;
      for (std::uint32_t priority = 0; priority < kPriorities; ++priority) {
        TaskId task;
        while (named_[i]->Pop(by.number_, priority, &task)) {
          if (CancelReady(by, task)) return true;
        }
      }
    }
    return false;
  }

  // For the closing thread: cancels what the user's devices have, which may never answer.
  bool CancelInFlight(Thread& by) {
    // relaxed: a call that puts a task out notifies, and this thread looks again.
    if (external_.load(std::memory_order::relaxed) == 0) return false;
    const std::uint32_t count = graph_.CompleteInFlight(by.graph_, ReadyFrom(by));
    if (count == 0) return false;
    by.counts_.cancelled += count;
    // relaxed: this thread's own change; Close looks again.
    external_.fetch_sub(count, std::memory_order::relaxed);
    events_.NotifyAll();
    return true;
  }

  // Helps with anything. last: tried when there is nothing else.
  template <class Done, class Last>
  void HelpUntil(Thread& by, const Done& done, const Last& last) {
    while (!done()) {
      const auto seen = events_.Epoch();
      if (RunOne(by) || last() || SpinForNotification(seen, done)) continue;
      const Waiter waiter(waiters_);
      const auto key = events_.PrepareWait();
      if (done()) break;
      if (RunOne(by) || last()) continue;
      ++by.counts_.sleeps;
      events_.Wait(key);
    }
    Settle(by);
    if (by.kept_.IsTask()) PushKept(by, std::exchange(by.kept_, {}));
  }

  // Whether there is something to look at before a sleep is worth its cost. seen: the epoch before
  // the last look.
  template <class Done>
  bool SpinForNotification(typename EventCount<Sync>::Key seen, const Done& done) {
    for (std::uint32_t i = 0; i < Sync::kSpins; ++i) {
      if (events_.Epoch() != seen || done()) return true;
      Sync::Pause();
    }
    return false;
  }

  // Helps with tasks that `task` needs, and with tasks for the caller's name.
  void HelpFor(Thread& by, TaskId task) {
    // Whether this thread's last push could be needed. Not after a look has put it back: another
    // look wakes other threads, which look and wake this one, for ever.
    bool look_at_own = true;
    typename Graph::Cursor cursor;
    const auto done = [this, task] { return graph_.IsKnownComplete(task); };
    const auto run_other = [&] {
      return RunFound(by, task, &cursor) || RunJobs(by) || RunAgain(by, task) || Settle(by);
    };
    while (!done()) {
      const auto seen = events_.Epoch();
      if (std::exchange(look_at_own, false) && RunOwn(by, task)) {
        look_at_own = true;
        continue;
      }
      if (run_other()) {
        look_at_own = true;
        continue;
      }
      if (SpinForNotification(seen, done)) continue;
      const Waiter waiter(waiters_);
      const auto key = events_.PrepareWait();
      if (done()) break;
      if (run_other()) continue;
      ++by.counts_.sleeps;
      events_.Wait(key);
    }
    Settle(by);
  }

  bool RunOwn(Thread& by, TaskId waiting) {
    TaskId task;
    bool put_back = false;
    const auto needed = [&](TaskId own) { return graph_.IsNeeded(by.graph_, waiting, own); };
    const bool found = queues_.PopOwn(by.number_, needed, MayStart(), &task, &put_back);
    if (put_back) events_.NotifyAll();
    if (found) Do(by, task);
    return found;
  }

  bool RunFound(Thread& by, TaskId waiting, typename Graph::Cursor* cursor) {
    // Tasks with the caller's name may make each other without end: now and then a needed task goes
    // first.
    const bool needed_first = ++by.looks_ % kTurn == 0;
    if (!needed_first && (RunNamed(by) || CancelOneOfAnother(by))) return true;
    const std::optional<TaskId> found = graph_.FindHelp(by.graph_, waiting, by.name_, cursor);
    if (found) RunStarted(by, *found);
    return found.has_value() || (needed_first && (RunNamed(by) || CancelOneOfAnother(by)));
  }

  // Runs a needed idempotent task a second time, which another thread has not finished.
  bool RunAgain(Thread& by, TaskId waiting) {
    // relaxed: see Add. Most pools have no such tasks, and their waiters do not look for any.
    if (!any_idempotent_.load(std::memory_order::relaxed)) return false;
    const std::optional<TaskId> found = graph_.FindToRunAgain(by.graph_, waiting);
    if (found) RunIdempotent(by, *found, 1);
    return found.has_value();
  }

  const ThrownReport on_throw_;
  Graph graph_;
  Queues queues_;
  // For each name, a queue for each priority.
  std::vector<std::unique_ptr<GlobalQueue<Sync>>> named_;
  // Alone on its line: each notification writes it. See invariant 2.
  alignas(64) EventCount<Sync> events_;
  alignas(64) ListWork<Sync> lists_;
  // Read for each task, and seldom written.
  alignas(64) typename Sync::template atomic<How> closing_{How::kOpen};
  typename Sync::template atomic<bool> any_idempotent_{false};
  Count workers_;
  Count external_{0};
  // The threads in Wait or DoWorkWhileWaitingFor that sleep or are about to.
  Count waiters_{0};
};

// Implementation: why this is right
//
// The work comes from three places: queues for each named thread, with the tasks that only this
// thread may run; the attached lists (src/jobs/list_work.h); and a policy's queues
// (src/jobs/global_queue.h, src/jobs/work_stealing.h). Each place has its part for each priority. A
// thread looks from the most urgent priority down. In each priority it looks first for its name,
// which no other thread serves, then at the lists, and then at the queues: started work is finished
// first.
// A task whose work is a list goes through the queues like other tasks. The thread that starts it
// attaches the list, and the last thread to leave the list completes the task. To its jobs the
// graph is closed: they neither create tasks nor wait for any.
// The work of an external task hands the request to a device. The thread that makes the task ready
// does this at once, inside that call; the hand-over must not block, and calls nothing here.
// A running idempotent task is run a second time by a thread that waits for it and has nothing else
// to do. The waiting thread cannot know whether the first one has been switched out; if it has not,
// only an idle core has worked.
//
// Promise: each submitted task is run once or cancelled, before or by Close. When Wait returns
// without an error, the task is complete. The effects of its work, of its children and of the tasks
// that they waited for happen before the return. Idempotent work is committed once before that, and
// released once, perhaps after it. A job that throws is caught, counted and reported; its task
// counts as done. An external task whose hand-over throws also counts as done, unless its device
// answers nevertheless. After Close has returned, each Work has returned or will, without another
// task. All submitted tasks are then complete, and no task can be added. One case is later: a task
// with a child that another thread outside tasks holds is complete when that thread leaves, which
// cancels the tasks that it holds.
//   Close(kFinish) runs the tasks that are left, and those that they make. Close(kCancel) completes
//   without their work all tasks that it finds not started, and refuses new ones. Tasks for a name
//   whose thread is gone are cancelled in both cases. Both wait for work that has begun and for
//   requests that the pool's own devices have: they return if jobs return and those devices answer.
//   kFinish waits also for an external task that a device of the user's has. kCancel cancels it
//   when its hand-over has returned, also while a running task waits for it. The answer then comes
//   too late (kStaleId, as long as there is a scheduler to ask), and the device may no longer use
//   the memory that the hand-over gave it.
//
// Invariants
//   1. A thread that sleeps on events_ has announced itself, and then looked for everything that it
//      waits for.
//   2. events_ is notified after each call that pushes an entry or puts one back, that submits a
//      task, or that starts an idempotent one. If waiters_ shows a waiting thread, it is also
//      notified after a call that completes a task or begins a wait. And as ListWork does.
//   3. workers_ counts the workers that have not left Work, external_ the external tasks that a
//      device has, waiters_ the threads that sleep in a wait or are about to.
//   4. A thread that has a kept task goes on with it, or gives it to the queues, before it sleeps,
//      returns or runs anything else.
//   5. A thread that keeps items of a parent back (TaskGraph::FinishAndKeep) takes them off before
//      it runs anything but plain children of that parent, sleeps or returns. done() of
//      DoWorkWhileWaitingFor is no child, and an idempotent child is not plain.
//   6. Tasks that a thread has collected (Collect) are pushed before the notification of 2.
//
// Why a sleeper is woken when there is something for it (1, 2, and src/sync/event_count.h).
//   - A worker, or a waiter outside tasks, takes anything that is in the queues. A notification
//     follows each push, also the pushes that hide others meanwhile (task_queue.h). NotifyAll wakes
//     every sleeper, so a thread that has seen its task complete and goes its way takes no other
//     thread's notification.
//   - Lists: src/jobs/list_work.h. A thread that waits in a task looks at them, too.
//   - Completion: after Finish, Cancel, CompleteExternal and calls that can complete empty tasks.
//     Most tasks are waited for by no thread, and a sleeping worker need not be woken for them. So
//     a thread that has completed tasks asks afterwards whether any thread waits, and a waiter
//     announces itself before its last look. The Close of the items, the question, the announcement
//     and that look are seq_cst: of asker and waiter one sees the other. If the asker sees the
//     waiter, it notifies, and the event count's argument holds.
//     The completion of a parent whose items are kept back comes later. It is not held up by that
//     (5): while the thread runs another child, the parent needs that very run, too; otherwise the
//     thread is between two tasks. If all items that a parent has left are kept by one thread, that
//     thread takes them off at once: one that waits for the parent begins nothing else before.
//   - A waiter in a task takes what the graph leads to from there. A task that may start can also
//     come into its reach without being pushed, when a way to it is completed. Ways go through
//     children and dependencies, which are given to held tasks only, and through the waits of
//     running tasks. So the last step that completes a way is that a task on it is submitted or
//     begins to wait. A notification follows each of the two, the second only if a waiter is known.
//     A thread that has announced itself and looked just before may miss a chance to help, but no
//     other thread depends on that: the thread that begins to wait finds the same tasks itself.
//
// Why nothing is deadlocked. Without names it is TaskGraph's argument. At the end of each way down
// from the awaited task there is one of three: a task that runs and does not wait, a task that a
// device has, or a task that may start and that the waiter takes. With names the last case fails:
// take two threads, each in a task that waits for a task with the other's name. They would wait for
// ever if each helped only with what it needs. So each waiting thread, also in a task, runs all
// tasks with its name. A task with an affinity may not wait (kWrongPhase), but makes others depend
// on what it creates. So it returns, whatever lies below it on the stack, and the argument holds.
// The same is true of jobs of lists, which any waiting thread may run, and of idempotent work: they
// do not wait, so they return. (A thread that goes on with serial code and never waits delays the
// tasks with its name for as long.)
//
// Kept tasks. The task that a completed one has made ready is usually the next of a chain. Its data
// are in this thread's cache; to push it, wake another thread and pop it again costs more than a
// short task. So the first task that becomes ready in this way is kept, if it is for any thread, of
// the most urgent priority, and no list of that priority is attached. It is run as if it were the
// last of its queue: if anything was ready before, that goes first, and the kept task goes to the
// queues. (Not where a thread's newest task is its next one anyway, as with work stealing.) This
// holds only outside tasks: a thread that waits in a task takes only what that task needs.
//
// Bounds. No task that may start waits for ever beside endless others of its priority. Of kTurn
// looks of a thread outside tasks, one takes what has waited longest: before the thread's kept
// task, the tasks with its name and the ones that it has made ready last. In that look each place
// where tasks wait is the first by turns. So a task with k older ones in its place is begun after
// at most kTurn * places * (k + 1) looks of any one thread (places: 1, or with work stealing the
// threads and the entry queue). A less urgent task waits as long as there are more urgent ones, and
// a task with an affinity waits for its own thread. In a task, one of kTurn looks is first for what
// its wait needs, before the tasks with the thread's name. A thread that helps with a list asks
// after each batch of jobs whether its awaited task is complete.

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_TASK_SCHEDULER_H_
