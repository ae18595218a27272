// FrameLoop: frames without a main thread. A frame is a task that makes the next frame, and the
// tasks that it consists of itself.
//
//   FrameLoop loop(pool, [&](const Frame& frame) {
//     auto animation = pool.Add({.work = {&Animate, &world}, .parent = frame.tick()});
//     if (!animation) Animate(&world);         the pool is full: here, then
//     ...
//   });
//   if (auto started = loop.Start(600); !started) return started;
//   return loop.Wait();          or anything else: no thread has to wait for it
//
//   frame n ── tick: the work given above, and its children;  what was put off before, first
//     │    └── late: after the tick, once: what was put off in it
//     └─> frame n + 1, which depends on all of frame n
//
// Which threads run it is nobody's business: one is as good as another, and a thread that is held
// up (its core is taken away, a job blocks it) is one of many less. Start can be called by a task
// or by any main thread.
//
// PutOff is for a task that finds that it cannot go on yet, when there is no task to depend on
// (then it is RunLater, src/jobs/run_later.h): an object is locked by another, an answer has not
// come. It is started again behind everything else of the tick; if it puts itself off there too, in
// the next tick. So nobody stalls, and nothing that cannot go on is tried over and over: twice a
// frame.
//
// Thread safety: Start and PutOff by the pool's threads, Stop by any, any time; Wait by main
// threads outside tasks; number and tick in the frame's tasks. The loop outlives its last frame
// (Wait, or the pool's Close).
// Blocking: a mutex for some instructions, once a frame and for each PutOff. Wait helps.
//
// Promise: frames are numbered from 0 and run one after another: what frame n's tasks did happens
// before frame n + 1. The number of frames is what was asked for, or after Stop those that had
// begun. Each job that is put off is run again by the last frame, or is counted by put_off().
// A frame whose work throws is reported as any task, and the next one comes.
//
// Errors: kWrongPhase (Start while it runs, Wait before it). Wait has the error with which a next
// frame could not be made, or why it was not run: a pool that is shut down with kCancel ends the
// loop; one that is shut down with kFinish runs it to its end.
//
// Source: cbloom, "A game threading model": a main job that runs once a frame and kicks off the
// others. Lecture: dependencies, helping waits, devices.
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

// What a frame's work is told.
class Frame {
 public:
  Frame(std::uint64_t number, TaskId tick) : number_(number), tick_(tick) {}
  std::uint64_t number() const { return number_; }
  // The parent for what the frame consists of.
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
    if (frames == 0) return Fail(ErrorCode::kInvalidArgument, "frames", 0, "a loop has at least one");
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

  // Until the last frame is complete.
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

  // The job is run again behind everything else; see above.
  void PutOff(const Job& job) {
    const ScopedLock lock(mutex_);
    put_off_.push_back(job);
  }
  // How many are waiting for that now, or were when the pool was shut down.
  std::size_t put_off() const {
    const ScopedLock lock(mutex_);
    return put_off_.size() + again_.size();
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
    // Held until this returns: so the tick does not begin before the late part depends on it.
    const auto tick = loop.pool_.Add({.work = {&RunTick, data}, .parent = frame});
    if (!tick) return RunTick(data);  // no room: the frame is its own tick
    // No room: what is put off waits for the next tick.
    static_cast<void>(
        loop.pool_.Add({.work = {&RunLate, data}, .parent = frame, .dependency = *tick}));
  }

  // Makes the next frame, while there is room for it. Whether this one is to be run.
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
    loop.RunPutOff();
    loop.make_(Frame(loop.number_, *loop.pool_.Current()));
  }
  static void RunLate(void* data) { static_cast<FrameLoop*>(data)->RunPutOff(); }

  // Each by a child of the current task. What finds no room stays put off; a job whose task is cancelled
  // stays in again_.
  void RunPutOff() {
    std::size_t jobs = 0;
    {
      const ScopedLock lock(mutex_);
      jobs = put_off_.size();
      again_.splice(again_.end(), put_off_);
    }
    const TaskId current = *pool_.Current();
    for (; jobs > 0; --jobs) {
      if (pool_.Add({.work = {&RunAgain, this}, .parent = current})) continue;
      const ScopedLock lock(mutex_);
      put_off_.splice(put_off_.begin(), again_, std::prev(again_.end()));
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
  // The frame's; written before its tick, which the graph orders.
  std::uint64_t number_ = 0;

  mutable EngineSync::mutex mutex_;  // what follows
  TaskId latest_;                    // the frame that comes last so far
  TaskId begun_;                     // the last that has begun, or ended the loop instead
  std::uint64_t left_ = 0;
  std::uint64_t next_number_ = 0;
  bool stopping_ = false;
  Result<void> end_;  // why there is no next frame
  // Lists: PutOff alone needs memory, and a frame loses no job for want of it.
  std::list<Job> put_off_;
  std::list<Job> again_;  // for which there is a task that has not begun
};

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_FRAME_LOOP_H_
