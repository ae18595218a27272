// NavTask: a cell's build as work of the pool, all stages in one task or one stage in each.
//
// Thread safety: one thread owns it and makes every call; the pool's threads run the stages. The
// owner reads a task's results when IsComplete is true, which orders them. The wish to cancel goes
// the other way, under a mutex that is held for an assignment.
// Blocking: the destructor waits for the task that is running, by a main thread outside tasks.
// Otherwise IsIdle has to be true before.
// Errors: those of TaskPool::Add.
//
// Source: [rouwe2022], "Background NavMesh job"; a stage in each frame is a pace of our own.
// Lecture: background jobs that outlast frames.
#ifndef NOWAIT_SRC_NAVIGATION_NAV_TASK_H_
#define NOWAIT_SRC_NAVIGATION_NAV_TASK_H_

#include <array>
#include <chrono>
#include <cstdint>

#include "src/base/result.h"
#include "src/jobs/task_id.h"
#include "src/jobs/task_pool.h"
#include "src/navigation/nav_cell_build.h"
#include "src/sync/policy.h"
#include "src/sync/rw_lock.h"

namespace nowait {

enum class NavPace : std::uint8_t {
  kBackground,  // one task with all stages: soonest done, and its thread is away for that long
  kStepAFrame,  // a task for each stage, one in each update: shorter tasks, over eight updates
};

// The cost of builds, by the wall clock of their threads.
struct NavTimes {
  std::uint64_t stages = 0;
  std::uint64_t builds = 0;
  std::chrono::nanoseconds all{0};
  std::chrono::nanoseconds longest_stage{0};
  std::chrono::nanoseconds longest_build{0};
  std::array<std::chrono::nanoseconds, kNavStages> of_stage{};
  WaitTime wait;  // for bodies' locks

  NavTimes& operator+=(const NavTimes& other);
};

class NavTask {
 public:
  NavTask(TaskPool& pool, NavPace pace, const World& world, const NavSettings& settings,
          NavCellId cell, const QueryFilter& filter, const PinShapes& pin = {});
  ~NavTask();
  NavTask(const NavTask&) = delete;
  NavTask& operator=(const NavTask&) = delete;

  // Runs the first stage here, before the first Advance: the cell is one of the world as it is now.
  void CopyBodies() { RunStage(); }
  // Begins the next piece of work, if the last one is complete and there is more. kCapacity: the
  // pool is full, and a later call begins it.
  Result<void> Advance();
  // No further stage begins. The task may run on for the rest of the one that it is in.
  void Cancel();

  bool IsIdle() const { return !task_.IsTask() || pool_.IsComplete(task_); }
  // Once idle: nothing is left to do; the work is done, failed or cancelled.
  bool IsOver() const { return IsIdle() && (cancel_ || !result_ || IsBuilt()); }
  bool is_cancelled() const { return cancel_; }

  TaskId task() const { return task_; }
  // Waits for the work that has begun; by a main thread, outside tasks.
  Result<void> Wait();

  // Once over and not cancelled.
  Result<NavCell> Take();
  const NavTimes& times() const { return times_; }

 private:
  static void Run(void* data);
  void RunStages();
  void RunStage();
  bool ShallStop();
  bool IsBuilt() const { return build_.next() == NavStage::kDone; }

  TaskPool& pool_;
  const NavPace pace_;
  // The running task's; the owner's when it is complete.
  NavCellBuild build_;
  Result<void> result_;
  NavTimes times_;
  std::chrono::nanoseconds spent_{0};  // on this build

  TaskId task_;          // the owner's
  bool cancel_ = false;  // the owner's
  EngineSync::mutex mutex_;
  bool stop_ = false;  // under the mutex
};

}  // namespace nowait

#endif  // NOWAIT_SRC_NAVIGATION_NAV_TASK_H_
