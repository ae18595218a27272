// The engine around MoveAll: a pool and bodies whose every step the scheduler decides. The task
// scheduler, its queues, the event count and the body locks are the source of src, over the
// scheduler's policy.
#ifndef NOWAIT_LECTURES_SMALL_ENGINE_H_
#define NOWAIT_LECTURES_SMALL_ENGINE_H_

#include <array>
#include <chrono>
#include <cstdint>

#include "src/bodies/body_locks.h"
#include "src/bodies/guarded_body.h"
#include "src/bodies/proxy_id.h"
#include "src/jobs/global_queue.h"
#include "src/jobs/task_id.h"
#include "src/jobs/task_scheduler.h"
#include "tests/whole/scheduler/api_call.h"
#include "tests/whole/scheduler/controlled_sync.h"

namespace nowait::small_engine {

using Sync = whole::ControlledSync;
using Scheduler = TaskScheduler<Sync, GlobalQueue<Sync>>;

// A wrong order of locks, or a lock that is held too long, is to be found as the deadlock that it
// leads to.
struct Unwatched {
  static void NoteLock(std::uint32_t, bool) {}
  static void NoteUnlock() {}
};
struct NoClock {
  static std::chrono::nanoseconds now() { return {}; }
};
using Locks = BodyLocksOf<Sync, Unwatched, NoClock>;

// Two numbers that are always equal, but in the middle of a move. Atomics: the middle is a step.
class Body {
 public:
  void Move() {
    x_.store(x_.load(std::memory_order::relaxed) + 1, std::memory_order::relaxed);
    y_.store(y_.load(std::memory_order::relaxed) + 1, std::memory_order::relaxed);
  }
  bool IsWhole() const {
    return x_.load(std::memory_order::relaxed) == y_.load(std::memory_order::relaxed);
  }
  std::uint32_t moves() const { return y_.load(std::memory_order::relaxed); }

  ProxyId id;

 private:
  Sync::atomic<std::uint32_t> x_{0}, y_{0};
};

class Bodies {
 public:
  Bodies() {
    for (std::uint32_t i = 0; i < size(); ++i) bodies_[i].id = ProxyId(i, 1);
  }
  std::uint32_t size() const { return static_cast<std::uint32_t>(bodies_.size()); }
  bool Has(ProxyId id) const { return bodies_[id.slot()].id == id; }
  Body& operator[](std::uint32_t slot) { return bodies_[slot]; }
  const Body& operator[](std::uint32_t slot) const { return bodies_[slot]; }

 private:
  std::array<Body, 2> bodies_;
};

// The pool, as one of its threads sees it.
class Pool {
 public:
  Pool(Scheduler& scheduler, std::uint16_t number, std::uint8_t name = 0)
      : scheduler_(scheduler), thread_(scheduler, number, name) {}

  void Work() {
    scheduler_.Work(thread_, [] {});
  }

  template <class F>
  void RunEach(std::uint32_t count, const F& f) {
    struct One {
      static void Run(void* data) {
        const One& one = *static_cast<One*>(data);
        (*one.f)(one.i);
      }
      const F* f;
      std::uint32_t i;
    };
    std::array<One, 8> ones{};
    whole::Require(count <= ones.size(), "there is room for the jobs");
    const TaskId all = Add({});
    for (std::uint32_t i = 0; i < count; ++i) {
      ones[i] = {&f, i};
      Add({.work = {&One::Run, &ones[i]}, .parent = all});
    }
    whole::Require(scheduler_.Wait(thread_, all).has_value(), "jobs may be waited for");
  }

  void Close() {
    whole::Require(scheduler_.Close(thread_, TaskShutdown::kFinish).has_value(), "the pool closes");
  }

 private:
  TaskId Add(const TaskDef& def) {
    const auto task = scheduler_.Add(thread_, def);
    whole::Require(task.has_value(), "there is room for a task");
    return *task;
  }

  Scheduler& scheduler_;
  Scheduler::Thread thread_;
};

}  // namespace nowait::small_engine

#endif  // NOWAIT_LECTURES_SMALL_ENGINE_H_
