// BackgroundTask: work that lasts longer than a frame, in slices that no frame waits for.
//
//   BackgroundTask survey(pool, [&] { return surveyor.Slice(); });     true: there is more to do
//   survey.Keep();                                          once a frame: begins it if it is over
//   ...
//   if (auto stopped = survey.Stop(); !stopped) return stopped;
//
// A slice is a task of low priority that makes the next one. So the work goes on between frames and
// beside them, also on one thread, and any thread takes it up.
//
// Thread safety: Keep in the pool's threads, one at a time; Stop by a main thread. Slices run one
// after another, each on any thread.
// Blocking: a mutex for some instructions. Stop helps until the slice in progress has returned.
#ifndef NOWAIT_SRC_APPS_OPENWORLD_BACKGROUND_H_
#define NOWAIT_SRC_APPS_OPENWORLD_BACKGROUND_H_

#include <functional>
#include <utility>

#include "src/base/result.h"
#include "src/jobs/priority.h"
#include "src/jobs/task_id.h"
#include "src/jobs/task_pool.h"
#include "src/sync/policy.h"
#include "src/sync/scoped_lock.h"

namespace nowait {

class BackgroundTask {
 public:
  BackgroundTask(TaskPool& pool, std::function<bool()> slice)
      : pool_(pool), slice_(std::move(slice)) {}
  BackgroundTask(const BackgroundTask&) = delete;
  BackgroundTask& operator=(const BackgroundTask&) = delete;

  // Begins the work, unless it goes on or has been stopped.
  void Keep() {
    const ScopedLock lock(mutex_);
    if (!running_ && !stopping_) AddSlice();
  }

  // No slice begins after this.
  Result<void> Stop() {
    TaskId latest;
    {
      const ScopedLock lock(mutex_);
      stopping_ = true;
      latest = latest_;
    }
    return latest.IsTask() ? pool_.Wait(latest) : Result<void>();
  }

 private:
  static void Run(void* data) {
    auto& task = *static_cast<BackgroundTask*>(data);
    const bool more = !task.IsStopping() && task.slice_();
    const ScopedLock lock(task.mutex_);
    task.running_ = false;
    if (more && !task.stopping_) task.AddSlice();
  }
  bool IsStopping() {
    const ScopedLock lock(mutex_);
    return stopping_;
  }
  // If the pool is full, the next Keep tries again.
  void AddSlice() {
    const auto task =
        pool_.Add({.work = {&Run, this}, .priority = static_cast<std::uint8_t>(Priority::kLow)});
    if (!task || !pool_.Submit(*task)) return;
    latest_ = *task;
    running_ = true;
  }

  TaskPool& pool_;
  const std::function<bool()> slice_;
  EngineSync::mutex mutex_;  // what follows
  TaskId latest_;
  bool running_ = false;
  bool stopping_ = false;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_OPENWORLD_BACKGROUND_H_
