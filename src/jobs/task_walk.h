// TaskWalk: from task to task along what needs what, while other threads go on.
//
//   X needs its open children; before it starts, its dependency; while it runs, what its work waits
//   for.
//
// Down goes from a task to all that it needs, to find a task to help with. Up goes from a task to
// all that need it: its parent, its dependents, its creator if that waits for it; to find a cycle
// before it is closed. Both meet each task once, in the order of their distance, however many ways
// lead there. The memory for that is the walking thread's own: no allocation, no lock, no
// recursion.
//
// Thread safety: one walk belongs to one thread. It may overlap with any call.
// Progress: wait-free: at most as many steps as there are slots and links between them. Resume: as
// many as there are children left.
//
// Source: breadth-first search. Model: models/jobs/task_graph. Lecture: dependencies, helping
// waits, devices.
#ifndef NOWAIT_SRC_JOBS_TASK_WALK_H_
#define NOWAIT_SRC_JOBS_TASK_WALK_H_

#include <atomic>
#include <cstdint>
#include <vector>

#include "src/jobs/task_id.h"
#include "src/jobs/task_slots.h"

namespace nowait {

template <class Sync, class Slots>
class TaskWalk {
 public:
  static constexpr std::uint16_t kNone = TaskSlot<Sync>::kNone;

  TaskWalk(Slots& slots, std::uint16_t tag)
      : slots_(slots), tag_(tag), met_(slots.size()), queue_(slots.size()) {}

  // Calls meet(X, Y) for each Y that needs X, where X is `from` or was met before; until meet
  // returns true. Returns whether it did.
  template <class Meet>
  bool Up(TaskId from, Meet&& meet) {
    return Walk(from, meet, [this](TaskId at, auto& step) { return this->StepsUp(at, step); });
  }

  // Where a walk downward has stopped, among the children of a task.
  struct Cursor {
    TaskId at;
    std::uint16_t next = kNone;
  };

  // Calls meet(X, Y) for each Y that X needs. *cursor: where the walk stopped, if that was at a
  // child.
  template <class Meet>
  bool Down(TaskId from, Meet&& meet, Cursor* cursor) {
    return Walk(from, meet, [this, cursor](TaskId at, auto& step) {
      return this->StepsDown(at, step, cursor);
    });
  }

  // Calls meet(X, Y) for each child Y of X, and for nothing else that X needs.
  template <class Meet>
  bool Below(TaskId from, Meet&& meet) {
    Cursor none;
    return Walk(from, meet,
                [&](TaskId at, auto& step) { return this->StepsBelow(at, step, &none); });
  }

  // As Down, for the remaining children after *cursor, and for nothing else.
  template <class Meet>
  bool Resume(Cursor* cursor, Meet&& meet) {
    if (!cursor->at.IsTask()) return false;
    const TaskId at = cursor->at;
    const auto step = [&](TaskId child) { return meet(at, child); };
    return StepsAlong(at, cursor->next, step, cursor);
  }

 private:
  using Slot = TaskSlot<Sync>;

  template <class Meet, class Steps>
  bool Walk(TaskId from, Meet& meet, const Steps& steps) {
    std::size_t end = 0;
    const auto enqueue = [&](TaskId id) {
      met_[id.slot()] = true;
      queue_[end++] = id;
    };
    enqueue(from);
    bool stopped = false;
    for (std::size_t next = 0; next < end && !stopped; ++next) {
      const TaskId at = queue_[next];
      const auto step = [&](TaskId to) {
        if (meet(at, to)) return true;
        if (!met_[to.slot()]) enqueue(to);
        return false;
      };
      stopped = steps(at, step);
    }
    for (std::size_t i = 0; i < end; ++i) met_[queue_[i].slot()] = false;
    return stopped;
  }

  // seq_cst, here and on the parent and the waiting creator below: TaskGraph's argument about
  // cycles.
  template <class Step>
  bool StepsUp(TaskId at, const Step& step) {
    const Slot& slot = slots_[at.slot()];
    const auto seen = slot.completion.Look();
    if (!seen.IsOpen(at.generation())) return false;
    for (std::uint16_t i = seen.first; i != kNone;) {
      const TaskId dependent = IdOf(i);
      // acquire: rule 1; written before Register, or by a later task.
      const std::uint16_t next = slots_[i].next_dependent.load(std::memory_order::acquire);
      if (!slot.completion.IsStillOpen(at.generation())) return false;
      if (step(dependent)) return true;
      i = next;
    }
    const std::uint16_t parent = slot.parent.load(std::memory_order::seq_cst);
    if (parent != kNone) {
      const TaskId id = IdOf(parent);
      // The parent may be one that AddChild is about to refuse; the second look may see that.
      // relaxed: as IsStillOpen.
      if (slot.completion.IsStillOpen(at.generation()) &&
          slot.parent.load(std::memory_order::relaxed) == parent && step(id)) {
        return true;
      }
    }
    // relaxed, and no second look: a task whose needs name this very task needs it, and IsOpen
    // distinguishes the creator from a later task in the creator's slot.
    const TaskId creator = TaskId::FromBits(slot.creator.load(std::memory_order::relaxed));
    return creator.IsTask() &&
           slots_[creator.slot()].needs.load(std::memory_order::seq_cst) == at.bits() &&
           IsOpen(creator) && step(creator);
  }

  template <class Step>
  bool StepsDown(TaskId at, const Step& step, Cursor* cursor) {
    const Slot& slot = slots_[at.slot()];
    // acquire, here and below: rule 1.
    const TaskId needs = TaskId::FromBits(slot.needs.load(std::memory_order::acquire));
    if (!slot.completion.IsStillOpen(at.generation())) return false;
    if (needs.IsTask() && IsOpen(needs) && step(needs)) return true;
    return StepsBelow(at, step, cursor);
  }

  template <class Step>
  bool StepsBelow(TaskId at, const Step& step, Cursor* cursor) {
    // acquire: as in StepsDown.
    const std::uint16_t first = slots_[at.slot()].first_child.load(std::memory_order::acquire);
    return StepsAlong(at, first, step, cursor);
  }

  // From child to child. An earlier walk may have read the index. If the child's slot has gone on
  // to another task since, its generation or its link (acquire, both) comes after the completion of
  // `at`, which the second look then sees.
  template <class Step>
  bool StepsAlong(TaskId at, std::uint16_t i, const Step& step, Cursor* cursor) {
    const Slot& slot = slots_[at.slot()];
    while (i != kNone) {
      const TaskId child = IdOf(i);
      const std::uint16_t next = slots_[i].sibling.load(std::memory_order::acquire);
      if (!slot.completion.IsStillOpen(at.generation())) break;
      if (step(child)) {
        *cursor = {at, next};
        return true;
      }
      i = next;
    }
    *cursor = {};
    return false;
  }

  // Whether an id that a task has kept still names the task in its slot: rule 4.
  bool IsOpen(TaskId kept) const {
    return slots_[kept.slot()].completion.IsStillOpen(kept.generation());
  }
  TaskId IdOf(std::uint16_t i) const { return {tag_, i, slots_[i].completion.Look().generation}; }

  Slots& slots_;
  const std::uint16_t tag_;
  std::vector<bool> met_;
  std::vector<TaskId> queue_;
};

// Implementation: why this is right
//
// Slots change hands during a walk. These rules make a step true:
//   1. First a field of a slot is read (acquire), then whether the slot's task is still open in the
//      generation in which the walk reached it. A value that leads to a task is stored with release
//      and after Open. So if the field that was read were a later task's, the second look would see
//      that task's generation. A value that leads nowhere (no parent, no child) may be a later
//      task's: this task is complete then.
//   2. An open task keeps what its links lead to: its children's slots are given back by its
//      completion, its dependents are blocked by it, its parent is open. So the index that was read
//      belongs to the related task, whose generation is read before the second look.
//   3. The fact that one task was needed by another stays true. The task may be complete when the
//      walk reaches it, and is then passed by. A thread acts on a task by a compare-exchange with
//      the generation (TaskState).
//   4. A slot is met once in a walk, whatever task is in it. A task keeps the id of its dependency
//      after that is complete, and the slot may be another task's by then. So a kept id is a step
//      only while its task is open in its generation: otherwise the walk would pass by the next
//      tenant, and by everything below it. (relaxed is enough. A walk that still sees the old task
//      open has seen nothing that its completion happens before, and the tenant's submission wakes
//      the caller again.)

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_TASK_WALK_H_
