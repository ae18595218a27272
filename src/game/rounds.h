// Rounds: the order of the updates of one phase, as the updates themselves ask for it.
//
//   rounds.Begin(objects);
//   while (!rounds.ready().empty()) {
//     ...                                    // on all threads, the update of each ready object:
//     if (!rounds.IsDone(horse)) {           // it finds that the horse has to come first,
//       return rounds.PutOff(rider, horse);  // and drops what it has done
//     }
//     rounds.EndRound();                     // on one thread
//     if (rounds.AwaitsTasks()) ...          // behind PutOffForTask: waits, and TasksAreDone
//     while (rounds.IsStuck()) Report(rounds.BreakCycle());
//   }
//
// An object is done if it is not of this phase, or if it was ready in an earlier round and was not
// put off. An object that was put off is ready again in the round behind the one in which the
// object that it needs is done. One that needs a task is ready again when no other object is.
//
// Promise: the rounds depend on what the updates ask for, and not on the threads: two objects of
// one round are not done for each other, even if one has ended. Objects that need each other are
// named as a cycle, and others are never in one.
//
// Thread safety: within a round, IsDone from any thread, and one PutOff or PutOffForTask from the
// thread that updates the object; everything else from one thread, between rounds.
// Complexity: a round is linear in its ready objects, and all cycles of a phase together in the
// objects of the phase. No allocation.
// Source: [cbloom2011], objects "whose dependencies aren't done" are put later in the tick.
// Test: tests/game/rounds_test.cc. Lecture: scripts on many threads.
#ifndef NOWAIT_SRC_GAME_ROUNDS_H_
#define NOWAIT_SRC_GAME_ROUNDS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/base/assert.h"
#include "src/game/object_table.h"

namespace nowait {

class Rounds {
 public:
  // slots: of the table whose objects these are. Throws std::bad_alloc.
  explicit Rounds(std::uint32_t slots) : of_(slots) {
    objects_.reserve(slots);
    ready_.reserve(slots);
    next_.reserve(slots);
    path_.reserve(slots);
    cycle_.reserve(slots);
    behind_tasks_.reserve(slots);
  }

  // Ends an earlier phase, whatever is left of it. All objects, which are different, are ready.
  void Begin(std::span<const ObjectHandle> objects) {
    for (const ObjectHandle object : objects_) of_[object.slot].done = true;
    objects_.assign(objects.begin(), objects.end());
    ready_ = objects_;
    path_.clear();
    behind_tasks_.clear();
    searched_ = 0;
    left_ = 0;
    for (const ObjectHandle object : ready_) {
      Slot& slot = of_[object.slot] = {};
      slot.done = false;
      slot.generation = object.generation;
    }
  }

  // In the order of the objects that they needed, and, of those of one, in that in which they were
  // put off; in the first round, in the order of Begin.
  std::span<const ObjectHandle> ready() const { return ready_; }

  // Also true for an object that is gone.
  bool IsDone(ObjectHandle object) const {
    if (object.slot >= of_.size()) return true;
    const Slot& slot = of_[object.slot];
    return slot.done || slot.generation != object.generation;
  }

  // How often the object was put off in this phase.
  std::uint32_t times_put_off(ObjectHandle object) const { return of_[object.slot].times; }

  // object: a ready one. needed: an object that is not done.
  void PutOff(ObjectHandle object, ObjectHandle needed) {
    NOWAIT_ASSERT(!IsDone(object) && !IsDone(needed), "an object that is done is never needed");
    of_[object.slot].needs = needed;
    ++of_[object.slot].times;
  }
  // object: a ready one.
  void PutOffForTask(ObjectHandle object) {
    NOWAIT_ASSERT(!IsDone(object), "an object that is done needs no task");
    of_[object.slot].needs_task = true;
    ++of_[object.slot].times;
  }

  void EndRound() {
    for (const ObjectHandle object : ready_) {
      Slot& slot = of_[object.slot];
      if (slot.needs_task) {
        behind_tasks_.push_back(object);
      } else if (slot.needs == ObjectHandle{}) {
        slot.done = true;
      } else {
        QueueBehind(of_[slot.needs.slot], object.slot);
      }
    }
    next_.clear();
    for (const ObjectHandle object : ready_) {
      if (of_[object.slot].done) Release(object, next_);
    }
    ready_.swap(next_);
  }

  // Whether no object is ready, and some need a task.
  bool AwaitsTasks() const { return ready_.empty() && !behind_tasks_.empty(); }
  // The objects that need a task are ready, in the order in which they were.
  void TasksAreDone() {
    NOWAIT_ASSERT(AwaitsTasks(), "a phase awaits tasks when nothing else is left to do");
    ready_.swap(behind_tasks_);
    for (const ObjectHandle object : ready_) of_[object.slot].needs_task = false;
  }

  // Whether objects are left of which each one needs another one that is left.
  bool IsStuck() const { return ready_.empty() && behind_tasks_.empty() && left_ != 0; }

  // Of a phase that is stuck. Returns objects of which each needs the next one, and the last one
  // needs the first one, which has the lowest slot. They are done now, without an update. Valid
  // until the next call.
  std::span<const ObjectHandle> BreakCycle() {
    NOWAIT_ASSERT(IsStuck(), "a phase that goes on has no cycle yet");
    while (!path_.empty() && of_[path_.back().slot].done) path_.pop_back();
    if (path_.empty()) {
      while (of_[objects_[searched_].slot].done) ++searched_;
      Enter(objects_[searched_]);
    }
    ObjectHandle needed = of_[path_.back().slot].needs;
    for (; !of_[needed.slot].on_path; needed = of_[needed.slot].needs) Enter(needed);
    const auto first = std::ranges::find(path_.rbegin(), path_.rend(), needed).base() - 1;
    cycle_.assign(first, path_.end());
    path_.erase(first, path_.end());
    std::ranges::rotate(cycle_, std::ranges::min_element(cycle_, {}, &ObjectHandle::slot));
    for (const ObjectHandle object : cycle_) of_[object.slot].done = true;
    left_ -= static_cast<std::uint32_t>(cycle_.size());
    for (const ObjectHandle object : cycle_) Release(object, ready_);
    return cycle_;
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  struct Slot {
    bool done = true;
    bool on_path = false;
    bool needs_task = false;
    std::uint32_t generation = 0;
    std::uint32_t times = 0;      // that it was put off
    ObjectHandle needs;           // of the phase, and not done; no object: none
    std::uint32_t first = kNone;  // slots of the queue of those that need this object
    std::uint32_t last = kNone;   // likewise
    std::uint32_t next = kNone;   // in the queue in which this object is
  };

  void QueueBehind(Slot& needed, std::uint32_t slot) {
    of_[slot].next = kNone;
    (needed.last == kNone ? needed.first : of_[needed.last].next) = slot;
    needed.last = slot;
    ++left_;
  }

  // Those behind an object that is done are ready. In a cycle one of them is done, too.
  void Release(ObjectHandle object, std::vector<ObjectHandle>& ready) {
    for (std::uint32_t at = of_[object.slot].first; at != kNone; at = of_[at].next) {
      if (of_[at].done) continue;
      of_[at].needs = {};
      ready.push_back({at, of_[at].generation});
      --left_;
    }
  }

  void Enter(ObjectHandle object) {
    of_[object.slot].on_path = true;
    path_.push_back(object);
  }

  std::vector<Slot> of_;
  std::vector<ObjectHandle> objects_;  // of the phase
  std::vector<ObjectHandle> ready_;
  std::vector<ObjectHandle> next_;  // used by EndRound
  std::vector<ObjectHandle> behind_tasks_;
  std::vector<ObjectHandle> path_;  // of the search for cycles
  std::vector<ObjectHandle> cycle_;
  std::size_t searched_ = 0;  // objects_ before it are done
  std::uint32_t left_ = 0;    // objects that are put off
};

// Implementation: why the search for cycles is linear
//
// Each object of path_ needs the one behind it, until that is done: only then is it released, and
// may need another one. So the objects of the path that are done are at its end, and the others
// are still a path. Each object enters the path once in a phase, and leaves it when it is
// done.

}  // namespace nowait

#endif  // NOWAIT_SRC_GAME_ROUNDS_H_
