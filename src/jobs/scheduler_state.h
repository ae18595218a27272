// SchedulerState: the places where threads look for work, the counts by which they learn that
// others wait or are gone, and each thread's own part. The lowest layer of TaskScheduler
// (task_scheduler.h).
#ifndef NOWAIT_SRC_JOBS_SCHEDULER_STATE_H_
#define NOWAIT_SRC_JOBS_SCHEDULER_STATE_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <expected>
#include <memory>
#include <utility>
#include <vector>

#include "src/base/assert.h"
#include "src/base/result.h"
#include "src/jobs/global_queue.h"
#include "src/jobs/list_work.h"
#include "src/jobs/priority.h"
#include "src/jobs/run_job.h"
#include "src/jobs/task_counts.h"
#include "src/jobs/task_def.h"
#include "src/jobs/task_graph.h"
#include "src/jobs/task_id.h"
#include "src/jobs/work_events.h"

namespace nowait {

enum class TaskShutdown : std::uint8_t { kFinish, kCancel };

struct TaskSchedulerDef {
  TaskGraphDef graph;
  // Threads 0 .. workers-1 of the graph call Work.
  std::uint32_t workers = 0;
  // The names are 1 .. names (TaskDef::affinity); threads workers .. workers+names-1 have them.
  std::uint8_t names = 0;
  // How many workers, from thread 0 on, have the next names: names+1 .. names+named_workers.
  std::uint8_t named_workers = 0;
  // How many lists of one priority can be attached at the same time, at most kMaxListsPerPriority;
  // a further one is run by one thread alone.
  std::uint32_t lists = 1;
  // Called on the thread on which a job has thrown.
  ThrownReport on_throw = {};
};

// When a wait gives up, and with what it helps.
struct WaitBound {
  // Asked between two tasks; a thread that makes the answer true calls Wake afterwards. Null: it
  // never gives up.
  bool (*gives_up)(const void* data) = nullptr;
  const void* data = nullptr;
  // The least urgent priority of the tasks that it helps with although it does not need them.
  std::uint32_t least = kPriorities - 1;

  bool GivesUp() const { return gives_up != nullptr && gives_up(data); }
};

// kEvery: see kTurn.
template <class Sync, class Queues, std::uint32_t kStore, std::uint32_t kEvery>
class SchedulerState {
 public:
  // Outside tasks, one look in so many is for the task that has waited longest: see Bounds in
  // worker_loop.h.
  static constexpr std::uint32_t kTurn = kEvery;

  using Graph = TaskGraph<Sync, kStore>;
  enum class Announced : std::uint8_t { kNot, kWaiter, kIdle };

  // The thread's own part, an argument of each call.
  class Thread {
   public:
    // name: which tasks with an affinity are this thread's, or 0. A name is one thread's at a time.
    Thread(SchedulerState& scheduler, std::uint16_t number, std::uint8_t name = 0)
        : graph_(scheduler.graph_, number), number_(number), name_(name) {}

    // The task whose work runs here, or TaskId::Outside.
    TaskId current() const { return graph_.current(); }
    TaskCounts& counts() { return counts_; }

   private:
    template <class, class, std::uint32_t, std::uint32_t>
    friend class SchedulerState;
    template <class, class, std::uint32_t, std::uint32_t>
    friend class ReadyTasks;
    template <class, class, std::uint32_t, std::uint32_t>
    friend class StartedTasks;
    template <class, class, std::uint32_t, std::uint32_t>
    friend class WorkerLoop;
    template <class, class, std::uint32_t, std::uint32_t>
    friend class Shutdown;
    template <class, class, std::uint32_t, std::uint32_t>
    friend class Help;
    template <class, class, std::uint32_t, std::uint32_t>
    friend class TaskScheduler;
    typename Graph::Thread graph_;
    const std::uint16_t number_;
    const std::uint8_t name_;
    bool closes_ = false;  // it is in Close
    bool fails_ = false;   // it completes external tasks whose hand-over has thrown
    Announced announced_ = Announced::kNot;  // see Waiter, IdleWorker
    TaskId kept_;     // the task that it has made ready and runs next, if any
    TaskId awaited_;  // the task that its innermost Wait waits for, if any
    // The innermost wait with a bound, if any: the task that it waits for.
    struct Bounded {
      TaskId awaited;
      const WaitBound* bound = nullptr;
    };
    Bounded bounded_;
    std::uint32_t looks_ = 0;
    // Tasks that it has submitted and not pushed yet: Collect.
    static constexpr std::uint32_t kBatch = 16;
    std::array<TaskId, kBatch> batch_;
    std::uint32_t batch_count_ = 0;
    std::uint8_t batch_priority_ = 0;
    TaskCounts counts_;
  };

  explicit SchedulerState(const TaskSchedulerDef& def)
      : on_throw_(def.on_throw),
        main_names_(def.names),
        names_(std::uint32_t{def.names} + def.named_workers),
        graph_(def.graph),
        queues_(def.workers + def.names, graph_.most_open()),
        lists_(def.lists, kPriorities, events_),
        workers_(def.workers) {
    for (std::uint32_t i = 0; i < names_; ++i) {
      named_.push_back(std::make_unique<GlobalQueue<Sync>>(0, graph_.most_open()));
    }
  }

  const Graph& graph() const { return graph_; }
  // By its address a lane's pool is known (Lane::pool).
  const Queues& queues() const { return queues_; }

 protected:
  using Count = typename Sync::template atomic<std::uint32_t>;
  enum class How : std::uint8_t { kOpen, kFinish, kCancel };
  static constexpr std::uint32_t kNobody = ~std::uint32_t{0};
  static constexpr const char* kAnnounced = "a thread that sleeps has announced itself";
  static constexpr const char* kNoLock = "no lock is held across what waits or helps";

  // While it lives, its thread may sleep until it is notified. The completion of a task need not
  // notify it: see Waiter. Work that the thread finds meanwhile ends the announcement.
  class Sleeper {
   public:
    Sleeper(SchedulerState& in, Thread& by) : in_(in), by_(by) {
      in.EndAnnouncement(by);  // a report of a throw may wait where another announcement is open
      key_ = in.events_.PrepareWait();
      by.announced_ = Announced::kWaiter;
    }
    ~Sleeper() { in_.EndAnnouncement(by_); }
    Sleeper(const Sleeper&) = delete;
    Sleeper& operator=(const Sleeper&) = delete;
    void Sleep() const {
      NOWAIT_ASSERT(by_.announced_ == Announced::kWaiter, kAnnounced);
      in_.events_.Wait(key_);
    }
    // After a sleep, before another look.
    void AnnounceAgain() { key_ = in_.events_.PrepareWaitAgain(); }

   private:
    SchedulerState& in_;
    Thread& by_;
    typename WorkEvents<Sync>::Key key_;
  };
  class Counted {
   public:
    // seq_cst: see help.h, Why a sleeper is woken.
    explicit Counted(Count& count) : count_(count) {
      count_.fetch_add(1, std::memory_order::seq_cst);
    }
    // relaxed: a thread that still sees it wakes no thread by it.
    ~Counted() { count_.fetch_sub(1, std::memory_order::relaxed); }
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;

   private:
    Count& count_;
  };
  // Likewise, and completions notify it, too.
  class Waiter : Counted, public Sleeper {
   public:
    Waiter(SchedulerState& in, Thread& by) : Counted(in.waiters_), Sleeper(in, by) {}
  };
  // While it lives, its thread is a worker without work, which work alone has to wake. Likewise.
  class IdleWorker {
   public:
    IdleWorker(SchedulerState& in, Thread& by) : in_(in), by_(by), key_(in.events_.PrepareIdle()) {
      by.announced_ = Announced::kIdle;
    }
    ~IdleWorker() { in_.EndAnnouncement(by_); }
    IdleWorker(const IdleWorker&) = delete;
    IdleWorker& operator=(const IdleWorker&) = delete;
    void Sleep() const {
      NOWAIT_ASSERT(by_.announced_ == Announced::kIdle, kAnnounced);
      in_.events_.WaitIdle(key_);
    }
    // After a sleep, before another look.
    void AnnounceAgain() { key_ = in_.events_.PrepareAgain(); }

   private:
    SchedulerState& in_;
    Thread& by_;
    typename WorkEvents<Sync>::Key key_;
  };
  // Before a thread runs what it has found: the others that sleep are not its concern while it
  // runs, and what it leaves may be theirs.
  [[gnu::always_inline]] void EndAnnouncement(Thread& by) {
    if (by.announced_ != Announced::kNot) [[unlikely]]
      EndIt(by);
  }
  [[gnu::noinline]] void EndIt(Thread& by) {
    const Announced announced = std::exchange(by.announced_, Announced::kNot);
    if (announced == Announced::kWaiter) return events_.EndWait();
    events_.EndIdle();
    if (queues_.Any()) events_.NotifyWork();
  }

  // Whether a call for new work comes too late. Running tasks may go on with their work.
  bool IsShutFor(const Thread& by) const {
    return Closing() != How::kOpen && !by.current().IsTask();
  }
  static std::unexpected<Error> ShutDown(TaskId task) {
    return Fail(ErrorCode::kWrongPhase, "task", task.bits(), "the pool has been shut down");
  }

  // relaxed: see Close.
  How Closing() const { return closing_.load(std::memory_order::relaxed); }

  // After tasks have been completed, or a wait has begun. all: whether threads that do not wait are
  // concerned, too, because tasks have become ready or have been submitted.
  void NotifyWaiters(bool all) {
    if (all) return events_.NotifyWork();
    // seq_cst: see help.h, Why a sleeper is woken.
    if (waiters_.load(std::memory_order::seq_cst) != 0) events_.NotifyWaiters();
  }

  // Whether there is something to look at before a sleep is worth its cost. A notification that
  // came since the last look and before this call is found by the look after the announcement.
  template <class Done>
  bool SpinForNotification(const Done& done) {
    typename WorkEvents<Sync>::Key first{};
    for (std::uint32_t i = 0; i < Sync::kSpins; ++i) {
      const auto epoch = events_.Epoch();
      if (i == 0) first = epoch;
      if (epoch != first || done()) return true;
      Sync::Pause();
    }
    return false;
  }

  const ThrownReport on_throw_;
  const std::uint32_t main_names_;  // those that are not of workers, which come first
  const std::uint32_t names_;       // the size of named_, in one load
  Graph graph_;
  Queues queues_;
  // For each name, a queue for each priority.
  std::vector<std::unique_ptr<GlobalQueue<Sync>>> named_;
  // On lines of its own: each notification writes it. See invariant 2.
  WorkEvents<Sync> events_;
  alignas(64) ListWork<Sync, WorkEvents<Sync>> lists_;
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
//   7. A worker that runs something has ended its announcement, and has notified if it saw anything
//      in the queues then: one notification may stand for several pushes, and be for a worker that
//      takes only one of them.

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_SCHEDULER_STATE_H_
