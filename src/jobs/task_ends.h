// TaskEnds: how a task comes to its end. Its items are taken off; the last one completes it, and by
// that its parent and the dependents that have no work. A layer of TaskGraph (task_graph.h).
//
// Complexity: in proportion to what is completed. A row of any length needs no stack.
#ifndef NOWAIT_SRC_JOBS_TASK_ENDS_H_
#define NOWAIT_SRC_JOBS_TASK_ENDS_H_

#include <atomic>
#include <cstdint>
#include <utility>

#include "src/jobs/open_tasks.h"
#include "src/jobs/task_completion.h"
#include "src/jobs/task_def.h"
#include "src/jobs/task_id.h"
#include "src/jobs/task_state.h"

namespace nowait {

template <class Sync, std::uint32_t kStore>
class TaskEnds : public OpenTasks<Sync, kStore> {
  using Lower = OpenTasks<Sync, kStore>;

 public:
  using Lower::Lower;
  using typename Lower::Thread;

  // Whether the thread keeps items of another parent than that of a task which it has started.
  bool KeepsOther(const Thread& by, TaskId started) const {
    // relaxed: the caller has started the task.
    return by.keeps() &&
           slots_[started.slot()].parent.load(std::memory_order::relaxed) != by.kept_parent_;
  }
  // Takes the items off that the thread keeps back.
  template <class Ready>
  void Settle(Thread& by, Ready&& ready) {
    if (!by.keeps()) return;
    const std::uint32_t items = std::exchange(by.kept_items_, std::uint16_t{0});
    Completed(by, by.kept_parent_, slots_[by.kept_parent_].completion.Close(items), ready);
  }

 protected:
  using Lower::kNone;
  using Lower::slots_;
  using Lower::tag_;

  // A thread that ends a task may keep one of its dependents, and start it next: it is not released
  // before (FinishAndKeep).
  template <class Ready>
  [[gnu::always_inline]] bool KeepsBlocked(std::uint16_t index, Ready& ready) {
    if constexpr (requires(TaskStateWord word) { ready.Keeps(word); }) {
      const TaskStateWord seen = slots_[index].state.Look();
      if (!ready.Keeps(seen)) return false;
      ready.Keep(TaskId(tag_, index, seen.generation()));
      return true;
    }
    return false;
  }

  // Handles a task that may have become free. True: it has no work to do, and the caller closes its
  // own item. Otherwise it has been passed to ready if it can start.
  template <class Ready>
  [[gnu::always_inline]] bool IsDone(std::uint16_t index, TaskStateWord state, Ready& ready) {
    if (!state.IsFree()) return false;
    if (state.Has(TaskStateWord::kEmpty | TaskStateWord::kCancelled)) {
      if (state.Has(TaskStateWord::kCancelled)) [[unlikely]]
        SetFailed(index);
      return true;
    }
    ready(ReadyTask{TaskId(tag_, index, state.generation()), state.priority(), state.affinity(),
                    state.kind()});
    return false;
  }

  // The task has failed. For a thread that is to take an item off it afterwards.
  void SetFailed(std::uint16_t index) {
    // relaxed: the Close of that item publishes it to the thread that completes the task.
    slots_[index].failed.store(true, std::memory_order::relaxed);
  }

  // A failed task is complete. Its dependents that need its success are cancelled, and fail; an
  // empty parent fails, too. first: of the dependents, which are still blocked.
  [[gnu::noinline, gnu::cold]] void SpreadFailure(std::uint16_t index, std::uint16_t first) {
    // relaxed, all four: see Completed. The flag is false in the slot's next task.
    slots_[index].failed.store(false, std::memory_order::relaxed);
    for (std::uint16_t i = first; i != kNone;
         i = slots_[i].next_dependent.load(std::memory_order::relaxed)) {
      TaskState<Sync>& state = slots_[i].state;
      const TaskStateWord seen = state.Look();
      if (!seen.Has(TaskStateWord::kNeedsSuccess)) continue;
      SetFailed(i);
      state.Cancel(seen.generation());
    }
    const std::uint16_t parent = slots_[index].parent.load(std::memory_order::relaxed);
    if (parent != kNone && slots_[parent].state.Look().Has(TaskStateWord::kEmpty)) {
      SetFailed(parent);
    }
  }

  // Takes one item off a task, and completes the tasks that are complete by that: upward, and the
  // dependents that have no work.
  template <class Ready>
  void CloseItem(Thread& by, std::uint16_t index, Ready& ready) {
    Completed(by, index, TakeItem(by, index), ready);
  }
  // Takes one item off a task, and those that the thread keeps back of the same one.
  typename TaskCompletion<Sync>::Closed TakeItem(Thread& by, std::uint16_t index) {
    std::uint32_t items = 1;
    if (by.keeps() && index == by.kept_parent_) items += std::exchange(by.kept_items_, 0);
    return slots_[index].completion.Close(items);
  }
  // The rest of it. closed: the result of the task's Close.
  template <class Ready>
  [[gnu::noinline]] void Completed(Thread& by, std::uint16_t index,
                                   typename TaskCompletion<Sync>::Closed closed, Ready& ready) {
    std::uint16_t done = kNone;  // dependents whose own item is to be taken off, by next_dependent
    for (;; closed = TakeItem(by, index)) {
      if (closed.complete) {
        // relaxed: set before the Close of an item, which the last Close has acquired.
        if (slots_[index].failed.load(std::memory_order::relaxed)) [[unlikely]]
          SpreadFailure(index, closed.first);
        std::uint16_t next = kNone;
        for (std::uint16_t i = closed.first; i != kNone; i = next) {
          // relaxed, here and below: written before the Register that Close has acquired.
          next = slots_[i].next_dependent.load(std::memory_order::relaxed);
          if (KeepsBlocked(i, ready)) continue;
          if (IsDone(i, slots_[i].state.Release(), ready)) {
            // relaxed: a walk that still goes along here meets tasks that need the completed one,
            // too.
            slots_[i].next_dependent.store(done, std::memory_order::relaxed);
            done = i;
          }
        }
        // relaxed: all children were linked and the parent stored before the last item was taken
        // off.
        next = slots_[index].parent.load(std::memory_order::relaxed);
        // relaxed: as its parent.
        if (slots_[index].first_child.load(std::memory_order::relaxed) != kNone) {
          GiveChildren(by, index);
        }
        if (next != kNone) {
          index = next;
          continue;
        }
        Give(by, index);
      }
      if (done == kNone) return;
      index = done;
      done = slots_[index].next_dependent.load(std::memory_order::relaxed);  // this call's own
    }
  }

  void GiveChildren(Thread& by, std::uint16_t parent) {
    // relaxed, both: see Completed.
    std::uint16_t i = slots_[parent].first_child.load(std::memory_order::relaxed);
    while (i != kNone) {
      const std::uint16_t next = slots_[i].sibling.load(std::memory_order::relaxed);
      Give(by, i);
      i = next;
    }
  }
  [[gnu::always_inline]] void Give(Thread& by, std::uint16_t index) {
    TaskState<Sync>& state = slots_[index].state;
    // If runs of an idempotent task have not left, the last one to leave gives the slot back.
    if (state.Look().Has(TaskStateWord::kIdempotent) && !state.GiveBack()) return;
    slots_.Give(by.store_, index);
  }
};

// Implementation: why this is right
//
// Invariants
//   1. A slot is owned from Create until the task is complete and, if it has a parent, until that
//      is complete. So a walk down from an open task meets its children and no other task's
//      (task_walk.h).
//   2. completion (task_completion.h) counts the work and each child, from before the child is
//      linked.
//   3. A blocked task is registered with its dependency exactly once, and released by its
//      completion.
//   4. A task's failure is marked before its last item is taken off: by the thread that runs or
//      cancels it, or by the completion of a child, before that takes the child's item off.
//   5. A thread keeps items back of one parent at a time, which cannot be complete before they are
//      taken off: its slot is not given back meanwhile.
//
// Completed children keep their slots until their parent is complete: a task that lives long and
// makes very many children one after another takes the whole capacity. Such children need no
// parent, or a parent of their own for each batch.

}  // namespace nowait

#endif  // NOWAIT_SRC_JOBS_TASK_ENDS_H_
