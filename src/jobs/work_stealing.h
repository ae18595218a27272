// WorkStealing: each thread has queues of its own, one for each priority. It is the default policy
// of the task pool; src/jobs/global_queue.h is the other, and lists the calls of a policy.
//
//   owner pushes      its own deque, at the bottom; when that is full, the entry queue
//   others push       the entry queue
//   a thread takes    of a priority: its own newest, the oldest of the entry queue, the oldest of
//                     another's deque, from the next one round
//   now and then      the oldest of the entry queue or of any deque, its own too (PopOldest)
//
// Workers are owners, and main threads inside tasks; devices are not, nor are main threads outside
// (src/jobs/task_scheduler.h). A thread goes on with the task that it has made ready, while the
// data are in its cache, and without a read-modify-write that others see. A thief takes the oldest,
// which in a divided loop or tree is the largest.
//
// Thread safety: any thread, any time; `thread` is the caller's number, and a number is one
// thread's at a time.
// Progress: as TaskQueue. A Pop goes round again only when another thread has taken an item from
// under its hands.
//
// Promise: each pushed entry is popped once by some thread, or is stale; "nothing" from Pop is
// stated in full behind the class.
//
// Source: [chaselev2005] (src/jobs/work_deque.h); [bitsquid2010], "there are no per thread task
// queues and thus no task stealing", also says from how many cores on they pay. Model:
// models/jobs/work_stealing. Lecture: queues and work stealing.
#ifndef NOWAIT_SRC_JOBS_WORK_STEALING_H_
#define NOWAIT_SRC_JOBS_WORK_STEALING_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "src/base/assert.h"
#include "src/jobs/priority.h"
#include "src/jobs/task_def.h"
#include "src/jobs/task_id.h"
#include "src/jobs/task_queue.h"
#include "src/jobs/work_deque.h"
#include "src/profile/profile.h"
#include "src/sync/policy.h"

namespace nowait {

// kOwnOfEach: the most entries of one priority in an owner's deque; 8 bytes each.
template <class Sync = EngineSync, std::uint32_t kOwnOfEach = 1024>
class WorkStealing {
 public:
  static constexpr bool kNewestFirst = true;
  static constexpr std::uint32_t kOwn = kOwnOfEach;

  // Threads 0 .. owners-1 have deques. most_open: TaskGraph::most_open.
  WorkStealing(std::uint32_t owners, std::uint32_t most_open)
      : entry_{TaskQueue<Sync>(most_open), TaskQueue<Sync>(most_open), TaskQueue<Sync>(most_open)},
        deques_(owners) {}

  template <class MayStart>
  void Push(std::uint32_t thread, const ReadyTask& task, const MayStart& may_start) {
    NOWAIT_ASSERT(task.priority < kPriorities, "a task's priority is one of priority.h");
    if (thread < deques_.size() && deques_[thread].of[task.priority].Push(task.id.bits())) return;
    entry_[task.priority].Push(task.id, may_start);
  }

  template <class MayStart>
  void PushMany(std::uint32_t thread, std::uint32_t priority, const TaskId* tasks,
                std::size_t count, const MayStart& may_start) {
    while (IsOwner(thread) && count != 0 && deques_[thread].of[priority].Push(tasks->bits())) {
      ++tasks;
      --count;
    }
    entry_[priority].PushMany(tasks, count, may_start);
  }

  bool Pop(std::uint32_t thread, std::uint32_t priority, TaskId* task) {
    std::uint64_t bits = 0;
    const bool own = IsOwner(thread) && deques_[thread].of[priority].Take(&bits);
    if (!own && entry_[priority].Pop(task)) return true;
    if (!own && !Steal(thread, priority, &bits)) return false;
    *task = TaskId::FromBits(bits);
    return true;
  }

  // The oldest of a place that has any, beginning with another place in each `turn`. False proves
  // nothing: another thread may have been faster.
  bool PopOldest(std::uint32_t turn, std::uint32_t priority, TaskId* task) {
    // The last place is the entry queue.
    const auto places = static_cast<std::uint32_t>(deques_.size() + 1);
    for (std::uint32_t i = 0; i < places; ++i) {
      const std::uint32_t place = (turn % places + i) % places;
      if (place == deques_.size()) {
        if (entry_[priority].Pop(task)) return true;
        continue;
      }
      std::uint64_t bits = 0;
      // An owner takes the oldest of its own deque, too, as a thief does.
      if (deques_[place].of[priority].Steal(&bits) != StealResult::kItem) continue;
      ProfileSteal("steal", this, place);
      *task = TaskId::FromBits(bits);
      return true;
    }
    return false;
  }

  // As GlobalQueue's.
  bool Any() const {
    for (const TaskQueue<Sync>& entry : entry_) {
      if (entry.Any()) return true;
    }
    for (std::size_t i = 0; i < deques_.size(); ++i) {
      for (const WorkDeque<std::uint64_t, Sync>& own : deques_[i].of) {
        if (own.Any()) return true;
      }
    }
    return false;
  }

  // The newest of the caller's own of some priority, if wanted(task) is true. An unwanted one is
  // put back, and *put_back set: other threads, which may have looked for it meanwhile, have to be
  // woken. may_start(task): false for stale entries, which are dropped.
  template <class Wanted, class MayStart>
  bool PopOwn(std::uint32_t thread, const Wanted& wanted, const MayStart& may_start, TaskId* task,
              bool* put_back) {
    if (!IsOwner(thread)) return false;
    for (WorkDeque<std::uint64_t, Sync>& own : deques_[thread].of) {
      std::uint64_t bits = 0;
      while (own.Take(&bits)) {
        *task = TaskId::FromBits(bits);
        if (!may_start(*task)) continue;
        if (wanted(*task)) return true;
        const bool room = own.Push(bits);
        NOWAIT_ASSERT(room, "where one was taken there is room for one");
        *put_back = true;
        break;
      }
    }
    return false;
  }

 private:
  struct Deques {
    std::array<WorkDeque<std::uint64_t, Sync>, kPriorities> of{
        WorkDeque<std::uint64_t, Sync>(kOwn), WorkDeque<std::uint64_t, Sync>(kOwn),
        WorkDeque<std::uint64_t, Sync>(kOwn)};
  };

  bool IsOwner(std::uint32_t thread) const { return thread < deques_.size(); }

  bool Steal(std::uint32_t thread, std::uint32_t priority, std::uint64_t* bits) {
    const auto owners = static_cast<std::uint32_t>(deques_.size());
    bool lost = true;
    while (lost) {
      lost = false;
      for (std::uint32_t i = 1; i <= owners; ++i) {
        const std::uint32_t victim = (thread + i) % owners;
        if (victim == thread) continue;
        const StealResult result = deques_[victim].of[priority].Steal(bits);
        if (result == StealResult::kItem) {
          ProfileSteal("steal", this, victim);
          return true;
        }
        if (result == StealResult::kLost) lost = true;
      }
    }
    return false;
  }

  std::array<TaskQueue<Sync>, kPriorities> entry_;
  SyncArray<Sync, Deques> deques_;
};

// Implementation: why this is right
//
// Why it is the default: compared with one queue for all, it is as fast where a main thread hands
// out tasks, which goes through the entry queue in both, and faster where tasks wait for tasks
// (docs/benchmarks.md, Jobs and tasks beside oneTBB).
//
// Why PopOldest. Take an owner whose deque never runs dry, because each of its tasks makes the
// next. It would look nowhere else for ever: tasks that another thread has submitted, and tasks
// deeper in its own deque, would not be begun, however urgent. So each thread calls PopOldest once
// in so many turns (TaskScheduler::kTurn). The entry queue and the deques come first in it by
// turns. So an entry with k older ones in its place is taken after at most (owners + 1) * (k + 1)
// such calls of any one thread.
//
// Promise: Pop says "nothing" only after each queue of the priority has said so, with no
// StealResult::kLost among the answers. After kLost there may be more in that deque, which perhaps
// no other thread knows of. As with TaskQueue, a consumer may sleep after "nothing" only if each
// producer wakes it after its Push, or its PopOwn that has put something back, has returned.
//
// Invariants
//   1. Entries of a deque are pushed and taken by its owner, or stolen. So a deque needs no room
//      for every open task: an entry that finds no room goes to the entry queue, which always has
//      some (task_queue.h).

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_WORK_STEALING_H_
