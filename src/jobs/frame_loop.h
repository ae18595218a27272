// FrameLoop: frames without a main thread. A frame is a task that makes the next frame; below
// it are the frame's own tasks.
//
//   FrameLoop loop(pool, [&](const Frame& frame) {
//     auto animation = pool.Add({.work = {&Animate, &world}, .parent = frame.tick()});
//     if (!animation) Animate(&world);         the pool is full: here, then
//     ...
//   });
//   if (auto started = loop.Start(600); !started) return started;
//   return loop.Wait();          or anything else: no thread has to wait for it
//
// Thread safety: Start and Defer by the pool's threads, Stop by any, any time; Wait by main
// threads outside tasks; number and tick in the frame's tasks. The loop outlives its last frame
// (Wait, or the pool's Close).
// Blocking: a mutex for some instructions, once a frame and for each Defer. Wait helps.
//
// Promise: frames are numbered from 0 and run one after another; the work of frame n's tasks
// happens before frame n + 1. As many frames run as were asked for, or after Stop those that had
// begun. A frame's exception is reported like any task's, and the next frame comes.
// Errors: kWrongPhase (Start while it runs, Wait before it). Wait returns the error with which a
// next frame could not be made, or was not run. A pool that is shut down with kCancel ends the
// loop; one that is shut down with kFinish runs it to its end.
//
// Source: [cbloom2011]: a main job that runs once a frame and kicks off the others. Lecture:
// dependencies, helping waits, devices.
#ifndef NOWAIT_SRC_JOBS_FRAME_LOOP_H_
#define NOWAIT_SRC_JOBS_FRAME_LOOP_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <list>
#include <utility>

#include "src/base/result.h"
#include "src/jobs/job.h"
#include "src/jobs/task_id.h"
#include "src/jobs/task_pool.h"
#include "src/profile/profile.h"
#include "src/sync/policy.h"
#include "src/sync/scoped_lock.h"

namespace nowait {

// The argument of a frame's work.
class Frame {
 public:
  Frame(std::uint64_t number, TaskId tick) : number_(number), tick_(tick) {}
  std::uint64_t number() const { return number_; }
  // The parent for the frame's tasks.
  TaskId tick() const { return tick_; }

 private:
  std::uint64_t number_;
  TaskId tick_;
};

template <class Queues>
class FrameLoop {
 public:
  static constexpr std::uint64_t kUntilStopped = ~std::uint64_t{0};

  // make: called once in each frame, inside its tick.
  FrameLoop(BasicTaskPool<Queues>& pool, std::function<void(const Frame&)> make)
      : pool_(pool), make_(std::move(make)) {}
  FrameLoop(const FrameLoop&) = delete;
  FrameLoop& operator=(const FrameLoop&) = delete;

  // frames: at least 1 (kInvalidArgument).
  Result<void> Start(std::uint64_t frames = kUntilStopped) {
    if (frames == 0) {
      return Fail(ErrorCode::kInvalidArgument, "frames", 0, "a loop has at least one");
    }
    const ScopedLock lock(mutex_);
    if (latest_.IsTask() && !pool_.IsComplete(latest_)) {
      return Fail(ErrorCode::kWrongPhase, "frame loop", 0, "it is running");
    }
    const auto first = pool_.Add({.work = {&RunFrame, this}});
    if (!first) return std::unexpected(first.error());
    latest_ = *first;
    left_ = frames;
    next_number_ = 0;
    stopping_ = false;
    end_ = {};
    return pool_.Submit(*first);
  }

  // No frame begins after this.
  void Stop() {
    const ScopedLock lock(mutex_);
    stopping_ = true;
  }

  // Waits until the last frame is complete.
  Result<void> Wait() {
    for (;;) {
      const TaskId frame = Latest();
      if (!frame.IsTask()) {
        return Fail(ErrorCode::kWrongPhase, "frame loop", 0, "it has not been started");
      }
      if (auto waited = pool_.Wait(frame); !waited) return waited;
      const ScopedLock lock(mutex_);
      // A frame names the next one before it is complete.
      if (latest_ != frame) continue;
      if (begun_ == frame) return end_;
      return Fail(ErrorCode::kWrongPhase, "frame", 0, "the pool has been shut down");
    }
  }

  // The job is run again behind everything else of the tick, or in the next one.
  void Defer(const Job& job) {
    const ScopedLock lock(mutex_);
    deferred_.push_back(job);
  }
  // How many jobs are put off now, or were when the pool was shut down.
  std::size_t deferred() const {
    const ScopedLock lock(mutex_);
    return deferred_.size() + again_.size();
  }

 private:
  TaskId Latest() const {
    const ScopedLock lock(mutex_);
    return latest_;
  }

  static void RunFrame(void* data) {
    auto& loop = *static_cast<FrameLoop*>(data);
    const TaskId frame = *loop.pool_.Current();
    if (!loop.Begin(frame)) return;
    // Held until this returns, so that the late part depends on the tick before that begins.
    const auto tick = loop.pool_.Add({.work = {&RunTick, data}, .parent = frame});
    if (!tick) return RunTick(data);  // no room: the frame is its own tick
    // If there is no room, the jobs that are put off wait for the next tick.
    static_cast<void>(
        loop.pool_.Add({.work = {&RunLate, data}, .parent = frame, .dependency = *tick}));
  }

  // Makes the next frame, if there is room for it. Returns whether this one is to be run.
  bool Begin(TaskId frame) {
    const ScopedLock lock(mutex_);
    begun_ = frame;
    if (stopping_) return false;
    number_ = next_number_++;
    ProfileCount("frame", static_cast<std::int64_t>(number_));
    if (--left_ == 0) return true;
    const auto next = pool_.Add({.work = {&RunFrame, this}, .dependency = frame});
    if (next) {
      latest_ = *next;
    } else {
      end_ = std::unexpected(next.error());
    }
    return true;
  }

  static void RunTick(void* data) {
    auto& loop = *static_cast<FrameLoop*>(data);
    loop.RunDeferred();
    loop.make_(Frame(loop.number_, *loop.pool_.Current()));
  }
  static void RunLate(void* data) { static_cast<FrameLoop*>(data)->RunDeferred(); }

  // Runs each job by a child of the current task. A job that finds no room stays put off; one whose
  // task is cancelled stays in again_.
  void RunDeferred() {
    std::size_t jobs = 0;
    {
      const ScopedLock lock(mutex_);
      jobs = deferred_.size();
      again_.splice(again_.end(), deferred_);
    }
    const TaskId current = *pool_.Current();
    for (; jobs > 0; --jobs) {
      if (pool_.Add({.work = {&RunAgain, this}, .parent = current})) continue;
      const ScopedLock lock(mutex_);
      deferred_.splice(deferred_.begin(), again_, std::prev(again_.end()));
    }
  }
  static void RunAgain(void* data) {
    auto& loop = *static_cast<FrameLoop*>(data);
    Job job;
    {
      const ScopedLock lock(loop.mutex_);
      job = loop.again_.front();
      loop.again_.pop_front();
    }
    job.function(job.data);
  }

  BasicTaskPool<Queues>& pool_;
  const std::function<void(const Frame&)> make_;
  // The number of the current frame; written before its tick, which the graph orders.
  std::uint64_t number_ = 0;

  mutable EngineSync::mutex mutex_;  // guards all below
  TaskId latest_;                    // the last frame made so far
  TaskId begun_;                     // the last that has begun, or has ended the loop
  std::uint64_t left_ = 0;
  std::uint64_t next_number_ = 0;
  bool stopping_ = false;
  Result<void> end_;  // why there is no next frame
  // Lists: only Defer needs memory, and a frame loses no job for lack of it.
  std::list<Job> deferred_;
  std::list<Job> again_;  // each has a task that has not begun
};

// Implementation: the parts of a frame
//
//   frame n ── tick: the work given to the loop, and its children; the jobs put off before, first
//     │    └── late: after the tick, once: the jobs put off in it
//     └─> frame n + 1, which depends on all of frame n
//
// It does not matter which threads run a frame. If one is held up (its core is taken away, a job
// blocks it), the others go on. Start can be called by a task or by any main thread.
//
// Defer is for a task that cannot go on yet and has no task to depend on: an object is locked by
// another, an answer has not come. (With a task to depend on, use RunLater, src/jobs/run_later.h.)
// The job is started again behind everything else of the tick; if it puts itself off there too, in
// the next tick. So no thread stalls, and a job that cannot go on is not tried over and over, but
// twice a frame. Each job that is put off is run again by the last frame at the latest, or is
// counted by deferred().

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_FRAME_LOOP_H_
